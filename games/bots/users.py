"""The users of bots, whose names show that they are bots."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from accounts.models import User
from accounts.names import BOT
from games.bots.levels import LEVELS, Level

BOT_DESCRIPTION = (
    "A computer player of the site. It sees what a player in its seat sees, and nothing else."
)


def user_of(level: Level, number: int = 1) -> User:
    """Return a user of a level, who is made when first wanted.

    In a match of several bots of a level each has a number, from 1: ``bot-casual-2``.
    """
    name = f"{BOT}{level.name}" + (f"-{number}" if number > 1 else "")
    try:
        with transaction.atomic():
            made = {"about": BOT_DESCRIPTION, "password": make_password(None)}
            return User.objects.get_or_create(username=name, is_bot=True, defaults=made)[0]
    except IntegrityError:
        return User.objects.get(username=name, is_bot=True)


def level_of(user: User) -> Level:
    """Return the level of a bot."""
    name = user.username.removeprefix(BOT).partition("-")[0]
    return next(level for level in LEVELS if level.name == name)
