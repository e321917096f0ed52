"""Puzzles on pages without script: solved, refused, kept, and one a day on the front page."""

import html
from datetime import UTC, datetime, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import personal_data
from accounts.models import User
from games.kernel import registry
from games.ratings.selectors import set_listed
from games.study import puzzle_ratings
from games.study.lessons import start
from games.study.models import PuzzleRating, PuzzleTry, SolvedLesson, SolverRating
from games.study.personal_data import StudyData
from games.study.progress import key_of_day
from games.study.puzzle_ratings import of_puzzles
from games.study.puzzles import as_lessons, of_the_day, puzzles, solution, themes
from games.web import template_functions
from games.web.pages import views as front
from games.web.study import lessons as pages
from games.web.study.puzzles import PAGE_LENGTH
from tests.concurrency import run_concurrently
from tests.match_driver import fresh_cache
from tests.people import PASSWORD, confirmed
from tests.responses import lasting

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

GAMES = [slug for slug in registry.titles() if puzzles(slug)]
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    """Return a function that sets the day; it begins with one that does not change."""

    def set_to(now):
        for module in (pages, front):
            monkeypatch.setattr(module.timezone, "now", lambda: now)

    set_to(NOON)
    return set_to


def read(client, path):
    answer = client.get(path)
    assert answer.status_code == 200, (path, answer.status_code)
    return html.unescape(lasting(answer))


def play(client, path, text):
    """Try a move, and return the address and the page that follow."""
    answer = client.post(path, {"typed": text})
    assert answer.status_code == 303, html.unescape(answer.content.decode())
    return answer["Location"], read(client, answer["Location"])


def solve(client, slug, number):
    """Solve a puzzle, and return the last page."""
    path = f"/games/{slug}/puzzles/{number}/"
    for text in puzzles(slug)[number - 1].line:
        path, page = play(client, path, text)
    return page


def wrong_move(slug, number):
    """Return a legal first move that does not win."""
    title = registry.get(slug)
    puzzle = puzzles(slug)[number - 1]
    state = start(title, as_lessons(slug)[number - 1])
    questions = registry.decisions(title)
    right = title.parse(puzzle.first)
    return next(
        str(move)
        for move in title.moves(state, puzzle.seat)
        if not (questions and questions.is_right(state, puzzle.seat, right, move))
        and str(move) not in puzzle.lines
    )


def list_with(client, number):
    """Return the page of the list that has a puzzle."""
    page = 1 + (number - 1) // PAGE_LENGTH
    return read(client, f"/games/die/puzzles/?page={page}")


def sign_in(client, name="Alice"):
    client.post("/account/login/", {"login": name, "password": PASSWORD})


