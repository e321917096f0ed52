"""Every lesson of every game: a possible start, a solution that works, an answer to wrong moves."""

import re

import pytest

from games.kernel import registry
from games.kernel.errors import MalformedMove, RulesError
from games.study.lessons import Verdict, attempt, lessons, start

MOST_WORDS = 22
"""The most words of a sentence."""

MOST_SENTENCES = 3
"""The most sentences of an answer."""


def pytest_generate_tests(metafunc):
    if "lesson" in metafunc.fixturenames:
        found = [
            pytest.param(title, lesson, id=f"{slug}-{lesson.number}-{lesson.key}")
            for slug, title in registry.titles().items()
            for lesson in lessons(slug)
        ]
        metafunc.parametrize(("game", "lesson"), found)


def test_a_game_has_six_to_ten_lessons_or_none(title):
    """A game in a package of its own may have fewer."""
    found = lessons(title.meta.slug)
    least = 6 if registry.package(title.meta.slug).startswith(registry.TITLES) else 1
    assert not found or least <= len(found) <= 10
    assert [lesson.number for lesson in found] == [*range(1, len(found) + 1)]
    assert len({lesson.key for lesson in found}) == len(found)
    assert all(re.fullmatch("[a-z0-9-]{1,40}", lesson.key) for lesson in found)


def test_a_lesson_starts_in_a_possible_position_in_which_its_player_moves(game, lesson):
    state = start(game, lesson)
    assert lesson.seat in game.actors(state)
    assert game.result(state) is None


def test_the_solution_reaches_the_goal_and_no_sooner(game, lesson):
    for count in range(1, len(lesson.solution)):
        assert attempt(game, lesson, lesson.solution[:count]).verdict is Verdict.OPEN
    done = attempt(game, lesson, lesson.solution)
    assert done.verdict is Verdict.RIGHT
    assert done.answer == lesson.right
    assert len(lesson.then) == len(lesson.solution) - 1


def test_other_accepted_moves_reach_the_goal(game, lesson):
    for text in lesson.also:
        tried = attempt(game, lesson, (*lesson.solution[:-1], text))
        assert tried.verdict is Verdict.RIGHT, text


def test_a_wrong_try_is_answered(game, lesson):
    for wrong in lesson.wrong:
        texts = (*lesson.solution[: wrong.after], wrong.move)
        try:
            assert str(game.parse(wrong.move)) == wrong.move
        except MalformedMove:
            assert game.parse(lesson.solution[0]), "a mark of the board"
            continue
        try:
            tried = attempt(game, lesson, texts)
        except RulesError:
            continue
        assert (tried.verdict, tried.answer) == (Verdict.WRONG, wrong.answer), wrong.move


def test_a_try_has_the_same_outcome_again(game, lesson):
    first, again = (attempt(game, lesson, lesson.solution) for _ in range(2))
    assert first == again


def test_moves_are_written_as_the_game_writes_them(game, lesson):
    for text in (*lesson.solution, *lesson.also, *lesson.replies):
        assert str(game.parse(text)) == text


def test_sentences_are_short(game, lesson):
    assert len(lesson.title.split()) <= 6
    answers = [wrong.answer for wrong in lesson.wrong]
    shown = [lesson.right, lesson.otherwise, lesson.hint, lesson.closing, *lesson.then, *answers]
    assert len(sentences(lesson.text)) == 1
    for text in (lesson.text, *shown):
        assert len(sentences(text)) <= MOST_SENTENCES, text
        assert max(len(sentence.split()) for sentence in sentences(text)) <= MOST_WORDS, text


def sentences(text):
    assert text[-1:] in {".", "!", "?"}, text
    return re.split(r"(?<=[.!?]) (?=[A-Z0-9a-z])", text)
