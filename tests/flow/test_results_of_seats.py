"""Columns that seats repeat from their matches, for the lists."""

import pytest

from games.matches import listing, services
from games.matches.log.verify import verify
from games.matches.models import Player
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]


@pytest.fixture
def matches(people):
    """Matches of DIE: one each that runs, was won, tied, cancelled, and annulled after its end."""
    found = [begin("die", people, size=3) for _ in range(5)]
    _, won, tied, cancelled, annulled = found
    for match in (won, annulled):
        match.act(services.resign, 0)
    tied.play("c3", "a1")
    tied.act(services.offer_close, 0)
    tied.act(services.accept_offer, 1)
    cancelled.act(services.cancel, 0)
    services.annul(match_id=annulled.id, moderator=people[2], reason="Test.", now=NOW)
    return found


def test_a_seat_says_what_its_match_does(matches, people):
    results = [Player.objects.filter(match=match.id).order_by("seat") for match in matches]
    assert [[seat.result for seat in found] for found in results] == [
        ["", ""],
        ["lost", "won"],
        ["tied", "tied"],
        ["", ""],
        ["", ""],
    ]
    for match, found in zip(matches, results, strict=True):
        assert {(seat.title, seat.ended) for seat in found} == {("die", match.match.ended)}
        assert verify(match.id) == []
    assert listing.results_by_title(people[0]) == [("die", False, 0, 1, 1)]
    assert {match.pk for match in listing.running(people[0])} == {matches[0].id}
    assert {match.pk for match in listing.ended(people[0])} == {m.id for m in matches[1:]}


@pytest.mark.parametrize("field", ["title", "result", "ended"])
def test_a_seat_that_says_otherwise_is_found(matches, field):
    Player.objects.filter(match=matches[1].id, seat=0).update(
        **{field: None if field == "ended" else "x"}
    )
    assert [found.kind for found in verify(matches[1].id)] == ["result"]
