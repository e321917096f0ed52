"""What a review finds: the chances after each entry, and the moves that changed them most.

Each answer of the bots depends on the position alone, so it does not matter where work on a review
is broken off and gone on with.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct, structs

from games.bots.levels import LEVELS
from games.bots.questions import Appraisal, Appraised, Ply
from games.kernel import registry
from games.kernel.contract import Seat
from games.kernel.heuristics import first_place
from games.matches import selectors
from games.matches.errors import LOG
from games.matches.log.log_entries import PLAY, undone
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot, Step

Chances = list[int]
"""The chance of each seat to win, in thousandths."""

WHOLE = 1000

EFFORT = 4
"""All positions together are searched as long as a bot of the highest level thinks for so many
moves."""

FEWEST = 24
"""The fewest simulations of a position."""

SHORTEST, CLOSER = 8, 5
"""A position gets at most an eighth of the simulations of the highest level, one beside a turning
point a fifth."""

FEWEST_CLOSER = 100
"""The fewest simulations beside a turning point."""

CANDIDATES, MOST_POINTS = 6, 5
"""So many moves are looked at more closely, and so many are named at most."""

CANDIDATE_FALL, FALL = 80, 100
"""From such a fall of somebody's chance on a move is looked at, and is a turning point."""

MISTAKE = 50
"""By so much another move has to be better to be shown."""


class TurningPoint(Struct, frozen=True):
    """A move after which the chance of ``seat`` is lower, in thousandths.

    ``expected`` is that chance as an average of all rolls of the move, ``None`` where it rolls
    nothing. ``line`` is how the bots would have played, empty where they would have played the same
    or it makes no difference; ``phrase`` is its first move in words. If it ``rolls``, the last move
    of the line rolls dice.
    """

    number: int
    seat: Seat
    mover: Seat
    before: int
    after: int
    expected: int | None = None
    line: tuple[Ply, ...] = ()
    phrase: str = ""
    rolls: bool = False
    is_examined: bool = False

    @property
    def fall(self) -> int:
        """By how much the chance is lower."""
        return self.before - self.after


@dataclass
class Work:
    """A review as far as it is worked out.

    ``values`` are the chances at the start and after each entry so far. ``points`` are the moves to
    look at more closely, ``None`` until all values are there. ``ask`` is how bots are asked.
    """

    snapshot: MatchSnapshot
    log: Sequence[LogEntry]
    values: list[Chances]
    points: list[TurningPoint] | None
    ask: Callable[[Appraisal], Appraised]

    @cached_property
    def steps(self) -> Sequence[Step]:
        """What setup and each entry led to.

        :raises Unreadable: the log does not replay.
        """
        with selectors.reading(self.snapshot.match, LOG):
            return selectors.replay(self.snapshot, self.log)

    @cached_property
    def _effort(self) -> int:
        """How many simulations a bot of the highest level makes for a move."""
        known = registry.heuristics(self.snapshot.title)
        return known.effort(self.steps[0].state, len(LEVELS) - 1)

    def parts(self) -> Iterator[None]:
        """Work out what is missing, part by part."""
        while len(self.values) < len(self.steps):
            self.values.append(self._after(len(self.values)))
            yield
        if self.points is None:
            self.points = self._candidates()
        for at, point in enumerate(self.points):
            if not point.is_examined:
                self.points[at] = self._examined(point)
                yield
        self.points = self._chosen(self.points)

    # --- Chances ----------------------------------------------------------------------------------

    def _after(self, number: int) -> Chances:
        """Return the chances after an entry; most entries that are no moves change nothing."""
        entry = self.log[number - 1] if number else None
        if entry and entry.undoes:
            return self.values[entry.undoes - 1]
        if number and self.steps[number].state == self.steps[number - 1].state:
            return self.values[number - 1]
        share = EFFORT * self._effort // len(self.steps)
        return self._chances(number, max(FEWEST, min(share, self._effort // SHORTEST)))

    def _chances(self, number: int, simulations: int) -> Chances:
        ranks = self.snapshot.title.result(self.steps[number].state)
        if ranks:
            return _in_thousandths(first_place(ranks))
        return _in_thousandths(self._appraised(number, simulations).values)

    def _appraised(self, number: int, simulations: int, move: str = "") -> Appraised:
        snapshot = self.snapshot
        return self.ask(
            Appraisal(
                snapshot.match.title,
                snapshot.match.rules_version,
                snapshot.params,
                len(snapshot.players),
                snapshot.title.dump(self.steps[number].state),
                simulations,
                move,
            )
        )

    # --- Turning points ---------------------------------------------------------------------------

    def _candidates(self) -> list[TurningPoint]:
        """Return the moves after which somebody's chance fell most, in their order."""
        gone = undone(self.log)
        moves = [entry for entry in self.log if entry.kind == PLAY and entry.number not in gone]
        points = [self._point(entry) for entry in moves]
        points.sort(key=lambda point: -point.fall)
        largest = [point for point in points if point.fall >= CANDIDATE_FALL][:CANDIDATES]
        return sorted(largest, key=lambda point: point.number)

    def _point(self, entry: LogEntry) -> TurningPoint:
        number = entry.number
        before, after = self.values[number - 1], self.values[number]
        seat = max(range(len(before)), key=lambda seat: before[seat] - after[seat])
        mover = Seat(entry.seat or 0)
        return TurningPoint(number, Seat(seat), mover, before[seat], after[seat])

    def _examined(self, point: TurningPoint) -> TurningPoint:
        """Return a turning point after more simulations, told apart by move and dice."""
        number, seat, entry = point.number, point.seat, self.log[point.number - 1]
        simulations = max(FEWEST_CLOSER, self._effort // CLOSER)
        best = self._appraised(number - 1, simulations)
        self.values[number - 1] = _in_thousandths(best.values)
        self.values[number] = self._chances(number, simulations)
        before, after = self.values[number - 1][seat], self.values[number][seat]
        expected = None
        rolls = any(sides is not None for sides in entry.sides)
        if rolls and not self.snapshot.title.meta.observes:
            asked = self._appraised(number - 1, simulations, entry.text)
            expected = _in_thousandths(asked.values)[seat]
        point = structs.replace(
            point, before=before, after=after, expected=expected, is_examined=True
        )
        cost = before - (after if expected is None else expected)
        if point.mover != seat or cost < MISTAKE or not best.line:
            return point
        return self._with_line(point, best)

    def _with_line(self, point: TurningPoint, best: Appraised) -> TurningPoint:
        title, state = self.snapshot.title, self.steps[point.number - 1].state
        seat, text = best.line[0].seat, best.line[0].move
        if seat != point.mover or text == self.log[point.number - 1].text:
            return point
        phrase = title.phrase(title.parse(text), title.open_view(state), seat, None)
        return structs.replace(point, line=best.line, phrase=phrase, rolls=best.rolls)

    @staticmethod
    def _chosen(points: Sequence[TurningPoint]) -> list[TurningPoint]:
        largest = sorted(points, key=lambda point: -point.fall)[:MOST_POINTS]
        chosen = [point for point in largest if point.fall >= FALL]
        return sorted(chosen, key=lambda point: point.number)


def _in_thousandths(values: Sequence[float]) -> Chances:
    return [round(WHOLE * value) for value in values]
