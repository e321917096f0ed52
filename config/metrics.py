"""Metrics of a web process for Prometheus, served on a port of their own."""

from collections.abc import Iterator

from django.conf import settings
from django.db import connection
from prometheus_client import REGISTRY, Counter, Gauge, Histogram, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

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
    "requests_waiting": "Threads that wait for a connection.",
    "pool_max": "The most connections that may be open.",
}


class PoolCollector(Collector):
    """Reports the connections to the database; nothing if there is no pool."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the statistics of psycopg's pool."""
        pool = getattr(connection, "pool", None)
        stats = pool.get_stats() if pool is not None else {}
        for name, about in POOL.items():
            if name in stats:
                metric = f"turnstone_database_{name.removeprefix('pool_')}"
                yield GaugeMetricFamily(metric, about, value=stats[name])


def serve(host: str, port: int) -> None:
    """Serve metrics from a thread. The operator's network decides who can read them."""
    if settings.DATABASES["default"].get("OPTIONS", {}).get("pool"):
        REGISTRY.register(PoolCollector())
    start_http_server(port, host)
