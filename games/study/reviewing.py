"""The findings of a review: the chances after each entry, and what changed them most.

First each position gets a short look. Then the positions before and after large changes get a
closer one, the largest change first. A bot underrates positions whose best move it hasn't seen, and
then the chance seems to change with the answer to a mistake. So a position is worth at least what
the move made there is worth to its player, and the change is charged to who allowed that move.

Each answer of the bots depends on the position alone, and the next question on the answers so far,
so work on a review may be interrupted anywhere.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from msgspec import Struct, structs

from games.bots.levels import LEVELS
from games.bots.questions import Appraisal, Appraised, Ply
from games.kernel import registry
from games.kernel.contract import Ranks, Seat
from games.kernel.heuristics import first_place
from games.kernel.replay import Moment
from games.matches.errors import LOG, reading
from games.matches.log.log_entries import PLAY, PLAYED, undone
from games.matches.models import LogEntry
from games.matches.table import Table

Chances = list[int]
"""The chance of each seat to win, in thousandths."""

WHOLE = 1000

EFFORT = 4
"""Effort for all positions together, in units of a move of a bot of the highest level."""

FEWEST = 24
"""Minimum number of simulations of a position."""

SHORTEST, CLOSER = 8, 2
"""A position gets at most an eighth of the simulations of the highest level, one beside a large
change half of them.
"""

FEWEST_CLOSER = 100
"""Minimum number of simulations beside a large change."""

MOST_CLOSER = 30
"""Maximum number of positions, and of moves with chance, that are examined closely."""

CANDIDATE_CHANGE, FALL = 80, 100
"""A change of a chance is examined closely from the first on. After a turning point a chance is
lower by at least the second.
"""

MISTAKE = 50
"""Another move is shown only if it is better by at least this much."""


class TurningPoint(Struct, frozen=True):
    """A move after which the chance of ``seat`` is lower, in thousandths.

    Or it is no move, and ``mover`` resigned, ran out of time or was removed.
    ``expected`` is the average of that chance over all outcomes of the move, ``None`` if chance has
    no part in it. ``line`` is how the bots would have played, empty if they would have played the
    same or it makes no difference. If it ``rolls``, the last move of the line rolls dice.
    ``is_fight`` says that the move attacked or captured something.
    """

    number: int
    seat: Seat
    mover: Seat
    before: int
    after: int
    expected: int | None = None
    line: tuple[Ply, ...] = ()
    rolls: bool = False
    is_fight: bool = False
    is_move: bool = True

    @property
    def fall(self) -> int:
        """The decrease of the chance."""
        return self.before - self.after


class BestLine(Struct, frozen=True):
    """The best moves from a position. If it ``rolls``, the last one rolls dice."""

    moves: tuple[Ply, ...] = ()
    rolls: bool = False


class CloserLook(Struct):
    """What closer looks have shown.

    ``lines`` are the best lines from the positions examined, by the number of their entry, and
    ``expected`` the average chances over all rolls of a move, by its number.
    """

    lines: dict[int, BestLine] = {}
    expected: dict[int, Chances] = {}


@dataclass
class Work:
    """An unfinished review.

    ``values`` are the chances at the start and after each entry so far. ``points`` are the turning
    points, ``None`` until the work is done. ``ask`` asks the bots.
    """

    table: Table
    log: Sequence[LogEntry]
    values: list[Chances]
    ask: Callable[[Appraisal], Appraised]
    closer: CloserLook = field(default_factory=CloserLook)
    points: list[TurningPoint] | None = None

    @cached_property
    def moments(self) -> Sequence[Moment]:
        """The match after its setup and each entry.

        :raises Unreadable: the log does not replay.
        """
        with reading(self.table.match, LOG):
            return self.table.replayed(self.log)

    @cached_property
    def _effort(self) -> int:
        """How many simulations a bot of the highest level makes for a move."""
        known = registry.heuristics(self.table.title)
        return known.effort(self.moments[0].state, len(LEVELS) - 1)

    @cached_property
    def _played(self) -> Sequence[LogEntry]:
        """The moves that were not taken back, and who dropped out."""
        gone = undone(self.log)
        return [entry for entry in self.log if entry.kind in PLAYED and entry.number not in gone]

    @cached_property
    def _same(self) -> Sequence[int]:
        """For each position the number of the first one that is the same match situation."""
        same = [0]
        for number, entry in enumerate(self.log, 1):
            if entry.undoes:
                same.append(same[entry.undoes - 1])
            elif self.moments[number].state == self.moments[number - 1].state:
                same.append(same[number - 1])
            else:
                same.append(number)
        return same

    def parts(self) -> Iterator[None]:
        """Do the missing work, part by part."""
        while len(self.values) < len(self.moments):
            self.values.append(self._after(len(self.values)))
            yield
        while self._look_closer():
            yield
        points = map(self._point, self._played)
        self.points = [point for point in points if point.fall >= FALL]

    # --- Chances ----------------------------------------------------------------------------------

    def _after(self, number: int) -> Chances:
        """Return the chances after an entry. Most entries other than moves change nothing."""
        if self._same[number] < number:
            return self.values[self._same[number]]
        return self._chances(number, self.glance)

    @property
    def glance(self) -> int:
        """The number of simulations of a first look."""
        share = EFFORT * self._effort // len(self.moments)
        return max(FEWEST, min(share, self._effort // SHORTEST))

    def _chances(self, number: int, simulations: int) -> Chances:
        if ranks := self._result(number):
            return in_thousandths(first_place(ranks))
        return in_thousandths(self._appraised(number, simulations).values)

    def _result(self, number: int) -> Ranks | None:
        return self.table.title.result(self.moments[number].state)

    def _appraised(self, number: int, simulations: int, move: str = "") -> Appraised:
        table = self.table
        return self.ask(
            Appraisal(
                table.match.title,
                table.match.rules_version,
                table.params,
                len(table.players),
                table.title.dump(self.moments[number].state),
                simulations,
                move,
            )
        )

    def _replace(self, number: int, chances: Chances) -> None:
        """Replace the chances at a position, wherever the match was in it."""
        for other, first in enumerate(self._same):
            if first == self._same[number]:
                self.values[other] = chances

    # --- Closer looks -----------------------------------------------------------------------------

    def _look_closer(self) -> bool:
        """Look closely at the largest change that has not been. ``False`` if there is none."""
        self._charge()
        for entry in sorted(self._played, key=lambda entry: (-self._change(entry), entry.number)):
            if self._change(entry) < CANDIDATE_CHANGE:
                return False
            for number in (entry.number - 1, entry.number):
                if not self._is_close(number) and len(self.closer.lines) < MOST_CLOSER:
                    self._examine(number)
                    return True
            expected = self.closer.expected
            if self._rolls(entry) and entry.number not in expected and len(expected) < MOST_CLOSER:
                asked = self._appraised(entry.number - 1, self._simulations, entry.text)
                expected[entry.number] = in_thousandths(asked.values)
                return True
        return False

    def _change(self, entry: LogEntry) -> int:
        """Return the largest change of a chance by an entry."""
        before, after = self.values[entry.number - 1], self.values[entry.number]
        return max(abs(one - other) for one, other in zip(before, after, strict=True))

    def _is_close(self, number: int) -> bool:
        """Whether the chances at a position will not be found out any better."""
        return self._same[number] in self.closer.lines or self._result(number) is not None

    @property
    def _simulations(self) -> int:
        """The number of simulations of a closer look."""
        return max(FEWEST_CLOSER, self._effort // CLOSER)

    def _examine(self, number: int) -> None:
        best = self._appraised(number, self._simulations)
        self.closer.lines[self._same[number]] = BestLine(best.line, best.rolls)
        self._replace(number, in_thousandths(best.values))

    @staticmethod
    def _rolls(entry: LogEntry) -> bool:
        """Whether chance decides how a move turns out."""
        return entry.kind == PLAY and bool(entry.sides)

    def _charge(self) -> None:
        """Let no move raise the chance of its player: it could be made before it was made."""
        for entry in reversed(self._played):
            number, seat = entry.number, entry.seat or 0
            if not (self._is_close(number - 1) and self._is_close(number)):
                continue
            worth = self.values[number]
            if self._rolls(entry):
                if number not in self.closer.expected:
                    continue
                worth = self.closer.expected[number]
            if worth[seat] > self.values[number - 1][seat]:
                self._replace(number - 1, worth)

    # --- Turning points ---------------------------------------------------------------------------

    def _point(self, entry: LogEntry) -> TurningPoint:
        """Return an entry as a turning point, of its player if the player's own chance falls."""
        number, mover = entry.number, Seat(entry.seat or 0)
        before, after = self.values[number - 1], self.values[number]
        falls = [one - other for one, other in zip(before, after, strict=True)]
        seat = mover if falls[mover] >= FALL else Seat(falls.index(max(falls)))
        averages = self.closer.expected.get(number)
        expected = averages[seat] if averages else None
        worth = averages[mover] if averages else after[mover]
        best = self.closer.lines.get(self._same[number - 1], BestLine())
        fights = tuple(self.table.title.fights)
        point = TurningPoint(
            number,
            seat,
            mover,
            before[seat],
            after[seat],
            expected,
            is_fight=any(isinstance(event, fights) for event in self.moments[number].events),
            is_move=entry.kind == PLAY,
        )
        if before[mover] - worth < MISTAKE or not best.moves:
            return point
        return self._with_line(point, best)

    def _with_line(self, point: TurningPoint, best: BestLine) -> TurningPoint:
        seat, text = best.moves[0].seat, best.moves[0].move
        if seat != point.mover or text == self.log[point.number - 1].text:
            return point
        return structs.replace(point, line=best.moves, rolls=best.rolls)


def in_thousandths(values: Sequence[float]) -> Chances:
    """Convert chances from 0 to 1."""
    return [round(WHOLE * value) for value in values]
