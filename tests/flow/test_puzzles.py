"""The solver of puzzles against a plain search without memo, on small boards of DIE."""

import random
from types import SimpleNamespace

import pytest

from games.kernel import registry
from games.kernel.dice import no_dice
from games.kernel.params import complete
from games.study.lessons import lessons
from games.study.puzzles import Puzzle, Solver, Unproved, _lesson, prove
from tests.example_games.heap import META

DIE = registry.get("die")


def positions(seed, most_choices=6):
    """Return positions of a random match on the smallest board that are searched quickly."""
    chance = random.Random(seed)
    state = DIE.setup(2, complete(DIE.meta, {"size": 3}), no_dice())
    found = []
    while DIE.result(state) is None and state.ply < 60:
        moves = list(DIE.moves(state, state.mover))
        if len(moves) <= most_choices:
            found.append(state)
        state, _ = DIE.play(state, state.mover, chance.choice(moves), no_dice())
    return found


def brute_force(state, seat, moves):
    """Whether a seat wins with this many moves apart from forced ones: all lines are played."""
    if state.ranks is not None:
        return state.ranks[seat] == 1
    choices = list(DIE.moves(state, state.mover))
    left = moves - (state.mover == seat and len(choices) > 1)
    if left < 0:
        return False
    outcomes = [
        brute_force(DIE.play(state, state.mover, move, no_dice())[0], seat, left)
        for move in choices
    ]
    return any(outcomes) if state.mover == seat else all(outcomes)


@pytest.mark.parametrize("seed", range(12))
def test_it_agrees_with_brute_force(seed):
    for state in positions(seed):
        for seat in (0, 1):
            for moves in (0, 1, 2):
                expected = brute_force(state, seat, moves)
                assert Solver(DIE, seat).wins(state, moves) == expected


def test_positions_with_and_without_a_win_are_compared():
    found = {
        (moves, brute_force(state, state.mover, moves))
        for seed in range(12)
        for state in positions(seed)
        for moves in (1, 2)
    }
    assert found == {(1, True), (1, False), (2, True), (2, False)}


@pytest.mark.parametrize("seed", range(12))
def test_lines_are_all_winning_moves_and_the_reply_resists_longest(seed):
    for state in positions(seed):
        seat = state.mover
        lines = Solver(DIE, seat).lines(state, 2)
        after = {str(m): DIE.play(state, seat, m, no_dice())[0] for m in DIE.moves(state, seat)}
        assert set(lines) == {text for text, one in after.items() if brute_force(one, seat, 1)}
        for text, branch in lines.items():
            if after[text].ranks is None:
                can_wait = any(
                    not brute_force(DIE.play(after[text], 1 - seat, m, no_dice())[0], seat, 0)
                    for m in DIE.moves(after[text], 1 - seat)
                )
                assert bool(branch.lines) == can_wait


def test_a_search_stops_at_its_limit():
    state = DIE.setup(2, complete(DIE.meta, {}), no_dice())
    with pytest.raises(Unproved):
        Solver(DIE, 0, most=50).wins(state, 3)
    assert prove(DIE, state, {}) is None


def test_a_position_in_which_a_move_rolls_is_no_puzzle():
    title = registry.get("grim-reaper")
    (lesson,) = (one for one in lessons("grim-reaper") if one.key == "birth")
    params = complete(title.meta, lesson.params) | {"random_life": True}
    position = lesson.position | {"random_life": True}
    state = title.read_position(position, 2, params)
    with pytest.raises(Unproved):
        Solver(title, lesson.seat).wins(state, 1)
    assert prove(title, state, {}) is None


class Countdown:
    """Take one to three of a number in turn. The last one wins. A state is also its view."""

    meta = SimpleNamespace(colours=META.colours)

    def result(self, state):
        seat, left = state
        return None if left else tuple(1 if at == (seat - 1) % 3 else 2 for at in range(3))

    def actors(self, state):
        return (state[0],)

    def moves(self, state, seat):
        return range(1, min(3, state[1]) + 1)

    def play(self, state, seat, move, dice):
        return ((seat + 1) % 3, state[1] - move), ()

    def dump(self, state):
        return list(state)


def test_a_puzzle_for_three_holds_against_both_others():
    solver = Solver(Countdown(), 0)
    assert solver.wins((0, 3), 1)
    assert list(solver.lines((0, 3), 1)) == ["3"]
    assert not solver.wins((0, 4), 3)
    assert prove(Countdown(), (0, 3), {}, 3) is None
    puzzle = Puzzle([0, 3], 0, 1, solver.lines((0, 3), 1), seats=3)
    lesson = _lesson(Countdown(), puzzle, 1)
    assert lesson.seats == 3
    assert lesson.text == (
        "You are Red: find the only move that wins, whatever the others play next."
    )
    assert lesson.right == "You win. The others could not prevent it."
