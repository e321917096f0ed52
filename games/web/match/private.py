"""What a player leaves behind for later, as the page of a match offers it to that player alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from games.kernel.contract import AnswerPolicy, Seat
from games.matches import orders, queue
from games.matches.models import Queue, StandingOrder
from games.matches.selectors import MatchSnapshot


@dataclass(frozen=True)
class PrivatePanel:
    """A player's standing order and queue; ``typed`` is a queue that was refused."""

    snapshot: MatchSnapshot
    seat: Seat
    typed: str = ""

    @property
    def is_offered(self) -> bool:
        """Whether there is anything to leave behind in this match."""
        return bool(self.orders) or self.has_queue

    @cached_property
    def orders(self) -> Mapping[str, AnswerPolicy]:
        """The standing orders that can be given, by name."""
        return orders.offered(self.snapshot)

    @cached_property
    def order(self) -> StandingOrder | None:
        """The standing order that was given."""
        return orders.order_of(self.snapshot, self.seat)

    @cached_property
    def answer(self) -> str:
        """The move by which the order will answer what is asked now; empty if nothing is."""
        return orders.answer_of(self.snapshot, self.order, self.seat) if self.order else ""

    @property
    def has_queue(self) -> bool:
        """Whether this game has queues."""
        return self.snapshot.title.meta.has_queue

    @cached_property
    def queue(self) -> Queue | None:
        """What is to follow."""
        return queue.queue_of(self.snapshot, self.seat)

    @property
    def moves(self) -> Sequence[str]:
        """The moves that are to follow."""
        return self.queue.moves if self.queue else ()

    @property
    def text(self) -> str:
        """What is in the field: a queue that was refused, or else the one there is."""
        return self.typed or "\n".join(self.moves)
