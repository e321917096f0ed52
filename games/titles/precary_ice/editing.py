"""What can be changed in a position of Precary-Ice: towers, dice, scores, the turn.

A piece can't be put just anywhere, since it would float or be inside another one. It is dropped on
its tower as in a match, but without a tremor: ``D+1.5-3`` holds a drone 1.5 mm to the right of the
axis and tilts it by 3° to the right. Once it has come to rest, ``D:1.46,41.63,-0.052`` says where,
as :class:`Placed` does. Totals, stocks and heaps follow from the pieces.
"""

import math
import re
from collections.abc import Sequence
from itertools import accumulate, chain

import msgspec

from games.kernel.contract import Position
from games.kernel.editing import (
    Aim,
    Choice,
    Editor,
    Field,
    Number,
    Numbers,
    Spaces,
    TrayPiece,
    seat_choices,
)
from games.kernel.errors import BrokenPosition, MalformedMove, quoted
from games.kernel.language import gettext, pgettext
from games.kernel.many_players import dropped_field
from games.kernel.views import Json, encode
from games.titles.precary_ice import physics
from games.titles.precary_ice.meta import FREE, MAX_ROUNDS, META, name_of
from games.titles.precary_ice.moves import STEEPEST, WIDEST, parse
from games.titles.precary_ice.pieces import (
    LETTERS,
    PIECES,
    PIECES_PER_SIZE,
    Placed,
    by_size,
    exact,
)
from games.titles.precary_ice.state import DUEL
from games.titles.precary_ice.tower import (
    FIRST_PIECES,
    NEW,
    PEN_TIME,
    REMOVED_TOWER,
    SIDES,
    Tower,
)

TAKE_AWAY = "-"
FELL = "fell"
FELL_FAST = "fell-fast"
"""The ends of a heap: ``FELL_FAST`` if there was no time to write the total of the last piece."""

MAX_DROPS = 10
"""Maximum number of pieces that are dropped at once, since each costs up to 0.1 s."""

PLACE_DIGITS = 2
ANGLE_DIGITS = 4
"""Decimals of dropped pieces, which the simulation gives in full. An address must hold them."""

NUMBER = r"(-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?)"
RESTING = re.compile(rf"([{LETTERS}]):{NUMBER},{NUMBER},{NUMBER}")
DROPPED = re.compile(rf"([{LETTERS}])([+-][0-9]+(?:\.[0-9])?)?([+-][0-9]+)?")


def editor(position: Position) -> Editor:
    """Return what can be changed in a position."""
    seats = range(len(position["towers"]))
    names = [name_of(seat) for seat in seats]
    choices = seat_choices(names)
    fields: list[Field] = [Number(("round",), pgettext("with a score", "Round"), 1, MAX_ROUNDS)]
    if position["pace"] != FREE:
        fields.insert(0, Choice(("turn",), gettext("Whose turn"), choices))
    if len(seats) > DUEL:
        fields.append(Choice(("starter",), gettext("Who began the round"), choices))
    fields += dropped_field("".join(META.colours[seat].letter for seat in seats))
    dice = [
        (None, pgettext("die", "None")),
        *((face, str(face)) for face in range(1, SIDES + 1)),
    ]
    for seat, name in enumerate(names):
        die = gettext("{player}’s die, which tells the next piece").format(player=name)
        scores = gettext("{player}’s scores of earlier rounds").format(player=name)
        fields += [
            Choice(("towers", seat, "die"), die, dice),
            Numbers(("scores", seat), scores),
        ]
    far = WIDEST / 10
    aims = (
        Aim(gettext("Place: mm to the right (+) or left (−) of the axis"), -far, far, 0.1),
        Aim(gettext("Tilt: degrees to the left (+) or right (−)"), -STEEPEST, STEEPEST, 1),
    )
    tower = gettext("{player}’s tower")
    return Editor(
        fields,
        _tray(),
        _spaces(position),
        aims=aims,
        hint=_hint(),
        names={_space(seat): tower.format(player=name) for seat, name in enumerate(names)},
    )


