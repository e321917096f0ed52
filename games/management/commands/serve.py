"""`manage.py serve`: the whole site from one process."""

import contextlib
import errno
import os
import socket
from argparse import ArgumentParser
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

# Before anything of Twisted.
from config.server.server import SiteServer  # isort: skip

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config.asgi import application
from config.celery import app as celery_app
from config.local.scheduled_jobs import ScheduledJobs
from games import demo
from games.mail.server import MailServer

HOST = "127.0.0.1"


class Command(BaseCommand):
    help = "Serve the site on this machine from one process: pages, pushes and scheduled jobs."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=getattr(settings, "PORT", 8000))

    def handle(self, *args: Any, port: int, **options: Any) -> None:
        if not settings.CELERY_BROKER_URL.startswith("memory:"):
            raise CommandError("serve is for one process; see docs/running.md for these settings.")
        refuse_used_port(port)
        if settings.REPLY_DOMAIN:
            refuse_used_port(settings.REPLY_PORT)
        self._prepare_database()
        jobs = ScheduledJobs(celery_app, settings.WORK_QUEUES)
        server = SiteServer(
            application,
            endpoints=[f"tcp:port={port}:interface={HOST}"],
            proxies=settings.PROXIES,
            most=settings.CLIENT_CONNECTIONS,
            on_start=lambda: self._greet(port),
            # While the server still runs, so that the last task's pushes find who listens.
            on_stop=jobs.stop,
        )
        jobs.start()
        with self._mail_server():
            server.run()
        self.stdout.write("\nTurnstone has stopped.")
        if server.unfinished or not jobs.is_still:
            # Python would wait for threads of requests and tasks, which may wait for what never
            # comes. All are made to be broken off anywhere.
            self.stdout.flush()
            os._exit(0)

    @contextlib.contextmanager
    def _mail_server(self) -> Iterator[None]:
        """Accept moves by mail meanwhile, if that is enabled."""
        if not settings.REPLY_DOMAIN:
            yield
            return
        mail = MailServer(HOST, settings.REPLY_PORT)
        mail.start()
        try:
            yield
        finally:
            mail.stop(no_assert=True)

    def _prepare_database(self) -> None:
        call_command("migrate", interactive=False, verbosity=0)
        if not get_user_model().objects.filter(is_superuser=False).exists():
            self.stdout.write("A first start: making sample players and matches …")
            call_command("demo", stdout=StringIO())

    def _greet(self, port: int) -> None:
        site = f"http://localhost:{port}/"
        self.stdout.write(
            f"\n{self.style.SUCCESS('Turnstone is running')} at {site}\n\n"
            f"  to become its admin    make admin, then {site}admin/\n"
            f"  mails go to            {short(settings.LOCAL_MAILS)}/, shown at {site}mails/\n"
            f"{self._samples()}"
            f"  to stop it             Ctrl-C\n"
        )

    def _samples(self) -> str:
        """Return how to sign in as a sample player. Empty without them."""
        if not get_user_model().objects.filter(username__in=demo.NAMES).exists():
            return ""
        who = f"{demo.NAMES[0]} and others, password {settings.DEMO_PASSWORD}"
        return f"  sample players         {who}\n"


def short(path: Path) -> Path:
    """Return the path relative to the working directory if it is inside."""
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def refuse_used_port(port: int) -> None:
    """:raises CommandError: the port can't be used; the message says why."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise CommandError(
                    f"Port {port} is in use by another program. "
                    f"Stop that one, or take another port: make run PORT={port + 1}"
                ) from error
            raise CommandError(f"Port {port} cannot be used: {error.strerror}.") from error
        except OverflowError as error:
            raise CommandError(f"{port} is no port; take one from 1 to 65535.") from error
