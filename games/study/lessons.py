"""Lessons: guided positions of a game, one JSON file each, in its folder ``lessons``.

A file is named by the number of the lesson and a key that never changes: ``1-first-stone.json``. It
holds the fields of :class:`Lesson` (docs/adding-a-game.md shows one). The folder ``de`` beside it
has the texts in German, in files of the same names (:class:`LessonTexts`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct

from games.kernel import language, registry
from games.kernel.contract import AnyGame, Event, Seat
from games.kernel.dice import CommittedDice, Outcome
from games.kernel.errors import BrokenPosition, RulesError
from games.kernel.language import cached
from games.kernel.params import for_match

FOLDER = "lessons"

KEY = b"lessons: the same for everybody."
"""The key of the rolls that a lesson doesn't fix."""


class Wrong(Struct, frozen=True, forbid_unknown_fields=True):
    """The answer to a move that people try, after ``after`` moves of the solution."""

    move: str
    answer: str
    after: int = 0


class Goal(Struct, frozen=True, forbid_unknown_fields=True):
    """The goal of a lesson: events with these fields happen in one move, or the player wins."""

    events: tuple[dict[str, Any], ...] = ()
    won: bool = False


class Lesson(Struct, frozen=True, forbid_unknown_fields=True):
    """A position and a task. Its texts are plain sentences.

    ``solution`` are moves of ``seat`` that solve it, and nobody gets more moves than that. Without
    a ``goal`` only they are accepted, except that those in ``also`` may replace the last one.
    ``replies`` are moves of the other seats: each time the first legal one is played. ``rolls`` are
    the numbers that the dice show; after the last one they start over. ``then`` has a sentence for
    each move of the solution except the last. ``right`` says what the solution did, ``closing``
    what to remember, ``otherwise`` answers a wrong move that isn't in ``wrong``. A ``move`` in
    ``wrong`` may also be a mark of the board that leads nowhere. ``part`` are marks to which its
    picture is cropped.
    """

    title: str
    text: str
    position: Any
    solution: tuple[str, ...]
    right: str
    otherwise: str
    hint: str
    closing: str
    seat: int = 0
    seats: int = 0
    params: dict[str, Any] = {}
    goal: Goal | None = None
    also: tuple[str, ...] = ()
    wrong: tuple[Wrong, ...] = ()
    then: tuple[str, ...] = ()
    replies: tuple[str, ...] = ()
    rolls: tuple[int, ...] = ()
    part: tuple[str, ...] = ()
    key: str = ""
    number: int = 0

    def answer_to(self, move: str, after: int) -> str:
        """Return the answer to an expected wrong move. Empty for any other."""
        answers = (w.answer for w in self.wrong if w.after == after and w.move == move)
        return next(answers, "")


class LessonTexts(Struct, frozen=True, forbid_unknown_fields=True):
    """The texts of a lesson in another language. ``wrong`` are the answers to the wrong moves."""

    title: str
    text: str
    right: str
    otherwise: str
    hint: str
    closing: str
    wrong: tuple[str, ...] = ()
    then: tuple[str, ...] = ()


class Verdict(Enum):
    """How far a lesson has come."""

    OPEN = "open"
    RIGHT = "right"
    WRONG = "wrong"


class LessonMove(NamedTuple):
    """A move of a lesson, with its outcomes of chance. A reply is played by the lesson itself."""

    seat: Seat
    text: str
    chance: tuple[Outcome, ...]
    is_reply: bool = False


@dataclass(frozen=True)
class Attempt:
    """What somebody has tried in a lesson.

    ``moves`` are those of all seats, ``events`` the effects of the player's last move and the
    replies to it, and ``answer`` the comment.
    """

    state: Any
    moves: tuple[LessonMove, ...] = ()
    events: tuple[Event, ...] = ()
    verdict: Verdict = Verdict.OPEN
    answer: str = ""

    @property
    def own(self) -> tuple[str, ...]:
        """The moves that the player has chosen."""
        return tuple(move.text for move in self.moves if not move.is_reply)


class LessonDice(CommittedDice):
    """Dice that show the numbers of a lesson in turn. Without any, all readers get the same rolls.

    ``used`` is how many have been rolled before.
    """

    def __init__(self, rolls: Sequence[int], used: int) -> None:
        super().__init__(KEY, used)
        self._rolls = rolls

    def roll(self, sides: int) -> int:
        if not self._rolls:
            return super().roll(sides)
        face = (self._rolls[self._next % len(self._rolls)] - 1) % sides + 1
        self._next += 1
        self.drawn.append(face)
        self.sides.append(sides)
        return face


@cached(None)
def lessons(slug: str) -> tuple[Lesson, ...]:
    """Return a game's lessons in order, in the reader's language. Empty without any.

    Each process reads them once in each language. Lessons without a translation are in English.

    :raises ValueError: a file isn't a lesson, or its translation has other texts.
    """
    folder = registry.folder(slug) / FOLDER
    lessons = {}
    for file in folder.glob("*.json"):
        lesson = read(file)
        translation = folder / language.code() / file.name
        lessons[lesson.number] = translated(lesson, translation) if translation.exists() else lesson
    return tuple(lessons[number] for number in sorted(lessons))


