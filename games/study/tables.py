"""The positions of a board as tables."""

from collections.abc import Sequence

from games.kernel.contract import Ended
from games.kernel.replay import Moment
from games.kernel.svg import Drawing
from games.matches.table import OVER, RUNNING, Account, Facts, Participant, Table
from games.study.tree import Tree


def drawing_of(tree: Tree, moment: Moment) -> Drawing:
    """Return the board at a position with all hands open."""
    title = tree.title
    return title.draw(title.open_view(moment.state), ())


def table_of(tree: Tree, moment: Moment, depth: int, names: Sequence[str] = ()) -> Table:
    """Return the position after a node of a tree. ``depth`` is the number of moves before it.

    With ``names``, one a seat, it is a match on one device, and each seat sees only its own hand.
    Otherwise all hands are open, since a board belongs to the person who tries lines on it.
    """
    title = tree.title
    ranks = title.result(moment.state)
    endings = [event.ending for event in moment.events if isinstance(event, Ended)]
    match = Facts(
        tree.game,
        tree.params,
        tree.rules,
        version=depth,
        status=OVER if ranks else RUNNING,
        ending=endings[-1] if endings else "",
    )
    actors = title.actors(moment.state)
    seat_names = names or [colour.shown_name for colour in title.meta.colours]
    players = [
        Participant(
            match,
            Account(seat_names[seat]),
            seat,
            to_move=seat in actors,
            rank=ranks[seat] if ranks else None,
        )
        for seat in range(tree.seats)
    ]
    return Table(match, players, moment.state, is_open=not names)
