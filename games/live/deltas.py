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

    def __str__(self) -> str:
        """Return the whole text."""
        return CUT.join(self.pieces)

    @cached_property
    def places(self) -> dict[str, int]:
        """Where each piece is, the last of those that are alike."""
        return {piece: at for at, piece in enumerate(self.pieces)}


NOTHING = Text()


def changes(new: Text, old: Text, older: Text = NOTHING) -> Changes:
    """Return what makes a text of the pieces of two others: the old one's, then the older one's."""
    held, first = [*old.pieces, *older.pieces], len(old.pieces)
    found: Changes = []
    begin = end = 0  # the run that goes on
    for piece in new.pieces:
        if end < len(held) and held[end] == piece:
            end += 1
            continue
        if begin < end:
            found.append([begin, end])
        if piece in old.places:
            begin = old.places[piece]
        elif piece in older.places:
            begin = first + older.places[piece]
        else:
            found.append(piece)
            begin = end = end + 1
            continue
        end = begin + 1
    return [*found, [begin, end]] if begin < end else found