def translated(lesson: Lesson, file: Path) -> Lesson:
    """Return a lesson with the texts of another language.

    :raises ValueError: they aren't the texts of this lesson. The message names the file.
    """
    try:
        texts = msgspec.json.decode(file.read_bytes(), type=LessonTexts)
        answers = zip(lesson.wrong, texts.wrong, strict=True)
        wrong = tuple(msgspec.structs.replace(one, answer=answer) for one, answer in answers)
        then = tuple(text for _, text in zip(lesson.then, texts.then, strict=True))
    except ValueError as error:
        raise ValueError(f"{FOLDER}/{file.parent.name}/{file.name}: {error}") from error
    return msgspec.structs.replace(
        lesson, **{**msgspec.structs.asdict(texts), "wrong": wrong, "then": then}
    )


def read(file: Path) -> Lesson:
    """Read a file such as ``1-first-stone.json``.

    :raises ValueError: it is no lesson. The message names the file.
    """
    number, _, key = file.stem.partition("-")
    try:
        lesson = msgspec.json.decode(file.read_bytes(), type=Lesson)
        return msgspec.structs.replace(lesson, number=int(number), key=key)
    except ValueError as error:
        raise ValueError(f"{FOLDER}/{file.name}: {error}") from error


def seats_of(title: AnyGame, lesson: Lesson) -> int:
    return lesson.seats or title.meta.seats[0]


def start(title: AnyGame, lesson: Lesson) -> Any:
    """:raises BrokenPosition: the position of the lesson is impossible."""
    seats = seats_of(title, lesson)
    params = for_match(title, seats, lesson.params)
    return title.read_position(lesson.position, seats, params)


def attempt(title: AnyGame, lesson: Lesson, texts: Sequence[str]) -> Attempt:
    """Play a player's moves in a lesson, with the replies to them.

    :raises RulesError: a move is refused.
    :raises BrokenPosition: there are more moves than the lesson has.
    """
    tried = Attempt(start(title, lesson))
    for count, text in enumerate(texts):
        if tried.verdict is not Verdict.OPEN:
            raise BrokenPosition("This lesson is over.")
        tried = after_move(title, lesson, replace(tried, events=()), Seat(lesson.seat), text)
        move = tried.moves[-1].text
        while (reply := _reply(title, lesson, tried)) is not None:
            tried = reply
        tried = _judged(title, lesson, tried, move, count)
    return tried


def after_move(
    title: AnyGame,
    lesson: Lesson,
    tried: Attempt,
    seat: Seat,
    text: str,
    *,
    is_reply: bool = False,
) -> Attempt:
    """Return an attempt with one more move of a seat, without a verdict on it.

    :raises RulesError: the move is refused.
    """
    drawn = [outcome for played in tried.moves for outcome in played.chance]
    dice = LessonDice(lesson.rolls, sum(isinstance(outcome, int) for outcome in drawn))
    move = title.parse(text)
    state, events = title.play(tried.state, seat, move, dice)
    played = LessonMove(seat, str(move), tuple(dice.drawn), is_reply)
    return Attempt(state, (*tried.moves, played), (*tried.events, *events))


def _reply(title: AnyGame, lesson: Lesson, tried: Attempt) -> Attempt | None:
    """Return an attempt with a reply of the seat to move. ``None`` if no reply fits."""
    actors = title.actors(tried.state)
    if not actors or lesson.seat in actors:
        return None
    for text in lesson.replies:
        try:
            return after_move(title, lesson, tried, actors[0], text, is_reply=True)
        except RulesError:
            continue
    return None


def _judged(title: AnyGame, lesson: Lesson, tried: Attempt, move: str, count: int) -> Attempt:
    """Return an attempt with the verdict on the player's last move, the one after ``count``."""
    is_last = count + 1 == len(lesson.solution)
    if lesson.goal is None:
        is_expected = move == lesson.solution[count] or (is_last and move in lesson.also)
        is_solved = is_expected and is_last
    else:
        is_solved = _reached(title, lesson, lesson.goal, tried)
        is_expected = is_solved or not is_last
    if is_solved:
        return replace(tried, verdict=Verdict.RIGHT, answer=lesson.right)
    answer = lesson.answer_to(move, count)
    can_go_on = lesson.seat in title.actors(tried.state)
    if is_expected and can_go_on and not answer:
        return replace(tried, answer=lesson.then[count] if count < len(lesson.then) else "")
    return replace(tried, verdict=Verdict.WRONG, answer=answer or lesson.otherwise)


def _reached(title: AnyGame, lesson: Lesson, goal: Goal, tried: Attempt) -> bool:
    """Whether a goal is reached: the event has happened now, or the player has won alone."""
    if goal.won:
        ranks = title.result(tried.state)
        return ranks is not None and ranks[lesson.seat] == 1 and ranks.count(1) == 1
    dumped = [event.dump() for event in tried.events]
    return all(any(_has(fields, wanted) for fields in dumped) for wanted in goal.events)


def _has(fields: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return all(fields.get(name) == value for name, value in wanted.items())
