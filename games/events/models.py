"""Tournaments, who entered, and the tables of each round."""

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import texts
from games.events import titles
from games.matches.clock import DAY, Clock
from games.matches.models import MAX_SEATS, Match

MAX_WORD = 40
"""Maximum length of what an organiser says about a player, in characters."""


class Tournament(models.Model):
    """A tournament, from the announcement to the final standings.

    It begins at ``starts`` if ``least`` players have entered. If it ``begins_when_full``, it begins
    as soon as ``most`` have. ``rounds`` counts for Swiss tournaments and tables of several seats;
    otherwise it depends on the field. Matches that still run ``round_days`` after the start of
    their round are ended. ``organiser`` is null for tournaments of the site, and for those whose
    organiser left. ``changes`` counts the changes that its page shows, as ``Match.version`` does
    for a match. Of the tournaments of a ``series``, one is open or running at a
    time. They have a ``number`` instead of an ``own_name``. Each round of a league begins
    ``pause_hours`` after the one before.

    Ratings, ended matches, reliability, ``by_invitation`` and ``club`` are conditions of entry.
    ``link`` is the secret part of an address that counts as an invitation, empty without one. In a
    Swiss tournament players may enter until round ``late_until`` begins; 0 if they may not. The
    names in ``tie_breaks`` are in their order, null for tournaments of earlier releases. While it
    is ``paused``, no round begins or ends.

    A match of two clubs (:mod:`games.teams`) is a tournament of the format ``TEAMS``. All its
    matches begin together and end by ``ends``.
    """

    class Format(models.TextChoices):
        ROUND_ROBIN = "round-robin", _("Round robin")
        SWISS = "swiss", _("Swiss")
        KNOCK_OUT = "knock-out", _("Knock-out")
        DOUBLE = "double", _("Double elimination")
        GROUPS = "groups", _("Groups, then finals")
        TEAMS = "teams", _("Team match")

    class Status(models.TextChoices):
        OPEN = "open", _("open for entry")
        RUNNING = "running", pgettext_lazy("tournament", "running")
        FINISHED = "finished", pgettext_lazy("tournament", "finished")
        CANCELLED = "cancelled", pgettext_lazy("tournament", "cancelled")

    CURRENT = (Status.OPEN, Status.RUNNING)
    """The statuses of a tournament that isn't over."""

    own_name = texts.LineField("name", max_length=100, blank=True, db_column="name")
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
    ends = models.DateTimeField(null=True, blank=True)
    pause_hours = models.PositiveSmallIntegerField(default=0)
    rated = models.BooleanField(default=True)
    series = models.CharField(max_length=80, blank=True)
    number = models.PositiveIntegerField(default=0, db_default=0)
    organiser = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="tournaments",
    )
    rating_low = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_high = models.PositiveSmallIntegerField(null=True, blank=True)
    least_matches = models.PositiveSmallIntegerField(default=0, db_default=0)
    least_reliability = models.PositiveSmallIntegerField(default=0, db_default=0)
    by_invitation = models.BooleanField(default=False, db_default=False)
    club = models.ForeignKey(
        "clubs.Club", models.SET_NULL, null=True, blank=True, related_name="tournaments"
    )
    link = models.CharField(max_length=32, blank=True, default="", db_default="")
    late_until = models.PositiveSmallIntegerField(default=0, db_default=0)
    tie_breaks = models.JSONField(null=True, blank=True)
    paused = models.DateTimeField(null=True, blank=True)
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
                condition=Q(
                    format__in=["round-robin", "swiss", "knock-out", "double", "groups", "teams"]
                ),
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
        return reverse("event", args=[self.pk])

    @property
    def name(self) -> str:
        """The name that somebody gave it, or its title in the reader's language."""
        return self.own_name or titles.title(self.title, self.series, self.number)

    @name.setter
    def name(self, name: str) -> None:
        self.own_name = name

    @property
    def is_open(self) -> bool:
        return self.status == self.Status.OPEN

    @property
    def is_running(self) -> bool:
        """Whether it has begun and isn't over."""
        return self.status == self.Status.RUNNING

    @property
    def is_finished(self) -> bool:
        return self.status == self.Status.FINISHED

    @property
    def time_control(self) -> Clock | None:
        return Clock.load(self.clock)

    @property
    def lives(self) -> int:
        """How many losses put a player out. 0 if nobody is ever out."""
        return {self.Format.KNOCK_OUT: 1, self.Format.DOUBLE: 2}.get(self.Format(self.format), 0)

    @property
    def has_groups(self) -> bool:
        """Whether groups play first, as round 1, and the finals are a knock-out."""
        return self.format == self.Format.GROUPS

    def pause_ends(self, last: "Round") -> datetime:
        """Return the earliest time at which the round after another begins."""
        return last.began + timedelta(hours=self.pause_hours)

    @property
    def is_for_teams(self) -> bool:
        """Whether two clubs play against each other."""
        return self.format == self.Format.TEAMS

    @property
    def is_simultaneous(self) -> bool:
        """Whether all rounds begin together, as one."""
        together = self.format == self.Format.ROUND_ROBIN and not self.pause_hours
        return together or self.is_for_teams


