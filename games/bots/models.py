"""Stored data about bots."""

import secrets

from django.db import models

from games.matches.models import Player


def new_seed() -> str:
    """Return a seed that is independent of the secret of a match's dice."""
    return secrets.token_hex(16)


class BotSeat(models.Model):
    """A seat that a bot plays, with the seed of its choices, so that it repeats the same move.

    ``asked`` is the last heartbeat of a thinker that works for it. Null without one.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="bot_seat")
    seed = models.CharField(max_length=32, default=new_seed)
    asked = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"bot of {self.player}"
