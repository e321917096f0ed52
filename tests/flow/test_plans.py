"""Plans of several turns, and passes that an order says at once."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import Notification, User
from games.kernel.errors import IllegalMove
from games.matches import selectors, services
from games.matches.errors import Refused
from games.matches.log.verify import verify
from games.matches.models import ConditionalMoves, StandingOrder
from games.matches.plans import conditional, lines, orders, planning
from games.matches.tasks import run_queues
from tests import pseudo
from tests.match_driver import begin

LONELY = {"size": 6, "male_span": 6, "female_span": 6, "reserve": 1}


@pytest.fixture
def stones(people):
    """A match of DIE in which Red waits for Blue's second stone."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    return play


def plan(play, seat, *texts):
    conditional.plan_ahead(match_id=play.id, user=play.people[seat], texts=texts)


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def test_a_plan_goes_on_for_several_turns(stones):
    plan(stones, 0, "e5", "g5")
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-2:] == ["h4", "e5"]
    stones.play("i2")
    run_queues(stones.id)
    assert texts(stones)[-2:] == ["i2", "g5"]
    assert not ConditionalMoves.objects.exists()
    assert verify(stones.id) == []


def test_a_plan_stops_where_a_cell_is_taken_and_says_so(stones):
    plan(stones, 0, "e5", "g5")
    stones.play("e5")
    run_queues(stones.id)
    assert ConditionalMoves.objects.get().halted == "e5 is taken."
    assert Notification.objects.filter(kind="queue-stopped").get().recipient == stones.people[0]
    assert texts(stones)[-1] == "e5", "nothing was played"


def test_a_move_by_hand_in_between_ends_a_plan(stones):
    plan(stones, 0, "e5", "g5")
    stones.play("h4")
    stones.play("e3", "i2")
    run_queues(stones.id)
    assert ConditionalMoves.objects.get().halted == lines.TURN_ENDED


def test_old_reasons_become_codes_and_are_worded_for_their_reader(stones):
    plan(stones, 0, "e5")
    rows = ConditionalMoves.objects
    codes = import_module("games.matches.migrations.0030_reasons_of_stopped_plans")
    for sentence, code in (("Your turn had ended.", lines.TURN_ENDED), ("e5 is taken.",) * 2):
        rows.update(halted=sentence)
        codes.to_codes(apps, None)
        assert (rows.get().halted, rows.get().why_stopped) == (code, sentence)
        codes.to_sentences(apps, None)
        assert rows.get().halted == sentence


def test_a_refusal_that_stops_a_plan_is_in_the_language_of_its_player(stones, pseudo_languages):
    User.objects.filter(pk=stones.people[0].pk).update(language=pseudo.CODE)
    plan(stones, 0, "e5")
    stones.play("e5")
    run_queues(stones.id)
    assert ConditionalMoves.objects.get().halted.startswith("⟦")


def test_only_what_is_legal_as_foreseen_can_be_planned(stones):
    with pytest.raises(IllegalMove, match="c3 is taken"):
        plan(stones, 0, "c3")
    with pytest.raises(IllegalMove, match="e5 is taken"):
        plan(stones, 0, "e5", "e5")
    with pytest.raises(Refused, match="your turn already"):
        plan(stones, 1, "h4")
    assert not ConditionalMoves.objects.exists()


def test_what_is_drawn_can_be_planned_last_only(people):
    play = begin("grim-reaper", people, random_life=True)
    play.play("M2a1", "M2f6", "pass", "pass", "M2f5", "F2a3", "pass")
    assert play.turn == 1
    at, _ = planning.next_turn(play.snapshot.table, 0)
    assert at.actors == (0,)
    assert (at.state.turn_number, at.state.step) == (3, 0), "a turn is over, and all are older"
    play.play("pass")
    play.play("M2b6")
    assert (play.snapshot.state.turn_number, play.snapshot.state.step, play.turn) == (3, 1, 1)


def test_a_spectator_of_a_forced_pass_sees_it_said_at_once(people):
    play = begin("grim-reaper", people, **LONELY)
    orders.give(match_id=play.id, user=people[1], name="pass", now=timezone.now())
    orders.give(match_id=play.id, user=people[0], name="pass", now=timezone.now())
    play.play("M2a1", "M2f6")
    for _ in range(2):
        run_queues(play.id)
    assert texts(play)[2:] == ["pass", "pass"]
    assert play.turn == 1, "the second turn is Blue's to begin"
    run_queues(play.id)
    assert len(texts(play)) == 4, "who can do something is asked"
    assert verify(play.id) == []
    said = selectors.log(play.match)
    assert said[3].at - said[1].at < timedelta(seconds=30)


def test_an_order_to_pass_is_off_until_it_is_given(people):
    play = begin("grim-reaper", people, **LONELY)
    play.play("M2a1", "M2f6")
    run_queues(play.id)
    assert len(texts(play)) == 2
    assert not StandingOrder.objects.exists()


def test_who_has_resigned_foresees_nothing(stones):
    assert planning.can_plan(stones.snapshot.table, 0)
    assert not planning.can_plan(stones.snapshot.table, 1), "it is Blue's turn"
    stones.act(services.resign, 0)
    assert not planning.can_plan(stones.snapshot.table, 0)
