"""Tournaments, who entered, and the tables of each round."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse

from accounts import texts
from games.matches.clocks.clock import DAY, Clock
from games.matches.models import MAX_SEATS, Match


class Tournament(models.Model):
    """A tournament, from the announcement to the final standings.

    It begins at ``starts`` if ``least`` players have entered, or as soon as ``most`` have if it
    ``begins_when_full``.
    ``rounds`` counts for Swiss tournaments and tables of several seats; elsewhere the field
    decides. Matches that still run ``round_days`` after the start of their round are ended.
    ``organiser`` is null for tournaments of the site, and for those whose organiser left.

    ``changes`` counts the changes that its page shows, as ``Match.version`` does for a match.

    Of the tournaments of a ``series``, one is open or running. Each round of a league begins
    ``pause_hours`` after the one before.
    """

    class Format(models.TextChoices):
        """Who plays whom."""

        ROUND_ROBIN = "round-robin", "Round robin"
        SWISS = "swiss", "Swiss"
        KNOCK_OUT = "knock-out", "Knock-out"
        DOUBLE = "double", "Double elimination"
        GROUPS = "groups", "Groups, then finals"

    class Status(models.TextChoices):
        """How far it is."""

        OPEN = "open", "open for entry"
        RUNNING = "running", "running"
        FINISHED = "finished", "finished"
        CANCELLED = "cancelled", "cancelled"

    CURRENT = (Status.OPEN, Status.RUNNING)
    """The statuses of a tournament that isn't over."""

    name = texts.LineField(max_length=60)
    about = texts.LinesField(max_length=1000, blank=True)
    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    clock = models.JSONField()
    seats = models.PositiveSmallIntegerField(default=2)
    format = models.CharField(max_length=11, choices=Format)
    rounds = models.PositiveSmallIntegerField(default=0)
    least = models.PositiveSmallIntegerField()
    most = models.PositiveSmallIntegerField()
    starts = models.DateTimeField()
    begins_when_full = models.BooleanField(default=True, db_default=True)
    round_days = models.PositiveSmallIntegerField()
    pause_hours = models.PositiveSmallIntegerField(default=0)
    rated = models.BooleanField(default=True)
    series = models.CharField(max_length=80, blank=True)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="tournaments",
    )
    seed = models.CharField(max_length=32)
    status = models.CharField(max_length=9, choices=Status, default=Status.OPEN)
    created = models.DateTimeField()
    began = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)
    changes = models.PositiveIntegerField(default=0, db_default=0, editable=False)

    class Meta:
        ordering = ("-created", "-pk")
        indexes = (
            models.Index(fields=["status", "starts"], name="tournament_due"),
            models.Index(fields=["status", "-ended"], name="tournament_over"),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=["open", "running", "finished", "cancelled"]),
                name="tournament_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(format__in=["round-robin", "swiss", "knock-out", "double", "groups"]),
                name="tournament_format_is_known",
            ),
            models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=MAX_SEATS, least__gte=2, most__gte=F("least")),
                name="tournament_sizes",
            ),
            models.UniqueConstraint(
                fields=["series"],
                condition=Q(status__in=["open", "running"]) & ~Q(series=""),
                name="one_tournament_a_series",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        """Return the address of its page."""
        return reverse("event", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """Whether players may enter."""
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        """Whether it has begun and isn't over."""
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        """Whether it was played to the end."""
        return self.status == self.Status.FINISHED

    @property
    def time_control(self) -> Clock | None:
        """The clock of its matches."""
        return Clock.load(self.clock)

    @property
    def lives(self) -> int:
        """After how many losses a player is out; 0 if nobody is ever out."""
        return {self.Format.KNOCK_OUT: 1, self.Format.DOUBLE: 2}.get(self.Format(self.format), 0)

    @property
    def has_groups(self) -> bool:
        """Whether groups play first, as round 1, and the finals are a knock-out."""
        return self.format == self.Format.GROUPS

    def pause_ends(self, last: "Round") -> datetime:
        """Return the earliest moment at which the round after another begins."""
        return last.began + timedelta(hours=self.pause_hours)

    @property
    def is_simultaneous(self) -> bool:
        """Whether all rounds begin together, as one."""
        return self.format == self.Format.ROUND_ROBIN and not self.pause_hours


class Entry(models.Model):
    """A player of a tournament.

    ``number`` is the place in the draw, from 1, the strongest first; null until it begins.
    ``place`` is the final place. A substitute of a Swiss tournament ``replaces`` a player who left.
    """

    class Why(models.TextChoices):
        """Why a player left."""

        WITHDREW = "withdrew", "withdrew"
        GONE = "gone", "account closed or suspended"

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="tournament_entries"
    )
    number = models.PositiveSmallIntegerField(null=True, blank=True)
    joined = models.DateTimeField()
    left = models.DateTimeField(null=True, blank=True)
    why = models.CharField(max_length=8, choices=Why, blank=True)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    replaces = models.OneToOneField(
        "self", models.SET_NULL, null=True, blank=True, related_name="substitute"
    )

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("number", "joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_entry_a_player"),
        )
        indexes = (
            models.Index(fields=["user", "place"], name="entry_titles", condition=Q(place=1)),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.tournament}"


class Waiting(models.Model):
    """A user on the waiting list of a tournament; the first to join is the first to enter."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="waiting")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    joined = models.DateTimeField()

    class Meta:
        verbose_name_plural = "waiting"
        ordering = ("joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_wait_a_player"),
        )

    def __str__(self) -> str:
        return f"{self.user} waiting for {self.tournament}"


class Round(models.Model):
    """A round, with the moment when its matches are ended.

    ``reminded`` is when those to move were reminded of the deadline.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="played_rounds")
    number = models.PositiveSmallIntegerField()
    began = models.DateTimeField()
    deadline = models.DateTimeField()
    reminded = models.DateTimeField(null=True, blank=True)
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),
        )

    def __str__(self) -> str:
        return f"round {self.number} of {self.tournament}"

    @property
    def reminder(self) -> datetime:
        """When those to move are reminded: a day before the deadline, in short rounds less."""
        return self.deadline - min(DAY, (self.deadline - self.began) / 4)


class Table(models.Model):
    """A match of a round, or a bye, which has no match and one seat."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="tournament_table"
    )
    ended = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["round", "number"], name="one_table_a_number"),
        )

    def __str__(self) -> str:
        return f"table {self.number} of {self.round}"


class TableSeat(models.Model):
    """A player at a table; ``rank`` is the result in the tournament.

    It is null while the match runs, and of players whose match has no result.
    """

    table = models.ForeignKey(Table, models.CASCADE, related_name="table_seats")
    seat = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.CASCADE, related_name="table_seats")
    rank = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint(fields=["table", "seat"], name="one_player_a_table_seat"),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of {self.table}"
