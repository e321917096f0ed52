"""A match of a real game between two who are signed in, for tests of interfaces."""

import random
from collections.abc import Callable
from itertools import islice
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.kernel import params, registry
from games.matches import selectors, services
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.matches.services import Participant


class MatchDriver:
    """A match with short names for what its players do, through services and interfaces."""

    def __init__(self, match_id: int, people: list[User]) -> None:
        self.id = match_id
        self.people = people
        self.page = f"/matches/{match_id}/"

    @property
    def snapshot(self) -> selectors.MatchSnapshot:
        return selectors.snapshot(self.id)

    @property
    def match(self) -> Match:
        return self.snapshot.match

    @property
    def turn(self) -> int:
        return self.snapshot.actors[0]

    def client(self, seat: int | None, **kwargs: Any) -> Client:
        """A browser: of a player, of somebody else (2, 3), or of nobody in particular (None)."""
        client = Client(**kwargs)
        if seat is not None:
            client.force_login(self.people[seat])
        return client

    def form(self, **fields: Any) -> dict[str, Any]:
        """What a form of the page sends now."""
        return {"version": self.match.version, "submission": str(uuid4()), **fields}

    def act(self, service: Callable[..., Any], seat: int, **kwargs: Any) -> Any:
        kwargs = {"version": self.match.version, "submission": uuid4(), **kwargs}
        user, now = self.people[seat], timezone.now()
        return service(match_id=self.id, user=user, now=now, **kwargs)

    def play(self, *texts: str) -> None:
        """Play moves, each by whose turn it is."""
        for text in texts:
            self.act(services.play_move, self.turn, texts=[text])

    def play_on(self, most: int = 1000, seed: int = 1) -> int:
        """Play moves by chance until the end, at most so many; return how many."""
        chance = random.Random(seed)
        for count in range(most):
            at = self.snapshot
            if not at.actors:
                return count
            seat = at.actors[0]
            moves = list(islice(at.title.moves(at.state, seat), 100))
            self.play(str(chance.choice(moves)))
        return most


@pytest.fixture
def match_driver(people: list[User]) -> MatchDriver:
    """A match of DIE on the smallest board, just begun: ada is Red, bruno is Blue."""
    return begin("die", people, size=3)


@pytest.fixture(autouse=True)
def fresh_cache() -> None:
    """Forget how often anybody has come, and where they are."""
    cache.clear()


def begin(slug: str, people: list[User], seats: int = 2, **chosen: Any) -> MatchDriver:
    """Start a match of any game with the standard clock."""
    match = services.start(
        title=slug,
        params=params.complete(registry.get(slug).meta, chosen),
        clock=PRESETS["standard"],
        secret=b"s" * 32,
        participants=[
            Participant(user, bytes([seat]) * 32) for seat, user in enumerate(people[:seats])
        ],
        last_joiner=people[0],
        now=timezone.now(),
    )
    return MatchDriver(match.pk, people)
