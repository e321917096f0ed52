"""What a move would do, as far as its mover may know beforehand."""

from dataclasses import dataclass
from typing import Any

from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.svg import Drawing
from games.matches.selectors import MatchSnapshot


@dataclass(frozen=True)
class Preview:
    """What a move would do: its canonical text, the same in words, and the board after it.

    ``sentences`` tell its events, ``consequences`` those beyond the move itself. Where chance or
    hidden information decides what it does, or it ends a match with hidden information,
    ``drawing`` is the board before it and ``state`` is ``None``. ``is_drawn`` says that chance has
    a say, where that may be known.
    """

    text: str
    phrase: str
    drawing: Drawing
    sentences: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()
    state: Any = None
    is_drawn: bool = False


def preview(snapshot: MatchSnapshot, seat: Seat, text: str, state: Any = None) -> Preview:
    """Return what a move would do, as far as its mover may know beforehand.

    ``state`` is the position that earlier moves of the same submission lead to.

    :raises RulesError: the move is not legal.
    """
    title = snapshot.title
    move = title.parse(text)
    before = snapshot.state if state is None else state
    is_hidden = title.outcome_hidden(move)
    try:
        after, events = title.play(before, seat, move, no_dice())
    except ChanceError:
        return _undecided(title, seat, move, before, is_drawn=not is_hidden)
    if is_hidden or (title.meta.has_secrets and title.result(after)):
        return _undecided(title, seat, move, before)
    seen = tuple(event.seen_by(seat) for event in events)
    return Preview(
        str(move),
        title.phrase(move, title.view(before, seat), seat, seat),
        title.draw(title.view(after, seat), seen),
        title.sentences(seen, seat),
        title.sentences([event for event in seen if event.type != seen[0].type], seat),
        after,
    )


def _undecided(
    title: AnyGame, seat: Seat, move: Any, before: Any, *, is_drawn: bool = False
) -> Preview:
    """Return the preview of a move whose outcome its mover may not know yet."""
    view = title.view(before, seat)
    phrase = title.phrase(move, view, seat, seat)
    return Preview(str(move), phrase, title.draw(view, ()), is_drawn=is_drawn)
