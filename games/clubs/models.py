"""Clubs, their members, and who may come in."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from django_countries.fields import CountryField

from accounts import languages, texts
from games.clubs import names

MAX_ABOUT_LENGTH = 4000
"""Maximum length of a club's text, in characters."""

MAX_WORDS_LENGTH = 300
"""Maximum length of what somebody writes who asks to join, and of the reason of a removal."""

MAX_MESSAGE_LENGTH = 2000
"""Maximum length of a leader's message to all members."""


class Shape(models.TextChoices):
    SHIELD = "shield", _("Shield")
    CIRCLE = "circle", _("Circle")
    SQUARE = "square", pgettext_lazy("emblem", "Square")
    HEXAGON = "hexagon", _("Hexagon")
    DIAMOND = "diamond", _("Diamond")


class Colour(models.TextChoices):
    RED = "red", _("Red")
    BLUE = "blue", _("Blue")
    GREEN = "green", _("Green")
    YELLOW = "yellow", _("Yellow")
    ORANGE = "orange", _("Orange")
    PURPLE = "purple", _("Purple")


class Sign(models.TextChoices):
    """What an emblem shows in its middle."""

    STAR = "star", _("Star")
    SUN = "sun", _("Sun")
    MOON = "moon", _("Moon")
    TREE = "tree", _("Tree")
    WAVES = "waves", _("Waves")
    TOWER = "tower", _("Tower")
    BIRD = "bird", _("Bird")
    PIPS = "pips", pgettext_lazy("emblem", "Dice")


