"""Runs through puzzles, on pages without script and by the API."""

from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.test import Client

from games.kernel.errors import GameError
from games.study import puzzle_runs
from games.study.lessons import Verdict
from games.study.models import PuzzleRun, PuzzleTry, SolverRating
from games.study.personal_data import StudyData
from games.study.puzzles import as_lessons, puzzles
from games.web.study import runs as pages
from tests.concurrency import run_concurrently
from tests.match_driver import fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
RUNS = "/games/die/puzzles/runs/"
API = "/api/v1/games/die/puzzles/"
LIVES, TIME = PuzzleRun.Kind.LIVES, PuzzleRun.Kind.TIME


@pytest.fixture(autouse=True)
def clock(monkeypatch):
    def set_to(now):
        monkeypatch.setattr(pages.timezone, "now", lambda: now)

    set_to(NOON)
    return set_to


@pytest.fixture
def ada(people, client):
    client.force_login(people[0])
    return people[0]


def puzzle_of(run):
    return puzzles(run.title)[run.numbers[run.at] - 1]


def wrong(run):
    """Return a legal move that doesn't solve the current puzzle."""
    puzzle = puzzle_of(run)
    title = pages.title_or_404(run.title)
    state = title.read_position(puzzle.position, 2, {"size": puzzle.position["size"]})
    moves = map(str, title.moves(state, puzzle.seat))
    return next(text for text in moves if text not in puzzle.lines)


def test_a_run_of_three_lives_ends_with_the_third_failure(client, ada):
    assert "Start a run" in client.get("/games/die/puzzles/").content.decode()
    path = client.post(RUNS, {"kind": "lives"})["Location"]
    run = PuzzleRun.objects.get()
    assert path == run.get_absolute_url()
    for text in puzzle_of(run).line:
        path = client.post(path, {"typed": text})["Location"]
    run.refresh_from_db()
    assert (run.solved, run.failed, run.at) == (1, 0, 1)
    page = client.get(path)
    assert "right." in page.content.decode()
    for failed in (1, 2, 3):
        path = client.post(path, {"typed": wrong(run)})["Location"]
        run.refresh_from_db()
        assert run.failed == failed
    assert run.ended == NOON
    page = client.get(path).content.decode()
    assert "1 puzzle solved" in page
    assert "wrong." in page
    assert client.post(path, {"typed": "a1"}).status_code == 200
    assert puzzle_runs.best(ada, "die") == {"lives": 1}


def test_after_five_minutes_nothing_counts(client, ada, clock):
    path = client.post(RUNS, {"kind": "time"})["Location"]
    run = PuzzleRun.objects.get()
    clock(NOON + timedelta(minutes=4, seconds=59))
    assert "time left" in client.get(path).content.decode()
    clock(NOON + timedelta(minutes=5))
    answer = client.post(path, {"typed": wrong(run)})
    assert "0 puzzles solved" in answer.content.decode()
    run.refresh_from_db()
    assert (run.at, run.failed) == (0, 0)
    assert puzzle_runs.current(ada, "die", NOON + timedelta(minutes=5)) is None


def test_a_try_in_a_run_is_a_first_try_that_is_not_rated(client, ada):
    path = client.post(RUNS, {"kind": "lives"})["Location"]
    run = PuzzleRun.objects.get()
    client.post(path, {"typed": wrong(run)})
    assert PuzzleTry.objects.get().puzzle == as_lessons("die")[run.numbers[0] - 1].key
    number = run.numbers[0]
    for text in puzzles("die")[number - 1].line:
        path = f"/games/die/puzzles/{number}/" if "runs" in path else path
        path = client.post(path, {"typed": text})["Location"]
    assert not SolverRating.objects.exists()


def test_puzzles_come_from_easy_to_hard(ada):
    run = puzzle_runs.begin(user=ada, slug="die", kind=LIVES, now=NOON)
    assert sorted(run.numbers) == [one.number for one in as_lessons("die")]
    moves = [puzzles("die")[number - 1].moves for number in run.numbers]
    third = len(moves) // 3
    assert sum(moves[:third]) < sum(moves[-third:])


