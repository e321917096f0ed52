"""Achievements: what players did in an ended match that is worth telling.

A game declares them (:attr:`~games.kernel.contract.Game.achievements`). They are functions of the
record alone, so that everybody can check them, and working them out again changes nothing.

``achievements.json`` in the game's package has a worked example of each: matches, written like
golden ones (:mod:`games.kernel.playthrough`), with what every seat earns. They may begin with a
``position``::

    [{"seats": 2, "params": {…}, "chance": [], "steps": [{"seat": 0, "move": "c3"}, …],
      "earned": [["corner"], []]}, …]
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from games.kernel.contract import AnyGame, Ended, Params, Record, RecordStep, Seat
from games.kernel.params import for_match
from games.kernel.playthrough import step_of
from games.kernel.replay import ACTIONS, Entry, Moment, follow, replay

FILE = "achievements.json"


def won(condition: Callable[[Any], bool]) -> Callable[[Any], bool]:
    """Return a condition of feats that also requires to have ``won``."""
    return lambda feats: feats.won and condition(feats)


def record_of(
    seats: int,
    params: Params,
    entries: Sequence[Entry],
    moments: Sequence[Moment],
    ranks: Sequence[int],
) -> Record:
    """Return the record of an ended match from its replay, ``moments`` after setup and entries."""
    steps = tuple(_steps(entries, moments))
    endings = (event.ending for step in steps for event in step.events if isinstance(event, Ended))
    return Record(seats, params, moments[0].state, steps, tuple(ranks), next(endings, ""))


def _steps(entries: Sequence[Entry], moments: Sequence[Moment]) -> Iterator[RecordStep]:
    undone = {entry.undoes for entry in entries if entry.undoes}
    before = moments[0].state
    for number, (entry, moment) in enumerate(zip(entries, moments[1:], strict=True), 1):
        if entry.kind in ACTIONS and number not in undone:
            seat = None if entry.seat is None else Seat(entry.seat)
            yield RecordStep(seat, before, moment.state, moment.events)
            before = moment.state


def earned(title: AnyGame, record: Record) -> Mapping[Seat, Sequence[str]]:
    """Return the keys of what each seat achieved in a match."""
    if not title.achievements:
        return {}
    return {
        Seat(seat): [one.key for one in title.achievements if one.earned(feats)]
        for seat, feats in enumerate(title.feats_of(record))
    }


def examples(title: AnyGame, folder: Path) -> Iterator[tuple[Record, Sequence[Sequence[str]]]]:
    """Yield the worked examples of a game: records, each with the keys that every seat earns.

    :raises GameError: today's rules refuse one.
    """
    file = folder / FILE
    for data in json.loads(file.read_bytes()) if file.exists() else ():
        seats, entries = data["seats"], [step_of(step) for step in data["steps"]]
        params = for_match(title, seats, data["params"])
        if "position" in data:
            first = title.load(data["position"], seats, params)
            moments = [Moment(first), *follow(title, first, entries)]
        else:
            moments = list(replay(title, seats, params, data.get("chance", ()), entries))
        ranks = title.result(moments[-1].state) or ()
        yield record_of(seats, params, entries, moments, ranks), data["earned"]


def faults(title: AnyGame, folder: Path) -> Iterator[str]:
    """Yield in words what is wrong with the achievements of a game or their examples."""
    shown: set[str] = set()
    for number, (record, wanted) in enumerate(examples(title, folder), 1):
        found = [list(keys) for keys in earned(title, record).values()]
        shown.update(key for keys in found for key in keys)
        if found != wanted:
            yield f"{FILE}, match {number}: the seats earn {found}, not {wanted}"
    keys = [one.key for one in title.achievements]
    if len(set(keys)) < len(keys):
        yield "two achievements have the same key"
    for key in keys:
        if key not in shown:
            yield f"no match in {FILE} shows the achievement {key}"
