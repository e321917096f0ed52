"""Adding ended matches to the explorer, and taking void ones out.

The positions of a match follow from its record alone. Matches that are running are never read.
Positions that many matches reached are counted as well, so that a page needn't read all of them.
Writers hold the lock of the game.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import transaction
from django.db.models import Count, Exists, F, OuterRef, QuerySet

from games.explorer.models import (
    RATING_STEP,
    ExploredGame,
    ExploredMatch,
    MoveCount,
    ReachedPosition,
)
from games.explorer.periods import periods_of
from games.kernel.canonical import canonical
from games.kernel.errors import GameError
from games.kernel.replay import ACTIONS
from games.matches import selectors
from games.matches.errors import Unreadable
from games.matches.log.log_entries import PLAY, undone
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot
from games.ratings import examining
from games.ratings.examining import MAX_ENTRIES, log_of, still_counts

log = logging.getLogger(__name__)

MAX_POSITIONS = 200
"""Maximum number of positions that a match adds, the first ones."""

COUNTED_FROM = 2_000
"""Positions that this many matches reached are counted. The matches of all others are read, which
takes as long as adding up the counts of the dearest time of a counted one."""


def examine(match_id: int) -> None:
    """Add a rated match that has ended to the explorer, or take it out if it is void."""
    snapshot = selectors.snapshot(match_id)
    match = snapshot.match
    positions = list(_positions(snapshot)) if _counts(snapshot) else []
    with _locked(match.title):
        row, _ = ExploredMatch.objects.get_or_create(match=match)
        if positions and not still_counts(match_id):
            positions = []
        if row.counts == bool(positions):
            return
        held = ReachedPosition.objects.filter(match=match)
        if positions:
            ReachedPosition.objects.bulk_create(positions)
            _count(match.title, held, 1)
        else:
            _count(match.title, held, -1)
            held.delete()
        row.counts = bool(positions)
        row.save()


@contextmanager
def _locked(title: str) -> Iterator[None]:
    ExploredGame.objects.get_or_create(pk=title)
    with transaction.atomic():
        ExploredGame.objects.select_for_update().get(pk=title)
        yield


def _counts(snapshot: MatchSnapshot) -> bool:
    match = snapshot.match
    is_short = match.version <= MAX_ENTRIES
    return match.status == Match.Status.OVER and match.rated and is_short


def _positions(snapshot: MatchSnapshot) -> Iterator[ReachedPosition]:
    """Yield the positions of a match, each once."""
    match, title = snapshot.match, snapshot.title
    seats, params = len(snapshot.players), snapshot.params
    ratings = [player.rating for player in snapshot.players if player.rating is not None]
    mean = sum(ratings) // len(ratings) if ratings else 0
    firsts = sum(1 << player.seat for player in snapshot.players if player.rank == 1)
    seen: set[int] = set()
    try:
        for number, state, move in _steps(snapshot):
            position = canonical(title, seats, params, state)
            if position.key in seen or match.ended is None:
                continue
            seen.add(position.key)
            yield ReachedPosition(
                match=match,
                number=number,
                key=position.key,
                ended=match.ended,
                rating=mean - mean % RATING_STEP,
                firsts=firsts,
                move=position.to_canonical(move),
            )
            if len(seen) == MAX_POSITIONS:
                break
    except (GameError, Unreadable):
        log.exception("Match %s is not in the explorer: it does not replay", match.pk)


def _steps(snapshot: MatchSnapshot) -> Iterator[tuple[int, object, str]]:
    """Yield each position with the number of its entry, and the next move. Empty without one."""
    entries = log_of(snapshot.match)
    gone = undone(entries)
    moments = snapshot.table.replayed(entries)
    number = 0
    kind: str = PLAY
    for entry in entries:
        if entry.kind in ACTIONS and entry.number not in gone:
            kind = entry.kind
            yield number, moments[number].state, entry.text if kind == PLAY else ""
            number = entry.number
    if kind == PLAY:
        yield number, moments[number].state, ""


# --- Counts ---------------------------------------------------------------------------------------


def _count(title: str, positions: QuerySet[ReachedPosition], sign: int) -> None:
    """Add the positions of one match to the counts, or subtract them."""
    counted = Exists(MoveCount.objects.filter(key=OuterRef("key")))
    rows = list(positions.annotate(counted=counted))
    if sign > 0:
        _begin_counting(title, {row.key for row in rows if not row.counted})
    counted_rows = [row for row in rows if row.counted]
    if not counted_rows:
        return
    periods = periods_of(rows[0].ended)
    moves = {(row.key, row.move, period) for row in counted_rows for period in periods}
    terms = {"rating": rows[0].rating, "firsts": rows[0].firsts}
    chosen = {"key__in": {row.key for row in counted_rows}, "period__in": periods}
    held = MoveCount.objects.filter(**chosen, **terms).values_list("key", "move", "period", "pk")
    known = {(key, move, period): pk for key, move, period, pk in held}
    known = {count: pk for count, pk in known.items() if count in moves}
    same = MoveCount.objects.filter(pk__in=known.values())
    same.update(matches=F("matches") + sign)
    if sign > 0:
        MoveCount.objects.bulk_create(
            MoveCount(title=title, key=key, move=move, period=period, matches=1, **terms)
            for key, move, period in moves - known.keys()
        )
    else:
        same.filter(matches=0).delete()


def _begin_counting(title: str, keys: Collection[int]) -> None:
    """Count the positions among these that enough matches have reached by now."""
    reached = ReachedPosition.objects.filter(key__in=keys).order_by()
    often = reached.values("key").annotate(n=Count("*")).filter(n__gte=COUNTED_FROM)
    columns = ("key", "ended", "rating", "firsts", "move")
    rows = reached.filter(key__in=[row["key"] for row in often]).values_list(*columns)
    counts = Counter(
        (key, period, *rest) for key, ended, *rest in rows for period in periods_of(ended)
    )
    names = ("key", "period", "rating", "firsts", "move")
    MoveCount.objects.bulk_create(
        MoveCount(title=title, **dict(zip(names, values, strict=True)), matches=matches)
        for values, matches in counts.items()
    )


# --- All matches ----------------------------------------------------------------------------------


def sweep(*, since: datetime | None) -> None:
    """Read matches that a lost task has left. All without ``since``."""
    examining.sweep(ExploredMatch, examine, since=since)


def rebuild(titles: Collection[str]) -> Iterator[int]:
    """Forget the positions of games and read all their matches again. Yield how many were read."""
    for title in titles:
        with _locked(title):
            MoveCount.objects.filter(title=title).delete()
            ReachedPosition.objects.filter(match__title=title).delete()
            ExploredMatch.objects.filter(match__title=title).delete()
    over = Match.objects.filter(title__in=titles, rated=True, status=Match.Status.OVER)
    ids = over.order_by("ended", "pk").values_list("pk", flat=True)
    for done, match_id in enumerate(ids.iterator(), 1):
        examine(match_id)
        yield done
