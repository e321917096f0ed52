"""Counting ended matches: each once, in batches.

Writers of counts hold the lock of the one row of :class:`Progress`. The contribution of a match is
stored (:class:`MatchCounts`), so that a match which loses its result is subtracted again, and a
player whose seats became another's is counted again without its logs.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

from django.db import models, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.models import User
from games.matches.models import Match, Player
from games.matches.store import read_players
from games.statistics.facts import Facts, company_of, facts_of, moves_of
from games.statistics.models import (
    GameCount,
    Kind,
    MatchCounts,
    OpeningCount,
    PairCount,
    PlayerCount,
    Progress,
    Stale,
    Streak,
    Variant,
)

BATCH_SIZE = 200
"""Matches counted in one transaction."""

MAX_BATCHES = 10
"""Batches in one run of the task. The rest waits for the next."""

OVERLAP = timedelta(minutes=10)
"""How far back to recount: matches may commit late."""


def update(*, now: datetime, most: int = MAX_BATCHES) -> bool:
    """Count ended matches in at most ``most`` batches. Return whether there may be more."""
    take_out(now=now)
    for _ in range(most):
        if count_batch(now=now) < BATCH_SIZE:
            return recount_stale() == BATCH_SIZE
    return True


def rebuild() -> None:
    """Forget all counts. The next runs count everything again."""
    with _progress() as progress:
        for model in (GameCount, OpeningCount, PlayerCount, PairCount, Streak, Stale):
            model._default_manager.all().delete()
        progress.run += 1
        progress.ended = progress.voided = progress.counted_at = None


@contextmanager
def _progress() -> Iterator[Progress]:
    """Lock the counts, and store the progress."""
    Progress.objects.get_or_create(pk=Progress.THE_ONE)
    with transaction.atomic():
        progress = Progress.objects.select_for_update().get(pk=Progress.THE_ONE)
        yield progress
        progress.save()


def count_batch(*, now: datetime) -> int:
    """Count the next ended matches, and return how many there were.

    The logs are read before anything is locked.
    """
    progress = Progress.objects.filter(pk=Progress.THE_ONE).first() or Progress()
    batch = list(_uncounted(progress)[:BATCH_SIZE])
    read_players(batch)
    moves = moves_of(batch)
    facts = {m.pk: facts_of(m, list(m.players.all()), moves.get(m.pk, ())) for m in batch}
    with _progress() as progress:
        earlier = MatchCounts.objects.filter(match__in=batch)
        known = {counts.match_id: counts for counts in earlier}
        fresh = [m for m in batch if m.pk not in known or known[m.pk].run < progress.run]
        _add(fresh, _keep(fresh, facts, known, progress.run), facts)
        if batch:
            progress.ended = max(match.ended for match in batch if match.ended)
        progress.counted_at = now
    return len(batch)


def _uncounted(progress: Progress) -> QuerySet[Match]:
    """Return the matches that have ended with a result and aren't counted, in order."""
    counted = MatchCounts.objects.filter(match=OuterRef("pk"), run=progress.run)
    uncounted = Match.objects.filter(~Exists(counted), status=Match.Status.OVER)
    if progress.ended:
        uncounted = uncounted.filter(ended__gte=progress.ended - OVERLAP)
    return uncounted.defer("position").order_by("ended", "pk")


def _keep(
    matches: Sequence[Match],
    facts: Mapping[int, Facts],
    known: Mapping[int, MatchCounts],
    run: int,
) -> list[MatchCounts]:
    """Store the contributions of matches. The kind of opponents stays as stored in ``known``."""
    rows = [
        MatchCounts(
            match=match,
            run=run,
            company=known[match.pk].company if match.pk in known else company_of(match),
            counts=facts[match.pk].dump(),
        )
        for match in matches
    ]
    MatchCounts.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["match"], update_fields=["run", "counts"]
    )
    return rows


