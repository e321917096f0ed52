"""What can be changed in a position of Precary-Ice: towers, stocks, score sheets, the turn."""

from games.kernel.contract import Position
from games.kernel.editing import Choice, Editor, Field, Number, Spaces, seat_choices, yes_or_no
from games.titles.precary_ice.meta import MAX_ROUNDS, META
from games.titles.precary_ice.pieces import LETTERS, PIECES_PER_SIZE
from games.titles.precary_ice.tower import SIDES

SIZES = {"P": "pawns", "D": "drones", "Q": "queens"}


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    names = [META.colours[seat].name for seat in range(len(position["towers"]))]
    seats = seat_choices(names)
    fields: list[Field] = [
        Choice(("turn",), "Whose turn", [(None, "Everybody’s"), *seats]),
        Number(("round",), "Round", 1, MAX_ROUNDS),
        Choice(("starter",), "Who began the round", seats),
    ]
    for seat, name in enumerate(names):
        fields += _tower(seat, name)
    return Editor([*fields, Field(("dropped",), "Seats that dropped out")])


def _tower(seat: int, name: str) -> list[Field]:
    at = ("towers", seat)
    dice = [(None, "None"), *((face, str(face)) for face in range(1, SIDES + 1))]
    sizes = [(None, "None"), *((letter, SIZES[letter][:-1]) for letter in LETTERS)]
    return [
        Field((*at, "pieces"), f"{name}’s pieces: size, x, y and tilt, from the bottom"),
        *(
            Number((*at, "left", n), f"{name}’s {SIZES[letter]} left", 0, PIECES_PER_SIZE)
            for n, letter in enumerate(LETTERS)
        ),
        Field((*at, "sheet"), f"{name}’s score sheet of this round"),
        Choice((*at, "die"), f"{name}’s die", dice),
        Choice((*at, "next"), f"{name}’s next piece", sizes),
        yes_or_no((*at, "done"), f"{name}’s tower is finished"),
        yes_or_no((*at, "fallen"), f"{name}’s tower has fallen"),
        Field(("scores", seat), f"{name}’s scores of earlier rounds"),
        yes_or_no(("in", seat), f"{name} is in"),
    ]


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position without a result: one that is over can't be played on."""
    return {**position, "result": None}
