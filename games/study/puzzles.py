"""Puzzles: positions in which one move forces a win, or has the best chance.

Wins are proved by search, chances by enumeration, or with physics by drops. A game may have a file
``puzzles.json`` in its folder. ``manage.py find_puzzles`` writes it.
"""

from collections.abc import Iterator, Mapping, Sequence
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
from games.kernel.language import cached, gettext, gettext_noop, ngettext
from games.kernel.params import complete
from games.study.lessons import Attempt, Lesson, Verdict, after_move, start

FILE = "puzzles.json"

FEWEST_MOVES, MOST_MOVES = 2, 5
"""Minimum and maximum number of moves that the solver's side needs.

One is enough if the other side then has a choice of replies.
"""

FEWEST = 100
"""Minimum number of puzzles of a game that has any."""

FEWEST_CHOICES = 3
"""Minimum number of legal moves at the start. With fewer there is nothing to find."""

MOST_NODES = 60_000
"""Maximum number of moves that the proof of a puzzle may try."""

MOST_LINES = 60
"""Maximum number of winning moves of a puzzle in total."""

NOTHING = "pass"
"""A move that does nothing, in the games that have one. It is no solution."""

IN_MOVES = (
    # Translators: after "win", as in "Win in two moves".
    gettext_noop("in no move"),
    gettext_noop("in one move"),
    gettext_noop("in two moves"),
    gettext_noop("in three moves"),
    gettext_noop("in four moves"),
    gettext_noop("in five moves"),
)

FREE_REPLIES, FORCED_REPLIES = "replies", "forced"
"""Themes of forced wins: whether the other side ever has a choice of replies."""

PLAYERS = "players-{}"
"""The theme of puzzles for more than two players."""

START = date(2026, 11, 1)
"""The day of the first puzzle of the day."""


NO_DICE: Any = no_dice()
"""Dice that refuse to roll."""


class Unproved(Exception):
    """The search has reached its limit, or chance decides."""


