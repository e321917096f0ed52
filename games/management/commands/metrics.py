"""`manage.py metrics`: tell Prometheus of the whole site, at an address of its own."""

import contextlib
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from prometheus_client import CollectorRegistry, start_http_server

from games.site_metrics import SiteCollector


class Command(BaseCommand):
    help = "Tell Prometheus of the whole site: sweeps, mails, queues, moves. One process is enough."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1", help="address to listen at")
        parser.add_argument("--port", type=int, default=9101)

    def handle(self, *args: Any, bind: str, port: int, **options: Any) -> None:
        registry = CollectorRegistry()
        registry.register(SiteCollector())
        _, thread = start_http_server(port, bind, registry=registry)
        self.stdout.write(f"Metrics are at http://{bind}:{port}/metrics")
        with contextlib.suppress(KeyboardInterrupt):
            thread.join()
