"""A player's plan and standing order on the page of a match, shown only to that player."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import AnswerPolicy, Seat
from games.kernel.language import gettext as _
from games.matches.models import ConditionalMoves, StandingOrder
from games.matches.plans import conditional, orders, planning
from games.matches.plans.lines import Branch, Lines, PlanNode, written
from games.matches.play import move_input
from games.matches.table import Table


@dataclass(frozen=True)
class PlannedLine:
    """A line of a plan in words, from where it leaves the line before it.

    ``moves`` lead to its first move, and identify the line when it is removed.
    """

    depth: int
    said: str
    moves: Sequence[str]


@dataclass(frozen=True)
class PrivatePanel:
    """A player's standing order and plan.

    ``typed`` is the text of a refused queue, ``typed_line`` that of a refused line.
    """

    table: Table
    seat: Seat
    typed: str = ""
    typed_line: str = ""

    @cached_property
    def can_plan(self) -> bool:
        return planning.can_plan(self.table, self.seat)

    @cached_property
    def orders(self) -> Mapping[str, AnswerPolicy]:
        """The standing orders that can be given, by name."""
        return orders.offered(self.table)

    @property
    def is_forced(self) -> bool:
        """Whether there are only orders for forced moves, which all players can see."""
        return all(policy.is_forced for policy in self.orders.values())

    @cached_property
    def order(self) -> StandingOrder | None:
        """The standing order that was given. ``None`` without one."""
        return orders.order_of(self.table, self.seat) if self._has_plans else None

    @property
    def forced_order(self) -> str:
        """The label of the order for forced moves that was given. Empty without one."""
        policy = self.orders.get(self.order.name) if self.order else None
        return _(policy.label) if policy and policy.is_forced else ""

    @cached_property
    def answer(self) -> str:
        """The order's answer to the pending question: ``Defend with 7♥``. Empty without one."""
        text = orders.answer_of(self.table, self.order, self.seat) if self.order else ""
        if not text:
            return ""
        title, seat = self.table.title, self.seat
        return title.phrase(title.parse(text), self.table.view(seat), seat, seat)

    @property
    def shows_plan(self) -> bool:
        """Whether the page shows planned moves that extend beyond a turn."""
        return self.plan is not None and not self.plan.one_turn

    @property
    def shows_queue(self) -> bool:
        """Whether the page shows a queue, or the field for one."""
        return self.has_queue and not self.shows_plan

    @property
    def has_queue(self) -> bool:
        return self.table.title.meta.has_queue

    @property
    def takes_lines(self) -> bool:
        """Whether replies can be planned: all players know the effects of a move at once."""
        meta = self.table.title.meta
        return not (meta.has_secrets or meta.observes)

    @cached_property
    def plan(self) -> ConditionalMoves | None:
        """The conditional moves. ``None`` without any."""
        return conditional.plan_of(self.table, self.seat) if self._has_plans else None

    @cached_property
    def _lines(self) -> Lines:
        return conditional.lines_of(self.plan) if self.plan else Lines()

    @cached_property
    def lines(self) -> Sequence[PlannedLine]:
        return [self._line(branch) for branch in self._lines.branches()]

    def _line(self, branch: Branch) -> PlannedLine:
        moves = [written(node) for node in self._lines.path(branch.nodes[0].id)]
        first, *others = branch.nodes
        text = ", ".join([self._begun(first), *map(self._said, others)])
        return PlannedLine(branch.depth, text, moves)

    def _begun(self, node: PlanNode) -> str:
        """Return the first clause of a line."""
        if node.seat is None:
            return _("Whatever they play")
        if node.seat == self.seat and node.parent:
            return _("Then {move}").format(move=node.text)
        if node.seat == self.seat:
            return _("After your {move}").format(move=node.text)
        return _("If {move}").format(move=node.text)

    def _said(self, node: PlanNode) -> str:
        """Return another clause of a line."""
        if node.seat is None:
            # Translators: after a comma, as in "If c4, then e5, whatever they play, then g5"
            return _("whatever they play")
        if node.seat == self.seat:
            # Translators: after a comma, as in "If c4, then e5, if f5, then g5"
            return _("then {move}").format(move=node.text)
        # Translators: after a comma, as in "If c4, then e5, if f5, then g5"
        return _("if {move}").format(move=node.text)

    @property
    def _has_plans(self) -> bool:
        """Whether there is a plan or an order. Stored with the seat, to save the two queries."""
        return self.table.players[self.seat].plans

    @cached_property
    def moves(self) -> Sequence[str]:
        """The moves of a plan that is a single unconditional line. Otherwise empty."""
        return self._lines.unconditional_moves()

    @property
    def moves_in_words(self) -> str:
        return move_input.in_order(self.moves)

    @cached_property
    def next_move(self) -> str:
        """The next move of the plan. Empty if the player moves by hand."""
        return conditional.next_move(self.table, self.plan, self.seat) if self.plan else ""

    @property
    def text(self) -> str:
        """The text in the field: a refused queue, or otherwise the stored one."""
        return self.typed or "\n".join(self.moves)
