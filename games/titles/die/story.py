"""Events and moves in words, and the numbers that decide."""

from collections.abc import Sequence

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import listed, sentence
from games.kernel.narration import Names
from games.titles.die.events import Placed, Removed
from games.titles.die.meta import META, NO_STONES
from games.titles.die.moves import Move
from games.titles.die.state import LETTERS, Position

MAX_NAMED_CELLS = 3
"""The cells of more stones than this aren't named, since the board shows them."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    names = Names(META.colours, viewer)
    match event:
        case Placed(seat=seat, cell=cell):
            return f"{names.does(seat, 'place')} a stone on {cell}."
        case Removed(owner=owner, cells=cells):
            return _describe_removal(names.possessive(owner), cells)
        case Ended(ranks=ranks):
            return names.outcome(ranks, ending_reason(event, viewer))
    return ""


def joined(events: Sequence[Event]) -> Sequence[Event]:
    """Merge the removed groups of each owner."""
    cells: dict[int, tuple[str, ...]] = {}
    for event in events:
        if isinstance(event, Removed):
            cells[event.owner] = (*cells.get(event.owner, ()), *event.cells)
    joined_events: list[Event] = []
    for event in events:
        if not isinstance(event, Removed):
            joined_events.append(event)
        elif event.owner in cells:
            joined_events.append(Removed(event.seat, event.owner, cells.pop(event.owner)))
    return joined_events


def befalls(event: Event, seat: Seat) -> bool:
    """Whether stones of a seat leave the board."""
    return isinstance(event, Removed) and event.owner == seat


def headline(event: Event, viewer: Seat | None) -> str:
    """Return the cell of a placement, and the number of removed stones."""
    match event:
        case Placed(cell=cell):
            return cell
        case Removed(owner=owner, cells=cells):
            whose = "of yours" if owner == viewer else META.colours[owner].name.lower()
            return f"{len(cells)} {whose} removed"
    return ""


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return whose stones are all gone. Empty if the match ended otherwise."""
    if event.ending != NO_STONES:
        return ""
    names = Names(META.colours, viewer)
    winner = event.ranks.index(1)
    return f"{names.of(winner)} {names.verb(winner, 'have')} no stones left"


def phrase(move: Move, view: Position, seat: Seat, viewer: Seat | None) -> str:
    """Return a placement as its player is asked to confirm it."""
    return f"Place a stone on {move}"


def tallies(view: Position, seat: Seat) -> Sequence[Tally]:
    """Return the number of a seat's stones on the board."""
    stones = sum(row.count(LETTERS[seat]) for row in view.rows)
    return (Tally(stones, "stone" if stones == 1 else "stones"),)


def _describe_removal(whose: str, cells: Sequence[str]) -> str:
    if len(cells) > MAX_NAMED_CELLS:
        return f"{len(cells)} of {whose} stones leave the board."
    noun, leaves = ("stone", "leaves") if len(cells) == 1 else ("stones", "leave")
    return f"{sentence(whose)} {noun} on {listed(cells)} {leaves} the board."