def _hint() -> str:
    return gettext(
        "Choose a piece, then click or tap over a tower to drop it there. By keyboard, enter place"
        " and tilt, then press Enter on the tower. Your hand doesn’t tremble, but the tower may"
        " fall."
    )


def _tray() -> list[TrayPiece]:
    pieces = {"P": gettext("Pawn"), "D": gettext("Drone"), "Q": gettext("Queen")}
    return [
        *(TrayPiece(letter, pieces[letter], is_aimed=True) for letter in LETTERS),
        TrayPiece(TAKE_AWAY, gettext("Take the last piece away")),
    ]


def _space(seat: int) -> str:
    return f"tower-{seat}"


def _spaces(position: Position) -> dict[str, str]:
    return {_space(seat): _text(tower) for seat, tower in enumerate(position["towers"])}


def _text(tower: Json) -> str:
    """Return the pieces of a tower, from the bottom, and whether it fell."""
    words = [_word(Placed(*piece)) for piece in tower["pieces"]]
    if tower["fallen"]:
        is_written = len(tower["sheet"]) == 1 + len(words) - len(FIRST_PIECES)
        words.append(FELL if is_written else FELL_FAST)
    return " ".join(words)


def _word(piece: Placed) -> str:
    return f"{piece.letter}:{piece.x!r},{piece.y!r},{piece.angle!r}"


def with_spaces(position: Position, spaces: Spaces) -> Position:
    """Return a position with these towers, the pieces that are dropped at rest.

    :raises BrokenPosition: a text is no tower, a piece can't be dropped, or a die is missing.
    """
    seats = range(len(position["towers"]))
    dropped = position["dropped"]
    words = [_later_words(spaces.get(_space(seat), "")) for seat in seats]
    if sum(DROPPED.fullmatch(word) is not None for word in chain(*words)) > MAX_DROPS:
        message = gettext("At most {count} pieces can be dropped at once.")
        raise BrokenPosition(message.format(count=MAX_DROPS))
    towers = [
        REMOVED_TOWER if seat in dropped else _Builder(seat, words[seat]).tower for seat in seats
    ]
    turn = position["turn"]
    movers = [seat for seat in seats if (turn is None or seat == turn) and not towers[seat].done]
    dice = [tower["die"] for tower in position["towers"]]
    for seat in movers:
        towers[seat] = _due(seat, towers[seat], dice[seat])
    starter = (position["round"] - 1) % DUEL if len(seats) == DUEL else position["starter"]
    return {
        **position,
        "starter": starter,
        "towers": encode(towers),
        "in": [seat not in dropped for seat in seats],
        "result": None,
    }


def _later_words(text: str) -> Sequence[str]:
    """Return the words of a tower, its first pieces at rest. Without words it is a new one."""
    words = text.split()
    first, later = words[: len(FIRST_PIECES)], words[len(FIRST_PIECES) :]
    if "".join(first) in {"", FIRST_PIECES}:
        return [*map(_word, exact(FIRST_PIECES)), *later]
    return words


def _due(seat: int, tower: Tower, die: int | None) -> Tower:
    """Return the tower of a seat that is to move, with its next piece.

    :raises BrokenPosition: the die that tells it is missing.
    """
    if len(tower.sizes) == 1:
        return tower.due(None)
    if die is None:
        message = gettext("Choose {player}’s die: it tells which piece is next.")
        raise BrokenPosition(message.format(player=name_of(seat)))
    return tower.due(die)


