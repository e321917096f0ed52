"""What can happen in Grim Reaper."""

from msgspec import field

from games.kernel.contract import Event, SeatEvent
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import Sex


class Placed(SeatEvent, frozen=True, tag="place"):
    """The seat placed a piece."""

    square: Square
    sex: Sex
    life: int


class Moved(SeatEvent, frozen=True, tag="move"):
    """The seat moved a piece, written as in positions."""

    start: Square = field(name="from")
    to: Square
    piece: str


class Born(SeatEvent, frozen=True, tag="born"):
    """A piece was born; ``couples`` are the pairs of parents around it, the mother first."""

    square: Square
    sex: Sex
    life: int
    couples: tuple[tuple[Square, Square], ...]


class Passed(SeatEvent, frozen=True, tag="pass"):
    """The seat skipped births, or (``False``) could neither place nor move."""

    births: bool


class Aged(Event, frozen=True, kw_only=True, tag="age"):
    """The turn ended and all pieces aged. ``dead`` holds by square the pieces that died."""

    turn: int
    dead: dict[str, str]


EVENTS = (Placed, Moved, Born, Passed, Aged)
