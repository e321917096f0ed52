"""What can happen in Precary-Ice.

In events pieces are written as in positions: ``["Q", x, y, angle]``. The trace that is kept beside
a move shows the tower of its ``place`` event: one body a piece, in the order of the tower, the new
one last.
"""

from games.kernel import contract
from games.kernel.contract import Event, Seat, SeatEvent
from games.titles.precary_ice.pieces import Placed


class Released(SeatEvent, frozen=True, tag="place"):
    """The seat held a piece ``at`` a distance from the axis in mm, tilted by a number of degrees.

    ``tremor`` is what the hand added to each.
    """

    piece: str
    at: float
    tilt: int
    tremor: tuple[float, float]


class Stood(SeatEvent, frozen=True, tag="stand"):
    """The tower stands, and the new total is on the sheet."""

    total: int


class Fell(SeatEvent, frozen=True, tag="fall"):
    """The tower fell, ``ms`` milliseconds after the piece was let go.

    ``written`` says whether there was time to write, ``total`` what the sheet says now;
    ``pieces`` are the heap.
    """

    ms: int
    written: bool
    total: int
    pieces: tuple[Placed, ...]


class Completed(SeatEvent, frozen=True, tag="bonus"):
    """All thirty pieces stand; the total with the bonus."""

    total: int
    pieces: tuple[Placed, ...]


class KnockedOver(SeatEvent, frozen=True, tag="incident"):
    """The seat's tower was knocked over and is rebuilt; its turn is lost."""


class PieceDue(SeatEvent, frozen=True, tag="die"):
    """The die (``None``: not rolled, one size is left) gives the seat its next piece."""

    die: int | None
    piece: str


class RoundEnded(Event, frozen=True, kw_only=True, tag="round"):
    """The round is over.

    ``scores`` are those of the round by seat (``None`` for a seat that has left); ``starter``
    begins the next one (``None``: no round follows).
    """

    round: int
    scores: tuple[int | None, ...]
    starter: Seat | None


class Left(SeatEvent, frozen=True, tag="leave"):
    """The seat dropped out; its tower is taken away."""


class Ended(contract.Ended, frozen=True, kw_only=True, tag="end"):
    """The match is over; ``sums`` are the points of each seat."""

    sums: tuple[int, ...]


EVENTS = (Released, Stood, Fell, Completed, KnockedOver, PieceDue, RoundEnded, Left, Ended)
