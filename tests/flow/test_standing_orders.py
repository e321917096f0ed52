"""Standing orders: they answer like their owner would, in time, once, and nobody can tell."""

from datetime import timedelta

import pytest

from games.matches import selectors, services
from games.matches.clock import Clock
from games.matches.errors import NotAPlayer, Refused
from games.matches.log.verify import verify
from games.matches.models import LogEntry, StandingOrder
from games.matches.plans import orders
from games.matches.tasks import answer_order, sweep_orders
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW

__all__ = ["start_attack_match"]

pytestmark = pytest.mark.slow

MINUTE = timedelta(minutes=1)
ATTACK = NOW + timedelta(hours=1)


def give(play, name="lowest", seat=1, now=NOW):
    orders.give(match_id=play.id, user=play.people[seat], name=name, now=now)


def order():
    return StandingOrder.objects.get()


def attack(play, which=0, now=ATTACK):
    if not play.match.version:
        play.move(0, *DUTIES, now=now)
    play.move(0, ATTACKS[which], now=now)


def answer(now):
    return orders.answer(order().pk, now=now)


@pytest.fixture
def attacked(start_attack_match):
    """A match in which Orange is attacked and has given the order to defend with the lowest."""
    play = start_attack_match()
    give(play)
    attack(play)
    orders.look(now=NOW)
    return play


def test_an_order_answers_after_one_to_ten_minutes(attacked):
    due = order().due
    assert ATTACK + MINUTE <= due <= ATTACK + 10 * MINUTE
    assert not answer(due - 2 * orders.CLOCK_SKEW)
    assert answer(due)
    last = selectors.log(attacked.match)[-1]
    assert (last.text, last.seat, last.at) == ("defend 7H", 1, due)
    assert not answer(due), "once is enough"
    assert verify(attacked.id) == []


def test_delays_differ(start_attack_match):
    play = start_attack_match()
    give(play)
    attack(play)
    found = set()
    for _ in range(20):
        StandingOrder.objects.update(seen=None, called=None, due=None)
        orders.look(now=NOW)
        found.add(order().due)
    assert len(found) > 10
    assert all(ATTACK + MINUTE <= due <= ATTACK + 10 * MINUTE for due in found)


def test_an_answer_by_order_is_written_like_one_by_hand(start_attack_match):
    by_order, by_hand = start_attack_match(), start_attack_match()
    give(by_order)
    for play in (by_order, by_hand):
        attack(play)
    orders.look(now=NOW)
    due = order().due
    assert answer(due)
    by_hand.move(1, "defend 7H", now=due)
    rows = [
        {
            f.name: f.value_from_object(play.snapshot and selectors.log(play.match)[-1])
            for f in LogEntry._meta.fields
        }
        for play in (by_order, by_hand)
    ]
    for row in rows:
        assert row.pop("submission").version == 4
        for apart in ("id", "match", "chance", "events"):
            row.pop(apart)
    assert rows[0] == rows[1]
    seats = [play.player(1) for play in (by_order, by_hand)]
    assert seats[0].version == seats[1].version
    assert seats[0].time_left == seats[1].time_left


def test_a_second_look_draws_no_other_moment(attacked):
    before = order()
    orders.look(now=NOW)
    attacked.act(services.offer_close, 0, now=ATTACK)
    orders.look(now=NOW)
    after = order()
    assert (after.due, after.submission, after.called) == (
        before.due,
        before.submission,
        before.called,
    )
    assert after.seen == before.seen + 1
    assert answer(after.due)


def test_who_answers_by_hand_makes_the_order_void(attacked):
    due = order().due
    attacked.move(1, "defend KH", now=ATTACK + MINUTE)
    assert not answer(due)
    orders.look(now=NOW)
    attack(attacked, which=1, now=ATTACK + 2 * MINUTE)
    orders.look(now=NOW)
    assert order().due >= ATTACK + 3 * MINUTE, "a new call, a new moment"
    assert not answer(ATTACK + 2 * MINUTE)
    assert answer(order().due)


