"""Cases, their reports and notes, abandoned seats, and the log of moderators."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy

from accounts import texts
from games.matches.models import Match


class Case(models.Model):
    """The reports of one kind about one person. At most one case is open for each.

    Until ``claimed_until`` only ``claimed_by`` may work on it.
    """

    class Kind(models.TextChoices):
        """The accusation."""

        CHEATING = "cheating", gettext_lazy("Cheating")
        STALLING = "stalling", gettext_lazy("Stalling")
        LOSING = "losing", gettext_lazy("Losing on purpose")
        ARRANGING = "arranging", gettext_lazy("Arranged results")
        ABUSE = "abuse", gettext_lazy("Abuse")
        SPAM = "spam", gettext_lazy("Spam")
        ACCOUNTS = "accounts", gettext_lazy("Several accounts")
        NAME = "name", gettext_lazy("Name")
        OTHER = "other", gettext_lazy("Something else")

    class Status(models.TextChoices):
        OPEN = "open", "open"
        UPHELD = "upheld", "action taken"
        DISMISSED = "dismissed", "no action needed"

    suspect = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="cases")
    kind = models.CharField(max_length=10, choices=Kind)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    opened = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    claimed_until = models.DateTimeField(null=True, blank=True)
    admins_told = models.BooleanField(default=False)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["suspect", "kind"],
                condition=Q(status="open"),
                name="one_open_case_a_suspect_and_kind",
            ),
        )
        indexes = (models.Index(fields=["opened"], name="case_queue", condition=Q(status="open")),)
        permissions = (
            ("use_desk", "Can read cases, claim them, take notes and close them"),
            ("warn_player", "Can warn players"),
            ("mute_player", "Can mute players"),
            ("suspend_player", "Can suspend players"),
            ("ban_player", "Can ban players"),
            ("rename_player", "Can rename players"),
            ("end_matches", "Can end and annul matches, and remove players from them"),
            ("give_time", "Can give time"),
            ("unlock_hands", "Can look at hidden hands (the players are notified)"),
            ("lift_sanctions", "Can lift sanctions and answer appeals"),
        )

    def __str__(self) -> str:
        return f"case {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("desk-case", args=[self.pk])


class Report(models.Model):
    """A report; ``subject`` is its subject, such as ``match:12``."""

    case = models.ForeignKey(Case, models.CASCADE, related_name="reports")
    reporter = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    subject = models.CharField(max_length=80)
    text = texts.LinesField(blank=True)
    created = models.DateTimeField()

    class Meta:
        ordering = ("created", "pk")
        constraints = (
            models.UniqueConstraint(
                fields=["case", "reporter", "subject"], name="one_report_a_person_and_subject"
            ),
        )

    def __str__(self) -> str:
        return f"report {self.pk}"


class Note(models.Model):
    case = models.ForeignKey(Case, models.CASCADE, related_name="notes")
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    text = texts.LinesField()
    created = models.DateTimeField()

    class Meta:
        ordering = ("created", "pk")

    def __str__(self) -> str:
        return f"note {self.pk}"


class AbandonedSeat(models.Model):
    """An abandoned seat of a running match, about which the opponents choose.

    ``outcome`` is their choice, or ``void`` if the player came back. It is empty until then, and
    the clock runs.
    """

    class Outcome(models.TextChoices):
        SUBSTITUTE = "substitute", gettext_lazy("Go on with a substitute")
        REMOVE = "remove", gettext_lazy("Take the player out")
        WAIT = "wait", gettext_lazy("Let the clock run")
        VOID = "void", gettext_lazy("The player is back")

    CHOICES = (Outcome.SUBSTITUTE, Outcome.REMOVE, Outcome.WAIT)

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reason = texts.LinesField()
    opened = models.DateTimeField()
    outcome = models.CharField(max_length=10, choices=Outcome, blank=True)
    decided = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["match", "seat"], name="one_open_choice_a_seat", condition=Q(outcome="")
            ),
        )

    def __str__(self) -> str:
        return f"seat {self.seat} of match {self.match_id}, abandoned"

    def get_absolute_url(self) -> str:
        return reverse("abandoned", args=[self.pk])

    @property
    def shown_reason(self) -> str:
        """The words of a moderator, or the site's own reason in the reader's language."""
        return gettext(self.reason)


class OpponentChoice(models.Model):
    """The choice of one opponent of an abandoned seat. It can change until all agree."""

    abandoned = models.ForeignKey(AbandonedSeat, models.CASCADE, related_name="choices")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    choice = models.CharField(max_length=10, choices=AbandonedSeat.Outcome)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["abandoned", "user"], name="one_choice_an_opponent"),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.choice}"


class SubstituteOffer(models.Model):
    """A moderator's request to take over an abandoned seat, valid until ``expires``."""

    class State(models.TextChoices):
        OPEN = "open", "open"
        TAKEN = "taken", "taken"
        DECLINED = "declined", "declined"

    match = models.ForeignKey(Match, models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    case = models.ForeignKey(Case, models.CASCADE, related_name="+")
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    reason = texts.LinesField()
    created = models.DateTimeField()
    expires = models.DateTimeField()
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=["match", "seat", "user"],
                name="one_open_offer_a_substitute",
                condition=Q(state="open"),
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} as a substitute in match {self.match_id}: {self.state}"

    def get_absolute_url(self) -> str:
        return reverse("substitute", args=[self.pk])


class AppendOnly(models.QuerySet[Any]):
    """A queryset without updates and deletions."""

    def update(self, **kwargs: Any) -> int:
        """Raise, since rows are never changed."""
        raise TypeError("The log of moderators is append-only.")

    def delete(self) -> tuple[int, dict[str, int]]:
        """Raise, since rows are never deleted."""
        raise TypeError("The log of moderators is append-only.")


class ModeratorAction(models.Model):
    """An entry of the log of moderators. A PostgreSQL trigger refuses to change or delete it.

    It holds ids and the names at that time instead of foreign keys, so that accounts can be deleted
    while the log stays.
    """

    at = models.DateTimeField()
    action = models.CharField(max_length=20)
    moderator_id = models.BigIntegerField()
    moderator_name = models.CharField(max_length=40)
    user_id = models.BigIntegerField(null=True)
    user_name = models.CharField(max_length=40, blank=True)
    match_id = models.BigIntegerField(null=True)
    case_id = models.BigIntegerField(null=True)
    reason = texts.LinesField()
    details = models.CharField(max_length=200, blank=True)

    objects = models.Manager.from_queryset(AppendOnly)()

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=["user_id"], name="action_by_user"),)

    def __str__(self) -> str:
        return f"{self.action} {self.pk}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Insert the row; raise if it exists."""
        if not self._state.adding:
            raise TypeError("The log of moderators is append-only.")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> tuple[int, dict[str, int]]:
        """Raise, since rows are never deleted."""
        raise TypeError("The log of moderators is append-only.")
