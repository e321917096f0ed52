"""What a hand taps on the board of Dice Is Health for a movement, where the page has its script.

Of several steps in a row of the fan or of one piece, one tap makes as many as the page allows: all
turns that are left, or the best way to a space. Where no other piece can get there, it need not be
chosen first.
"""

from collections.abc import Mapping, Sequence
from functools import reduce
from itertools import takewhile
from typing import Any

from games.titles.dice_is_health.movement import Stage, shortest_paths
from games.titles.dice_is_health.moves import STEPS, Step, Turn, Walk


def is_movement(text: str) -> bool:
    """Whether a text is that of a movement."""
    return all(word in STEPS for word in text.split())


def next_tap(data: Mapping[str, Any], entered: str, wanted: str, selected: str) -> str:
    """Return the mark to tap next, once some of a wanted movement has been entered.

    ``data`` is what the page says of where the movement begins, ``selected`` the mark of the piece
    that it shows as chosen; empty without one.
    """
    done, steps = _steps(entered), _steps(wanted)
    stage = reduce(Stage.after, done, _begin(data))
    first, *others = steps[len(done) :]
    if isinstance(first, Turn):
        sign = str(first)[-1]
        turns = 1 + sum(1 for _ in takewhile(first.__eq__, others))
        return f"fan{sign * 2}" if turns == stage.left[1] > 1 else f"fan{sign}"
    piece = f"monster-{first.monster}" if first.monster else f"player-{data['turn']}"
    target = _farthest(stage, first, others)
    able = [number for number in stage.movable if target in shortest_paths(stage, number)]
    return target if selected == piece or able == [first.monster] else piece


def _begin(data: Mapping[str, Any]) -> Stage:
    pieces = tuple((at, None) for at in data["at"])
    to_player, to_monsters = map(frozenset, data["closed"])
    return Stage(data["fan"], pieces, tuple(data["roll"]), 0, (to_player, to_monsters))


def _steps(text: str) -> Sequence[Step]:
    """Return the steps of a text, without a piece at its end that is chosen and has not moved."""
    return [STEPS[word] for word in text.split() if word in STEPS]


def _farthest(stage: Stage, first: Walk, others: Sequence[Step]) -> str:
    """Return the last of the spaces to which the best way is the one wanted."""
    way = [first.to]
    for step in others:
        if not isinstance(step, Walk) or step.monster != first.monster:
            break
        way.append(step.to)
    found = shortest_paths(stage, first.monster)
    lengths = range(len(way), 1, -1)
    whole = (way[n - 1] for n in lengths if found.get(way[n - 1]) == tuple(way[:n]))
    return next(whole, first.to)