def test_a_moment_for_one_call_is_none_for_the_next(attacked):
    """The order is due, but the match has gone on since it was last looked at."""
    due = order().due
    attacked.move(1, "defend KH", now=ATTACK + MINUTE)
    attack(attacked, which=1, now=due)
    assert not answer(due)


def test_the_deadline_wins(start_attack_match):
    short = Clock(timedelta(hours=1), timedelta(), timedelta(hours=1))
    for left, latest in (
        (5 * MINUTE, 4 * MINUTE),
        (90 * MINUTE / 60, MINUTE / 2),
        (MINUTE / 2, 0 * MINUTE),
    ):
        play = start_attack_match(clock=short)
        give(play)
        attack(play, now=NOW)
        player = play.player(1)
        player.deadline = NOW + left
        player.save()
        orders.look(now=NOW)
        found = StandingOrder.objects.get(player=player)
        assert NOW <= found.due <= NOW + latest
        if latest > MINUTE:
            assert found.due >= NOW + MINUTE


def test_without_a_clock_it_takes_its_time(start_attack_match):
    play = start_attack_match(clock=None)
    give(play)
    attack(play)
    orders.look(now=NOW)
    assert order().due >= ATTACK + MINUTE


def test_an_order_given_under_attack_waits_from_then_on(start_attack_match):
    play = start_attack_match()
    attack(play)
    give(play, now=ATTACK + 30 * MINUTE)
    orders.look(now=NOW)
    assert order().due >= ATTACK + 31 * MINUTE


def test_an_order_is_changed_and_withdrawn_at_will(attacked):
    give(attacked, "highest", now=ATTACK)
    orders.look(now=NOW)
    pk, due = order().pk, order().due
    give(attacked, "", now=ATTACK)
    assert not StandingOrder.objects.exists()
    assert not orders.answer(pk, now=due)
    give(attacked, "highest", now=ATTACK)
    orders.look(now=NOW)
    assert answer(order().due)
    assert selectors.log(attacked.match)[-1].text == "defend KH"


def test_nothing_is_answered_where_nothing_is_asked(start_attack_match):
    play = start_attack_match()
    give(play, seat=0)
    orders.look(now=NOW)
    assert order().due is None
    assert order().seen == 0
    assert not answer(NOW + timedelta(days=1))
    assert play.match.version == 0


def test_who_may_give_which_order(start_attack_match):
    play = start_attack_match()
    with pytest.raises(NotAPlayer):
        give(play, seat=2)
    with pytest.raises(Refused, match="no standing order 'bravely'"):
        give(play, "bravely")
    play.act(services.resign, 0)
    with pytest.raises(Refused, match="any more"):
        give(play)
    give(play, "")
    assert not StandingOrder.objects.exists()


def test_the_orders_of_an_ended_match_are_forgotten(attacked):
    attacked.act(services.resign, 0, now=ATTACK)
    orders.look(now=NOW)
    assert not StandingOrder.objects.exists()


def test_the_sweep_hands_out_what_is_due_before_the_next_at_its_own_moment(attacked, monkeypatch):
    handed = []
    monkeypatch.setattr(answer_order, "apply_async", lambda **how: handed.append(how))
    due = order().due
    monkeypatch.setattr(
        "games.matches.tasks.timezone.now", lambda: due - 2 * orders.HANDOVER_PERIOD
    )
    sweep_orders()
    assert handed == []
    monkeypatch.setattr(
        "games.matches.tasks.timezone.now", lambda: due - orders.HANDOVER_PERIOD / 2
    )
    sweep_orders()
    assert handed == [{"args": (order().pk,), "eta": due}]
    monkeypatch.setattr("games.matches.tasks.timezone.now", lambda: due)
    answer_order(order().pk)
    assert selectors.log(attacked.match)[-1].text == "defend 7H"


def test_what_goes_wrong_is_logged_without_a_word_of_the_hand(attacked, monkeypatch, caplog):
    monkeypatch.setattr(orders, "answer_of", lambda *_: {}["7H"])
    assert not answer(order().due)
    assert "KeyError" in caplog.text
    assert "7H" not in caplog.text
