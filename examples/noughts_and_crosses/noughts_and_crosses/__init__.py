"""Noughts and Crosses: the first player with three cells in a row wins."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import msgspec

from games.kernel.completion import folded
from games.kernel.contract import (
    Colour,
    Ended,
    Event,
    Meta,
    OpenGame,
    Params,
    Ranks,
    Seat,
    SeatEvent,
    TurnEnded,
)
from games.kernel.decoding import check_result, decode
from games.kernel.dice import Dice
from games.kernel.errors import BrokenPosition, IllegalMove, MalformedMove, quoted
from games.kernel.language import gettext, gettext_noop
from games.kernel.narration import Names
from games.kernel.preconditions import check_mover
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.svg import Drawing
from games.kernel.two_players import TwoPlayers
from games.kernel.views import Json, View
from noughts_and_crosses import drawing

META = Meta(
    slug="noughts-and-crosses",
    name="Noughts and Crosses",
    designer="Tradition",
    year=None,
    summary=gettext_noop("Take turns to fill nine cells. Three of yours in a row win."),
    goal=gettext_noop("Have three of your cells in a row."),
    seats=(2, 2),
    colours=(Colour(gettext_noop("Red"), "x"), Colour(gettext_noop("Blue"), "o")),
    params={"type": "object", "properties": {}, "additionalProperties": False},
    endings={
        "line": gettext_noop("A player has three cells in a row."),
        "full": gettext_noop("All cells are taken, and nobody has three in a row."),
    },
    rules_version=1,
)

CELLS = ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3")
COLUMNS = ((0, 1, 2), (3, 4, 5), (6, 7, 8))
ROWS = ((0, 3, 6), (1, 4, 7), (2, 5, 8))
DIAGONALS = ((0, 4, 8), (2, 4, 6))


class Taken(SeatEvent, frozen=True, tag="take"):
    """The seat took a cell."""

    cell: str


class State(View, frozen=True):
    """A state, which is also its JSON form and what everybody sees.

    ``cells`` has a letter for each of ``CELLS``: ``x``, ``o``, or ``.`` if it is empty.
    """

    cells: Annotated[str, msgspec.Meta(pattern=r"^[xo.]{9}\Z")]
    ranks: Ranks | None = msgspec.field(name="result", default=None)

    @property
    def mover(self) -> Seat:
        """The seat to move; Red begins."""
        return Seat((9 - self.cells.count(".")) % 2)


def has_line(cells: str, seat: int) -> bool:
    """Whether a seat has three cells in a row."""
    letter = META.colours[seat].letter
    lines = (*COLUMNS, *ROWS, *DIAGONALS)
    return any(all(cells[at] == letter for at in line) for line in lines)


def decided(cells: str) -> tuple[str, Ranks] | None:
    """Return how the match ends with these cells, and the ranks; ``None`` if it goes on."""
    for seat in (0, 1):
        if has_line(cells, seat):
            return "line", WON_BY[seat]
    return None if "." in cells else ("full", DRAWN)


class NoughtsAndCrosses(TwoPlayers, OpenGame[State, str, State]):
    """The game of Noughts and Crosses; its moves are names of cells."""

    meta = META
    events = (Taken,)
    prompt = gettext_noop("Choose an empty cell.")

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the empty board."""
        return State("." * 9)

    def moves(self, state: State, seat: Seat) -> Iterator[str]:
        """Yield the empty cells."""
        if seat == state.mover and not state.ranks:
            yield from (
                cell for cell, taken in zip(CELLS, state.cells, strict=True) if taken == "."
            )

    def play(
        self, state: State, seat: Seat, move: str, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        """Take a cell.

        :raises RulesError: the cell is taken, the match is over, or it is not the seat's turn.
        """
        check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
        at = CELLS.index(move)
        if state.cells[at] != ".":
            raise IllegalMove(gettext("{cell} is taken.").format(cell=move))
        cells = state.cells[:at] + META.colours[seat].letter + state.cells[at + 1 :]
        events = (Taken(seat, move), TurnEnded(seat))
        if end := decided(cells):
            ending, ranks = end
            return State(cells, ranks), (*events, Ended(ending=ending, ranks=ranks))
        return State(cells), events

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state: nothing is hidden."""
        return state

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the state that JSON describes.

        :raises BrokenPosition: it has another shape.
        """
        return decode(State, data)

    def validate(self, state: State) -> None:
        """Check that a match can have reached a state.

        :raises BrokenPosition: such a position can't occur.
        """
        if state.cells.count("x") - state.cells.count("o") not in (0, 1):
            raise BrokenPosition(gettext("Red begins, and then the players take turns."))
        if has_line(state.cells, state.mover):
            raise BrokenPosition(gettext("The match was over before the last move."))
        end = decided(state.cells)
        check_result(state.ranks, end[1] if end else None, (*WON_BY, DRAWN))

    def parse(self, text: str) -> str:
        """Return the cell that a text names.

        :raises MalformedMove: it isn't a move.
        """
        cell = folded(text)
        if cell not in CELLS:
            message = gettext("{text} is no cell: a1 to c3 are.")
            raise MalformedMove(message.format(text=quoted(text.strip())))
        return cell

    def draw(self, view: State, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the cell of the last move highlighted."""
        last = {event.cell for event in recent if isinstance(event, Taken)}
        return drawing.draw(dict(zip(CELLS, view.cells, strict=True)), last)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return the log line of an event; empty for the end of a turn."""
        names = Names(META.colours, viewer)
        match event:
            case Taken(seat=seat, cell=cell):
                return names.tell(
                    seat, gettext("You take {cell}."), gettext("{player} takes {cell}."), cell=cell
                )
            case Ended(ranks=ranks):
                return names.outcome(ranks)
        return ""


TITLE = NoughtsAndCrosses()
