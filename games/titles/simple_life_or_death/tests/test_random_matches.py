"""Simple Life or Death: what holds in every random match."""

import random

import pytest

from games.kernel.contract import TURN_ENDED
from games.kernel.dice import CommittedDice
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import packs
from games.titles.simple_life_or_death.events import Drew
from games.titles.simple_life_or_death.state import PendingAttack

pytestmark = pytest.mark.slow


BOUND = 1_000
"""No random match of these takes so many moves."""

MATCHES = [
    (2, {}),
    (3, {"order": "counterclockwise", "movement": "d6"}),
    (4, {"width": 20, "movement": "d12"}),
    (6, {}),
    (2, {"combat": "2d6", "width": 16, "height": 30}),
    (3, {"combat": "1d12", "movement": "d8"}),
    (4, {"rounds": 9, "combat": "2d6", "order": "counterclockwise"}),
    (5, {"movement": "d6", "height": 24}),
    (6, {"combat": "1d12", "width": 24, "height": 24, "rounds": 40}),
    (6, {"width": 48, "height": 48, "rounds": 3}),
]


def random_play(seats, params, seed):
    """Yield each position of a random match with the move made there and what it led to.

    Attacks and moves are as likely as placements, of which there are so many more.
    """
    rng = random.Random(seed)
    dice = CommittedDice(f"{seats} {seed}".encode())
    state = TITLE.setup(seats, complete(TITLE.meta, params), dice)
    while seats_to_move := TITLE.actors(state):
        seat = seats_to_move[0]
        kinds = {}
        for move in TITLE.moves(state, seat):
            kinds.setdefault(type(move), []).append(move)
        move = rng.choice(rng.choice(list(kinds.values())))
        before, drawn = state, len(dice.drawn)
        state, events = TITLE.play(before, seat, move, dice)
        yield before, seat, move, dice.drawn[drawn:], state, events


def test_after_the_end_everything_is_open():
    *_, (*_, last, _) = random_play(3, {}, 7)
    for viewer in (None, 0, 1, 2):
        assert TITLE.view(last, viewer).dump() == TITLE.dump(last)


@pytest.mark.parametrize(("seats", "params"), MATCHES)
def test_every_step_of_a_random_match(seats, params):
    steps = list(random_play(seats, params, 1))
    assert len(steps) < BOUND
    for before, _, _, drawn, after, events in steps:
        a_turn_ends_once_for_its_own_seat(before, after, events)
        pieces_and_cards_are_conserved(after, seats)
        dice_are_shown_and_draws_are_not(drawn, events)
    assert any(TITLE.dice(event) for *_, events in steps for event in events)


def a_turn_ends_once_for_its_own_seat(before, after, events):
    """And an answer to an attack ends nobody's own."""
    ended = [event.seat for event in events if event.type == TURN_ENDED]
    passed = after.turn != before.turn
    assert ended == ([before.turn] if passed or ended else [])
    assert passed <= len(ended)


def pieces_and_cards_are_conserved(state, seats):
    pieces = [*state.squares, *sum(state.trophies, ())]
    assert len(set(pieces)) == len(pieces)
    for seat in range(seats):
        here = [piece for piece in pieces if piece.seat == seat]
        assert len(here) + sum(state.stock[seat]) <= 15
    cards = [*sum(state.hands, ()), *state.draw, *state.discard]
    face_down = isinstance(state.pending, PendingAttack)
    assert len(cards) + face_down == len(packs(seats) if state.has_cards else ())


def dice_are_shown_and_draws_are_not(drawn, events):
    shown = [die for event in events for die in TITLE.dice(event.seen_by(None))]
    cards = sum(isinstance(event, Drew) for event in events)
    assert [face for _, face in shown] == drawn[: len(drawn) - cards]
    assert all(1 <= face <= sides for sides, face in shown)
