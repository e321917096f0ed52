"""The page of a board: a position, move entry for the seat to move, and all lines."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from hashlib import blake2b
from typing import Any

import msgspec
from django.utils.translation import gettext, pgettext
from msgspec import Struct

from games.http.echo import shorten_echo
from games.kernel.contract import Event, Seat
from games.kernel.errors import GameError
from games.kernel.replay import Moment
from games.kernel.svg import Drawing
from games.kernel.tree import ROOT
from games.matches.errors import NOT_READABLE
from games.matches.play import move_input
from games.matches.view.match_view import MatchView
from games.matches.view.parts import Swatch
from games.matches.view.seats import swatch
from games.screen.entered import EnteredMove
from games.screen.entry import Typed
from games.study.models import Study
from games.study.replaying import moment_of
from games.study.shapes import STYLES, Shape, places, with_shapes
from games.study.shapes import read as shape_of
from games.study.tables import table_of
from games.study.tree import Node, Tree

HERE = "./"
"""The address of the page in its own links and forms, since the full one may contain a board."""

DEEPEST = 5
"""Maximum number of indentations of variations."""

MAX_SHOWN_LENGTH = 24
"""Maximum length of a move in the list of lines."""


class ListedMove(Struct, frozen=True):
    """A move in the list of lines. ``count`` is the number of moves from the start to it."""

    node: Node
    count: int
    is_current: bool

    @property
    def text(self) -> str:
        """The move as it is written, cut if it is long."""
        text = self.node.text
        return text if len(text) <= MAX_SHOWN_LENGTH else f"{text[: MAX_SHOWN_LENGTH - 1]}…"


class Stretch(Struct, frozen=True):
    """Consecutive moves of one line. ``depth`` is its distance from the main line."""

    depth: int
    steps: list[ListedMove]


@dataclass(frozen=True)
class BoardPage:
    """The board after node ``number`` of a tree, with the input for the next move.

    ``study`` is the saved board, ``None`` for one that is in the address. ``is_own`` says that the
    reader may change it. ``is_too_long`` says that a move was refused because the board wouldn't
    fit in an address any more.
    """

    tree: Tree
    number: int
    typed: Typed
    refusal: GameError | None = None
    study: Study | None = None
    is_own: bool = True
    is_too_long: bool = False
    dice: str = ""

    template = "study/board.html"
    is_played = False
    is_covered = False
    is_lesson = False
    has_explorer = True
    """Distinguishes it from a match on one device and from a lesson."""

    # --- The position -----------------------------------------------------------------------------

    @cached_property
    def moment(self) -> Moment:
        """The position, and what led to it.

        :raises BrokenBoard: the moves don't replay.
        """
        return moment_of(self.tree, self.number)

    @cached_property
    def line(self) -> Sequence[Node]:
        """The moves that led here."""
        return self.tree.line(self.number)

    @cached_property
    def view(self) -> MatchView:
        """The position as a match without players, as seen by the seat to move."""
        table = table_of(self.tree, self.moment, len(self.line))
        return MatchView(table, None, ())

    @property
    def players_view(self) -> MatchView:
        """The position as the players stand beside the board."""
        return self.view

    @property
    def seat(self) -> Seat | None:
        """The seat to move. ``None`` at the end, and for a reader who may not move."""
        actors = self.view.table.actors
        return actors[0] if actors and self.is_own else None

    @property
    def mover(self) -> str:
        """The name of the seat to move. Empty at the end."""
        names = [self.view.players[seat].user.shown_name for seat in self.view.table.actors[:1]]
        return "".join(names)

    def drawing(self) -> Drawing:
        """Return the current board, with the effects of the last move highlighted."""
        return self.view.table.title.draw(self.view.position, self.seen)

    @property
    def shows_all(self) -> bool:
        """Whether nothing is hidden from the reader."""
        return True

    @cached_property
    def seen(self) -> Sequence[Event]:
        """The events of the last move, as the reader may know them."""
        over = self.shows_all
        return tuple(event.seen_by(self.view.viewer, over=over) for event in self.moment.events)

    @cached_property
    def told(self) -> str:
        """The effects of the last move, in sentences."""
        title = self.tree.title
        viewer = self.view.viewer
        if not self.line:
            is_set_up = self.tree.start.setup is not None
            return title.describe_setup(self.view.position, viewer) if is_set_up else ""
        return " ".join(title.sentences(self.seen, viewer))

    # --- Move entry -------------------------------------------------------------------------------

    @cached_property
    def entered(self) -> EnteredMove:
        """The input for the next move, and the board with it."""
        return EnteredMove(
            self.view.table,
            self.seat,
            self.typed,
            HERE,
            self.drawing,
            self.refusal,
            overlay=partial(with_shapes, shapes=self.tree.shapes_at(self.number)),
        )

    plays_at_once = False
    entry_method = "get"
    entry_action = HERE

    @property
    def entry_button(self) -> str:
        """The label of the button beside the field for typing a move."""
        return pgettext("move", "Preview")

    @property
    def asks_for_dice(self) -> bool:
        """Whether the entered move may roll dice, so that they can be chosen."""
        meta = self.view.meta
        preview = self.entered.preview
        is_open = preview is not None and preview.state is None
        return is_open and meta.has_chance and not meta.observes

    def why(self, mark: str) -> str:
        """Return why a mark of the board leads nowhere. Empty for readers who may not move."""
        if self.seat is None:
            return ""
        typed = self.typed
        try:
            return move_input.explain(self.view.table, self.seat, typed.moves, typed.words, mark)
        except GameError as refusal:
            return shorten_echo(str(refusal))

    def phrase(self, text: str) -> str:
        """Return a move of the seat to move in words. The text itself if the rules refuse it."""
        title, state = self.tree.title, self.moment.state
        try:
            seat = Seat(title.actors(state)[0])
            return title.phrase(title.parse(text), title.open_view(state), seat, None)
        except (GameError, *NOT_READABLE):
            return text

    # --- Lines ------------------------------------------------------------------------------------

    @property
    def node(self) -> Node | None:
        """The move that led here. ``None`` at the start."""
        return self.tree.node(self.number)

    @property
    def at_start(self) -> bool:
        return self.number == ROOT

    @property
    def before(self) -> int | None:
        """The node before this one. ``None`` at the start."""
        return self.line[-1].parent if self.line else None

    @cached_property
    def following(self) -> Sequence[ListedMove]:
        """The moves after this one, that of the main line first."""
        return [self._step(node, len(self.line) + 1) for node in self.tree.children(self.number)]

    @property
    def after(self) -> int | None:
        """The next node of the line. ``None`` at its end."""
        return self.following[0].node.id if self.following else None

    @property
    def last(self) -> int:
        return self.tree.end(self.number)

    @property
    def is_variation(self) -> bool:
        """Whether the position is in a variation, which can be made the main line."""
        first = {node.parent: node.id for node in reversed(self.tree.nodes)}
        return any(first[node.parent] != node.id for node in self.line)

    @cached_property
    def stretches(self) -> Sequence[Stretch]:
        """All lines: each move of a line is followed by its alternatives."""
        following = self.tree.by_parent()
        stretches: list[Stretch] = []
        left = [(following.get(ROOT, []), 0, 1)]
        while left:
            nodes, depth, count = left.pop()
            if not nodes:
                continue
            main, *others = nodes
            if not stretches or not self._goes_on(stretches[-1], main, depth):
                stretches.append(Stretch(depth, []))
            stretches[-1].steps.append(self._step(main, count))
            left.append((following.get(main.id, []), depth, count + 1))
            left += [([other], min(depth + 1, DEEPEST), count) for other in reversed(others)]
        return stretches

    @property
    def list_key(self) -> str:
        """A key for the content of the list of lines, without the current move."""
        tree = self.tree
        listed = [(n.id, n.parent, n.seat, n.text, n.name, n.note) for n in tree.nodes]
        content = msgspec.json.encode([tree.game, tree.seats, listed])
        return blake2b(content, digest_size=12).hexdigest()

    @staticmethod
    def _goes_on(stretch: Stretch, node: Node, depth: int) -> bool:
        return stretch.depth == depth and stretch.steps[-1].node.id == node.parent

    def _step(self, node: Node, count: int) -> ListedMove:
        return ListedMove(node, count, is_current=node.id == self.number)

    @cached_property
    def swatches(self) -> Sequence[Swatch]:
        return [swatch(self.tree.title.meta, Seat(seat)) for seat in range(self.tree.seats)]

    # --- Marks and arrows -------------------------------------------------------------------------

    colours = tuple(STYLES.items())

    @cached_property
    def shapes(self) -> Sequence[Shape]:
        """The marks and arrows on the board."""
        return [shape_of(text) for text in self.tree.shapes_at(self.number)]

    @cached_property
    def places(self) -> str:
        """Where something can be drawn, for scripts: name and middle of each place."""
        marks = places(self.entered.board.drawing)
        return " ".join(f"{name},{x:g},{y:g}" for name, (x, y) in marks.items())

    # --- What is assumed --------------------------------------------------------------------------

    @property
    def assumed(self) -> str:
        """The assumptions at the start of the line. Empty without any."""
        return ", ".join(self.tree.start_of(self.number).assumed)

    # --- In words ---------------------------------------------------------------------------------

    @property
    def title(self) -> str:
        game = self.view.meta.name
        if self.study:
            text = gettext("{name}: A board of {game} · Turnstone")
            return text.format(name=self.study.name, game=game)
        return gettext("A board of {game} · Turnstone").format(game=game)

    @property
    def terms(self) -> str:
        """The parameters in one line. Empty if there is nothing to say."""
        return self.view.params


def context(page: BoardPage, **more: Any) -> dict[str, Any]:
    return {"page": page, "view": page.view, **more}
