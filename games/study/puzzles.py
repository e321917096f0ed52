"""Puzzles: positions in which one move forces a win, proved by search.

A game may have a file ``puzzles.json`` in its folder. ``manage.py find_puzzles`` writes it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from functools import cache
from hashlib import sha256
from itertools import islice
from typing import Any

import msgspec
from msgspec import Struct

from games.kernel import registry
from games.kernel.contract import AnyGame, Params, Seat
from games.kernel.dice import no_dice
from games.kernel.errors import BrokenPosition, ChanceError
from games.kernel.formatting import sentence
from games.kernel.params import complete
from games.study.lessons import Attempt, Lesson, Verdict, after_move, start

FILE = "puzzles.json"

MOST_MOVES = 3
"""Maximum number of moves that the solver's side needs."""

FEWEST_CHOICES = 3
"""Minimum number of legal moves at the start. With fewer there is nothing to find."""

MOST_NODES = 3_000
"""Maximum number of moves that the proof of a puzzle may try."""

MOST_LINES = 300
"""Maximum number of winning moves of a puzzle in total."""

NUMBERS = ("no move", "one move", "two moves", "three moves")


class Unproved(Exception):
    """The search has reached its limit, or chance decides."""


class Branch(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The replies of the other side to a winning move, and the moves that still win.

    There are no further moves once the match is won.
    """

    replies: tuple[str, ...] = ()
    lines: dict[str, "Branch"] = {}


class Puzzle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position in which ``seat`` forces a win in ``moves`` moves of its own.

    ``lines`` holds every move that wins in time: one at the start, maybe several later.
    """

    position: Any
    seat: int
    moves: int
    lines: dict[str, Branch]
    params: dict[str, Any] = {}
    seats: int = 2


class Solver:
    """Searches for forced wins of one side in a game without secrets, whose states are hashable."""

    def __init__(self, title: AnyGame, seat: Seat, most: int = MOST_NODES) -> None:
        self._title = title
        self._seat = seat
        self._left = most
        self._known: dict[tuple[Any, int], bool] = {}

    def wins(self, state: Any, moves: int) -> bool:
        """Whether the side wins within ``moves`` moves of its own, whatever the other plays.

        :raises Unproved: the limit is reached, or a move has to roll dice.
        """
        ranks = self._title.result(state)
        if ranks is not None:
            return ranks[self._seat] == 1 and ranks.count(1) == 1
        (mover,) = self._title.actors(state)
        if mover == self._seat and not moves:
            return False
        key = (state, moves)
        if key not in self._known:
            self._known[key] = self._search(state, mover, moves)
        return self._known[key]

    def _search(self, state: Any, mover: Seat, moves: int) -> bool:
        following = self._following(state, mover)
        if mover == self._seat:
            return any(self.wins(after, moves - 1) for _, after in following)
        return all(self.wins(after, moves) for _, after in following)

    def _following(self, state: Any, mover: Seat) -> Iterator[tuple[str, Any]]:
        for move in self._title.moves(state, mover):
            if self._left <= 0:
                raise Unproved
            self._left -= 1
            try:
                after, _ = self._title.play(state, mover, move, no_dice())
            except ChanceError:
                raise Unproved from None
            yield str(move), after

    def fewest(self, state: Any, moves: int) -> int | None:
        """Return the minimum number of moves with which the side wins. ``None`` above ``moves``."""
        return next((few for few in range(moves + 1) if self.wins(state, few)), None)

    def lines(self, state: Any, moves: int) -> dict[str, Branch]:
        """Return every move that wins within ``moves`` moves, each with the longest resistance."""
        return {
            text: self._branch(after, moves - 1)
            for text, after in self._following(state, self._seat)
            if self.wins(after, moves - 1)
        }

    def _branch(self, state: Any, moves: int) -> Branch:
        replies: list[str] = []
        while self._title.result(state) is None:
            (mover,) = self._title.actors(state)
            if mover == self._seat:
                return Branch(tuple(replies), self.lines(state, moves))
            # Of replies that resist as long, the first one.
            text, state = max(
                self._following(state, mover),
                key=lambda reply: self.fewest(reply[1], moves) or 0,
            )
            replies.append(text)
        return Branch(tuple(replies))


def prove(title: AnyGame, state: Any, params: dict[str, Any], seats: int = 2) -> Puzzle | None:
    """Return the puzzle of a position. ``None`` if it isn't a good one, or the proof is too long.

    A good one has a single move that wins in the fewest moves.
    """
    (seat,) = title.actors(state)
    solver = Solver(title, seat)
    try:
        moves = solver.fewest(state, MOST_MOVES)
        if not moves:
            return None
        lines = solver.lines(state, moves)
    except Unproved:
        return None
    is_good = len(lines) == 1 and _count(lines) <= MOST_LINES and _has_choice(title, state, seat)
    return Puzzle(title.dump(state), seat, moves, lines, params, seats) if is_good else None


def _has_choice(title: AnyGame, state: Any, seat: Seat) -> bool:
    choices = islice(title.moves(state, seat), FEWEST_CHOICES)
    return len(list(choices)) == FEWEST_CHOICES


def _count(lines: dict[str, Branch]) -> int:
    return sum(1 + _count(branch.lines) for branch in lines.values())


def key_of(puzzle: Puzzle) -> str:
    """Return the key under which progress on a puzzle is stored."""
    seen = msgspec.json.encode([puzzle.position, puzzle.params, puzzle.moves], order="sorted")
    return f"puzzle-{sha256(seen).hexdigest()[:12]}"


@cache
def puzzles(slug: str) -> tuple[Puzzle, ...]:
    """Return a game's puzzles in order. Empty without any. Each process reads them once.

    :raises ValueError: the file isn't valid.
    """
    file = registry.folder(slug) / FILE
    if not file.exists():
        return ()
    return msgspec.json.decode(file.read_bytes(), type=tuple[Puzzle, ...])


@cache
def as_lessons(slug: str) -> tuple[Lesson, ...]:
    """Return a game's puzzles in the form of lessons, numbered from 1."""
    title = registry.get(slug)
    return tuple(_lesson(title, one, number) for number, one in enumerate(puzzles(slug), start=1))


def of_the_day(slug: str, day: date) -> Lesson | None:
    """Return a game's puzzle for a day, each in turn. ``None`` for a game without puzzles."""
    puzzles = as_lessons(slug)
    return puzzles[day.toordinal() % len(puzzles)] if puzzles else None


def _lesson(title: AnyGame, puzzle: Puzzle, number: int) -> Lesson:
    colours = [colour.name for colour in title.meta.colours[: puzzle.seats]]
    mine = colours.pop(puzzle.seat)
    others, play = (colours[0], "plays") if len(colours) == 1 else ("the others", "play")
    (first,) = puzzle.lines
    return Lesson(
        title=f"{mine} wins in {NUMBERS[puzzle.moves]}",
        text=f"You are {mine}: win in {NUMBERS[puzzle.moves]}, whatever {others} {play}.",
        position=puzzle.position,
        solution=(first,),
        right=f"You win. {sentence(others)} could not prevent it.",
        otherwise="",
        hint="Only one first move wins. Later, every move that still wins in time counts.",
        closing="",
        seat=puzzle.seat,
        seats=puzzle.seats,
        params=puzzle.params,
        key=key_of(puzzle),
        number=number,
    )


def attempt(title: AnyGame, lesson: Lesson, texts: Sequence[str]) -> Attempt:
    """Play moves in a puzzle in the form of a lesson, with the replies to them.

    :raises RulesError: a move is refused.
    :raises BrokenPosition: the puzzle was over before the last move.
    """
    puzzle = puzzles(title.meta.slug)[lesson.number - 1]
    tried = Attempt(start(title, lesson))
    lines = puzzle.lines
    for left, text in zip(range(puzzle.moves, -1, -1), texts, strict=False):
        if tried.verdict is not Verdict.OPEN:
            raise BrokenPosition("This puzzle is over.")
        tried = after_move(title, lesson, replace(tried, events=()), Seat(puzzle.seat), text)
        branch = lines.get(tried.moves[-1].text)
        if branch is None:
            answer = f"That move doesn’t force a win in {NUMBERS[left]}."
            tried = replace(tried, verdict=Verdict.WRONG, answer=answer)
            continue
        for reply in branch.replies:
            tried = after_move(title, lesson, tried, title.actors(tried.state)[0], reply)
        lines = branch.lines
        tried = _right(lesson, tried, left - 1, is_won=not lines)
    return tried


def _right(lesson: Lesson, tried: Attempt, left: int, *, is_won: bool) -> Attempt:
    if is_won:
        return replace(tried, verdict=Verdict.RIGHT, answer=lesson.right)
    return replace(tried, answer=f"Right. Now win in {NUMBERS[left]}.")


def terms(title: AnyGame, params: Params) -> dict[str, Any]:
    standard = complete(title.meta, {})
    return {name: value for name, value in params.items() if value != standard[name]}
