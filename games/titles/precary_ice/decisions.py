"""Decisions of Precary-Ice: where to hold the next piece, so that the tower most likely stands.

The chance of a place is the share of 400 tremors of the hand with which the tower stands: each of
``SLIPS`` slips with each of ``SLIPS`` twists, all equally likely. For one twist the places where
the tower stands are an interval, whose edges move one way as the twist grows. So only the drops
around the edges are made, and decide about the others: 20 to 60 for a place. :func:`dropped`
makes all 400, to check it.

Most positions are discarded before, after about 15 drops without a tremor: their edges give an
estimate of all chances (:func:`_outlook`). A rival is discarded if its estimate is lower than the
other rival's by more than ``MARGIN``.
"""

import random
from collections.abc import Iterator, Sequence
from math import hypot, radians
from statistics import NormalDist
from typing import Any, NamedTuple

from msgspec.structs import replace

from games.kernel.contract import Params, Seat
from games.kernel.decisions import MARGIN, Answer, Decisions, clear
from games.kernel.heuristics import SampledDice
from games.kernel.language import gettext_noop
from games.kernel.params import for_match
from games.titles.precary_ice import physics
from games.titles.precary_ice.moves import WIDEST, Place
from games.titles.precary_ice.pieces import NAMES, PIECES, Placed
from games.titles.precary_ice.placement import Spread, spread
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import Tower

SLIPS = 20
"""Slips, and twists, of the 400 tremors."""

QUANTILES = tuple(NormalDist().inv_cdf((number + 0.5) / SLIPS) for number in range(SLIPS))

SAME = 0.4
"""Places that are closer than this are one choice, in widths of the piece."""

SAFETY = 0.05
"""By how much the chances of the right choice must be better than a puzzle needs."""

CLOSE = 0.5
"""How closely the edges of the places where a tower stands are searched at first, in mm."""

SHIFT = 0.15
"""By how much a tilt of one degree shifts these edges, roughly, in mm."""

MOST_PIECES = 7
"""Maximum height of a tower. A drop takes 25 ms with 4 pieces, and 45 ms with 7."""

ASKED = "PD"
"""The pieces that are asked about. A queen stands in so many places that no choice is clear."""

DIGITS = 4
"""Digits of the numbers of a composed tower."""

STYLES = ((0.0, 5.0), (0.5, 4.0), (1.0, 2.0), (1.0, 4.0))
"""How careless builders aim: the share of the lean that they follow, and their error in mm."""

STOP = 0.5
"""The chance that a match ends after a position that was asked about."""


class Interval(NamedTuple):
    """The places where a tower stands, in mm from the axis."""

    low: float
    high: float

    @property
    def middle(self) -> int:
        """The middle, in tenths of a mm."""
        return round((self.low + self.high) * 5)


class Drops:
    """Drops of the next piece over a tower. Each is simulated once."""

    def __init__(self, tower: Tower) -> None:
        self._tower = tower
        self._known: dict[tuple[float, float], bool] = {}

    def stands(self, at: float, tilt: float = 0.0) -> bool:
        """Whether the tower stands. The place is in mm, the tilt in degrees."""
        key = (at, tilt)
        if key not in self._known:
            tower = self._tower
            self._known[key] = physics.stands(tower.pieces, tower.next or "", at, radians(tilt))
        return self._known[key]

    def edge(self, inside: float, outside: float) -> float:
        """Return the edge between a place where the tower stands and one where it falls."""
        while abs(inside - outside) > CLOSE:
            middle = (inside + outside) / 2
            if self.stands(middle):
                inside = middle
            else:
                outside = middle
        return (inside + outside) / 2

    def count(self, places: Sequence[float], tilts: Sequence[float]) -> int:
        """Return with how many pairs of a place and a tilt the tower stands.

        The places begin at the safest, the tilts are in order.
        """
        first, last = (self._safe(places, tilt, 0, len(places)) for tilt in (tilts[0], tilts[-1]))
        return first + last + self._between(places, tilts[1:-1], first, last)

    def _between(
        self, places: Sequence[float], tilts: Sequence[float], before: int, after: int
    ) -> int:
        """Return the pairs for tilts whose neighbours on both sides have these counts."""
        if before == after or not tilts:
            return before * len(tilts)
        middle = len(tilts) // 2
        own = self._safe(places, tilts[middle], *sorted((before, after)))
        return (
            self._between(places, tilts[:middle], before, own)
            + own
            + self._between(places, tilts[middle + 1 :], own, after)
        )

    def _safe(self, places: Sequence[float], tilt: float, low: int, high: int) -> int:
        """Return at how many places the tower stands, from ``low`` to ``high``."""
        if low < high and self.stands(places[high - 1], tilt):
            return high
        while low < high:
            middle = (low + high) // 2
            if self.stands(places[middle], tilt):
                low = middle + 1
            else:
                high = middle
        return low


