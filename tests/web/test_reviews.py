"""The page of a review, its lines on the board, and its API."""

import html
import re

import pytest
from django.utils import timezone
from django.utils.html import strip_tags

from games.bots.questions import Ply
from games.kernel import registry
from games.matches import services
from games.records import imports
from games.study import reviews
from games.study.models import Review
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting
from tests.reviews import quick, worked_out

__all__ = ["fresh_cache", "quick"]


NOW = timezone.now()
Status = Review.Status


def finished(slug, people, moves=8, seats=2, **chosen):
    driver = begin(slug, people, seats, **chosen)
    driver.play_on(moves)
    while driver.match.is_running:
        driver.act(services.resign, driver.turn)
    return driver


@pytest.fixture
def ended(people):
    return finished("die", people, size=3)


def text(answer):
    return html.unescape(lasting(answer))


def page_of(driver, seat=None):
    page = text(driver.client(seat).get(f"{driver.page}review/"))
    return page.replace("\N{NO-BREAK SPACE}", " ")


def ready(driver, *points):
    """Work out a review; with other turning points than it finds, if any are given."""
    review = worked_out(reviews.ask(driver.match, now=NOW), NOW)
    if points:
        Review.objects.update(points=list(points))
    return review


POINT = {"number": 3, "seat": 0, "mover": 0, "before": 700, "after": 310}


# --- Asking ---------------------------------------------------------------------------------------


def test_anybody_signed_in_asks_and_everybody_reads(ended, quick):
    assert "Sign in</a> to have this match reviewed" in page_of(ended)
    client = ended.client(3)
    page = text(client.get(f"{ended.page}review/"))
    assert "Review this match</button>" in page
    answer = client.post(f"{ended.page}review/")
    assert (answer.status_code, answer["Location"]) == (303, f"{ended.page}review/")
    waiting = page_of(ended)
    assert '<meta http-equiv="refresh" content="5">' in waiting
    assert "0 % done" in waiting
    worked_out(Review.objects.get(), NOW)
    page = page_of(ended)
    assert "refresh" not in page
    assert "Who was ahead" in page
    assert '<form method="post"' not in page.partition("<main")[2].partition("</main")[0]


def test_a_visitor_who_asks_is_sent_to_sign_in_and_back(ended):
    answer = ended.client(None).post(f"{ended.page}review/")
    assert answer["Location"] == f"/account/login/?next={ended.page}review/"
    assert not Review.objects.exists()


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize("seat", [0, 2])
def test_a_running_match_is_refused_with_a_sentence(method, seat, people):
    driver = begin("die", people, size=3)
    driver.play_on(2)
    answer = getattr(driver.client(seat), method)(f"{driver.page}review/")
    assert answer.status_code == 409
    assert "A match can be reviewed once it has ended." in text(answer)
    assert not Review.objects.exists()


def test_asking_is_counted_and_a_second_click_starts_nothing(ended, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "review": {"account": ["2/h"]}}
    client = ended.client(2)
    answers = [client.post(f"{ended.page}review/").status_code for _ in range(3)]
    assert answers == [303, 303, 429]
    assert Review.objects.get().turn == 0


def test_a_review_that_is_there_costs_the_others_nothing(people, settings, quick):
    limit = {"account": ["9/h"], "site": ["2/h"]}
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "review": limit}
    first, second, third = (finished("die", people, size=3) for _ in range(3))
    running = begin("die", people, size=3)
    running.play_on(2)
    for seat in range(4):
        assert first.client(seat).post(f"{first.page}review/").status_code == 303
        assert running.client(seat).post(f"{running.page}review/").status_code == 409
    assert second.client(1).post(f"{second.page}review/").status_code == 303
    assert third.client(2).post(f"{third.page}review/").status_code == 429
    assert not reviews.of(third.match)


@pytest.mark.parametrize("is_api", [False, True])
def test_who_waits_for_one_cannot_have_another_worked_out(is_api, people, quick):
    first, second = (finished("die", people, size=3) for _ in range(2))
    prefix = "/api/v1" if is_api else ""

    def ask(driver, seat, **how):
        return driver.client(seat, **how).post(f"{prefix}{driver.page}review/")

    assert ask(first, 2).status_code in (200, 303)
    assert ask(first, 2).status_code in (200, 303)
    refused = ask(second, 2)
    assert refused.status_code == 409
    assert "Another review is being worked out" in refused.content.decode()
    assert not reviews.of(second.match)
    worked_out(Review.objects.get(), NOW)
    assert Review.objects.get().asker == ""
    assert ask(second, 2).status_code in (200, 303)


def test_working_one_out_again_waits_for_the_other(people, quick):
    first, second = (finished("die", people, size=3) for _ in range(2))
    ready(first)
    Review.objects.update(edition=0)
    assert second.client(2).post(f"{second.page}review/").status_code == 303
    assert first.client(2).post(f"{first.page}review/").status_code == 409
    assert reviews.of(first.match).status == Status.READY


