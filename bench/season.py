"""A season of tournaments, a ladder and a league of clubs, on a simulated calendar.

No task is delivered: everything depends on scheduled jobs, as after a failure of Redis. Players
resign or agree to draws at random times. Some never come, pause their matches, go on vacation,
withdraw, are banned or delete their accounts.
"""

import random
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from itertools import pairwise
from unittest import mock
from uuid import uuid4

from django.utils import timezone

from accounts import deletion
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from accounts.services import create_user
from bench import club_league
from bench.people import TITLE
from bench.rows import Row
from bench.site import say
from bench.year import due
from config.background import Background
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

SHOWN = 5
"""Maximum number of printed sentences about one thing."""

Act = Callable[[Match, datetime], None]


@dataclass
class Season:
    """The simulated season, with notes. ``ends`` are the planned ends of matches by id."""

    chance: random.Random
    people: list[User]
    members: list[User]
    now: datetime = BEGIN
    begin: datetime = BEGIN
    clubs: list[int] = field(default_factory=list)
    tournaments: list[int] = field(default_factory=list)
    ends: dict[int, tuple[datetime, str, int]] = field(default_factory=dict)
    answers: dict[int, str] = field(default_factory=dict)
    done: Counter[str] = field(default_factory=Counter)


def play(players: int, seed: str = "a season", clubs: int = CLUBS) -> Season:
    """Play a season to its end, or to the limit if it stalls."""
    chance = random.Random(seed)
    everybody = [_member(number) for number in range(players + clubs * MEMBERS)]
    season = Season(chance, everybody[:players], everybody[players:])
    Sweep.objects.get_or_create(name=match_selectors.DEADLINES, defaults={"ran": BEGIN})
    with (
        mock.patch.object(timezone, "now", side_effect=lambda: season.now),
        mock.patch.object(Background, "put"),
    ):
        _announce(season)
        club_league.found(season, clubs, MEMBERS)
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


