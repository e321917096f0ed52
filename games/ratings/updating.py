"""Computing ratings, one match after the other, in the order of end and id.

The transaction that ends a rated match notes it in the row of the match. One worker at a time holds
the lock of a game (:class:`Progress`). The effect of a match depends only on its rows and those of
earlier matches. If a match turns up late, is annulled or left out, the worker forgets everything
from there on and computes it again, so the ratings are always those that a complete recomputation
would give.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import combinations
from typing import NamedTuple

from django.db import transaction
from django.db.models import Exists, Max, OuterRef, Q, QuerySet, Subquery

from games.matches.models import NO_DEADLINE, FormerPlayer, LogEntry, Match, Player
from games.matches.notify import push
from games.matches.store import read_players
from games.ratings.calculation import Entrant, Strength, known_for, rate
from games.ratings.models import LeftOut, Progress, RatedMatch, Rating, RatingChange

BATCH_SIZE = 200
"""Matches rated in one transaction."""

MAX_BATCHES = 20
"""Batches in one run of the task. The rest waits for the next."""

OVERLAP = timedelta(minutes=10)
"""How far before the last match every run looks again, since matches may commit late.

:func:`look_far_behind` finds even later ones.
"""

NEVER = datetime.min.replace(tzinfo=UTC)

MOST_ANNOUNCED = 20
"""Maximum number of matches of a batch that are announced to open pages."""

WEEK = timedelta(days=7)

MOST_MEETINGS = 5
"""How many matches of a game between the same two players count within seven days."""

DAY = timedelta(days=1)

ENDED_EARLY = ("closed", "resigned", "timeout", "removed")
"""The endings of matches that weren't played to the end."""

VOID = (Match.Status.ANNULLED, Match.Status.CANCELLED)

Reason = RatedMatch.Reason


class Point(NamedTuple):
    """A place in the order of matches."""

    ended: datetime
    match: int

    @property
    def from_here(self) -> Q:
        same = Q(ended=self.ended, match__gte=self.match)
        # The first condition follows from the second, but lets PostgreSQL use an index.
        return Q(ended__gte=self.ended) & (Q(ended__gt=self.ended) | same)


def update(title: str, *, most: int = MAX_BATCHES) -> bool:
    """Rate ended matches in at most ``most`` batches. Return whether there may be more."""
    return all(work_batch(title) == BATCH_SIZE for _ in range(most))


def rebuild(title: str) -> None:
    """Forget all ratings of a game. The next runs compute everything again."""
    with _locked(title) as progress:
        RatingChange.objects.filter(title=title).delete()
        RatedMatch.objects.filter(title=title).delete()
        Rating.objects.filter(title=title).delete()
        progress.ended = progress.match = progress.stale_ended = progress.stale_match = None


@contextmanager
def _locked(title: str) -> Iterator[Progress]:
    """Lock the ratings of a game, and store the progress."""
    Progress.objects.get_or_create(pk=title)
    with transaction.atomic():
        progress = Progress.objects.select_for_update().get(pk=title)
        yield progress
        progress.save()


def leave_out(match: Match, now: datetime) -> bool:
    """Take a match out of the ratings. ``False`` if it is out already.

    The caller starts :func:`update` after the commit.
    """
    with _locked(match.title) as progress:
        _, is_new = LeftOut.objects.get_or_create(match=match, defaults={"at": now})
        if match.ended is not None:
            _mark_stale(progress, Point(match.ended, match.pk))
    return is_new


def _mark_stale(progress: Progress, point: Point) -> None:
    earlier = _stale(progress)
    progress.stale_ended, progress.stale_match = min(point, earlier or point)


def _stale(progress: Progress) -> Point | None:
    if progress.stale_ended is None or progress.stale_match is None:
        return None
    return Point(progress.stale_ended, progress.stale_match)


def work_batch(title: str) -> int:
    """Rate the next matches of a game that have ended. Return how many there were."""
    with _locked(title) as progress:
        _take_out_void(progress)
        _mark_late(progress, _waiting(progress))
        if point := _stale(progress):
            _rewind(progress, point)
        batch = list(_waiting(progress)[:BATCH_SIZE])
        if batch:
            read_players(batch)
            _Batch(title, batch).work()
            progress.ended, progress.match = _point(batch[-1])
            _announce(batch)
    return len(batch)


def _announce(matches: Sequence[Match]) -> None:
    """Update the players' open pages. Not after a rebuild, when nobody waits."""
    for match in matches if len(matches) <= MOST_ANNOUNCED else ():
        users = [player.user_id for player in match.players.all()]
        push.match_changed(match.pk, match.version, users)


def _point(match: Match) -> Point:
    if match.ended is None:
        raise ValueError(f"{match} has not ended.")
    return Point(match.ended, match.pk)


def _missing(title: str) -> QuerySet[Match]:
    """Return the ended rated matches of a game that haven't been processed, in order."""
    done = RatedMatch.objects.filter(match=OuterRef("pk"))
    over = Match.objects.filter(title=title, status=Match.Status.OVER, rated=True)
    return over.filter(~Exists(done)).defer("position").order_by("ended", "pk")


