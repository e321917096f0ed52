"""Ladders, the places on them and the challenges for places."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.lobby.models import Challenge


class Ladder(models.Model):
    """The ladder of a game. The lock of this row lets one change at a time."""

    title = models.CharField("game", max_length=60, primary_key=True)

    def __str__(self) -> str:
        return f"ladder of {self.title}"


class LadderPlace(models.Model):
    """The place of a player: 1 is the top, and there are no gaps.

    ``active`` is when the player joined, last made a ladder challenge or last ended a ladder match.
    """

    title = models.CharField("game", max_length=60)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    joined = models.DateTimeField()
    active = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "title"], name="one_place_a_ladder"),
        )
        indexes = (
            models.Index(fields=["title", "position"], name="ladder_in_order"),
            models.Index(fields=["active"], name="ladder_idle"),
            models.Index(fields=["-joined"], name="ladder_newcomers"),
        )

    def __str__(self) -> str:
        return f"{self.user} at {self.position} in {self.title}"


class LadderChallenge(models.Model):
    """A challenge for the place of a player above. ``challenge`` is the one in the lobby.

    ``closed`` is when the outcome was known.
    """

    class Outcome(models.TextChoices):
        PENDING = "", "waiting for an answer, or being played"
        WON = "won", "the challenger won"
        HELD = "held", "the challenged player kept the place"
        FORFEITED = "forfeited", "the challenged player didn't play"
        VOID = "void", "nothing changed"

    title = models.CharField("game", max_length=60)
    challenge = models.OneToOneField(Challenge, models.CASCADE, related_name="ladder")
    challenger = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    defender = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    created = models.DateTimeField()
    outcome = models.CharField(max_length=9, choices=Outcome, blank=True, default=Outcome.PENDING)
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            models.Index(fields=["title"], name="ladder_pending", condition=Q(outcome="")),
            models.Index(
                fields=["-closed"],
                name="ladder_places_taken",
                condition=Q(outcome__in=["won", "forfeited"]),
            ),
            models.Index(fields=["challenger", "defender", "-closed"], name="ladder_pair"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(outcome__in=["", "won", "held", "forfeited", "void"]),
                name="ladder_outcome_is_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.challenger} for the place of {self.defender}"