def _add(matches: Sequence[Match], rows: Sequence[MatchCounts], facts: Mapping[int, Facts]) -> None:
    """Add contributions of matches to the numbers of games and players."""
    _add_games(matches, rows, facts, 1)
    tally = Tally()
    for match, row in zip(matches, rows, strict=True):
        users = {player.seat: player.user_id for player in match.players.all()}
        tally.add(match.title, row.company, facts[match.pk], users, only=_active(match))
    tally.write()


def _add_games(
    matches: Sequence[Match], rows: Sequence[MatchCounts], facts: Mapping[int, Facts], sign: int
) -> None:
    games: Counter[tuple[Any, ...]] = Counter()
    opened: Counter[tuple[Any, ...]] = Counter()
    variants: dict[str, Match] = {}
    for match, row in zip(matches, rows, strict=True):
        for (kind, key), number in facts[match.pk].game.items():
            games[match.title, row.company, kind, key] += sign * number
            if kind == Kind.VARIANT:
                variants[key] = match
                marks = facts[match.pk].marks
                opened.update({(key, row.company, mark): sign for mark in marks})
    known = _variants(variants)
    _raise(GameCount, ("title", "company", "kind", "key"), _numbers(games))
    openings = {(known[digest], *rest): number for (digest, *rest), number in opened.items()}
    _raise(OpeningCount, ("variant_id", "company", "mark"), _numbers(openings))


def _variants(wanted: Mapping[str, Match]) -> Mapping[str, int]:
    """Return the ids of variants by digest. Each is given as a match that has it."""
    Variant.objects.bulk_create(
        [
            Variant(digest=key, title=m.title, seats=len(m.players.all()), params=m.params)
            for key, m in wanted.items()
        ],
        ignore_conflicts=True,
    )
    return dict(Variant.objects.filter(digest__in=wanted).values_list("digest", "pk"))


