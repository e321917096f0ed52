"""The positions of a match: each is what a replay of the whole log leads to, in few steps."""

import pytest

from games.matches import selectors, services
from games.matches.log import log_entries, positions
from games.matches.log.verify import verify
from games.matches.models import Checkpoint, Match
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow

EVERY = 5


@pytest.fixture
def match(people, monkeypatch):
    """A match of DIE in which moves were taken back, two of them next to each other."""
    monkeypatch.setattr(Checkpoint, "EVERY", EVERY)
    match = begin("die", people, size=4)
    for _ in range(4):
        match.play_on(3)
        match.act(services.take_back, 1 - match.turn)
        match.play_on(2)
    return match


def states(match):
    return [moment.state for moment in match.snapshot.table.replayed(selectors.log(match.match))]


def stored(match):
    return list(match.match.checkpoints.order_by("number").values_list("number", flat=True))


def test_every_position_is_that_of_a_whole_replay(match):
    at = match.snapshot.table
    for number, state in enumerate(states(match)):
        assert positions.state_after(at, number) == state
    assert verify(match.id) == []


def test_a_take_back_reaches_behind_any_checkpoint(match):
    wanted = states(match)
    for at in range(1, 24):
        Checkpoint.objects.all().delete()
        position = match.snapshot.title.dump(wanted[at])
        Checkpoint.objects.create(match=match.match, number=at, position=position)
        table = match.snapshot.table
        found = [positions.state_after(table, number) for number in range(len(wanted))]
        assert found == wanted, at


def test_moves_store_positions_and_replays_what_is_lacking(match):
    assert stored(match) == [5, 10, 15, 20]
    Checkpoint.objects.all().delete()
    positions.state_after(match.snapshot.table, 17)
    assert stored(match) == [5, 10, 15]


def test_a_position_takes_few_entries(match, django_assert_num_queries):
    at = match.snapshot.table
    with django_assert_num_queries(2) as asked:
        positions.state_after(at, 22)
    assert '"number" > 20' in asked[1]["sql"]


def test_a_checkpoint_that_does_not_follow_from_the_log_is_found(match):
    Checkpoint.objects.filter(number=10).update(position=match.match.position)
    assert [found.kind for found in verify(match.id)] == ["position"]


def test_the_end_of_a_log_suffices_for_what_is_asked_of_it(match, monkeypatch):
    """Even if it is full of moves that were taken back."""
    monkeypatch.setattr(log_entries, "MIN_RECENT", 2)
    for _ in range(8):
        seat = match.turn
        match.play_on(1)
        match.act(services.take_back, seat)
    at, whole = match.snapshot.table, selectors.log(match.match)
    recent = log_entries.recent(match.match)
    assert len(recent) < len(whole)
    assert log_entries.newest_move(recent) == log_entries.newest_move(whole)
    assert log_entries.last_event_entry(recent) == log_entries.last_event_entry(whole)
    for seat in (0, 1):
        taken = [log_entries.can_take_back(at, log, seat) for log in (recent, whole)]
        assert taken[0] == taken[1]
    assert not log_entries.may_cancel(at, recent)


def test_a_parameter_that_a_game_got_later_has_its_default_in_older_matches(people):
    match = begin("die", people)
    match.play("c3")
    expected = match.snapshot.state
    Match.objects.filter(pk=match.id).update(params={})
    assert match.snapshot.state == expected
    assert positions.state_after(match.snapshot.table, 1) == expected
    match.play("a1")
