"""The site under test: a database of its own, web processes, signed-in people."""

import contextlib
import os
import signal
import socket
import sys
import tempfile
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from types import MappingProxyType
from urllib.parse import urlsplit

import django
import psycopg
import redis

from config.settings.base import WORK_QUEUES
from tests.deployment import programs

SERVERS = ("DATABASE_URL", "REDIS_URL")
"""Environment variables that the bench needs."""

REPLIES = {
    "REPLY_DOMAIN": "reply.example.org",
    "REPLY_AUTHSERV": "mx.example.org",
    "REPLY_RELAYS": "127.0.0.1",
}
"""Enables moves by mail."""


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
            _manage(*command)
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


def _manage(*command: str) -> None:
    done = programs.run("manage.py", *command, **os.environ)
    if done.returncode:
        raise SystemExit(f"manage.py {command[0]} failed:\n{done.stderr}")


@dataclass(frozen=True)
class Server:
    """A web process and the port at which it answers."""

    port: int
    pid: int

    @property
    def seconds(self) -> float:
        """Seconds of a core that it has used so far."""
        return sum(map(int, self._fields()[11:13])) / os.sysconf("SC_CLK_TCK")

    @property
    def memory(self) -> float:
        """Its own memory in kilobytes, without shared memory."""
        lines = Path(f"/proc/{self.pid}/smaps_rollup").read_text().splitlines()
        return sum(float(line.split()[1]) for line in lines if line.startswith("Private_"))

    @property
    def is_over(self) -> bool:
        """Whether it has ended, even if its parent hasn't noticed yet."""
        try:
            return self._fields()[0] == "Z"
        except FileNotFoundError:
            return True

    def _fields(self) -> list[str]:
        """Return the system's information about it, from its state on."""
        return Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()


@contextlib.contextmanager
def servers(
    *command: str,
    count: int = 2,
    kill: bool = False,
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[list[Server]]:
    """Run web processes. ``command`` is followed by the port of each.

    :param kill: kill them at the end, since a bare Daphne sometimes ignores Ctrl-C.
    :param variables: additions to the environment.
    """
    with contextlib.ExitStack() as stack:
        found = []
        for port in [programs.free_port() for _ in range(count)]:
            running = programs.running(
                *command, str(port), log=log_of(str(port)), **{**os.environ, **variables}
            )
            found.append(Server(port, stack.enter_context(running).pid))
        for server in found:
            programs.eventually(lambda port=server.port: _listens(port))
        try:
            yield found
        finally:
            if kill:
                for server in found:
                    os.kill(server.pid, signal.SIGKILL)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def log_of(program: str) -> Path:
    """Return a program's log file. A web process is named by its port."""
    return Path(os.environ["STATIC_ROOT"]).parent / f"log.{program}"


@contextlib.contextmanager
def web_processes(
    count: int = 2,
    application: str = "bench.asgi.application",
    variables: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[list[Server]]:
    """Run web processes as in production."""
    options = ("--notice", "0", "--application", application, "--port")
    python = ("python", "-m", "config.server", *options)
    with servers(*python, count=count, variables=variables) as found:
        for server in found:
            address = f"http://127.0.0.1:{server.port}/readyz"
            programs.eventually(lambda address=address: programs.answers(address))
        yield found


@contextlib.contextmanager
def serving(processes: int = 2) -> Iterator[list[int]]:
    """Run web processes as in production, and yield their ports."""
    with web_processes(processes) as found:
        yield [server.port for server in found]


def workers(schedule: Path) -> tuple[tuple[str, ...], ...]:
    """Return the commands of beat, whose schedule is in a file, and of the workers.

    As in docker-compose.yml, there is one for each queue, and one bot thinks at a time.
    """
    celery = ("celery", "--quiet", "-A", "config")
    quiet = ("--concurrency", "1", "--without-gossip", "--without-mingle")
    return (
        (*celery, "beat", "--schedule", str(schedule), "--pidfile="),
        *(
            (*celery, "worker", "--queues", queue, "--hostname", f"{queue}@%h", *quiet)
            for queue in WORK_QUEUES
        ),
    )


@contextlib.contextmanager
def whole(mail_port: int) -> Iterator[list[Server]]:
    """Run the whole site with the limits of production, and yield its web processes."""
    variables = {
        "DJANGO_SETTINGS_MODULE": "bench.limited",
        "CLIENT_CONNECTIONS": "100",
        **REPLIES,
    }
    folder = Path(os.environ["STATIC_ROOT"]).parent
    mail = ("manage.py", "receive_mail", "--port", str(mail_port))
    with contextlib.ExitStack() as stack:
        for number, command in enumerate((*workers(folder / "schedule"), mail)):
            running = programs.running(
                *command, log=log_of(str(number)), **{**os.environ, **variables}
            )
            stack.enter_context(running)
        application = "config.asgi.application"
        yield stack.enter_context(web_processes(application=application, variables=variables))


def hands(count: int = 1) -> ProcessPoolExecutor:
    """Return processes without the load of this one. They end with it."""
    return ProcessPoolExecutor(count, get_context("spawn"), programs.end_with_parent)


def say(sentence: str) -> None:
    """Print the current activity for people waiting for the table."""
    print(sentence, file=sys.stderr, flush=True)
