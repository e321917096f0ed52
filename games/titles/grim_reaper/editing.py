"""What can be changed in a position of Grim Reaper: pieces with their lives, and reserves."""

from games.kernel.contract import Position
from games.kernel.editing import Choice, Editor, Number, Spaces, TrayPiece, Words
from games.titles.grim_reaper import squares
from games.titles.grim_reaper.meta import MAX_SPAN, META
from games.titles.grim_reaper.state import LETTERS, STEPS, Sex

MAX_LIFE = 99
MAX_TURN = 10**6
MAX_RESERVE = 10 * MAX_SPAN

TRAY = [
    TrayPiece(f"{letter}{sex}", f"{colour.name} {sex.word}", (1, MAX_LIFE))
    for letter, colour in zip(LETTERS, META.colours, strict=True)
    for sex in Sex
]


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    steps = [(step, f"{step + 1} of {len(STEPS[0])}") for step in range(len(STEPS[0]))]
    reserves = [
        Number(("reserve", seat), f"{colour.name}’s life reserve", 0, MAX_RESERVE)
        for seat, colour in enumerate(META.colours)
    ]
    fields = [
        Number(("turn",), "Turn (Red begins odd turns, Blue even ones)", 1, MAX_TURN),
        Choice(("step",), "Step of the turn: 1 and 2 place or move, 3 and 4 give birth", steps),
        *reserves,
        Words(("born",), "Squares of the first births of this turn"),
        Words(("rip",), "Squares where pieces died last"),
    ]
    size = squares.board(position["size"])
    spaces = {name: position["pieces"].get(name, "") for name in squares.names(size)}
    return Editor(fields, TRAY, spaces)


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these pieces."""
    pieces = {name: text for name, text in spaces.items() if text}
    born, rip = sorted(set(position["born"])), sorted(set(position["rip"]))
    return {**position, "pieces": pieces, "born": born, "rip": rip, "result": None}