def _waiting(progress: Progress) -> QuerySet[Match]:
    """Return the matches to process next, without those that turned up very late."""
    missing = _missing(progress.title)
    return missing.filter(ended__gte=progress.ended - OVERLAP) if progress.ended else missing


def _take_out_void(progress: Progress) -> None:
    """Mark the first match that was annulled since the last run."""
    void = Match.objects.filter(title=progress.title, status__in=VOID, rated=True)
    if progress.voided:
        void = void.filter(changed__gte=progress.voided - OVERLAP)
    changed = dict(void.values_list("pk", "changed"))
    done = RatedMatch.objects.filter(match__in=changed)
    for ended, pk in done.values_list("ended", "match"):
        _mark_stale(progress, Point(ended, pk))
    progress.voided = max(changed.values(), default=progress.voided)


def look_far_behind(title: str) -> None:
    """Mark the first match that turned up late. It reads every rated match of the game."""
    with _locked(title) as progress:
        _mark_late(progress, _missing(title))


def _mark_late(progress: Progress, missing: QuerySet[Match]) -> None:
    if progress.ended is None or progress.match is None:
        return
    first = missing.first()
    if first is not None and _point(first) < Point(progress.ended, progress.match):
        _mark_stale(progress, _point(first))


def _rewind(progress: Progress, point: Point) -> None:
    """Forget everything computed from a match on."""
    title = progress.title
    changes = RatingChange.objects.filter(point.from_here, title=title)
    users = set(changes.values_list("user", flat=True))
    changes.delete()
    RatedMatch.objects.filter(point.from_here, title=title).delete()
    own = RatingChange.objects.filter(user=OuterRef("user"), title=title)
    last = own.order_by("-ended", "-match").values("pk")[:1]
    ratings = Rating.objects.filter(title=title, user__in=users).annotate(last=Subquery(last))
    kept = RatingChange.objects.in_bulk([one.last for one in ratings if one.last])
    for rating in ratings:
        if rating.last is None:
            rating.delete()
        else:
            _take_over(rating, kept[rating.last])
            rating.save()
    if progress.ended is not None and progress.match is not None:
        last_kept = Point(point.ended, point.match - 1)
        progress.ended, progress.match = min(last_kept, Point(progress.ended, progress.match))
    progress.stale_ended = progress.stale_match = None


def _take_over(rating: Rating, change: RatingChange) -> None:
    """Reset a rating to its value after a match."""
    rating.mu = change.mu
    rating.sigma = change.sigma
    rating.ended = change.ended
    rating.matches = change.matches
    lasts = rating.is_bot and not change.strength.is_provisional
    until = NO_DEADLINE if lasts else change.ended + known_for(change.strength)
    rating.established_until = until


