"""``python -m bench``: measure everything, or the sections named, and print a table each."""

import contextlib
import importlib
import os
import signal
import sys

from bench import machine, options, site
from bench.rows import print_table

COMMANDS = {
    "corpus": "store what positions look like, or compare with it (options of its own)",
    "strength": "let bots play each other (options of its own)",
}
"""Commands, not sections: they take arguments of their own and return whether all is well."""

SECTIONS = {
    # First: it sweeps every match in the database.
    "year": "a year of play, and whether all clocks, reminders and mails were right",
    "table": "moves shown to the opponent per second, beside a bare consumer",
    "click": "from a click on the board to its preview",
    "sockets": "memory of an idle socket",
    "lists": "lists with very many matches stored",
    "explorer": "the explorer of boards with very many matches stored",
    "hostile": "what others feel while one visitor or member does the dearest things",
}
NAMED_ONLY = {
    # It plays on for months, with everything that other sections have left in the database.
    "season": "three tournaments, a ladder and eight clubs, by itself: whether anything stalled",
    "reviews": "chances in reviews, compared with exact ones (an hour)",
    "feel": "towers of Precary-Ice by made-up builders (most of an hour)",
    **COMMANDS,
}
BY_ITSELF = "feel"
"""This section needs neither the site nor its servers."""


def main(arguments: list[str]) -> int:
    """Run the sections, or a command."""
    # On SIGTERM, leave the contexts, which drop the database.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    if arguments and arguments[0] in COMMANDS:
        command = importlib.import_module(f"bench.{arguments[0]}")
        return int(command.main(arguments[1:]))
    names = options.parse(arguments, SECTIONS, NAMED_ONLY) or list(SECTIONS)
    needs_site = names != [BY_ITSELF]
    with contextlib.ExitStack() as stack:
        if needs_site:
            stack.enter_context(site.prepared())
        print(machine.sentence(os.environ["DATABASE_URL"] if needs_site else None), flush=True)
        for name in names:
            # Not before Django has been set up.
            section = importlib.import_module(f"bench.{name}")
            print_table(section.SECTION, section.rows())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
