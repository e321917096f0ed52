"""The effects of a move, as far as its mover may know them in advance."""

from dataclasses import dataclass
from typing import Any

from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.svg import Drawing
from games.matches.table import Table


@dataclass(frozen=True)
class Preview:
    """The effects of a move: its canonical text, the same in words, and the board after it.

    ``sentences`` describe its events, ``consequences`` those beyond the move itself. If chance or
    hidden information decides the outcome, or the move ends a match with hidden information,
    ``drawing`` is the board before it and ``state`` is ``None``. ``is_drawn`` says that chance
    decides, if that may be known.
    """

    text: str
    phrase: str
    drawing: Drawing
    sentences: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()
    state: Any = None
    is_drawn: bool = False


def preview(table: Table, seat: Seat, text: str, state: Any = None) -> Preview:
    """Return the effects of a move, as far as its mover may know them in advance.

    ``state`` is the position that earlier moves of the same submission lead to.

    :raises RulesError: the move isn't legal.
    """
    title = table.title
    move = title.parse(text)
    before = table.state if state is None else state
    is_hidden = title.outcome_hidden(move)
    try:
        after, events = title.play(before, seat, move, no_dice())
    except ChanceError:
        return _undecided(table, seat, move, before, is_drawn=not is_hidden)
    if is_hidden or (title.meta.has_secrets and title.result(after)):
        return _undecided(table, seat, move, before)
    seen = tuple(event.seen_by(seat) for event in events)
    return Preview(
        str(move),
        title.phrase(move, table.view(seat, before), seat, seat),
        title.draw(table.view(seat, after), seen),
        title.sentences(seen, seat),
        title.sentences([event for event in seen if event.type != seen[0].type], seat),
        after,
    )


def _undecided(
    table: Table, seat: Seat, move: Any, before: Any, *, is_drawn: bool = False
) -> Preview:
    """Return the preview of a move whose outcome its mover may not know yet."""
    title = table.title
    view = table.view(seat, before)
    phrase = title.phrase(move, view, seat, seat)
    return Preview(str(move), phrase, title.draw(view, ()), is_drawn=is_drawn)
