"""Team matches of two clubs until they begin, and who plays for them."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from accounts import texts
from games.clubs.models import Club
from games.events.models import Tournament
from games.matches.clock import Clock
from games.matches.models import MAX_SEATS

MAX_REASON = 1000
"""Maximum length of the reason of a moderator who cancels a team match."""


class TeamMatch(models.Model):
    """A match of two clubs. ``first`` has challenged ``second``, by its leader ``challenger``.

    Both set their line-ups, at ``first_set`` and ``second_set``, until ``due``. Then a
    ``tournament`` of the format ``TEAMS`` begins and plays all matches until ``ends``. ``boards``
    is the number of players of each club. ``closed`` is when it was declined, withdrawn or
    cancelled, for the ``reason`` of a moderator. ``reminded`` is when those who still have to do
    something were reminded of ``due``.
    """

    class Status(models.TextChoices):
        ASKED = "asked", _("waits for an answer")
        ACCEPTED = "accepted", _("waits for the line-ups")
        BEGUN = "begun", pgettext_lazy("team match", "begun")
        DECLINED = "declined", pgettext_lazy("team match", "declined")
        WITHDRAWN = "withdrawn", pgettext_lazy("team match", "withdrawn")
        CANCELLED = "cancelled", pgettext_lazy("team match", "cancelled")

    class Pairing(models.TextChoices):
        RATING = "rating", _("By rating")
        ORDER = "order", _("In the leaders’ order")

    WAITING = (Status.ASKED, Status.ACCEPTED)
    """The statuses before the beginning."""

    first = models.ForeignKey(Club, models.PROTECT, related_name="challenges_made")
    second = models.ForeignKey(Club, models.PROTECT, related_name="challenges_received")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    clock = models.JSONField()
    seats = models.PositiveSmallIntegerField(default=2)
    boards = models.PositiveSmallIntegerField()
    rated = models.BooleanField(default=True)
    pairing = models.CharField(max_length=6, choices=Pairing, default=Pairing.RATING)
    due = models.DateTimeField()
    ends = models.DateTimeField()
    status = models.CharField(max_length=9, choices=Status, default=Status.ASKED)
    created = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)
    reason = texts.LinesField(max_length=MAX_REASON, blank=True, default="", db_default="")
    reminded = models.DateTimeField(null=True, blank=True)
    first_set = models.DateTimeField(null=True, blank=True)
    second_set = models.DateTimeField(null=True, blank=True)
    tournament = models.OneToOneField(
        Tournament, models.PROTECT, null=True, blank=True, related_name="team_match"
    )

    class Meta:
        verbose_name_plural = "team matches"
        ordering = ("-created", "-pk")
        indexes = (
            models.Index(
                fields=["due"], name="team_match_due", condition=Q(status__in=["asked", "accepted"])
            ),
            models.Index(fields=["first", "-created"], name="team_match_of_first"),
            models.Index(fields=["second", "-created"], name="team_match_of_second"),
            models.Index(fields=["-created", "-id"], name="team_match_list"),
        )
        constraints = (
            models.CheckConstraint(condition=~Q(first=F("second")), name="team_match_of_two_clubs"),
            models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=MAX_SEATS, boards__gte=2),
                name="team_match_sizes",
            ),
            models.CheckConstraint(
                condition=Q(tournament=None) ^ Q(status="begun"),
                name="team_match_has_begun",
            ),
            models.CheckConstraint(
                condition=Q(
                    status__in=["asked", "accepted", "begun", "declined", "withdrawn", "cancelled"]
                ),
                name="team_match_status_is_known",
            ),
        )

    def __str__(self) -> str:
        return f"{self.first} – {self.second}"

    def get_absolute_url(self) -> str:
        return reverse("team-match", args=[self.pk])

    @property
    def time_control(self) -> Clock | None:
        return Clock.load(self.clock)

    @property
    def is_waiting(self) -> bool:
        """Whether it may still begin."""
        return self.status in self.WAITING

    @property
    def clubs(self) -> tuple[Club, Club]:
        return self.first, self.second

    @property
    def line_ups_set(self) -> tuple[bool, bool]:
        """Whether each club has set its line-up."""
        return self.first_set is not None, self.second_set is not None


class TeamPlayer(models.Model):
    """A member who will play for club 1 or 2 of a team match.

    ``board`` is the place in the line-up from 1, null for reserves. It is a secret of the club
    until both line-ups are set.
    """

    team_match = models.ForeignKey(TeamMatch, models.CASCADE, related_name="players")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    team = models.PositiveSmallIntegerField()
    joined = models.DateTimeField()
    board = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("board", "joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["team_match", "user"], name="one_team_a_player"),
            models.UniqueConstraint(
                fields=["team_match", "team", "board"], name="one_player_a_board"
            ),
            models.CheckConstraint(condition=Q(team__in=[1, 2]), name="team_is_known"),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.team_match}"