class Club(models.Model):
    """A club. ``size`` is the number of its members, which changes with them.

    Of a private club, only members and moderators see more than its name and size. ``founder`` is
    null if the account was deleted. ``closed`` is null while the club is open.
    """

    class Admission(models.TextChoices):
        OPEN = "open", _("open to all")
        REQUEST = "request", _("on request")
        INVITATION = "invitation", _("by invitation")

    name = texts.LineField(max_length=names.MAX_LENGTH)
    skeleton = models.CharField(max_length=names.MAX_SKELETON, editable=False)
    about = texts.LinesField(max_length=MAX_ABOUT_LENGTH, blank=True)
    country = CountryField(blank=True)
    language = models.CharField(max_length=10, blank=True)
    admission = models.CharField(max_length=10, choices=Admission, default=Admission.OPEN)
    is_private = models.BooleanField("private", default=False)
    shape = models.CharField(max_length=7, choices=Shape, default=Shape.SHIELD)
    colour = models.CharField(max_length=6, choices=Colour, default=Colour.BLUE)
    second_colour = models.CharField(max_length=6, choices=Colour, default=Colour.YELLOW)
    sign = models.CharField(max_length=6, choices=Sign, default=Sign.STAR)
    founder = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="founded"
    )
    size = models.PositiveIntegerField(default=0, editable=False)
    created = models.DateTimeField()
    closed = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-size", "pk")
        indexes = (
            models.Index(fields=["-size", "id"], name="club_list", condition=Q(closed=None)),
        )
        constraints = (
            # The name of a closed club is free again.
            models.UniqueConstraint(
                fields=["skeleton"], name="one_open_club_a_name", condition=Q(closed=None)
            ),
            models.CheckConstraint(
                condition=Q(admission__in=["open", "request", "invitation"]),
                name="club_admission_is_known",
            ),
            models.CheckConstraint(
                condition=Q(is_private=False) | ~Q(admission="open"),
                name="private_club_is_not_open_to_all",
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("club", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """Whether it isn't closed."""
        return self.closed is None

    @property
    def language_name(self) -> str:
        return "".join(languages.names([self.language]))


class Membership(models.Model):
    """A member of a club. ``led_since`` is null for those who don't lead it."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="memberships", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_memberships"
    )
    joined = models.DateTimeField()
    led_since = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("joined", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "user"], name="one_membership_a_club"),
        )
        indexes = (
            models.Index(fields=["club", "joined", "id"], name="member_by_time"),
            models.Index(
                fields=["club", "led_since"],
                name="club_leader",
                condition=Q(led_since__isnull=False),
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} in {self.club}"

    @property
    def leads(self) -> bool:
        return self.led_since is not None


class Candidate(models.Model):
    """Somebody who asks to join a club, or is invited; ``declined`` is when the other side refused.

    Each counts for ``LIFETIME`` (:mod:`games.clubs.candidates`), declined ones as well. ``by`` is
    the leader who invited.
    """

    class Kind(models.TextChoices):
        REQUEST = "request", "asks to join"
        INVITATION = "invitation", "is invited"

    club = models.ForeignKey(Club, models.CASCADE, related_name="candidates", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_candidacies"
    )
    kind = models.CharField(max_length=10, choices=Kind)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    text = texts.LinesField(max_length=MAX_WORDS_LENGTH, blank=True)
    created = models.DateTimeField()
    declined = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("created", "pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "user"], name="one_candidacy_a_club"),
            models.CheckConstraint(
                condition=Q(kind__in=["request", "invitation"]), name="candidate_kind_is_known"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user} {self.get_kind_display()}: {self.club}"


class Exclusion(models.Model):
    """Somebody who was removed from a club and can't come back before ``until``, null for never.

    Leaders can end it.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="exclusions", db_index=False)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_exclusions"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    reason = texts.LinesField(max_length=MAX_WORDS_LENGTH)
    since = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-since", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["club", "user"], name="one_exclusion_a_club"),
        )

    def __str__(self) -> str:
        return f"{self.user} kept out of {self.club}"


class LeaderAct(models.Model):
    """What a leader did, in a log that leaders and moderators read (:mod:`games.clubs.acts`).

    ``about`` is the member whom it concerns, ``title`` the game, ``team_match`` the id of the team
    match and ``other`` the other club in it, where there are any.
    """

    class Kind(models.TextChoices):
        EDIT = "edit"
        APPOINT = "appoint"
        DISMISS = "dismiss"
        REMOVE = "remove"
        READMIT = "readmit"
        MESSAGE = "message"
        CLOSE = "close"
        FOUND_LADDER = "found-ladder"
        CLOSE_LADDER = "close-ladder"
        CHALLENGE = "challenge"
        WITHDRAW = "withdraw"
        ACCEPT = "accept"
        DECLINE = "decline"
        CANCEL = "cancel"
        LINE_UP = "line-up"
        REPLACE = "replace"

    club = models.ForeignKey(Club, models.CASCADE, related_name="leader_acts")
    at = models.DateTimeField()
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    kind = models.CharField(max_length=12, choices=Kind)
    about = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+"
    )
    title = models.CharField("game", max_length=60, blank=True, default="", db_default="")
    team_match = models.BigIntegerField(null=True, blank=True)
    other = models.ForeignKey(
        Club, models.SET_NULL, null=True, blank=True, related_name="+", db_index=False
    )
    reason = texts.LinesField(max_length=MAX_WORDS_LENGTH, blank=True)

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return f"{self.kind} in {self.club}"


class Message(models.Model):
    """A leader's message to all members; a worker notifies them in the order of their memberships.

    ``sent_up_to`` is the id of the last membership that was notified, ``sent`` when all were.
    """

    club = models.ForeignKey(Club, models.CASCADE, related_name="messages", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="club_messages"
    )
    text = texts.LinesField(max_length=MAX_MESSAGE_LENGTH)
    created = models.DateTimeField()
    sent_up_to = models.BigIntegerField(default=0)
    sent = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created", "-pk")
        indexes = (
            models.Index(fields=["club", "-created"], name="message_of_club"),
            models.Index(fields=["id"], name="message_to_send", condition=Q(sent=None)),
        )

    def __str__(self) -> str:
        return f"message {self.pk} to {self.club}"
