"""Queues as the release before conditional moves stored them, made into conditional moves.

During an upgrade processes of that release go on storing them. The id under which the first move
will be made stays the same, so that workers of both releases cannot make it twice.
"""

from typing import Any

from django.db import transaction

from games.kernel.contract import Seat
from games.matches.models import ConditionalMoves, Queue
from games.matches.plans.lines import one_line


def carry_over(**which: Any) -> None:
    """Make conditional moves of queues; a queue was stored later than any plan there is."""
    for pk in list(Queue.objects.filter(**which).values_list("pk", flat=True)):
        _carry(pk)


@transaction.atomic
def _carry(pk: int) -> None:
    queues = Queue.objects.select_for_update(of=("self",)).select_related("player").filter(pk=pk)
    queue = queues.first()
    if queue is None:
        return
    values = {
        "nodes": one_line(queue.moves, Seat(queue.player.seat)).dump(),
        "at": 0,
        "after": queue.after,
        "waits": queue.waits,
        "one_turn": not queue.foreseen,
        "submission": queue.submission,
        "halted": queue.halted,
    }
    ConditionalMoves.objects.update_or_create(player=queue.player, defaults=values)
    queue.delete()
