"""The machine that the figures come from, in one line."""

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import psycopg


def sentence(database: str | None) -> str:
    """Return date, cores, processor, memory, load and versions.

    :param database: the URL of PostgreSQL; ``None`` if it isn't measured.
    """
    now = datetime.now(UTC)
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    found = [
        f"{now.day} {now:%B %Y, %H:%M} UTC",
        f"{os.cpu_count()} cores ({_processor()})",
        f"{memory:.0f} GB",
        f"{platform.system()} {platform.release()}",
        f"Python {platform.python_version()}",
        *([f"PostgreSQL {_postgresql(database)}"] if database else []),
        f"load {os.getloadavg()[0]:.1f} before the start",
    ]
    return ", ".join(found)


def _processor() -> str:
    if sys.platform != "linux":
        return platform.processor()
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.machine()


def _postgresql(database: str) -> str:
    with psycopg.connect(database) as connection:
        version: str = connection.execute("SHOW server_version").fetchone()[0]  # type: ignore[index]
    return version.partition(" ")[0]