class _Batch:
    """Matches of a game that are rated together, and the rows read for all of them at once."""

    def __init__(self, title: str, matches: Sequence[Match]) -> None:
        self.title = title
        self.matches = matches
        pks = [match.pk for match in matches]
        users = {player.user_id for match in matches for player in match.players.all()}
        ratings = Rating.objects.filter(title=title, user__in=users)
        self.ratings = {rating.user_id: rating for rating in ratings}
        self.left_out = set(LeftOut.objects.filter(match__in=pks).values_list("match", flat=True))
        self.taken_over = set(
            FormerPlayer.objects.filter(match__in=pks).values_list("match", "seat")
        )
        self.last_moves = _last_moves(matches)
        own = RatingChange.objects.filter(title=title, user__in=users)
        late = own.filter(timed_out=True).order_by().values_list("user")
        self.last_timeouts = dict(late.annotate(at=Max("ended")))
        self.last_left = _last_left(own.filter(ended__gte=_point(matches[0]).ended - DAY))
        self.meetings = _meetings(own.filter(ended__gt=_point(matches[0]).ended - WEEK))
        self.done: list[RatedMatch] = []
        self.changes: list[RatingChange] = []

    def work(self) -> None:
        """Rate all matches, and store the results."""
        for match in self.matches:
            self._work(match)
        RatedMatch.objects.bulk_create(self.done)
        RatingChange.objects.bulk_create(self.changes)
        changed = {change.user_id for change in self.changes}
        Rating.objects.bulk_create(
            [self.ratings[user] for user in sorted(changed)],
            update_conflicts=True,
            unique_fields=["user", "title"],
            update_fields=["mu", "sigma", "ended", "matches", "is_bot", "established_until"],
        )

    def _work(self, match: Match) -> None:
        players = list(match.players.all())
        out = {player.seat: why for player in players if (why := self._left_out(match, player))}
        counted = [player for player in players if player.seat not in out]
        reason = self._reason(match, counted) or (
            next(iter(out.values())) if len(counted) < 2 else ""  # noqa: PLR2004 - two to compare
        )
        done = RatedMatch(match=match, title=self.title, ended=_point(match).ended, reason=reason)
        self.done.append(done)
        if not reason:
            self._rate(done, counted)

    def _left_out(self, match: Match, player: Player) -> str:
        """Return why a seat doesn't count. Empty if it does."""
        if (match.pk, player.seat) in self.taken_over:
            return Reason.SUBSTITUTE
        if not player.dropped and match.ending not in ENDED_EARLY:
            return ""
        moved = self.last_moves.get((match.pk, player.seat))
        if moved is None:
            return Reason.UNMOVED
        if player.dropped and not player.is_bot and moved < self._left_before(match, player):
            return Reason.ABSENT
        return ""

    def _left_before(self, match: Match, player: Player) -> datetime:
        """Return when a player last left another match, if this is one of many left at once.

        Matches left within a day are one departure. Timeouts are one for as long as the player is
        away.
        """
        ended = _point(match).ended
        left = self.last_left.get(player.user_id, NEVER)
        timed_out = self.last_timeouts.get(player.user_id, NEVER)
        is_late = player.dropped == Player.Dropped.TIMEOUT
        return max(left if ended - left <= DAY else NEVER, timed_out if is_late else NEVER)

    def _reason(self, match: Match, counted: Sequence[Player]) -> str:
        """Return why a whole match doesn't count. Empty if it does."""
        if match.pk in self.left_out:
            return Reason.MODERATOR
        since = _point(match).ended - WEEK
        for pair in _pairs(counted):
            if sum(ended > since for ended in self.meetings[pair]) >= MOST_MEETINGS:
                return Reason.PAIR
        return ""

    def _rate(self, done: RatedMatch, counted: Sequence[Player]) -> None:
        before = [self._before(player, done.ended) for player in counted]
        places = _places(counted)
        after = rate(
            [
                Entrant(strength, place, is_half=player.with_bots and not player.is_bot)
                for player, strength, place in zip(counted, before, places, strict=True)
            ]
        )
        for player, old, new in zip(counted, before, after, strict=True):
            self._keep(done, player, old, new)
        for pair in _pairs(counted):
            self.meetings[pair].append(done.ended)

    def _before(self, player: Player, ended: datetime) -> Strength:
        rating = self.ratings.get(player.user_id)
        return rating.at(ended) if rating else Strength()

    def _keep(self, done: RatedMatch, player: Player, old: Strength, new: Strength) -> None:
        rating = self.ratings.setdefault(
            player.user_id, Rating(user_id=player.user_id, title=self.title, matches=0)
        )
        rating.is_bot = player.is_bot
        timed_out = player.dropped == Player.Dropped.TIMEOUT
        change = RatingChange(
            match=done,
            user_id=player.user_id,
            seat=player.seat,
            title=self.title,
            ended=done.ended,
            matches=rating.matches + 1,
            mu_before=old.mu,
            sigma_before=old.sigma,
            mu=new.mu,
            sigma=new.sigma,
            timed_out=timed_out,
        )
        _take_over(rating, change)
        self.changes.append(change)
        if timed_out:
            self.last_timeouts[player.user_id] = done.ended
        if player.dropped:
            self.last_left[player.user_id] = done.ended


def _places(players: Sequence[Player]) -> list[int]:
    """Return the places of players. Those who dropped out come after all who stayed."""
    keys = [(bool(player.dropped), player.rank or 0) for player in players]
    return [1 + sum(other < key for other in keys) for key in keys]


def _pairs(players: Sequence[Player]) -> Iterator[tuple[int, int]]:
    return combinations(sorted(player.user_id for player in players), 2)


def _meetings(changes: QuerySet[RatingChange]) -> defaultdict[tuple[int, int], list[datetime]]:
    """Return when each pair of players has met in matches that counted."""
    met: defaultdict[tuple[int, datetime], list[int]] = defaultdict(list)
    for pk, ended, user in changes.values_list("match", "ended", "user"):
        met[pk, ended].append(user)
    meetings: defaultdict[tuple[int, int], list[datetime]] = defaultdict(list)
    for (_, ended), users in met.items():
        for pair in combinations(sorted(users), 2):
            meetings[pair].append(ended)
    return meetings


def _last_left(changes: QuerySet[RatingChange]) -> dict[int, datetime]:
    """Return when each user last left a match that counted, among the matches of these changes."""
    seats = Player.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"))
    left = changes.filter(Exists(seats.exclude(dropped=""))).order_by().values_list("user")
    return dict(left.annotate(at=Max("ended")))


def _last_moves(matches: Sequence[Match]) -> dict[tuple[int, int], datetime]:
    """Return when each seat moved last, in matches that not all players finished.

    Moves that were taken back don't count.
    """
    pks = [
        match.pk
        for match in matches
        if match.ending in ENDED_EARLY or any(player.dropped for player in match.players.all())
    ]
    moves = LogEntry.objects.filter(match__in=pks, kind=LogEntry.Kind.PLAY).order_by()
    undone = LogEntry.objects.filter(match=OuterRef("match"), undoes=OuterRef("number"))
    moves = moves.filter(~Exists(undone))
    last = moves.values_list("match", "seat").annotate(last=Max("at"))
    return {(pk, seat): at for pk, seat, at in last}
