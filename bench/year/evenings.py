"""Evenings on which many friends want something from one player within an hour.

They challenge the player, and the day after all come and move: more events than mails are allowed.
"""

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

from bench.year.plain import DAY
from bench.year.visits import Person
from bench.year.world import World
from games.matches.clock import PRESETS

FIRST, EVERY = 9 * DAY, 30 * DAY
MINUTES = 50
"""Minutes within which all come."""

LATER = timedelta(hours=2)
"""When the host comes: by then delayed mails have been sent."""

TERMS = {"title": "die", "params": {"size": 3}, "seats": 2}


class Evenings:
    """A host, and the friends who come."""

    def __init__(self, world: World, host: Person, friends: Sequence[Person], seed: str) -> None:
        self.world, self.host, self.friends = world, host, friends
        self.chance = random.Random(f"evenings {seed}")
        world.plan(world.now + FIRST, self.begin)

    def begin(self) -> bool:
        """Let all challenge the host, who then accepts. The day after let them move."""
        now = self.world.now
        self.world.done["evenings"] += 1
        self._let_come(now, self._challenge)
        self.world.plan(now + LATER, lambda: self._visit(self.host))
        self._let_come(now + DAY, self._visit)
        self.world.plan(now + DAY + LATER, lambda: self._visit(self.host))
        self.world.plan(now + EVERY, self.begin)
        return False

    def _let_come(self, since: datetime, what: Callable[[Person], bool]) -> None:
        for friend in self.friends:
            at = since + timedelta(minutes=self.chance.uniform(0, MINUTES))
            self.world.plan(at, partial(what, friend))

    def _challenge(self, friend: Person) -> bool:
        if friend.is_away:
            return False
        friend.offer(PRESETS["standard"], [self.host.user], **TERMS)
        return True

    def _visit(self, person: Person) -> bool:
        if person.is_away:
            return False
        person.look_after_all()
        return True
