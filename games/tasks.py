"""The tasks of games under the names of the last release, so that queued ones are still taken.

They can be removed in the next release; nothing here sends them.
"""

from celery import shared_task

from games.lobby import tasks as lobby
from games.matches import tasks as matches


@shared_task(ignore_result=True)
def sweep_clocks() -> None:
    """Run the task of the same name."""
    matches.sweep_clocks()


@shared_task(ignore_result=True)
def send_reminders() -> None:
    """Run the task of the same name."""
    matches.send_reminders()


@shared_task(ignore_result=True)
def expire_challenges() -> None:
    """Run the task of the same name."""
    lobby.expire_challenges()


@shared_task(ignore_result=True)
def sweep_orders() -> None:
    """Run the task of the same name."""
    matches.sweep_orders()


@shared_task(ignore_result=True)
def answer_order(order: int) -> None:
    """Run the task of the same name."""
    matches.answer_order(order)


@shared_task(ignore_result=True)
def sweep_queues() -> None:
    """Run the task of the same name."""
    matches.sweep_queues()


@shared_task(ignore_result=True)
def run_queues(match_id: int) -> None:
    """Run the task of the same name."""
    matches.run_queues(match_id)
