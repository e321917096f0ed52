"""Who plays whom, in which seat. Pure functions of the field and a seed: no database, no clock.

Entrants are numbers. A table is a tuple of entrants in seat order.
"""

from collections.abc import Sequence
from typing import NamedTuple

Table = tuple[int, ...]


class Round(NamedTuple):
    """The tables of a round, the entrants who have a bye, and those who asked for theirs."""

    tables: list[Table]
    byes: list[int]
    asked_for: Sequence[int] = ()
