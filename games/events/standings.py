"""Standings of a tournament: points and tie-breaks.

Pure functions of results. A match with two seats gives 1 point, ½ for a draw. With more seats the
first has 1 point, the last 0, and the others lie evenly between; equal ranks share.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import NamedTuple

from games.events.tie_breaks import (
    BERGER,
    BUCHHOLZ,
    CUT_ONE,
    DIRECT,
    HARD_WINS,
    MEDIAN,
    PROGRESSIVE,
    TIE_BREAKS,
    USUAL,
    WINS,
)
from games.kernel.language import decimal
from games.kernel.two_players import PAIR


class SeatResult(NamedTuple):
    """A player at a table, and the rank, ``None`` without a result."""

    entrant: int
    seat: int
    rank: int | None


@dataclass(frozen=True)
class Result:
    """A table whose result is known. A bye has one seat.

    In a knock-out, players who rank below the first ``going_on`` have lost, and so has the last of
    a smaller table. A bye that was asked for ``is_half``.
    """

    round: int
    seats: Sequence[SeatResult]
    going_on: int = 1
    is_half: bool = False

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1

    def points(self, seat: SeatResult) -> Fraction:
        if seat.rank is None:
            return Fraction(0)
        if self.is_bye:
            return Fraction(1, 2) if self.is_half else Fraction(1)
        others = [one for one in self.seats if one is not seat]
        return sum((share(seat, other) for other in others), Fraction(0)) / len(others)


def share(one: SeatResult, other: SeatResult) -> Fraction:
    """Return one player's points against another: 1, ½ or 0."""
    if one.rank is None:
        return Fraction(0)
    if other.rank is None or one.rank < other.rank:
        return Fraction(1)
    return Fraction(1, 2) if one.rank == other.rank else Fraction(0)


@dataclass
class TeamScore:
    """The points of a team, and its wins with the second seat, which decide equal points."""

    points: Fraction = Fraction(0)
    second_seat: int = 0

    @property
    def order(self) -> tuple[Fraction, int]:
        return self.points, self.second_seat


def team_scores(results: Sequence[Result], team: Mapping[int, int]) -> tuple[TeamScore, TeamScore]:
    """Return the scores of both teams. ``team`` is 1 or 2 by entrant.

    A player has 1 point for each player of the other team at the table who ranks lower, and ½ for
    each of equal rank.
    """
    scores = TeamScore(), TeamScore()
    for result in results:
        for seat in result.seats:
            score = scores[team[seat.entrant] - 1]
            score.points += points_for_team(seat, result, team)
            others = [one for one in result.seats if one is not seat]
            has_won = seat.rank == 1 and all(one.rank != 1 for one in others)
            score.second_seat += seat.seat == 1 and has_won
    return scores


def points_for_team(seat: SeatResult, result: Result, team: Mapping[int, int]) -> Fraction:
    """Return the points that a player wins for the team at a table."""
    opponents = [one for one in result.seats if team[one.entrant] != team[seat.entrant]]
    return sum((share(seat, one) for one in opponents), Fraction(0))


@dataclass
class Standing:
    """A line of the standings.

    ``last_rank`` is the rank at the last table. ``tie_breaks`` has the number of each tie-break by
    its name, and ``order`` those that count in this tournament.
    """

    entrant: int
    points: Fraction = Fraction(0)
    tie_breaks: dict[str, Fraction] = field(default_factory=dict)
    order: tuple[Fraction, ...] = ()
    losses: int = 0
    last_round: int = 0
    last_rank: int = 0
    byes: int = 0
    met: list[int] = field(default_factory=list)
    seats: list[int] = field(default_factory=list)
    place: int = 0
    is_out: bool = False
    group: int | None = None


def standings(
    entrants: Sequence[int],
    results: Sequence[Result],
    *,
    lives: int = 0,
    left: Sequence[int] = (),
    order: Sequence[str] = USUAL,
) -> list[Standing]:
    """Return the lines in order. Players who are equal in everything share a place.

    With ``lives`` the place depends on how long a player stayed in, and at tables of several seats
    on the rank at the last one. ``left`` are the players who have withdrawn: in a knock-out they
    are out. ``order`` names the tie-breaks for equal points, the most important first.
    """
    lines = {entrant: Standing(entrant) for entrant in entrants}
    for result in results:
        _count(result, lines)
    _break_ties(lines, results)
    for line in lines.values():
        line.order = (line.points, *(line.tie_breaks[key] for key in order))
        line.is_out = line.entrant in left or (lives > 0 and line.losses >= lives)
    by_rank = any(len(result.seats) > PAIR for result in results)
    key: Callable[[Standing], tuple[object, ...]]
    key = partial(_stayed, by_rank=by_rank) if lives else _ordered
    ordered = sorted(lines.values(), key=lambda line: (key(line), line.entrant))
    for index, line in enumerate(ordered):
        before = ordered[index - 1] if index else None
        same = before is not None and key(before) == key(line)
        line.place = before.place if before and same else index + 1
    return ordered


