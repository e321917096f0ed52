"""The lines of a plan as a tree of moves (:mod:`games.kernel.tree`), with the player's replies.

A node is a move of a seat, or a wildcard: a stretch in which the others play anything.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from msgspec import Struct

from games.kernel import tree
from games.kernel.contract import Seat
from games.kernel.tree import ROOT
from games.matches.errors import Refused
from games.matches.models import ConditionalMoves, LogEntry

MAX_NODES = 200
"""Maximum number of moves of a player's plan in a match."""

WHATEVER = "*"
"""The notation of a wildcard: others play anything."""

TAKEN_BACK, TURN_ENDED, BY_HAND, DICE, NOT_PLANNED = ConditionalMoves.Stop
FULL = gettext_noop("A plan holds {most} moves. Remove a line first.")


class PlanNode(Struct, frozen=True):
    """A move of ``seat`` after the node ``parent``. Without a seat, a wildcard."""

    id: int
    parent: int
    seat: int | None
    text: str


PlanStep = tuple[int | None, str]
"""A seat and its move. ``None`` and an empty text for a wildcard."""

ANYTHING: PlanStep = (None, "")


@dataclass(frozen=True)
class Branch:
    """The nodes of one line from the place where it leaves the line before it."""

    depth: int
    nodes: list[PlanNode]


