"""Database limits by kind of process: timeouts and number of connections."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Bounds:
    """A process's limits for the database, in seconds.

    ``statement``, ``lock`` and ``idle`` are PostgreSQL's ``statement_timeout``, ``lock_timeout``
    and ``idle_in_transaction_session_timeout``; 0 is no limit. ``patience`` is how long a thread
    waits for a free connection. ``connections`` is the maximum number of connections; ``None``
    leaves it to the operator.
    """

    statement: int
    lock: int
    idle: int
    patience: float
    connections: int | None


WEB = Bounds(statement=10, lock=5, idle=15, patience=1.0, connections=None)
"""Somebody waits for a page, and would reload it before a slow query ends."""

WORKER = Bounds(statement=60, lock=10, idle=60, patience=10.0, connections=2)
"""Each process runs one task, and a thread that writes errors."""

MAIL = Bounds(statement=10, lock=5, idle=15, patience=5.0, connections=4)
"""A relay waits for an answer, and tries again later."""

COMMAND = Bounds(statement=0, lock=0, idle=0, patience=10.0, connections=4)
"""Migrations rewrite tables, checks read all of them; the person who started it can stop it."""


PLANNING = "-c jit=off -c max_parallel_workers_per_gather=0"
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


def connection_options(bounds: Bounds) -> dict[str, str | int]:
    """Return libpq's options: limits, planner settings and keepalives.

    After ten silent seconds the other side is probed three times. Sent data waits 15 seconds for an
    acknowledgement.
    """
    limits = {
        "statement_timeout": bounds.statement,
        "lock_timeout": bounds.lock,
        "idle_in_transaction_session_timeout": bounds.idle,
    }
    timeouts = (f"-c {name}={seconds * 1000}" for name, seconds in limits.items())
    return {
        "options": " ".join((*timeouts, PLANNING)),
        "connect_timeout": 5,
        "keepalives": 1,
        "keepalives_idle": 10,
        "keepalives_interval": 5,
        "keepalives_count": 3,
        "tcp_user_timeout": 15_000,
    }
