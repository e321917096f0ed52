"""Giving achievements after matches, and taking them back.

Those of a game follow from the record of one match, which is replayed once. Those of the site
follow from a player's matches in the order in which they ended. Both are functions of stored facts,
so examining a match again changes nothing, and :func:`rebuild` gives the same.
"""

import logging
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import Count, F, QuerySet

from accounts.models import User
from games.achievements import notifications, site
from games.achievements.models import AchievementCount, Award, ExaminedMatch
from games.achievements.site import SITE, Opponent, Played
from games.kernel.achievements import earned, record_of
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.errors import Unreadable
from games.matches.models import LogEntry, Match, Player
from games.matches.notify import push
from games.matches.selectors import MatchSnapshot
from games.ratings import examining
from games.ratings.examining import MAX_ENTRIES, log_of, still_counts

log = logging.getLogger(__name__)

MAX_MATCHES = 5_000
"""Maximum number of a player's matches, the first ones, that count for those of the site."""

BATCH_SIZE = 200
"""Matches whose opponents are read together."""

FRESH = timedelta(days=1)
"""Nobody is notified of achievements in matches that ended longer ago."""


class Key(NamedTuple):
    """An achievement of a player: of a game, or of the site."""

    user: int
    title: str
    key: str


Wanted = Mapping[Key, tuple[int, datetime]]
"""Awards with the match in which each was earned and its end."""


def examine(match_id: int, *, now: datetime, quietly: bool = False) -> None:
    """Give the achievements of a rated match that has ended, or take them back if it is void.

    With ``quietly`` nobody is notified.
    """
    snapshot = selectors.snapshot(match_id)
    match = snapshot.match
    counts = _counts(snapshot)
    wanted = _of_game(snapshot) if counts else {}
    with transaction.atomic():
        row = _locked(match_id, now)
        # What a moderator has decided meanwhile. If they decide later, they wait for the lock.
        if counts and not still_counts(match_id):
            counts, wanted = False, {}
        has_changed = row.counts != counts
        row.counts, row.at = counts, now
        row.save()
        users = _lock_users(player.user_id for player in snapshot.players)
        held = Award.objects.filter(match=match_id).exclude(title=SITE)
        changes = _Changes(users)
        changes.replace(held, wanted)
        if counts or has_changed:
            for user in users:
                changes.replace(*_of_site(user))
        gained = changes.settle()
        if not quietly and match.ended and now - match.ended < FRESH:
            _notify(match_id, gained, now)
    if wanted or gained:
        push.match_changed(match_id, match.version, users)


def _counts(snapshot: MatchSnapshot) -> bool:
    """Whether a match gives achievements: one between people, in which all have moved."""
    match, players = snapshot.match, snapshot.players
    if match.status != Match.Status.OVER or not match.rated:
        return False
    if any(player.is_bot or player.with_bots for player in players):
        return False
    moves = LogEntry.objects.filter(match=match, kind=LogEntry.Kind.PLAY).order_by()
    moved = set(moves.values_list("seat", flat=True).distinct())
    return moved >= {player.seat for player in players}


def _of_game(snapshot: MatchSnapshot) -> Wanted:
    """Replay a match and return its awards. None to who left it, or took over from somebody."""
    match = snapshot.match
    if match.version > MAX_ENTRIES or match.ended is None:
        return {}
    try:
        if not snapshot.title.achievements:
            return {}
        entries = log_of(match)
        moments = snapshot.table.replayed(entries)
        ranks = [player.rank or 0 for player in snapshot.players]
        record = record_of(len(ranks), snapshot.params, entries, moments, ranks)
        by_seat = earned(snapshot.title, record)
    except (GameError, Unreadable):
        log.exception("Match %s gives no achievements: it does not replay", match.pk)
        return {}
    replaced = {former.seat for former in snapshot.former_players}
    return {
        Key(player.user_id, match.title, key): (match.pk, match.ended)
        for player in snapshot.players
        if not player.dropped and player.seat not in replaced
        for key in by_seat.get(Seat(player.seat), ())
    }


def _locked(match_id: int, now: datetime) -> ExaminedMatch:
    ExaminedMatch.objects.get_or_create(match_id=match_id, defaults={"at": now})
    return ExaminedMatch.objects.select_for_update().get(pk=match_id)


def _lock_users(user_ids: Iterable[int]) -> list[int]:
    """Lock the rows of users against another examination, and return their ids in order."""
    users = User.objects.filter(pk__in=set(user_ids)).order_by("pk")
    return list(users.select_for_update(no_key=True).values_list("pk", flat=True))


# --- The site's -----------------------------------------------------------------------------------


def _of_site(user_id: int) -> tuple[QuerySet[Award], Wanted]:
    """Return the awards of the site that a player has, and those that the player should have."""
    held = Award.objects.filter(user=user_id, title=SITE)
    found = site.earned(matches_of(user_id))
    return held, {Key(user_id, SITE, key): (one.match, one.ended) for key, one in found.items()}


