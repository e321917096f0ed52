"""What bots keep in mind of cards that were told: it narrows what they imagine."""

import random
from itertools import islice

import pytest
from msgspec.structs import replace

from games.bots.questions import told
from games.kernel.contract import Event, Observation, Seat
from games.kernel.heuristics import SampledDice
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import in_order
from games.titles.simple_life_or_death.transition import (
    DREW,
    FOUGHT,
    REFILLED,
    VOIDED,
    WENT_OUT,
)

ME, OTHER = Seat(0), Seat(1)
PARAMS = complete(TITLE.meta, {})
LOST_AT_ONCE = {"attacker": "rS1", "target": "oM1", "attack": "KS", "defence": None, "won": True}
ANSWERED = LOST_AT_ONCE | {"defence": "2H"}


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
    return Event(DREW, seat, {"card": "??"}, {"card": "2C"}, (seat,))


def test_who_lost_a_piece_at_once_has_black_cards_alone(state):
    assert reds_of(drawn(state)) > 1
    assert reds_of(drawn(state, Event(FOUGHT, ME, LOST_AT_ONCE))) == 0


def test_each_card_drawn_since_may_be_red_until_one_is_used(state):
    lost, drawing = Event(FOUGHT, ME, LOST_AT_ONCE), drew(OTHER)
    assert reds_of(drawn(state, lost, drawing)) == 1
    assert reds_of(drawn(state, lost, drew(ME))) == 0
    used = Event(FOUGHT, ME, ANSWERED)
    assert reds_of(drawn(state, lost, drawing, used)) == 0
    assert reds_of(drawn(state, lost, drawing, used, drawing)) == 1


def test_after_a_refill_the_hand_of_the_only_other_is_known(state):
    laid = list(map(str, state.draw))
    fallen = Event(WENT_OUT, OTHER, {"cards": laid[:-1]})
    void = Event(VOIDED, ME, {"target": "oM1", "card": laid[-1]})
    refilled = Event(REFILLED, None, {"cards": len(laid)})
    for position in drawn(state, fallen, void, refilled):
        assert position.hands == state.hands
        assert position.draw == state.draw
    assert {position.hands for position in drawn(state, fallen, refilled)} != {state.hands}


def test_cards_that_were_not_in_the_refill_are_in_the_hand_that_is_all_black(state):
    """Of random deals nearly none fits here."""
    unseen = sorted((*state.hands[OTHER], *state.draw), key=lambda card: card.is_red)
    hand, draw = unseen[:9], unseen[9:]
    state = replace(state, hands=(state.hands[ME], in_order(hand)), draw=in_order(draw))
    laid = list(map(str, (*draw, *hand[:2])))
    refilled = Event(WENT_OUT, OTHER, {"cards": laid}), Event(REFILLED, None, {"cards": len(laid)})
    for position in drawn(state, *refilled, Event(FOUGHT, ME, LOST_AT_ONCE)):
        assert reds_of([position]) == 0
        assert set(hand[2:]) <= set(position.hands[OTHER])
        assert len(position.draw) == len(draw)


def test_what_cannot_be_is_left_out_of_account(state):
    laid = list(map(str, state.hands[OTHER]))
    nonsense = Event(WENT_OUT, OTHER, {"cards": laid}), Event(REFILLED, None, {"cards": len(laid)})
    (position,) = drawn(state, *nonsense, count=1)
    assert TITLE.view(position, ME) == TITLE.view(state, ME)
