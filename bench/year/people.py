"""The people of the simulation: who they are, since when, and their settings."""

import random
from dataclasses import replace
from datetime import datetime

from accounts.delivery.models import DeliverySettings
from accounts.models import User
from accounts.services import create_user
from bench.year.by_mail import Correspondent
from bench.year.evenings import Evenings
from bench.year.habits import Habits
from bench.year.plain import DAY
from bench.year.visits import Diary, Person
from bench.year.world import World

MOST_FRIENDS = 36
"""Number of friends of the one player who is visited by many at once."""


def settled(world: World, count: int, seed: str) -> tuple[list[Person], Diary]:
    """Create players, who have been members for some time, and let them come."""
    people: list[Person] = []
    diary, chance = Diary(), random.Random(seed)
    for number in range(count):
        habits = Habits.drawn(chance) if number else _of_the_host(Habits.drawn(chance))
        mine = random.Random(f"{seed} {number}")
        person = Person(_member(number, habits, world.now), habits, mine, world, diary, people)
        people.append(person)
        person.plan_visit(world.now)
        Correspondent(person)
    host, *others = people
    Evenings(world, host, others[: min(MOST_FRIENDS, count // 2)], seed)
    return people, diary


def _of_the_host(habits: Habits) -> Habits:
    """Return the habits of a player with all notifications at once, who answers on the site."""
    return replace(habits, mail_off=(), daily=(), quiet=None, forgets=0, by_mail=0)


def _member(number: int, habits: Habits, now: datetime) -> User:
    name = f"player-{number}"
    user = create_user(
        username=name,
        email=f"{name}@example.org",
        password=None,
        confirmed=True,
        date_joined=now - number * DAY,
        time_zone=habits.zone,
        auto_vacation=habits.auto_vacation,
        mail_off=list(habits.mail_off),
    )
    quiet = habits.quiet or (None, None)
    DeliverySettings.objects.create(
        user=user,
        mail_daily=list(habits.daily),
        daily_hour=habits.daily_hour,
        quiet_from=quiet[0],
        quiet_until=quiet[1],
    )
    return user