def test_guests_of_a_network_wait_for_one_together(people, quick):
    first, second = (finished("die", people, size=3) for _ in range(2))
    for guest in people[2:]:
        guest.is_guest = True
        guest.save()
    assert first.client(2).post(f"{first.page}review/").status_code == 303
    assert second.client(3).post(f"{second.page}review/").status_code == 409
    elsewhere = second.client(3, REMOTE_ADDR="192.0.2.7")
    assert elsewhere.post(f"{second.page}review/").status_code == 303


def test_a_review_that_failed_says_so_and_may_be_asked_for_later(ended):
    reviews.ask(ended.match, now=NOW)
    Review.objects.update(status=Status.FAILED, begun=NOW)
    assert "The review has failed. You can try again in an hour." in page_of(ended, 2)
    Review.objects.update(begun=NOW - reviews.AGAIN)
    page = page_of(ended, 2)
    assert "You can try again.</p>" in page
    assert "Review it again</button>" in page


def test_an_outdated_review_stays_and_can_be_worked_out_again(ended, quick):
    ready(ended)
    Review.objects.update(edition=0)
    page = page_of(ended, 2)
    assert "Who was ahead" in page
    assert "Review it again</button>" in page


def test_the_match_page_and_the_record_lead_to_it(ended):
    link = f'href="{ended.page}review/"'
    assert link in text(ended.client(0).get(ended.page))
    assert link in text(ended.client(None).get(f"{ended.page}2/"))


# --- What it shows --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "seats"),
    [(slug, title.meta.seats[0]) for slug, title in registry.titles().items()]
    + [(slug, 3) for slug, title in registry.titles().items() if title.meta.seats[1] > 2],
)
def test_every_game_has_a_line_for_each_player_and_a_table(slug, seats, people, quick):
    driver = finished(slug, people, moves=4, seats=seats)
    review = ready(driver)
    page = page_of(driver)
    lines = re.findall(r'<polyline class="review-curve seat-(\d)[^"]*" points="([^"]+)"', page)
    assert [int(seat) for seat, _ in lines] == list(range(seats))
    assert {len(points.split()) for _, points in lines} == {len(review.values)}
    winner = review.values[-1].index(1000)
    last = re.findall(r'<tr><th scope="row">.*?</tr>', page)[-1]
    assert re.findall(r'<td class="num">(.*?)</td>', last)[winner] == "100 %"
    is_secret = registry.get(slug).meta.has_secrets
    assert ("It sees all hands" in page) == is_secret


def test_a_turning_point_names_the_move_and_leads_to_it(ended, quick):
    ready(ended, POINT)
    page = page_of(ended)
    assert f'<a href="{ended.page}3/">Move 3</a>: ada’s chance falls from 70 % to 31 %' in page
    assert "ada: Red places a stone" in strip_tags(page)
    assert "The bots would have played" not in page
    assert "average rolls" not in page


def position_of(page):
    region = re.search(r'<div id="review-at".*?</div>', page, re.DOTALL)[0]
    return re.search(r"<strong>(.*?)</strong>", region)[1], re.findall(r'href="\?at=(\d+)#', region)


@pytest.mark.parametrize(
    ("query", "shown", "steps"),
    [
        ("", "After move 3", ["2", "4"]),
        ("?at=0", "Start", ["1", "3"]),
        ("?at=1", "After move 1", ["0", "2", "3"]),
        ("?at=99", "After move 8", ["8", "3"]),
        ("?at=-1", "After move 3", ["2", "4"]),
        ("?at=" + "9" * 5000, "After move 3", ["2", "4"]),
    ],
)
def test_a_position_is_shown_beside_the_graph(query, shown, steps, ended, quick):
    """The first turning point, or the one asked for; the links lead to what lies around it."""
    ready(ended, POINT)
    page = text(ended.client(None).get(f"{ended.page}review/{query}"))
    assert position_of(page) == (shown, steps)


def test_how_everybody_played_is_said_in_words(ended, quick):
    ready(ended, POINT, {**POINT, "number": 5, "expected": 690}, {**POINT, "number": 6, "mover": 1})
    page = strip_tags(page_of(ended))
    assert "ada: 1 move of 4 cost 10 points or more" in page
    assert "bruno: none of 4 moves cost 10 points" in page


def test_who_resigned_made_no_move(ended, quick):
    ready(ended, {**POINT, "number": 9, "after": 0, "is_move": False})
    page = strip_tags(page_of(ended))
    assert "After move 8: ada’s chance falls from 70 % to 0 %" in page
    assert "ada: none of 4 moves cost 10 points" in page


def test_moves_are_counted_without_offers(people, quick):
    driver = begin("die", people, size=3)
    driver.play_on(2)
    driver.act(services.offer_close, 0)
    driver.act(services.decline_offer, 1)
    driver.play_on(2)
    driver.act(services.resign, 0)
    ready(driver, {**POINT, "number": 5})
    page = page_of(driver)
    assert f'<a href="{driver.page}5/">Move 3</a>' in page
    assert position_of(page)[0] == "After move 3"


