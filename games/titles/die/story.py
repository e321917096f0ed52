"""Events and moves in words, and the numbers that decide."""

from collections.abc import Sequence

from games.kernel.contract import Ended, Event, Seat, Tally
from games.kernel.formatting import listed
from games.kernel.language import gettext, ngettext, npgettext
from games.kernel.narration import Names
from games.titles.die.events import Placed, Removed
from games.titles.die.meta import META, NO_STONES
from games.titles.die.moves import Move
from games.titles.die.state import LETTERS, RED, Position

MAX_NAMED_CELLS = 3
"""The cells of more stones than this aren't named, since the board shows them."""


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log. Empty for events without one."""
    names = Names(META.colours, viewer)
    match event:
        case Placed(seat=seat, cell=cell):
            return names.tell(
                seat,
                gettext("You place a stone on {cell}."),
                gettext("{player} places a stone on {cell}."),
                cell=cell,
            )
        case Removed(owner=owner, cells=cells):
            return _describe_removal(names, owner, cells)
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
            count = len(cells)
            if owner == viewer:
                removed = ngettext("{count} of yours removed", "{count} of yours removed", count)
            elif owner == RED:
                # Translators: red stones.
                removed = ngettext("{count} red removed", "{count} red removed", count)
            else:
                # Translators: blue stones.
                removed = ngettext("{count} blue removed", "{count} blue removed", count)
            return removed.format(count=count)
    return ""


def ending_reason(event: Ended, viewer: Seat | None) -> str:
    """Return whose stones are all gone. Empty if the match ended otherwise."""
    if event.ending != NO_STONES:
        return ""
    return Names(META.colours, viewer).tell(
        event.ranks.index(1),
        # Translators: after a colon, as in "You win: you have no stones left."
        gettext("you have no stones left"),
        # Translators: after a colon, as in "Red wins: Red has no stones left."
        gettext("{player} has no stones left"),
    )


def phrase(move: Move, view: Position, seat: Seat, viewer: Seat | None) -> str:
    """Return a placement as its player is asked to confirm it."""
    return gettext("Place a stone on {cell}").format(cell=move)


def tallies(view: Position, seat: Seat) -> Sequence[Tally]:
    """Return the number of a seat's stones on the board."""
    stones = sum(row.count(LETTERS[seat]) for row in view.rows)
    return (Tally(stones, npgettext("beside a number", "stone", "stones", stones)),)


def _describe_removal(names: Names, owner: Seat, cells: Sequence[str]) -> str:
    count = len(cells)
    if count > MAX_NAMED_CELLS:
        own = gettext("{count} of your stones leave the board.")
        others = gettext("{count} of {player}’s stones leave the board.")
    else:
        own = ngettext(
            "Your stone on {cells} leaves the board.",
            "Your stones on {cells} leave the board.",
            count,
        )
        others = ngettext(
            "{player}’s stone on {cells} leaves the board.",
            "{player}’s stones on {cells} leave the board.",
            count,
        )
    return names.tell(owner, own, others, count=count, cells=listed(cells))
