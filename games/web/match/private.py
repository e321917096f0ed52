"""A player's queue and standing order on the page of a match, shown to that player alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import AnswerPolicy, Seat
from games.matches.models import Queue, StandingOrder
from games.matches.plans import orders, planning, queue
from games.matches.selectors import MatchSnapshot


@dataclass(frozen=True)
class PrivatePanel:
    """A player's standing order and queue; ``typed`` is the text of a queue that was refused."""

    snapshot: MatchSnapshot
    seat: Seat
    typed: str = ""

    @property
    def is_offered(self) -> bool:
        """Whether something can be kept for later, or is."""
        return bool(self.orders) or self.has_queue or self.can_plan or self.queue is not None

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
        """Whether moves planned on the board are shown, or the way to plan some."""
        return self.can_plan or (self.queue is not None and self.queue.foreseen)

    @property
    def shows_queue(self) -> bool:
        """Whether moves written down are shown, or the field for them."""
        return self.has_queue and not (self.queue is not None and self.queue.foreseen)

    @property
    def has_queue(self) -> bool:
        """Whether this game has queues."""
        return self.snapshot.title.meta.has_queue

    @cached_property
    def queue(self) -> Queue | None:
        """The queue; ``None`` without one."""
        return queue.queue_of(self.snapshot, self.seat) if self._has_plans else None

    @property
    def _has_plans(self) -> bool:
        """Whether either is kept; it is noted with the seat, to save the two queries."""
        return self.snapshot.players[self.seat].plans

    @property
    def moves(self) -> Sequence[str]:
        """The moves of the queue."""
        return self.queue.moves if self.queue else ()

    @property
    def is_going_on(self) -> bool:
        """Whether the first move of the queue is about to be made if the player is to move."""
        return self.queue is not None and not (self.queue.waits or self.queue.halted)

    @property
    def text(self) -> str:
        """The text in the field: a refused queue, or otherwise the stored one."""
        return self.typed or "\n".join(self.moves)
