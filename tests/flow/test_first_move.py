"""Every first move of every game leads to what it touches on the board."""

from itertools import islice

import pytest

from games.kernel import params, registry
from games.kernel.dice import CommittedDice
from games.kernel.svg import marks_of
from games.statistics import first_move

TITLES = sorted(registry.titles())
MOST = 60


def first_moves(title):
    """The first moves of a match, with what they are made from."""
    dice = CommittedDice(b"k" * 32)
    seats, chosen = title.meta.seats[0], params.complete(title.meta, {})
    state = title.setup(seats, chosen, dice)
    seat = title.actors(state)[0]
    texts = [str(move) for move in islice(title.moves(state, seat), MOST)]
    known = dict(marks_of(title.draw(title.view(state, seat), ())))
    return seats, chosen, tuple(dice.drawn), seat, texts, known


@pytest.mark.parametrize("slug", TITLES)
def test_every_first_move_is_entered(slug):
    title = registry.get(slug)
    seats, chosen, chance, seat, texts, known = first_moves(title)
    assert texts
    found = {
        text: first_move.touched_marks(title, seats, chosen, chance, seat=seat, text=text)
        for text in texts
    }
    touched = [text for text, marks in found.items() if marks]
    assert touched, f"no first move of {slug} touches the board"
    assert {mark for marks in found.values() for mark in marks} & set(known)
    assert all(len(set(marks)) == len(marks) for marks in found.values())


def test_a_stone_touches_its_cell():
    title = registry.get("die")
    for text in ("c3", "C 3"):
        assert first_move.touched_marks(
            title, 2, {"size": 5, "life": 6}, (), seat=0, text=text
        ) == ("c3",)
    assert first_move.touched_marks(title, 2, {"size": 5, "life": 6}, (), seat=0, text="z99") == ()
