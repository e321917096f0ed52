"""A random legal move of every game: always legal, and any legal move can come out."""

from collections import Counter
from itertools import islice

import pytest

from games.kernel import random_move as module
from games.kernel import registry
from games.kernel.dice import no_dice
from games.kernel.errors import NotYourTurn
from games.kernel.params import complete
from games.kernel.random_move import random_move
from tests.contract.random_play import matches
from tests.contract.test_every_entry import accepts, positions

FEW = 24
"""So few moves all come out with ``SEEDS`` seeds, however unequal their chances are."""

SEEDS = 2_000

WAYS = pytest.mark.parametrize("few", [0, module.MAX_LISTED], ids=["walk", "list"])
"""Both ways to draw a move, whatever the number of legal moves."""


@WAYS
def test_a_random_move_is_legal_and_follows_from_its_seed(title, few, monkeypatch):
    monkeypatch.setattr(module, "MAX_LISTED", few)
    for number, (state, seat) in enumerate(positions(title, 12)):
        text = random_move(title, state, seat, f"seed {number}")
        assert accepts(title, state, seat, text)
        assert str(title.parse(text)) == text
        assert random_move(title, state, seat, f"seed {number}") == text


def some_choices(title):
    """Yield a few positions with more than one legal move, but few, and all these moves."""
    moments = (moment for record in matches(title.meta.slug) for moment in record.moments)
    turns = ((one.state, seat) for one in moments for seat in title.actors(one.state))
    listed = (
        (state, seat, [str(move) for move in islice(title.moves(state, seat), FEW + 1)])
        for state, seat in turns
    )
    return islice((found for found in listed if 2 < len(found[2]) <= FEW), 4)


@pytest.mark.slow
@WAYS
def test_every_legal_move_can_be_drawn(title, few, monkeypatch):
    monkeypatch.setattr(module, "MAX_LISTED", few)
    found = list(some_choices(title))
    # Where the moves are numbers to be filled in, there are always many.
    assert found or title.meta.observes
    for state, seat, moves in found:
        drawn = {random_move(title, state, seat, str(seed)) for seed in range(SEEDS)}
        assert drawn == set(moves)


def test_few_moves_are_equally_likely():
    title = registry.get("die")
    state = title.setup(2, complete(title.meta, {"size": 3}), no_dice())
    drawn = Counter(random_move(title, state, 0, str(seed)) for seed in range(1_900))
    assert len(drawn) == 19
    assert min(drawn.values()) > 60
    assert max(drawn.values()) < 140


def test_of_very_many_moves_any_can_come_out():
    """The first 200 in order all begin with the same words: drawn ones don't."""
    title = registry.get("dice-is-health")
    state, seat = next(
        (state, seat)
        for state, seat in positions(title, 40)
        if len(list(islice(title.moves(state, seat), 5_000))) == 5_000
    )
    first = {str(move) for move in islice(title.moves(state, seat), 200)}
    drawn = {random_move(title, state, seat, str(seed)) for seed in range(100)}
    assert len(drawn) > 90
    assert len(drawn - first) > 90


def test_a_seat_that_is_not_to_move_has_no_random_move(title):
    for state, seat in positions(title, 2):
        others = {0, 1} - {seat} - set(title.actors(state))
        for other in others:
            with pytest.raises(NotYourTurn):
                random_move(title, state, other, "")
