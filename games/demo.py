"""Sample players and matches, so that a new site isn't empty.

Everything goes through the services, so that samples are what people would create.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import uuid4

from django.db import transaction

from accounts import notifications
from accounts.delivery.models import DeliverySettings
from accounts.models import User
from accounts.services import create_user
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.clubs import candidates
from games.clubs import messages as club_messages
from games.clubs import services as clubs
from games.clubs.models import Club, Colour, Shape, Sign
from games.events import organising
from games.events import services as events
from games.events.models import OrganiserAct, Table, Tournament
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.ladders import services as ladders
from games.lobby import follows
from games.lobby import services as lobby
from games.lobby.finding import is_for_two
from games.lobby.models import Challenge
from games.matches import selectors, services
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.noticeboards import services as noticeboards
from games.noticeboards.boards import Board
from games.teams import services as teams

NAMES = ("sample-ada", "sample-bruno", "sample-clara", "sample-daniel")
SAMPLE_DESCRIPTION = "A sample player, made so that there is something to look at."
MESSAGE = "A sample challenge: a bot answers your moves."
CLUBS = (
    clubs.Terms(
        name="Sample Harbour Club",
        about="A sample club for people who play *a move a day*.\n\n"
        "- Beginners are welcome.\n- We help each other after a match, not during it.",
        country="NO",
        language="en",
        shape=Shape.SHIELD,
        sign=Sign.WAVES,
    ),
    clubs.Terms(
        name="Sample Café",
        about="A sample club whose leaders answer requests.",
        admission=Club.Admission.REQUEST,
        shape=Shape.CIRCLE,
        colour=Colour.RED,
        second_colour=Colour.ORANGE,
        sign=Sign.MOON,
    ),
    clubs.Terms(
        name="Sample Inner Circle",
        about="A sample club that shows others only its name.",
        admission=Club.Admission.INVITATION,
        is_private=True,
        shape=Shape.DIAMOND,
        colour=Colour.PURPLE,
        second_colour=Colour.GREEN,
        sign=Sign.TOWER,
    ),
)
TOPICS = (
    ("A sample topic: how do you keep the overview?", "I play *twelve matches* at once. And you?"),
    ("A sample question about dice", "Do you wait for a good roll, or go at once?"),
)
ANSWER = "A sample answer: I look at the most urgent match first. What do you do, @{}?"
LETTER = "A sample message: on Sunday we look at our best matches together."
SAMPLE_TOURNAMENT = "A sample tournament, made so that there is something to look at."
TOURNAMENT_OPEN = timedelta(days=10)
AGE = timedelta(days=20)
PACE = timedelta(hours=5)
MAX_MOVES = 150
"""Moves after which a sample match ends by agreement."""

OPPONENTS = LEVELS[1]
"""The level of the bots in running sample matches."""

RUNNING_MOVES = 6
"""Moves in a running sample match."""

CHOICE = 400
"""How many legal moves a sample player considers."""


def fill(*, now: datetime, password: str, seed: int = 1) -> None:
    """Create sample players, and for each game two matches, one against bots, and a challenge.

    Does nothing if there are sample players already.
    """
    if User.objects.filter(username__in=NAMES).exists():
        return
    chance = random.Random(seed)  # noqa: S311 - sample moves, not dice
    with transaction.atomic():
        people = [_person(name, password) for name in NAMES]
        for title in registry.titles().values():
            chance.shuffle(people)
            _finished(title, people, now - AGE, chance)
            people.sort(key=lambda user: user.username)
            _running(title, [people[0], *_bots(title)], now - PACE * RUNNING_MOVES, chance)
            _challenge(title, user_of(OPPONENTS), now)
        _clubs(people, now)
        people.sort(key=lambda user: user.username)
        _tournament(people, now)
        _running_tournament(people, now - PACE * (RUNNING_MOVES + 3), chance)
        _ladder(people, now)
        _team_match(people, now - AGE * 0.8, chance, plays_on=False)
        _team_match(people, now - PACE * (RUNNING_MOVES + 1), chance, plays_on=True)
        for user in people:
            notifications.mark_seen(recipient=user, now=now)


def _person(name: str, password: str) -> User:
    user = create_user(
        username=name,
        email=f"{name}@example.org",
        password=password,
        confirmed=True,
        about=SAMPLE_DESCRIPTION,
    )
    DeliverySettings.objects.create(user=user, preset=DeliverySettings.Preset.QUIET)
    return user


def _clubs(people: Sequence[User], now: datetime) -> None:
    """Found a club that is open to all, one with a request, and a private one that invites."""
    ada, bruno, clara, daniel = people
    everybody, asking, private = (
        clubs.establish(founder=founder, terms=terms, now=now - AGE)
        for founder, terms in zip((ada, bruno, clara), CLUBS, strict=True)
    )
    for number, user in enumerate((bruno, clara, daniel), start=1):
        candidates.join(club_id=everybody.pk, user=user, now=now - AGE + timedelta(days=number))
    clubs.appoint(club_id=everybody.pk, leader=ada, user=bruno, now=now - AGE / 2)
    club_messages.write(club_id=everybody.pk, leader=ada, text=LETTER, now=now - PACE)
    club_messages.spread(now=now)
    for board in (Board(club=everybody), *(Board(game=slug) for slug in registry.titles())):
        _topics(board, people, now)
    for user in (ada, daniel):
        candidates.join(
            club_id=asking.pk, user=user, now=now - PACE, text="A sample request: may I come in?"
        )
    candidates.answer(club_id=asking.pk, leader=bruno, user=ada, accepts=True, now=now)
    clubs.appoint(club_id=asking.pk, leader=bruno, user=ada, now=now)
    for user in (ada, daniel):
        candidates.invite(club_id=private.pk, leader=clara, user=user, now=now)


def _topics(board: Board, people: Sequence[User], now: datetime) -> None:
    """Begin two topics on a board. Everybody else answers the first."""
    for number, (subject, text) in enumerate(TOPICS):
        first = noticeboards.begin(
            board=board,
            user=people[number],
            subject=subject,
            text=text,
            submission=uuid4(),
            now=now - PACE * (len(people) + number),
        )
        for turn, user in enumerate(people[1:] if not number else ()):
            noticeboards.reply(
                topic_id=first.topic_id,
                user=user,
                text=ANSWER.format(people[0].username),
                submission=uuid4(),
                now=now - PACE * (len(people) - turn - 1),
            )


def _bots(title: AnyGame) -> list[User]:
    """Return bots for the other seats of a match, so that moves are answered."""
    return [user_of(OPPONENTS, number) for number in range(1, title.meta.seats[0])]


def _challenge(title: AnyGame, creator: User, now: datetime, *, rated: bool = False) -> Challenge:
    return lobby.challenge(
        creator=creator,
        title=title.meta.slug,
        params=parameters.complete(title.meta, {}),
        clock=PRESETS["standard"],
        seats=title.meta.seats[0],
        audience=Challenge.Audience.OPEN,
        seating=Challenge.Seating.FIRST,
        message=MESSAGE,
        rated=rated,
        now=now,
    )


def _match(title: AnyGame, people: Sequence[User], now: datetime, *, rated: bool = False) -> Match:
    first, *others = people[: title.meta.seats[0]]
    made = _challenge(title, first, now, rated=rated)
    for user in others:
        made = lobby.accept(challenge_id=made.pk, user=user, now=now)
    return Match.objects.get(challenge=made)


def _announced(organiser: User, name: str, **terms: Any) -> Tournament:
    """Announce a tournament of the first game."""
    title = next(iter(registry.titles().values()))
    return events.create(
        organiser=organiser,
        name=name,
        about=SAMPLE_TOURNAMENT,
        title=title.meta.slug,
        params={},
        clock=PRESETS["standard"],
        seats=title.meta.seats[0],
        least=4,
        round_days=28,
        **terms,
    )


def _tournament(people: Sequence[User], now: datetime) -> None:
    """Create a tournament open for entry, with invitations, requests, a log and topics.

    The first of the people follows the others.
    """
    first, organiser, *others = people
    made = _announced(
        organiser,
        "Sample Swiss",
        format=Tournament.Format.SWISS,
        most=16,
        starts=now + TOURNAMENT_OPEN,
        late_until=2,
        now=now - AGE / 4,
    )
    for user in others:
        events.join(tournament_id=made.pk, user=user, now=now - AGE / 5)
    acts: Sequence[tuple[OrganiserAct.Kind, dict[str, Any]]] = (
        (OrganiserAct.Kind.MESSAGE, {"reason": "Welcome! We begin next week."}),
        (OrganiserAct.Kind.LINK, {}),
        (OrganiserAct.Kind.INVITE, {"name": first.username}),
        (OrganiserAct.Kind.SHARE, {"name": others[0].username}),
    )
    for number, (kind, values) in enumerate(acts):
        at = now - AGE / 10 + timedelta(minutes=number)
        organising.act(tournament_id=made.pk, user=organiser, kind=kind, now=at, **values)
    _topics(Board(tournament=made), [organiser, *others], now)
    for user in (organiser, *others):
        follows.follow(user=first, other=user, now=now)


def _running_tournament(people: Sequence[User], now: datetime, chance: random.Random) -> None:
    """Let a round robin of the first club run, with one pairing settled and a log."""
    organiser = people[0]
    made = _announced(
        organiser,
        "Sample Round Robin",
        format=Tournament.Format.ROUND_ROBIN,
        most=len(people),
        starts=now + TOURNAMENT_OPEN,
        club_id=Club.objects.get(name=CLUBS[0].name).pk,
        rated=False,
        now=now,
    )
    for user in people:
        events.join(tournament_id=made.pk, user=user, now=now)
    events.advance(made.pk, now=now)
    tables = Table.objects.filter(round__tournament=made).order_by("number")
    for table in tables:
        if table.match_id is not None:
            _play(table.match_id, RUNNING_MOVES, now, PACE, chance)
    # Organisers settle no pairing of their own.
    of_others = tables.exclude(table_seats__entry__user=organiser)[0]
    winner = of_others.table_seats.order_by("seat")[0].entry.user.username
    settled = {"table": of_others.pk, "outcome": winner, "reason": "Both asked me to."}
    acts: Sequence[tuple[OrganiserAct.Kind, dict[str, Any]]] = (
        (OrganiserAct.Kind.MESSAGE, {"reason": "All matches have begun. Have fun!"}),
        (OrganiserAct.Kind.EXTEND, {"days": 3, "reason": "A holiday is in this round."}),
        (OrganiserAct.Kind.SETTLE, settled),
    )
    for number, (kind, values) in enumerate(acts):
        at = now + PACE * (RUNNING_MOVES + 1) + timedelta(minutes=number)
        organising.act(tournament_id=made.pk, user=organiser, kind=kind, now=at, **values)


def _ladder(people: Sequence[User], now: datetime) -> None:
    """Found a ladder in the first club."""
    title = next(one.meta.slug for one in registry.titles().values() if is_for_two(one.meta))
    club = Club.objects.get(name=CLUBS[0].name)
    ladders.found(club_id=club.pk, leader=people[0], title=title, now=now - AGE / 4)
    for user in people:
        ladders.join(user=user, title=title, club_id=club.pk, now=now - AGE / 5)


def _team_match(
    people: Sequence[User], now: datetime, chance: random.Random, *, plays_on: bool
) -> None:
    """Let the first two clubs play at two boards. It has ended unless it goes on."""
    ada, bruno, clara, daniel = people
    title = next(iter(registry.titles().values()))
    harbour, other = Club.objects.filter(name__in=[one.name for one in CLUBS[:2]]).order_by("pk")
    made = teams.challenge(
        club_id=harbour.pk,
        leader=ada,
        opponent_id=other.pk,
        title=title.meta.slug,
        params={},
        clock=PRESETS["standard"],
        boards=2,
        rated=False,
        due=now + TOURNAMENT_OPEN,
        ends=now + TOURNAMENT_OPEN * 6,
        now=now,
    )
    teams.answer(team_match_id=made.pk, leader=bruno, accepts=True, now=now)
    line_ups = ((1, ada, (clara, daniel)), (2, bruno, (bruno, ada)))
    for team, leader, players in line_ups:
        for user in players:
            teams.sign_up(team_match_id=made.pk, user=user, team=team, now=now)
        ids = [user.pk for user in players]
        made = teams.set_line_up(
            team_match_id=made.pk, leader=leader, players=ids, team=team, now=now
        )
    tournament = Tournament.objects.get(team_match=made)
    events.advance(tournament.pk, now=now)
    begun = Match.objects.filter(tournament_table__round__tournament=tournament)
    for match in begun.order_by("pk"):
        moment = _play(match.pk, RUNNING_MOVES, now, PACE, chance)
        if not plays_on:
            _resign(match.pk, chance, moment)
    if not plays_on:
        events.advance(tournament.pk, now=now + PACE * (RUNNING_MOVES + 2))


def _resign(match_id: int, chance: random.Random, now: datetime) -> None:
    snapshot = selectors.snapshot(match_id)
    if snapshot.match.is_running:
        services.resign(
            match_id=match_id,
            user=chance.choice(snapshot.players).user,
            version=snapshot.match.version,
            submission=uuid4(),
            now=now,
        )


def _finished(title: AnyGame, people: Sequence[User], now: datetime, chance: random.Random) -> None:
    match = _match(title, people, now, rated=True)
    pace = AGE * 0.9 / MAX_MOVES
    moment = _play(match.pk, MAX_MOVES, now, pace, chance)
    if selectors.snapshot(match.pk).match.is_running:
        _agree(match.pk, moment)


def _running(title: AnyGame, people: Sequence[User], now: datetime, chance: random.Random) -> None:
    match = _match(title, people, now)
    _play(match.pk, RUNNING_MOVES, now, PACE, chance)


def _play(
    match_id: int, count: int, now: datetime, pace: timedelta, chance: random.Random
) -> datetime:
    """Play random moves at a steady pace, and return the time after the last one."""
    for number in range(1, count + 1):
        moment = now + pace * number
        snapshot = selectors.snapshot(match_id)
        if not snapshot.actors:
            return moment
        seat = snapshot.actors[0]
        moves = list(islice(snapshot.title.moves(snapshot.state, seat), CHOICE))
        services.play_move(
            match_id=match_id,
            user=snapshot.players[seat].user,
            texts=[str(chance.choice(moves))],
            version=snapshot.match.version,
            submission=uuid4(),
            now=moment,
        )
    return now + pace * (count + 1)


def _agree(match_id: int, now: datetime) -> None:
    first, *others = selectors.snapshot(match_id).players
    for player in (first, *others):
        service = services.offer_close if player is first else services.accept_offer
        service(
            match_id=match_id,
            user=player.user,
            version=selectors.snapshot(match_id).match.version,
            submission=uuid4(),
            now=now,
        )
