"""Spans, clocks, parameters and results in words."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone, translation

from accounts.models import User
from games.kernel import registry
from games.matches import formatting
from games.matches.clock import DAY, PRESETS, Clock
from games.matches.models import Match
from tests.example_games import heap

HOUR, MINUTE, SECOND = DAY / 24, DAY / 1440, DAY / 86400


@pytest.mark.parametrize(
    ("span", "said"),
    [
        (2 * DAY + 11 * HOUR + 59 * MINUTE, "2 d 11 h"),
        (DAY, "1 d 00 h"),
        (DAY - SECOND, "23 h 59 min"),
        (5 * HOUR + 7 * MINUTE, "5 h 07 min"),
        (HOUR - SECOND, "59 min"),
        (48 * SECOND, "48 s"),
        (timedelta(), "0 s"),
        (-DAY, "0 s"),
    ],
)
def test_time_left(span, said):
    assert formatting.left(span) == said


@pytest.mark.parametrize(
    ("clock", "whole", "short"),
    [
        (None, "no clock", "no clock"),
        (Clock.per_move(1), "1 day per turn", "1 day per turn"),
        (PRESETS["brisk"], "1 day, plus 12 hours per turn, at most 3 days", "brisk"),
        (
            Clock(2 * DAY, 6 * HOUR, 4 * DAY),
            "2 days, plus 6 hours per turn, at most 4 days",
            "2 d + 6 h",
        ),
        (
            Clock(DAY, 12 * HOUR, 3 * DAY, "Asia/Tokyo"),
            "1 day, plus 12 hours per turn, at most 3 days; weekends do not count (Tokyo)",
            "brisk, weekends off",
        ),
        (
            Clock(DAY + 30 * SECOND, 10 * MINUTE, 50 * HOUR),
            "1 day and 30 seconds, plus 10 minutes per turn, at most 50 hours",
            "1 d 00 h + 10 min",
        ),
        (
            Clock(3 * DAY, 0.5 * HOUR, 5 * DAY + HOUR + MINUTE),
            "3 days, plus 30 minutes per turn, at most 5 days, 1 hour and 1 minute",
            "3 d + 30 min",
        ),
        (Clock(5 * DAY, timedelta(), 9 * DAY), "5 days for the whole match", "5 d in all"),
        (
            Clock(DAY, DAY, DAY, "UTC"),
            "1 day per turn; weekends do not count (UTC)",
            "1 day per turn, weekends off",
        ),
    ],
)
def test_clocks(clock, whole, short):
    assert formatting.clock(clock) == whole
    assert formatting.clock_short(clock) == short


NOW = datetime(2026, 5, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("past", "said"),
    [
        (timedelta(), "just now"),
        (MINUTE, "1\N{NO-BREAK SPACE}minute ago"),
        (3 * HOUR, "3\N{NO-BREAK SPACE}hours ago"),
        (6 * DAY, "6\N{NO-BREAK SPACE}days ago"),
        (7 * DAY, "13 May 2026"),
        (-2 * DAY, "in 2\N{NO-BREAK SPACE}days"),
        (-30 * DAY, "19 Jun 2026"),
    ],
)
def test_how_long_ago(past, said):
    assert formatting.ago(NOW - past, NOW) == said


def test_moments_are_exact_in_the_readers_zone():
    with timezone.override(ZoneInfo("Asia/Tokyo")):
        assert formatting.exact(NOW) == "Wed, 20 May 2026, 21:00 JST"
        assert formatting.ago(datetime(2026, 5, 1, 20, tzinfo=UTC), NOW) == "2 May 2026"


def test_parameters():
    params = {"heap": 12, "free": True}
    assert formatting.parameters(heap.META, params) == [("Heap", "12"), ("Free", "yes")]
    assert formatting.parameters_short(heap.META, params) == "Heap: 12, Free: yes"
    assert formatting.parameters_short(heap.META, {"heap": 3, "free": False}) == "Heap: 3"


def table(status, ranks, ending=""):
    people = zip(("ada", "bruno", "clara"), ranks, strict=False)
    players = [SimpleNamespace(user=User(username=n), rank=r) for n, r in people]
    return SimpleNamespace(match=Match(status=status, ending=ending), players=players)


@pytest.mark.parametrize(
    ("status", "ranks", "ending", "outcome", "how"),
    [
        ("running", (None, None), "", "", ""),
        ("over", (2, 1), "resigned", "bruno won", "By resignation"),
        ("over", (1, 1), "closed", "draw", "By agreement"),
        ("over", (1, 2, 1), "last", "ada and clara drew", ""),
        ("over", (1, 1, 1), "closed", "draw", "By agreement"),
        ("cancelled", (None, None), "cancelled", "cancelled", ""),
        ("annulled", (None, None), "annulled", "annulled", ""),
    ],
)
def test_results(status, ranks, ending, outcome, how):
    at = table(status, ranks, ending)
    assert formatting.outcome(at) == outcome
    assert formatting.ending(at) == how


@pytest.mark.parametrize(
    ("status", "ranks", "ending", "results"),
    [
        (
            "over",
            (2, 1),
            "resigned",
            ("You lost by resignation", "You won by resignation", "bruno won by resignation"),
        ),
        ("over", (1, 2), "timeout", ("You won on time", "You lost on time", "ada won on time")),
        ("over", (1, 1), "closed", ("Draw by agreement",) * 3),
        ("over", (1, 2, 3), "resigned", ("You won by resignation", "", "ada won by resignation")),
        ("over", (1, 1, 3), "timeout", ("", "", "")),
        ("over", (1, 2), "removed", ("", "", "")),
        ("annulled", (1, 2), "resigned", ("", "", "")),
    ],
)
def test_results_with_their_ending(status, ranks, ending, results):
    at = table(status, ranks, ending)
    readers = (*at.players[:2], None)
    assert tuple(formatting.result_by_ending(at, reader) for reader in readers) == results


@pytest.mark.parametrize(("language", "third"), [("en-gb", "3rd"), ("fr", "3e"), ("de", "3.")])
def test_an_ordinal_is_plain_text(language, third):
    with translation.override(language):
        assert formatting.nth(3) == third


def test_names():
    assert formatting.names(["a"]) == "a"
    assert formatting.names(["a", "b", "c"]) == "a, b and c"


def test_one_round_is_no_plural():
    for title in registry.titles().values():
        if "rounds" in title.meta.params["properties"]:
            for count, word in ((1, "round"), (2, "rounds")):
                shown = formatting.parameters_short(title.meta, {"rounds": count})
                assert shown.split()[:2] == [str(count), word]


def test_a_draw_has_one_name_everywhere():
    """Throws of dice may tie; matches end in a draw."""
    sources = [*Path("templates").rglob("*.html"), *Path("games").rglob("story.py")]
    for file in sources:
        assert not re.search(r"[Tt]ied<|share the (win|victory)| tie\.", file.read_text()), file
