"""Trees of moves, as tuples of nodes that name their parents.

Ids rise with the time at which nodes were added, so a parent's id is lower than those of its
children. Boards, lessons and plans have nodes of their own with more fields.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol, TypeVar

ROOT = 0
"""The id of the start."""


class TreeNode(Protocol):
    @property
    def id(self) -> int: ...

    @property
    def parent(self) -> int: ...


Node = TypeVar("Node", bound=TreeNode)


def children(nodes: Iterable[Node], number: int) -> list[Node]:
    """Return the nodes directly after a node, in the order of the tree."""
    return [node for node in nodes if node.parent == number]


def by_parent(nodes: Iterable[Node]) -> dict[int, list[Node]]:
    """Return the children of every node that has any, in one pass."""
    following: dict[int, list[Node]] = {}
    for node in nodes:
        following.setdefault(node.parent, []).append(node)
    return following


def path(nodes: Iterable[Node], number: int) -> list[Node]:
    """Return the nodes from the start to a node.

    :raises KeyError: there is no such node.
    """
    by_id = {node.id: node for node in nodes}
    upwards = []
    while number != ROOT:
        upwards.append(by_id[number])
        number = by_id[number].parent
    return upwards[::-1]


def below(nodes: Iterable[Node], number: int) -> set[int]:
    """Return the ids of a node and of all its descendants."""
    ids = {number}
    for node in sorted(nodes, key=lambda node: node.id):
        if node.parent in ids:
            ids.add(node.id)
    return ids


def without(nodes: Sequence[Node], number: int) -> tuple[Node, ...]:
    """Remove a node and all its descendants."""
    gone = below(nodes, number)
    return tuple(node for node in nodes if node.id not in gone)


def next_id(nodes: Iterable[Node]) -> int:
    return max((node.id for node in nodes), default=ROOT) + 1
