"""How the fan and the pieces came to where they are, place by place and in step with each other."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from games.kernel.contract import Event
from games.kernel.views import Json
from games.titles.dice_is_health.events import (
    MOVED,
    STEPPED,
    WENT_HOME,
    monster_mark,
    player_mark,
)
from games.titles.dice_is_health.spaces import SECTORS

FAN = "fan"
"""The name of the fan as a part that moves."""

Change = tuple[str, str, str]
"""A part that moved, from which place, and to which; a place of the fan is a number."""


def ways(recent: Sequence[Event]) -> Mapping[str, Sequence[str]]:
    """Return by part the places it had during the last move, all ways of one length."""
    changes = [change for event in recent for change in _changes(event)]
    found: dict[str, list[str]] = {}
    for part, start, _ in changes:
        found.setdefault(part, [start])
    for part, _, place in changes:
        for other, way in found.items():
            way.append(place if other == part else way[-1])
    return found


def _changes(event: Event) -> Iterator[Change]:
    if event.type == MOVED:
        yield from _steps(event.seat or 0, event.data)
    elif event.type in (STEPPED, WENT_HOME):
        yield player_mark(event.seat or 0), event.data["from"], event.data["to"]


def _steps(seat: int, data: Mapping[str, Json]) -> Iterator[Change]:
    """Yield what each step of a movement changed, in the order of the steps."""
    places: dict[str, Iterable[str]] = {"F": map(str, data["fan"]), "P": data["path"]}
    places |= {f"M{number}": path for number, path in data["monsters"].items()}
    legs = {letter: pairwise(path) for letter, path in places.items()}
    for step in data["steps"]:
        mover = step.partition(">")[0].rstrip("+-")
        yield (_part(mover, seat), *next(legs[mover]))


def _part(mover: str, seat: int) -> str:
    if mover == "F":
        return FAN
    return player_mark(seat) if mover == "P" else monster_mark(int(mover[1:]))


def unwound(fan: Sequence[int]) -> list[int]:
    """Return places of the fan in a row, counted on beyond the last sector and below the first."""
    found = list(fan[:1])
    for here, there in pairwise(fan):
        by = (there - here) % SECTORS
        found.append(found[-1] + (by - SECTORS if by > SECTORS // 2 else by))
    return found
