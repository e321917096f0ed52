"""The door to what was watched: how an outcome came about, for everybody and for good."""

import pytest
from django.db.models import QuerySet

from games.kernel.trace import pack
from games.match.models import Move
from tests.duel import duel, fresh_cache

__all__ = ["duel", "fresh_cache"]

TRACE = pack([[(0.0, 14.7, 0.0)], [(0.1, 12.7, 0.0)]], 30)


@pytest.fixture
def watched(duel):
    """A match in which something was observed in the first move and nothing in the second."""
    duel.play("c3", "b2")
    QuerySet(Move).filter(match_id=duel.id, number=1).update(trace=TRACE)
    return duel


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
