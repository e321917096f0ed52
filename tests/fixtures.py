"""What tests of matches and challenges share: people, a toy game, and a running match of it."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest

from accounts.models import User
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.kernel import registry
from games.matches import selectors, services
from games.matches.clock import PRESETS, Clock
from games.matches.models import Match
from games.matches.services import Participant
from games.matches.update import Outcome
from tests.example_games import heap

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture
def toy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put the toy game on the shelf, alone."""
    shelf = {heap.META.slug: heap.TITLE}
    monkeypatch.setattr(registry, "titles", lambda: shelf)


@pytest.fixture
def people(db: None) -> list[User]:
    """Four people."""
    names = ("ada", "bruno", "clara", "daniel")
    return [User.objects.create(username=n, email=f"{n}@example.org") for n in names]


class Play:
    """A match of the toy game and short names for what is done with it."""

    def __init__(self, match: Match, people: list[User]) -> None:
        self.id = match.pk
        self.people = people

    @property
    def snapshot(self) -> selectors.MatchSnapshot:
        return selectors.snapshot(self.id)

    @property
    def match(self) -> Match:
        return self.snapshot.match

    def player(self, seat: int) -> Any:
        return self.snapshot.players[seat]

    def move(self, seat: int, *texts: str, now: datetime = NOW, **kwargs: Any) -> Outcome:
        return self.act(services.play_move, seat, texts=texts, now=now, **kwargs)

    def act(
        self, service: Callable[..., Outcome], seat: int, now: datetime = NOW, **kwargs: Any
    ) -> Outcome:
        kwargs.setdefault("version", self.match.version)
        kwargs.setdefault("submission", uuid4())
        return service(match_id=self.id, user=self.people[seat], now=now, **kwargs)

    def kinds(self) -> list[str]:
        return [entry.kind for entry in selectors.log(self.match)]


@pytest.fixture
def start(toy: None, people: list[User]) -> Callable[..., Play]:
    """Start a match of the toy game: ``start(seats=2, clock=…, heap=10, free=False)``.

    The last of the seats are those of ``bots``.
    """

    def _start(
        seats: int = 2,
        clock: Clock | None = PRESETS["standard"],
        now: datetime = NOW,
        bots: int = 0,
        **params: Any,
    ) -> Play:
        seated = people[: seats - bots]
        seated += [user_of(LEVELS[1], number) for number in range(1, bots + 1)]
        participants = [Participant(user, bytes([seat]) * 32) for seat, user in enumerate(seated)]
        match = services.start(
            title="heap",
            params={"heap": 10, "free": False, **params},
            clock=clock,
            secret=b"s" * 32,
            participants=participants,
            last_joiner=people[0],
            now=now,
        )
        return Play(match, seated if bots else people)

    return _start


@pytest.fixture
def play(start: Callable[..., Play]) -> Play:
    """A match of two with the standard clock, just begun."""
    return start()