class Tally:
    """The contributions of matches to the numbers of players."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[Any, ...]] = Counter()
        self.pairs: defaultdict[tuple[Any, ...], Counter[str]] = defaultdict(Counter)
        self.results: defaultdict[tuple[int, str], list[str]] = defaultdict(list)

    def add(
        self,
        title: str,
        company: str,
        facts: Facts,
        users: Mapping[int, int],
        *,
        only: Collection[int],
    ) -> None:
        """Add a match to ``only`` these players. ``users`` are the ids of all by seat."""
        counted = {seat: user for seat, user in users.items() if user in only}
        for seat, user in counted.items():
            for (kind, key), number in facts.seats[seat].items():
                self.counts[user, title, company, kind, key] += number
                if kind == Kind.RESULT:
                    self.results[user, company].append(key)
        for seat, other, result in facts.against:
            if seat in counted:
                self.pairs[counted[seat], users[other], title, company][result] += 1

    def write(self) -> None:
        _raise(PlayerCount, ("user_id", "title", "company", "kind", "key"), _numbers(self.counts))
        names = ("user_id", "opponent_id", "title", "company")
        _raise(PairCount, names, self.pairs, Player.Result.values)
        self._write_streaks()

    def _write_streaks(self) -> None:
        stored = Streak.objects.filter(user__in={user for user, _ in self.results})
        known = {(streak.user_id, streak.company): streak for streak in stored}
        for key, results in self.results.items():
            user, company = key
            streak = known.setdefault(key, Streak(user_id=user, company=company))
            for result in results:
                streak.add(result)
        _upsert(Streak, ("user_id", "company"), ("result", "length", "longest"), known.values())


def _active(match: Match) -> set[int]:
    """Return the players of a match who have numbers: all except deleted accounts."""
    return {player.user_id for player in match.players.all() if player.user.is_active}


def _numbers(counts: Mapping[tuple[Any, ...], int]) -> dict[tuple[Any, ...], dict[str, int]]:
    """Return counts as increments of the field ``number``."""
    return {key: {"number": number} for key, number in counts.items()}


def _raise(
    model: type[models.Model],
    names: Sequence[str],
    more: Mapping[tuple[Any, ...], Mapping[str, int]],
    fields: Sequence[str] = ("number",),
) -> None:
    """Increment fields of the rows with these keys, and create missing rows."""
    if not more:
        return
    columns = zip(names, zip(*more, strict=True), strict=True)
    existing = model._default_manager.filter(
        **{f"{name}__in": set(column) for name, column in columns}
    )
    size = len(names)
    known = {row[:size]: row[size:] for row in existing.values_list(*names, *fields)}
    rows = []
    for key, added in more.items():
        before = known.get(key, [0] * len(fields))
        raised = {name: had + added.get(name, 0) for name, had in zip(fields, before, strict=True)}
        rows.append(model(**dict(zip(names, key, strict=True)), **raised))
    _upsert(model, names, fields, rows)


def _upsert(
    model: type[models.Model],
    names: Sequence[str],
    fields: Sequence[str],
    rows: Iterable[models.Model],
) -> None:
    """Write fields of rows, which may exist already. ``bulk_update`` takes much longer."""
    model._default_manager.bulk_create(
        rows, batch_size=500, update_conflicts=True, unique_fields=names, update_fields=fields
    )


def take_out(*, now: datetime) -> None:
    """Subtract matches that have lost their result since they were counted."""
    with _progress() as progress:
        void = Q(match__status__in=(Match.Status.ANNULLED, Match.Status.CANCELLED))
        since = Q(match__changed__gte=progress.voided - OVERLAP) if progress.voided else Q()
        kept = MatchCounts.objects.filter(void, since, run=progress.run)
        rows = list(kept.select_related("match").order_by("match__changed")[:BATCH_SIZE])
        matches = [row.match for row in rows]
        read_players(matches)
        _add_games(matches, rows, {row.match_id: Facts.load(row.counts) for row in rows}, -1)
        _mark(player.user_id for match in matches for player in match.players.all())
        kept.filter(pk__in=[row.pk for row in rows]).delete()
        progress.voided = max([match.changed for match in matches], default=progress.voided or now)


def _mark(user_ids: Iterable[int]) -> None:
    """Have players counted again."""
    marked = [Stale(user_id=pk) for pk in sorted(set(user_ids))]
    Stale.objects.bulk_create(marked, ignore_conflicts=True)


def mark_merged(guest: User, user: User) -> None:
    """Mark an account that takes over from a guest for a recount, with the opponents of both.

    The guest isn't marked: the row is about to be deleted, perhaps by another request right now.
    """
    forget(guest.pk)
    matches = Player.objects.filter(user__in=[guest, user]).values("match")
    met = Player.objects.filter(match__in=matches).values_list("user", flat=True).distinct()
    _mark({user.pk, *met} - {guest.pk})


def recount_stale() -> int:
    """Recount the next marked players, and return how many there were."""
    user_ids = list(Stale.objects.order_by("pk").values_list("user", flat=True)[:BATCH_SIZE])
    for user_id in user_ids:
        with _progress() as progress:
            if Stale.objects.filter(user=user_id).delete()[0]:
                _recount(user_id, progress.run)
    return len(user_ids)


def forget(user_id: int) -> None:
    """Delete the numbers of a player. Those of others against that player stay."""
    for model in (PlayerCount, PairCount, Streak):
        model._default_manager.filter(user=user_id).delete()


def _recount(user_id: int, run: int) -> None:
    forget(user_id)
    if not User.objects.filter(pk=user_id, is_active=True).exists():
        return
    tally = Tally()
    kept = MatchCounts.objects.filter(match__players__user=user_id, run=run)
    rows = kept.select_related("match").order_by("match__ended", "match")
    for row in rows.prefetch_related("match__players").iterator(chunk_size=BATCH_SIZE):
        users = {player.seat: player.user_id for player in row.match.players.all()}
        tally.add(row.match.title, row.company, Facts.load(row.counts), users, only=(user_id,))
    tally.write()
