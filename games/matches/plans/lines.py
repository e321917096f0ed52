"""The lines of a plan as a tree: what the others may play, and the player's reply to each.

A node is a move of a seat, or a stretch in which the others play whatever they like. Ids rise with
the time at which nodes were added, so the id of a parent is below those of its children.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import msgspec
from msgspec import Struct

from games.kernel.contract import Seat
from games.matches.errors import Refused
from games.matches.models import LogEntry

MAX_NODES = 200
"""The most moves of a player's plan in a match."""

ROOT = 0
"""Stands for the position at which the plan begins, where a node has an id."""

WHATEVER = "*"
"""How a stretch is written in which the others play whatever they like."""

TAKEN_BACK = "A move was taken back."
TURN_ENDED = "Your turn had ended."
BY_HAND = "You played another move yourself."
DICE = "What dice and chance decide cannot be planned."
NOT_PLANNED = "Another move was played than you planned for."
FULL = f"A plan holds {MAX_NODES} moves. Remove a line first."


class PlanNode(Struct, frozen=True):
    """A move of ``seat`` after the node ``parent``; without a seat, whatever others play."""

    id: int
    parent: int
    seat: int | None
    text: str


Step = tuple[int | None, str]
"""A seat and its move; ``None`` and an empty text for whatever the others play."""

ANYTHING: Step = (None, "")


@dataclass(frozen=True)
class Branch:
    """The nodes of one line from the place where it leaves the line before it."""

    depth: int
    nodes: list[PlanNode]


@dataclass(frozen=True)
class Progress:
    """How far a match has followed a plan.

    ``at`` is the last node that was reached and ``after`` the entry that reached it. With
    ``waits`` a move by hand comes first. With ``absorbs`` that node is a stretch in which the
    others play whatever they like. ``reason`` says why the plan is void; empty if it is not.
    """

    at: int
    after: int
    waits: bool
    absorbs: bool = False
    reason: str = ""


