"""Users, blocks, notifications, API tokens, outgoing mails and error reports."""

from collections.abc import Iterable
from datetime import UTC, tzinfo
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.apps import apps
from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Lower, Upper
from django.utils import timezone
from django.utils.translation import gettext_lazy
from django_countries.fields import CountryField

from accounts import languages, names, passwords, texts, zones
from accounts.delivery import models as delivery_models  # noqa: F401 - Django finds them here
from accounts.sanctions import models as sanction_models  # noqa: F401 - Django finds them here
from accounts.security import models as security_models  # noqa: F401 - Django finds them here
from config.addresses import path_of

NAME_TAKEN = gettext_lazy("This name is taken, or looks too similar to one that is.")


class UserManager(BaseUserManager["User"]):
    def create_user(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> "User":
        """Create a user; without a password nobody can sign in as this one."""
        user = self.model(username=username, email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save(using=self._db)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **fields: Any
    ) -> "User":
        """Create a superuser with a confirmed address.

        :raises ValidationError: by field, what is wrong or taken.
        """
        if not email:
            raise ValidationError({"email": "Without a mail address nobody can sign in."})
        rights = {"is_staff": True, "is_superuser": True}
        user = self.model(username=username, email=email, **{**fields, **rights})
        user.set_password(password)
        user.full_clean()
        with transaction.atomic(using=self._db):
            user.save(using=self._db)
            addresses = apps.get_model("account", "EmailAddress")._default_manager
            addresses.create(user=user, email=user.email, primary=True, verified=True)
        return user

    def lookalikes(self, name: str) -> "models.QuerySet[User]":
        """Return the users whose name equals or resembles this one; at most one exists."""
        return self.filter(skeleton=names.skeleton(name))

    def named(self, name: str) -> "User | None":
        """Find an active user by name, ignoring case. Guests can't be found."""
        if "\0" in name:
            # PostgreSQL can't store NUL, and no name contains one.
            return None
        exact = self.lookalikes(name).filter(username__iexact=name)
        return exact.filter(is_active=True, is_guest=False).first()


class User(AbstractBaseUser, PermissionsMixin):
    """A person with an account, a guest without one (``is_guest``), or a bot.

    The database computes ``skeleton`` from the name, so no write can leave it outdated.
    """

    class Theme(models.TextChoices):
        AUTO = "auto", gettext_lazy("As the device")
        LIGHT = "light", gettext_lazy("Light")
        DARK = "dark", gettext_lazy("Dark")

    username = models.CharField(
        "name",
        max_length=names.MAX_LENGTH,
        unique=True,
        validators=[names.validate],
        error_messages={"unique": gettext_lazy("This name is taken.")},
    )
    skeleton = models.GeneratedField(
        expression=names.skeleton_of("username"),
        output_field=models.CharField(max_length=names.MAX_LENGTH),
        db_persist=True,
        unique=True,
    )
    email = models.EmailField("mail address", blank=True)
    is_active = models.BooleanField(
        "active", default=True, help_text="Switch off rather than delete: matches refer to the row."
    )
    is_staff = models.BooleanField("staff", default=False, help_text="May use the admin.")
    date_joined = models.DateTimeField("joined", default=timezone.now, editable=False)

    PREFERENCES: ClassVar = (
        "language",
        "time_zone",
        "theme",
        "confirm_moves",
        "left_handed",
        "shows_presence",
    )
    """The fields of the page of preferences.

    A new preference needs its name here, a field with its words below, and a migration. The page,
    the admin, the export of one's data and guests who join follow from that.
    """
    # No choices: a language that is offered no longer comes back with its catalogue.
    language = models.CharField(max_length=12, blank=True, default="", db_default="")
    time_zone = models.CharField(max_length=60, default=zones.UTC_NAME, validators=[zones.validate])
    theme = models.CharField(
        gettext_lazy("light or dark"), max_length=5, choices=Theme, default=Theme.AUTO
    )
    confirm_moves = models.BooleanField(
        default=True,
        help_text=gettext_lazy(
            "You see your move on the board before you play it. When off, a click plays the move "
            "at once."
        ),
    )
    left_handed = models.BooleanField(
        gettext_lazy("left-handed"),
        default=False,
        help_text=gettext_lazy("Mirror the buttons below a board."),
    )
    shows_presence = models.BooleanField(
        gettext_lazy("show when I’m here"),
        default=True,
        db_default=True,
        help_text=gettext_lazy(
            "Opponents see when you have the match open. Members see the day of your last visit, "
            "and those who follow you see when you are on the site."
        ),
    )
    last_here = models.DateField(null=True, blank=True, editable=False)
    is_bot = models.BooleanField("bot", default=False, db_default=False, editable=False)
    is_restricted = models.BooleanField(
        "restricted", default=False, db_default=False, editable=False
    )
    is_guest = models.BooleanField("guest", default=False, db_default=False, editable=False)
    is_program = models.BooleanField(
        "played by a program", default=False, db_default=False, editable=False
    )
    mail_off = models.JSONField("kinds of notification not mailed", default=list, blank=True)

    auto_vacation = models.BooleanField(
        "vacation starts before time runs out", default=False, db_default=False
    )

    about = texts.LinesField(max_length=1000, blank=True)
    country = CountryField(blank=True)
    languages = models.JSONField("codes of languages spoken", default=list, blank=True)

    USERNAME_FIELD = "username"
    EMAIL_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["email"]

    objects = UserManager()

    class Meta:
        constraints = (
            models.UniqueConstraint(
                Lower("email"), name="one_user_an_address", condition=~models.Q(email="")
            ),
        )
        # Sign-in looks names up ignoring case.
        indexes = (
            models.Index(Upper("username"), name="user_by_name"),
            models.Index(
                fields=["last_login"], name="guest_by_age", condition=models.Q(is_guest=True)
            ),
            models.Index(
                fields=["last_here"],
                name="user_here",
                condition=models.Q(is_guest=False, is_bot=False),
            ),
        )

    def full_clean(self, exclude: Iterable[str] | None = None, *args: Any, **kwargs: Any) -> None:
        """Check all fields except the skeleton, which an unsaved user doesn't have yet.

        :raises ValidationError: by field, what is wrong.
        """
        super().full_clean({*(exclude or ()), "skeleton"}, *args, **kwargs)

    def clean(self) -> None:
        """Normalise the address, and check that name and address are free.

        :raises ValidationError: a new user's name resembles a taken one, or the address is taken.
        """
        super().clean()
        self.email = type(self).objects.normalize_email(self.email).lower()
        if not self._state.adding:
            return
        if type(self).objects.lookalikes(self.username).exists():
            raise ValidationError({"username": NAME_TAKEN})
        if self.email and type(self).objects.filter(email__iexact=self.email).exists():
            raise ValidationError({"email": "There is an account with this address."})

    def set_password(self, raw_password: str | None) -> None:
        """Set the password; a :class:`~accounts.passwords.HashedPassword` isn't hashed again."""
        if isinstance(raw_password, passwords.HashedPassword):
            self.password = raw_password.hash
        else:
            super().set_password(raw_password)

    def lock(self) -> None:
        """Lock the row until the transaction ends, so that others wait before they count.

        Rows that refer to the user can still be written.
        """
        rows = type(self).objects.filter(pk=self.pk).select_for_update(no_key=True)
        list(rows.values_list("pk"))

    def get_absolute_url(self) -> str:
        return path_of("player", self.username)

    @property
    def shown_name(self) -> str:
        return names.shown(self.username)

    @property
    def is_shown_as_bot(self) -> bool:
        """Whether pages show it as a bot: one of the site's, or declared by its owner."""
        return self.is_bot or self.is_program

    @property
    def language_names(self) -> list[str]:
        return languages.names(self.languages)

    @property
    def zone(self) -> tzinfo:
        """The user's time zone; UTC if this machine doesn't know the stored one."""
        return ZoneInfo(self.time_zone) if self.time_zone in zones.known() else UTC


class Block(models.Model):
    """One user keeps another away."""

    blocker = models.ForeignKey(User, models.CASCADE, related_name="blocks")
    blocked = models.ForeignKey(User, models.CASCADE, related_name="blocked_by")
    created = models.DateTimeField()

    class Meta:
        ordering = ("-created",)
        constraints = (
            models.UniqueConstraint(fields=["blocker", "blocked"], name="one_block_a_pair"),
            models.CheckConstraint(
                condition=~models.Q(blocker=models.F("blocked")), name="block_of_somebody_else"
            ),
        )

    def __str__(self) -> str:
        return f"{self.blocker} blocks {self.blocked}"


class Notification(models.Model):
    """A notification: written with its event, shown on the site, and mailed later."""

    class MailState(models.TextChoices):
        DUE = "due", "waiting to be sent"
        SENDING = "sending", "being sent"
        SENT = "sent", "sent"
        SEEN = "seen", "not needed: seen on the site"
        OFF = "off", "not wanted"
        MERGED = "merged", "sent in the mail of another notification"
        REPLACED = "replaced", "not needed: replaced by a later one"
        OVER = "over", "not needed: no longer true"
        FAILED = "failed", "given up"

    WAITING: ClassVar = (MailState.DUE, MailState.SENDING)

    recipient = models.ForeignKey(
        User, models.CASCADE, related_name="notifications", db_index=False, verbose_name="to"
    )
    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    page_key = models.CharField(
        db_column="place",
        max_length=80,
        blank=True,
        help_text="The page it is about, by the key in the payload.",
    )
    key = models.CharField(max_length=160, null=True, blank=True)  # noqa: DJ001 - null is no key
    created = models.DateTimeField()
    seen_at = models.DateTimeField(null=True, blank=True)

    mail_state = models.CharField(max_length=8, choices=MailState, default=MailState.DUE)
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="Number of tries. A worker writes only if its try is the latest."
    )
    next_try = models.DateTimeField(
        help_text="When it is due, or while being sent, when its lease ends."
    )
    sent_at = models.DateTimeField(null=True, blank=True)
    error = models.CharField(max_length=300, blank=True)
    push_due = models.BooleanField("not pushed to browsers yet", default=True, db_default=False)

    class Meta:
        db_table = "accounts_notice"
        constraints = (models.UniqueConstraint(fields=["recipient", "key"], name="told_once"),)
        indexes = (
            models.Index(fields=["recipient", "-created"], name="notice_list"),
            models.Index(
                fields=["recipient"], name="notice_unseen", condition=models.Q(seen_at=None)
            ),
            models.Index(
                fields=["next_try"],
                name="notice_waiting",
                condition=models.Q(mail_state__in=["due", "sending"]),
            ),
            models.Index(
                fields=["recipient", "sent_at"],
                name="notice_mailed",
                condition=models.Q(mail_state="sent"),
            ),
            models.Index(fields=["id"], name="notice_to_push", condition=models.Q(push_due=True)),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class ApiToken(models.Model):
    """A token that lets a program sign in as a user; only its hash is stored.

    ``digest`` is the SHA-256 in hexadecimal. ``last_used`` is accurate to about a minute, and null
    before the first use.
    """

    class Scope(models.TextChoices):
        READ = "read", gettext_lazy("Read what I can see")
        PLAY = "play", gettext_lazy("Play my matches")
        CHALLENGE = "challenge", gettext_lazy("Make and answer challenges")
        CHAT = "chat", gettext_lazy("Write in the chat of matches")

    user = models.ForeignKey(User, models.CASCADE, related_name="api_tokens", db_index=False)
    name = models.CharField(max_length=60)
    digest = models.CharField(max_length=64, unique=True)
    scopes = models.JSONField(default=list)
    created = models.DateTimeField()
    last_used = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "API token"
        constraints = (
            models.UniqueConstraint(fields=["user", "name"], name="one_api_token_a_name"),
        )

    def __str__(self) -> str:
        return f"API token {self.pk}"

    @property
    def scope_names(self) -> list[str]:
        return [str(scope.label) for scope in self.Scope if scope in self.scopes]


class OutgoingMail(models.Model):
    """A mail other than those of notifications, such as a password link.

    Written in the transaction of its event. ``text`` may hold secrets, so the row is deleted as
    soon as the mail is sent or expires.
    """

    class MailState(models.TextChoices):
        DUE = "due", "waiting to be sent"
        SENDING = "sending", "being sent"

    to = models.EmailField()
    subject = models.CharField(max_length=255)
    text = models.TextField()
    language = models.CharField(max_length=12, blank=True, default="", db_default="")
    created = models.DateTimeField()
    expires = models.DateTimeField(help_text="It is not sent after this time.")

    mail_state = models.CharField(max_length=8, choices=MailState, default=MailState.DUE)
    attempts = models.PositiveSmallIntegerField(
        default=0, help_text="Number of tries. A worker writes only if its try is the latest."
    )
    next_try = models.DateTimeField(
        db_index=True, help_text="When it is due, or while being sent, when its lease ends."
    )
    error = models.CharField(max_length=300, blank=True)

    class Meta:
        verbose_name = "outgoing mail"

    def __str__(self) -> str:
        return f"mail {self.pk}"


class ErrorReport(models.Model):
    """A kind of error on the site, with its count."""

    fingerprint = models.CharField(max_length=64, unique=True)
    summary = models.CharField(max_length=200)
    details = models.TextField(help_text="Details of the first occurrence.")
    first_seen = models.DateTimeField()
    last_seen = models.DateTimeField(db_index=True)
    count = models.PositiveIntegerField(default=0)
    mailed_count = models.PositiveIntegerField(default=0)
    mailed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = "error"

    def __str__(self) -> str:
        return self.summary


class AccountDeletion(models.Model):
    """A deletion that the owner can cancel until it is due."""

    user = models.OneToOneField(User, models.CASCADE, related_name="deletion", primary_key=True)
    due = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_deletion"

    def __str__(self) -> str:
        return f"deletion of account {self.pk}"