def test_what_is_refused_changes_nothing(client, ada, people):
    path = client.post(RUNS, {"kind": "lives"})["Location"]
    run = PuzzleRun.objects.get()
    assert client.post(path, {"typed": "zz"}).status_code == 422
    assert client.post(RUNS, {"kind": "x"})["Location"] == RUNS
    others = Client()
    assert "Sign in to start a run" in others.get(RUNS).content.decode()
    assert others.get(path).status_code == 302
    assert others.post(RUNS, {"kind": "lives"}).status_code == 302
    others.force_login(people[1])
    assert others.get(path).status_code == 404
    assert client.get(f"{RUNS}{run.pk}/7/")["Location"] == path
    now = PuzzleRun.objects.get()
    assert (now.pk, now.at, now.turn) == (run.pk, 0, 0)
    assert client.get("/games/nothing/puzzles/runs/").status_code == 404


def test_a_new_run_ends_the_one_before(client, ada):
    client.post(RUNS, {"kind": "time"})
    assert "A run is going on." in client.get(RUNS).content.decode()
    client.post(RUNS, {"kind": "lives"})
    assert PuzzleRun.objects.filter(ended=None).count() == 1


def test_runs_are_personal_data(ada, people):
    puzzle_runs.begin(user=ada, slug="die", kind=LIVES, now=NOON)
    assert [one["kind"] for one in StudyData().export(ada)["puzzle_runs"]] == ["lives"]
    StudyData().hand_over(ada, people[1], NOON)
    assert not PuzzleRun.objects.filter(user=people[1]).exists()
    StudyData().delete(ada, NOON)
    assert not PuzzleRun.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_two_moves_at_once_one_counts(people):
    run = puzzle_runs.begin(user=people[0], slug="die", kind=LIVES, now=NOON)
    answers = []

    def send():
        try:
            puzzle_runs.play(
                run=PuzzleRun.objects.get(), session={}, at=0, more=[wrong(run)], now=NOON
            )
            answers.append("counted")
        except GameError:
            answers.append("refused")

    run_concurrently(send, send, send)
    assert answers.count("counted") == 1
    assert PuzzleRun.objects.get().failed == 1
    begin = partial(puzzle_runs.begin, user=people[0], slug="die", kind=TIME, now=NOON)
    run_concurrently(begin, begin)
    assert PuzzleRun.objects.filter(ended=None).count() == 1


# --- By the API -----------------------------------------------------------------------------------


def post(client, path, body):
    return client.post(path, body, content_type="application/json")


def test_programs_read_and_try_puzzles(client, ada):
    listed = client.get(API).json()
    assert len(listed) == len(puzzles("die"))
    number = next(n for n, one in enumerate(puzzles("die"), 1) if one.moves == 2)
    assert listed[number - 1]["number"] == number
    path = f"{API}{number}/"
    puzzle = puzzles("die")[number - 1]
    shown = client.get(path).json()
    assert (shown["position"], shown["seat"]) == (puzzle.position, puzzle.seat)
    assert client.get(f"{path}solution/").status_code == 409
    answer = post(client, path, {"moves": [puzzle.first]}).json()
    assert answer["verdict"] == Verdict.OPEN.value
    assert not PuzzleTry.objects.exists()
    answer = post(client, path, {"moves": puzzle.line}).json()
    assert answer["verdict"] == Verdict.RIGHT.value
    assert PuzzleTry.objects.get().is_solved
    assert SolverRating.objects.get().tries == 1
    assert client.get(path).json()["solved"]
    solved = client.get(f"{path}solution/").json()
    assert solved["moves"] == answer["moves"]
    assert client.get(f"{API}999/").status_code == 404
    assert client.get("/api/v1/puzzles/today/").json()["number"] >= 1


def test_a_wrong_try_of_a_program_counts_at_once(client, ada):
    run = PuzzleRun(title="die", numbers=[1])
    answer = post(client, f"{API}1/", {"moves": [wrong(run), "zz"]})
    assert answer.json()["verdict"] == Verdict.WRONG.value
    assert not PuzzleTry.objects.get().is_solved
    assert post(client, f"{API}1/", {"moves": ["a1"] * 6}).status_code == 400
    assert post(client, f"{API}1/", {"moves": ["zz"]}).status_code == 422


def test_programs_play_runs(client, ada):
    begun = post(client, f"{API}runs/", {"kind": "lives"})
    assert begun.status_code == 201
    run = PuzzleRun.objects.get()
    path = f"{API}runs/{run.pk}/"
    assert client.get(path).json() == begun.json()
    assert client.get(f"{API}runs/").json() == {"current": begun.json(), "best": {"lives": 0}}
    answer = post(client, path, {"at": 0, "moves": puzzle_of(run).line}).json()
    assert (answer["verdict"], answer["run"]["solved"], answer["run"]["at"]) == ("right", 1, 1)
    assert post(client, path, {"at": 0, "moves": ["a1"]}).status_code in (409, 422)
