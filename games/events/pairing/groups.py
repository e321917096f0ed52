"""Groups: parallel round robins, from which the best advance to finals."""

from collections.abc import Sequence

from games.events.pairing import Round
from games.events.pairing.round_robin import round_robin

SIZE = 4
"""The usual size of a group; some have one more or one fewer."""

ADVANCING = 2
"""How many of a group advance."""


def groups(field: Sequence[int]) -> list[list[int]]:
    """Divide a field into at least two groups of about equal strength.

    ``field`` has the strongest first. It is dealt alternately forwards and backwards.
    """
    count = max(2, round(len(field) / SIZE))
    made: list[list[int]] = [[] for _ in range(count)]
    for at, entrant in enumerate(field):
        lap, place = divmod(at, count)
        made[place if lap % 2 == 0 else count - 1 - place].append(entrant)
    return made


def group_stage(field: Sequence[int], seed: str) -> list[Round]:
    return [
        made
        for number, group in enumerate(groups(field))
        for made in round_robin(group, f"{seed}/{number}")
    ]