class Branch(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The replies of the other side to a winning move, and the moves that still win.

    There are no further moves once the match is won.
    """

    replies: tuple[str, ...] = ()
    lines: dict[str, "Branch"] = {}


class Puzzle(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A position in which ``seat`` forces a win, or decides by chances.

    A forced win takes ``moves`` moves of its own, apart from those that are its only ones.
    ``lines`` holds every move that wins in time: one at the start, maybe several later.
    A decision has a ``right`` move instead. ``best`` is its chance, ``second`` the best chance of
    any other decision (:mod:`games.kernel.decisions`).
    """

    position: Any
    seat: int
    moves: int = 1
    lines: dict[str, Branch] = {}
    params: dict[str, Any] = {}
    seats: int = 2
    themes: tuple[str, ...] = ()
    right: str = ""
    best: float = 0.0
    second: float = 0.0

    @property
    def first(self) -> str:
        """The right first move."""
        return self.right or next(iter(self.lines))

    @property
    def margin(self) -> float:
        return self.best - self.second

    @property
    def line(self) -> tuple[str, ...]:
        """The solver's moves of the solution, with the first of several that win."""
        moves: list[str] = []
        lines = self.lines
        while lines:
            text, branch = next(iter(lines.items()))
            moves.append(text)
            lines = branch.lines
        return tuple(moves) or (self.right,)


class Solver:
    """Searches for forced wins of one side in a game without secrets, whose states are hashable.

    A move that is the only one of its side doesn't count: the puzzle plays it.
    """

    def __init__(self, title: AnyGame, seat: Seat, most: int = MOST_NODES) -> None:
        self._title = title
        self._known = registry.heuristics(title)
        self._seat = seat
        self._left = most
        self._wins: dict[Any, int] = {}
        self._fails: dict[Any, int] = {}
        self._killers: dict[tuple[Seat, int], Any] = {}

    def wins(self, state: Any, moves: int) -> bool:
        """Whether the side wins within ``moves`` moves of its own, whatever the other plays.

        :raises Unproved: the limit is reached, or a move has to roll dice.
        """
        ranks = self._title.result(state)
        if ranks is not None:
            return ranks[self._seat] == 1 and ranks.count(1) == 1
        if self._wins.get(state, MOST_MOVES + 1) <= moves:
            return True
        if self._fails.get(state, -1) >= moves:
            return False
        is_won = self._search(state, moves)
        (self._wins if is_won else self._fails)[state] = moves
        return is_won

    def _search(self, state: Any, moves: int) -> bool:
        (mover,) = self._title.actors(state)
        options = list(self._title.moves(state, mover))
        is_own = mover == self._seat
        left = moves - (is_own and len(options) > 1)
        if left < 0:
            return False
        killer = self._killers.get((mover, left))
        if killer in options:
            options.remove(killer)
            options.insert(0, killer)
        for move in options:
            if self.wins(self._after(state, mover, move), left) == is_own:
                self._killers[mover, left] = move
                return is_own
        return not is_own

    def _after(self, state: Any, mover: Seat, move: Any) -> Any:
        if self._left <= 0:
            raise Unproved
        self._left -= 1
        try:
            return self._known.advance(state, mover, move, NO_DICE)
        except ChanceError:
            raise Unproved from None

    def _following(self, state: Any, mover: Seat) -> Iterator[tuple[str, Any]]:
        for move in self._title.moves(state, mover):
            yield str(move), self._after(state, mover, move)

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
            following = list(self._following(state, mover))
            if mover == self._seat and len(following) > 1:
                return Branch(tuple(replies), self.lines(state, moves))
            # Of replies that resist as long, the first one.
            text, state = max(following, key=lambda reply: self.fewest(reply[1], moves) or 0)
            replies.append(text)
        return Branch(tuple(replies))

    def has_free_replies(self, state: Any, lines: Mapping[str, Branch]) -> bool:
        """Whether the other side has a choice anywhere in the lines."""
        for text, branch in lines.items():
            after = self._played(state, text)
            for reply in branch.replies:
                (mover,) = self._title.actors(after)
                if (
                    mover != self._seat
                    and len(list(islice(self._title.moves(after, mover), 2))) > 1
                ):
                    return True
                after = self._played(after, reply)
            if self.has_free_replies(after, branch.lines):
                return True
        return False

    def _played(self, state: Any, text: str) -> Any:
        (mover,) = self._title.actors(state)
        return next(after for other, after in self._following(state, mover) if other == text)


def prove(
    title: AnyGame,
    state: Any,
    params: dict[str, Any],
    seats: int = 2,
    *,
    most: int = MOST_NODES,
    longest: int = MOST_MOVES,
) -> Puzzle | None:
    """Return the puzzle of a position. ``None`` if it isn't a good one, or the proof is too long.

    A good one has a single move that wins in the fewest moves.
    """
    (seat,) = title.actors(state)
    solver = Solver(title, seat, most)
    if not _has_choice(title, state, seat):
        return None
    try:
        moves = solver.fewest(state, longest)
        if not moves:
            return None
        lines = solver.lines(state, moves)
        if len(lines) != 1 or NOTHING in lines or _count(lines) > MOST_LINES:
            return None
        free = solver.has_free_replies(state, lines)
        if moves < FEWEST_MOVES and not free:
            return None
    except (Unproved, RecursionError):
        return None
    themes = (f"win-{moves}", FREE_REPLIES if free else FORCED_REPLIES, *_players(seats))
    return Puzzle(title.dump(state), seat, moves, lines, params, seats, themes)


def decide(
    title: AnyGame, state: Any, seat: Seat, params: dict[str, Any], seats: int
) -> Puzzle | None:
    """Return the puzzle of a decision. ``None`` if nothing is clearly the best."""
    questions = registry.decisions(title)
    answer = questions and questions.answer(state, seat, params)
    if not answer:
        return None
    return Puzzle(
        title.dump(state),
        seat,
        params=params,
        seats=seats,
        themes=(answer.theme, *_players(seats)),
        right=answer.move,
        best=round(answer.best, 4),
        second=round(answer.second, 4),
    )


def _players(seats: int) -> tuple[str, ...]:
    return (PLAYERS.format(seats),) if seats > 2 else ()  # noqa: PLR2004 - two is usual


def theme_names(title: AnyGame) -> dict[str, str]:
    """Return the names of the themes that a game's puzzles may have, by key."""
    questions = registry.decisions(title)
    win = gettext("Win {in_moves}")
    numbers = range(1, MOST_MOVES + 1)
    wins = {f"win-{moves}": win.format(in_moves=gettext(IN_MOVES[moves])) for moves in numbers}
    replies = {FREE_REPLIES: gettext("Free replies"), FORCED_REPLIES: gettext("Forced replies")}
    own = {k: gettext(v) for k, v in questions.themes.items()} if questions else wins | replies
    most = title.meta.seats[1]
    return own | {
        PLAYERS.format(count): ngettext("{count} player", "{count} players", count).format(
            count=count
        )
        for count in range(3, most + 1)
    }


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


@cached(None)
def as_lessons(slug: str) -> tuple[Lesson, ...]:
    """Return a game's puzzles in the form of lessons, numbered from 1."""
    title = registry.get(slug)
    return tuple(_lesson(title, one, number) for number, one in enumerate(puzzles(slug), start=1))


@cached(None)
def themes(slug: str) -> Mapping[str, str]:
    """Return the names of the themes of a game's puzzles, by key."""
    known = {theme for puzzle in puzzles(slug) for theme in puzzle.themes}
    names = theme_names(registry.get(slug))
    return {key: name for key, name in names.items() if key in known}


def of_the_day(day: date) -> tuple[AnyGame, Lesson] | None:
    """Return the game and the puzzle of a day. ``None`` if no game has any.

    The games take turns, each with its next puzzle. With a hundred each, four games last a year.
    Adding puzzles changes nothing before the last one has had its turn.
    """
    games = [title for slug, title in registry.titles().items() if puzzles(slug)]
    if not games:
        return None
    turn, number = divmod((day - START).days, len(games))
    title = games[number]
    lessons = as_lessons(title.meta.slug)
    return title, lessons[turn % len(lessons)]


def _lesson(title: AnyGame, puzzle: Puzzle, number: int) -> Lesson:
    colours = [colour.shown_name for colour in title.meta.colours[: puzzle.seats]]
    mine = colours.pop(puzzle.seat)
    if puzzle.right:
        return _of_decision(title, puzzle, number, mine)
    if len(colours) == 1:
        task = gettext("You are {colour}: win {in_moves}, whatever {other} plays.")
        if puzzle.moves == 1:
            task = gettext(
                "You are {colour}: find the only move that wins, whatever {other} plays next."
            )
        right = gettext("You win. {other} could not prevent it.").format(other=colours[0])
    else:
        task = gettext("You are {colour}: win {in_moves}, whatever the others play.")
        if puzzle.moves == 1:
            task = gettext(
                "You are {colour}: find the only move that wins, whatever the others play next."
            )
        right = gettext("You win. The others could not prevent it.")
    in_moves = gettext(IN_MOVES[puzzle.moves])
    return Lesson(
        title=gettext("{colour} wins {in_moves}").format(colour=mine, in_moves=in_moves),
        text=task.format(colour=mine, in_moves=in_moves, other=colours[0]),
        position=puzzle.position,
        solution=(puzzle.first,),
        right=right,
        otherwise="",
        hint=gettext("Only one first move wins. Later, every move that still wins in time counts."),
        closing="",
        seat=puzzle.seat,
        seats=puzzle.seats,
        params=puzzle.params,
        key=key_of(puzzle),
        number=number,
    )


def _of_decision(title: AnyGame, puzzle: Puzzle, number: int, mine: str) -> Lesson:
    questions = registry.decisions(title)
    assert questions  # noqa: S101 - a game with decisions has questions
    chances = {"best": _percent(puzzle.best), "second": _percent(puzzle.second)}
    you = gettext("You are {colour}.").format(colour=mine)
    question, remark = gettext(questions.question), gettext(questions.remark)
    return Lesson(
        title=gettext("The best chance for {colour}").format(colour=mine),
        text=f"{you} {question} {remark}".strip(),
        position=puzzle.position,
        solution=(puzzle.right,),
        right=gettext(questions.odds).format(**chances),
        otherwise=gettext("Another choice is better."),
        hint=gettext("The chance counts, not what happens when you play it."),
        closing="",
        seat=puzzle.seat,
        seats=puzzle.seats,
        params=puzzle.params,
        key=key_of(puzzle),
        number=number,
    )


def _percent(chance: float) -> str:
    return f"{100 * chance:.0f} %"


def attempt(title: AnyGame, lesson: Lesson, texts: Sequence[str]) -> Attempt:
    """Play moves in a puzzle in the form of a lesson, with the replies to them.

    :raises RulesError: a move is refused.
    :raises BrokenPosition: the puzzle was over before the last move.
    """
    puzzle = puzzles(title.meta.slug)[lesson.number - 1]
    tried = Attempt(start(title, lesson))
    if puzzle.right and texts:
        return _decided(title, lesson, puzzle, tried, texts)
    lines = puzzle.lines
    for left, text in zip(range(puzzle.moves, -1, -1), texts, strict=False):
        if tried.verdict is not Verdict.OPEN:
            raise BrokenPosition(gettext("This puzzle is over."))
        tried = after_move(title, lesson, replace(tried, events=()), Seat(puzzle.seat), text)
        branch = lines.get(tried.moves[-1].text)
        if branch is None:
            answer = gettext("That move doesn’t force a win {in_moves}.").format(
                in_moves=gettext(IN_MOVES[left])
            )
            tried = replace(tried, verdict=Verdict.WRONG, answer=answer)
            continue
        for reply in branch.replies:
            seat = title.actors(tried.state)[0]
            tried = after_move(title, lesson, tried, seat, reply, is_reply=True)
        lines = branch.lines
        tried = _right(lesson, tried, left - 1, is_won=not lines)
    return tried


def attempt_first(
    title: AnyGame, lesson: Lesson, made: Sequence[str], more: Sequence[str]
) -> Attempt:
    """Return the effects of more moves after those made. Moves after a verdict are ignored.

    :raises GameError: a move is refused.
    """
    for count in range(1, len(more) + 1):
        done = attempt(title, lesson, (*made, *more[:count]))
        if done.verdict is not Verdict.OPEN:
            break
    return done


def solution(title: AnyGame, lesson: Lesson) -> Sequence[Attempt]:
    """Return a puzzle's start, and what each move of its solution leads to, replies included."""
    puzzle = puzzles(title.meta.slug)[lesson.number - 1]
    steps = [Attempt(start(title, lesson))]
    lines = puzzle.lines or {puzzle.right: Branch()}
    while lines:
        text, branch = next(iter(lines.items()))
        for played in (text, *branch.replies):
            seat = title.actors(steps[-1].state)[0]
            steps.append(after_move(title, lesson, replace(steps[-1], events=()), seat, played))
        lines = branch.lines
    return [replace(one, verdict=Verdict.RIGHT, answer=lesson.right) for one in steps]


def _right(lesson: Lesson, tried: Attempt, left: int, *, is_won: bool) -> Attempt:
    if is_won:
        return replace(tried, verdict=Verdict.RIGHT, answer=lesson.right)
    answer = gettext("Right. Now win {in_moves}.").format(in_moves=gettext(IN_MOVES[left]))
    return replace(tried, answer=answer)


def _decided(
    title: AnyGame, lesson: Lesson, puzzle: Puzzle, tried: Attempt, texts: Sequence[str]
) -> Attempt:
    if len(texts) > 1:
        raise BrokenPosition(gettext("This puzzle is over."))
    (text,) = texts
    seat = Seat(puzzle.seat)
    after = after_move(title, lesson, tried, seat, text)
    questions = registry.decisions(title)
    right = title.parse(puzzle.right)
    if questions and questions.is_right(tried.state, seat, right, title.parse(text)):
        return replace(after, verdict=Verdict.RIGHT, answer=lesson.right)
    return replace(after, verdict=Verdict.WRONG, answer=f"{lesson.otherwise} {lesson.right}")


def terms(title: AnyGame, params: Params) -> dict[str, Any]:
    standard = complete(title.meta, {})
    return {name: value for name, value in params.items() if value != standard[name]}
