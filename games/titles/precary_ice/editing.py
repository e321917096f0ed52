"""What can be changed in a position of Precary-Ice: towers, stocks, score sheets, the turn."""

from games.kernel.contract import Position
from games.kernel.editing import Choice, Editor, Field, Number, Spaces, seat_choices, yes_or_no
from games.kernel.language import gettext, pgettext
from games.titles.precary_ice.meta import MAX_ROUNDS, META
from games.titles.precary_ice.pieces import LETTERS, PIECES_PER_SIZE, shown_name
from games.titles.precary_ice.tower import SIDES


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    names = [META.colours[seat].shown_name for seat in range(len(position["towers"]))]
    seats = seat_choices(names)
    fields: list[Field] = [
        Choice(("turn",), gettext("Whose turn"), [(None, gettext("Everybody’s")), *seats]),
        Number(("round",), pgettext("with a score", "Round"), 1, MAX_ROUNDS),
        Choice(("starter",), gettext("Who began the round"), seats),
    ]
    for seat, name in enumerate(names):
        fields += _tower(seat, name)
    return Editor([*fields, Field(("dropped",), gettext("Seats that dropped out"))])


def _tower(seat: int, name: str) -> list[Field]:
    at = ("towers", seat)
    no_die, no_piece = pgettext("die", "None"), pgettext("piece", "None")
    dice = [(None, no_die), *((face, str(face)) for face in range(1, SIDES + 1))]
    sizes = [(None, no_piece), *((letter, shown_name(letter)) for letter in LETTERS)]
    left = {
        "P": gettext("{player}’s pawns left"),
        "D": gettext("{player}’s drones left"),
        "Q": gettext("{player}’s queens left"),
    }

    def of(message: str) -> str:
        return message.format(player=name)

    return [
        Field(
            (*at, "pieces"), of(gettext("{player}’s pieces: size, x, y and tilt, from the bottom"))
        ),
        *(
            Number((*at, "left", n), of(left[letter]), 0, PIECES_PER_SIZE)
            for n, letter in enumerate(LETTERS)
        ),
        Field((*at, "sheet"), of(gettext("{player}’s score sheet of this round"))),
        Choice((*at, "die"), of(gettext("{player}’s die")), dice),
        Choice((*at, "next"), of(gettext("{player}’s next piece")), sizes),
        yes_or_no((*at, "done"), of(gettext("{player}’s tower is finished"))),
        yes_or_no((*at, "fallen"), of(gettext("{player}’s tower has fallen"))),
        Field(("scores", seat), of(gettext("{player}’s scores of earlier rounds"))),
        yes_or_no(("in", seat), of(gettext("{player} is in"))),
    ]


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position without a result: one that is over can't be played on."""
    return {**position, "result": None}
