"""People of the bench, signed in, and the matches that they play."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.test import Client
from django.utils import timezone
from django.utils.crypto import get_random_string

from accounts.models import User
from bench.connections import Browser
from games.kernel import registry
from games.kernel.contract import AnyGame, Params, Seat
from games.kernel.dice import CommittedDice, match_key
from games.kernel.params import complete
from games.matches import services
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match
from tests.contract.random_play import chosen_move

TITLE = "die"
SEATS = 2
PARAMS: Mapping[str, Params] = {TITLE: {"size": 6}}
"""Parameters of scripts that differ from a game's defaults."""

LONGEST = 120
"""Maximum number of prepared moves of a match."""


def make(count: int, prefix: str) -> list[User]:
    """Return users without passwords, and create those that no earlier section has."""
    names = [f"{prefix}-{number}" for number in range(count)]
    users = [User(username=name, email=f"{name}@example.org", password="!") for name in names]
    User.objects.bulk_create(users, ignore_conflicts=True)
    return list(User.objects.filter(username__in=names).order_by("pk"))


def sign_in(user: User, port: int = 0) -> Browser:
    client = Client()
    client.force_login(user)
    token = get_random_string(32)
    session, name = client.cookies[settings.SESSION_COOKIE_NAME].value, settings.CSRF_COOKIE_NAME
    cookies = f"{settings.SESSION_COOKIE_NAME}={session}; {name}={token}"
    return Browser(port, cookies, token)


def start(
    players: Sequence[User],
    title: str = TITLE,
    params: Params | None = None,
    *,
    clock: Clock | None = PRESETS["standard"],
    secret: bytes = b"s" * 32,
) -> Match:
    """Start a match, by default of DIE and with the standard clock."""
    return services.start(
        title=title,
        params=complete(registry.get(title).meta, params or {}),
        clock=clock,
        secret=secret,
        participants=[
            services.Participant(user, nonce)
            for user, nonce in zip(players, _nonces(), strict=True)
        ],
        last_joiner=players[-1],
        now=timezone.now(),
    )


def _nonces() -> list[bytes]:
    return [bytes([seat]) * 32 for seat in range(SEATS)]


# --- Prepared matches -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Script:
    """A match: seat and text of each move, in order, for the dice that the match will roll."""

    title: str
    secret: bytes
    moves: tuple[tuple[Seat, str], ...]

    def start(self, players: Sequence[User]) -> Match:
        return start(players, self.title, PARAMS.get(self.title), secret=self.secret)

    def play(self, players: Sequence[User], moves: int = LONGEST) -> Match:
        """Start the match, and play its first moves."""
        match = self.start(players)
        for version, (seat, text) in enumerate(self.moves[:moves]):
            services.play_move(
                match_id=match.pk,
                user=players[seat],
                texts=[text],
                version=version,
                submission=uuid4(),
                now=timezone.now(),
            )
        match.refresh_from_db()
        return match


Choose = Callable[[AnyGame, Any, Seat, random.Random], str]
"""Returns the text of a legal move."""


@cache
def script(
    title: str = TITLE, seed: int = 0, longest: int = LONGEST, choose: Choose = chosen_move
) -> Script:
    """Write a match, by default of random moves."""
    game, rng = registry.get(title), random.Random(seed)
    secret = hashlib.sha256(str(seed).encode()).digest()
    key, rolls = match_key(secret, _nonces()), 0
    dice = CommittedDice(key)
    state = game.setup(SEATS, complete(game.meta, PARAMS.get(title, {})), dice)
    moves: list[tuple[Seat, str]] = []
    while (actors := game.actors(state)) and len(moves) < longest:
        rolls += sum(isinstance(outcome, int) for outcome in dice.drawn)
        text = choose(game, state, actors[0], rng)
        dice = CommittedDice(key, rolls)
        state, _ = game.play(state, actors[0], game.parse(text), dice)
        moves.append((actors[0], text))
    return Script(title, secret, tuple(moves))
