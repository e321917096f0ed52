"""What can be changed in a position of Grim Reaper: pieces with their lives, and reserves."""

from games.kernel.contract import Position
from games.kernel.editing import Choice, Editor, Number, Spaces, TrayPiece, Words
from games.kernel.language import gettext
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.meta import MAX_SPAN, META
from games.titles.grim_reaper.state import LETTERS, STEPS, Sex

MAX_LIFE = 99
MAX_TURN = 10**6
MAX_RESERVE = 10 * MAX_SPAN


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    count = len(STEPS[0])
    of = gettext("{step} of {count}")
    steps = [(step, of.format(step=step + 1, count=count)) for step in range(count)]
    reserve = gettext("{player}’s life reserve")
    reserves = [
        Number(("reserve", seat), reserve.format(player=colour.shown_name), 0, MAX_RESERVE)
        for seat, colour in enumerate(META.colours)
    ]
    which = gettext("Step of the turn: 1 and 2 place or move, 3 and 4 give birth")
    fields = [
        Number(("turn",), gettext("Turn (Red begins odd turns, Blue even ones)"), 1, MAX_TURN),
        Choice(("step",), which, steps),
        *reserves,
        Words(("born",), gettext("Squares of the first births of this turn")),
        Words(("rip",), gettext("Squares where pieces died last")),
    ]
    size = squares.board(position["size"])
    spaces = {name: position["pieces"].get(name, "") for name in squares.names(size)}
    return Editor(fields, _tray(), spaces)


def _tray() -> list[TrayPiece]:
    labels = (
        (gettext("Red male"), gettext("Red female")),
        (gettext("Blue male"), gettext("Blue female")),
    )
    return [
        TrayPiece(f"{letter}{sex}", label, (1, MAX_LIFE))
        for letter, row in zip(LETTERS, labels, strict=True)
        for sex, label in zip(Sex, row, strict=True)
    ]


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these pieces."""
    pieces = {name: text for name, text in spaces.items() if text}
    born, rip = sorted(set(position["born"])), sorted(set(position["rip"]))
    return {**position, "pieces": pieces, "born": born, "rip": rip, "result": None}
