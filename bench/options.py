"""The command line of the bench. Sections read ``chosen`` when they are imported."""

import argparse
from collections.abc import Mapping, Sequence

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
COMMANDS = {
    "corpus": "store what positions look like, or compare with it (options of its own)",
    "strength": "let bots play each other (options of its own)",
}
"""Commands, not sections: they take arguments of their own and return whether all is well."""

NAMED_ONLY = {
    # It plays on for months, with everything that other sections have left in the database.
    "season": "three tournaments, a ladder and eight clubs, by itself: whether anything stalled",
    "reviews": "chances in reviews, compared with exact ones (an hour)",
    "feel": "towers of Precary-Ice by made-up builders (most of an hour)",
    **COMMANDS,
}


def _listed(sections: Mapping[str, str]) -> str:
    return "\n".join(f"  {name:10}{what}" for name, what in sections.items())


def _words(text: str) -> list[str]:
    return text.split(",")


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


_parser = argparse.ArgumentParser(
    prog="python -m bench",
    description="Measure the site and print a table for each section.\n"
    "DATABASE_URL and REDIS_URL name the servers; `make bench` brings both up.",
    epilog=f"sections:\n{_listed(SECTIONS)}\n\nonly when named:\n{_listed(NAMED_ONLY)}\n\n"
    "example: python -m bench table --games die --pairs 25 --rounds 1",
    formatter_class=argparse.RawDescriptionHelpFormatter,
)
_parser.add_argument(
    "sections",
    nargs="*",
    metavar="section",
    help="what to measure; by default every section but those that run only when named",
)
_add = _parser.add_argument
_add("--games", type=_words, default=[], metavar="A,B", help="games to measure (all)")
_add("--pairs", type=_numbers, metavar="N,N", help="table: pairs of players (1,25,100)")
_add(
    "--rounds",
    type=int,
    help="table: measurements of each figure (3); feel: towers (500); reviews: matches (2)",
)
_add("--seconds", type=float, help="table, hostile: length of a measurement (5, 15)")
_add("--attacks", type=_words, default=[], metavar="A,B", help="hostile: attacks to try (all)")
_add("--sockets", type=int, default=1000, help="sockets: sockets to open (1000)")
_add("--matches", type=int, default=1_000_000, help="lists: matches stored (1,000,000)")
_add("--players", type=int, default=200, help="year: people who play (200)")
_add("--days", type=int, default=365, help="year: its length (365)")

chosen = _parser.parse_args([])
"""The options of this run."""


def parse(arguments: Sequence[str]) -> list[str]:
    """Parse the command line into ``chosen``. Return the names of the sections."""
    _parser.parse_args(arguments, chosen)
    if unknown := set(chosen.sections) - SECTIONS.keys() - NAMED_ONLY.keys():
        _parser.error(f"There is no section {', '.join(unknown)}.")
    return chosen.sections or list(SECTIONS)
