"""The steps from one version of a match to a later one, for pages that animate each."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from msgspec import structs

from games.kernel import replay
from games.matches.errors import NOT_READABLE
from games.matches.models import LogEntry
from games.matches.table import RUNNING, Table

MAX_STEPS = 40
"""Maximum number of steps that a page shows one by one."""


def between(old: Table, new: Table, entries: Sequence[LogEntry]) -> Iterator[Table]:
    """Yield the match after each entry except the last, replayed from the outcomes in the log.

    Clocks and available actions are those of the ``new`` match. Yields nothing for more than
    ``MAX_STEPS`` entries, and stops at the first entry that can't be replayed, such as a take-back.

    :param entries: those that led from the old match to the new one.
    """
    if len(entries) > MAX_STEPS:
        return
    moments = replay.follow(old.title, old.state, entries, old.match.version)
    for entry in islice(entries, len(entries) - 1):
        if entry.undoes:
            return
        try:
            state = next(moments).state
            actors = old.title.actors(state)
        except NOT_READABLE:
            return
        match = structs.replace(new.match, version=entry.number, status=RUNNING)
        players = [
            structs.replace(one, match=match, to_move=one.seat in actors, rank=None, result="")
            for one in new.players
        ]
        yield replace(new, match=match, players=players, reached=state)
