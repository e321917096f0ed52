"""What a web process counts for Prometheus, at an address of its own."""

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
    "pool_available": "Those of them that nobody uses.",
    "requests_waiting": "Threads that wait for a connection.",
    "pool_max": "The most connections that may be open.",
}


class PoolCollector(Collector):
    """Tells how the pool of connections to the database stands; nothing where there is none."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        """Yield the figures that psycopg's pool has."""
        pool = getattr(connection, "pool", None)
        stats = pool.get_stats() if pool is not None else {}
        for name, about in POOL.items():
            if name in stats:
                metric = f"turnstone_database_{name.removeprefix('pool_')}"
                yield GaugeMetricFamily(metric, about, value=stats[name])


def serve(host: str, port: int) -> None:
    """Answer Prometheus in a thread; who else may ask is for the operator's network to say."""
    if settings.DATABASES["default"].get("OPTIONS", {}).get("pool"):
        REGISTRY.register(PoolCollector())
    start_http_server(port, host)
