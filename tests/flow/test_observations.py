"""What is observed: recorded with the move, its trace kept apart, never observed for a replay."""

import io

import pytest
from django.core.management import call_command

from games.kernel.trace import pack
from games.matches import selectors
from games.matches.log.verify import verify
from games.matches.models import LogEntry, Match
from games.records import record
from tests.example_games.heap import Heap
from tests.fixtures import NOW

SEEN = {"pieces": [["Q", 0.1, 12.7, -0.0]], "fallen": False}
TRACE = pack([[(0.0, 14.7, 0.0)], [(0.1, 12.7, 0.0)]], 30)


@pytest.fixture
def watched(play, monkeypatch):
    """A match in which a roll of the heap is followed by an observation; how often it was made."""
    looks, play_by_the_rules = [], Heap.play

    def watch():
        looks.append(1)
        return {**SEEN, "look": len(looks)}, TRACE

    def observing(self, state, seat, move, dice):
        after = play_by_the_rules(self, state, seat, move, dice)
        if move == "roll":
            dice.observe(watch)
        return after

    monkeypatch.setattr(Heap, "play", observing)
    play.move(0, "roll")
    play.move(1, "1")
    return play, looks


def test_the_outcome_is_recorded_and_the_trace_kept_beside_the_move(watched):
    play, looks = watched
    first = selectors.log(play.match)[0]
    assert first.chance[1:] == [{**SEEN, "look": 1}]
    assert first.sides == [6, None]
    assert len(looks) == 1
    traces = LogEntry.objects.order_by("number").values_list("trace", flat=True)
    assert list(traces) == [TRACE, None]
    assert play.match.rolls == 1


def test_a_trace_is_read_only_where_it_is_asked_for(watched, django_assert_num_queries):
    play, _ = watched
    match = play.match
    with django_assert_num_queries(1) as asked:
        entries = selectors.log(match)
    assert "trace" not in asked[0]["sql"]
    assert "trace" in entries[0].get_deferred_fields()
    assert entries[0].trace == TRACE


def test_replays_and_records_do_not_observe_again(watched):
    play, looks = watched
    assert verify(play.id) == []
    Match.objects.filter(pk=play.id).update(
        status=Match.Status.ANNULLED, ending="annulled", ended=NOW
    )
    written = record.export(play.snapshot, selectors.log(play.match))
    assert written["log"][0]["chance"][1:] == [{**SEEN, "look": 1}]
    assert written["log"][0]["sides"] == [6, None]
    assert len(looks) == 1


def test_a_repeated_submission_is_answered_without_observing_again(watched):
    play, looks = watched
    entry = selectors.log(play.match)[0]
    again = play.move(0, "roll", version=0, submission=entry.submission)
    assert again.repeated
    assert again.version == 1
    assert len(looks) == 1


def test_observing_again_reports_what_differs_and_fails_nothing(watched):
    play, looks = watched
    (found,) = verify(play.id, observe=True)
    assert found.kind == "observation"
    assert len(looks) == 2
    out = io.StringIO()
    call_command("verify_matches", jobs=1, observe=True, stdout=out, stderr=io.StringIO())
    assert "observation: 1" in out.getvalue()
    assert "1 matches replayed, 0 differences." in out.getvalue()
