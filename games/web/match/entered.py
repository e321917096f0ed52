"""A move as far as it has been entered on a page, and the board with it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

from games.kernel import svg
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches.play import move_input
from games.matches.preview import Preview
from games.matches.selectors import MatchSnapshot
from games.web.match.board import Board
from games.web.match.entry import NOTHING_TYPED, EntryPanel, Typed, address

FEW_DOTS = 12
"""Up to this many plain dots are always drawn."""

DOTTED = 4
"""Plain dots cover at most one in this many marks; where more lead on, the others are shaded."""

Enter = Callable[[MatchSnapshot, Seat, Typed], move_input.MoveInput]
"""Reads what was typed."""


def enter(snapshot: MatchSnapshot, seat: Seat, typed: Typed) -> move_input.MoveInput:
    """Read what was typed, with what was filled into a form behind it.

    :raises RulesError: no move begins like this.
    """
    entered = move_input.enter(snapshot, seat, typed.moves, typed.words)
    if typed.filled is None:
        return entered
    word = move_input.fill(entered, *typed.filled)
    return move_input.enter(snapshot, seat, typed.moves, (*entered.stem, word))


@dataclass(frozen=True)
class EnteredMove:
    """What a reader has entered on the page at ``path``.

    ``seat`` is ``None`` for who is not to move, and enters nothing. ``standing`` draws the board
    as it stands. ``refusal`` is why what was sent is refused, ``None`` if it is not. ``overlay``
    adds to the board until a whole move is entered.
    """

    snapshot: MatchSnapshot
    seat: Seat | None
    typed: Typed
    path: str
    standing: Callable[[], svg.Drawing]
    refusal: GameError | None = None
    read: Enter = enter
    overlay: Callable[[svg.Drawing], svg.Drawing] = lambda drawing: drawing

    @cached_property
    def _entered(self) -> tuple[EntryPanel | None, GameError | None]:
        """Move entry with what was typed, or empty with the reason why that was refused."""
        if self.seat is None:
            return None, None
        try:
            return self._panel(self.seat, self.typed), None
        except GameError as error:
            return self._panel(self.seat, NOTHING_TYPED), error

    def _panel(self, seat: Seat, typed: Typed) -> EntryPanel:
        return EntryPanel(
            self.snapshot, self.read(self.snapshot, seat, typed), seat, self.path, typed
        )

    @property
    def panel(self) -> EntryPanel | None:
        """Move entry; ``None`` while the user is not to move."""
        return self._entered[0]

    @property
    def error(self) -> GameError | None:
        """Why the sent or typed moves are refused; ``None`` if they are valid."""
        return self.refusal or self._entered[1]

    @property
    def text(self) -> str:
        """The text in the field: what was typed, even if it was refused."""
        return self.typed.text if self.error or not self.panel else self.panel.entry.typed

    @property
    def address(self) -> str:
        """The address of the page with what has been typed."""
        return address(self.path, self.typed.moves, self.typed.words)

    @property
    def is_unfinished(self) -> bool:
        """Whether what was typed is the beginning of a move, and not a whole one."""
        panel, error = self._entered
        return panel is not None and error is None and panel.entry.preview is None

    @property
    def preview(self) -> Preview | None:
        """What the entered move would do; ``None`` while it is unfinished."""
        return self.panel.entry.preview if self.panel else None

    # --- Board ------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Board:
        """The board as the entered move would leave it, with what a click on each mark does."""
        panel = self.panel
        if panel is None:
            return Board(self._drawing)
        return Board(
            self._drawing,
            self.links,
            panel.alternatives,
            panel.entry.chosen,
            svg.opened_by(self._drawing, self.typed.mark),
            is_shaded=bool(panel.targets) and not (self.preview or self._dots),
        )

    @cached_property
    def _dots(self) -> Mapping[str, str]:
        """What the dot on each mark shows; empty where plain dots would be too many."""
        signs = self.panel.signs if self.panel else {}
        most = max(FEW_DOTS, len(self._drawing_so_far.marks) // DOTTED)
        return signs if any(signs.values()) or len(signs) <= most else {}

    @cached_property
    def _drawing(self) -> svg.Drawing:
        """The board as the entered move would leave it, else with dots on the choices."""
        if self.preview:
            return self.preview.drawing
        drawing = self._drawing_so_far
        placed = svg.middles_of(drawing)
        dots = {mark: sign for mark, sign in self._dots.items() if mark in placed}
        return svg.with_targets(drawing, dots) if dots else drawing

    @cached_property
    def _drawing_so_far(self) -> svg.Drawing:
        """The board as what is entered of an unfinished move would leave it, or as it stands."""
        entry = self.panel.entry if self.panel else None
        if entry is None or not (entry.view or entry.moves):
            return self.overlay(self.standing())
        return self.overlay(self.snapshot.title.draw(entry.view or entry.standing, ()))

    @cached_property
    def links(self) -> Mapping[str, str]:
        """The address that a click on each mark of the board leads to."""
        return {**self.panel.alternatives, **self.panel.targets} if self.panel else {}
