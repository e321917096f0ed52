"""What bots keep in mind of cards that were told: it narrows what they imagine."""

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from games.bots.questions import told
from games.kernel.contract import Observation, Seat
from games.kernel.heuristics import SampledDice
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import Card, Piece, in_order
from games.titles.simple_life_or_death.events import Drew, Fought, Refilled, Voided, WentOut

ME, OTHER = Seat(0), Seat(1)
PARAMS = complete(TITLE.meta, {})
LOST_AT_ONCE = Fought(ME, Piece("rS1"), Piece("oM1"), "a1", "a2", "KS", None, won=True)
ANSWERED = replace(LOST_AT_ONCE, defence="2H")


@pytest.fixture
def state():
    return TITLE.setup(2, PARAMS, SampledDice(random.Random(2)))


def drawn(state, *log, count=20):
    """Return positions drawn by what the first seat has seen."""
    view = TITLE.view(state, ME).dump()
    seen = Observation("simple-life-or-death", 1, PARAMS, 2, ME, view, told(TITLE, log, ME))
    return list(islice(TITLE.determinize(seen, random.Random(1)), count))


def reds_of(positions):
    """Return the most red cards that the other seat has in some positions."""
    return max(sum(card.is_red for card in position.hands[OTHER]) for position in positions)


def drew(seat):
    return Drew(seat, Card("2C"), owners=(seat,))


def test_who_lost_a_piece_at_once_has_black_cards_alone(state):
    assert reds_of(drawn(state)) > 1
    assert reds_of(drawn(state, LOST_AT_ONCE)) == 0


def test_each_card_drawn_since_may_be_red_until_one_is_used(state):
    drawing = drew(OTHER)
    assert reds_of(drawn(state, LOST_AT_ONCE, drawing)) == 1
    assert reds_of(drawn(state, LOST_AT_ONCE, drew(ME))) == 0
    assert reds_of(drawn(state, LOST_AT_ONCE, drawing, ANSWERED)) == 0
    assert reds_of(drawn(state, LOST_AT_ONCE, drawing, ANSWERED, drawing)) == 1


def test_after_a_refill_the_hand_of_the_only_other_is_known(state):
    laid = state.draw
    fallen = WentOut(OTHER, laid[:-1])
    void = Voided(ME, Piece("oM1"), laid[-1])
    refilled = Refilled(cards=len(laid))
    for position in drawn(state, fallen, void, refilled):
        assert position.hands == state.hands
        assert position.draw == state.draw
    assert {position.hands for position in drawn(state, fallen, refilled)} != {state.hands}


def test_cards_that_were_not_in_the_refill_are_in_the_hand_that_is_all_black(state):
    """Of random deals nearly none fits here."""
    unseen = sorted((*state.hands[OTHER], *state.draw), key=lambda card: card.is_red)
    hand, draw = unseen[:9], unseen[9:]
    state = replace(state, hands=(state.hands[ME], in_order(hand)), draw=in_order(draw))
    laid = (*draw, *hand[:2])
    refilled = WentOut(OTHER, laid), Refilled(cards=len(laid))
    for position in drawn(state, *refilled, LOST_AT_ONCE):
        assert reds_of([position]) == 0
        assert set(hand[2:]) <= set(position.hands[OTHER])
        assert len(position.draw) == len(draw)


def test_what_cannot_be_is_left_out_of_account(state):
    laid = state.hands[OTHER]
    nonsense = WentOut(OTHER, laid), Refilled(cards=len(laid))
    (position,) = drawn(state, *nonsense, count=1)
    assert TITLE.view(position, ME) == TITLE.view(state, ME)
