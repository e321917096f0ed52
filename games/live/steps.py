"""The steps from one version of a match to a later one, for pages that show each."""

from collections.abc import Iterator, Sequence
from itertools import islice

from games.kernel.contract import Seat
from games.kernel.dice import RecordedDice
from games.matches import selectors
from games.matches.models import LogEntry, Match
from games.matches.selectors import NOT_READABLE, MatchSnapshot

MOST = 40
"""The most steps that a page is shown one by one."""


def between(
    old: MatchSnapshot, new: MatchSnapshot, entries: Sequence[LogEntry]
) -> Iterator[MatchSnapshot]:
    """Yield the match after each entry but the last, replayed from the outcomes in the log.

    Clocks and what may be done are those of the ``new`` match. Nothing is yielded for more than
    ``MOST`` entries, and nothing from the first on that can't be replayed, such as a take-back.

    :param entries: those that led from the old match to the new one.
    """
    if len(entries) > MOST:
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
        step.match.version, step.match.status = entry.number, Match.Status.RUNNING
        step.__dict__["state"] = state
        for player in step.players:
            player.to_move = Seat(player.seat) in actors
            player.rank, player.result = None, ""
        yield step
