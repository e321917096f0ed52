"""HTML as the change of HTML that was sent before: most of a page stays from move to move.

A text is cut into pieces where tags close. What is sent is, in order, new pieces and runs of those
of the last two texts: whose turn it was two moves ago had the same links on the board.
``static/js/live.js`` puts them together.
"""

from dataclasses import dataclass, field
from functools import cached_property

CUT = "</"
"""Between two pieces. It stands within none, so that a text is what its pieces are joined to."""

Changes = list[str | list[int]]
"""Pieces, and runs of pieces that are held: their first place, and the place after the last."""


@dataclass(frozen=True)
class Text:
    """A text in pieces."""

    pieces: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, text: str) -> "Text":
        """Cut a text into pieces."""
        return cls(text.split(CUT))

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each piece is that there is only once."""
        places: dict[str, int] = {}
        repeated = set()
        for at, piece in enumerate(self.pieces):
            if places.setdefault(piece, at) != at:
                repeated.add(piece)
        for piece in repeated:
            del places[piece]
        return places


NOTHING = Text()


def changes(new: Text, old: Text, older: Text = NOTHING) -> Changes:
    """Return what makes a text of the pieces of two others: the old one's, then the older one's."""
    held = [*old.pieces, *older.pieces]
    found: Changes = []
    at = 0
    for piece in new.pieces:
        if at >= len(held) or held[at] != piece:
            at = _place(piece, old, older, at)
        if at < len(held) and held[at] == piece:
            _add(found, at)
        else:
            found.append(piece)
        at += 1
    return found


def _place(piece: str, old: Text, older: Text, otherwise: int) -> int:
    if piece in old.places:
        return old.places[piece]
    return older.places[piece] + len(old.pieces) if piece in older.places else otherwise


def _add(found: Changes, at: int) -> None:
    """Add a piece that is held, to the run that it goes on where there is one."""
    last = found[-1] if found else ""
    if isinstance(last, list) and last[1] == at:
        last[1] += 1
    else:
        found.append([at, at + 1])
