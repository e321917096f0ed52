"""An unfinished or whole move on a page, and the board with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.kernel.views import View
from games.matches.play import move_input
from games.matches.preview import Preview
from games.matches.table import Table
from games.screen.board import LinkedBoard
from games.screen.entry import NOTHING_TYPED, EntryPanel, Typed, address

FEW_DOTS = 12
"""Always show up to this many dots."""

DOTTED = 4
"""Plain dots cover at most one in this many marks. If more lead on, the others are shaded."""

Enter = Callable[[Table, Seat, Typed], move_input.MoveInput]
"""Parses typed input."""


def enter(table: Table, seat: Seat, typed: Typed) -> move_input.MoveInput:
    """Parse typed input, followed by the values of a form.

    :raises RulesError: no move begins like this.
    """
    entered = move_input.enter(table, seat, typed.moves, typed.words)
    if typed.filled is None:
        return entered
    word = move_input.fill(entered, *typed.filled)
    return move_input.enter(table, seat, typed.moves, (*entered.stem, word))


@dataclass(frozen=True)
class EnteredMove:
    """The reader's input on the page at ``path``.

    ``seat`` is ``None`` when it is not the reader's turn. ``standing`` draws the board as it
    stands. ``refusal`` is why the last submission was refused, ``None`` if it wasn't. ``overlay``
    adds to the board until a whole move is entered.
    """

    table: Table
    seat: Seat | None
    typed: Typed
    path: str
    standing: Callable[[], svg.Drawing]
    refusal: GameError | None = None
    read: Enter = enter
    overlay: Callable[[svg.Drawing], svg.Drawing] = lambda drawing: drawing

    @cached_property
    def _entered(self) -> tuple[EntryPanel | None, GameError | None]:
        """Move entry with the input, or empty with the reason why that was refused."""
        if self.seat is None:
            return None, None
        try:
            return self._panel(self.seat, self.typed), None
        except GameError as error:
            return self._panel(self.seat, NOTHING_TYPED), error

    def _panel(self, seat: Seat, typed: Typed) -> EntryPanel:
        return EntryPanel(self.table, self.read(self.table, seat, typed), seat, self.path, typed)

    @property
    def panel(self) -> EntryPanel | None:
        """Move entry. ``None`` while the user isn't to move."""
        return self._entered[0]

    @property
    def error(self) -> GameError | None:
        """Why the sent or typed moves are refused. ``None`` if they are valid."""
        return self.refusal or self._entered[1]

    @property
    def text(self) -> str:
        """The text in the field: the input, even if it was refused."""
        return self.typed.text if self.error or not self.panel else self.panel.entry.typed

    @property
    def address(self) -> str:
        """The address of the page with the input."""
        return address(self.path, self.typed.moves, self.typed.words)

    @property
    def is_unfinished(self) -> bool:
        """Whether the input is the beginning of a move, and not a whole one."""
        panel, error = self._entered
        return panel is not None and error is None and panel.entry.preview is None

    @property
    def preview(self) -> Preview | None:
        """The effects of the entered move. ``None`` while it is unfinished."""
        return self.panel.entry.preview if self.panel else None

    @property
    def position(self) -> View | None:
        """The position as what is entered leaves it; ``None`` while nothing is."""
        panel = self.panel
        if panel is None:
            return None
        if self.preview and self.preview.state is not None:
            return self.table.view(panel.seat, self.preview.state)
        return panel.entry.reached or (panel.entry.standing if panel.entry.moves else None)

    # --- Board ------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> LinkedBoard:
        """The board as the entered move would leave it, with the effects of clicks."""
        panel = self.panel
        if panel is None:
            return LinkedBoard(self._drawing)
        return LinkedBoard(
            self._drawing,
            self.links,
            panel.alternatives,
            panel.marked,
            svg.opened_by(self._drawing, self.typed.mark),
            is_shaded=bool(panel.targets) and not (self.preview or self._dots),
        )

    @cached_property
    def _dots(self) -> Mapping[str, str]:
        """The text of the dot on each mark. Empty if plain dots would be too many."""
        signs = self.panel.signs if self.panel else {}
        most = max(FEW_DOTS, len(self._drawing_so_far.marks) // DOTTED)
        return signs if any(signs.values()) or len(signs) <= most else {}

    @cached_property
    def _drawing(self) -> svg.Drawing:
        """The board as the entered move would leave it, otherwise with dots on the choices."""
        if self.preview:
            return self.preview.drawing
        drawing = self._drawing_so_far
        placed = svg.middles_of(drawing)
        dots = {mark: sign for mark, sign in self._dots.items() if mark in placed}
        return svg.with_targets(drawing, dots) if dots else drawing

    @cached_property
    def _drawing_so_far(self) -> svg.Drawing:
        """The board as the unfinished move would leave it, or as it stands."""
        entry = self.panel.entry if self.panel else None
        if entry is None or not (entry.view or entry.moves):
            return self.overlay(self.standing())
        return self.overlay(self.table.title.draw(entry.view or entry.standing, ()))

    @cached_property
    def links(self) -> Mapping[str, str]:
        return {**self.panel.alternatives, **self.panel.targets} if self.panel else {}
