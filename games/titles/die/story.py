"""The log: what happened, in words."""

from collections.abc import Sequence

from games.kernel.contract import ENDED, Event
from games.titles.die.meta import META, NO_STONES
from games.titles.die.rules import PLACE, REMOVE


def describe(event: Event) -> str:
    """Return a line of the log; empty for what needs no telling."""
    if event.type == PLACE and event.seat is not None:
        return f"{_name(event.seat)} places on {event.data['cell']}."
    if event.type == REMOVE:
        return _describe_removal(_name(event.data["owner"]), event.data["cells"])
    if event.type == ENDED:
        return _describe_end(event.data["ending"], event.data["ranks"])
    return ""


def _describe_removal(owner: str, cells: Sequence[str]) -> str:
    what = f"group of {len(cells)} is" if len(cells) > 1 else "stone is"
    return f"{owner}’s {what} bounded and leaves the board: {', '.join(cells)}."


def _describe_end(ending: str, ranks: Sequence[int]) -> str:
    if ranks.count(1) > 1:
        return "The match is a draw."
    name = _name(ranks.index(1))
    return f"{name} has no stones left and wins." if ending == NO_STONES else f"{name} wins."


def _name(seat: int) -> str:
    return META.colours[seat].name
