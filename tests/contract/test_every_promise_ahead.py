"""What every game says ahead: moves whose outcome is known, calls on a seat, standing orders."""

from itertools import islice

import pytest

from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.dice import CommittedDice, no_dice
from games.kernel.errors import ChanceError
from tests.contract.equivalence import offers, probes, refusals
from tests.contract.random_play import matches
from tests.contract.scenarios import some_pairs

pytestmark = pytest.mark.usefixtures("_in_one_language")

SECRETIVE = [title for title in registry.titles().values() if title.meta.has_secrets]
SLUGS = [title.meta.slug for title in SECRETIVE]


def moments_of(title, count):
    """Yield positions of random matches, with the parameters and who may move there."""
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(count):
            for seat in title.actors(moment.state):
                yield record.params, moment.state, seat


def foreseen(title, state, seat):
    """Some legal moves of a seat of which the game says that their outcome is known."""
    texts = probes(title, state, seat)[1:3]
    return [text for text in texts if not title.outcome_hidden(title.parse(text))]


def after(title, state, seat, text):
    """What a seat sees once its move is made; nothing where dice decide, or the match ends."""
    try:
        state, _ = title.play(state, seat, title.parse(text), no_dice())
    except ChanceError:
        return None
    return None if title.result(state) else title.view(state, seat)


@pytest.mark.slow
@pytest.mark.xdist_group("pairs")
@pytest.mark.parametrize("keeper", SECRETIVE, ids=SLUGS)
def test_a_foreseen_move_does_the_same_in_both_worlds(keeper):
    compared = 0
    for pair in some_pairs(keeper.meta.slug):
        lives = zip(*map(pair.replay, pair.scenarios), strict=True)
        for (here, _), (there, _) in lives:
            for text in foreseen(keeper, here, pair.viewer):
                outcomes = [after(keeper, at, pair.viewer, text) for at in (here, there)]
                assert outcomes[0] == outcomes[1], text
                compared += outcomes[0] is not None
    assert compared


def test_only_who_is_to_move_is_called(title):
    for _, state, mover in moments_of(title, 20):
        for seat in range(len(title.meta.colours)):
            if seat not in title.actors(state):
                assert title.pending_question(title.view(state, mover), seat) == ""


def test_a_standing_order_answers_every_call_with_a_legal_move_and_nothing_else(title):
    for params, state, seat in moments_of(title, 60):
        view = title.view(state, seat)
        for order in title.standing_orders(params).values():
            text = order.answer(view, seat)
            if order.is_forced:
                only = list(map(str, islice(title.moves(state, seat), 2)))
                assert text == "" or [text] == only
                assert text == order.answer(title.view(state, None), seat), "all see it"
            else:
                assert bool(text) == bool(title.pending_question(view, seat))
            if text:
                assert str(title.parse(text)) == text
                title.play(state, seat, title.parse(text), CommittedDice(b"order"))


def test_a_seat_is_to_move_in_what_is_foreseen_for_it(title):
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(20):
            for seat in map(Seat, range(record.seats)):
                found = title.next_turn(moment.state, seat)
                if seat in title.actors(moment.state):
                    assert found is moment.state
                elif found is not None:
                    assert seat in title.actors(found)
                    assert title.result(found) is None
                    assert next(iter(title.moves(found, seat)), None) is not None
                    title.draw(title.view(found, seat), ())


@pytest.mark.slow
@pytest.mark.xdist_group("pairs")
@pytest.mark.parametrize("keeper", SECRETIVE, ids=SLUGS)
def test_the_same_is_foreseen_in_both_worlds(keeper):
    compared = 0
    for pair in some_pairs(keeper.meta.slug):
        if pair.viewer is None:
            continue
        for moments in zip(*map(pair.replay, pair.scenarios), strict=True):
            here, there = (keeper.next_turn(state, pair.viewer) for state, _ in moments)
            assert (here is None) == (there is None)
            if here is None:
                continue
            views = [keeper.view(state, pair.viewer) for state in (here, there)]
            assert views[0] == views[1]
            tries = probes(keeper, here, pair.viewer)
            for look in (offers, refusals):
                assert look(pair, here, tries) == look(pair, there, tries)
            compared += here is not moments[0][0]
    assert compared
