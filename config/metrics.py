"""Metrics of a web process for Prometheus, served on a port of their own."""

from collections.abc import Iterator

from django.conf import settings
from django.db import connection
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.postgresql import loop_pool

REQUESTS = Counter("turnstone_requests", "Requests answered, by page and status.", ["page", "code"])
REQUEST_SECONDS = Histogram(
    "turnstone_request_seconds",
    "Seconds from a request to its answer.",
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)
PUSH_LAG = Histogram(
    "turnstone_push_lag_seconds",
    "Seconds from the commit of a change to the socket of a page that shows the match.",
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30),
)
REPLIES = Counter(
    "turnstone_mail_replies", "Mails with moves that came in, by what became of them.", ["outcome"]
)
SOCKETS = Gauge("turnstone_sockets", "Open sockets of pages.")

POOL = {
    "pool_size": "Connections to the database that are open.",
    "pool_available": "Those of them that are idle.",
    "requests_waiting": "Threads and tasks that wait for a connection.",
    "pool_max": "The most connections that may be open.",
}
"""Statistics of psycopg's pool, with their descriptions."""


class PoolCollector(Collector):
    """Reports the connections to the database. Nothing if there is no pool."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the sums over the pool of threads and those of event loops."""
        pool = getattr(connection, "pool", None)
        if pool is None:
            return
        stats = pool.get_stats()
        loops = loop_pool.stats()
        for name, about in POOL.items():
            metric = f"turnstone_database_{name.removeprefix('pool_')}"
            value = stats.get(name, 0) + loops[name]
            yield GaugeMetricFamily(metric, about, value=value)


def serve(host: str, port: int) -> None:
    """Serve metrics from a thread. The operator's network decides who can read them."""
    if settings.DATABASES["default"].get("OPTIONS", {}).get("pool"):
        REGISTRY.register(PoolCollector())
    start_http_server(port, host)
