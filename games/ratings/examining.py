"""What achievements and the explorer do alike: examine each rated match once it has ended.

Each keeps a row for every match that it has examined, with ``match`` and ``counts``: whether
something of the match is kept. A task examines a match after its end, and again when it has become
void or was left out of the ratings. Sweeps find what lost tasks have left.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from django.db import models
from django.db.models import Exists, OuterRef, Q

from games.matches.models import LogEntry, Match
from games.ratings.models import LeftOut

log = logging.getLogger(__name__)

MAX_ENTRIES = 3_000
"""Maximum length of a log that is replayed. Nothing is kept of longer matches."""

BATCH_SIZE = 200
"""Maximum number of matches that one sweep examines."""

RECENT = timedelta(days=2)
"""How far back a sweep looks. The daily one looks at all matches."""

VOID = (Match.Status.ANNULLED, Match.Status.CANCELLED)


def still_counts(match_id: int) -> bool:
    """Whether no moderator has annulled the match meanwhile, or left it out of the ratings."""
    over = Match.objects.filter(pk=match_id, status=Match.Status.OVER)
    return over.exists() and not LeftOut.objects.filter(match=match_id).exists()


def log_of(match: Match) -> list[LogEntry]:
    """Return the log of a match with the columns that a replay needs."""
    columns = ("number", "kind", "seat", "text", "chance", "undoes")
    return list(LogEntry.objects.filter(match=match).order_by("number").only(*columns))


def sweep(
    examined: type[models.Model], examine: Callable[[int], None], *, since: datetime | None
) -> None:
    """Examine matches that a lost task has left, or that have become void. All without ``since``.

    One that can't be examined stops no other.

    :param examined: the rows of matches that have been examined.
    """
    for match_id in _waiting(examined, since)[:BATCH_SIZE]:
        try:
            examine(match_id)
        except Exception:
            log.exception("Match %s failed in %s", match_id, examined._meta.app_label)


def _waiting(examined: type[models.Model], since: datetime | None) -> Sequence[int]:
    rows = examined._default_manager
    known = Exists(rows.filter(match=OuterRef("pk")))
    over = Match.objects.filter(~known, status=Match.Status.OVER, rated=True)
    counted = rows.filter(counts=True)
    void = counted.filter(_from("match__changed", since), match__status__in=VOID)
    left_out = LeftOut.objects.filter(_from("at", since)).values("match")
    return [
        *over.filter(_from("ended", since))
        .order_by("ended", "pk")
        .values_list("pk", flat=True)[:BATCH_SIZE],
        *void.values_list("pk", flat=True)[:BATCH_SIZE],
        *counted.filter(match__in=left_out).values_list("pk", flat=True)[:BATCH_SIZE],
    ]


def _from(column: str, since: datetime | None) -> Q:
    return Q() if since is None else Q(**{f"{column}__gte": since})
