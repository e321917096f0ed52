"""A board as text: tags as in records (:mod:`games.records.text`), then a line for each move.

Variations are indented below the move that they replace. docs/api.md describes the format.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import structs

from games.kernel.errors import GameError, quoted
from games.kernel.tree import ROOT
from games.records.text import COMMENT, LINE_END, TAG, read_commands
from games.study.errors import BrokenBoard, BrokenMove
from games.study.replaying import with_positions
from games.study.tree import MAX_NODES, Node, Tree, checked

FORMAT = "turnstone-board"
VERSION = 1

TAGS = {
    "Title": "game",
    "RulesVersion": "rules",
    "Players": "seats",
    "Params": "params",
    "Start": "start",
    "Shapes": "shapes",
}
"""Tags and their fields of a tree. Values other than the title are JSON."""

COMMANDS = ("chance", "name", "note", "shapes", "start")
"""Fields of a node that are written as commands."""

INDENT = "  "
"""Stands before a move once for each variation that it is in."""

ROW = re.compile(r"( *)([0-9]{1,3})\. (.*)")

MAX_LINES = 2 * MAX_NODES
"""Maximum number of lines of a text."""

FORMAT_TAG = f'[Format "{FORMAT}"]'

NO_BOARD = gettext_noop(
    "A board as text has the line {tag} before its moves. A position, or a board as JSON, begins"
    " with {brace}."
)

NO_MOVE = gettext_noop(
    "A move is a number, a colour and the move, as in “1. Red: c3”. A variation is indented by"
    " {count} blanks more than the move that it replaces."
)


def write(tree: Tree, facts: Mapping[str, str]) -> str:
    """Return a tree as text. ``facts`` are tags for people, such as the name of the board."""
    tree = checked(tree)
    fields = msgspec.to_builtins(tree)
    tags = {"Format": FORMAT, "FormatVersion": str(VERSION), **facts}
    for name, field_name in TAGS.items():
        if value := fields.get(field_name):
            tags[name] = value if field_name == "game" else json.dumps(value)
    head = (f"[{name} {json.dumps(text, ensure_ascii=False)}]" for name, text in tags.items())
    return "\n".join([*head, "", *_rows(tree)]) + "\n"


def _rows(tree: Tree) -> Iterator[str]:
    """Yield the moves: each is followed by its alternatives, and then by its main line."""
    following = tree.by_parent()
    colours = tree.title.meta.colours
    left = [(following.get(ROOT, []), 0, 1)]
    while left:
        nodes, depth, count = left.pop()
        if not nodes:
            continue
        main, *others = nodes
        move = "" if main.start else f"{colours[main.seat].name}: {main.text}"
        yield f"{INDENT * depth}{count}. {move}{_comment(main)}".rstrip()
        left.append((following.get(main.id, []), depth, count + 1))
        left += [([other], depth + 1, count) for other in reversed(others)]


def _comment(node: Node) -> str:
    fields = msgspec.to_builtins(node)
    commands = [
        f"[%{name} {json.dumps(fields[name], ensure_ascii=False)}]"
        for name in COMMANDS
        if fields.get(name)
    ]
    return f" {{{' '.join(commands)}}}" if commands else ""


# --- Reading ------------------------------------------------------------------------------------


def read(text: str) -> Tree:
    """Return the tree that a text describes. Its moves are replayed.

    :raises BrokenBoard: a line can't be understood. The message names it and says why.
    """
    lines = LINE_END.split(text, MAX_LINES)
    if len(lines) > MAX_LINES:
        raise BrokenBoard(
            _("The text is too long: it may have {most} lines at most.").format(most=MAX_LINES)
        )
    reader = _Reader()
    for number, line in enumerate(lines, 1):
        try:
            reader.take(number, line.rstrip())
        except GameError as error:
            raise _at(number, line, error) from None
    try:
        tree = reader.tree()
        with_positions(tree)
    except BrokenMove as error:
        number = reader.rows[error.node - 1].line
        raise _at(number, lines[number - 1], error) from None
    return tree.renumbered()[0]


def _at(number: int, line: str, error: GameError) -> BrokenBoard:
    text = _("Line {number}, {line}: {error}")
    return BrokenBoard(text.format(number=number, line=quoted(line.strip()), error=error))


class _Row(NamedTuple):
    """A move: the number of its line in the text, and its number among the moves to it."""

    line: int
    ply: int


@dataclass
class _Reader:
    """Reads a text line by line.

    ``nodes`` are the moves so far, ``rows`` says where they stand. ``last`` is the last node of
    each indentation that a move can follow.
    """

    tags: dict[str, str] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    rows: list[_Row] = field(default_factory=list)
    last: dict[int, int] = field(default_factory=dict)

    def take(self, number: int, line: str) -> None:
        """Read a line.

        :raises GameError: it is neither a tag nor a move that follows another.
        """
        if line.startswith("[") and not self.nodes:
            self._take_tag(line)
        elif line:
            self._take_move(number, line)

    def tree(self) -> Tree:
        """Return what was read.

        :raises BrokenBoard: it isn't a valid tree.
        """
        return checked(structs.replace(self._head, nodes=tuple(self.nodes)))

    def _take_tag(self, line: str) -> None:
        found = TAG.fullmatch(line)
        try:
            value = str(json.loads(found[1] if found else ""))
        except ValueError:
            raise BrokenBoard(_('A tag is a name and a text, as in [Players "2"].')) from None
        name = line[1:].partition(" ")[0]
        if name in self.tags:
            raise BrokenBoard(_("This tag occurs twice."))
        self.tags[name] = value

    @cached_property
    def _head(self) -> Tree:
        """The tree of the tags, without a move."""
        if self.tags.get("Format") != FORMAT:
            raise BrokenBoard(_(NO_BOARD).format(tag=FORMAT_TAG, brace="{"))
        fields = {}
        for name, field_name in TAGS.items():
            try:
                value = self.tags[name]
                fields[field_name] = value if field_name == "game" else json.loads(value)
            except KeyError:
                continue
            except (ValueError, RecursionError):
                raise BrokenBoard(_("The tag {name} is not JSON.").format(name=name)) from None
        try:
            return checked(msgspec.convert(fields, Tree))
        except msgspec.ValidationError as error:
            raise BrokenBoard(
                _("The tags describe no board: {error}").format(error=error)
            ) from None

    def _take_move(self, number: int, line: str) -> None:
        colours = [colour.name for colour in self._head.title.meta.colours]
        found = ROW.fullmatch(line)
        if found is None or len(found[1]) % len(INDENT):
            raise BrokenBoard(_(NO_MOVE).format(count=len(INDENT)))
        depth, count = len(found[1]) // len(INDENT), int(found[2])
        move, comment, commands = found[3].partition(COMMENT)
        fields = dict(read_commands(f"[%{commands}")) if comment else {}
        colour, _colon, text = move.strip().partition(":")
        if colour in colours:
            fields |= {"seat": colours.index(colour), "text": text.strip()}
        elif colour or "start" not in fields:
            text = _("A move begins with a colour: {colours}.")
            raise BrokenBoard(text.format(colours=", ".join(colours)))
        try:
            node = msgspec.convert(
                {
                    "seat": 0,
                    "text": "",
                    **fields,
                    "id": len(self.nodes) + 1,
                    "parent": self._parent(depth, count),
                },
                Node,
            )
        except msgspec.ValidationError as error:
            raise BrokenBoard(_("This is no move: {error}").format(error=error)) from None
        self.nodes.append(node)
        self.rows.append(_Row(number, count))
        self.last = {at: last for at, last in self.last.items() if at < depth} | {depth: node.id}

    def _parent(self, depth: int, count: int) -> int:
        """Return the node that a move follows.

        :raises BrokenBoard: there is none.
        """
        if depth == 0 and count == 1 and not self.nodes:
            return ROOT
        last, replaced = self.last.get(depth), self.last.get(depth - 1)
        if last and count == self._count(last) + 1:
            return last
        if replaced and count == self._count(replaced):
            return self.nodes[replaced - 1].parent
        text = _("No move above is one that move {number} can follow or replace.")
        raise BrokenBoard(text.format(number=count))

    def _count(self, number: int) -> int:
        return self.rows[number - 1].ply
