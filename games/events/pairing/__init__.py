"""Who plays whom, in which seat. Pure functions of the field and a seed: no database, no clock.

Entrants are numbers. A table is a tuple of entrants in seat order.
"""

from typing import NamedTuple

Table = tuple[int, ...]


class Round(NamedTuple):
    """The tables of a round, and the entrants who have a bye."""

    tables: list[Table]
    byes: list[int]
