"""Every puzzle of every game: its position, its solution, and what proves it."""

import re
from itertools import islice

import pytest

from games import check
from games.kernel import registry
from games.kernel.decisions import MARGIN
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.params import complete
from games.study.lessons import Verdict, start
from games.study.puzzles import (
    FEWEST,
    FEWEST_CHOICES,
    FEWEST_MOVES,
    MOST_MOVES,
    NOTHING,
    as_lessons,
    attempt,
    decide,
    prove,
    puzzles,
    solution,
    theme_names,
    themes,
)


def each(is_wanted=lambda title, puzzle: True):
    """Return all puzzles as parameters: game, lesson and puzzle."""
    return [
        pytest.param(title, lesson, puzzle, id=f"{slug}-{lesson.number}")
        for slug, title in registry.titles().items()
        for lesson, puzzle in zip(as_lessons(slug), puzzles(slug), strict=True)
        if is_wanted(title, puzzle)
    ]


def sparse(params, every=8):
    """Mark all but each eighth as thorough."""
    return [
        param if number % every == 0 else pytest.param(*param.values, marks=THOROUGH, id=param.id)
        for number, param in enumerate(params)
    ]


THOROUGH = pytest.mark.thorough
WINS = each(lambda title, puzzle: not puzzle.right)
DECISIONS = each(lambda title, puzzle: bool(puzzle.right))
ENUMERATED = each(lambda title, puzzle: bool(puzzle.right) and not title.meta.observes)
"""What is observed can't be enumerated: such a game proves its puzzles in its own tests."""


def test_a_game_has_enough_puzzles_or_none(title):
    found = as_lessons(title.meta.slug)
    assert not found or len(found) >= FEWEST
    assert len({one.key for one in found}) == len(found)
    assert all(re.fullmatch("[a-z0-9-]{1,40}", one.key) for one in found)


def test_the_check_of_a_game_lists_too_few_puzzles(title, monkeypatch):
    assert not [*check._puzzles(title)]
    monkeypatch.setattr(check, "puzzles", lambda slug: puzzles("die")[:3])

    assert [*check._puzzles(title)] == [f"puzzles.json needs at least {FEWEST} puzzles, and has 3."]


def test_themes_have_names_and_there_is_a_choice(title):
    found = puzzles(title.meta.slug)
    if not found:
        return
    assert all(puzzle.themes for puzzle in found)
    assert {theme for puzzle in found for theme in puzzle.themes} <= set(theme_names(title))
    assert len(themes(title.meta.slug)) >= 2


def test_a_game_for_three_has_puzzles_for_three(title):
    found = puzzles(title.meta.slug)
    if found and title.meta.seats[1] > 2:
        assert {puzzle.seats for puzzle in found} >= {2, 3}


def test_positions_are_possible_and_solutions_a_choice(title):
    for lesson, puzzle in zip(as_lessons(title.meta.slug), puzzles(title.meta.slug), strict=True):
        state = start(title, lesson)
        assert title.actors(state) == (puzzle.seat,)
        assert complete(title.meta, puzzle.params)
        assert len([*islice(title.moves(state, puzzle.seat), FEWEST_CHOICES)]) == FEWEST_CHOICES
        assert puzzle.first != NOTHING
        assert str(title.parse(puzzle.first)) == puzzle.first
        if puzzle.right:
            assert puzzle.best - puzzle.second >= MARGIN
            assert not puzzle.lines
        else:
            assert len(puzzle.lines) == 1
            assert puzzle.moves <= MOST_MOVES
            assert puzzle.moves >= FEWEST_MOVES or "replies" in puzzle.themes


@pytest.mark.parametrize(("game", "lesson", "puzzle"), WINS)
def test_every_line_of_the_proof_is_accepted_and_wins(game, lesson, puzzle):
    for line in lines_of(puzzle.lines):
        for count in range(1, len(line)):
            assert attempt(game, lesson, line[:count]).verdict is Verdict.OPEN
        done = attempt(game, lesson, line)
        assert (done.verdict, done.answer) == (Verdict.RIGHT, lesson.right)
        assert game.result(done.state)[puzzle.seat] == 1
    assert game.result(solution(game, lesson)[-1].state)[puzzle.seat] == 1


@pytest.mark.parametrize(("game", "lesson", "puzzle"), sparse(WINS))
def test_no_other_first_move_wins_at_once(game, lesson, puzzle):
    """A cheap part of the proof: the whole one is thorough."""
    state = start(game, lesson)
    for move in game.moves(state, puzzle.seat):
        if str(move) not in puzzle.lines:
            try:
                after, _ = game.play(state, puzzle.seat, move, no_dice())
            except ChanceError:
                continue
            ranks = game.result(after)
            assert not ranks or ranks[puzzle.seat] != 1 or ranks.count(1) > 1


@pytest.mark.parametrize(("game", "lesson", "puzzle"), sparse(WINS))
def test_search_proves_a_win_with_a_single_first_move(game, lesson, puzzle):
    state = start(game, lesson)
    assert prove(game, state, puzzle.params, puzzle.seats) == puzzle


@pytest.mark.parametrize(("game", "lesson", "puzzle"), sparse(ENUMERATED))
def test_enumeration_proves_a_decision(game, lesson, puzzle):
    state = start(game, lesson)
    assert decide(game, state, puzzle.seat, puzzle.params, puzzle.seats) == puzzle


@pytest.mark.parametrize(("game", "lesson", "puzzle"), sparse(DECISIONS))
def test_the_right_move_is_right_and_others_are_wrong(game, lesson, puzzle):
    questions = registry.decisions(game)
    state = start(game, lesson)
    right = game.parse(puzzle.right)
    assert questions.is_right(state, puzzle.seat, right, right)
    done = attempt(game, lesson, [puzzle.right])
    assert (done.verdict, done.answer) == (Verdict.RIGHT, lesson.right)
    moves = [*islice(game.moves(state, puzzle.seat), 4000)]
    some = moves[:: len(moves) // 40 + 1]
    assert not all(questions.is_right(state, puzzle.seat, right, move) for move in some)


def lines_of(lines):
    """Yield the moves of the solver on every way to win."""
    for text, branch in lines.items():
        if branch.lines:
            yield from ((text, *rest) for rest in lines_of(branch.lines))
        else:
            yield (text,)