class Entry(models.Model):
    """A player of a tournament.

    ``number`` is the place in the draw, from 1, the strongest first; null until it begins.
    ``place`` is the final place. A substitute of a Swiss tournament ``replaces`` a player who left.
    ``word`` is what the organiser says about the player, such as "best newcomer". ``team`` is 1 or
    2 in a team match, otherwise 0.
    """

    class Why(models.TextChoices):
        WITHDREW = "withdrew", _("withdrew")
        GONE = "gone", _("account closed or suspended")
        REMOVED = "removed", _("removed by the organiser")

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
    word = texts.LineField(max_length=MAX_WORD, blank=True, default="", db_default="")
    team = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name_plural = "entries"
        ordering = ("number", "joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_entry_a_player"),
        )
        indexes = (
            models.Index(
                fields=["user", "place"], name="entry_top_three", condition=Q(place__lte=3)
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.tournament}"


class Waiting(models.Model):
    """A user on the waiting list of a tournament; the first to join is the first to enter.

    In a team match these are the reserves of each ``team``.
    """

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="waiting")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    joined = models.DateTimeField()
    team = models.PositiveSmallIntegerField(default=0, db_default=0)

    class Meta:
        verbose_name_plural = "waiting"
        ordering = ("joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_wait_a_player"),
        )

    def __str__(self) -> str:
        return f"{self.user} waiting for {self.tournament}"


class Round(models.Model):
    """A round, with the time when its matches are ended.

    ``reminded`` is when players to move were reminded of the deadline.
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
        """When players to move are reminded: a day before the deadline, in short rounds less."""
        return self.deadline - min(DAY, (self.deadline - self.began) / 4)


class Table(models.Model):
    """A match of a round, or a bye, which has no match and one seat.

    ``settled`` is when an organiser decided the result, with a ``reason`` that the page shows. A
    bye that was ``asked_for`` gives half a point.
    """

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(
        Match, models.PROTECT, null=True, blank=True, related_name="tournament_table"
    )
    ended = models.DateTimeField(null=True, blank=True)
    settled = models.DateTimeField(null=True, blank=True)
    reason = texts.LinesField(max_length=500, blank=True, default="", db_default="")
    asked_for = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["round", "number"], name="one_table_a_number"),
        )

    def __str__(self) -> str:
        return f"table {self.number} of {self.round}"


class TableSeat(models.Model):
    """A player at a table; ``rank`` is the result in the tournament.

    It is null while the match runs, and for players whose match has no result.
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


class CoOrganiser(models.Model):
    """Somebody who shares the job of an organiser, or was asked to while ``accepted`` is null."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="co_organisers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    asked = models.DateTimeField()
    accepted = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("asked", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_job_an_organiser"),
        )

    def __str__(self) -> str:
        return f"{self.user}, organiser of {self.tournament}"


class EntryInvitation(models.Model):
    """An invitation of a player to enter. Those who have ``declined`` can't be invited again."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    created = models.DateTimeField()
    declined = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created", "pk")
        constraints = (
            models.UniqueConstraint(fields=["tournament", "user"], name="one_invitation_a_player"),
        )

    def __str__(self) -> str:
        return f"invitation of {self.user} to {self.tournament}"


class ByeRequest(models.Model):
    """A player's request not to be paired in a round of a Swiss tournament."""

    entry = models.ForeignKey(Entry, models.CASCADE, related_name="bye_requests")
    round = models.PositiveSmallIntegerField()
    asked = models.DateTimeField()
    granted = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("asked", "pk")
        constraints = (
            models.UniqueConstraint(fields=["entry", "round"], name="one_request_a_round"),
        )

    def __str__(self) -> str:
        return f"bye of {self.entry} in round {self.round}"


class OrganiserAct(models.Model):
    """An act of an organiser or moderator, in the log that the tournament's page shows.

    Rows are only added. Undoing an act adds another that ``undoes`` it. ``details`` are what its
    sentence and its undoing need. ``about`` is the player whom it concerns. Closing an account
    erases what its user wrote, and the names.
    """

    class Kind(models.TextChoices):
        EDIT = "edit", _("Change the terms")
        START = "start", _("Start early")
        CANCEL = "cancel", _("Cancel the tournament")
        INVITE = "invite", _("Invite a player")
        INVITE_CLUB = "club", _("Invite a club")
        LINK = "link", _("Make a link that lets people enter")
        UNLINK = "unlink", _("Close the link")
        MESSAGE = "message", _("Write to all players")
        REMOVE = "remove", _("Remove a player")
        EXTEND = "extend", _("Extend the round")
        PAUSE = "pause", _("Pause the tournament")
        RESUME = "resume", _("Resume the tournament")
        SETTLE = "settle", _("Settle a pairing")
        LATE = "late", _("Allow late entry")
        BYE = "bye", _("Grant a bye")
        SHARE = "share", _("Share the job")
        UNSHARE = "unshare", _("Stop sharing the job")
        HAND_OVER = "hand-over", _("Hand over the job")
        WORD = "word", _("Say something about a player")
        UNDO = "undo", _("Undo an act")

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="acts")
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    by_moderator = models.BooleanField(default=False)
    kind = models.CharField(max_length=9, choices=Kind)
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    details = models.JSONField(default=dict)
    reason = texts.LinesField(max_length=1000, blank=True)
    undoes = models.OneToOneField(
        "self", models.CASCADE, null=True, blank=True, related_name="undone_by"
    )

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.kind} in {self.tournament}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raise if it exists."""
        if not self._state.adding:
            raise TypeError("The log of a tournament is append-only.")
        super().save(*args, **kwargs)
