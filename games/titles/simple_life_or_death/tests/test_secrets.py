"""Simple Life or Death: positions that a viewer cannot tell apart look alike to that viewer."""

import random
from dataclasses import replace

import pytest
from msgspec import structs

from games.kernel.contract import TURN_ENDED
from games.kernel.dice import CommittedDice, RecordedDice
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import black, in_order, packs, red
from games.titles.simple_life_or_death.events import Drew
from games.titles.simple_life_or_death.moves import Attack, Defend, End, Go
from games.titles.simple_life_or_death.state import PendingAttack

pytestmark = pytest.mark.slow


BOUND = 1_000
"""No random match of these takes so many moves."""

MATCHES = [
    (2, {}),
    (3, {"order": "counterclockwise", "movement": "d6"}),
    (4, {"width": 20, "movement": "d12"}),
    (6, {}),
]
COMPARED = [
    *MATCHES[:2],
    *(pytest.param(*table, marks=pytest.mark.thorough) for table in MATCHES[2:]),
]
OTHERS = [
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


@pytest.mark.parametrize(("seats", "params"), [*MATCHES, *OTHERS])
def test_random_matches_end(seats, params):
    steps = list(random_play(seats, params, 1))
    assert len(steps) < BOUND
    assert TITLE.result(steps[-1][4]) is not None
    assert steps[-1][5][-1].type == "end"


@pytest.mark.parametrize(("seats", "params"), [*MATCHES, *OTHERS])
def test_a_turn_ends_once_for_its_own_seat_and_an_answer_ends_nobodys_own(seats, params):
    for before, _, _, _, after, events in random_play(seats, params, 2):
        ended = [event.seat for event in events if event.type == TURN_ENDED]
        passed = after.turn != before.turn
        assert ended == ([before.turn] if passed or ended else [])
        assert len(ended) <= 1
        assert passed <= len(ended)


@pytest.mark.parametrize(("seats", "params"), [*MATCHES, *OTHERS])
def test_cards_and_pieces_are_conserved(seats, params):
    for *_, after, _ in random_play(seats, params, 3):
        pieces = [*after.squares, *sum(after.trophies, ())]
        assert len(set(pieces)) == len(pieces)
        for seat in range(seats):
            here = [piece for piece in pieces if piece.seat == seat]
            assert len(here) + sum(after.stock[seat]) <= 15
        cards = [*sum(after.hands, ()), *after.draw, *after.discard]
        face_down = isinstance(after.pending, PendingAttack)
        whole = packs(seats) if after.has_cards else ()
        assert len(cards) + face_down == len(whole)


# --- Indistinguishable positions -----------------------------------------------------------------


def indistinguishable(state, viewer, rng):
    """Return a position that differs from another in nothing that a viewer may know.

    What a viewer does not see is dealt again: hands, draw pile, a card face down. That is black,
    and who has to answer it keeps a red one, for both are known.
    """
    pending = state.pending
    hidden = [*state.draw]
    others = [seat for seat in state.seats if seat != viewer]
    for seat in others:
        hidden += state.hands[seat]
    is_attacked = isinstance(pending, PendingAttack)
    sees_card = is_attacked and pending.attacker.seat == viewer
    if is_attacked and not sees_card:
        hidden.append(pending.card)
    rng.shuffle(hidden)
    hands = list(state.hands)
    fixed = {}
    if is_attacked and not sees_card:
        pending = structs.replace(pending, card=take(hidden, is_black=True))
    if is_attacked and pending.target.seat != viewer:
        fixed[pending.target.seat] = [take(hidden, is_black=False)]
    for seat in others:
        own = fixed.get(seat, [])
        while len(own) < len(state.hands[seat]):
            own.append(hidden.pop())
        hands[seat] = in_order(own)
    return structs.replace(state, hands=tuple(hands), draw=in_order(hidden), pending=pending)


def take(cards, *, is_black):
    card = next(card for card in cards if card.is_black == is_black)
    cards.remove(card)
    return card


def drawn(state, viewer, events=()):
    """What a viewer is shown of a position: equal drawings are equal bytes, and cheaper."""
    seen = [event.seen_by(viewer) for event in events]
    return TITLE.draw(TITLE.view(state, viewer), seen)


def same_move(move, state):
    """Return the move in a position where its mover may hold other cards; none if there is none."""
    hand = state.hands[state.mover]
    if isinstance(move, Attack):
        cards = black(hand)
        return replace(move, card=cards[0]) if cards else None
    return None if isinstance(move, Defend) else move


@pytest.mark.parametrize(("seats", "params"), COMPARED)
def test_positions_that_differ_in_hidden_cards_look_alike(seats, params):
    rng = random.Random(seats)
    for number, (state, *_) in enumerate(random_play(seats, params, 4)):
        if number % 5:
            continue
        for viewer in (None, *state.seats):
            other = indistinguishable(state, viewer, rng)
            assert TITLE.load(TITLE.dump(other), seats, complete(TITLE.meta, params)) == other
            assert TITLE.view(other, viewer) == TITLE.view(state, viewer)
            assert drawn(other, viewer) == drawn(state, viewer)
            assert TITLE.actors(other) == TITLE.actors(state)
            if viewer is not None:
                assert entry(other, viewer) == entry(state, viewer)


def entry(state, seat):
    """All that a seat is offered: its moves, and the options word by word."""
    listed = list(map(str, TITLE.moves(state, seat)))
    first = TITLE.options(state, seat, "")
    return listed, first, [TITLE.options(state, seat, choice.text) for choice in first.next]


@pytest.mark.parametrize(("seats", "params"), COMPARED)
def test_what_others_do_is_told_alike_whatever_they_hold(seats, params):
    rng = random.Random(seats)
    compared = set()
    for state, seat, move, chance, after, events in random_play(seats, params, 5):
        for viewer in (None, *state.seats):
            if viewer == seat:
                continue
            other = indistinguishable(state, viewer, rng)
            again = same_move(move, other)
            if again is None or turns_up_cards(events):
                continue
            if isinstance(again, Attack) and not red(other.hands[again.target.seat]):
                continue
            other_after, other_events = TITLE.play(other, seat, again, RecordedDice(chance))
            compared.add(type(move))
            assert TITLE.view(other_after, viewer) == TITLE.view(after, viewer)
            assert drawn(other_after, viewer, other_events) == drawn(after, viewer, events)
            assert lines(other_events, viewer) == lines(events, viewer)
            texts = {
                TITLE.redact(str(made), TITLE.view(then, viewer))
                for made, then in ((move, after), (again, other_after))
            }
            assert len(texts) == 1
    assert compared >= {Go, Attack, End}


def turns_up_cards(events):
    """Whether hands or cards are shown: in a fight, by who goes out, at the end."""
    return any(event.type in ("fight", "out", "end") for event in events)


def lines(events, viewer):
    return [TITLE.describe(event.seen_by(viewer), viewer) for event in events]


def test_what_is_drawn_is_told_to_its_owner_alone():
    draws = 0
    for *_, after, events in random_play(2, {}, 6):
        for event in events:
            if isinstance(event, Drew) and after.ranks is None:
                draws += 1
                for viewer in (None, 0, 1):
                    line = TITLE.describe(event.seen_by(viewer), viewer)
                    seen = event.seen_by(viewer)
                    assert (seen.card == event.card) == (viewer == event.seat)
                    assert (event.card in seen.dump().values()) == (viewer == event.seat)
                    assert ("a card" in line) == (viewer != event.seat)
    assert draws > 10


def test_after_the_end_everything_is_open():
    *_, (*_, last, _) = random_play(3, {}, 7)
    for viewer in (None, 0, 1, 2):
        assert TITLE.view(last, viewer).dump() == TITLE.dump(last)


@pytest.mark.parametrize(("seats", "params"), [(3, {}), *OTHERS[:2]])
def test_dice_are_shown_and_draws_are_not(seats, params):
    thrown = 0
    for *_, drawn, _state, events in random_play(seats, params, 3):
        shown = [die for event in events for die in TITLE.dice(event.seen_by(None))]
        cards = sum(isinstance(event, Drew) for event in events)
        assert [face for _, face in shown] == drawn[: len(drawn) - cards]
        assert all(1 <= face <= sides for sides, face in shown)
        thrown += len(shown)
    assert thrown
