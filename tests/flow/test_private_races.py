"""Races of queues and standing orders on PostgreSQL: two workers, and a player's own hand."""

from datetime import timedelta

import pytest

from accounts.models import Notification
from games.matches import selectors
from games.matches.errors import StaleMove
from games.matches.log.verify import verify
from games.matches.models import Queue, StandingOrder
from games.matches.plans import orders, queue
from games.matches.tasks import run_queues
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW
from tests.flow.test_races import errors, people, race

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

    race(look, look, hold=(orders, "_moment"))
    assert drawn[0] == drawn[1] == StandingOrder.objects.get().due


def test_two_workers_run_a_queue_once(start_attack_match, race):
    play = start_attack_match()
    queue.put(match_id=play.id, user=play.people[0], texts=["end"])
    play.move(0, *DUTIES)
    race(*[lambda: queue.run(play.id, now=LATER)] * 3)
    assert texts(play) == [*DUTIES, "end"]
    assert not Queue.objects.exists()
    assert verify(play.id) == []


def test_a_queue_against_its_owners_hand(start_attack_match, race):
    play = start_attack_match()
    queue.put(match_id=play.id, user=play.people[0], texts=[ATTACKS[0], "end"])
    play.move(0, *DUTIES)
    results = race(
        lambda: queue.run(play.id, now=LATER),
        lambda: play.move(0, ATTACKS[1], version=2, now=LATER),
    )
    assert len(texts(play)) == 3
    assert errors(results) == ([StaleMove] if texts(play)[-1] == ATTACKS[0] else [])
    assert not Queue.objects.get().halted, "whichever came first, the rest waits for the answer"


def test_two_workers_tell_of_a_stop_once(start_attack_match, race):
    play = start_attack_match()
    queue.put(match_id=play.id, user=play.people[0], texts=["attack rS1 oM1 AS"])
    play.move(0, *DUTIES)
    race(*[lambda: queue.run(play.id, now=LATER)] * 3, hold=(queue, "_halt"))
    assert Notification.objects.filter(kind="queue-stopped").count() == 1
    assert Queue.objects.get().halted
