"""The lines that somebody tries from a position, as a tree of moves (:mod:`games.kernel.tree`).

A node is a move with its outcomes of chance. Each node is listed after its parent, and the first
child of a node continues the main line.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from django.utils.translation import gettext as _
from msgspec import Meta, Struct, structs

from accounts import texts
from games.kernel import registry, tree
from games.kernel.contract import AnyGame
from games.kernel.errors import GameError
from games.kernel.params import for_match
from games.kernel.tree import ROOT
from games.study.errors import BrokenBoard, BrokenMove
from games.study.shapes import Shapes

MAX_NODES = 500
"""Maximum number of moves of a tree."""

MAX_TEXT_LENGTH = 1000
"""Maximum length of a move in characters, as in matches."""

MAX_NAME_LENGTH = 60
MAX_NOTE_LENGTH = 500
MAX_DRAWN = 200
"""Maximum number of outcomes of chance stored with one move, or with the setup."""

Name = Annotated[str, Meta(max_length=MAX_NAME_LENGTH)]
Note = Annotated[str, Meta(max_length=MAX_NOTE_LENGTH)]
Text = Annotated[str, Meta(max_length=MAX_TEXT_LENGTH)]
Drawn = Annotated[tuple[Any, ...], Meta(max_length=MAX_DRAWN)]
Number = Annotated[int, Meta(ge=0, lt=10**9)]
RecordId = Annotated[int, Meta(ge=1, lt=10**18)]

Assumed = Annotated[tuple[Name, ...], Meta(max_length=20)]
"""The assumptions in a position of a match with secrets, in words."""


class Start(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where a tree begins: the setup of the game, a position, or a position of a record.

    ``setup`` are the outcomes of the setup. ``position`` is JSON. ``match`` and ``imported`` are
    the id of a record and the number of the entry before the position. ``assumed`` says what in the
    position is assumed, ``entry`` after which entry of a match it was seen.
    """

    setup: Drawn | None = None
    position: Any = None
    match: tuple[RecordId, Number] | None = None
    imported: tuple[RecordId, Number] | None = None
    assumed: Assumed = ()
    entry: Number = 0

    @property
    def kinds(self) -> list[str]:
        """The fields that say where it begins. A valid start has one."""
        fields = ("setup", "position", "match", "imported")
        return [name for name in fields if getattr(self, name) is not None]


