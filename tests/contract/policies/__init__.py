"""What the contract tests know of single games, such as how to reach what is rare.

One module a game, all of whose parts may be missing::

    choose(position, seat, texts, chance) -> text     a move of some legal ones, with a purpose
    observe(position, seat, chance) -> outcome        what is observed, made up instead of simulated
    begin(position, chance) -> position               a position to begin with, from a first one
    SAMPLES                                           the matches that are played so
    REACHES                                           how often at least what happens in them
    NOTATION                                          a pattern of names that no player reads
"""

import importlib
from types import ModuleType


def policy_of(slug: str) -> ModuleType | None:
    """Return the module of a game; ``None`` if it has none."""
    name = f"{__name__}.{slug.replace('-', '_')}"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
