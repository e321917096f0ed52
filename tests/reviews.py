"""Reviews in tests: with few simulations, in this process, of golden matches too."""

from itertools import count

import pytest

from games.bots.appraising import appraise
from games.kernel.contract import AnyGame
from games.kernel.params import complete
from games.kernel.playthrough import Playthrough
from games.matches.models import LogEntry
from games.matches.table import OVER, Account, Facts, Participant, Table
from games.study import reviewing, reviews
from games.study.models import Review
from games.study.reviewing import Work

KINDS = {
    "play": LogEntry.Kind.PLAY,
    "drop": LogEntry.Kind.RESIGN,
    "close": LogEntry.Kind.CLOSE,
}


FEWEST = 4
"""Simulations of each position, and twice as many beside a turning point."""


class Thinker:
    """Appraises in this process; it keeps how often it was asked."""

    def __init__(self):
        self.asked = []

    def appraise(self, asked, *, beat):
        self.asked.append(asked)
        return appraise(asked)


@pytest.fixture
def quick(monkeypatch):
    """Review with few simulations, in this process; returns the thinker."""
    thinker = Thinker()
    monkeypatch.setattr(reviews, "own_thinker", lambda: thinker)
    monkeypatch.setattr(reviewing, "EFFORT", 0)
    monkeypatch.setattr(reviewing, "FEWEST", FEWEST)
    monkeypatch.setattr(reviewing, "FEWEST_CLOSER", 2 * FEWEST)
    monkeypatch.setattr(reviewing, "CLOSER", 10**9)
    return thinker


def worked_out(review: Review, now) -> Review:
    """Return a review after all its parts."""
    part = reviews.upcoming()
    while part and part[0] == review.pk:
        part = reviews.work(*part, now=now)
    review.refresh_from_db()
    return review


def work_on(title: AnyGame, golden: Playthrough) -> Work:
    """Return a review of a golden match that has not begun. Nothing is stored."""
    match = Facts(
        title.meta.slug,
        complete(title.meta, golden.params),
        title.meta.rules_version,
        setup_chance=golden.chance,
        status=OVER,
    )
    players = [Participant(match, Account(""), seat) for seat in range(golden.seats)]
    table = Table(match, players)
    numbers = count(1)
    entries = [
        LogEntry(
            number=next(numbers),
            kind=KINDS[step.kind],
            seat=step.seat,
            text=step.text,
            chance=list(step.chance),
        )
        for step in golden.steps
    ]
    for entry, step in zip(entries, table.replayed(entries)[1:], strict=True):
        entry.sides = list(step.sides)
    return Work(table, entries, [], appraise)
