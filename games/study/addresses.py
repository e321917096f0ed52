"""Boards as part of an address: compact JSON, deflated, in base64url.

Addresses come from anybody: their content is bounded before it is read, and checked afterwards.
"""

import base64
import binascii
import zlib
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.kernel import params as parameters
from games.kernel.tree import ROOT
from games.study.errors import BrokenBoard, TooLong
from games.study.tree import Node, Tree, checked

MAX_LENGTH = 1500
"""Maximum length of a board in an address, in characters."""

MAX_BYTES = 40_000
"""Maximum inflated size, in bytes."""

MAX_MOVES = 200
"""Maximum number of moves of a board in an address, since each visit replays a line of them."""

FORMAT = 1
WITH_MORE = 2
"""The format of a tree with marks or arrows at its start, or with assumptions."""

RAW = -15
"""Deflate without a header."""

BROKEN = gettext_noop(
    "This address of a board is incomplete or damaged. Open it again, or start another board."
)
NODE_FIELDS = ("seat", "text", "chance", "name", "note", "shapes", "start")
STARTS = {"s": "setup", "p": "position", "m": "match", "i": "imported"}


def pack(tree: Tree) -> tuple[str, dict[int, int]]:
    """Return a tree as part of an address, and a map from its node ids to those in the address.

    :raises TooLong: it doesn't fit.
    """
    numbered, ids = tree.renumbered()
    more = {"shapes": tree.shapes, "assumed": tree.start.assumed}
    has_more = any(more.values())
    content = [
        WITH_MORE if has_more else FORMAT,
        tree.rules,
        tree.seats,
        parameters.changed(tree.title.meta, tree.params),
        *next(
            (letter, value)
            for letter, field in STARTS.items()
            if (value := getattr(tree.start, field)) is not None
        ),
        *([more] if has_more else ()),
        *map(_packed, numbered.nodes),
    ]
    squeezer = zlib.compressobj(9, zlib.DEFLATED, RAW)
    data = squeezer.compress(msgspec.json.encode(content)) + squeezer.flush()
    text = base64.urlsafe_b64encode(data).rstrip(b"=").decode()
    if len(text) > MAX_LENGTH or len(tree.nodes) > MAX_MOVES:
        raise TooLong(_("This board has become too long for an address."))
    return text, ids


def _packed(node: Node) -> list[Any]:
    """Return a node as a list: the distance to its parent, then its fields without defaults."""
    fields: list[Any] = [node.id - node.parent, node.seat, node.text]
    more = [list(node.chance), node.name, node.note, node.shapes, node.start]
    while more and not more[-1]:
        more.pop()
    return fields + more


def unpack(slug: str, text: str) -> Tree:
    """Return the tree in an address, without replaying its moves.

    :raises BrokenBoard: it does not exist.
    """
    if len(text) > MAX_LENGTH:
        raise BrokenBoard(_(BROKEN))
    try:
        content = msgspec.json.decode(_inflated(text), type=list)
        tree = _tree(slug, *content)
    except (
        ValueError,
        TypeError,
        LookupError,
        AttributeError,
        RecursionError,
        zlib.error,
        binascii.Error,
    ):
        raise BrokenBoard(_(BROKEN)) from None
    return checked(tree)


def _inflated(text: str) -> bytes:
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    inflator = zlib.decompressobj(RAW)
    content = inflator.decompress(data, MAX_BYTES)
    if not inflator.eof or inflator.unused_data:
        raise BrokenBoard(_(BROKEN))
    return content


def _tree(slug: str, *content: Any) -> Tree:
    version, rules, seats, params, start, begun, *nodes = content
    more = nodes.pop(0) if version == WITH_MORE else {}
    if version not in (FORMAT, WITH_MORE) or len(nodes) > MAX_MOVES:
        raise BrokenBoard(_(BROKEN))
    made = [_node(number, *fields) for number, fields in enumerate(nodes, ROOT + 1)]
    return msgspec.convert(
        {
            "game": slug,
            "rules": rules,
            "seats": seats,
            "params": params,
            "start": {STARTS[start]: begun, "assumed": more.get("assumed", ())},
            "nodes": made,
            "shapes": more.get("shapes", ()),
        },
        Tree,
    )


def _node(number: int, back: int, *fields: Any) -> dict[str, Any]:
    named = dict(zip(NODE_FIELDS, fields, strict=False))
    return {"id": number, "parent": number - back, **named}
