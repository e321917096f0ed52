"""What kind of process this is, and how long it may keep the database waiting."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePath


@dataclass(frozen=True)
class Bounds:
    """How long, in seconds, and by how many connections a process may use the database.

    ``statement``, ``lock`` and ``idle`` are PostgreSQL's ``statement_timeout``, ``lock_timeout``
    and ``idle_in_transaction_session_timeout``; 0 is without end. ``patience`` is how long a thread
    waits for a connection when all are in use. ``connections`` is the most that the process opens;
    ``None`` is what the operator has chosen.
    """

    statement: int
    lock: int
    idle: int
    patience: float
    connections: int | None


WEB = Bounds(statement=10, lock=5, idle=15, patience=1.0, connections=None)
"""Somebody waits for a page, and asks again sooner than it would come."""

WORKER = Bounds(statement=60, lock=10, idle=60, patience=10.0, connections=2)
"""One task at a time in each process, and the thread that writes errors down."""

MAIL = Bounds(statement=10, lock=5, idle=15, patience=5.0, connections=4)
"""A relay waits for an answer, and comes again after a longer while."""

COMMAND = Bounds(statement=0, lock=0, idle=0, patience=10.0, connections=4)
"""Migrations rewrite tables, and checks read all of them; whoever started it can end it."""


PLANNING = "-c jit=off -c max_parallel_workers_per_gather=0"
"""Queries touch a few thousand rows: to compile one, or to start workers for it, takes longer."""


def bounds(arguments: Sequence[str]) -> Bounds:
    """Return the bounds of the process that was started with these arguments (``sys.argv``)."""
    program = PurePath(arguments[0]) if arguments else PurePath()
    if "receive_mail" in arguments:
        return MAIL
    if program.name == "daphne" or program.parts[-3:-1] == ("config", "server"):
        return WEB
    is_celery = program.name == "celery" or program.parent.name == "celery"
    return WORKER if is_celery and "worker" in arguments else COMMAND


def connection_options(bounds: Bounds) -> dict[str, str | int]:
    """Return libpq's options: the bounds, how to plan, and how soon a silent network is given up.

    After ten silent seconds the other side is asked three times; what was sent waits for an
    acknowledgement for 15 seconds.
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
