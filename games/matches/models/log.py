"""The log of a match."""

from datetime import timedelta
from functools import cached_property
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext, pgettext_lazy

from games.kernel.contract import TURN_ENDED
from games.matches.models.match import MAX_SEATS, NO_TIME, Match

PLANNED = 8
"""The UUID version of submission ids of planned moves. RFC 9562 leaves it to applications."""


def planned_submission() -> UUID:
    """Return a random submission id that marks a move in the log as planned."""
    version = 0xF << 76
    return UUID(int=uuid4().int & ~version | PLANNED << 76)


class AppendOnly(models.QuerySet[Any]):
    """Rows that are written once."""

    def update(self, **kwargs: Any) -> int:
        """Refuse: the log is append-only."""
        raise TypeError("The log of a match is append-only.")

    def delete(self) -> tuple[int, dict[str, int]]:
        raise TypeError("The log of a match is append-only.")


class Log(models.Manager.from_queryset(AppendOnly)):  # type: ignore[misc]  # made at run time
    """Log entries whose ``trace`` is read from the database only when it is accessed."""

    def get_queryset(self) -> AppendOnly:
        entries: AppendOnly = super().get_queryset()
        return entries.defer("trace")


class LogEntry(models.Model):
    """An entry of a match's log: a move, or another change of the match.

    ``chance`` holds its rolled or observed outcomes, and ``sides`` the number of sides of the die
    for each, ``None`` for an observation. ``events`` are its effects, ``thinking`` how long the
    seat's clock ran for it and ``time_left`` what was left then, before any increment. ``trace`` is
    the data to show an observation (:mod:`games.kernel.trace`). It is null for most entries, and no
    rules depend on it. ``text`` is the move, or for an offer what is offered, or for a gift of time
    the seat that gets it and the seconds.
    """

    class Kind(models.TextChoices):
        PLAY = "play", pgettext_lazy("log", "move")
        RESIGN = "resign", pgettext_lazy("log", "resignation")
        TIMEOUT = "timeout", pgettext_lazy("log", "out of time")
        OFFER = "offer", pgettext_lazy("log", "offer to close")
        ACCEPT = "accept", pgettext_lazy("log", "agreement to close")
        DECLINE = "decline", pgettext_lazy("log", "refusal to close")
        TAKE_BACK = "take-back", pgettext_lazy("log", "take-back")
        CANCEL = "cancel", pgettext_lazy("log", "cancelled")
        REMOVE = "remove", pgettext_lazy("log", "removed by a moderator")
        CLOSE = "close", pgettext_lazy("log", "ended by a moderator")
        ANNUL = "annul", pgettext_lazy("log", "annulled by a moderator")
        PAUSE = "pause", pgettext_lazy("log", "clocks stopped")
        RESUME = "resume", pgettext_lazy("log", "clocks resumed")
        SUBSTITUTE = "substitute", pgettext_lazy("log", "a substitute")
        GIVE_TIME = "give-time", pgettext_lazy("log", "time given to the opponent")

    # One of the indexes below begins with the match.
    match = models.ForeignKey(Match, models.CASCADE, related_name="log", db_index=False)
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
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
    )
    reason = models.TextField(blank=True)

    objects = Log()

    class Meta:
        db_table = "match_move"
        verbose_name = "log entry"
        verbose_name_plural = "log entries"
        ordering = ("match", "number")
        indexes = (
            models.Index(
                fields=["match", "undoes"],
                name="entry_undone",
                condition=Q(undoes__isnull=False),
            ),
            models.Index(
                fields=["moderator"],
                name="entry_of_moderator",
                condition=Q(moderator__isnull=False),
            ),
        )
        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(
                fields=["match", "seat", "submission", "part"], name="one_entry_a_submission"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["play", "resign", "timeout", "offer", "accept", "decline"])
                | Q(kind__in=["take-back", "cancel", "remove", "close", "annul", "pause", "resume"])
                | Q(kind="substitute", seat__isnull=False, moderator__isnull=False)
                | Q(kind="give-time", seat__isnull=False),
                name="entry_kind_is_known",
            ),
            models.CheckConstraint(
                condition=Q(number__gte=1) & (Q(seat=None) | Q(seat__lt=MAX_SEATS)),
                name="entry_number_and_seat",
            ),
            models.CheckConstraint(
                condition=(Q(thinking=None) | Q(thinking__gte=NO_TIME))
                & (Q(time_left=None) | Q(time_left__gte=NO_TIME)),
                name="entry_spans_from_0",
            ),
            models.CheckConstraint(
                condition=(~Q(kind="take-back") & Q(undoes=None))
                | Q(kind="take-back", undoes__isnull=False, undoes__gte=1, undoes__lt=F("number")),
                name="entry_undoes_an_earlier_one",
            ),
        )

    def __str__(self) -> str:
        return f"entry {self.number} of match {self.match_id}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Write a new entry, but never rewrite one."""
        if not self._state.adding:
            raise TypeError("The log of a match is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        raise TypeError("The log of a match is append-only.")

    @property
    def shown_reason(self) -> str:
        """The reason for readers: those that the site gives are messages. Empty without one."""
        return gettext(self.reason)

    @property
    def time_given(self) -> tuple[int, timedelta] | None:
        """The seat that was given time, and how much. ``None`` if the text doesn't say."""
        if self.kind != self.Kind.GIVE_TIME or not self.text:
            return None
        seat, seconds = map(int, self.text.split())
        return seat, timedelta(seconds=seconds)

    @property
    def is_planned(self) -> bool:
        """Whether a plan of its player made it, which only the player may know."""
        return self.submission is not None and self.submission.version == PLANNED

    @cached_property
    def turns_ended(self) -> list[int]:
        """The seats whose turns ended with it, in order."""
        return [event["seat"] for event in self.events if event["type"] == TURN_ENDED]


class Checkpoint(models.Model):
    """The position after an entry of the log, from which later ones are replayed.

    It follows from the log, and may be missing.
    """

    EVERY = 25
    """The number of entries between two checkpoints."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="checkpoints")
    number = models.PositiveIntegerField()
    position = models.JSONField()

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["match", "number"], name="one_checkpoint_a_number"),
        )

    def __str__(self) -> str:
        return f"position after entry {self.number} of match {self.match_id}"
