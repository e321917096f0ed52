"""The tasks of matches. Celery may run each of them twice, or two at once, without harm."""

from celery import shared_task
from django.utils import timezone

from games.matches import orders, queue, sweeps


@shared_task(ignore_result=True)
def sweep_clocks() -> None:
    """Give outages back and end what is overdue."""
    sweeps.sweep_deadlines(now=timezone.now())


@shared_task(ignore_result=True)
def send_reminders() -> None:
    """Remind players who are running short of time."""
    sweeps.remind(now=timezone.now())


@shared_task(ignore_result=True)
def sweep_orders() -> None:
    """Find the standing orders that are asked something, and start those due by the next sweep.

    Each answers at its own moment, not at the sweep's: a rhythm would tell that there is one.
    """
    now = timezone.now()
    orders.look(now=now)
    for order, due in orders.soon(now=now):
        answer_order.apply_async(args=(order,), eta=due)


@shared_task(ignore_result=True)
def answer_order(order: int) -> None:
    """Let a standing order answer."""
    orders.answer(order, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_queues() -> None:
    """Run every queue that can go on."""
    for match_id in queue.waiting():
        queue.run(match_id, now=timezone.now())


@shared_task(ignore_result=True)
def run_queues(match_id: int) -> None:
    """Run the queues of one match, right after it has changed."""
    queue.run(match_id, now=timezone.now())
