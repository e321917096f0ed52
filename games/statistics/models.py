"""Counts of ended matches, and the progress of counting."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext as _

from games.matches.models import Match


class Company(models.TextChoices):
    """The kinds of players by which matches are counted separately."""

    PEOPLE = "people", "between people"
    BOTS = "bots", "with bots"
    GUESTS = "guests", "with guests"

    @property
    def heading(self) -> str:
        """The kind of matches, as pages name it."""
        headings = {
            Company.PEOPLE: _("Between people"),
            Company.BOTS: _("With bots"),
            Company.GUESTS: _("With guests"),
        }
        return headings[self]


class Kind(models.TextChoices):
    """The kinds of counts. :mod:`games.statistics.facts` explains their keys."""

    WEEK = "week", "matches by week"
    SEAT = "seat", "results by seat"
    LENGTH = "length", "matches by their number of moves"
    ENDING = "ending", "matches by how they ended"
    PACE = "pace", "moves by how long they took"
    RESULT = "result", "matches by result"
    VARIANT = "variant", "matches by their parameters"


class Progress(models.Model):
    """The progress of counting: one row, which is locked while counting.

    ``ended`` and ``voided`` are the last times at which a counted match ended, or lost its result.
    Starting over raises ``run``.
    """

    THE_ONE: ClassVar = 1

    run = models.PositiveIntegerField(default=1)
    ended = models.DateTimeField(null=True, blank=True)
    voided = models.DateTimeField(null=True, blank=True)
    counted_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"run {self.run}, up to {self.ended}"


class MatchCounts(models.Model):
    """The contribution of a match, so that it is counted once and can be subtracted again.

    ``run`` is that of the :class:`Progress` in which it was last counted. An earlier one means that
    it has to be counted again. ``company`` stays as it was the first time: a guest may have become
    somebody else, or nobody. ``counts`` is a dump of :class:`~games.statistics.facts.Facts`.
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
    """How often ``key`` occurred in a game, for a kind of count."""

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
    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["title", "company", "kind", "key"], name="one_count_of_a_game"
            ),
        )


class Variant(models.Model):
    """The parameters and number of seats of a game, with the key ``digest``."""

    digest = models.CharField(max_length=16, unique=True)
    title = models.CharField("game", max_length=60)
    seats = models.PositiveSmallIntegerField()
    params = models.JSONField()

    def __str__(self) -> str:
        return f"{self.title} for {self.seats}, {self.params}"


class OpeningCount(models.Model):
    """The number of matches that began with a move that touches a mark of the board."""

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
    """How often a player finished ahead of another (``won``), level (``tied``) or behind."""

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
    """A player's current run of equal results, and their longest run of wins."""

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
        self.length = self.length + 1 if result == self.result else 1
        self.result = result
        if result == "won":
            self.longest = max(self.longest, self.length)


class Stale(models.Model):
    """A player whose counts have to be recomputed from :class:`MatchCounts`."""

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"{self.user} is to be counted again"
