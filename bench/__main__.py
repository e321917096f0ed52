"""``python -m bench``: measure everything, or the sections named, and print a table each."""

import contextlib
import importlib
import os
import platform
import re
import signal
import sys
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from bench import options, rows, site

BY_ITSELF = "feel"
"""This section needs neither the site nor its servers."""


def main(arguments: list[str]) -> int:
    """Run the sections, or a command."""
    # On SIGTERM, leave the contexts, which drop the database.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if arguments and arguments[0] in options.COMMANDS:
        command = importlib.import_module(f"bench.{arguments[0]}")
        return int(command.main(arguments[1:]))
    names = options.parse(arguments)
    with contextlib.ExitStack() as stack:
        if names != [BY_ITSELF]:
            stack.enter_context(site.prepared())
        print(machine(), flush=True)
        for name in names:
            # Not before Django has been set up.
            section = importlib.import_module(f"bench.{name}")
            headings = getattr(section, "HEADINGS", rows.HEADINGS)
            rows.print_table(section.SECTION, headings, section.rows())
    return 0


def machine() -> str:
    """Return date, machine, load and versions, which the figures depend on."""
    cpus = Path("/proc/cpuinfo")
    models = re.findall(
        r"^model name\s*: (.*)", cpus.read_text() if cpus.exists() else "", re.MULTILINE
    )
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    database = ""
    if "DATABASE_URL" in os.environ:
        with psycopg.connect(os.environ["DATABASE_URL"]) as connection:
            database = f", PostgreSQL {connection.info.server_version // 10_000}"
    return (
        f"{datetime.now(UTC):%d %B %Y, %H:%M} UTC, {os.cpu_count()} cores"
        f" ({models[0] if models else platform.machine()}), {memory:.0f} GB, {platform.system()}"
        f" {platform.release()}, Python {platform.python_version()}{database},"
        f" load {os.getloadavg()[0]:.1f} before the start"
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
