"""A season of tournaments, a ladder and a league of clubs, on a simulated calendar.

No task is delivered: everything depends on scheduled jobs, as after a failure of Redis. Players
resign or agree to draws at random times. Some never come, pause their matches, go on vacation,
withdraw, are banned or delete their accounts.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import cycle, starmap
from typing import Any
from unittest import mock
from uuid import uuid4

from django.utils import timezone

from accounts import deletion
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from accounts.services import create_user
from bench import club_league
from bench.club_league import points_of
from bench.people import TITLE
from bench.rows import Row, Timer, promises, row
from bench.year.world import note_sweep
from config.background import Background
from games.clubs import services as clubs
from games.events import results, selectors, services
from games.events.models import Entry, Table, Tournament
from games.events.notifications import MOVED_UP
from games.ladders import services as ladders
from games.ladders.models import LadderChallenge, LadderPlace
from games.ladders.selectors import PENDING, Reasons
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.lobby.tasks import expire_challenges
from games.matches import selectors as match_selectors
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.models import Match, Player, Sweep
from games.matches.tasks import sweep_clocks
from games.teams import services as teams

PLAYERS = 64
CLUBS, MEMBERS = 8, 5
"""How many clubs are in the league, and how many members each has at first."""

SECTION = (
    "A season: three tournaments, a ladder and clubs, every task lost, on a simulated calendar"
)

BEGIN = datetime(2027, 9, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
STEP = DAY / 2
LIMIT = 500 * DAY
"""Maximum duration of a season."""

LADDER_DAYS = 30
"""Number of days in which new ladder challenges are made."""

ROUND_DAYS = 6
WAITING = 3
"""Maximum number of waiting substitutes."""

Misfortune = Callable[[User, datetime], None]


@dataclass
class Season:
    """The simulated season, with notes. ``ends`` are the planned ends of matches by id."""

    chance: random.Random
    people: list[User]
    members: list[User]
    now: datetime = BEGIN
    begin: datetime = BEGIN
    tournaments: list[int] = field(default_factory=list)
    ends: dict[int, tuple[datetime, str, int]] = field(default_factory=dict)
    answered: set[int] = field(default_factory=set)
    done: Counter[str] = field(default_factory=Counter)


def play(players: int, club_count: int = CLUBS) -> Season:
    """Play a season to its end, or to the limit if it stalls."""
    chance = random.Random("a season")
    everybody = [_member(number) for number in range(players + club_count * MEMBERS)]
    season = Season(chance, everybody[:players], everybody[players:])
    Sweep.objects.get_or_create(name=match_selectors.DEADLINES, defaults={"ran": BEGIN})
    with (
        mock.patch.object(timezone, "now", side_effect=lambda: season.now),
        mock.patch.object(Background, "put"),
    ):
        _announce(season)
        club_league.found(season, club_count, MEMBERS)
        days = _misfortunes(season)
        while season.now < BEGIN + LIMIT and not (season.now > BEGIN + DAY and _is_over(season)):
            season.now += STEP
            _jobs(season.now)
            for user, misfortune in days.pop((season.now - BEGIN) // DAY, ()):
                season.done[misfortune.__name__.strip("_").replace("_", " ")] += 1
                misfortune(user, season.now)
            _play(season)
            _climb(season)
            club_league.step(season)
    return season


def _member(number: int) -> User:
    return create_user(
        username=f"season-{number}",
        email=f"season-{number}@example.org",
        password=None,
        confirmed=True,
        date_joined=BEGIN - 300 * DAY,
    )


def _announce(season: Season) -> None:
    """Announce the tournaments. The last gets fewer entrants than it needs."""
    count, how = len(season.people), Tournament.Format
    for kind, most, entering in (
        (how.SWISS, count, count),
        (how.GROUPS, max(8, count // 4), max(8, count // 4)),
        (how.DOUBLE, max(8, count // 2), max(7, count // 2 - 1)),
    ):
        made = services.create(
            organiser=None,
            name=f"Season {kind.label}",
            title=TITLE,
            params={},
            clock=PRESETS["standard"],
            format=kind,
            least=6,
            most=most,
            starts=BEGIN + 5 * DAY,
            round_days=ROUND_DAYS,
            now=BEGIN,
        )
        season.tournaments.append(made.pk)
        entrants = season.chance.sample(season.people, entering)
        for user in entrants:
            services.join(tournament_id=made.pk, user=user, now=BEGIN)
        if kind != how.DOUBLE:
            for user in [one for one in season.people if one not in entrants][:WAITING]:
                services.wait(tournament_id=made.pk, user=user, now=BEGIN)
    for user in season.people:
        ladders.join(user=user, title=TITLE, now=BEGIN)


def _misfortunes(season: Season) -> dict[int, list[tuple[User, Misfortune]]]:
    """Draw at random what happens to whom on which day, even to the strongest entrants.

    Some clubs lose their leaders, and some another member.
    """
    chance, count = season.chance, len(season.people)
    kinds = [_banned, _deleted, *[_withdrew] * (1 + count // 20), *[_vacation] * max(2, count // 8)]
    leaders, others = season.members[::MEMBERS], season.members[1::MEMBERS]
    unlucky = [
        *zip(chance.sample(season.people, min(len(kinds), count - 2)), kinds, strict=False),
        *zip(chance.sample(leaders, len(leaders) // 2), cycle((_banned, _deleted))),
        *zip(chance.sample(others, len(others) // 2), cycle((_withdrew, _vacation))),
    ]
    days: defaultdict[int, list[tuple[User, Misfortune]]] = defaultdict(list)
    for user, kind in unlucky:
        days[chance.randint(2, 5 * ROUND_DAYS // 2)].append((user, kind))
    return days


def _banned(user: User, now: datetime) -> None:
    standing.impose(user, Sanction.Kind.BAN, reason="bench", moderator=user, now=now)
    clubs.leave_all(user, now=now)


def _deleted(user: User, now: datetime) -> None:
    deletion.ask(user, now=now)


def _withdrew(user: User, now: datetime) -> None:
    clubs.leave_all(user, now=now)
    for pk in selectors.of_player(user).values_list("pk", flat=True):
        services.leave(tournament_id=pk, user=user, now=now)
    ladders.leave_all(user, now)


def _vacation(user: User, now: datetime) -> None:
    vacations.plan(user=user, begin=None, end=now + 5 * DAY, shows_end=True, now=now)


def _jobs(now: datetime) -> None:
    """Run the scheduled jobs.

    Web processes of an earlier section have answered in real time, and count as up, too: otherwise
    there would be an outage, in which nobody times out.
    """
    note_sweep(match_selectors.WEB, now)
    note_sweep(match_selectors.DEADLINES, now - timedelta(seconds=20))
    sweep_clocks()
    expire_challenges()
    deletion.delete_due(now=now)
    services.sweep(now=now)
    ladders.sweep(now=now)
    teams.sweep(now=now)


def _is_over(season: Season) -> bool:
    over = (Tournament.Status.FINISHED, Tournament.Status.CANCELLED)
    running = Tournament.objects.filter(pk__in=season.tournaments).exclude(status__in=over)
    climbing = LadderChallenge.objects.filter(outcome=PENDING)
    return not running.exists() and not climbing.exists() and club_league.is_over()


# --- Matches ------------------------------------------------------------------------------------


def _play(season: Season) -> None:
    """End the matches whose randomly drawn time has come."""
    everybody = [*season.people, *season.members]
    theirs = Player.objects.filter(user__in=everybody).values("match")
    running = Match.objects.filter(status=Match.Status.RUNNING, pk__in=theirs)
    for match in running.order_by("pk"):
        if match.pk not in season.ends:
            what = season.chance.choices(["win", "draw", "late", "absent"], [70, 12, 10, 8])[0]
            at = season.now + season.chance.uniform(0, ROUND_DAYS - 2) * DAY
            if what == "late":
                # The players agree to a pause: only the end of the round ends the match.
                _together(match, season.now, matches.offer_pause)
                season.done["paused matches"] += 1
            season.ends[match.pk] = at, what, season.chance.randrange(2)
        at, what, loser = season.ends[match.pk]
        if season.now >= at and what in ("win", "draw"):
            season.done[f"matches ended by a {what}"] += 1
            if what == "win":
                _act(match, loser, season.now, matches.resign)
            else:
                _together(match, season.now, matches.offer_close)
        elif what == "late" and season.now >= at + 3 * ROUND_DAYS * DAY:
            # Matches of the ladder have no round that ends them.
            _act(match, loser, season.now, matches.resign)


def _together(match: Match, now: datetime, offer: Callable[..., object]) -> None:
    _act(match, 0, now, offer)
    _act(match, 1, now, matches.accept_offer)


def _act(match: Match, seat: int, now: datetime, action: Callable[..., object]) -> None:
    version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
    user = match.players.get(seat=seat).user
    action(match_id=match.pk, user=user, version=version, submission=uuid4(), now=now)


# --- The ladder ---------------------------------------------------------------------------------


def _climb(season: Season) -> None:
    """Answer ladder challenges or leave them unanswered, and make new ones."""
    for one in LadderChallenge.objects.filter(outcome=PENDING).order_by("pk"):
        challenge = Challenge.objects.get(pk=one.challenge_id)
        if challenge.status != Challenge.Status.OPEN or challenge.pk in season.answered:
            continue
        answer = season.chance.choices(["accepted", "declined", "unanswered"], [75, 10, 15])[0]
        season.answered.add(challenge.pk)
        season.done[f"ladder challenges {answer}"] += 1
        if answer != "unanswered":
            service = lobby.accept if answer == "accepted" else lobby.decline
            _tried(season, service, challenge_id=challenge.pk, user=one.defender)
    if season.now > BEGIN + LADDER_DAYS * DAY:
        return
    places = LadderPlace.objects.filter(title=TITLE, user__is_bot=False, user__is_active=True)
    for place in season.chance.sample(list(places.select_related("user")), min(2, places.count())):
        offered = Reasons(place.user, place, season.now).offered()
        above = User.objects.filter(pk__in=[pk for pk, why in offered.items() if not why])
        other = above.filter(is_bot=False).order_by("pk").first()
        if other is not None and not standing.is_shut_out(place.user, season.now):
            _tried(season, ladders.challenge, user=place.user, other=other, title=TITLE)


def _tried(season: Season, act: Callable[..., object], **given: Any) -> None:
    """Do something that may be refused, such as to who was too often out of time."""
    try:
        act(**given, now=season.now)
    except Refused:
        season.done["ladder challenges refused"] += 1


# --- What should be true ------------------------------------------------------------------------


def troubles(season: Season) -> dict[str, list[str]]:
    """Return sentences about failures, by subject."""
    found = [selectors.get(pk) for pk in season.tournaments]
    return {
        "tournaments that did not end": [str(one) for one in found if not one.is_finished],
        "rounds that ended after their deadline": _late_rounds(found),
        "tables without an end": [
            str(table)
            for one in found
            for table in Table.objects.filter(round__tournament=one, ended=None)
        ],
        "players paired after they left": _paired_after(found),
        "entrants without a place": [
            str(entry)
            for one in found
            for entry in one.entries.all()
            if (entry.place is None) == (entry.left is None)
        ],
        "points that don't add up": [said for one in found for said in _recounted(one)],
        "ladder challenges not settled in time": _unsettled(season.now),
        "ladders with gaps": _gaps(),
        **club_league.troubles(season, STEP),
    }


def _late_rounds(found: Sequence[Tournament]) -> list[str]:
    return [
        f"{made}: {made.ended} after {made.deadline}"
        for one in found
        for made in one.played_rounds.all()
        if made.ended is None or made.ended > made.deadline + STEP
    ]


def _paired_after(found: Sequence[Tournament]) -> list[str]:
    return [
        f"{seat.entry} at {table}"
        for one in found
        for table in selectors.tables_of(one)
        for seat in table.table_seats.all()
        if seat.entry.left is not None and seat.entry.left < table.round.began
    ]


def _recounted(tournament: Tournament) -> Iterator[str]:
    """Recount the points from the ranks at the tables alone."""
    entries, tables = selectors.entries_of(tournament), selectors.tables_of(tournament)
    # The finals of groups are knock-outs: what decides is how long a player stays in.
    counted = [one for one in tables if not tournament.has_groups or one.round.number == 1]
    points = points_of(counted)
    for line in results.lines_of(tournament, entries, tables):
        if line.points != points[line.entrant]:
            yield f"{tournament}: {line} instead of {points[line.entrant]}"


def _unsettled(now: datetime) -> list[str]:
    pending = LadderChallenge.objects.filter(outcome=PENDING)
    unanswered = LadderChallenge.objects.filter(challenge__match=None, closed__isnull=False)
    late = [one for one in unanswered if one.closed and one.closed > one.challenge.expires + STEP]
    return [f"{one} at {now}" for one in (*pending, *late)]


def _gaps() -> list[str]:
    places = LadderPlace.objects.filter(title=TITLE).order_by("position")
    positions = list(places.values_list("position", flat=True))
    return [] if positions == list(range(1, len(positions) + 1)) else [str(positions)]


def rows() -> Iterator[Row]:
    """Play a season, and yield a row of totals and one for each promise."""
    timer = Timer()
    season = play(PLAYERS)
    rounds = Tournament.objects.filter(pk__in=season.tournaments).values("played_rounds")
    facts = {
        "players": len(season.people),
        "days": (season.now - BEGIN).days,
        "rounds": rounds.count(),
        "matches": Match.objects.count(),
        "ladder challenges": LadderChallenge.objects.count(),
        "substitutes": Notification.objects.filter(kind=MOVED_UP).count(),
        **club_league.facts(),
        "players who left": Entry.objects.exclude(left=None).count(),
        **{what: season.done[what] for what in sorted(season.done)},
    }
    yield from starmap(row, facts.items())
    yield from timer.rows()
    yield from promises(troubles(season))
