"""``python -m bench``: measure everything, or the sections named, and print a table each."""

import contextlib
import importlib
import sys

from bench import site
from bench.rows import print_table

COMMANDS = {"corpus", "strength"}
"""What is no section: it takes arguments of its own, and returns whether all is well."""

SECTIONS = (
    "year",  # first: it sweeps and counts every match in the database
    "rules",
    "table",
    "http",
    "profile",
    "push",
    "spectators",
    "pages",
    "lists",
    "counting",
    "sweep",
    "first",
    "thinking",
)
BY_THEMSELVES = {"rules", "feel"}
"""Sections that need neither the site nor its servers; ``feel`` is long, and run when named."""


def main(wanted: list[str]) -> int:
    """Run the sections, or a command."""
    if wanted and wanted[0] in COMMANDS:
        command = importlib.import_module(f"bench.{wanted[0]}")
        return int(command.main(wanted[1:]))
    names = wanted or list(SECTIONS)
    with contextlib.ExitStack() as stack:
        if not BY_THEMSELVES.issuperset(names):
            stack.enter_context(site.prepared())
        for name in names:
            # Not before Django has been set up.
            section = importlib.import_module(f"bench.{name}")
            print_table(section.SECTION, section.rows())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
