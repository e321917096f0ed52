"""What is stored of a match: the table, its players, its log.

The log is the truth and grows only; everything on :class:`Match` and :class:`Player` that a
move changes is a snapshot of it. All changes go through :mod:`games.matches.update`.
"""

from datetime import timedelta
from typing import Any, TypeVar
from uuid import uuid4

from django.conf import settings
from django.db import models
from django.urls import reverse

from games.matches.clock import Clock
from games.matches.fields import HiddenField

Row = TypeVar("Row", bound=models.Model)


class WithoutSecrets(models.Manager[Row]):
    """Rows whose ``secret`` is read from the database only where it is asked for."""

    def get_queryset(self) -> models.QuerySet[Row]:
        """Return all rows, their secrets left behind."""
        return super().get_queryset().defer("secret")


class Match(models.Model):
    """A match of one title, from its start.

    ``version`` is the number of the last log entry. ``clock_epoch`` rises when deadlines are
    shifted without an entry; the two together are what a change compares and swaps.

    ``seal`` is the SHA-256 of ``secret``, in hexadecimal, which everybody sees from the start;
    with ``strict_dice`` every player committed to a nonce before any nonce was revealed;
    ``rolls`` counts the rolls so far, and ``setup_sides`` belongs to ``setup_chance`` as
    :attr:`Move.sides` to :attr:`Move.chance`.
    """

    class Status(models.TextChoices):
        """Where a match stands."""

        RUNNING = "running", "running"
        OVER = "over", "finished"
        CANCELLED = "cancelled", "cancelled"
        ANNULLED = "annulled", "annulled"

    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    clock = models.JSONField(null=True)
    commitment = models.CharField(max_length=64, db_column="seal")
    secret = HiddenField()
    strict_dice = models.BooleanField(default=False)
    setup_chance = models.JSONField(default=list)
    setup_sides = models.JSONField(default=list)
    rolls = models.PositiveIntegerField(default=0)
    position = models.JSONField()
    version = models.PositiveIntegerField(default=0)
    clock_epoch = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    ending = models.CharField(max_length=40, blank=True)
    created = models.DateTimeField()
    changed = models.DateTimeField()
    ended = models.DateTimeField(null=True, blank=True)

    objects = WithoutSecrets()

    class Meta:
        base_manager_name = "objects"
        verbose_name_plural = "matches"
        indexes = (
            models.Index(fields=["status", "-ended"], name="match_by_ending"),
            models.Index(fields=["status", "-changed"], name="match_by_change"),
            models.Index(fields=["title", "status", "-changed"], name="match_by_title"),
        )

    def __str__(self) -> str:
        return f"match {self.pk}"

    def get_absolute_url(self) -> str:
        """Return the address of the match page."""
        return reverse("match", args=[self.pk])

    @property
    def is_running(self) -> bool:
        """Whether moves can still be made."""
        return self.status == self.Status.RUNNING

    @property
    def are_dice_hidden(self) -> bool:
        """Whether the secret of the dice may not be read yet."""
        return self.is_running

    @property
    def time_control(self) -> Clock | None:
        """The clock of the match; none if it is played without."""
        return Clock.load(self.clock)


class Player(models.Model):
    """A seat of a match and who sits there.

    ``time_left`` is what was left at ``clock_since``; a clock with no ``clock_since`` stands.
    ``version`` is the number of the seat's own last log entry. ``nonce`` is the player's part in
    the dice, ``nonce_is_own`` whether the player's browser made it, and not the server. With strict
    dice ``nonce_commitment`` is the SHA-256 of the nonce, in hexadecimal; else it is empty.
    """

    class Dropped(models.TextChoices):
        """Why a seat left a match that had not ended."""

        RESIGNED = "resigned", "resigned"
        TIMEOUT = "timeout", "ran out of time"
        REMOVED = "removed", "removed by a moderator"

    match = models.ForeignKey(Match, models.CASCADE, related_name="players")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats")
    nonce = HiddenField()
    nonce_is_own = models.BooleanField(default=False)
    nonce_commitment = models.CharField(max_length=64, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    to_move = models.BooleanField(default=False)
    time_left = models.DurationField(null=True, blank=True)
    clock_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True, db_index=True)
    remind_at = models.DateTimeField(null=True, blank=True, db_index=True)
    agrees_to_close = models.BooleanField(default=False)
    dropped = models.CharField(max_length=10, choices=Dropped, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["match", "seat"], name="one_player_a_seat"),)
        indexes = (models.Index(fields=["user", "to_move", "deadline"], name="player_waiting"),)

    def __str__(self) -> str:
        return f"{self.user} in seat {self.seat} of match {self.match_id}"

    @property
    def are_dice_hidden(self) -> bool:
        """Whether the nonce may not be read yet: never, a match begins with its publication."""
        return False


