"""What can be changed in a position of Dice Is Health: pieces, walls, dice, the fan, the turn."""

from collections.abc import Sequence

from games.kernel.contract import Position
from games.kernel.editing import (
    Choice,
    Editor,
    Field,
    Number,
    Spaces,
    TrayPiece,
    seat_choices,
    yes_or_no,
)
from games.kernel.errors import BrokenPosition, quoted
from games.kernel.language import gettext, pgettext
from games.kernel.many_players import dropped_field
from games.kernel.views import Json
from games.titles.dice_is_health.board import SECTORS, SPACES, WALL_SPACES
from games.titles.dice_is_health.events import home_of, wall_of
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.state import MAX_DICE, MAX_MONSTERS, MAX_TRINKETS, PhaseName

PICKUP, WALL, HOME, MONSTER = "die", "wall", "home", "m"
MONSTERS = [f"{MONSTER}{number}" for number in range(1, MAX_MONSTERS + 1)]
MAX_ROUND = 10**9


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    names = [META.colours[seat].shown_name for seat in range(len(position["players"]))]
    return Editor(_fields(position, names), _tray(position, names), _spaces(position), stacks=True)


def _letters(position: Position) -> Sequence[str]:
    return [META.colours[seat].letter for seat in range(len(position["players"]))]


def _tray(position: Position, names: Sequence[str]) -> list[TrayPiece]:
    letters = list(zip(_letters(position), names, strict=True))
    piece = gettext("{player}’s piece")
    return [
        *(TrayPiece(letter, piece.format(player=name)) for letter, name in letters),
        TrayPiece(MONSTER, gettext("Monster"), (1, MAX_MONSTERS)),
        TrayPiece(PICKUP, gettext("Die to pick up")),
        *(TrayPiece(f"{letter}-{WALL}", wall_of(name)) for letter, name in letters),
        *(TrayPiece(f"{letter}-{HOME}", home_of(name)) for letter, name in letters),
    ]


def _spaces(position: Position) -> dict[str, str]:
    on: dict[str, list[str]] = {str(space): [] for space in SPACES}
    for letter, player in zip(_letters(position), position["players"], strict=True):
        if player["at"] is not None:
            on[player["at"]].append(letter)
        on[player["home"]].append(f"{letter}-{HOME}")
    for number, space in enumerate(position["monsters"], 1):
        on[space].append(f"{MONSTER}{number}")
    for space in position["pickups"]:
        on[space].append(PICKUP)
    for space, seat in position["walls"].items():
        on[space].append(f"{_letters(position)[seat]}-{WALL}")
    return {space: " ".join(pieces) for space, pieces in on.items()}


def _fields(position: Position, names: Sequence[str]) -> list[Field]:
    fields: list[Field] = [
        Choice(("turn",), gettext("Whose turn"), seat_choices(names)),
        Choice(("phase",), gettext("Phase"), _phases()),
        Number(("round",), gettext("Round"), 1, MAX_ROUND),
        Number(("fan",), gettext("Sectors that the fan has turned"), 0, SECTORS - 1),
    ]
    dice, trinkets = gettext("{player}’s dice"), gettext("{player}’s trinkets")
    is_in = gettext("{player} is in")
    for seat, name in enumerate(names):
        fields += [
            Number(("players", seat, "dice"), dice.format(player=name), 0, MAX_DICE),
            Number(("players", seat, "trinkets"), trinkets.format(player=name), 0, MAX_TRINKETS),
            yes_or_no(("players", seat, "in"), is_in.format(player=name)),
        ]
    return [
        *fields,
        *dropped_field("".join(_letters(position))),
        Field(("roll",), gettext("Rolled steps: monsters, fan, player")),
        Field(("pending",), gettext("Pending decision")),
        Field(("fought",), gettext("Fights of this turn")),
    ]


def _phases() -> list[tuple[Json, str]]:
    names = {
        PhaseName.MOVE: pgettext("phase of a turn", "Move"),
        PhaseName.SPEND: pgettext("phase of a turn", "Spend"),
        PhaseName.WALLS: pgettext("phase of a turn", "Walls"),
        PhaseName.FIGHT: pgettext("phase of a turn", "Fight"),
        PhaseName.GO: pgettext("phase of a turn", "Go"),
        PhaseName.RAMPAGE: pgettext("phase of a turn", "Rampage"),
        PhaseName.CHALLENGE: pgettext("phase of a turn", "Challenge"),
        PhaseName.STRIP: pgettext("phase of a turn", "Strip"),
        PhaseName.OVER: pgettext("phase of a turn", "Over"),
    }
    return [(phase.value, names[phase]) for phase in PhaseName]


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these pieces.

    :raises BrokenPosition: a piece is unknown, missing, or there twice.
    """
    where: dict[str, list[str]] = {}
    for space, text in spaces.items():
        for code in text.split():
            where.setdefault(code, []).append(space)
    if twice := [code for code, there in where.items() if len(set(there)) < len(there)]:
        message = gettext("{piece} is twice on {space}.")
        raise BrokenPosition(message.format(piece=quoted(twice[0]), space=where[twice[0]][0]))
    known = {*MONSTERS, *(piece.code for piece in _tray(position, _letters(position)))} - {MONSTER}
    if unknown := where.keys() - known:
        message = gettext("{piece} is no piece of this game.")
        raise BrokenPosition(message.format(piece=quoted(min(unknown))))
    letters = _letters(position)
    players = [
        {
            **player,
            "at": _place(where, letter) if letter in where else None,
            "home": _place(where, f"{letter}-{HOME}"),
        }
        for letter, player in zip(letters, position["players"], strict=True)
    ]
    owners = {
        space: seat
        for seat, letter in enumerate(letters)
        for space in where.get(f"{letter}-{WALL}", ())
    }
    monsters = max((n for n, code in enumerate(MONSTERS, 1) if code in where), default=0)
    return {
        **position,
        "players": players,
        "monsters": [_place(where, code) for code in MONSTERS[:monsters]],
        "pickups": [str(space) for space in SPACES if space in where.get(PICKUP, ())],
        "walls": {str(space): owners[space] for space in WALL_SPACES if space in owners},
        "result": None,
    }


def _place(where: dict[str, list[str]], code: str) -> str:
    """Return the space of the only piece of its kind."""
    places = where.get(code, [])
    if len(places) != 1:
        message = gettext("{piece} must stand on one space, not on {count}.")
        raise BrokenPosition(message.format(piece=code, count=len(places)))
    return places[0]
