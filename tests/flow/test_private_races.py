"""Races of plans and standing orders on PostgreSQL: two workers, and a player's own hand."""

from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone

from accounts.models import Notification
from games.kernel.errors import GameError
from games.matches import selectors, services, store
from games.matches.errors import StaleMove
from games.matches.log.verify import verify
from games.matches.models import ConditionalMoves, StandingOrder
from games.matches.plans import conditional, lines, orders
from games.matches.tasks import run_queues
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW
from tests.flow.test_races import errors, people, race
from tests.match_driver import begin

__all__ = ["people", "race", "start_attack_match"]

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LATER = NOW + timedelta(minutes=11)


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    """Let nobody but the test go on with plans: a worker would, and by today's clock."""
    monkeypatch.setattr(run_queues, "apply_async", lambda **_: None)


@pytest.fixture
def attacked(start_attack_match):
    """Orange is attacked, and has given an order that is due."""
    play = start_attack_match()
    orders.give(match_id=play.id, user=play.people[1], name="lowest", now=NOW)
    play.move(0, *DUTIES)
    play.move(0, ATTACKS[0])
    orders.look(now=NOW)
    return play


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def answer(pk):
    return lambda: orders.answer(pk, now=LATER)


def test_an_order_against_its_owners_hand(attacked, race):
    pk = StandingOrder.objects.get().pk
    results = race(answer(pk), lambda: attacked.move(1, "defend KH", version=3, now=LATER))
    assert len(texts(attacked)) == 4
    by_order = texts(attacked)[-1] == "defend 7H"
    assert results[0] is by_order
    assert errors(results) == ([StaleMove] if by_order else [])
    assert verify(attacked.id) == []


def test_two_workers_answer_by_order_once(attacked, race):
    pk = StandingOrder.objects.get().pk
    race(answer(pk), answer(pk), answer(pk))
    assert texts(attacked)[3:] == ["defend 7H"]
    assert verify(attacked.id) == []


def test_two_sweeps_draw_one_moment(start_attack_match, race):
    play = start_attack_match()
    orders.give(match_id=play.id, user=play.people[1], name="lowest", now=NOW)
    play.move(0, *DUTIES)
    play.move(0, ATTACKS[0])
    drawn = []

    def look():
        orders.look(now=NOW)
        drawn.append(StandingOrder.objects.get().due)

    race(look, look, hold=((orders, "_moment"),))
    assert drawn[0] == drawn[1] == StandingOrder.objects.get().due


def test_two_workers_run_a_queue_once(start_attack_match, race):
    play = start_attack_match()
    conditional.queue_moves(match_id=play.id, user=play.people[0], texts=["end"])
    play.move(0, *DUTIES)
    race(*[lambda: conditional.run(play.id, now=LATER)] * 3)
    assert texts(play) == [*DUTIES, "end"]
    assert not ConditionalMoves.objects.exists()
    assert verify(play.id) == []


def test_a_queue_against_its_owners_hand(start_attack_match, race):
    play = start_attack_match()
    conditional.queue_moves(match_id=play.id, user=play.people[0], texts=[ATTACKS[0], "end"])
    play.move(0, *DUTIES)
    results = race(
        lambda: conditional.run(play.id, now=LATER),
        lambda: play.move(0, ATTACKS[1], version=2, now=LATER),
    )
    assert len(texts(play)) == 3
    assert errors(results) == ([StaleMove] if texts(play)[-1] == ATTACKS[0] else [])
    assert not ConditionalMoves.objects.get().halted, (
        "whichever came first, the rest waits for the answer"
    )


def test_two_workers_tell_of_a_stop_once(start_attack_match, race):
    play = start_attack_match()
    conditional.queue_moves(match_id=play.id, user=play.people[0], texts=["attack rS1 oM1 AS"])
    play.move(0, *DUTIES)
    race(*[lambda: conditional.run(play.id, now=LATER)] * 3, hold=((conditional, "_halt"),))
    assert Notification.objects.filter(kind="queue-stopped").count() == 1
    assert ConditionalMoves.objects.get().halted


