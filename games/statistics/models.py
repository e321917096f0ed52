"""What has been counted of ended matches, and how far the counting has come."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.matches.models import Match


class Company(models.TextChoices):
    """Who played a match, as matches are counted apart."""

    PEOPLE = "people", "between people"
    BOTS = "bots", "with bots"
    GUESTS = "guests", "with guests"


class Kind(models.TextChoices):
    """What is counted; :mod:`games.statistics.facts` says by which keys."""

    WEEK = "week", "matches by week"
    SEAT = "seat", "results by seat"
    LENGTH = "length", "matches by their number of moves"
    ENDING = "ending", "matches by how they ended"
    PACE = "pace", "moves by how long they took"
    RESULT = "result", "matches by result"
    VARIANT = "variant", "matches by their parameters"


class Progress(models.Model):
    """The progress of counting: one row, which is locked while counting.

    ``ended`` and ``voided`` are the last moments at which a match ended, or lost its result, that
    has been counted. Starting over raises ``run``.
    """

    THE_ONE: ClassVar = 1

    run = models.PositiveIntegerField(default=1)
    ended = models.DateTimeField(null=True, blank=True)
    voided = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"run {self.run}, up to {self.ended}"


class MatchCounts(models.Model):
    """What a match counts for, so that it is counted once and can be taken out again.

    ``run`` is that of the :class:`Progress` in which it was counted last; an earlier one means
    that it is to be counted again. ``company`` stays as it was the first time: a guest may be
    somebody else, or nobody, later. ``counts`` is what :class:`~games.statistics.facts.Facts`
    dumps.
    """

    match = models.OneToOneField(Match, models.CASCADE, related_name="counts")
    run = models.PositiveIntegerField()
    company = models.CharField(max_length=6, choices=Company)
    counts = models.JSONField()

    class Meta:
        verbose_name_plural = "counts of matches"
        constraints = (
            models.CheckConstraint(
                condition=Q(company__in=["people", "bots", "guests"]),
                name="counts_company_is_known",
            ),
        )

    def __str__(self) -> str:
        return f"counts of {self.match}"


class Count(models.Model):
    """How often ``key`` came in a game, of the kind that is counted."""

    title = models.CharField("game", max_length=60)
    company = models.CharField(max_length=6, choices=Company)
    kind = models.CharField(max_length=8, choices=Kind)
    key = models.CharField(max_length=60)
    number = models.BigIntegerField(default=0)

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.title}, {self.company}, {self.kind} {self.key}: {self.number}"


class GameCount(Count):
    """A number of a game."""

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["title", "company", "kind", "key"], name="one_count_of_a_game"
            ),
        )


class Variant(models.Model):
    """The parameters and the number of seats of a game; ``digest`` names them."""

    digest = models.CharField(max_length=16, unique=True)
    title = models.CharField("game", max_length=60)
    seats = models.PositiveSmallIntegerField()
    params = models.JSONField()

    def __str__(self) -> str:
        return f"{self.title} for {self.seats}, {self.params}"


class OpeningCount(models.Model):
    """How many matches began with a move that touches a mark of the board."""

    variant = models.ForeignKey(Variant, models.CASCADE, related_name="openings")
    company = models.CharField(max_length=6, choices=Company)
    mark = models.CharField(max_length=100)
    number = models.BigIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["variant", "company", "mark"], name="one_count_of_an_opening"
            ),
        )

    def __str__(self) -> str:
        return f"{self.variant}: {self.mark}, {self.number}"


class PlayerCount(Count):
    """A number of a player in a game."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "title", "company", "kind", "key"], name="one_count_of_a_player"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}, {super().__str__()}"


class PairCount(models.Model):
    """How often a player came before another (``won``), level with (``tied``) or after them."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    opponent = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    title = models.CharField("game", max_length=60)
    company = models.CharField(max_length=6, choices=Company)
    won = models.BigIntegerField(default=0)
    tied = models.BigIntegerField(default=0)
    lost = models.BigIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["user", "opponent", "title", "company"], name="one_count_of_a_pair"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} against {self.opponent}: {self.won}, {self.tied}, {self.lost}"


class Streak(models.Model):
    """The results of a player in a row: the last ones alike, and the most wins that ever were."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    company = models.CharField(max_length=6, choices=Company)
    result = models.CharField(max_length=4)
    length = models.PositiveIntegerField(default=0)
    longest = models.PositiveIntegerField(default=0)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["user", "company"], name="one_streak_a_company"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.result} {self.length} times, at most {self.longest} wins"

    def add(self, result: str) -> None:
        """Add the result of the next match."""
        self.length = self.length + 1 if result == self.result else 1
        self.result = result
        if result == "won":
            self.longest = max(self.longest, self.length)


class Stale(models.Model):
    """A player whose counts have to be recomputed from :class:`MatchCounts`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.user} is to be counted again"
