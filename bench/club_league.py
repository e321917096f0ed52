"""A league of clubs in a season: each plays a team match against each.

Members pause their matches, go on vacation, leave and are removed. Clubs lose leaders, who are
banned, delete their accounts or close the club.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from datetime import datetime, timedelta
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from accounts import deletion
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from bench.people import TITLE
from games.clubs import candidates
from games.clubs import services as clubs
from games.clubs.models import Club, Membership
from games.events.models import Table, Waiting
from games.kernel.errors import GameError
from games.matches.clock import PRESETS
from games.matches.clocks import vacations
from games.teams import notifications, selectors, services
from games.teams.models import TeamMatch, TeamPlayer

if TYPE_CHECKING:
    from bench.season import Season

DAY = timedelta(days=1)
BOARDS = 2
DUE = 5 * DAY
PLAYING = 12 * DAY
ANSWERS, ACCEPTS = 0.95, 0.95
"""How likely leaders answer within a step, and accept."""

SIGNS_UP, DROPS_OUT, SETS = 0.4, 0.02, 0.3
"""How likely members sign up or drop out, and leaders set a line-up, within a step."""

Status = TeamMatch.Status


def found(season: Season, count: int, size: int) -> None:
    """Found clubs, whose first members lead them. Each challenges those founded after it."""
    for number in range(count):
        members = season.members[number * size : (number + 1) * size]
        terms = clubs.Terms(f"League {NAMES[number]}")
        club = clubs.establish(founder=members[0], terms=terms, now=season.now)
        for user in members[1:]:
            candidates.join(club_id=club.pk, user=user, now=season.now)
        season.clubs.append(club.pk)


NAMES = ("Amber", "Birch", "Copper", "Dune", "Ember", "Fjord", "Garnet", "Heather")


def step(season: Season) -> None:
    """Let leaders and members do what waits for them, and misfortune strike on its day."""
    day, half = divmod(season.now - season.begin, DAY)
    if not half:
        _misfortune(season, day)
    if day == 1 and not half:
        _challenge_all(season)
    for team_match in selectors.listed().filter(selectors.waiting()).order_by("pk"):
        if team_match.status == Status.ASKED:
            _answer(season, team_match)
        else:
            _prepare(season, team_match)


def _leader(club: Club) -> User | None:
    first = club.memberships.filter(led_since__isnull=False).order_by("led_since", "pk")
    row = first.select_related("user").first()
    return row.user if row else None


def _challenge_all(season: Season) -> None:
    for one, other in combinations(Club.objects.filter(pk__in=season.clubs).order_by("pk"), 2):
        leader = _leader(one)
        if leader is None:
            continue
        made = services.challenge(
            club_id=one.pk,
            leader=leader,
            opponent_id=other.pk,
            title=TITLE,
            params={},
            clock=PRESETS["standard"],
            boards=BOARDS,
            due=season.now + DUE,
            ends=season.now + DUE + PLAYING,
            now=season.now,
        )
        # One at a time, since few challenges of a club may wait.
        _answer(season, made)


def _answer(season: Season, team_match: TeamMatch) -> None:
    leader = _leader(team_match.second)
    if leader is None or season.chance.random() >= ANSWERS:
        return
    accepts = season.chance.random() < ACCEPTS
    how: dict[str, Any] = {"team_match_id": team_match.pk, "leader": leader, "now": season.now}
    if _tried(season, "answers", lambda: services.answer(accepts=accepts, **how)):
        season.done[f"team matches {'accepted' if accepts else 'declined'}"] += 1


def _prepare(season: Season, team_match: TeamMatch) -> None:
    """Let members sign up and drop out, and leaders set line-ups, most in time."""
    for team, club in zip(selectors.TEAMS, team_match.clubs, strict=True):
        users = [row.user for row in club.memberships.select_related("user").order_by("pk")]
        signed_up = set(team_match.players.values_list("user", flat=True))
        for user in users:
            how = {"team_match_id": team_match.pk, "user": user, "now": season.now}
            if user.pk not in signed_up and season.chance.random() < SIGNS_UP:
                _tried(season, "sign-ups", lambda how=how: services.sign_up(**how))
            elif user.pk in signed_up and season.chance.random() < DROPS_OUT:
                _tried(season, "drop-outs", lambda how=how: services.drop_out(**how))
        leader = _leader(club)
        ready = team_match.players.filter(team=team).order_by("pk").values_list("user", flat=True)
        is_set = team_match.line_ups_set[team - 1]
        if leader and not is_set and len(ready) >= BOARDS and season.chance.random() < SETS:
            line_up = {"players": list(ready[:BOARDS]), "team": team, "now": season.now}
            line_up |= {"team_match_id": team_match.pk, "leader": leader}
            _tried(season, "line-ups", lambda line_up=line_up: services.set_line_up(**line_up))


def _tried(season: Season, what: str, act: object) -> bool:
    """Do something that may be refused, such as for somebody who is banned."""
    try:
        act()  # type: ignore[operator]
    except GameError:
        season.done[f"{what} refused"] += 1
        return False
    season.done[what] += 1
    return True


# --- Misfortunes ----------------------------------------------------------------------------------


def _misfortune(season: Season, day: int) -> None:
    happens = DAYS.get(day)
    if happens is not None:
        pks = [pk for pk in season.clubs if Club.objects.filter(pk=pk, closed=None).exists()]
        happens(Club.objects.get(pk=pks[day % len(pks)]), season.now)
        season.done[happens.__name__.strip("_").replace("_", " ")] += 1


def _leader_banned(club: Club, now: datetime) -> None:
    leader = _leader(club)
    if leader is not None:
        standing.impose(leader, Sanction.Kind.BAN, reason="bench", moderator=leader, now=now)
        clubs.leave_all(leader, now=now)


def _leader_deleted(club: Club, now: datetime) -> None:
    leader = _leader(club)
    if leader is not None:
        deletion.ask(leader, now=now)


def _member_left(club: Club, now: datetime) -> None:
    last = club.memberships.filter(led_since=None).order_by("-pk").select_related("user").first()
    if last is not None:
        clubs.leave(club_id=club.pk, user=last.user)


def _member_removed(club: Club, now: datetime) -> None:
    last = club.memberships.filter(led_since=None).order_by("-pk").select_related("user").first()
    leader = _leader(club)
    if last is not None and leader is not None:
        clubs.remove(club_id=club.pk, leader=leader, user=last.user, reason="bench", now=now)


def _member_on_vacation(club: Club, now: datetime) -> None:
    first = club.memberships.order_by("pk").select_related("user").first()
    if first is not None:
        vacations.plan(user=first.user, begin=None, end=now + 5 * DAY, shows_end=True, now=now)


def _club_closed(club: Club, now: datetime) -> None:
    leader = _leader(club)
    if leader is not None:
        clubs.close(club_id=club.pk, leader=leader, now=now)


def _player_dropped_out(club: Club, now: datetime) -> None:
    running = selectors.of_club(club).filter(selectors.running()).order_by("pk").first()
    if running is not None and running.tournament is not None:
        entry = running.tournament.entries.filter(left=None).select_related("user").first()
        if entry is not None:
            services.drop_out(team_match_id=running.pk, user=entry.user, now=now)


DAYS = {
    2: _leader_banned,
    3: _leader_deleted,
    4: _member_left,
    5: _member_on_vacation,
    6: _member_removed,
    7: _player_dropped_out,
    8: _leader_banned,
    9: _leader_deleted,
    10: _member_left,
    11: _club_closed,
}
"""What happens on which day, to another club each."""


# --- What should be true --------------------------------------------------------------------------


def is_over() -> bool:
    current = selectors.waiting() | selectors.running()
    return not TeamMatch.objects.filter(current).exists()


def troubles(season: Season, step_length: timedelta) -> dict[str, list[str]]:
    """Return sentences about failures, by subject."""
    all_of_them = list(selectors.listed().order_by("pk"))
    ended = [one for one in all_of_them if one.tournament and one.tournament.is_finished]
    return {
        "team matches that did not end in time": [
            f"{one}: {one.status}" for one in all_of_them if _is_late(one, season, step_length)
        ],
        "scores of clubs that don't add up": [said for one in ended for said in _recounted(one)],
        "clubs without a leader, or of another size": list(_orphaned()),
        "people who play for clubs in which they aren't": list(_strangers()),
        "notifications of clubs missing or sent twice": [
            *_twice(),
            *(said for one in ended for said in _untold(one)),
            *(f"{one}: nobody was reminded" for one in all_of_them if _is_unreminded(one)),
        ],
    }


def _is_late(one: TeamMatch, season: Season, step_length: timedelta) -> bool:
    if one.tournament is None:
        last = one.closed or season.now
        return last > one.due + step_length or one.is_waiting
    return not one.tournament.ended or one.tournament.ended > one.ends + step_length


def _recounted(one: TeamMatch) -> Iterator[str]:
    """Recount the points from the ranks at the tables alone, and what was announced."""
    points = {1: Fraction(0), 2: Fraction(0)}
    tables = Table.objects.filter(round__tournament=one.tournament)
    for table in tables.prefetch_related("table_seats__entry"):
        mine, theirs = table.table_seats.all()
        if mine.rank is not None and theirs.rank is not None:
            half = Fraction(1 + (theirs.rank > mine.rank) - (mine.rank > theirs.rank), 2)
            points[mine.entry.team] += half
            points[theirs.entry.team] += 1 - half
    shown = tuple(side.points for side in selectors.scores([one]).get(one.pk, selectors.NO_SCORE))
    if shown != tuple(points.values()):
        yield f"{one}: {shown} instead of {tuple(points.values())}"


def _orphaned() -> Iterator[str]:
    for club in Club.objects.filter(closed=None):
        rows = club.memberships.count()
        if rows and _leader(club) is None:
            yield f"{club} has no leader"
        if rows != club.size:
            yield f"{club} has {rows} members, not {club.size}"
        if not rows:
            yield f"{club} is open and has no members"


def _strangers() -> Iterator[str]:
    for player in TeamPlayer.objects.select_related("team_match", "user"):
        yield f"{player} is still signed up"
    for row in Waiting.objects.exclude(team=0).select_related("user", "tournament__team_match"):
        club = row.tournament.team_match.clubs[row.team - 1]
        if row.tournament.is_running and not club.memberships.filter(user=row.user).exists():
            yield f"{row.user} waits for {club}"
    for membership in Membership.objects.filter(user__is_active=False):
        yield f"{membership} though the account is closed"


def _twice() -> Iterator[str]:
    """Yield what somebody was notified of more than once. The call has one reminder."""
    counted: Counter[tuple[object, ...]] = Counter()
    for row in Notification.objects.filter(kind__startswith="team-"):
        counted[row.recipient_id, row.kind, row.payload["team_match"], row.payload.get("club")] += 1
    most = defaultdict(lambda: 1, {notifications.CALLED: 2})
    for (user, kind, team_match, _), number in counted.items():
        if kind != notifications.NEWS and number > most[str(kind)]:
            yield f"user {user} was notified {number} times of {kind} in team match {team_match}"


def _untold(one: TeamMatch) -> Iterator[str]:
    """Yield players who don't know the result."""
    told = Notification.objects.filter(kind=notifications.OVER, payload__team_match=one.pk)
    known = set(told.values_list("recipient", flat=True))
    entries = one.tournament.entries.select_related("user") if one.tournament else ()
    for entry in entries:
        if entry.user.is_active and entry.user_id not in known:
            yield f"{entry.user} doesn't know that {one} is over"


def _is_unreminded(one: TeamMatch) -> bool:
    is_overdue = one.status == Status.CANCELLED and one.closed and one.closed >= one.due
    return bool(is_overdue and one.reminded is None and not all(one.line_ups_set))


def facts() -> dict[str, int]:
    """Return how many clubs and team matches there were."""
    rows = TeamMatch.objects.all()
    return {
        "clubs": Club.objects.count(),
        "team matches": rows.count(),
        "team matches played": rows.filter(selectors.ended()).count(),
        "team matches cancelled": rows.filter(status=Status.CANCELLED).count(),
        "notifications of team matches": Notification.objects.filter(
            kind__startswith="team-"
        ).count(),
    }
