"""The URL of traces, which record how an outcome was observed: public, and cached permanently."""

import pytest
from django.db.models import QuerySet

from games.kernel.trace import pack
from games.matches.models import LogEntry
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

TRACE = pack([[(0.0, 14.7, 0.0)], [(0.1, 12.7, 0.0)]], 30)


@pytest.fixture
def watched(match_driver):
    """A match in which something was observed in the first move and nothing in the second."""
    match_driver.play("c3", "b2")
    QuerySet(LogEntry).filter(match_id=match_driver.id, number=1).update(trace=TRACE)
    return match_driver


@pytest.mark.parametrize("seat", [0, 1, 2, None])
def test_everybody_may_see_how_it_came_about_and_keep_it(watched, seat):
    answer = watched.client(seat).get(f"{watched.page}1/trace.json")
    assert answer.status_code == 200
    assert answer.json() == TRACE
    assert "public" in answer["Cache-Control"]
    assert "immutable" in answer["Cache-Control"]


@pytest.mark.parametrize("number", [0, 2, 3])
def test_there_is_none_where_nothing_was_watched(watched, number):
    assert watched.client(0).get(f"{watched.page}{number}/trace.json").status_code == 404


def test_nobody_writes_there(watched):
    assert watched.client(0).post(f"{watched.page}1/trace.json").status_code == 405
