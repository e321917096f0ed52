"""Matches of hundreds of entries: pages and moves read as little of them as of short ones."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from bench import long_match
from bench import people as bench_people
from games.matches import selectors
from games.matches.log import log_entries
from games.matches.log.verify import verify
from games.matches.models import LogEntry
from tests.match_driver import MatchDriver, fresh_cache

__all__ = ["fresh_cache"]

SHORT, LONG = 150, 600


@pytest.fixture
def match(people, monkeypatch):
    """A match of DIE in which most moves were taken back."""
    monkeypatch.setattr(long_match, "STANDING", 10)
    match = MatchDriver(bench_people.start(people[:2], params={"size": 5}, clock=None).pk, people)
    long_match.lengthen(match.id, SHORT)
    return match


def test_a_long_match_follows_the_rules_and_is_continued(match):
    before = selectors.log(match.match)
    long_match.lengthen(match.id, SHORT + 50)
    after = selectors.log(match.match)
    assert len(before) < SHORT + 50 <= len(after)
    assert after[: len(before)] == before
    assert verify(match.id) == []


def read_by(client, address, monkeypatch):
    """How many queries a page makes, and how many entries of the log it reads."""
    entries, from_db = [], LogEntry.from_db.__func__

    def noted(*args, **kwargs):
        entries.append(from_db(LogEntry, *args[1:], **kwargs))
        return entries[-1]

    client.get(address)
    with monkeypatch.context() as patch, CaptureQueriesContext(connection) as asked:
        patch.setattr(LogEntry, "from_db", classmethod(noted))
        assert client.get(address).status_code == 200
    return len(asked), len(entries)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("page", "most"), [("", 60), ("{n}/?part=record", 60), ("{n}/?part=log", 160), ("{n}/", 220)]
)
def test_pages_read_a_bounded_part_of_the_log(match, page, most, monkeypatch):
    client = match.client(0)
    short = read_by(client, match.page + page.format(n=SHORT - 10), monkeypatch)
    long_match.lengthen(match.id, LONG)
    long = read_by(client, match.page + page.format(n=LONG - 60), monkeypatch)
    assert long[0] <= short[0] + 2
    assert 0 < long[1] <= most


def test_what_led_to_a_position_is_that_of_the_whole_log(match):
    log = selectors.log(match.match)
    for number in range(0, len(log) + 1, 7):
        found = log_entries.leading_to(match.match, number)
        assert [entry.number for entry in found[-1:]] == [number][: number > 0]
        wanted = log_entries.last_event_entry(log[:number])
        assert log_entries.last_event_entry(found) == wanted
    assert log_entries.newest_standing(match.match) == log_entries.newest_move(log)
    undone = log_entries.numbers_undone(match.match, log[10:40])
    assert undone == {e.undoes for e in log if e.undoes} & set(range(11, 41))
