"""Prepared matches: the moves, for the dice that the match will roll."""

import hashlib
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from django.utils import timezone

from accounts.models import User
from games.kernel import registry
from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import CommittedDice, match_key
from games.kernel.params import complete
from games.kernel.views import Json
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.matches.services import Participant
from tests.contract.random_play import chosen_move

SEATS = 2
PARAMS: Mapping[str, Mapping[str, Json]] = {"die": {"size": 6}}
"""Parameters that differ from a game's defaults."""

LONGEST = 120
"""Maximum number of prepared moves of a match."""


@dataclass(frozen=True)
class Script:
    """A match: seat and text of each move, in order."""

    title: str
    seed: int
    moves: tuple[tuple[Seat, str], ...]


Choose = Callable[[AnyGame, Any, Seat, random.Random], str]
"""Returns the text of a legal move."""


def at_random(game: AnyGame, state: Any, seat: Seat, rng: random.Random) -> str:
    """Return the text of a random legal move."""
    return str(chosen_move(game, state, seat, rng))


@cache
def write(title: str, seed: int, longest: int = LONGEST, choose: Choose = at_random) -> Script:
    """Play a match by the dice that :func:`start` will give it."""
    game, rng = registry.get(title), random.Random(seed)
    key, rolls = match_key(_secret(seed), _nonces()), 0
    dice = CommittedDice(key)
    state = game.setup(SEATS, complete(game.meta, PARAMS.get(title, {})), dice)
    moves: list[tuple[Seat, str]] = []
    while (actors := game.actors(state)) and len(moves) < longest:
        rolls += sum(isinstance(outcome, int) for outcome in dice.drawn)
        text = choose(game, state, actors[0], rng)
        dice = CommittedDice(key, rolls)
        state, _ = game.play(state, actors[0], game.parse(text), dice)
        moves.append((actors[0], text))
    return Script(title, seed, tuple(moves))


def start(script: Script, players: Sequence[User]) -> Match:
    """Start the match of a script."""
    game = registry.get(script.title)
    nonces = zip(players, _nonces(), strict=True)
    return services.start(
        title=script.title,
        params=complete(game.meta, PARAMS.get(script.title, {})),
        clock=PRESETS["standard"],
        secret=_secret(script.seed),
        participants=[Participant(user, nonce) for user, nonce in nonces],
        last_joiner=players[-1],
        now=timezone.now(),
    )


def _secret(seed: int) -> bytes:
    return hashlib.sha256(str(seed).encode()).digest()


def _nonces() -> list[bytes]:
    return [bytes([seat]) * 32 for seat in range(SEATS)]
