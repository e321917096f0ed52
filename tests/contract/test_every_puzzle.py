"""Every puzzle of every game, proved again by search."""

import re

import pytest

from games.kernel import registry
from games.kernel.params import complete
from games.study.lessons import Verdict, start
from games.study.puzzles import as_lessons, attempt, prove, puzzles

FEWEST = 7
"""The fewest puzzles of a game that has any: one for each day of a week."""


def pytest_generate_tests(metafunc):
    if "puzzle" in metafunc.fixturenames:
        found = [
            pytest.param(title, lesson, puzzle, id=f"{slug}-{lesson.number}")
            for slug, title in registry.titles().items()
            for lesson, puzzle in zip(as_lessons(slug), puzzles(slug), strict=True)
        ]
        metafunc.parametrize(("game", "lesson", "puzzle"), found)


def test_a_game_has_puzzles_for_a_week_or_none(title):
    found = as_lessons(title.meta.slug)
    assert not found or len(found) >= FEWEST
    assert len({one.key for one in found}) == len(found)
    assert all(re.fullmatch("[a-z0-9-]{1,40}", one.key) for one in found)


def test_search_proves_it_with_a_single_first_move(game, lesson, puzzle):
    state = start(game, lesson)
    assert game.actors(state) == (puzzle.seat,)
    assert complete(game.meta, puzzle.params)
    assert prove(game, state, puzzle.params, puzzle.seats) == puzzle
    assert len(puzzle.lines) == 1


def test_every_line_of_the_proof_is_accepted_and_wins(game, lesson, puzzle):
    for line in lines_of(puzzle.lines):
        for count in range(1, len(line)):
            assert attempt(game, lesson, line[:count]).verdict is Verdict.OPEN
        done = attempt(game, lesson, line)
        assert (done.verdict, done.answer) == (Verdict.RIGHT, lesson.right)
        assert game.result(done.state)[puzzle.seat] == 1


def test_any_other_first_move_is_wrong(game, lesson, puzzle):
    (first,) = puzzle.lines
    others = [str(move) for move in game.moves(start(game, lesson), puzzle.seat)]
    assert first in others
    for text in others:
        if text != first:
            tried = attempt(game, lesson, [text])
            assert tried.verdict is Verdict.WRONG
            assert tried.answer.startswith("That move doesn’t force a win in ")


def lines_of(lines):
    """Yield the moves of the solver on every way to win."""
    for text, branch in lines.items():
        if branch.lines:
            yield from ((text, *rest) for rest in lines_of(branch.lines))
        else:
            yield (text,)
