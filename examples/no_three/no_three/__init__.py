"""No Three: a player who makes a line of three is out, and the last player in wins."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Annotated

import msgspec
from msgspec import structs

from games.kernel.completion import folded
from games.kernel.contract import (
    Colour,
    Ended,
    Event,
    Meta,
    OpenGame,
    Params,
    Seat,
    SeatEvent,
    TurnEnded,
)
from games.kernel.decoding import check_faults, check_params
from games.kernel.dice import Dice
from games.kernel.errors import IllegalMove, MalformedMove, quoted
from games.kernel.hexgrid import EMPTY, Cell, Cells, HexBoard, hex_board
from games.kernel.language import gettext, gettext_noop, ngettext
from games.kernel.many_players import ManyPlayers, ManyPlayersState
from games.kernel.narration import Names
from games.kernel.options import Options
from games.kernel.preconditions import check_mover
from games.kernel.svg import Drawing
from games.kernel.two_players import PAIR
from games.kernel.views import Json
from no_three import drawing

MIN_SIZE, MAX_SIZE = 2, 5

META = Meta(
    slug="no-three",
    name="No Three",
    designer="Turnstone",
    year=2026,
    summary=gettext_noop(
        "Place stones in turn. A line of three of yours puts you out. The last one in wins."
    ),
    goal=gettext_noop("Never have three of your stones in a line."),
    seats=(2, 3),
    colours=(
        Colour(gettext_noop("Red"), "r"),
        Colour(gettext_noop("Blue"), "b"),
        Colour(gettext_noop("Green"), "g"),
    ),
    params={
        "type": "object",
        "properties": {
            "size": {
                "type": "integer",
                "minimum": MIN_SIZE,
                "maximum": MAX_SIZE,
                "default": 3,
                "title": gettext_noop("Size"),
                "description": gettext_noop("Cells on each side of the board."),
                "wording": {"": gettext_noop("size {}")},
            },
        },
        "additionalProperties": False,
    },
    endings={
        "last": gettext_noop("Only one player has no line of three."),
        "full": gettext_noop("The board is full."),
    },
    rules_version=1,
)

LETTERS = "".join(colour.letter for colour in META.colours)
LINE = 3


class Placed(SeatEvent, frozen=True, tag="place"):
    """The seat placed a stone on a cell."""

    cell: str


class Out(SeatEvent, frozen=True, tag="out"):
    """The seat made a line with these cells and is out."""

    cells: tuple[str, ...]


class State(ManyPlayersState, frozen=True, kw_only=True):
    """A state, which is also its JSON form and what everybody sees: rows from the top."""

    size: Annotated[int, msgspec.Meta(ge=MIN_SIZE, le=MAX_SIZE)]
    rows: tuple[str, ...]

    @property
    def board(self) -> HexBoard:
        return hex_board(self.size)

    @property
    def stones(self) -> tuple[Cells, ...]:
        """The cells of each colour."""
        return self.board.sets_of(self.rows, LETTERS)

    @property
    def is_full(self) -> bool:
        return not any(EMPTY in row for row in self.rows)


class NoThree(ManyPlayers, OpenGame[State, Cell, State]):
    """The game of No Three; its moves are cells."""

    meta = META
    events = (Placed, Out)
    prompt = gettext_noop("Choose an empty cell.")

    def params_refusal(self, seats: int, params: Params) -> str:
        """Refuse boards that are full before anybody has a choice."""
        if seats == PAIR or params["size"] > MIN_SIZE:
            return ""
        return gettext("With three players, the board needs three cells on a side.")

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the empty board."""
        size = params["size"]
        board = hex_board(size)
        return State(seats=seats, mover=Seat(0), size=size, rows=board.rows_of((), ""))

    def moves(self, state: State, seat: Seat) -> Iterator[Cell]:
        """Yield the empty cells."""
        if seat in self.actors(state):
            yield from state.board.cells_of(state.board.all & ~sum(state.stones))

    def play(
        self, state: State, seat: Seat, move: Cell, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        """Place a stone, and put its player out if that makes a line.

        :raises RulesError: the cell can't be taken, the match is over, or it is another's turn.
        """
        check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
        board, stones = state.board, list(state.stones)
        if move not in board:
            raise IllegalMove(gettext("{cell} isn't on this board.").format(cell=move))
        if board.bit(move) & sum(stones):
            raise IllegalMove(gettext("{cell} is taken.").format(cell=move))
        stones[seat] |= board.bit(move)
        after = structs.replace(state, rows=board.rows_of(stones, LETTERS))
        events: tuple[Event, ...] = (Placed(seat, str(move)),)
        if line := board.lines(stones[seat], LINE):
            after = structs.replace(after, out=(*state.out, seat))
            events = (*events, Out(seat, tuple(map(str, board.cells_of(line)))))
        after = structs.replace(after, mover=after.next_mover)
        events = (*events, TurnEnded(seat))
        if ending := self._ending(after):
            after, end = self.stop(after, ending, self.ranking(after))
            events = (*events, *end)
        return after, events

    def _ending(self, state: State) -> str:
        """Return how the rules end the match here. Empty if they don't."""
        if len(state.still_in) == 1:
            return "last"
        return "full" if state.is_full else ""

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the state: nothing is hidden."""
        return state

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the state that JSON describes.

        :raises BrokenPosition: it has another shape.
        """
        state = State.read(data, seats)
        check_params(("size",), state, params)
        state.board.sets_of(state.rows, LETTERS[:seats])
        return state

    def validate(self, state: State) -> None:
        """Check that a match can have reached a state.

        :raises BrokenPosition: such a position can't occur.
        """
        check_faults(self._faults(state))
        self.check_ranks(state, is_over=bool(self._ending(state)))

    def _faults(self, state: State) -> Iterator[str]:
        yield from state.seat_faults()
        for seat, colour in enumerate(META.colours[: state.seats]):
            if bool(state.board.lines(state.stones[seat], LINE)) != (seat in state.out):
                message = gettext("{player} is out exactly if it has a line of three.")
                yield message.format(player=colour.shown_name)
        counts = [stones.bit_count() for stones in state.stones[: state.seats]]
        total = sum(counts)
        everybody = range(state.seats)
        turns = [(total + state.seats - 1 - seat) // state.seats for seat in everybody]
        if not state.out and not state.dropped and counts != turns:
            yield gettext("The players take turns, and Red begins.")
        if not state.out and not state.dropped and state.mover != total % state.seats:
            message = gettext("After {count} stones it is another player's turn.")
            yield message.format(count=total)

    def parse(self, text: str) -> Cell:
        """Return the cell that a text names.

        :raises MalformedMove: it isn't a move.
        """
        cell = Cell.read(folded(text))
        if cell is None:
            message = gettext("{text} is no cell such as c2.")
            raise MalformedMove(message.format(text=quoted(text.strip())))
        return cell

    def options(self, state: State, seat: Seat, typed: str) -> Options:
        """Return how a text may continue, and how many safe cells a whole move leaves its player.

        :raises MalformedMove: no legal move begins with it.
        """
        options = super().options(state, seat, typed)
        if not options.complete:
            return options
        board = state.board
        placed = board.bit(self.parse(typed))
        own = state.stones[seat] | placed
        if board.lines(own, LINE):
            return options  # The preview says that its player is out.
        safe = board.all & ~sum(state.stones) & ~placed & ~board.completions(own, LINE)
        left = safe.bit_count()
        forecast = ngettext(
            "Then you have {count} safe cell left.", "Then you have {count} safe cells left.", left
        )
        return replace(options, forecast=forecast.format(count=left))

    def phrase(self, move: Cell, view: State, seat: Seat, viewer: Seat | None) -> str:
        """Return a move as its player is asked to confirm it."""
        return gettext("Place a stone on {cell}").format(cell=move)

    def draw(self, view: State, recent: Sequence[Event]) -> Drawing:
        """Return the board, with the cell of the last move highlighted."""
        last = {event.cell for event in recent if isinstance(event, Placed)}
        return drawing.draw(view.board, view.stones, last)

    def describe(self, event: Event, viewer: Seat | None) -> str:
        """Return the log line of an event; empty for the end of a turn."""
        names = Names(META.colours, viewer)
        match event:
            case Placed(seat=seat, cell=cell):
                return names.tell(
                    seat,
                    gettext("You place a stone on {cell}."),
                    gettext("{player} places a stone on {cell}."),
                    cell=cell,
                )
            case Out(seat=seat):
                return names.tell(
                    seat,
                    gettext("You are out with a line of three."),
                    gettext("{player} is out with a line of three."),
                )
            case Ended(ranks=ranks):
                return names.outcome(ranks)
        return ""

    def headline(self, event: Event, viewer: Seat | None) -> str:
        """Return an event beside the colour of its player. The strips say who has won."""
        match event:
            case Placed(cell=cell):
                return cell
            case Out():
                return gettext("Out with a line of three")
        return ""


TITLE = NoThree()