def _misfortunes(
    season: Season,
) -> dict[int, list[tuple[User, Callable[[User, datetime], None]]]]:
    """Draw at random what happens to whom on which day, even to the strongest entrants."""
    days: defaultdict[int, list[tuple[User, Callable[[User, datetime], None]]]] = defaultdict(list)
    kinds = [_banned, _deleted, _withdrew, *[_vacation] * max(2, len(season.people) // 8)]
    kinds += [_withdrew] * (len(season.people) // 20)
    unlucky = season.chance.sample(season.people, min(len(kinds), len(season.people) - 2))
    for user, kind in zip(unlucky, kinds, strict=False):
        days[season.chance.randint(4, 5 * ROUND_DAYS // 2)].append((user, kind))
    return days


def _banned(user: User, now: datetime) -> None:
    standing.impose(user, Sanction.Kind.BAN, reason="bench", moderator=user, now=now)


def _deleted(user: User, now: datetime) -> None:
    deletion.ask(user, now=now)


def _withdrew(user: User, now: datetime) -> None:
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
    due.note_sweep(match_selectors.WEB, now)
    due.note_sweep(match_selectors.DEADLINES, now - timedelta(seconds=20))
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
        if challenge.status != Challenge.Status.OPEN or challenge.pk in season.answers:
            continue
        answer = season.chance.choices(["accepted", "declined", "unanswered"], [75, 10, 15])[0]
        season.answers[challenge.pk] = answer
        season.done[f"ladder challenges {answer}"] += 1
        _answer(challenge, one.defender, answer, season)
    if season.now > BEGIN + LADDER_DAYS * DAY:
        return
    places = LadderPlace.objects.filter(title=TITLE, user__is_bot=False, user__is_active=True)
    for place in season.chance.sample(list(places.select_related("user")), min(2, places.count())):
        try:
            _challenge(place, season.now)
        except Refused:
            # Too often out of time at the first move, for example.
            season.done["ladder challenges refused"] += 1


def _answer(challenge: Challenge, user: User, answer: str, season: Season) -> None:
    try:
        if answer == "accepted":
            lobby.accept(challenge_id=challenge.pk, user=user, now=season.now)
        elif answer == "declined":
            lobby.decline(challenge_id=challenge.pk, user=user, now=season.now)
    except Refused:
        season.done["ladder challenges refused"] += 1


def _challenge(place: LadderPlace, now: datetime) -> None:
    offered = Reasons(place.user, place, now).offered()
    above = User.objects.filter(pk__in=[pk for pk, why in offered.items() if not why])
    other = above.filter(is_bot=False).order_by("pk").first()
    if other is not None and not standing.is_shut_out(place.user, now):
        ladders.challenge(user=place.user, other=other, title=TITLE, now=now)


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
        "points and tie-breaks that don't add up": [
            said for one in found for said in _recounted(one)
        ],
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
    """Recount points, Sonneborn–Berger and direct points, from the pairs alone."""
    entries, tables = selectors.entries_of(tournament), selectors.tables_of(tournament)
    lines = results.lines_of(tournament, entries, tables)
    counted = [one for one in tables if not tournament.has_groups or one.round.number == 1]
    points, won = _points(counted)
    for line in lines:
        own = points[line.entrant]
        berger = sum((half * points[other] for other, half in won[line.entrant]), Fraction(0))
        duel = sum((half for other, half in won[line.entrant] if points[other] == own), Fraction(0))
        # The finals of groups are knock-outs: what decides is how long a player stays in.
        numbers = line.tie_breaks["berger"], line.tie_breaks["direct"]
        if (line.points, *numbers) != (own, berger, duel):
            yield f"{tournament}, entry {line.entrant}: {line} instead of {own}, {berger}, {duel}"
    if not tournament.lives and not tournament.has_groups:
        stayed = [line for line in lines if not line.is_out]
        if any(one.order < other.order for one, other in pairwise(stayed)):
            yield f"{tournament}: places out of order"


def _points(
    tables: Sequence[Table],
) -> tuple[dict[int, Fraction], defaultdict[int, list[tuple[int, Fraction]]]]:
    """Return the points of entries, and each entry's scores against others."""
    points: defaultdict[int, Fraction] = defaultdict(Fraction)
    won: defaultdict[int, list[tuple[int, Fraction]]] = defaultdict(list)
    for table in tables:
        seats = list(table.table_seats.all())
        if len(seats) == 1:
            points[seats[0].entry_id] += Fraction(1)
            continue
        one, other = seats
        if one.rank is None or other.rank is None:
            continue
        half = Fraction(1 + (other.rank > one.rank) - (one.rank > other.rank), 2)
        for seat, against, share in ((one, other, half), (other, one, 1 - half)):
            points[seat.entry_id] += share
            won[seat.entry_id].append((against.entry_id, share))
    return points, won


def _unsettled(now: datetime) -> list[str]:
    pending = LadderChallenge.objects.filter(outcome=PENDING)
    unanswered = LadderChallenge.objects.filter(challenge__match=None, closed__isnull=False)
    late = [one for one in unanswered if one.closed and one.closed > one.challenge.expires + STEP]
    return [f"{one} at {now}" for one in (*pending, *late)]


def _gaps() -> list[str]:
    places = LadderPlace.objects.filter(title=TITLE).order_by("position")
    positions = list(places.values_list("position", flat=True))
    return [] if positions == list(range(1, len(positions) + 1)) else [str(positions)]


def _substitutes(season: Season) -> int:
    told = Notification.objects.filter(kind=MOVED_UP)
    return told.filter(payload__tournament__in=season.tournaments).count()


def rows() -> Iterator[Row]:
    """Play a season, and yield a row of totals and one for each promise."""
    began, used = time.perf_counter(), time.process_time()
    season = play(PLAYERS)
    rounds = Tournament.objects.filter(pk__in=season.tournaments).values("played_rounds")
    facts = {
        "players": len(season.people),
        "days": (season.now - BEGIN).days,
        "rounds": rounds.count(),
        "matches": Match.objects.count(),
        "ladder challenges": LadderChallenge.objects.count(),
        "substitutes": _substitutes(season),
        **club_league.facts(),
        "players who left": Entry.objects.exclude(left=None).count(),
        **{what: season.done[what] for what in sorted(season.done)},
    }
    for what, number in facts.items():
        yield Row(what, number, "", 0, "")
    yield Row("the whole of it", time.perf_counter() - began, "s", 0, "")
    yield Row("time of a core, without the database's", time.process_time() - used, "s", 0, "")
    for what, sentences in troubles(season).items():
        for sentence in sentences[:SHOWN]:
            say(f"{what}: {sentence}")
        yield Row(what, len(sentences), "", 0, "", "none", not sentences)
