"""Positions to think on in games with secrets: what a seat sees, and assumptions for the rest.

They are made from an observation of the seat alone. Nothing here reads the match.
"""

import random
from collections.abc import Mapping, Sequence

from games.kernel import registry
from games.kernel.contract import Observation
from games.study.tree import Start

Chosen = Mapping[str, Sequence[str]]
"""A player's own assumptions: values by the key of hidden information."""


def start(seen: Observation, chosen: Chosen, seed: str, entry: int) -> Start:
    """Return the start of lines from what a seat has seen after an entry.

    Information that isn't ``chosen`` is drawn by the seed.

    :raises GameError: the chosen values are impossible.
    """
    title = registry.get(seen.title, seen.rules_version)
    assumed = title.assume(seen, {key: texts for key, texts in chosen.items() if texts})
    chance = random.Random(seed)  # noqa: S311 - nobody plays with these cards
    state = next(title.determinize(assumed, chance))
    labels = tuple(one.label for one in title.unseen(seen))
    return Start(position=title.dump(state), assumed=labels, entry=entry)
