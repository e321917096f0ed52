"""Lessons on pages without script: every one solved, wrong tries answered, progress kept."""

import html
import re

import pytest
from django.test import Client

from accounts import personal_data
from accounts.models import User
from games.kernel import registry
from games.study.lessons import lessons
from games.study.models import SolvedLesson
from games.web.study.lessons import packed
from tests.fixtures import NOW
from tests.match_driver import fresh_cache, match_driver
from tests.people import PASSWORD, confirmed
from tests.responses import lasting
from tests.sampling import rest_thorough

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db

GAMES = tuple(registry.titles())
FIRST = "/games/die/lessons/1/"


def text_of(answer):
    return html.unescape(lasting(answer))


def read(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return text_of(answer)


def play(client, path, text):
    """Try a move, and return the address and the page that follow."""
    answer = client.post(path, {"typed": text})
    assert answer.status_code == 303, html.unescape(answer.content.decode())
    return answer["Location"], read(client, answer["Location"])


def sign_in(client, name="Alice"):
    client.post("/account/login/", {"login": name, "password": PASSWORD})


@pytest.mark.parametrize("slug", GAMES)
def test_every_lesson_is_solved_without_script_and_leads_to_the_next(client, slug):
    found = lessons(slug)
    assert found
    for lesson in found:
        path = f"/games/{slug}/lessons/{lesson.number}/"
        assert lesson.text in read(client, path)
        for text, then in zip(lesson.solution, (*lesson.then, lesson.right), strict=True):
            path, page = play(client, path, text)
            assert then in page
        assert lesson.closing in page
        is_last = lesson is found[-1]
        assert ("Play a bot" if is_last else "Next lesson") in page
    assert f"You have solved {len(found)} of {len(found)}." in read(
        client, f"/games/{slug}/lessons/"
    )


@pytest.mark.parametrize("slug", rest_thorough(GAMES, often=2))
def test_wrong_tries_are_answered_and_solve_nothing(client, slug):
    title = registry.get(slug)
    for lesson in lessons(slug):
        for wrong in lesson.wrong:
            path = f"/games/{slug}/lessons/{lesson.number}/"
            for text in lesson.solution[: wrong.after]:
                path, _ = play(client, path, text)
            assert title.parse(wrong.move)
            answer = client.post(path, {"typed": wrong.move}, follow=True)
            assert wrong.answer in html.unescape(answer.content.decode())
    assert "You need no account" in read(client, f"/games/{slug}/lessons/")


def test_a_click_on_a_mark_that_leads_nowhere_gets_the_answer_of_the_lesson(client):
    answer = client.get("/games/die/lessons/2/?part=why&mark=b2")
    assert answer.json()["said"].startswith("b2 touches your stone. While")


def test_a_hidden_card_of_another_seat_is_not_on_the_page(client):
    page = read(client, "/games/simple-life-or-death/lessons/7/")
    assert 'data-mark="KS"' in page
    assert 'data-mark="QS"' not in page
    attacked = read(client, "/games/simple-life-or-death/lessons/8/")
    assert "JS" not in re.findall('data-mark="(..)"', attacked)


@pytest.mark.parametrize("tried", ["x", "A" * 1600, packed(["c9"]), packed(["c3", "c4"])])
def test_a_damaged_address_leads_to_the_start(client, tried):
    answer = client.get(f"{FIRST}{tried}/")
    assert (answer.status_code, answer["Location"]) == (302, FIRST)


@pytest.mark.parametrize("path", ["/games/die/lessons/99/", "/games/chess/lessons/1/"])
def test_what_there_is_not_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_an_empty_try_is_refused(client):
    answer = client.post(FIRST, {})
    assert answer.status_code == 422
    assert "Choose a move first." in answer.content.decode()
    assert client.get("/games/die/lessons/").context["solved"] == 0


def test_progress_of_a_visitor_goes_to_the_account_at_sign_in(client):
    alice = confirmed("Alice")
    SolvedLesson.objects.create(user=alice, title="die", lesson="first-stone", solved=NOW)
    play(client, FIRST, "c3")
    play(client, "/games/die/lessons/2/", "a1")
    assert not SolvedLesson.objects.exclude(user=alice).exists()
    sign_in(client)
    assert solved_by(alice) == {"first-stone", "apart"}
    assert "You have solved 2 of" in read(client, "/games/die/lessons/")
    assert "You have solved" not in read(Client(), "/games/die/lessons/")


def test_what_is_solved_twice_is_kept_once(client):
    alice = confirmed("Alice")
    sign_in(client)
    play(client, FIRST, "c3")
    play(client, FIRST, "a1")
    assert SolvedLesson.objects.filter(user=alice).count() == 1


def test_progress_of_a_guest_goes_to_the_account(django_user_model):
    guest = django_user_model.objects.create_user("guest1234", is_guest=True)
    alice = confirmed("Alice")
    for user, key in ((guest, "apart"), (guest, "win"), (alice, "win")):
        SolvedLesson.objects.create(user=user, title="die", lesson=key, solved=NOW)
    for part in personal_data.parts():
        part.hand_over(guest, alice, NOW)
    assert solved_by(alice) == {"apart", "win"}
    assert not solved_by(guest)


def test_progress_is_exported_and_deleted_with_the_account():
    alice = confirmed("Alice")
    SolvedLesson.objects.create(user=alice, title="die", lesson="win", solved=NOW)
    assert personal_data.export(alice)["lessons"] == [
        {"title": "die", "lesson": "win", "solved": NOW}
    ]


def solved_by(user: User):
    return set(SolvedLesson.objects.filter(user=user).values_list("lesson", flat=True))


@pytest.mark.parametrize("slug", GAMES)
def test_the_pages_of_a_game_offer_its_lessons(client, slug):
    assert f'href="/games/{slug}/lessons/"' in read(client, f"/games/{slug}/")
    assert f'href="/games/{slug}/lessons/"' in read(client, f"/games/{slug}/rules/")


def test_the_picture_of_a_lesson_has_a_theme(client):
    answer = client.get("/games/die/lessons/1/board-dark.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert client.get("/games/die/lessons/1/board-pink.svg").status_code == 404


def test_a_player_who_is_new_to_a_game_is_offered_its_first_lesson(match_driver):
    page = match_driver.client(0).get(match_driver.page).content.decode()
    assert f'<a href="{FIRST}">Try the first lesson</a>' in page
    match_driver.play("c3")
    page = match_driver.client(0).get(match_driver.page).content.decode()
    assert "Try the first lesson" not in page
    assert '<a href="/games/die/lessons/">Lessons</a>' in page


def test_a_lesson_names_its_button_as_a_match_does(match_driver):
    client = match_driver.client(0)
    move = lessons("die")[0].solution[0]
    pages = client.get(match_driver.page, {"word": "c3"}), client.get(FIRST, {"word": move})
    buttons = [re.search("data-confirm>(.*?)</button>", lasting(page))[1] for page in pages]
    assert buttons == ["Confirm", "Confirm"]
    for path in match_driver.page, FIRST:
        assert '<h2 id="action-head">Your turn</h2>' in lasting(client.get(path))