class Questions(Decisions[State, Place]):
    question = gettext_noop("Which move has the best chance to keep your tower standing?")
    odds = gettext_noop(
        "The best choice keeps the tower standing in {best} of all cases, any other in at most"
        " {second}."
    )
    remark = gettext_noop(
        "Hold the piece upright: only the place counts. Places closer than two fifths of the"
        " piece’s width are one choice."
    )
    themes = {"pawn": gettext_noop("Place a pawn"), "drone": gettext_noop("Place a drone")}

    def positions(
        self, seats: int, chance: random.Random
    ) -> Iterator[tuple[State, Seat, dict[str, Any]]]:
        """Yield leaning towers of careless builders."""
        params = for_match(self.title, seats, {})
        while True:
            state = self.title.setup(seats, params, SampledDice(chance))
            styles = [chance.choice(STYLES) for _ in range(seats)]
            while state.round == 1 and (seat := state.turn) is not None:
                tower = state.towers[seat]
                if len(tower.pieces) > MOST_PIECES:
                    break
                if (tower.next or "Q") in ASKED and abs(tower.tip[0]) > _same(tower) / 10:
                    yield state, seat, {}
                    if chance.random() < STOP:
                        break
                follows, error = styles[seat]
                at = round(10 * chance.gauss(follows * tower.tip[0], error))
                move = Place(max(-WIDEST, min(WIDEST, at)), 0)
                state, _ = self.title.play(state, seat, move, SampledDice(chance))
                state = _rounded(state)

    def answer(self, state: State, seat: Seat, params: Params) -> Answer | None:
        tower = state.towers[seat]
        drops = Drops(tower)
        interval = _interval(drops, tower.tip[0])
        if interval is None:
            return None
        right = interval.middle
        obvious = (0.0, tower.tip[0])
        if all(_is_same(tower, right, 10 * at) for at in obvious):
            return None
        hand = spread(state.hand, len(tower.pieces))
        choices = (right, *rivals(tower, right))
        best, *others = (_outlook(interval, hand, place / 10) for place in choices)
        if best - max(others) < MARGIN + SAFETY:
            return None
        chances = [
            _chance(drops, hand, right, place)
            for place, estimate in zip(choices[1:], others, strict=True)
            if estimate > max(others) - MARGIN
        ]
        result = clear([_chance(drops, hand, right, right), *chances])
        if result is None or result[0] - result[1] < MARGIN + SAFETY:
            return None
        return Answer(str(Place(right, 0)), *result, NAMES[tower.next or "P"])

    def is_right(self, state: State, seat: Seat, right: Place, move: Place) -> bool:
        return _is_same(state.towers[seat], right.tenths, move.tenths)


def rivals(tower: Tower, right: int) -> Sequence[int]:
    """Return the best other choices: the nearest places on both sides that are no longer the same.

    All places are in tenths of a mm. Farther away the tower stands more rarely still.
    """
    apart = _same(tower)
    return [place for place in (right - apart, right + apart) if abs(place) <= WIDEST]


def dropped(state: State, seat: Seat, place: float) -> float:
    """Return the chance of a place in mm, with every tremor dropped."""
    tower = state.towers[seat]
    hand = spread(state.hand, len(tower.pieces))
    letter = tower.next or ""
    stood = [
        physics.stands(tower.pieces, letter, at, radians(tilt))
        for at in _spread(hand.place, place)
        for tilt in _spread(hand.tilt)
    ]
    return sum(stood) / len(stood)


def _chance(drops: Drops, hand: Spread, right: int, place: int) -> float:
    """Return the chance of a place, which is the right one or a rival. Both in tenths of a mm."""
    places = _spread(hand.place, place / 10)
    tilts = _spread(hand.tilt)
    if place == right:
        half = SLIPS // 2
        count = drops.count(places[half:], tilts) + drops.count(places[:half][::-1], tilts)
    else:
        count = drops.count(places if place > right else places[::-1], tilts)
    return count / SLIPS**2


def _spread(deviation: float, middle: float = 0.0) -> Sequence[float]:
    """Return equally likely values of a tremor, the lowest first."""
    return [middle + deviation * quantile for quantile in QUANTILES]


def _interval(drops: Drops, lean: float) -> Interval | None:
    """Return where the tower stands without a tremor. ``None`` if no place was found."""
    inside = next((at for at in (lean, 0.75 * lean, 0.5 * lean, 0.0) if drops.stands(at)), None)
    far = WIDEST / 10
    if inside is None or drops.stands(-far) or drops.stands(far):
        return None
    return Interval(drops.edge(inside, -far), drops.edge(inside, far))


def _outlook(interval: Interval, hand: Spread, place: float) -> float:
    """Estimate the chance of a place from the edges without a tremor."""
    landing = NormalDist(place, hypot(hand.place, SHIFT * hand.tilt))
    return landing.cdf(interval.high) - landing.cdf(interval.low)


def _same(tower: Tower) -> int:
    """Return how far away a place must be to be another choice, in tenths of a mm."""
    return round(10 * SAME * PIECES[tower.next or "P"].base)


def _is_same(tower: Tower, right: float, place: float) -> bool:
    return abs(place - right) < _same(tower)


def _rounded(state: State) -> State:
    """Return a position with shorter numbers."""
    towers = tuple(
        replace(
            tower,
            pieces=tuple(
                Placed(piece.letter, *(round(number, DIGITS) for number in piece[1:]))
                for piece in tower.pieces
            ),
        )
        for tower in state.towers
    )
    return replace(state, towers=towers)
