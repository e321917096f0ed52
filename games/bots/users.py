"""The users of bots, whose names show that they are bots."""

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext, gettext_noop

from accounts.models import User
from accounts.names import BOT
from games.bots.levels import LEVELS, Level
from games.kernel import registry

BOT_DESCRIPTION = gettext_noop(
    "A computer player of the site. It sees what a player in its seat sees, and nothing else."
)
"""Stored in English; pages translate it."""


def names() -> dict[str, tuple[Level, int]]:
    """Return the names of all bots that a person can play, with level and number."""
    most = max(title.meta.seats[1] for title in registry.titles().values())
    return {_name(level, number): (level, number) for level in LEVELS for number in range(1, most)}


def _name(level: Level, number: int) -> str:
    return f"{BOT}{level.name}" + (f"-{number}" if number > 1 else "")


def user_of(level: Level, number: int = 1) -> User:
    """Return a user of a level, created on first use.

    In a match of several bots of a level each has a number, from 1: ``bot-casual-2``.
    """
    name = _name(level, number)
    try:
        with transaction.atomic():
            made = {"about": BOT_DESCRIPTION, "password": make_password(None)}
            return User.objects.get_or_create(username=name, is_bot=True, defaults=made)[0]
    except IntegrityError:
        return User.objects.get(username=name, is_bot=True)


def user_named(name: str) -> User | None:
    """Return the bot with this name, created on first use. ``None`` if there is no such bot."""
    found = names().get(name.lower())
    return user_of(*found) if found else None


def about(user: User) -> str:
    """Return the text of a user's profile. A bot's is translated."""
    return gettext(BOT_DESCRIPTION) if user.about == BOT_DESCRIPTION else user.about


def level_of(user: User) -> Level:
    name = user.username.removeprefix(BOT).partition("-")[0]
    return next(level for level in LEVELS if level.name == name)
