"""`manage.py receive_mail`: take moves that are sent by mail."""

import signal
import threading
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import metrics
from games.mail.server import MailServer


class Command(BaseCommand):
    help = "Take moves by mail from the relays of REPLY_RELAYS. As many processes as you like."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--bind", default="127.0.0.1", help="address to listen at")
        parser.add_argument("--port", type=int, default=8025)
        parser.add_argument("--metrics", type=int, default=0, help="port for Prometheus")

    def handle(self, *args: Any, bind: str, port: int, **options: Any) -> None:
        if not settings.REPLY_DOMAIN:
            raise CommandError("Moves by mail are off: REPLY_DOMAIN is not set (docs/running.md).")
        stopped = threading.Event()
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: stopped.set())
        if options["metrics"]:
            metrics.serve(bind, options["metrics"])
        server = MailServer(bind, port)
        try:
            server.start()
        except OSError as error:
            raise CommandError(f"Port {port} cannot be used: {error.strerror}.") from error
        self.stdout.write(f"Moves by mail are taken at {bind}:{port}")
        stopped.wait()
        server.stop()
