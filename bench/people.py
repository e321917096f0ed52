"""People of the bench, signed in, and the matches that they play."""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from uuid import uuid4

from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from games.kernel import registry
from games.kernel.dice import no_dice
from games.matches import services
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match
from games.matches.services import Participant

TITLE = "die"


@dataclass(frozen=True)
class Person:
    """A person with a signed-in browser: its cookies, and the token of its forms."""

    user: User
    cookies: str
    token: str


def make(count: int, prefix: str) -> list[User]:
    """Return users without passwords, and create those that no earlier section has."""
    users = [
        User(username=f"{prefix}-{number}", email=f"{prefix}-{number}@example.org", password="!")
        for number in range(count)
    ]
    User.objects.bulk_create(users, ignore_conflicts=True)
    names = [user.username for user in users]
    return list(User.objects.filter(username__in=names).order_by("pk"))


def sign_in(user: User) -> Person:
    client = Client()
    client.force_login(user)
    token = get_random_string(32)
    cookies = {
        settings.SESSION_COOKIE_NAME: client.cookies[settings.SESSION_COOKIE_NAME].value,
        settings.CSRF_COOKIE_NAME: token,
    }
    return Person(user, "; ".join(f"{name}={value}" for name, value in cookies.items()), token)


STANDARD = PRESETS["standard"]


def start(
    players: Sequence[User],
    size: int,
    now: datetime | None = None,
    clock: Clock | None = STANDARD,
) -> Match:
    """Start a match of DIE, by default with the standard clock."""
    return services.start(
        title=TITLE,
        params={"size": size},
        clock=clock,
        secret=b"s" * 32,
        participants=[Participant(user, bytes([seat]) * 32) for seat, user in enumerate(players)],
        last_joiner=players[-1],
        now=now or timezone.now(),
    )


@cache
def record(size: int, seed: int) -> tuple[str, ...]:
    """Return the moves of a whole random match."""
    rng, title = random.Random(seed), registry.get(TITLE)
    state, texts = title.setup(2, {"size": size}, no_dice()), []
    while actors := title.actors(state):
        move = rng.choice(list(title.moves(state, actors[0])))
        state, _ = title.play(state, actors[0], move, no_dice())
        texts.append(str(move))
    return tuple(texts)


def play_half(match: Match, players: Sequence[User]) -> Match:
    """Play the first half of a match."""
    texts = record(match.params["size"], match.pk)
    for version, text in enumerate(texts[: len(texts) // 2]):
        services.play_move(
            match_id=match.pk,
            user=players[version % 2],
            texts=[text],
            version=version,
            submission=uuid4(),
            now=timezone.now(),
        )
    return match
