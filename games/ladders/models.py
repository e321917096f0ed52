"""Ladders, the places on them and the challenges for places."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.clubs.models import Club
from games.lobby.models import Challenge


class Ladder(models.Model):
    """The ladder of a game. The lock of this row lets one change at a time."""

    title = models.CharField("game", max_length=60, primary_key=True)

    def __str__(self) -> str:
        return f"ladder of {self.title}"


class ClubLadder(models.Model):
    """The ladder of a game for the members of a club. Its lock does the same.

    The row is deleted when a leader closes the ladder.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="ladders", db_index=False)
    title = models.CharField("game", max_length=60)
    founded = models.DateTimeField()

    class Meta:
        ordering = ("founded", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "title"], name="one_ladder_a_club_and_game"),
        )

    def __str__(self) -> str:
        return f"ladder of {self.title} in {self.club}"


class LadderPlace(models.Model):
    """The place of a player: 1 is the top, and there are no gaps.

    ``club`` is null on the ladder of the whole site.
    ``active`` is when the player joined, last made a ladder challenge or last ended a ladder match.
    """

    title = models.CharField("game", max_length=60)
    club = models.ForeignKey(
        Club, models.CASCADE, null=True, blank=True, related_name="+", db_index=False
    )
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    position = models.PositiveIntegerField()
    joined = models.DateTimeField()
    active = models.DateTimeField()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "title"], name="one_place_a_ladder", condition=Q(club=None)
            ),
            models.UniqueConstraint(
                fields=["club", "user", "title"],
                name="one_place_a_club_ladder",
                condition=Q(club__isnull=False),
            ),
        )
        indexes = (
            models.Index(fields=["title", "position"], name="ladder_in_order"),
            models.Index(
                fields=["club", "title", "position"],
                name="club_ladder_in_order",
                condition=Q(club__isnull=False),
            ),
            models.Index(fields=["active"], name="ladder_idle"),
            models.Index(fields=["-joined"], name="ladder_newcomers"),
        )

    def __str__(self) -> str:
        return f"{self.user} at {self.position} in {self.title}"


class LadderChallenge(models.Model):
    """A challenge for the place of a player above. ``challenge`` is the one in the lobby.

    ``club`` is null on the ladder of the whole site. ``closed`` is when the outcome was known.
    """

    class Outcome(models.TextChoices):
        PENDING = "", "waiting for an answer, or being played"
        WON = "won", "the challenger won"
        HELD = "held", "the challenged player kept the place"
        FORFEITED = "forfeited", "the challenged player didn't play"
        VOID = "void", "nothing changed"

    title = models.CharField("game", max_length=60)
    club = models.ForeignKey(Club, models.CASCADE, null=True, blank=True, related_name="+")
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
