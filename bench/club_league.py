"""A league of clubs in a season: each plays a team match against each.

Members pause their matches, go on vacation and leave. Clubs lose leaders, who are banned, delete
their accounts or close the club.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from datetime import timedelta
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from accounts.models import Notification, User
from bench.people import TITLE
from games.clubs import services as clubs
from games.clubs.models import Club, Membership
from games.events.models import Table, Waiting
from games.kernel.errors import GameError
from games.teams import notifications, selectors, services
from games.teams.models import TeamMatch, TeamPlayer
from games.teams.selectors import TEAMS
from tests.clubs.clubs import join
from tests.teams.teams import challenge

if TYPE_CHECKING:
    from bench.season import Season

DAY = timedelta(days=1)
LEAGUE = "League "
BOARDS = 2
CHALLENGES, CLOSES = 1, 11
"""The days of these events."""

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
        terms = clubs.Terms(f"{LEAGUE}{number}")
        club = clubs.establish(founder=members[0], terms=terms, now=season.now)
        join(club, *members[1:], now=season.now)


def step(season: Season) -> None:
    """Let leaders and members do what waits for them. On one day a club is closed."""
    day, half = divmod(season.now - season.begin, DAY)
    if not half and day == CHALLENGES:
        _challenge_all(season)
    if not half and day == CLOSES:
        last = _clubs().filter(closed=None).latest("pk")
        _tried(season, "clubs closed", clubs.close, club_id=last.pk, leader=_leader(last))
    for team_match in selectors.listed().filter(selectors.waiting()).order_by("pk"):
        if team_match.status == Status.ASKED:
            _answer(season, team_match)
        else:
            _prepare(season, team_match)


def _clubs() -> QuerySet[Club]:
    """Return the clubs of the season. An earlier section has others."""
    return Club.objects.filter(name__startswith=LEAGUE)


def _leader(club: Club) -> User | None:
    first = club.memberships.filter(led_since__isnull=False).order_by("led_since", "pk")
    row = first.select_related("user").first()
    return row.user if row else None


def _challenge_all(season: Season) -> None:
    for one, other in combinations(_clubs().order_by("pk"), 2):
        leader = _leader(one)
        if leader is None:
            continue
        terms = {"due": season.now + DUE, "ends": season.now + DUE + PLAYING, "now": season.now}
        made = challenge((one, other), leader, title=TITLE, boards=BOARDS, **terms)
        # One at a time, since few challenges of a club may wait.
        _answer(season, made)


def _answer(season: Season, team_match: TeamMatch) -> None:
    leader = _leader(team_match.second)
    if leader is not None and season.chance.random() < ANSWERS:
        accepts = season.chance.random() < ACCEPTS
        what = f"team matches {'accepted' if accepts else 'declined'}"
        given = {"team_match_id": team_match.pk, "leader": leader, "accepts": accepts}
        _tried(season, what, services.answer, **given)


def _prepare(season: Season, team_match: TeamMatch) -> None:
    """Let members sign up and drop out, and leaders set line-ups, most in time."""
    chance, pk = season.chance, team_match.pk
    for team, club in zip(TEAMS, team_match.clubs, strict=True):
        signed_up = set(team_match.players.values_list("user", flat=True))
        for row in club.memberships.select_related("user").order_by("pk"):
            if row.user_id in signed_up and chance.random() < DROPS_OUT:
                _tried(season, "drop-outs", services.drop_out, team_match_id=pk, user=row.user)
            elif row.user_id not in signed_up and chance.random() < SIGNS_UP:
                _tried(season, "sign-ups", services.sign_up, team_match_id=pk, user=row.user)
        leader, is_set = _leader(club), team_match.line_ups_set[team - 1]
        ready = team_match.players.filter(team=team).order_by("pk").values_list("user", flat=True)
        if leader and not is_set and len(ready) >= BOARDS and chance.random() < SETS:
            given = {"leader": leader, "players": list(ready[:BOARDS]), "team": team}
            _tried(season, "line-ups", services.set_line_up, team_match_id=pk, **given)


def _tried(season: Season, what: str, act: Callable[..., object], **given: Any) -> None:
    """Do something that may be refused, such as for somebody who is banned."""
    try:
        act(**given, now=season.now)
    except GameError:
        what += " refused"
    season.done[what] += 1


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
        ],
    }


def _is_late(one: TeamMatch, season: Season, step_length: timedelta) -> bool:
    if one.tournament is None:
        return one.is_waiting or (one.closed or season.now) > one.due + step_length
    return not one.tournament.ended or one.tournament.ended > one.ends + step_length


def points_of(tables: Iterable[Table]) -> defaultdict[int, Fraction]:
    """Count the points of each entry from the ranks at tables. A bye counts as a win."""
    points: defaultdict[int, Fraction] = defaultdict(Fraction)
    for table in tables:
        one, *others = table.table_seats.all()
        for other in others:
            if one.rank is not None and other.rank is not None:
                half = Fraction(1 + (other.rank > one.rank) - (one.rank > other.rank), 2)
                points[one.entry_id] += half
                points[other.entry_id] += 1 - half
        points[one.entry_id] += not others
    return points


def _recounted(one: TeamMatch) -> Iterator[str]:
    """Recount what was announced."""
    tables = Table.objects.filter(round__tournament=one.tournament)
    points = points_of(tables.prefetch_related("table_seats"))
    entries = one.tournament.entries.all() if one.tournament else ()
    sides = [sum((points[e.pk] for e in entries if e.team == team), Fraction()) for team in TEAMS]
    shown = [side.points for side in selectors.scores([one]).get(one.pk, selectors.NO_SCORE)]
    if shown != sides:
        yield f"{one}: {shown} instead of {sides}"


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


def facts() -> dict[str, int]:
    """Return how many clubs and team matches there were."""
    rows = TeamMatch.objects.all()
    told = Notification.objects.filter(kind__startswith="team-")
    return {
        "clubs": Club.objects.count(),
        "team matches": rows.count(),
        "team matches played": rows.filter(selectors.ended()).count(),
        "team matches cancelled": rows.filter(status=Status.CANCELLED).count(),
        "notifications of team matches": told.count(),
    }
