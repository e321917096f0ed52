"""The rules of DIE."""

from collections.abc import Iterable

from games.kernel.contract import Ended, Event, Params, Seat, TurnEnded
from games.kernel.dice import Dice
from games.kernel.errors import IllegalMove
from games.kernel.hexgrid import Cells, HexBoard
from games.kernel.language import gettext, pgettext
from games.kernel.preconditions import check_mover
from games.titles.die.events import Placed, Removed
from games.titles.die.meta import META, NO_STONES
from games.titles.die.moves import Move
from games.titles.die.state import RED, State, winner


def setup(seats: int, params: Params, dice: Dice) -> State:
    return State(params["size"], (0, 0), 0)


def moves(state: State, seat: Seat) -> Iterable[Move]:
    """Return the legal cells row by row from the bottom, each from the left."""
    return state.board.cells_of(state.legal) if seat == state.mover and not state.ranks else ()


def play(state: State, seat: Seat, move: Move, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Place a stone, remove bounded groups, and end the turn.

    :raises RulesError: the seat may not place there, or not now.
    """
    check_legal(state, seat, move)
    board = state.board
    placed = board.bit(move)
    own = state.stones[seat] | placed
    other = state.stones[1 - seat]
    events: list[Event] = [Placed(seat, str(move))]
    for group in bounded_by(board, placed, own, other):
        owner = seat if group & placed else Seat(1 - seat)
        events.append(Removed(seat, owner, tuple(map(str, board.cells_of(group)))))
        own &= ~group
        other &= ~group
    events.append(TurnEnded(seat))
    stones = (own, other) if seat == RED else (other, own)
    ranks = winner(stones, state.ply + 1)
    if ranks:
        events.append(Ended(ending=NO_STONES, ranks=ranks))
    return State(state.size, stones, state.ply + 1, ranks), tuple(events)


def check_legal(state: State, seat: Seat, move: Move) -> None:
    """Check that a seat may place a stone on a cell now.

    :raises RulesError: it may not. The sentence says which rule forbids it.
    """
    check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
    board = state.board
    if move not in board:
        message = gettext("{place} is not on a board of size {size}.")
        raise IllegalMove(message.format(place=move, size=state.size))
    if not board.bit(move) & state.legal:
        raise IllegalMove(_why_not(state, move))


def next_turn(state: State, seat: Seat) -> State | None:
    """Return a position as if the other seat had passed. ``None`` before both have stones."""
    if state.ranks or state.mover == seat:
        return None if state.ranks else state
    return State(state.size, state.stones, state.ply + 1) if all(state.stones) else None


def bounded_by(board: HexBoard, placed: Cells, own: Cells, other: Cells) -> list[Cells]:
    """Return the groups that a new stone removes: its own, otherwise those of the other seat.

    Only groups that touch the stone can have lost their last empty cell.
    """
    empty = board.all ^ (own | other)
    if not board.around(placed) & empty:
        group = board.flood(placed, own)
        if not board.around(group) & empty:
            return [group]
    beside_empty = board.around(empty)
    suspects = board.around(placed) & other & ~beside_empty
    if not suspects:
        return []
    groups = board.groups(board.flood(suspects, other))
    return [group for group in groups if not group & beside_empty]


def prompt(state: State) -> str:
    """Return the question, with the number of the mover's stones that a cell must touch."""
    if not state.stones[state.mover] or not state.legal:
        return gettext("Choose a cell for your stone.")
    fewest = _fewest(state)
    if not fewest:
        return gettext("Choose a cell that touches none of your stones.")
    message = gettext("Choose a cell that touches {count} of your stones.")
    return message.format(count=_in_words(fewest))


def _fewest(state: State) -> int:
    """Return how many of the mover's stones every legal cell touches."""
    board = state.board
    cell = next(board.cells_of(state.legal))
    return (board.around(board.bit(cell)) & state.stones[state.mover]).bit_count()


def _in_words(count: int) -> str:
    """Return a number of neighbouring stones in words."""
    return (
        # Translators: how many of your stones a cell touches, from "none" to "six".
        pgettext("number of stones", "none"),
        pgettext("number of stones", "one"),
        pgettext("number of stones", "two"),
        pgettext("number of stones", "three"),
        pgettext("number of stones", "four"),
        pgettext("number of stones", "five"),
        pgettext("number of stones", "six"),
    )[count]


def _why_not(state: State, move: Move) -> str:
    cell = state.board.bit(move)
    own = state.stones[state.mover]
    if not cell & state.empty:
        return gettext("{place} is taken.").format(place=move)
    if not cell & state.reachable:
        message = gettext(
            "You can’t get to {cell}: no path of empty cells joins it to a stone of yours."
        )
        return message.format(cell=move)
    friends = (state.board.around(cell) & own).bit_count()
    other = next(state.board.cells_of(state.legal))
    message = gettext(
        "{cell} touches {count} of your stones. Choose a cell that touches {wanted}, such as"
        " {other}."
    )
    wanted = _in_words(_fewest(state))
    return message.format(cell=move, count=_in_words(friends), wanted=wanted, other=other)
