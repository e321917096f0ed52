"""Golden matches: played once, their positions checked by hand, replayed in every test run.

A playthrough is a JSON file (docs/adding-a-game.md shows one)::

    {"about": "…", "seats": 2, "params": {…}, "chance": [],
     "steps": [{"seat": 0, "move": "c3", "chance": [], "position": {…}}, {"seat": 1, "drop": true},
               {"close": true}],
     "position": {…}, "ending": "dropped", "result": [1, 2]}

``chance`` (of the setup, of a move) and a step's ``position`` may be left out.
"""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from games.kernel.contract import AnyGame, Ended, Position, Seat
from games.kernel.errors import GameError
from games.kernel.params import for_match
from games.kernel.replay import Moment, PlainEntry, replay
from games.kernel.views import Json


@dataclass(frozen=True)
class Playthrough:
    """A golden match: how it was played, and the expected outcome.

    ``positions`` holds those that were checked by hand, by the number of the step before.
    """

    about: str
    seats: int
    params: Mapping[str, Json]
    chance: tuple[Json, ...]
    steps: tuple[PlainEntry, ...]
    positions: Mapping[int, Position]
    position: Position
    ending: str
    result: tuple[int, ...]

    @classmethod
    def read(cls, file: Path) -> "Playthrough":
        """Read a file.

        :raises KeyError: something that every playthrough has is missing.
        :raises ValueError: the file isn't JSON.
        """
        data = json.loads(file.read_text(encoding="utf-8"))
        steps = data["steps"]
        checked = {n: step["position"] for n, step in enumerate(steps, 1) if "position" in step}
        return cls(
            about=data["about"],
            seats=data["seats"],
            params=data["params"],
            chance=tuple(data.get("chance", ())),
            steps=tuple(map(step_of, steps)),
            positions=checked,
            position=data["position"],
            ending=data["ending"],
            result=tuple(data["result"]),
        )


def playthroughs(folder: Path) -> dict[str, Playthrough]:
    """Return the playthroughs in a game's folder, by file name."""
    files = sorted((folder / "playthroughs").glob("*.json"))
    return {file.stem: Playthrough.read(file) for file in files}


def play(title: AnyGame, golden: Playthrough) -> list[Moment]:
    """Return the match after its setup and after every step.

    :raises GameError: today's rules refuse it.
    """
    params = for_match(title, golden.seats, golden.params)
    return list(replay(title, golden.seats, params, golden.chance, golden.steps))


def differences(title: AnyGame, golden: Playthrough) -> Iterator[str]:
    """Yield in words whatever differs today. Empty if all is as it was."""
    try:
        moments = play(title, golden)
    except GameError as error:
        yield f"the match is refused: {error}"
        return
    for number, wanted in golden.positions.items():
        yield from _compare(f"position {number}", title.dump(moments[number].state), wanted)
    last = moments[-1]
    yield from _compare("the last position", title.dump(last.state), golden.position)
    yield from _compare("the result", title.result(last.state), golden.result)
    endings = [event.ending for event in last.events if isinstance(event, Ended)]
    yield from _compare("the ending", endings, [golden.ending])


def _compare(what: str, actual: Json, wanted: Json) -> Iterator[str]:
    if actual != wanted:
        yield f"{what} is {actual}, not {wanted}"


def step_of(data: Mapping[str, Json]) -> PlainEntry:
    """Read a step of a match from JSON."""
    if data.get("close"):
        return PlainEntry("close")
    chance = tuple(data.get("chance", ()))
    if data.get("drop"):
        return PlainEntry("drop", Seat(data["seat"]), chance=chance)
    return PlainEntry("play", Seat(data["seat"]), data["move"], chance)