def _ordered(line: Standing) -> tuple[object, ...]:
    # Players who left rank below all others, so that a player who stayed takes first place.
    return line.is_out, *(-value for value in line.order)


def _stayed(line: Standing, *, by_rank: bool) -> tuple[object, ...]:
    rank = line.last_rank if by_rank else 0
    return line.is_out, -line.last_round if line.is_out else 0, rank, line.losses


def _count(result: Result, lines: Mapping[int, Standing]) -> None:
    for seat in result.seats:
        line = lines[seat.entrant]
        line.points += result.points(seat)
        if result.round >= line.last_round:
            line.last_round = result.round
            line.last_rank = seat.rank or len(result.seats)
        if result.is_bye:
            line.byes += not result.is_half
            continue
        line.seats.append(seat.seat)
        line.met += [other.entrant for other in result.seats if other is not seat]
        best = min(result.going_on, len(result.seats) - 1)
        line.losses += seat.rank is None or seat.rank > best


def harder_seat(results: Sequence[Result]) -> int | None:
    """Return the seat that scored least in a tournament. ``None`` if all scored the same."""
    scores: defaultdict[int, list[Fraction]] = defaultdict(list)
    for result in results:
        for seat in result.seats if not result.is_bye else ():
            scores[seat.seat].append(result.points(seat))
    average = {seat: sum(points, Fraction(0)) / len(points) for seat, points in scores.items()}
    if len(set(average.values())) < 2:  # noqa: PLR2004 - nothing to tell apart
        return None
    # Of equally hard seats the later one, which moves later.
    return min(average, key=lambda seat: (average[seat], -seat))


def _break_ties(lines: Mapping[int, Standing], results: Sequence[Result]) -> None:
    points = {line.entrant: line.points for line in lines.values()}
    met: defaultdict[int, list[Fraction]] = defaultdict(list)
    for line in lines.values():
        line.tie_breaks = dict.fromkeys(TIE_BREAKS, Fraction(0))
    for result in results:
        for seat in result.seats:
            if result.is_bye:
                # Nobody should suffer from an opponent who wasn't there.
                met[seat.entrant].append(points[seat.entrant])
                continue
            others = [one for one in result.seats if one is not seat]
            met[seat.entrant] += [points[other.entrant] for other in others]
            _count_wins(lines[seat.entrant], seat, others, points)
    hard = harder_seat(results)
    last = max((result.round for result in results), default=0)
    for result in results:
        for seat in result.seats:
            numbers = lines[seat.entrant].tie_breaks
            # A point counts once for each round from its own to the last.
            numbers[PROGRESSIVE] += result.points(seat) * (last - result.round + 1)
            numbers[HARD_WINS] += not result.is_bye and seat.seat == hard and seat.rank == 1
    for line in lines.values():
        _buchholz(line.tie_breaks, sorted(met[line.entrant]))


def _count_wins(
    line: Standing,
    seat: SeatResult,
    others: Sequence[SeatResult],
    points: Mapping[int, Fraction],
) -> None:
    numbers = line.tie_breaks
    numbers[WINS] += seat.rank == 1 and all(other.rank != 1 for other in others)
    for other in others:
        won = share(seat, other)
        numbers[BERGER] += won * points[other.entrant]
        if points[other.entrant] == line.points:
            numbers[DIRECT] += won


def _buchholz(numbers: dict[str, Fraction], met: Sequence[Fraction]) -> None:
    """Add up the points of opponents, which are sorted."""
    numbers[BUCHHOLZ] = sum(met, Fraction(0))
    numbers[CUT_ONE] = sum(met[1:], Fraction(0))
    numbers[MEDIAN] = sum(met[1:-1], Fraction(0))


def in_words(points: Fraction) -> str:
    """Format points: ``2½``, or ``2.67``."""
    whole, rest = divmod(points, 1)
    if rest == 0:
        return str(whole)
    if rest == Fraction(1, 2):
        return f"{whole or ''}½"
    return decimal(float(points), digits=2)