class _Builder:
    """Builds the tower of a seat from its words.

    :raises BrokenPosition: they are no tower, or a piece can't be dropped.
    """

    def __init__(self, seat: int, words: Sequence[str]) -> None:
        self._seat = seat
        self._pieces: tuple[Placed, ...] = ()
        self._end = ""
        for word in words:
            self._read(word)

    @property
    def _letters(self) -> str:
        return "".join(piece.letter for piece in self._pieces)

    @property
    def tower(self) -> Tower:
        self._check()
        counted = self._letters[len(FIRST_PIECES) :]
        if self._end == FELL_FAST:
            counted = counted[:-1]
        points = (PIECES[letter].points for letter in counted)
        left = tuple(PIECES_PER_SIZE - self._letters.count(letter) for letter in LETTERS)
        tower = Tower(
            pieces=self._pieces,
            left=left,
            sheet=tuple(accumulate(points, initial=NEW.total)),
            done=bool(self._end) or not any(left),
            fallen=bool(self._end),
        )
        return tower.rewarded() if tower.done and not tower.fallen else tower

    def _check(self) -> None:
        player = name_of(self._seat)
        if not self._letters.startswith(FIRST_PIECES):
            message = gettext("{player}’s tower must begin with a queen, a drone and a pawn.")
            raise BrokenPosition(message.format(player=player))
        if any(self._letters.count(letter) > PIECES_PER_SIZE for letter in LETTERS):
            message = gettext("{player} has {count} pieces of each size, and no more.")
            raise BrokenPosition(message.format(player=player, count=PIECES_PER_SIZE))

    def _read(self, word: str) -> None:
        if word == TAKE_AWAY:
            self._take_away()
        elif self._end:
            message = gettext("{player}’s tower has fallen: nothing can be dropped on it.")
            raise BrokenPosition(message.format(player=name_of(self._seat)))
        elif word in {FELL, FELL_FAST}:
            self._end = word
        elif found := RESTING.fullmatch(word):
            self._put(found)
        elif found := DROPPED.fullmatch(word):
            self._drop(found)
        else:
            message = gettext("{text} is no piece: {example} is.")
            raise BrokenPosition(message.format(text=quoted(word), example="D+1.5-3"))

    def _take_away(self) -> None:
        """Take the last piece away. What is left of a heap is built again, exactly on its axis."""
        if len(self._pieces) == len(FIRST_PIECES):
            message = gettext("The first three pieces of a tower can’t be taken away.")
            raise BrokenPosition(message)
        self._pieces = exact(self._letters[:-1]) if self._end else self._pieces[:-1]
        self._end = ""

    def _put(self, found: re.Match[str]) -> None:
        letter, *numbers = found.groups()
        try:
            piece = msgspec.convert((letter, *map(float, numbers)), Placed)
        except msgspec.ValidationError:
            message = gettext("{text} is too far away.")
            raise BrokenPosition(message.format(text=quoted(found[0]))) from None
        self._pieces = (*self._pieces, piece)

    def _drop(self, found: re.Match[str]) -> None:
        self._check()
        letter, at, tilt = found.groups()
        try:
            place = parse(f"place {at or 0} {tilt or ''}")
        except MalformedMove as error:
            raise BrokenPosition(str(error)) from None
        if self._letters.count(letter) == PIECES_PER_SIZE:
            message = by_size(
                letter,
                gettext("{player} has no pawn left."),
                gettext("{player} has no drone left."),
                gettext("{player} has no queen left."),
            )
            raise BrokenPosition(message.format(player=name_of(self._seat)))
        settled = physics.let_go(self._pieces, letter, place.at, math.radians(place.tilt))
        self._pieces = _rounded(settled.pieces)
        if settled.ms is not None:
            self._end = FELL if settled.ms >= PEN_TIME else FELL_FAST


def _rounded(pieces: Sequence[Placed]) -> tuple[Placed, ...]:
    return tuple(
        Placed(
            piece.letter,
            # Added to 0, -0 is 0.
            round(piece.x, PLACE_DIGITS) + 0,
            round(piece.y, PLACE_DIGITS) + 0,
            round(piece.angle, ANGLE_DIGITS) + 0,
        )
        for piece in pieces
    )
