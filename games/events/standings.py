"""Standings of a tournament: points, and what decides between equal points.

Pure functions of results. A match with two seats gives 1 point, ½ for a draw. With more seats the
first has 1 point, the last 0, and the others lie evenly between; equal ranks share.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from games.kernel.two_players import PAIR


class Played(NamedTuple):
    """A seat at a table: who sat there, and the rank, ``None`` without a result."""

    entrant: int
    seat: int
    rank: int | None


@dataclass(frozen=True)
class Result:
    """A table whose result is known; a bye has one seat.

    In a knock-out, players who rank below the first ``going_on`` have lost, and so has the last of
    a smaller table.
    """

    round: int
    seats: Sequence[Played]
    going_on: int = 1

    @property
    def is_bye(self) -> bool:
        """Whether one player sat there alone."""
        return len(self.seats) == 1

    def points(self, seat: Played) -> Fraction:
        """Return the points of a seat."""
        if seat.rank is None:
            return Fraction(0)
        if self.is_bye:
            return Fraction(1)
        others = [one for one in self.seats if one is not seat]
        return sum((share(seat, other) for other in others), Fraction(0)) / len(others)


def share(one: Played, other: Played) -> Fraction:
    """Return what one player has of the meeting with another: 1, ½ or 0."""
    if one.rank is None:
        return Fraction(0)
    if other.rank is None or one.rank < other.rank:
        return Fraction(1)
    return Fraction(1, 2) if one.rank == other.rank else Fraction(0)


@dataclass
class Line:
    """A line of the standings.

    ``last_rank`` is the rank at the last table. ``duel`` are the points against those with the same
    points, ``berger`` the Sonneborn–Berger score, ``hard_wins`` the wins from the harder seat.
    """

    entrant: int
    points: Fraction = Fraction(0)
    duel: Fraction = Fraction(0)
    berger: Fraction = Fraction(0)
    hard_wins: int = 0
    losses: int = 0
    last_round: int = 0
    last_rank: int = 0
    byes: int = 0
    met: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    place: int = 0
    is_out: bool = False
    group: int | None = None

    @property
    def order(self) -> tuple[Fraction, Fraction, Fraction, int]:
        """What decides the place, the most important first."""
        return self.points, self.duel, self.berger, self.hard_wins


def standings(
    entrants: Sequence[int],
    results: Sequence[Result],
    *,
    lives: int = 0,
    left: Sequence[int] = (),
) -> list[Line]:
    """Return the lines in order; players who are equal in everything share a place.

    With ``lives`` the place is decided by how long a player stayed in, and at tables of several
    seats by the rank at the last one. ``left`` are the players who have withdrawn: in a knock-out
    they are out.
    """
    lines = {entrant: Line(entrant) for entrant in entrants}
    for result in results:
        _count(result, lines)
    _break_ties(lines, results)
    for line in lines.values():
        line.is_out = line.entrant in left or (lives > 0 and line.losses >= lives)
    by_rank = any(len(result.seats) > PAIR for result in results)
    key: Callable[[Line], tuple[object, ...]]
    key = partial(_stayed, by_rank=by_rank) if lives else _ordered
    ordered = sorted(lines.values(), key=lambda line: (key(line), line.entrant))
    for index, line in enumerate(ordered):
        before = ordered[index - 1] if index else None
        same = before is not None and key(before) == key(line)
        line.place = before.place if before and same else index + 1
    return ordered


def _ordered(line: Line) -> tuple[object, ...]:
    # Players who left rank below all others, so that a player who stayed takes first place.
    return line.is_out, *(-value for value in line.order)


def _stayed(line: Line, *, by_rank: bool) -> tuple[object, ...]:
    rank = line.last_rank if by_rank else 0
    return line.is_out, -line.last_round if line.is_out else 0, rank, line.losses


def _count(result: Result, lines: Mapping[int, Line]) -> None:
    for seat in result.seats:
        line = lines[seat.entrant]
        line.points += result.points(seat)
        if result.round >= line.last_round:
            line.last_round = result.round
            line.last_rank = seat.rank or len(result.seats)
        if result.is_bye:
            line.byes += 1
            continue
        line.seats.append(seat.seat)
        line.met += [other.entrant for other in result.seats if other is not seat]
        best = min(result.going_on, len(result.seats) - 1)
        line.losses += seat.rank is None or seat.rank > best


def harder_seat(results: Sequence[Result]) -> int | None:
    """Return the seat that scored least in a tournament; ``None`` if none scored less."""
    scores: defaultdict[int, list[Fraction]] = defaultdict(list)
    for result in results:
        for seat in result.seats if not result.is_bye else ():
            scores[seat.seat].append(result.points(seat))
    average = {seat: sum(points, Fraction(0)) / len(points) for seat, points in scores.items()}
    if len(set(average.values())) < 2:  # noqa: PLR2004 - nothing to tell apart
        return None
    # Of equally hard seats the later one, which moves later.
    return min(average, key=lambda seat: (average[seat], -seat))


def _break_ties(lines: Mapping[int, Line], results: Sequence[Result]) -> None:
    hard = harder_seat(results)
    points = {line.entrant: line.points for line in lines.values()}
    for result in results:
        for seat in result.seats if not result.is_bye else ():
            line = lines[seat.entrant]
            line.hard_wins += seat.seat == hard and seat.rank == 1
            for other in result.seats:
                if other is seat:
                    continue
                won = share(seat, other)
                line.berger += won * points[other.entrant]
                if points[other.entrant] == line.points:
                    line.duel += won


def in_words(points: Fraction) -> str:
    """Return points as they are shown: ``2½``, or ``2.67``."""
    whole, rest = divmod(points, 1)
    if rest == 0:
        return str(whole)
    if rest == Fraction(1, 2):
        return f"{whole or ''}½"
    return f"{float(points):.2f}"
