"""The command line of the bench. Sections read ``chosen`` when they are imported."""

import argparse
from collections.abc import Mapping

chosen = argparse.Namespace(
    games=[],
    pairs=None,
    rounds=None,
    seconds=None,
    attacks=[],
    sockets=1000,
    matches=1_000_000,
    players=200,
    days=365,
)
"""The options of this run. These are the defaults."""


def parse(arguments: list[str], sections: Mapping[str, str], apart: Mapping[str, str]) -> list[str]:
    """Parse the command line into ``chosen``. Return the named sections.

    :param sections: what each section measures, by name.
    :param apart: the same for sections that run only when named.
    """
    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description="Measure the site and print a table for each section.\n"
        "DATABASE_URL and REDIS_URL name the servers; `make bench` brings both up.",
        epilog=f"sections:\n{_listed(sections)}\n\nonly when named:\n{_listed(apart)}\n\n"
        "example: python -m bench table --games die --pairs 25 --rounds 1",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    known = {**sections, **apart}

    def section(name: str) -> str:
        if name not in known:
            raise argparse.ArgumentTypeError(f"There is no section {name}.")
        return name

    parser.add_argument(
        "sections",
        nargs="*",
        type=section,
        metavar="section",
        help="what to measure; by default every section but those that run only when named",
    )
    add = parser.add_argument
    add("--games", type=_words, metavar="A,B", help="games to measure (all)")
    add("--pairs", type=_numbers, metavar="N,N", help="table: pairs of players (1,25,100)")
    add(
        "--rounds",
        type=int,
        help="table: measurements of each figure (3); feel: towers (500); reviews: matches (4)",
    )
    add("--seconds", type=float, help="table, hostile: length of a measurement (5, 15)")
    add("--attacks", type=_words, metavar="A,B", help="hostile: attacks to try (all)")
    add("--sockets", type=int, help="sockets: sockets to open (1000)")
    add("--matches", type=int, help="lists: matches stored (1,000,000)")
    add("--players", type=int, help="year: people who play (200)")
    add("--days", type=int, help="year: its length (365)")
    named: list[str] = parser.parse_args(arguments, chosen).sections
    return named


def _listed(sections: Mapping[str, str]) -> str:
    width = max(map(len, sections))
    return "\n".join(f"  {name:{width}}  {what}" for name, what in sections.items())


def _words(text: str) -> list[str]:
    return text.split(",")


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]
