"""A match and its players."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TypeVar

from django.conf import settings
from django.db import models
from django.db.models import DateTimeField, Q, Value
from django.db.models.functions import Coalesce
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from config.addresses import path_of
from games.matches.clock import Clock
from games.matches.fields import HiddenField

MAX_SEATS = 10
"""Seats are numbered below this."""

NO_TIME = timedelta()

NO_DEADLINE = datetime(9999, 1, 1, tzinfo=UTC)
"""The due time of a player without a clock."""

Row = TypeVar("Row", bound=models.Model)


class WithoutSecrets(models.Manager[Row]):
    """Rows whose ``secret`` is read from the database only when it is accessed."""

    def get_queryset(self) -> models.QuerySet[Row]:
        return super().get_queryset().defer("secret")


class Match(models.Model):
    """A match of one title, from its start.

    ``version`` is the number of the last log entry. ``clock_epoch`` rises when clocks are changed
    without an entry. A change of the match compares both before it is written. ``commitment`` is
    the SHA-256 of ``secret``, in hexadecimal, visible to everybody from the start. With
    ``strict_dice`` every player committed to a nonce before any nonce was revealed. ``rated`` says
    that its result should change the ratings of its players. ``rolls`` counts the rolls so far.
    ``setup_chance`` and ``setup_sides`` are for the setup what
    :attr:`~games.matches.models.LogEntry.chance` and :attr:`~games.matches.models.LogEntry.sides`
    are for an entry.
    """

    class Status(models.TextChoices):
        """Whether a match is running, or how it ended."""

        RUNNING = "running", _("running")
        OVER = "over", _("finished")
        CANCELLED = "cancelled", _("cancelled")
        ANNULLED = "annulled", _("annulled")

    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    rules_version = models.PositiveSmallIntegerField()
    clock = models.JSONField(null=True)
    commitment = models.CharField(max_length=64, db_column="seal")
    secret = HiddenField()
    strict_dice = models.BooleanField(default=False)
    rated = models.BooleanField(default=False, db_default=False)
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
            models.Index(fields=["status", "-changed"], name="match_by_change"),
            models.Index(fields=["title", "status", "-changed"], name="match_by_title"),
            # The archive; running matches aren't in these, so that moves do not pay for them.
            # With the id they have the whole order, so that pages are found without the rows.
            models.Index(fields=["-ended", "-id"], name="match_over", condition=Q(status="over")),
            models.Index(
                fields=["title", "-ended", "-id"],
                name="match_over_by_title",
                condition=Q(status="over"),
            ),
            models.Index(
                fields=["ending", "-ended", "-id"],
                name="match_over_by_ending",
                condition=Q(status="over"),
            ),
            models.Index(
                fields=["-changed"],
                name="match_void",
                condition=Q(status__in=["cancelled", "annulled"]),
            ),
        )
        constraints = (
            models.CheckConstraint(
                condition=Q(status__in=["running", "over", "cancelled", "annulled"]),
                name="match_status_is_known",
            ),
            models.CheckConstraint(
                condition=Q(status="running", ended=None, ending="")
                | (~Q(status="running") & Q(ended__isnull=False) & ~Q(ending="")),
                name="match_ends_when_not_running",
            ),
            models.CheckConstraint(
                condition=Q(rules_version__gte=1), name="match_rules_version_from_1"
            ),
        )

    def __str__(self) -> str:
        return f"match {self.pk}"

    def get_absolute_url(self) -> str:
        return path_of("match", self.pk)

    @property
    def is_running(self) -> bool:
        return self.status == self.Status.RUNNING

    @property
    def are_dice_hidden(self) -> bool:
        """Whether the secret of the dice must not be read yet."""
        return self.is_running

    @property
    def time_control(self) -> Clock | None:
        """The clock of the match. ``None`` if it is played without one."""
        return Clock.load(self.clock)


class Player(models.Model):
    """A seat of a match and the user who plays it.

    ``time_left`` is the time left at ``clock_since``. A clock without ``clock_since`` is stopped.
    ``pauses`` are the periods in which a started clock is stopped, besides weekends and outages
    (:mod:`games.matches.pauses`). ``deadline`` is null while the end of such a pause is
    unknown. ``agrees_to_close`` says that the player has offered to end the match or agrees to it.
    ``agrees_to`` names another open offer that the player has made or accepted
    (:mod:`games.matches.play.offers`). ``version`` is the number of the seat's own last log entry.
    ``nonce`` is the player's contribution to the dice, ``nonce_is_own`` whether the player's
    browser made it rather than the server. With strict dice ``nonce_commitment`` is the SHA-256 of
    the nonce, in hexadecimal; otherwise it is empty. ``plans`` says whether the player has a plan
    or a standing order, which may have to run when the match has changed. ``since`` is the number
    of the entry by which the player took the seat over (:class:`FormerPlayer`), 0 for the first
    player: earlier secrets must stay hidden from them. ``title``, ``ended`` (null while the match
    runs) and ``result`` (empty without one) repeat fields of the match, so that lists of a player
    are read from indexes of their own. A bot, as ``is_bot`` says, has no clock. ``with_bots`` says
    that another seat is a bot's. ``rating`` is the player's when the match began, or when they took
    the seat over. Null without one.
    """

    class Result(models.TextChoices):
        WON = "won", pgettext_lazy("outcome", "won")
        TIED = "tied", pgettext_lazy("outcome", "tied")
        LOST = "lost", pgettext_lazy("outcome", "lost")

        @classmethod
        def of(cls, rank: int | None, ranks: Sequence[int | None]) -> str:
            """Return a player's result from the ranks of all. Empty without any."""
            if rank is None:
                return ""
            if rank > 1:
                return cls.LOST
            return cls.TIED if ranks.count(1) > 1 else cls.WON

    class Dropped(models.TextChoices):
        RESIGNED = "resigned", pgettext_lazy("player", "resigned")
        TIMEOUT = "timeout", pgettext_lazy("player", "ran out of time")
        REMOVED = "removed", pgettext_lazy("player", "removed by a moderator")

    # The indexes below begin with match and user: every move would pay for more of them.
    match = models.ForeignKey(Match, models.CASCADE, related_name="players", db_index=False)
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="seats", db_index=False
    )
    nonce = HiddenField()
    nonce_is_own = models.BooleanField(default=False)
    nonce_commitment = models.CharField(max_length=64, blank=True, default="")
    version = models.PositiveIntegerField(default=0)
    to_move = models.BooleanField(default=False)
    time_left = models.DurationField(null=True, blank=True)
    clock_since = models.DateTimeField(null=True, blank=True)
    deadline = models.DateTimeField(null=True, blank=True)
    remind_at = models.DateTimeField(null=True, blank=True)
    pauses = models.JSONField(default=list, db_default=Value([], models.JSONField()))
    agrees_to_close = models.BooleanField(default=False)
    agrees_to = models.CharField(max_length=10, blank=True, default="", db_default="")
    take_backs = models.PositiveSmallIntegerField(default=0, db_default=0)
    dropped = models.CharField(max_length=10, choices=Dropped, blank=True)
    rank = models.PositiveSmallIntegerField(null=True, blank=True)
    plans = models.BooleanField(default=False, db_default=False)
    since = models.PositiveIntegerField(default=0, db_default=0)
    title = models.CharField("game", max_length=60, blank=True, default="", db_default="")
    ended = models.DateTimeField(null=True, blank=True)
    result = models.CharField(max_length=4, choices=Result, blank=True, default="", db_default="")
    is_bot = models.BooleanField("bot", default=False, db_default=False)
    with_bots = models.BooleanField(default=False, db_default=False)
    rating = models.PositiveSmallIntegerField(null=True, blank=True)
    rating_is_provisional = models.BooleanField(default=False, db_default=False)

    class Meta:
        ordering = ("seat",)
        constraints = (
            models.UniqueConstraint(fields=["match", "seat"], name="one_player_a_seat"),
            models.CheckConstraint(condition=Q(seat__lt=MAX_SEATS), name="player_seat_exists"),
            models.CheckConstraint(
                condition=Q(rank=None) | Q(rank__gte=1), name="player_rank_from_1"
            ),
            models.CheckConstraint(
                condition=Q(dropped__in=["", "resigned", "timeout", "removed"]),
                name="player_dropped_is_known",
            ),
            models.CheckConstraint(
                condition=Q(time_left=None) | Q(time_left__gte=NO_TIME),
                name="player_time_left_from_0",
            ),
            models.CheckConstraint(
                condition=Q(clock_since=None, deadline=None, remind_at=None)
                | Q(clock_since__isnull=False, deadline__isnull=False, time_left__isnull=False)
                | Q(clock_since__isnull=False, remind_at=None, time_left__isnull=False),
                name="player_deadline_of_a_clock",
            ),
        )
        indexes = (
            models.Index(fields=["user", "ended"], name="player_of_user"),
            # The most urgent matches first, as they are listed (games.matches.listing).
            models.Index(
                "user",
                Coalesce("deadline", Value(NO_DEADLINE), output_field=DateTimeField()),
                "match",
                name="player_waiting",
                condition=Q(to_move=True),
            ),
            # Clocks that stand still are in neither.
            models.Index(
                fields=["deadline"], name="player_due", condition=Q(deadline__isnull=False)
            ),
            models.Index(
                fields=["remind_at"], name="player_to_remind", condition=Q(remind_at__isnull=False)
            ),
            models.Index(
                fields=["user", "result", "-ended"],
                name="player_by_result",
                condition=Q(ended__isnull=False),
            ),
            models.Index(
                # the last field makes it a covering index for counting results
                fields=["user", "title", "result", "-ended", "with_bots"],
                name="player_by_title",
                condition=Q(ended__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} in seat {self.seat} of match {self.match_id}"

    @property
    def shown_rating(self) -> str:
        """The rating beside the name, ``1612`` or ``1612?`` if provisional. Empty without one."""
        return "" if self.rating is None else f"{self.rating}{'?' * self.rating_is_provisional}"

    @property
    def are_dice_hidden(self) -> bool:
        """Whether the nonce must not be read yet. Never, since matches begin by publishing it."""
        return False


class FormerPlayer(models.Model):
    """The player of a seat until a substitute took it over by the entry ``until`` of the log."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="former_players")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    until = models.PositiveIntegerField()
    at = models.DateTimeField()

    class Meta:
        ordering = ("until",)
        constraints = (
            models.UniqueConstraint(fields=["match", "until"], name="one_substitution_an_entry"),
        )

    def __str__(self) -> str:
        return f"{self.user} in seat {self.seat} of match {self.match_id} until {self.until}"
