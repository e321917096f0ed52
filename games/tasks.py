"""The clockwork: what Celery runs by itself. Every task may run twice at once without harm."""

from celery import shared_task
from django.utils import timezone

from games.lobby import services as lobby
from games.matches import orders, queue, sweeps


@shared_task(ignore_result=True)
def sweep_clocks() -> None:
    """Give outages back and end what is overdue."""
    sweeps.sweep_deadlines(now=timezone.now())


@shared_task(ignore_result=True)
def send_reminders() -> None:
    """Remind players whose time runs short."""
    sweeps.remind(now=timezone.now())


@shared_task(ignore_result=True)
def expire_challenges() -> None:
    """Close challenges that nobody has answered in time."""
    lobby.expire(now=timezone.now())


@shared_task(ignore_result=True)
def sweep_orders() -> None:
    """See which standing orders are called upon, and hand out what is due by the next sweep.

    Each answers at its own moment, not at the sweep's: a rhythm would tell that there is one.
    """
    now = timezone.now()
    orders.look()
    for order, due in orders.soon(now=now):
        answer_order.apply_async(args=(order,), eta=due)


@shared_task(ignore_result=True)
def answer_order(order: int) -> None:
    """Let a standing order answer."""
    orders.answer(order, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_queues() -> None:
    """Let every queue go on that can."""
    for match_id in queue.waiting():
        queue.run(match_id, now=timezone.now())


@shared_task(ignore_result=True)
def run_queues(match_id: int) -> None:
    """Let the queues of one match go on, right after it has changed."""
    queue.run(match_id, now=timezone.now())
