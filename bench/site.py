"""The site under test: a database of its own, web processes, and processes that visit them."""

import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from unittest import mock
from urllib.parse import urlsplit

import django.apps
import psycopg
import redis

from config.settings.base import WORK_QUEUES
from tests.deployment import programs

LIMITED = {
    "DJANGO_SETTINGS_MODULE": "bench.limited",
    "CLIENT_CONNECTIONS": "100",
    # Enables moves by mail.
    "REPLY_DOMAIN": "reply.example.org",
    "REPLY_AUTHSERV": "mx.example.org",
    "REPLY_RELAYS": "127.0.0.1",
}
"""The environment of the whole site, with the limits of production."""


@contextlib.contextmanager
def prepared() -> Iterator[None]:
    """Create a database, migrate it and configure Django for it. Drop it at the end."""
    with (
        tempfile.TemporaryDirectory(prefix="turnstone-bench-") as folder,
        _database(os.environ["DATABASE_URL"]) as database,
        _keys_forgotten(os.environ["REDIS_URL"], urlsplit(database).path[1:]),
    ):
        os.environ |= _environment(Path(folder), database)
        for command in (("migrate",), ("migrate", "--run-syncdb"), ("collectstatic", "--no-input")):
            done = programs.run("manage.py", *command, **os.environ)
            if done.returncode:
                raise SystemExit(f"manage.py {command[0]} failed:\n{done.stderr}")
        django.setup()
        yield


@contextlib.contextmanager
def _database(server: str) -> Iterator[str]:
    parts, name = urlsplit(server), f"turnstone_bench_{os.getpid()}"
    with psycopg.connect(parts._replace(path="/postgres").geturl(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        try:
            yield parts._replace(path=f"/{name}").geturl()
        finally:
            admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextlib.contextmanager
def _keys_forgotten(server: str, prefix: str) -> Iterator[None]:
    """Delete all keys with the prefix from Redis."""
    try:
        yield
    finally:
        with redis.Redis.from_url(server) as client:
            for key in client.scan_iter(f"{prefix}:*"):
                client.delete(key)


def _environment(folder: Path, database: str) -> dict[str, str]:
    """Return production's environment without HTTPS."""
    return {
        "DJANGO_SETTINGS_MODULE": "bench.settings",
        "DATABASE_URL": database,
        "SECRET_KEY": "a-key-for-the-bench-and-for-nothing-else-0123456789-abcdef",
        "SITE_URL": "http://127.0.0.1",
        "ANY_HOST_PORT": "true",
        "SITE_TOURNAMENTS": "no",
        # All visitors of the bench come from one address.
        "CLIENT_CONNECTIONS": "10000",
        "EMAIL_URL": f"filemail:///{folder / 'mails'}",
        "DEFAULT_FROM_EMAIL": "bench@example.org",
        "STATIC_ROOT": str(folder / "static"),
    }


@dataclass(frozen=True)
class Server:
    """A web process and the port at which it answers."""

    port: int
    pid: int

    @property
    def seconds(self) -> float:
        """Seconds of a core that it has used so far."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> float:
        """Its own memory in kilobytes, without shared memory."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        return sum(float(line.split()[1]) for line in lines if line.startswith("Private_"))

    def listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


@contextlib.contextmanager
def _servers(count: int, *command: str) -> Iterator[list[Server]]:
    """Run servers. ``command`` is followed by the port of each."""
    with contextlib.ExitStack() as stack:
        found = []
        for port in [programs.free_port() for _ in range(count)]:
            program = programs.running(*command, str(port), log=log_of(str(port)), **os.environ)
            process = stack.enter_context(program)
            # A bare Daphne sometimes ignores Ctrl-C.
            stack.callback(process.send_signal, signal.SIGKILL)
            found.append(Server(port, process.pid))
        for server in found:
            programs.eventually(server.listens)
        yield found


def floors(count: int = 2) -> contextlib.AbstractContextManager[list[Server]]:
    """Run bare consumers."""
    return _servers(count, "daphne", "-v", "0", "bench.floor:application", "-p")


@contextlib.contextmanager
def web_processes(
    count: int = 2, application: str = "bench.asgi.application"
) -> Iterator[list[Server]]:
    """Run web processes as in production."""
    options = ("--notice", "0", "--application", application, "--port")
    with _servers(count, "python", "-m", "config.server", *options) as found:
        for server in found:
            address = f"http://127.0.0.1:{server.port}/readyz"
            programs.eventually(lambda address=address: programs.answers(address))
        yield found


@contextlib.contextmanager
def whole(mail_port: int) -> Iterator[list[Server]]:
    """Run the whole site with the limits of production, and yield its web processes.

    As in docker-compose.yml there is a worker for each queue, and one bot thinks at a time.
    """
    celery = ("celery", "--quiet", "-A", "config")
    quiet = ("--concurrency", "1", "--without-gossip", "--without-mingle")
    commands = [
        ("manage.py", "receive_mail", "--port", str(mail_port)),
        (*celery, "beat", "--schedule", str(log_of("schedule")), "--pidfile="),
        *(
            (*celery, "worker", "--queues", queue, "--hostname", f"{queue}@%h", *quiet)
            for queue in WORK_QUEUES
        ),
    ]
    with contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.dict(os.environ, LIMITED))
        for number, command in enumerate(commands):
            program = programs.running(*command, log=log_of(str(number)), **os.environ)
            stack.enter_context(program)
        yield stack.enter_context(web_processes(application="config.asgi.application"))


def log_of(program: str) -> Path:
    """Return a program's log file. A web process is named by its port."""
    return Path(os.environ["STATIC_ROOT"]).parent / f"log.{program}"


def hands(count: int = 1) -> ProcessPoolExecutor:
    """Return processes without the load of this one. They end with it."""
    begin = _begin if django.apps.apps.ready else programs.end_with_parent
    return ProcessPoolExecutor(count, get_context("spawn"), begin)


def _begin() -> None:
    programs.end_with_parent()
    django.setup()


def say(sentence: str) -> None:
    """Print the current activity for people waiting for the table."""
    print(sentence, file=sys.stderr, flush=True)
