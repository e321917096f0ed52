"""Challenges, invitations, follows and preferences."""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import texts
from games.matches.clock import Clock
from games.matches.fields import HiddenField
from games.matches.models import MAX_SEATS, Match, WithoutSecrets


class StandingChallenge(models.Model):
    """A challenge that is posted again until its owner plays ``most`` matches of it.

    ``since`` is when it was created or last resumed. ``stopped`` is why it is paused.
    """

    class Stop(models.TextChoices):
        TIMEOUT = "timeout", gettext_lazy("your time ran out in one of its matches")
        IDLE = "idle", gettext_lazy("you were away for two weeks")

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="standing_challenges"
    )
    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    clock = models.JSONField(null=True)
    seats = models.PositiveSmallIntegerField()
    seating = models.CharField(max_length=6)
    message = texts.ShortLinesField(max_length=500, blank=True)
    least_reliability = models.PositiveSmallIntegerField(default=0)
    rated = models.BooleanField(default=False, db_default=False)
    rating_within = models.PositiveSmallIntegerField(null=True, blank=True)
    most = models.PositiveSmallIntegerField()
    since = models.DateTimeField()
    stopped = models.CharField(max_length=7, choices=Stop, blank=True)

    def __str__(self) -> str:
        return f"standing challenge {self.pk}"

    @property
    def time_control(self) -> Clock | None:
        """The clock of its matches. ``None`` without one."""
        return Clock.load(self.clock)


class Challenge(models.Model):
    """An offer to play: game, parameters, clock and audience.

    ``version`` rises with every change, which is a compare-and-swap. ``commitment`` is the SHA-256
    of ``secret`` in hexadecimal, and unique. The dice of the match are derived from ``secret``.

    With ``strict_dice`` players commit to a nonce when they take a seat. When all seats are taken
    the challenge is ``REVEALING``: the seating is drawn, and the match starts once all players have
    revealed their nonces, before ``expires``.

    A ``rated`` challenge becomes a rated match, unless a guest takes a seat. If it is open to
    everybody, ``lowest_rating`` and ``highest_rating`` may limit who accepts it; null means no
    limit. Both are set or neither is.

    From ``bots_from`` on, bots of the level ``bot_level`` may take free seats; null means never.
    """

    class Audience(models.TextChoices):
        OPEN = "open", "anybody"
        NAMED = "named", "the players named"
        LINK = "link", "anybody with the link"

    class Seating(models.TextChoices):
        """How seats are assigned. The first seat moves first."""

        RANDOM = "random", pgettext_lazy("seating", "random")
        FIRST = "first", gettext_lazy("I begin")
        LAST = "last", gettext_lazy("they begin")

    class Status(models.TextChoices):
        """Whether a challenge is pending, and otherwise its outcome."""

        OPEN = "open", "open"
        REVEALING = "revealing", "waiting for the dice"
        STARTED = "started", "started"
        DECLINED = "declined", "declined"
        WITHDRAWN = "withdrawn", "withdrawn"
        EXPIRED = "expired", "expired"

    title = models.CharField("game", max_length=60)
    params = models.JSONField()
    clock = models.JSONField(null=True)
    seats = models.PositiveSmallIntegerField()
    creator = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="challenges")
    audience = models.CharField(max_length=6, choices=Audience)
    seating = models.CharField(max_length=6, choices=Seating, default=Seating.RANDOM)
    message = texts.ShortLinesField(max_length=500, blank=True)
    token = models.CharField(max_length=43, unique=True)
    commitment = models.CharField(max_length=64, db_column="seal")
    secret = HiddenField()
    strict_dice = models.BooleanField(default=False)
    rated = models.BooleanField(default=False, db_default=False)
    lowest_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    highest_rating = models.PositiveSmallIntegerField(null=True, blank=True)
    bots_from = models.DateTimeField(null=True, blank=True)
    bot_level = models.CharField(max_length=20, blank=True, default="", db_default="")
    least_reliability = models.PositiveSmallIntegerField(default=0, db_default=0)
    status = models.CharField(max_length=10, choices=Status, default=Status.OPEN)
    version = models.PositiveIntegerField(default=0)
    created = models.DateTimeField()
    expires = models.DateTimeField()
    match = models.OneToOneField(Match, models.PROTECT, null=True, related_name="challenge")
    rematch_of = models.ForeignKey(
        Match, models.PROTECT, null=True, blank=True, related_name="rematches"
    )
    renewal = models.ForeignKey(
        StandingChallenge, models.SET_NULL, null=True, blank=True, related_name="challenges"
    )

    objects = WithoutSecrets()

    class Meta:
        base_manager_name = "objects"
        ordering = ("-created", "-pk")
        indexes = (
            models.Index(fields=["status", "expires"], name="challenge_expiry"),
            models.Index(
                fields=["-created"],
                name="challenge_in_lobby",
                condition=models.Q(status="open", audience="open"),
            ),
            models.Index(
                fields=["bots_from"],
                name="challenge_for_bots",
                condition=models.Q(status="open", bots_from__isnull=False),
            ),
        )
        constraints = (
            models.UniqueConstraint(
                fields=["rematch_of"],
                condition=models.Q(status__in=["open", "revealing"]),
                name="one_open_rematch_a_match",
            ),
            models.UniqueConstraint(
                fields=["renewal"],
                condition=models.Q(status__in=["open", "revealing"]),
                name="one_open_challenge_a_renewal",
            ),
            models.UniqueConstraint(fields=["commitment"], name="one_challenge_a_commitment"),
            models.CheckConstraint(
                condition=Q(audience__in=["open", "named", "link"])
                & Q(seating__in=["random", "first", "last"]),
                name="challenge_choices_are_known",
            ),
            models.CheckConstraint(
                condition=Q(status="started", match__isnull=False)
                | Q(
                    status__in=["open", "revealing", "declined", "withdrawn", "expired"], match=None
                ),
                name="challenge_starts_with_a_match",
            ),
            models.CheckConstraint(
                condition=Q(seats__gte=2, seats__lte=MAX_SEATS), name="challenge_seats_2_to_10"
            ),
            models.CheckConstraint(
                condition=Q(expires__gt=F("created")), name="challenge_expires_after_creation"
            ),
        )

    def __str__(self) -> str:
        return f"challenge {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("challenge", args=[self.pk])

    @property
    def closed_sentence(self) -> str:
        """Why nobody can take a seat in it any more."""
        return str(CLOSED[self.Status(self.status)])

    @property
    def is_open(self) -> bool:
        """Whether a seat can still be taken."""
        return self.status == self.Status.OPEN

    @property
    def is_revealing(self) -> bool:
        """Whether all seats are taken and players are revealing their nonces."""
        return self.status == self.Status.REVEALING

    @property
    def is_full(self) -> bool:
        """Whether the seating was drawn. With strict dice it is once all seats are taken."""
        return any(invitation.seat is not None for invitation in self.invitations.all())

    @property
    def is_pending(self) -> bool:
        """Whether it can still become a match."""
        return self.is_open or self.is_revealing

    @property
    def are_dice_hidden(self) -> bool:
        """Whether the secret of the dice must stay hidden."""
        return self.is_pending or (self.match is not None and self.match.are_dice_hidden)

    @property
    def time_control(self) -> Clock | None:
        """The clock of the match. ``None`` without one."""
        return Clock.load(self.clock)


