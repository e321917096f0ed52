"""Exact chances, by a game of one roll and by the ends of golden matches."""

import sys

import pytest

from games.bots.appraising import MIN_BACKED_UP, backed_up, shares
from games.bots.search import Node
from games.bots.solving import Solver
from games.kernel import registry
from games.kernel.playthrough import playthroughs
from tests.reviews import work_on


class OneRoll:
    """Each in turn either rolls, and wins from `wins` on, or leaves it to the next; then a draw."""

    wins = 5

    def actors(self, state):
        return (state,) if state in (0, 1) else ()

    def moves(self, state, seat):
        return ["roll", "leave"]

    def result(self, state):
        return {"draw": (1, 1), "won by 0": (1, 2), "won by 1": (2, 1)}.get(state)

    def play(self, state, seat, move, dice):
        if move == "leave":
            return (1 if seat == 0 else "draw"), ()
        has_won = dice.roll(6) >= self.wins
        return f"won by {seat if has_won else 1 - seat}", ()


@pytest.mark.parametrize(
    ("wins", "second", "first"),
    # The second rolls if that is better than a draw, and the first if it is better than that.
    [(5, 1 / 2, 1 / 2), (4, 1 / 2, 1 / 2), (3, 1 / 3, 2 / 3), (1, 0, 1), (7, 1 / 2, 1 / 2)],
)
def test_dice_are_enumerated_and_the_best_is_chosen(wins, second, first):
    game = OneRoll()
    game.wins = wins
    solver = Solver(game)
    assert solver.chance(1, 100) == pytest.approx(second)
    assert solver.chance(0, 100) == pytest.approx(first)


def test_more_moves_than_allowed_are_not_tried():
    assert Solver(OneRoll()).chance(0, 5) is None
    assert Solver(OneRoll()).chance("won by 1", 0) == 0


def test_a_winning_move_is_named():
    game = OneRoll()
    game.wins = 1
    solver = Solver(game)
    assert solver.chance(0, 100) == 1
    assert solver.winning_move(0, 100) == "roll"
    game.wins = 4
    assert Solver(game).winning_move(0, 100) == ""


def by_hand(title, state):
    """Return whether the first seat wins, without anything kept."""
    if ranks := title.result(state):
        return ranks[0] < ranks[1]
    seat = title.actors(state)[0]
    after = (title.play(state, seat, move, None)[0] for move in title.moves(state, seat))
    return (any if seat == 0 else all)(by_hand(title, one) for one in after)


@pytest.mark.parametrize("name", ["own-group", "enemy-groups"])
def test_the_end_of_a_match_is_as_by_hand(name):
    title = registry.get("die")
    golden = playthroughs(registry.folder("die"))[name]
    solver = Solver(title)
    for moment in work_on(title, golden).moments[-4:]:
        assert solver.chance(moment.state, sys.maxsize) == by_hand(title, moment.state)


def test_a_chance_is_read_no_deeper_than_the_first_roll():
    root, rolled, after = Node(2, "position"), Node(2), Node(2)
    root.children, rolled.children = {"roll": rolled}, {"move": after}
    for _ in range(2 * MIN_BACKED_UP):
        rolled.add((0.25, 0.75))
        after.add((1.0, 0.0))
    assert shares(backed_up(root)) == (0.25, 0.75)
    rolled.state = "position after a move without dice"
    assert shares(backed_up(root)) == (1.0, 0.0)