def test_a_player_reads_of_themselves_by_name(ended, quick):
    ready(ended, POINT)
    read = [
        page_of(ended, seat).partition("<h1>Review")[2].partition("<form")[0] for seat in (0, 3)
    ]
    assert read[0] == read[1]


@pytest.mark.parametrize(
    ("expected", "sentence"),
    [
        (690, "Mostly the dice: with average rolls the chance would be 69 %."),
        (320, "Mostly the move: even with average rolls the chance would be 32 %."),
        (500, "Both the move and the dice: with average rolls the chance would be 50 %."),
    ],
)
def test_dice_are_told_apart_from_the_move(expected, sentence, ended, quick):
    ready(ended, {**POINT, "expected": expected})
    assert sentence in page_of(ended)


def test_physics_is_luck_and_not_dice(people, quick):
    driver = finished("precary-ice", people, moves=1)
    ready(driver, {**POINT, "number": 1, "expected": 690})
    assert "Mostly bad luck: on average this move leaves a chance of 69 %." in page_of(driver)


def line_of(driver, moves):
    """Return legal moves that go on from the position before move 3."""
    at = driver.snapshot.table
    title, found = at.title, []
    from games.matches.log import positions  # noqa: PLC0415

    state = positions.state_after(at, 2)
    for _ in range(moves):
        seat = title.actors(state)[0]
        move = next(iter(title.moves(state, seat)))
        found.append(Ply(seat, str(move)))
        state, _ = title.play(state, seat, move, None)
    return [{"seat": ply.seat, "move": ply.move} for ply in found]


def test_the_line_of_the_bots_opens_on_the_board(ended, quick):
    line = line_of(ended, 3)
    ready(ended, {**POINT, "line": line})
    page = page_of(ended)
    played = f"Place a stone on {line[0]['move']}"
    assert f"The bots would have played: <strong>{played}</strong>." in page
    assert 'href="3/board/"' in page
    client = ended.client(None)
    board = text(client.get(f"{ended.page}review/3/board/", follow=True))
    for ply in line:
        assert ply["move"] in board


def test_a_first_move_that_rolls_is_entered_and_not_made(ended, quick):
    line = line_of(ended, 1)
    ready(ended, {**POINT, "line": line, "rolls": True})
    answer = ended.client(None).get(f"{ended.page}review/3/board/")
    assert answer["Location"].endswith(f"/0/?typed={line[0]['move']}")


def test_there_is_no_board_where_there_is_no_line(ended, quick):
    client = ended.client(2)
    assert client.get(f"{ended.page}review/3/board/").status_code == 404
    ready(ended, POINT)
    for number in (2, 3):
        assert client.get(f"{ended.page}review/{number}/board/").status_code == 404


def test_an_imported_record_has_a_review_too(ended, people, quick):
    data = ended.client(None).get(f"{ended.page}export.json").content
    record = imports.take_in(user=people[2], data=data, now=NOW)
    address = f"/imported/{record.pk}/review/"
    client = ended.client(3)
    assert f'href="{address}"' in text(client.get(f"/imported/{record.pk}/0/"))
    assert "Review this match</button>" in text(client.get(address))
    assert client.post(address).status_code == 303
    worked_out(Review.objects.get(), NOW)
    Review.objects.update(
        points=[{**POINT, "line": line_of(ended, 2), "phrase": "of an older release"}]
    )
    page = text(client.get(address))
    assert f'<a href="/imported/{record.pk}/3/">Move 3</a>' in page
    assert client.get(f"{address}3/board/", follow=True).status_code == 200


# --- The API --------------------------------------------------------------------------------------


def test_a_program_asks_and_reads(ended, quick):
    address = f"/api/v1{ended.page}review/"
    visitor, client = ended.client(None), ended.client(2)
    assert visitor.get(address).status_code == 404
    assert visitor.post(address).status_code == 401
    assert client.post(address).json()["status"] == "waiting"
    worked_out(Review.objects.get(), NOW)
    Review.objects.update(points=[{**POINT, "expected": 500, "line": line_of(ended, 1)}])
    found = visitor.get(address).json()
    assert (found["status"], found["length"]) == ("ready", ended.match.version)
    assert found["chances"][-1] in ([0, 1], [1, 0])
    (point,) = found["turning_points"]
    assert (point["before"], point["after"], point["expected"]) == (0.7, 0.31, 0.5)
    assert point["line"] == line_of(ended, 1)


def test_a_program_is_refused_a_running_match(people):
    driver = begin("die", people, size=3)
    driver.play_on(2)
    for method in ("get", "post"):
        answer = getattr(driver.client(0), method)(f"/api/v1{driver.page}review/")
        assert answer.status_code == 409
        assert answer.json()["detail"] == "A match can be reviewed once it has ended."
