"""The board of a match as pages show it: an SVG whose marks can be walked and chosen."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString, mark_safe

from games.kernel import svg, svg_writer
from games.kernel.svg import Drawing
from games.kernel.svg_writer import Place
from games.screen import packed_marks

SIZES = ((400, "board-huge"), (200, "board-large"), (90, "board-medium"))
"""Minimum number of marks for each class of a board that is never drawn below a certain size."""


FLAT = 1.6
"""Minimum ratio of width to height at which a board's panel stands below it."""


@dataclass(frozen=True)
class LinkedBoard:
    """A drawing, and what a click on its marks does.

    ``links`` are the addresses of clicks on marks. ``alternatives`` are the marks that undo an
    earlier choice, ``chosen`` those of the words of an unfinished move, and ``opened`` those whose
    inner marks are shown. ``is_shaded`` says that marks without a link are shaded, because too many
    have one to carry a dot.
    """

    drawing: Drawing
    links: Mapping[str, str] = field(default_factory=dict)
    alternatives: Collection[str] = ()
    chosen: Collection[str] = ()
    opened: Collection[str] = ()
    is_shaded: bool = False

    @property
    def svg(self) -> SafeString:
        return self.svg_with()

    @property
    def panel(self) -> SafeString:
        """The drawings beside the board, as SVG. Empty without them."""
        return self.panel_with()

    def svg_with(self, place: Place | None = None) -> SafeString:
        """Return the board as SVG.

        :param place: takes each part of the drawing, see :func:`svg_writer.render`. The marks are
            no links then: a script makes them from :attr:`links`.
        """
        return self._written(packed_marks.pack(self.drawing.board, self.links), place)

    def panel_with(self, place: Place | None = None) -> SafeString:
        """Return the drawings beside the board as SVG, one after the other."""
        written = (
            self._written(picture, place, number)
            for number, picture in enumerate(self.drawing.panel)
        )
        return SafeString("".join(written))

    def _written(
        self, drawing: Drawing, place: Place | None, panel: int | None = None
    ) -> SafeString:
        picture = svg_writer.render(
            drawing,
            ids="m-",
            links=self.links,
            alternatives=self.alternatives,
            chosen=self.chosen,
            opened=self.opened,
            anchors=place is None,
            place=place,
            panel=panel,
        )
        # Drawings are built from elements that escape what they are given.
        return mark_safe(picture)  # noqa: S308

    @property
    def is_flat(self) -> bool:
        """Whether the board is so much wider than high that its panel stands below it."""
        return self.drawing.width > FLAT * self.drawing.height

    @property
    def labels(self) -> Sequence[str]:
        """The objects on the board, in words and in reading order."""
        return [label for _, label in svg.marks_of(self.drawing, hidden=False)]

    @property
    def mark_count(self) -> int:
        """The number of marks, including those that aren't written."""
        return len(self.drawing.marks)

    @property
    def size(self) -> str:
        """The class that keeps a board with many marks large. Empty for few marks."""
        return next((name for least, name in SIZES if self.mark_count >= least), "")