class AppendOnly(models.QuerySet[Any]):
    """Rows that are written once."""

    def update(self, **kwargs: Any) -> int:
        """Refuse: the log is never rewritten."""
        raise TypeError("The log of a match is append-only.")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Refuse: the log is never shortened."""
        raise TypeError("The log of a match is append-only.")


class Log(models.Manager.from_queryset(AppendOnly)):  # type: ignore[misc]  # made at run time
    """Entries whose ``trace`` is read from the database only where it is asked for."""

    def get_queryset(self) -> AppendOnly:
        """Return all entries, their traces left behind."""
        entries: AppendOnly = super().get_queryset()
        return entries.defer("trace")


class LogEntry(models.Model):
    """An entry of a match's log: a move, or whatever else changed the match.

    ``chance`` holds what was drawn for it and ``sides``, for each, the number of the die's sides
    (null where nothing was rolled but something observed). ``events`` is what it did, ``thinking``
    how long the seat's clock ran for it and ``time_left`` what then was left, before any increment.
    ``trace`` shows how what was observed came about (:mod:`games.kernel.trace`); it is null for
    most, and nothing but showing needs it.
    """

    class Kind(models.TextChoices):
        """What an entry does."""

        PLAY = "play", "move"
        RESIGN = "resign", "resignation"
        TIMEOUT = "timeout", "out of time"
        OFFER = "offer", "offer to close"
        ACCEPT = "accept", "agreement to close"
        DECLINE = "decline", "refusal to close"
        TAKE_BACK = "take-back", "take-back"
        CANCEL = "cancel", "cancelled"
        REMOVE = "remove", "removed by a moderator"
        CLOSE = "close", "ended by a moderator"
        ANNUL = "annul", "annulled by a moderator"

    match = models.ForeignKey(Match, models.CASCADE, related_name="log")
    number = models.PositiveIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    text = models.TextField(blank=True)
    chance = models.JSONField(default=list)
    sides = models.JSONField(default=list)
    trace = models.JSONField(null=True, blank=True)
    events = models.JSONField(default=list)
    undoes = models.PositiveIntegerField(null=True, blank=True)
    at = models.DateTimeField()
    thinking = models.DurationField(null=True, blank=True)
    time_left = models.DurationField(null=True, blank=True)
    submission = models.UUIDField(null=True, blank=True)
    part = models.PositiveSmallIntegerField(default=0)
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, blank=True, related_name="+"
    )
    reason = models.TextField(blank=True)

    objects = Log()

    class Meta:
        db_table = "match_move"
        verbose_name = "log entry"
        verbose_name_plural = "log entries"
        ordering = ("match", "number")
        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(
                fields=["match", "seat", "submission", "part"], name="one_entry_a_submission"
            ),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of match {self.match_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new entry; refuse to rewrite one."""
        if not self._state.adding:
            raise TypeError("The log of a match is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Refuse: the log is never shortened."""
        raise TypeError("The log of a match is append-only.")


class StandingOrder(models.Model):
    """The order by which a player lets calls be answered, which nobody else is told of.

    ``seen`` is the version of the match at which it was last looked at. While the player is
    called, ``called`` is the number of the entry that does so, ``due`` when it will be answered,
    and ``submission`` the id of that answer.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="order")
    name = models.CharField(max_length=40)
    given = models.DateTimeField()
    seen = models.PositiveIntegerField(null=True)
    called = models.PositiveIntegerField(null=True)
    due = models.DateTimeField(null=True, db_index=True)
    submission = models.UUIDField(null=True)

    def __str__(self) -> str:
        return f"standing order of player {self.player_id}"


class Queue(models.Model):
    """What a player wants to follow, move after move, which nobody else is told of.

    It belongs after entry ``after`` of the log; where it ``waits``, a move by hand comes first.
    The first of ``moves`` will be made under ``submission``. ``halted`` says why it goes no
    further.
    """

    player = models.OneToOneField(Player, models.CASCADE, related_name="queue")
    moves = models.JSONField()
    after = models.PositiveIntegerField()
    waits = models.BooleanField()
    submission = models.UUIDField(default=uuid4)
    halted = models.TextField(blank=True)

    def __str__(self) -> str:
        return f"queue of player {self.player_id}"


class Outage(models.Model):
    """A stretch of time in which the site was down and every clock stood still.

    Until it is ``settled``, the stored deadlines have been shifted in all matches with an id up
    to ``reached``.
    """

    class Cause(models.TextChoices):
        """The heartbeat that was missing."""

        SWEEP = "deadlines", "scheduled jobs"
        WEB = "web", "web processes"

    cause = models.CharField(max_length=20, choices=Cause, default=Cause.SWEEP)
    began = models.DateTimeField()
    ended = models.DateTimeField()
    settled = models.BooleanField(default=False)
    reached = models.BigIntegerField(default=0)

    class Meta:
        ordering = ("began",)

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d %H:%M} to {self.ended:%Y-%m-%d %H:%M} UTC"

    @property
    def length(self) -> timedelta:
        """How long it lasted."""
        return self.ended - self.began


class Sweep(models.Model):
    """When a heartbeat was last written: by the sweep of deadlines, and by web processes."""

    name = models.CharField(max_length=20, unique=True)
    ran = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} at {self.ran:%Y-%m-%d %H:%M:%S} UTC"
