"""Sample players and matches, so that a first look at the site finds it alive.

Everything goes through the services, so that what is made here is what people would make.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import islice
from uuid import uuid4

from django.db import transaction

from accounts import notifications
from accounts.delivery.models import DeliverySettings
from accounts.models import User
from accounts.services import create_user
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.kernel import params as parameters
from games.kernel import registry
from games.kernel.contract import AnyGame
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import selectors, services
from games.matches.clocks.clock import PRESETS
from games.matches.models import Match

NAMES = ("sample-ada", "sample-bruno", "sample-clara", "sample-daniel")
SAMPLE_DESCRIPTION = "A sample player, made so that there is something to look at."
MESSAGE = "A sample challenge: a bot answers your moves."
AGE = timedelta(days=20)
PACE = timedelta(hours=5)
MAX_MOVES = 150
"""Moves after which a sample match ends by agreement."""

OPPONENTS = LEVELS[1]
"""The level of the bots in running sample matches."""

RUNNING_MOVES = 6
"""Moves in a running sample match."""

CHOICE = 400
"""How many legal moves a sample player looks at."""


def fill(*, now: datetime, password: str, seed: int = 1) -> None:
    """Make sample players, and for each game two matches, one against bots, and a challenge.

    Does nothing where there are sample players already.
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
    """Play random moves at a steady pace; return the moment after the last one."""
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
    """Let all players agree to end the match."""
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