class Search(models.Model):
    """A game in which people look for opponents. A search locks its row, so they run in turn."""

    title = models.CharField("game", max_length=60, primary_key=True)

    class Meta:
        verbose_name_plural = "searches"

    def __str__(self) -> str:
        return f"searches in {self.title}"


CLOSED = {
    Challenge.Status.REVEALING: gettext_lazy("This challenge is waiting for the dice."),
    Challenge.Status.STARTED: gettext_lazy("This challenge is started."),
    Challenge.Status.DECLINED: gettext_lazy("This challenge is declined."),
    Challenge.Status.WITHDRAWN: gettext_lazy("This challenge is withdrawn."),
    Challenge.Status.EXPIRED: gettext_lazy("This challenge has expired."),
}
"""Why nobody can take a seat in a challenge any more."""


class Invitation(models.Model):
    class State(models.TextChoices):
        INVITED = "invited", pgettext_lazy("player", "invited")
        TAKEN = "taken", pgettext_lazy("player", "accepted")
        DECLINED = "declined", pgettext_lazy("player", "declined")

    challenge = models.ForeignKey(Challenge, models.CASCADE, related_name="invitations")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="invitations")
    state = models.CharField(max_length=8, choices=State)
    nonce = HiddenField(default=bytes)
    nonce_is_own = models.BooleanField(default=False)
    nonce_commitment = models.CharField(max_length=64, blank=True, default="")
    seat = models.PositiveSmallIntegerField(null=True, blank=True)
    reason = texts.LineField(max_length=200, blank=True)
    answered = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "lobby_place"
        ordering = ("answered", "pk")
        constraints = (
            models.UniqueConstraint(fields=["challenge", "user"], name="one_place_a_person"),
            models.CheckConstraint(
                condition=Q(state__in=["invited", "taken", "declined"]),
                name="invitation_state_is_known",
            ),
            models.CheckConstraint(
                condition=Q(seat=None) | Q(seat__lt=MAX_SEATS), name="invitation_seat_exists"
            ),
        )

    def __str__(self) -> str:
        return f"{self.user}: {self.get_state_display()}"

    @property
    def shown_reason(self) -> str:
        """The words of a person, or those of a bot in the reader's language."""
        return gettext(self.reason) if self.user.is_bot else self.reason

    @property
    def is_taken(self) -> bool:
        return self.state == self.State.TAKEN

    @property
    def has_revealed(self) -> bool:
        return bool(self.nonce)

    @property
    def are_dice_hidden(self) -> bool:
        return self.challenge.are_dice_hidden


class Follow(models.Model):
    """A user follows another one: notifications of open challenges, and a list of matches."""

    follower = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="follows")
    followed = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="followers")
    created = models.DateTimeField()

    class Meta:
        ordering = ("-created", "-pk")
        constraints = (
            models.UniqueConstraint(fields=["follower", "followed"], name="one_follow_a_pair"),
            models.CheckConstraint(
                condition=~Q(follower=F("followed")), name="follow_of_somebody_else"
            ),
        )

    def __str__(self) -> str:
        return f"{self.follower} follows {self.followed}"


class ChallengePreferences(models.Model):
    """Who may challenge a user, and with how many matches against people they are busy.

    ``most_matches`` is null for no limit. Users without a row have the defaults.
    """

    class Challengers(models.TextChoices):
        """Who may name the user in a challenge. Blocked users never may."""

        ANYBODY = "anybody", gettext_lazy("Anybody I have not blocked")
        FOLLOWED = "followed", gettext_lazy("Only players I follow")
        NOBODY = "nobody", gettext_lazy("Nobody")

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="challenge_preferences",
    )
    challengers = models.CharField(max_length=8, choices=Challengers, default=Challengers.ANYBODY)
    most_matches = models.PositiveSmallIntegerField(null=True, blank=True)

    def __str__(self) -> str:
        return f"challenge preferences of {self.user}"
