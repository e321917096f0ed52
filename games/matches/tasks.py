"""Tasks of matches. Celery may run each of them twice, or two at once, without harm."""

from collections.abc import Mapping
from typing import Any

from celery import shared_task
from django.dispatch import receiver
from django.utils import timezone
from structlog.contextvars import bound_contextvars, get_contextvars

from config.background import Background
from games.matches.clocks import pace, sweeps
from games.matches.plans import conditional, orders
from games.matches.signals import plans_may_run


@shared_task(ignore_result=True)
def sweep_clocks() -> None:
    """Give outages back and time out late players."""
    sweeps.sweep_deadlines(now=timezone.now())


@shared_task(ignore_result=True)
def send_reminders() -> None:
    sweeps.remind(now=timezone.now())


@shared_task(ignore_result=True)
def sweep_orders() -> None:
    """Find standing orders with new questions, and start those due before the next sweep.

    Each answers at its own time, not at the sweep's: a rhythm would reveal that there is one.
    """
    now = timezone.now()
    orders.look(now=now)
    for order, due in orders.soon(now=now):
        answer_order.apply_async(args=(order,), eta=due)


@shared_task(ignore_result=True)
def measure_pace() -> None:
    """Compute how fast players usually answer, for those who have moved."""
    pace.measure(now=timezone.now())


@shared_task(ignore_result=True)
def answer_order(order: int) -> None:
    orders.answer(order, now=timezone.now())


@shared_task(ignore_result=True)
def sweep_queues() -> None:
    for match_id in conditional.waiting():
        conditional.run(match_id, now=timezone.now())


@shared_task(ignore_result=True)
def run_queues(match_id: int) -> None:
    """Run the plans of one match, and the orders that answer at once, after it has changed."""
    conditional.run(match_id, now=timezone.now())
    orders.run(match_id, now=timezone.now())


@receiver(plans_may_run)
def run_plans_later(match_id: int, *, exist: bool, **_: Any) -> None:
    """Start the task that continues a match's plans, if they ``exist``.

    A thread sends it, since a hanging broker may take any amount of time.
    """
    plan_runs.put({match_id: get_contextvars() if exist else None})


Run = dict[str, Any] | None
"""Log context of the request behind a run. ``None`` if there is nothing to run."""


def start_runs(runs: Mapping[int, Run]) -> None:
    """Start the tasks for matches, each under the id of the request that changed the match."""
    for match_id, context in runs.items():
        if context is not None:
            with bound_contextvars(**context):
                run_queues.apply_async(args=(match_id,), retry=False)


def _later(older: Run, newer: Run) -> Run:
    return older if newer is None else newer


plan_runs: Background[int, Run] = Background("plan runs", start_runs, _later)
