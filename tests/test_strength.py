"""The sequential test of bots: when it ends, and how it goes on after a break."""

import time

import pytest

from bench import strength
from bench.strength import LOWEST, RANDOM, Match, Pair, Run, finished, verdict
from games.bots.levels import LEVELS

PAIR = Pair((LOWEST, RANDOM), 0.6)


@pytest.mark.parametrize(
    ("won", "lost", "goal", "expected"),
    [
        (0, 0, 0.6, "open"),
        (3, 0, 0.65, "open"),
        (12, 0, 0.65, "reached"),
        (13, 7, 0.65, "open"),
        (4, 8, 0.65, "missed"),
        (30, 0, 0.95, "open"),
        (80, 0, 0.95, "reached"),
        (12, 4, 0.95, "missed"),
        (131, 69, 0.65, "reached"),
        (125, 75, 0.65, "missed"),
    ],
)
def test_a_pair_ends_when_one_hypothesis_is_much_likelier(won, lost, goal, expected):
    assert verdict([1.0] * won + [0.0] * lost, goal) == expected


@pytest.fixture
def played(monkeypatch, tmp_path):
    found = []
    monkeypatch.setattr(strength, "RESULTS", tmp_path / "strength.json")
    monkeypatch.setattr(Match, "play", lambda match: found.append(match) or 1.0)
    return found


def points(until):
    run = Run("die", PAIR)
    assert list(finished([run], until)) == [run]
    return run.found.points


def test_what_was_broken_off_goes_on_and_new_code_starts_again(played, monkeypatch):
    soon = time.monotonic() + 60
    monkeypatch.setattr(strength, "MOST", 3)
    assert points(soon) == [1.0] * 3
    monkeypatch.setattr(strength, "MOST", 200)
    assert len(points(soon)) == len(played) > 3
    before = len(played)
    monkeypatch.setattr(strength, "digest", lambda _: "other")
    assert len(points(soon)) == len(played) - before


def test_no_match_is_begun_after_the_time_is_over(played):
    assert points(time.monotonic()) == []
    assert not played


def test_what_has_taken_least_time_plays_next(played, monkeypatch):
    monkeypatch.setattr(strength, "MOST", 3)
    slow, quick = Run("die", PAIR), Run("grim-reaper", PAIR)
    monkeypatch.setattr(Match, "add_times", lambda match, to: setattr(to, "seconds", (9.0, 0.0)))
    slow.play()
    assert list(finished([slow, quick], time.monotonic() + 60)) == [slow, quick]
    order = [match._title.meta.slug for match in played]
    assert order == ["die", "grim-reaper", "die", "die", "grim-reaper", "grim-reaper"]


def test_a_name_stands_for_a_game_or_for_one_pair():
    assert [run.levels for run in strength.runs_of("die/expert-random")] == ["expert-random"]
    assert strength.runs_of("die")[0].levels == "beginner-random"
    assert len(strength.runs_of("die")) == len(LEVELS) + 1
