"""What happens and what a move does, in words; and the numbers that decide."""

from collections.abc import Sequence

from games.kernel.contract import ENDED, Event, Seat, Tally
from games.kernel.formatting import sentence
from games.kernel.narration import Names
from games.titles.die.meta import META, NO_STONES
from games.titles.die.moves import Move
from games.titles.die.rules import PLACE, REMOVE
from games.titles.die.state import LETTERS, Position


def describe(event: Event, viewer: Seat | None) -> str:
    """Return a line of the log; empty for what needs no telling."""
    names = Names(META.colours, viewer)
    if event.type == PLACE and event.seat is not None:
        return f"{names.does(event.seat, 'place')} a stone on {event.data['cell']}."
    if event.type == REMOVE:
        return _describe_removal(names.possessive(event.data["owner"]), event.data["cells"])
    return _describe_end(names, event) if event.type == ENDED else ""


def ending_reason(event: Event, viewer: Seat | None) -> str:
    """Return whose stones are all gone; empty where the match ended otherwise."""
    if event.data["ending"] != NO_STONES:
        return ""
    names = Names(META.colours, viewer)
    winner = event.data["ranks"].index(1)
    return f"{names.of(winner)} {names.verb(winner, 'have')} no stones left"


def phrase(move: Move, view: Position, seat: Seat) -> str:
    """Return a placement as its player is asked to confirm it."""
    return f"Place a stone on {move}"


def tallies(view: Position, seat: Seat) -> Sequence[Tally]:
    """Return how many stones a seat has on the board."""
    stones = sum(row.count(LETTERS[seat]) for row in view.rows)
    return (Tally(stones, "stone" if stones == 1 else "stones"),)


def _describe_removal(whose: str, cells: Sequence[str]) -> str:
    what = f"group of {len(cells)} is" if len(cells) > 1 else "stone is"
    return f"{sentence(whose)} {what} bounded and leaves the board: {', '.join(cells)}."


def _describe_end(names: Names, event: Event) -> str:
    ranks = event.data["ranks"]
    if ranks.count(1) > 1:
        return "The match is a draw."
    winner = ranks.index(1)
    wins = names.verb(winner, "win")
    if why := ending_reason(event, names.viewer):
        return f"{sentence(why)} and {wins}."
    return f"{names.does(winner, 'win')}."