@pytest.mark.parametrize("slug", GAMES)
def test_puzzles_are_solved_without_script(client, slug):
    total = len(puzzles(slug))
    chosen = as_lessons(slug)[:: total // 3]
    for one in chosen:
        assert one.text in read(client, f"/games/{slug}/puzzles/{one.number}/")
        page = solve(client, slug, one.number)
        assert one.right in page
    shown = read(client, f"/games/{slug}/puzzles/")
    assert f"You have solved {len(chosen)} of {total}." in shown


@pytest.mark.parametrize("slug", GAMES)
def test_a_wrong_move_is_answered_and_solves_nothing(client, slug):
    path = f"/games/{slug}/puzzles/1/"
    _, page = play(client, path, wrong_move(slug, 1))
    assert "That move doesn’t force a win in " in page or "Another choice is better." in page
    assert f'href="{path}"' in page
    assert "You have solved" not in read(client, f"/games/{slug}/puzzles/")


def test_after_a_right_move_the_reply_is_shown_and_the_way_goes_on(client):
    number = next(n for n, one in enumerate(puzzles("die"), 1) if one.moves > 1)
    first, *_ = puzzles("die")[number - 1].line
    _, page = play(client, f"/games/die/puzzles/{number}/", first)
    assert "Right. Now win in " in page
    assert "Start over" in page


def test_no_puzzle_of_the_day_comes_twice_in_a_year():
    days = [of_the_day(NOON.date() + timedelta(days=days)) for days in range(366)]
    assert len({(title.meta.slug, lesson.key) for title, lesson in days}) == len(days)


def test_each_day_has_one_puzzle_on_the_front_page_and_in_the_lists(client, clock, monkeypatch):
    games = set()
    for days in range(len(GAMES)):
        clock(NOON + timedelta(days=days))
        title, lesson = of_the_day((NOON + timedelta(days=days)).date())
        games.add(title.meta.slug)
        address = f'href="/games/{title.meta.slug}/puzzles/{lesson.number}/"'
        assert address in read(client, "/")
        assert f"{address}>Puzzle of the day" in read(client, "/games/die/puzzles/")
    assert games == set(GAMES)
    monkeypatch.setattr(front.puzzles, "puzzles", lambda slug: ())
    cache.clear()
    assert "Puzzle of the day" not in read(client, "/")


@pytest.mark.parametrize("is_member", [False, True])
def test_a_streak_counts_days_in_a_row_in_all_games(client, clock, is_member):
    confirmed("Alice")
    if is_member:
        sign_in(client)
    for days, slug in enumerate((GAMES[0], GAMES[-1], GAMES[0])):
        clock(NOON + timedelta(days=days))
        page = solve(client, slug, 1)
    words = "You have solved a puzzle 3 days in a row."
    assert words in page
    assert words in read(client, "/")
    clock(NOON + timedelta(days=3))
    assert client.get("/games/die/puzzles/").context["streak"] == 3
    clock(NOON + timedelta(days=4))
    assert client.get("/games/die/puzzles/").context["streak"] == 0
    assert "in a row" not in read(client, "/")


def test_a_streak_counts_days_of_the_solver(client, clock):
    """Three days in Los Angeles, which are two of UTC with one between them."""
    solver = confirmed("Alice")
    solver.time_zone = "America/Los_Angeles"
    solver.save()
    sign_in(client)
    monday = datetime(2026, 11, 30, 18, tzinfo=ZoneInfo("America/Los_Angeles"))
    times = (monday, monday + timedelta(hours=20), monday + timedelta(days=2))
    for moment, slug in zip(times, (GAMES[0], GAMES[-1], GAMES[0]), strict=True):
        clock(moment.astimezone(UTC))
        page = solve(client, slug, 1)
    assert "You have solved a puzzle 3 days in a row." in page


def test_progress_of_a_visitor_goes_to_the_account_at_sign_in(client):
    alice = confirmed("Alice")
    solve(client, "die", 2)
    sign_in(client)
    solved = set(SolvedLesson.objects.filter(user=alice).values_list("lesson", flat=True))
    assert solved == {as_lessons("die")[1].key, key_of_day(NOON.date())}
    assert "You have solved 1 of " in read(client, "/games/die/puzzles/")
    assert "You need no account" in read(client, "/games/die/lessons/")


@pytest.mark.parametrize(
    "path", ["/games/die/puzzles/999/", "/games/die/puzzles/0/", "/games/nothing/puzzles/"]
)
def test_what_there_is_not_is_not_found(client, path):
    assert client.get(path).status_code == 404


def test_a_damaged_address_leads_to_the_start(client):
    answer = client.get("/games/die/puzzles/1/x/")
    assert (answer.status_code, answer["Location"]) == (302, "/games/die/puzzles/1/")


def test_the_page_of_a_game_offers_puzzles_if_it_has_any(client, monkeypatch):
    assert 'href="/games/die/puzzles/"' in read(client, "/games/die/")
    monkeypatch.setattr(template_functions.puzzles, "puzzles", lambda slug: ())
    assert "/puzzles/" not in read(client, "/games/die/")


def test_the_picture_of_a_puzzle_has_a_theme(client):
    answer = client.get("/games/die/puzzles/1/board-dark.svg")
    assert answer["Content-Type"] == "image/svg+xml"
    assert client.get("/games/die/puzzles/1/board-pink.svg").status_code == 404


# --- Solutions and filters ------------------------------------------------------------------------


@pytest.mark.parametrize("is_member", [False, True])
def test_the_solution_is_shown_step_by_step_after_a_try(client, is_member):
    confirmed("Alice")
    if is_member:
        sign_in(client)
    number = long_puzzle()
    path = f"/games/die/puzzles/{number}/"
    steps = solution(registry.get("die"), as_lessons("die")[number - 1])
    assert client.get(f"{path}solution/1/")["Location"] == path
    _, page = play(client, path, wrong_move("die", number))
    assert f'href="{path}solution/0/"' in page
    for step in range(len(steps)):
        page = read(client, f"{path}solution/{step}/")
        assert f"Solution, move {step} of {len(steps) - 1}" in page
        assert (f'href="../{step + 1}/"' in page) == (step + 1 < len(steps))
    assert as_lessons("die")[number - 1].right in page
    last = f"{path}solution/{len(steps) - 1}/"
    assert client.get(f"{path}solution/99/")["Location"] == last
    assert "You have solved" not in read(client, "/games/die/puzzles/")


def test_the_list_is_filtered_by_theme_difficulty_and_progress(client):
    def listed(query):
        answer = client.get(f"/games/die/puzzles/?{query}")
        return answer.context["page"].paginator.object_list

    every = puzzles("die")
    for theme in themes("die"):
        wanted = [n for n, one in enumerate(every, 1) if theme in one.themes]
        assert [lesson.number for lesson, *_ in listed(f"theme={theme}")] == wanted
    by_level = [listed(f"level={level}") for level in ("easy", "medium", "hard")]
    assert sum(map(len, by_level)) == len(every)
    easy, _, hard = ([rating for *_, rating in rows] for rows in by_level)
    assert max(easy) < min(hard)
    solve(client, "die", 1)
    assert listed("state=unsolved")[0][0].number == 2
    assert len(listed("theme=nothing&level=x&state=y&page=x")) == len(every)
    assert "No puzzles like that." in read(client, "/games/die/puzzles/?theme=win-2&level=hard")


def test_what_a_visitor_has_looked_at_does_not_count_after_signing_in(client):
    alice = confirmed("Alice")
    play(client, "/games/die/puzzles/1/", wrong_move("die", 1))
    sign_in(client)
    solve(client, "die", 1)
    assert rating_of(alice) is None


# --- Ratings --------------------------------------------------------------------------------------


@pytest.fixture
def ada(people, client):
    client.force_login(people[0])
    return people[0]


def rating_of(user):
    return SolverRating.objects.filter(user=user).values_list("mu", "tries").first()


def test_the_first_try_of_a_puzzle_rates_player_and_puzzle(client, ada):
    hardest = max(as_lessons("die"), key=lambda one: puzzles("die")[one.number - 1].moves)
    easiest = min(as_lessons("die"), key=lambda one: puzzles("die")[one.number - 1].moves)
    levels = of_puzzles("die", as_lessons("die"))
    assert levels[easiest.key] < levels[hardest.key]
    page = solve(client, "die", hardest.number)
    mu, tries = rating_of(ada)
    assert mu > 1500
    assert tries == 1
    assert f"Your puzzle rating: {round(mu)} ±" in page
    after = of_puzzles("die", as_lessons("die"))
    assert after[hardest.key] < levels[hardest.key]
    assert after[easiest.key] == levels[easiest.key]
    assert f"rated {after[hardest.key]}" in list_with(client, hardest.number)
    shown = read(client, "/games/die/puzzles/")
    assert f"Your puzzle rating is <strong>{round(mu)}</strong>" in shown


def test_only_the_first_try_counts(client, ada):
    path = "/games/die/puzzles/1/"
    play(client, path, wrong_move("die", 1))
    mu, tries = rating_of(ada)
    assert mu < 1500
    solve(client, "die", 1)
    play(client, path, wrong_move("die", 1))
    assert rating_of(ada) == (mu, tries) == (mu, 1)
    assert not PuzzleTry.objects.get().is_solved


def test_a_move_that_is_refused_is_no_try(client, ada):
    assert client.post("/games/die/puzzles/1/", {"typed": "zz"}).status_code == 422
    assert rating_of(ada) is None


def looks(client, slug, number):
    """Ask for the verdict of every first move, and of all that follow a right one, by addresses."""
    title, puzzle = registry.get(slug), puzzles(slug)[number - 1]
    state = start(title, as_lessons(slug)[number - 1])
    lines = [[str(move)] for move in title.moves(state, puzzle.seat)]
    lines += [puzzle.line[:count] for count in range(2, puzzle.moves + 1)]
    path = f"/games/{slug}/puzzles/{number}/"
    for line in lines:
        address = f"{path}{pages.packed(line)}/"
        for send in (client.get, client.head, partial(client.post, data={"typed": "zz"})):
            yield path, send(address)


def long_puzzle(slug="die"):
    return next(n for n, one in enumerate(puzzles(slug), 1) if one.moves > 1)


def test_who_has_not_tried_gets_no_verdict_by_an_address(client, ada):
    for path, answer in looks(client, "die", long_puzzle()):
        assert (answer.status_code, answer["Location"]) == (302, path)
    assert rating_of(ada) is None


def test_who_has_tried_sees_every_verdict(client, ada):
    number = long_puzzle()
    play(client, f"/games/die/puzzles/{number}/", wrong_move("die", number))
    assert {answer.status_code for _, answer in looks(client, "die", number)} == {200, 422}
    assert rating_of(ada)[1] == 1


def test_a_wrong_move_counts_although_an_impossible_one_was_sent_with_it(client, ada):
    number = long_puzzle()
    path = f"/games/die/puzzles/{number}/"
    right = puzzles("die")[number - 1].first
    answer = client.post(path, {"move": [right], "typed": "zz"})
    assert answer.status_code == 422
    assert rating_of(ada) is None
    answer = client.post(path, {"move": [wrong_move("die", number)], "typed": "zz"})
    assert answer.status_code == 303
    assert rating_of(ada)[1] == 1


def test_the_way_of_one_player_is_not_that_of_another(client, ada, people):
    number = long_puzzle()
    first, *_ = puzzles("die")[number - 1].line
    path, page = play(client, f"/games/die/puzzles/{number}/", first)
    assert "Right. Now win in " in page
    assert rating_of(ada) is None
    others = Client()
    others.force_login(people[1])
    assert others.get(path).status_code == 302
    assert client.get(path.replace(f"/{number}/", f"/{number + 1}/")).status_code == 302
    solve(client, "die", number)
    assert rating_of(ada)[1] == 1


def test_what_a_visitor_has_solved_is_no_first_try_of_the_account(client):
    alice = confirmed("Alice")
    solve(client, "die", 1)
    sign_in(client)
    solve(client, "die", 1)
    assert rating_of(alice) is None


def test_what_a_guest_has_tried_is_no_first_try_of_the_account(client):
    guest = User.objects.create(username="guest-1", is_guest=True)
    client.force_login(guest)
    play(client, "/games/die/puzzles/1/", wrong_move("die", 1))
    User.objects.filter(pk=guest.pk).update(is_guest=False, username="joined")
    solve(client, "die", 1)
    assert rating_of(guest) is None


def test_nobody_without_an_account_is_rated(client):
    assert "Your puzzle rating" not in solve(client, "die", 1)
    guest = User.objects.create(username="guest-1", is_guest=True)
    client.force_login(guest)
    solve(client, "die", 2)
    assert not SolverRating.objects.exists()
    assert not PuzzleRating.objects.exists()


def test_a_page_of_ratings_shows_puzzle_ratings_of_who_is_listed(client, ada, people):
    solve(client, "die", 1)
    others = Client()
    path = f"/players/{ada.username}/ratings/"
    assert path in read(others, f"/players/{ada.username}/")
    for reader in (client, others):
        assert "Puzzle ratings" in read(reader, path)
    set_listed(ada, is_listed=False)
    assert "Puzzle ratings" in read(client, path)
    assert "Puzzle ratings" not in read(others, path)


def test_tries_and_ratings_are_personal_data(client, ada):
    solve(client, "die", 1)
    data = personal_data.export(ada)
    assert [one["is_solved"] for one in data["puzzle_tries"]] == [True]
    assert [one["title"] for one in data["puzzle_ratings"]] == ["die"]
    StudyData().delete(ada, NOON)
    assert not PuzzleTry.objects.exists()
    assert rating_of(ada) is None
    assert PuzzleRating.objects.count() == 1


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_a_double_click_counts_once(people):
    lesson = as_lessons("die")[0]

    def count(is_solved):
        puzzle_ratings.count_try(
            user=people[0], session={}, slug="die", lesson=lesson, is_solved=is_solved, now=NOON
        )

    run_concurrently(*(partial(count, is_solved) for is_solved in (True, False, True)))
    assert SolverRating.objects.get().tries == PuzzleRating.objects.get().tries == 1
    others = [
        partial(
            puzzle_ratings.count_try,
            user=user,
            session={},
            slug="die",
            lesson=lesson,
            is_solved=True,
            now=NOON,
        )
        for user in people[1:3]
    ]
    run_concurrently(*others)
    assert PuzzleRating.objects.get().tries == 3
