"""The steps from one version of a match to a later one, for pages that animate each."""

from collections.abc import Iterator, Sequence
from itertools import islice

from games.kernel.contract import Seat
from games.kernel.dice import RecordedDice
from games.matches import selectors
from games.matches.models import LogEntry, Match
from games.matches.selectors import NOT_READABLE, MatchSnapshot

MAX_STEPS = 40
"""Maximum number of steps that a page shows one by one."""


def between(
    old: MatchSnapshot, new: MatchSnapshot, entries: Sequence[LogEntry]
) -> Iterator[MatchSnapshot]:
    """Yield the match after each entry but the last, replayed from the outcomes in the log.

    Clocks and available actions are those of the ``new`` match. Yields nothing for more than
    ``MAX_STEPS`` entries, and stops at the first entry that can't be replayed, such as a take-back.

    :param entries: those that led from the old match to the new one.
    """
    if len(entries) > MAX_STEPS:
        return
    state = old.state
    for entry in islice(entries, len(entries) - 1):
        if entry.undoes:
            return
        try:
            state = selectors.after(old, state, entry, RecordedDice(entry.chance)).state
            actors = old.title.actors(state)
        except NOT_READABLE:
            return
        step = new.copy()
        step.match.version = entry.number
        step.match.status = Match.Status.RUNNING
        step.__dict__["state"] = state
        for player in step.players:
            player.to_move = Seat(player.seat) in actors
            player.rank = None
            player.result = ""
        yield step
