"""Metrics of the whole site for Prometheus, from the database and the queues."""

from collections.abc import Callable, Iterator
from datetime import datetime

from django.conf import settings
from django.db import DatabaseError, connections
from django.db.models import Count, Min, Q, QuerySet, Sum
from django.utils import timezone
from kombu.exceptions import ChannelError, KombuError
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from redis.exceptions import RedisError

from accounts.models import Notification, OutgoingMail
from config.celery import app as celery_app
from games.matches import selectors
from games.matches.models import Match, Sweep

AWAY = (DatabaseError, RedisError, KombuError, OSError)


class SiteCollector(Collector):
    """Asks the database and the broker whenever Prometheus does. Unavailable parts are left out.

    ``turnstone_up`` has for each part whether it answered.
    """

    def collect(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("turnstone_up", "Whether a part answers.", labels=["part"])
        try:
            for name, part in PARTS.items():
                try:
                    metrics = part(timezone.now())
                except AWAY:
                    metrics = []
                    up.add_metric([name], 0)
                else:
                    up.add_metric([name], 1)
                yield from metrics
        finally:
            connections.close_all()
        yield up


def _sweeps(now: datetime) -> list[Metric]:
    """Return the seconds since each heartbeat was written."""
    age = GaugeMetricFamily(
        "turnstone_sweep_age_seconds", "Seconds since a heartbeat was written.", labels=["name"]
    )
    for sweep in Sweep.objects.filter(name__in=selectors.GAPS):
        age.add_metric([sweep.name], (now - sweep.ran).total_seconds())
    return [age]


def _outbox(now: datetime) -> list[Metric]:
    """Return how many mails wait, and the age of the oldest that is due or has failed."""
    age = GaugeMetricFamily(
        "turnstone_outbox_age_seconds",
        "Seconds since the oldest mail that is due or was tried in vain was written.",
        labels=["kind"],
    )
    waiting = GaugeMetricFamily("turnstone_outbox_waiting", "Mails that wait.", labels=["kind"])
    is_late = Q(next_try__lte=now) | Q(attempts__gt=0)
    for kind, rows in _mails().items():
        totals = rows.aggregate(count=Count("pk"), oldest=Min("created", filter=is_late))
        late = (now - totals["oldest"]).total_seconds() if totals["oldest"] else 0.0
        age.add_metric([kind], late)
        waiting.add_metric([kind], totals["count"])
    return [age, waiting]


def _mails() -> dict[str, QuerySet[Notification] | QuerySet[OutgoingMail]]:
    return {
        "notifications": Notification.objects.filter(mail_state__in=Notification.WAITING),
        "accounts": OutgoingMail.objects.all(),
    }


def _moves(now: datetime) -> list[Metric]:
    """Return how long the logs of all matches are, by game."""
    moves = CounterMetricFamily(
        "turnstone_moves", "Entries in the logs of all matches, nearly all moves.", labels=["game"]
    )
    for title, count in Match.objects.values_list("title").annotate(Sum("version")).order_by():
        moves.add_metric([title], count)
    return [moves]


def _queues(now: datetime) -> list[Metric]:
    """Return how many tasks wait for a worker, by queue."""
    length = GaugeMetricFamily(
        "turnstone_queue_length", "Tasks that wait for a worker.", labels=["queue"]
    )
    with celery_app.connection_for_read() as broker:
        broker.ensure_connection(max_retries=1, interval_start=0, timeout=2)
        for queue in settings.WORK_QUEUES:
            try:
                waiting = broker.SimpleQueue(queue, queue_opts={"passive": True}).qsize()
            except ChannelError:  # an empty queue does not exist
                waiting = 0
            length.add_metric([queue], waiting)
    return [length]


PARTS: dict[str, Callable[[datetime], list[Metric]]] = {
    "sweeps": _sweeps,
    "outbox": _outbox,
    "moves": _moves,
    "queues": _queues,
}
