"""A player's plan and standing order on the page of a match, shown to that player alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import AnswerPolicy, Seat
from games.matches.models import ConditionalMoves, StandingOrder
from games.matches.plans import conditional, orders, planning
from games.matches.plans.lines import Branch, Lines, PlanNode, written
from games.matches.selectors import MatchSnapshot


@dataclass(frozen=True)
class PlannedLine:
    """A line of a plan in words, from where it leaves the line before it.

    ``moves`` lead to its first move, by which it is removed.
    """

    depth: int
    said: str
    moves: Sequence[str]


@dataclass(frozen=True)
class PrivatePanel:
    """A player's standing order and plan.

    ``typed`` is the text of a queue that was refused, ``typed_line`` that of a line.
    """

    snapshot: MatchSnapshot
    seat: Seat
    typed: str = ""
    typed_line: str = ""

    @cached_property
    def can_plan(self) -> bool:
        """Whether moves can be planned on the board now."""
        return planning.can_plan(self.snapshot, self.seat)

    @cached_property
    def orders(self) -> Mapping[str, AnswerPolicy]:
        """The standing orders that can be given, by name."""
        return orders.offered(self.snapshot)

    @property
    def is_forced(self) -> bool:
        """Whether the orders are for forced moves, which everybody can tell, alone."""
        return all(policy.is_forced for policy in self.orders.values())

    @cached_property
    def order(self) -> StandingOrder | None:
        """The standing order that was given; ``None`` without one."""
        return orders.order_of(self.snapshot, self.seat) if self._has_plans else None

    @cached_property
    def answer(self) -> str:
        """The move with which the order will answer the pending question; empty without one."""
        return orders.answer_of(self.snapshot, self.order, self.seat) if self.order else ""

    @property
    def shows_plan(self) -> bool:
        """Whether planned moves are shown that go on beyond a turn."""
        return self.plan is not None and not self.plan.one_turn

    @property
    def shows_queue(self) -> bool:
        """Whether moves written down are shown, or the field for them."""
        return self.has_queue and not self.shows_plan

    @property
    def has_queue(self) -> bool:
        """Whether this game has queues."""
        return self.snapshot.title.meta.has_queue

    @property
    def takes_lines(self) -> bool:
        """Whether replies can be planned: everybody knows at once what a move has done."""
        meta = self.snapshot.title.meta
        return not (meta.has_secrets or meta.observes)

    @cached_property
    def plan(self) -> ConditionalMoves | None:
        """The conditional moves; ``None`` without any."""
        return conditional.plan_of(self.snapshot, self.seat) if self._has_plans else None

    @cached_property
    def _lines(self) -> Lines:
        return conditional.lines_of(self.plan) if self.plan else Lines()

    @cached_property
    def lines(self) -> Sequence[PlannedLine]:
        """The lines of the plan."""
        return [self._line(branch) for branch in self._lines.branches()]

    def _line(self, branch: Branch) -> PlannedLine:
        moves = [written(node) for node in self._lines.path(branch.nodes[0].id)]
        text = ", ".join(self._said(node) for node in branch.nodes)
        return PlannedLine(branch.depth, text[:1].upper() + text[1:], moves)

    def _said(self, node: PlanNode) -> str:
        if node.seat is None:
            return "whatever they play"
        if node.seat == self.seat:
            return f"then {node.text}" if node.parent else f"after your {node.text}"
        return f"if {node.text}"

    @property
    def _has_plans(self) -> bool:
        """Whether either is kept; it is noted with the seat, to save the two queries."""
        return self.snapshot.players[self.seat].plans

    @cached_property
    def moves(self) -> Sequence[str]:
        """The moves of a plan that is one line whatever the others play; otherwise nothing."""
        return self._lines.unconditional_moves()

    @cached_property
    def next_move(self) -> str:
        """The move that the plan is about to make; empty if the player moves by hand."""
        return conditional.next_move(self.snapshot, self.plan, self.seat) if self.plan else ""

    @property
    def text(self) -> str:
        """The text in the field: a refused queue, or otherwise the stored one."""
        return self.typed or "\n".join(self.moves)
