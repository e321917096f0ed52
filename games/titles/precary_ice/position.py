"""Positions of Precary-Ice, and what can be seen in them."""

from dataclasses import dataclass

from games.kernel.contract import Params, Position, Ranks, Seat
from games.titles.precary_ice.meta import FREE
from games.titles.precary_ice.tower import Tower


@dataclass(frozen=True)
class Terms:
    """What was agreed before the match; ``rounds`` is 0 for one more than there are players."""

    rounds: int
    pace: str
    hand: str
    incidents: bool

    @classmethod
    def of(cls, params: Params) -> "Terms":
        """Return the terms that parameters stand for."""
        return cls(params["rounds"], params["pace"], params["hand"], params["incidents"])

    @property
    def is_free(self) -> bool:
        """Whether everybody builds at their own speed."""
        return self.pace == FREE


@dataclass(frozen=True)
class State:
    """A position.

    ``starter`` began the round; ``turn`` is nobody's in free pace. ``scores`` are by seat, then by
    round: those of a round are written when it is over.
    """

    terms: Terms
    round: int
    starter: Seat
    turn: Seat | None
    towers: tuple[Tower, ...]
    scores: tuple[tuple[int, ...], ...]
    dropped: tuple[Seat, ...] = ()
    ranks: Ranks | None = None

    @property
    def seats(self) -> range:
        """All seats, whether they are still in or not."""
        return range(len(self.towers))

    @property
    def rounds(self) -> int:
        """How many rounds are played."""
        return self.terms.rounds or len(self.towers) + 1

    @property
    def still_in(self) -> list[Seat]:
        """The seats that have not dropped out."""
        return [Seat(seat) for seat in self.seats if seat not in self.dropped]

    @property
    def builders(self) -> list[Seat]:
        """The seats whose towers can still grow in this round."""
        return [seat for seat in self.still_in if not self.towers[seat].done]

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that may place a piece now."""
        if self.ranks:
            return ()
        return tuple(self.builders) if self.turn is None else (self.turn,)

    @property
    def sums(self) -> list[int]:
        """The points of each seat; what the sheet of a round says that is not over counts."""
        return [
            sum(scores) + (tower.total if len(scores) < self.round else 0)
            for scores, tower in zip(self.scores, self.towers, strict=True)
        ]

    def first_in(self, seat: int) -> Seat:
        """Return a seat, or the next one behind it that is still in."""
        return min(self.still_in, key=lambda other: (other - seat) % len(self.towers))

    def next_builder(self, seat: int) -> Seat:
        """Return the next seat behind one whose tower can still grow, in the end itself."""
        return min(self.builders, key=lambda other: (other - seat - 1) % len(self.towers))


def dump(state: State) -> Position:
    """Return a position as JSON."""
    terms = state.terms
    return {
        "rounds": terms.rounds,
        "pace": terms.pace,
        "hand": terms.hand,
        "incidents": terms.incidents,
        "round": state.round,
        "starter": state.starter,
        "turn": state.turn,
        "towers": [_tower(tower) for tower in state.towers],
        "scores": [list(scores) for scores in state.scores],
        "in": [seat not in state.dropped for seat in state.seats],
        "dropped": list(state.dropped),
        "result": list(state.ranks) if state.ranks else None,
    }


def _tower(tower: Tower) -> Position:
    return {
        "pieces": [list(piece) for piece in tower.pieces],
        "left": list(tower.left),
        "sheet": list(tower.sheet),
        "die": tower.die,
        "next": tower.next,
        "done": tower.done,
        "fallen": tower.fallen,
    }