def matches_of(user_id: int) -> Iterator[Played]:
    """Yield a player's first matches that count, in the order in which they ended."""
    seats = Player.objects.filter(
        user=user_id, since=0, ended__isnull=False, match__examined__counts=True
    ).order_by("ended", "match")
    names = ("match", "title", "ended", "result", "dropped", "rating", "rating_is_provisional")
    rows = list(seats.values_list(*names, "match__created", "match__version")[:MAX_MATCHES])
    others = _opponents(user_id, [row[0] for row in rows])
    for match, title, ended, result, dropped, rating, provisional, created, version in rows:
        own = None if provisional else rating
        yield Played(
            match, title, created, ended, version, result, not dropped, own, tuple(others[match])
        )


def _opponents(user_id: int, matches: Sequence[int]) -> defaultdict[int, list[Opponent]]:
    found: defaultdict[int, list[Opponent]] = defaultdict(list)
    for start in range(0, len(matches), BATCH_SIZE):
        some = matches[start : start + BATCH_SIZE]
        seats = Player.objects.filter(match__in=some).exclude(user=user_id).order_by("seat")
        columns = ("match", "user", "rating", "rating_is_provisional")
        for match, user, rating, provisional in seats.values_list(*columns):
            found[match].append(Opponent(user, None if provisional else rating))
    return found


# --- Awards and counts ----------------------------------------------------------------------------


class _Changes:
    """Changes of the awards of users whose rows are locked."""

    def __init__(self, users: Collection[int]) -> None:
        held = Award.objects.filter(user__in=users, is_first=True)
        self._before = {Key(*row) for row in held.values_list(*Key._fields)}
        self._touched: set[Key] = set()

    def replace(self, held: QuerySet[Award], wanted: Wanted) -> None:
        """Replace some awards by others. Those that are right stay as they are."""
        kept: set[Key] = set()
        for award in held:
            key = Key(award.user_id, award.title, award.key)
            if wanted.get(key) == (award.match_id, award.at):
                kept.add(key)
            else:
                award.delete()
                self._touched.add(key)
        missing = {key: proof for key, proof in wanted.items() if key not in kept}
        Award.objects.bulk_create(
            Award(user_id=key.user, title=key.title, key=key.key, match_id=match, at=at)
            for key, (match, at) in missing.items()
        )
        self._touched.update(missing)

    def settle(self) -> list[Key]:
        """Mark first awards, count players, and return what players didn't have before."""
        gained = []
        # Always in the same order, so that no two transactions wait for each other.
        for one in sorted(self._touched, key=lambda key: (key.title, key.key, key.user)):
            has, had = _mark_first(one), one in self._before
            if has != had:
                _add_players(one.title, one.key, int(has) - int(had))
            if has and not had:
                gained.append(one)
        return gained


def _mark_first(one: Key) -> bool:
    """Mark the award whose match ended first. ``False`` if none is left."""
    awards = Award.objects.filter(user=one.user, title=one.title, key=one.key)
    first = awards.order_by("at", "match").first()
    if first is None:
        return False
    if not first.is_first:
        awards.filter(is_first=True).update(is_first=False)
        Award.objects.filter(pk=first.pk).update(is_first=True)
    return True


def _add_players(title: str, key: str, number: int) -> None:
    AchievementCount.objects.get_or_create(title=title, key=key)
    AchievementCount.objects.filter(title=title, key=key).update(players=F("players") + number)


def forget(user_id: int) -> None:
    """Take all achievements of a player, in a transaction of its own."""
    with transaction.atomic():
        changes = _Changes(_lock_users([user_id]))
        changes.replace(Award.objects.filter(user=user_id), {})
        changes.settle()


def _notify(match_id: int, gained: Iterable[Key], now: datetime) -> None:
    """Tell each player once what they gained with a match."""
    by_user: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for one in gained:
        by_user[one.user].append((one.title, one.key))
    for user, keys in by_user.items():
        notifications.tell(user, match_id, keys, now)


# --- All matches ----------------------------------------------------------------------------------


def sweep(*, now: datetime, since: datetime | None) -> None:
    """Examine matches that a lost task has left. All without ``since``."""
    examining.sweep(ExaminedMatch, lambda match_id: examine(match_id, now=now), since=since)


def rebuild(titles: Collection[str], *, now: datetime) -> Iterator[int]:
    """Examine all rated matches of games again, and count players. Yield the number done so far.

    Achievements stay while this runs. Nobody is notified.
    """
    over = Match.objects.filter(title__in=titles, rated=True).exclude(status=Match.Status.RUNNING)
    ids = over.order_by("ended", "pk").values_list("pk", flat=True)
    for done, match_id in enumerate(ids.iterator(), 1):
        examine(match_id, now=now, quietly=True)
        yield done
    recount()


def recount() -> None:
    """Count the players of all achievements again."""
    with transaction.atomic():
        list(AchievementCount.objects.select_for_update().order_by("title", "key"))
        counted = Award.objects.filter(is_first=True).values("title", "key").order_by()
        rows = {(row["title"], row["key"]): row["n"] for row in counted.annotate(n=Count("pk"))}
        AchievementCount.objects.exclude(players=0).update(players=0)
        AchievementCount.objects.bulk_create(
            [AchievementCount(title=t, key=k, players=n) for (t, k), n in sorted(rows.items())],
            update_conflicts=True,
            unique_fields=["title", "key"],
            update_fields=["players"],
        )