@pytest.fixture
def planned(people):
    """Red has planned two replies in a match of DIE, and Blue has played the first move of them."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    line = ["h4", "e5", "i2", "g5"]
    conditional.add_line(match_id=play.id, user=people[0], texts=line, version=3)
    play.play("h4")
    return play


def run(play):
    return lambda: conditional.run(play.id, now=timezone.now())


def test_two_workers_reply_once(planned, race):
    race(*[run(planned)] * 3)
    assert texts(planned)[3:] == ["h4", "e5"]
    assert not ConditionalMoves.objects.get().halted
    planned.play("i2")
    race(*[run(planned)] * 3)
    assert texts(planned)[5:] == ["i2", "g5"]
    assert not ConditionalMoves.objects.exists()
    assert verify(planned.id) == []


def by_hand(play, text):
    def move():
        return services.play_move(
            match_id=play.id,
            user=play.people[0],
            texts=[text],
            version=4,
            submission=uuid4(),
            now=timezone.now(),
        )

    return move


@pytest.mark.parametrize("text", ["e5", "g3"])
def test_a_reply_against_its_owners_hand(planned, race, text):
    results = race(run(planned), by_hand(planned, text))
    assert len(texts(planned)) == 5
    is_planned = selectors.log(planned.match)[-1].is_planned
    assert errors(results) == ([StaleMove] if is_planned else [])
    conditional.run(planned.id, now=timezone.now())
    assert ConditionalMoves.objects.get().halted == ("" if is_planned else lines.BY_HAND)
    assert len(texts(planned)) == 5
    assert verify(planned.id) == []


def test_a_reply_against_a_take_back(planned, race):
    def take_back():
        return services.take_back(
            match_id=planned.id,
            user=planned.people[1],
            version=4,
            submission=uuid4(),
            now=timezone.now(),
        )

    race(run(planned), take_back)
    conditional.run(planned.id, now=timezone.now())
    log = selectors.log(planned.match)
    assert len(log) == 5
    is_played = log[-1].text == "e5"
    assert ConditionalMoves.objects.get().halted == ("" if is_played else lines.TAKEN_BACK)
    assert verify(planned.id) == []


def test_a_reply_against_its_cancellation(planned, race):
    def cancel():
        conditional.clear(match_id=planned.id, user=planned.people[0])

    race(run(planned), cancel, hold=((selectors, "snapshot"),))
    assert not ConditionalMoves.objects.exists()
    planned_moves = [entry for entry in selectors.log(planned.match) if entry.is_planned]
    assert len(planned_moves) <= 1
    assert verify(planned.id) == []


def test_a_reply_against_another_line(planned, race):
    """Whichever comes first, nothing is played twice, and the reply is known as planned."""

    def leave():
        try:
            conditional.add_line(
                match_id=planned.id, user=planned.people[0], texts=["e5", "d4", "g3"], version=4
            )
        except GameError as error:
            return error

    race(run(planned), leave, hold=((store, "write"), (conditional, "_lock_rest")))
    conditional.run(planned.id, now=timezone.now())
    assert texts(planned)[3:] == ["h4", "e5"]
    planned.play("i2")
    conditional.run(planned.id, now=timezone.now())
    assert texts(planned)[5:] == ["i2", "g5"]
    assert verify(planned.id) == []


def test_a_reply_against_the_end_of_its_owners_time(people, race):
    """The worker is late: the reply is not played, and the match ends once."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    line = ["h4", "e5"]
    conditional.add_line(match_id=play.id, user=people[0], texts=line, version=3)
    play.play("h4")
    late = timezone.now() + timedelta(days=400)
    race(
        lambda: conditional.run(play.id, now=late),
        lambda: services.time_out(match_id=play.id, now=late),
        hold=((selectors, "snapshot"), (store, "write")),
    )
    assert texts(play)[3] == "h4"
    assert not any(entry.is_planned for entry in selectors.log(play.match))
    assert not play.match.is_running
    assert conditional.waiting() == []
    assert not ConditionalMoves.objects.exists()
    assert verify(play.id) == []
