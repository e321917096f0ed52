"""``python -m bench``: measure everything, or the sections named, and print a table each."""

import contextlib
import importlib
import sys

from bench import site
from bench.table import print_table

SECTIONS = ("rules", "http", "profile", "push", "pages", "sweep")
BY_THEMSELVES = {"rules", "feel"}
"""Sections that need neither the site nor its servers; ``feel`` is long, and run when named."""


def main(wanted: list[str]) -> None:
    """Run the sections."""
    names = wanted or list(SECTIONS)
    with contextlib.ExitStack() as stack:
        if not BY_THEMSELVES.issuperset(names):
            stack.enter_context(site.prepared())
        for name in names:
            # Not before Django has been set up.
            section = importlib.import_module(f"bench.{name}")
            print_table(section.SECTION, section.rows())


if __name__ == "__main__":
    main(sys.argv[1:])