class Node(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A move of a seat after that of the node ``parent``.

    With a ``start``, which has a position, no move leads to it: the lines start again there.
    ``chance`` are the outcomes of its dice. ``shapes`` are the marks and arrows on the board after
    it (:mod:`games.study.shapes`). ``position`` is the stored position after it, ``None`` if none
    is stored.
    """

    id: Number
    parent: Number
    seat: Number
    text: Text
    chance: Drawn = ()
    name: Name = ""
    note: Note = ""
    shapes: Shapes = ()
    start: Start | None = None
    position: Any = None


class Tree(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The lines from a start, for a number of seats and a version of the rules.

    ``shapes`` are the marks and arrows on the board at the start.
    """

    game: Annotated[str, Meta(max_length=60)]
    rules: Number
    seats: Number
    params: dict[str, Any]
    start: Start
    nodes: Annotated[tuple[Node, ...], Meta(max_length=MAX_NODES)] = ()
    shapes: Shapes = ()

    @property
    def title(self) -> AnyGame:
        """The game, with the rules of the tree.

        :raises BrokenBoard: it isn't installed.
        """
        try:
            return registry.get(self.game, self.rules)
        except GameError as unknown:
            raise BrokenBoard(str(unknown)) from None

    # --- Reading ----------------------------------------------------------------------------------

    def node(self, number: int) -> Node | None:
        """Return a node. ``None`` for the start and for an unknown id."""
        return next((node for node in self.nodes if node.id == number), None)

    def has(self, number: int) -> bool:
        """Whether the node exists, or is the start."""
        return number == ROOT or self.node(number) is not None

    def check_has(self, number: int) -> None:
        """:raises BrokenBoard: the node doesn't exist and isn't the start."""
        if not self.has(number):
            raise BrokenBoard(_("This move is not on the board."))

    def shapes_at(self, number: int) -> Sequence[str]:
        """Return the marks and arrows on the board after a node, or at the start."""
        node = self.node(number)
        return node.shapes if node else self.shapes

    def children(self, number: int) -> list[Node]:
        """Return the moves after a node, that of the main line first."""
        return tree.children(self.nodes, number)

    def by_parent(self) -> dict[int, list[Node]]:
        """Return the children of every node that has any, in one pass."""
        return tree.by_parent(self.nodes)

    def line(self, number: int) -> list[Node]:
        """Return the moves from the start to a node."""
        return tree.path(self.nodes, number)

    def start_of(self, number: int) -> Start:
        """Return where the line of a node begins: at the start, or at a later one in the line."""
        later = (node.start for node in reversed(self.line(number)) if node.start)
        return next(later, self.start)

    def end(self, number: int) -> int:
        """Return the last node of the main line after a node."""
        following = {node.parent: node.id for node in reversed(self.nodes)}
        while number in following:
            number = following[number]
        return number

    # --- Changing ---------------------------------------------------------------------------------

    def added(self, parent: int, seat: int, text: str, chance: Sequence[Any]) -> "tuple[Tree, int]":
        """Return the tree with a move after a node, and the id of its node.

        The same move with the same outcomes isn't added twice.

        :raises BrokenBoard: the tree is full.
        """
        drawn = tuple(chance)
        for node in self.children(parent):
            if (node.seat, node.text, node.chance) == (seat, text, drawn):
                return self, node.id
        return self._with(Node(0, parent, seat, text, drawn))

    def begun_again(self, start: Start, name: str) -> "tuple[Tree, int]":
        """Return the tree with another start for lines, and the id of its node.

        :raises BrokenBoard: the tree is full.
        """
        return self._with(Node(0, ROOT, 0, "", name=name, start=start))

    def _with(self, node: Node) -> "tuple[Tree, int]":
        if len(self.nodes) >= MAX_NODES:
            text = _("A board holds {most} moves. Delete a line first.")
            raise BrokenBoard(text.format(most=MAX_NODES))
        number = tree.next_id(self.nodes)
        made = structs.replace(node, id=number)
        return structs.replace(self, nodes=(*self.nodes, made)), number

    def promoted(self, number: int) -> "Tree":
        """Make the variation that contains a node the main line."""
        for node in reversed(self.line(number)):
            siblings = self.children(node.parent)
            if siblings[0] is not node:
                return self._placed_before(node, siblings[0])
        return self

    def _placed_before(self, moved: Node, other: Node) -> "Tree":
        kept = [node for node in self.nodes if node is not moved]
        kept.insert(kept.index(other), moved)
        return structs.replace(self, nodes=tuple(kept))

    def without(self, number: int) -> "Tree":
        """Remove a node and all its descendants."""
        return structs.replace(self, nodes=tree.without(self.nodes, number))

    def replaced(self, number: int, **fields: Any) -> "Tree":
        """Replace fields of a node."""
        nodes = (structs.replace(n, **fields) if n.id == number else n for n in self.nodes)
        return structs.replace(self, nodes=tuple(nodes))

    def with_shapes(self, number: int, shapes: Sequence[str]) -> "Tree":
        """Replace the marks and arrows after a node, or at the start."""
        if number == ROOT:
            return structs.replace(self, shapes=tuple(shapes))
        return self.replaced(number, shapes=tuple(shapes))

    def renumbered(self) -> "tuple[Tree, dict[int, int]]":
        """Return the tree with ids from 1 in the order of its lines, and the new id by the old."""
        following = self.by_parent()
        ids = {ROOT: ROOT}
        renumbered: list[Node] = []
        left = following.get(ROOT, [])[::-1]
        while left:
            node = left.pop()
            ids[node.id] = len(ids)
            renumbered.append(structs.replace(node, id=ids[node.id], parent=ids[node.parent]))
            left += following.get(node.id, [])[::-1]
        return structs.replace(self, nodes=tuple(renumbered)), ids

    def without_nodes(self) -> "Tree":
        return structs.replace(self, nodes=())

    def standing_alone(self, position: Any) -> "Tree":
        """Replace the start by a position, which needs no record."""
        return structs.replace(self, start=Start(position=position, assumed=self.start.assumed))


def checked(tree: Tree) -> Tree:
    """Check a tree from outside, complete its parameters, and drop data that only the site may set.

    Its moves are checked when they are replayed.

    :raises BrokenBoard: it isn't a valid tree of its game.
    """
    try:
        params = for_match(tree.title, tree.seats, tree.params)
    except GameError as error:
        raise BrokenBoard(str(error)) from None
    if len(tree.start.kinds) != 1:
        raise BrokenBoard(_("A board begins with a setup, a position or a record, and only one."))
    known = {ROOT}
    for node in tree.nodes:
        if node.id in known or node.parent not in known or node.parent >= node.id:
            raise BrokenBoard(_("The moves of this board do not form a tree."))
        if node.start and node.start.kinds != ["position"]:
            raise BrokenMove(_("Lines begin again at a position only."), node.id)
        if node.seat >= tree.seats:
            text = _("Seat {seat} plays, and this board has none.")
            raise BrokenMove(text.format(seat=node.seat), node.id)
        known.add(node.id)
    nodes = tuple(map(_cleaned, tree.nodes))
    return structs.replace(tree, params=params, start=_start_cleaned(tree.start), nodes=nodes)


def _cleaned(node: Node) -> Node:
    """Clean a node's name and note for display."""
    return structs.replace(
        node,
        position=None,
        name=texts.one_line(node.name),
        note=texts.lines(node.note),
        start=_start_cleaned(node.start) if node.start else None,
    )


def _start_cleaned(start: Start) -> Start:
    return structs.replace(start, assumed=tuple(map(texts.one_line, start.assumed)))
