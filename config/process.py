"""Database limits by kind of process: timeouts and number of connections."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Bounds:
    """A process's limits for the database, in seconds.

    ``kind`` is the last word of the pooler's name for the database (``docs/pgbouncer.ini``).
    ``statement``, ``lock`` and ``idle`` are PostgreSQL's ``statement_timeout``, ``lock_timeout``
    and ``idle_in_transaction_session_timeout``; 0 is no limit. ``patience`` is how long a thread
    waits for a free connection. ``connections`` is the maximum number of connections; ``None``
    leaves it to the operator.
    """

    kind: str
    statement: int
    lock: int
    idle: int
    patience: float
    connections: int | None


WEB = Bounds("web", statement=10, lock=5, idle=15, patience=1.0, connections=None)
"""Somebody waits for a page, and would reload it before a slow query ends."""

WORKER = Bounds("worker", statement=60, lock=10, idle=60, patience=10.0, connections=2)
"""Each process runs one task, and a thread that writes errors."""

MAIL = Bounds("mail", statement=10, lock=5, idle=15, patience=5.0, connections=4)
"""A relay waits for an answer, and tries again later."""

COMMAND = Bounds("command", statement=0, lock=0, idle=0, patience=10.0, connections=4)
"""Migrations rewrite tables, checks read all of them; the person who started it can stop it."""


PLANNING: dict[str, str | int] = {"jit": "off", "max_parallel_workers_per_gather": 0}
"""Queries read a few thousand rows, so compiling them or starting parallel workers costs more."""


def bounds(arguments: Sequence[str]) -> Bounds:
    """Return the limits for a process with these arguments (``sys.argv``)."""
    program = PurePath(arguments[0]) if arguments else PurePath()
    if "receive_mail" in arguments:
        return MAIL
    if program.name == "daphne" or program.parts[-3:-1] == ("config", "server"):
        return WEB
    is_celery = program.name == "celery" or program.parent.name == "celery"
    return WORKER if is_celery and "worker" in arguments else COMMAND


def session_settings(bounds: Bounds) -> dict[str, str | int]:
    """Return PostgreSQL's settings for a connection: the limits, in milliseconds, and planning."""
    limits = {
        "statement_timeout": bounds.statement,
        "lock_timeout": bounds.lock,
        "idle_in_transaction_session_timeout": bounds.idle,
    }
    return {name: seconds * 1000 for name, seconds in limits.items()} | PLANNING


def connection_options(bounds: Bounds, *, is_pooled: bool = False) -> dict[str, str | int]:
    """Return libpq's options: the settings, unless the pooler makes them, and keepalives.

    After ten silent seconds the other side is probed three times. Sent data waits 15 seconds for an
    acknowledgement.
    """
    settings = (f"-c {name}={value}" for name, value in session_settings(bounds).items())
    return {
        **({} if is_pooled else {"options": " ".join(settings)}),
        "connect_timeout": 5,
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
