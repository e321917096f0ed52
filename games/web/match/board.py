"""The board of a match as pages show it: an SVG whose marks can be walked and chosen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.kernel import packed_marks, svg_writer
from games.kernel.svg_writer import Place
from games.matches.models import Player
from games.matches.presentation import MatchPresentation

MANY = 4
"""From so many players on the strips of most of them are folded away."""

SIZES = ((400, "board-huge"), (200, "board-large"), (90, "board-medium"))
"""The least number of marks for each class of a board that is never drawn below a certain size."""


@dataclass(frozen=True)
class BoardPage(MatchPresentation):
    """A page that shows a match to a user, who may be anonymous."""

    user: Any

    @property
    def folded_players(self) -> Sequence[Player]:
        """The players whose strips open on demand: of many, all but the reader and the movers."""
        if len(self.players) < MANY:
            return []
        shown = [self.own, *self.awaited, *(p for p in self.players if p.rank == 1)]
        return [player for player in self.players if player not in shown]

    @property
    def links(self) -> Mapping[str, str]:
        """The address that a click on each mark of the board leads to."""
        return {}

    @property
    def alternatives(self) -> Collection[str]:
        """The marks of which a click goes back on what was chosen so far."""
        return ()

    @property
    def opened_marks(self) -> Collection[str]:
        """The marks of the board whose inner marks are shown."""
        return ()

    @property
    def chosen_marks(self) -> Collection[str]:
        """The marks of the board that the words of an unfinished move stand for."""
        return ()

    @property
    def board(self) -> SafeString:
        """The board as SVG."""
        return self.board_with()

    def board_with(self, place: Place | None = None) -> SafeString:
        """Return the board as SVG.

        :param place: takes each part of the drawing, as of :func:`svg_writer.render`. The marks
            are no links then: a script makes them from :attr:`links`.
        """
        drawing = packed_marks.pack(self.drawing, self.links)
        picture = svg_writer.render(
            drawing,
            ids="m-",
            links=self.links,
            alternatives=self.alternatives,
            chosen=self.chosen_marks,
            opened=self.opened_marks,
            anchors=place is None,
            place=place,
        )
        # Drawings are built from elements that escape what they are given.
        return mark_safe(picture)  # noqa: S308

    @cached_property
    def mark_count(self) -> int:
        """How many marks the board has, those not written included."""
        return len(self.drawing.marks)

    @property
    def board_class(self) -> str:
        """The class that keeps a board with many marks large; empty for few marks."""
        return next((name for least, name in SIZES if self.mark_count >= least), "")
