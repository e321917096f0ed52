"""What can happen in DIE."""

from games.kernel.contract import Seat, SeatEvent


class Placed(SeatEvent, frozen=True, tag="place"):
    """The seat placed a stone."""

    cell: str


class Removed(SeatEvent, frozen=True, tag="remove"):
    """A bounded group of seat ``owner`` left the board: the mover's own, or an enemy's."""

    owner: Seat
    cells: tuple[str, ...]


EVENTS = (Placed, Removed)