@dataclass(frozen=True)
class Lines:
    """The tree of a plan."""

    nodes: tuple[PlanNode, ...] = ()

    @classmethod
    def load(cls, data: Any) -> "Lines":
        """Read what :meth:`dump` returned."""
        return cls(msgspec.convert(data, tuple[PlanNode, ...]))

    def dump(self) -> Any:
        """Return the nodes as JSON."""
        return msgspec.to_builtins(self.nodes)

    def children(self, number: int) -> list[PlanNode]:
        """Return the nodes after a node, the first added first."""
        return [node for node in self.nodes if node.parent == number]

    def child(self, number: int, step: Step) -> PlanNode | None:
        """Return the node of a move after a node; ``None`` if it is not planned."""
        planned = (node for node in self.children(number) if (node.seat, node.text) == step)
        return next(planned, None)

    def reply(self, number: int, seat: Seat) -> PlanNode | None:
        """Return the move of a seat after a node; at most one is planned."""
        return next((node for node in self.children(number) if node.seat == seat), None)

    def below(self, number: int) -> "Lines":
        """Return what follows a node, with that node as the start."""
        new_ids = {number: ROOT}
        nodes: list[PlanNode] = []
        for node in self.nodes:
            if node.parent in new_ids:
                new_ids[node.id] = len(new_ids)
                parent = new_ids[node.parent]
                nodes.append(PlanNode(new_ids[node.id], parent, node.seat, node.text))
        return Lines(tuple(nodes))

    def without(self, number: int) -> "Lines":
        """Return the lines without a node and all that follows it."""
        gone = {number}
        for node in self.nodes:
            if node.parent in gone:
                gone.add(node.id)
        return Lines(tuple(node for node in self.nodes if node.id not in gone))

    def trimmed(self, seat: Seat) -> "Lines":
        """Return the lines without moves of others that no reply follows."""
        lines = self
        while True:
            parents = {node.parent for node in lines.nodes}
            kept = tuple(n for n in lines.nodes if n.id in parents or n.seat == seat)
            if len(kept) == len(lines.nodes):
                return lines
            lines = Lines(kept)

    def with_line(self, steps: Iterable[Step], seat: Seat) -> "Lines":
        """Return the lines with one more; another reply of the seat replaces the one before it.

        :raises Refused: there would be too many moves.
        """
        lines = self
        at = ROOT
        for step in steps:
            node = lines.child(at, step)
            if node is None:
                if step[0] == seat and (other := lines.reply(at, seat)):
                    lines = lines.without(other.id)
                number = max((n.id for n in lines.nodes), default=ROOT) + 1
                node = PlanNode(number, at, *step)
                lines = Lines((*lines.nodes, node))
            at = node.id
        if len(lines.nodes) > MAX_NODES:
            raise Refused(FULL)
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
        """Return the nodes from the start to a node."""
        by_id = {node.id: node for node in self.nodes}
        upwards = []
        while number in by_id:
            upwards.append(by_id[number])
            number = by_id[number].parent
        return upwards[::-1]

    def all_lines(self) -> list[list[str]]:
        """Return the moves of each line from the start to its end."""
        parents = {node.parent for node in self.nodes}
        ends = (node.id for node in self.nodes if node.id not in parents)
        return [[written(node) for node in self.path(end)] for end in ends]

    def unconditional_moves(self) -> list[str]:
        """Return the moves of a plan that is one line whatever others play; otherwise nothing."""
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
            is_void = is_earlier or entry.seat == seat or not progress.absorbs
            return replace(progress, reason=TAKEN_BACK) if is_void else progress
        if entry.kind in (kinds.RESIGN, kinds.TIMEOUT):
            return self._absorbed(progress, entry, seat, by_hand=False)
        if entry.kind != kinds.PLAY:
            return progress
        node = None
        if not progress.absorbs and entry.seat is not None:
            node = self.child(progress.at, (entry.seat, entry.text))
        if node is None:
            return self._absorbed(progress, entry, seat, by_hand=entry.seat == seat)
        if entry.seat == seat and not progress.waits:
            return replace(progress, reason=BY_HAND)
        if entry.chance:
            return replace(progress, reason=DICE)
        waits = progress.waits and entry.seat == seat
        return Progress(node.id, entry.number, waits)

    def _absorbed(
        self, progress: Progress, entry: LogEntry, seat: Seat, *, by_hand: bool
    ) -> Progress:
        """Return the progress after an entry that is no planned move."""
        if not progress.absorbs:
            stretch = self.child(progress.at, ANYTHING)
            if stretch is None:
                return replace(progress, reason=BY_HAND if by_hand else NOT_PLANNED)
            progress = replace(progress, at=stretch.id, absorbs=True)
        waits = progress.waits and not by_hand
        reason = TURN_ENDED if seat in entry.turns_ended else ""
        return replace(progress, waits=waits, reason=reason)

    def next_reply(self, progress: Progress, seat: Seat) -> tuple[PlanNode | None, bool]:
        """Return the move that a seat plays now, and whether others might have played anything."""
        if progress.waits:
            return None, False
        if reply := self.reply(progress.at, seat):
            return reply, progress.absorbs
        stretch = None if progress.absorbs else self.child(progress.at, ANYTHING)
        return (self.reply(stretch.id, seat), True) if stretch else (None, False)


def written(node: PlanNode) -> str:
    """Return a node as a line of the plan is typed: a move, or ``*``."""
    return WHATEVER if node.seat is None else node.text


def unconditional_steps(texts: Iterable[str], seat: Seat) -> list[Step]:
    """Return moves of a seat, one after the other, whatever the others play before each."""
    return [step for text in texts for step in (ANYTHING, (seat, text))]


def one_line(texts: Iterable[str], seat: Seat) -> Lines:
    """Return a plan of those steps alone."""
    return Lines().with_line(unconditional_steps(texts, seat), seat)
