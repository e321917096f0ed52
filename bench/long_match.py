"""Matches of thousands of entries, written in large submissions by the rules themselves.

Nearly every move is taken back and another one tried, so that no match ends early. An unfinished
match is continued. They have no clock, since no time passes within one submission.
"""

import random
from itertools import islice

from django.utils import timezone

from games.matches.models import Checkpoint
from games.matches.update import MatchUpdate

STANDING = 100
"""Approximate number of valid moves at the end of such a match."""

CANDIDATES = 100
"""Number of moves from which one is chosen."""


def lengthen(match_id: int, entries: int) -> None:
    """Continue a match until its log has ``entries`` entries, or one more.

    There is a commit for each checkpoint. A move that would end the match is always taken back.
    """
    rng, version = random.Random(match_id), 0
    while version < entries:
        update = MatchUpdate.load(match_id, timezone.now())
        match, title = update.snapshot.match, update.snapshot.title
        due = match.version - match.version % Checkpoint.EVERY + Checkpoint.EVERY
        while match.version < min(due, entries):
            before = update.state
            seat = title.actors(before)[0]
            moves = list(islice(title.moves(before, seat), CANDIDATES))
            update.play(seat, str(rng.choice(moves)))
            if rng.random() > STANDING / entries or title.result(update.state):
                update.take_back(seat, update.log[-1], before)
        update.commit()
        version = match.version