@dataclass(frozen=True)
class Progress:
    """How far a match has followed a plan.

    ``at`` is the last node that was reached and ``after`` the entry that reached it. With ``waits``
    a move by hand comes first. ``in_wildcard`` says that the node is a wildcard, so the others may
    play anything. ``reason`` says why the plan is void. Empty if it isn't.
    """

    at: int
    after: int
    waits: bool
    in_wildcard: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Lines:
    nodes: tuple[PlanNode, ...] = ()

    @classmethod
    def load(cls, data: Any) -> "Lines":
        """Read the output of :meth:`dump`."""
        return cls(msgspec.convert(data, tuple[PlanNode, ...]))

    def dump(self) -> Any:
        return msgspec.to_builtins(self.nodes)

    def children(self, number: int) -> list[PlanNode]:
        """Return the nodes after a node, the first added first."""
        return tree.children(self.nodes, number)

    def child(self, number: int, step: PlanStep) -> PlanNode | None:
        """Return the node of a move after a node. ``None`` if it isn't planned."""
        planned = (node for node in self.children(number) if (node.seat, node.text) == step)
        return next(planned, None)

    def reply(self, number: int, seat: Seat) -> PlanNode | None:
        """Return the seat's own move after a node. At most one is planned."""
        return next((node for node in self.children(number) if node.seat == seat), None)

    def below(self, number: int) -> "Lines":
        """Return the descendants of a node, with that node as the start."""
        new_ids = {number: ROOT}
        nodes: list[PlanNode] = []
        for node in self.nodes:
            if node.parent in new_ids:
                new_ids[node.id] = len(new_ids)
                parent = new_ids[node.parent]
                nodes.append(PlanNode(new_ids[node.id], parent, node.seat, node.text))
        return Lines(tuple(nodes))

    def without(self, number: int) -> "Lines":
        """Remove a node and all its descendants."""
        return Lines(tree.without(self.nodes, number))

    def trimmed(self, seat: Seat) -> "Lines":
        """Remove moves of others that no reply follows."""
        lines = self
        while True:
            parents = {node.parent for node in lines.nodes}
            kept = tuple(n for n in lines.nodes if n.id in parents or n.seat == seat)
            if len(kept) == len(lines.nodes):
                return lines
            lines = Lines(kept)

    def with_line(self, steps: Iterable[PlanStep], seat: Seat) -> "Lines":
        """Add a line. Another reply of the seat replaces the one before it.

        :raises Refused: there would be too many moves.
        """
        lines = self
        at = ROOT
        for step in steps:
            node = lines.child(at, step)
            if node is None:
                if step[0] == seat and (other := lines.reply(at, seat)):
                    lines = lines.without(other.id)
                node = PlanNode(tree.next_id(lines.nodes), at, *step)
                lines = Lines((*lines.nodes, node))
            at = node.id
        if len(lines.nodes) > MAX_NODES:
            raise Refused(_(FULL).format(most=MAX_NODES))
        return lines

    def branches(self) -> list[Branch]:
        """Return all lines, each from where it leaves the line before it."""
        branches: list[Branch] = []
        left = [(node, 0) for node in reversed(self.children(ROOT))]
        while left:
            node, depth = left.pop()
            last = branches[-1].nodes[-1].id if branches else None
            if last == node.parent and branches[-1].depth == depth:
                branches[-1].nodes.append(node)
            else:
                branches.append(Branch(depth, [node]))
            following = self.children(node.id)
            left += [(other, depth + 1) for other in reversed(following[1:])]
            left += [(main, depth) for main in following[:1]]
        return branches

    def path(self, number: int) -> list[PlanNode]:
        return tree.path(self.nodes, number)

    def all_lines(self) -> list[list[str]]:
        parents = {node.parent for node in self.nodes}
        ends = (node.id for node in self.nodes if node.id not in parents)
        return [[written(node) for node in self.path(end)] for end in ends]

    def unconditional_moves(self) -> list[str]:
        """Return the moves of a plan that is a single unconditional line. Otherwise empty."""
        is_one = len({node.parent for node in self.nodes}) == len(self.nodes)
        halves = self.nodes[::2], self.nodes[1::2]
        if not is_one or any(node.seat is not None for node in halves[0]):
            return []
        return [node.text for node in halves[1] if node.seat is not None]

    # --- Following a match ------------------------------------------------------------------------

    def follow(self, start: Progress, entries: Sequence[LogEntry], seat: Seat) -> Progress:
        """Return how far a match has followed the lines after some entries of its log."""
        progress = start
        for entry in entries:
            progress = self._after(progress, entry, seat)
            if progress.reason:
                break
        return progress

    def _after(self, progress: Progress, entry: LogEntry, seat: Seat) -> Progress:
        kinds = LogEntry.Kind
        if entry.kind == kinds.TAKE_BACK:
            is_earlier = (entry.undoes or 0) <= progress.after
            is_void = is_earlier or entry.seat == seat or not progress.in_wildcard
            return replace(progress, reason=TAKEN_BACK) if is_void else progress
        if entry.kind in (kinds.RESIGN, kinds.TIMEOUT):
            return self._after_unplanned(progress, entry, seat, by_hand=False)
        if entry.kind != kinds.PLAY:
            return progress
        node = None
        if not progress.in_wildcard and entry.seat is not None:
            node = self.child(progress.at, (entry.seat, entry.text))
        if node is None:
            return self._after_unplanned(progress, entry, seat, by_hand=entry.seat == seat)
        if entry.seat == seat and not progress.waits:
            return replace(progress, reason=BY_HAND)
        if entry.chance:
            return replace(progress, reason=DICE)
        waits = progress.waits and entry.seat == seat
        return Progress(node.id, entry.number, waits)

    def _after_unplanned(
        self, progress: Progress, entry: LogEntry, seat: Seat, *, by_hand: bool
    ) -> Progress:
        """Return the progress after an entry that isn't a planned move."""
        if not progress.in_wildcard:
            stretch = self.child(progress.at, ANYTHING)
            if stretch is None:
                return replace(progress, reason=BY_HAND if by_hand else NOT_PLANNED)
            progress = replace(progress, at=stretch.id, in_wildcard=True)
        waits = progress.waits and not by_hand
        reason = TURN_ENDED if seat in entry.turns_ended else ""
        return replace(progress, waits=waits, reason=reason)

    def next_reply(self, progress: Progress, seat: Seat) -> tuple[PlanNode | None, bool]:
        """Return the next move of a seat, and whether a wildcard precedes it."""
        if progress.waits:
            return None, False
        if reply := self.reply(progress.at, seat):
            return reply, progress.in_wildcard
        stretch = None if progress.in_wildcard else self.child(progress.at, ANYTHING)
        return (self.reply(stretch.id, seat), True) if stretch else (None, False)


def written(node: PlanNode) -> str:
    """Return a node as a line of the plan is typed: a move, or ``*``."""
    return WHATEVER if node.seat is None else node.text


def unconditional_steps(texts: Iterable[str], seat: Seat) -> list[PlanStep]:
    """Return a seat's moves with a wildcard before each."""
    return [step for text in texts for step in (ANYTHING, (seat, text))]
