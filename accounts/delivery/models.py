"""What each person wants to be notified of, where and when."""

from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import Value

LAST_HOUR = 23


def _hour(name: str, **options: Any) -> Any:
    validators = [MaxValueValidator(LAST_HOUR)]
    return models.PositiveSmallIntegerField(name, validators=validators, **options)


class DeliverySettings(models.Model):
    """A person's delivery preferences; without a row the defaults apply.

    They aren't in the user's row, which every move reads. The kinds without mail are there
    (``User.mail_off``), because mail was the first channel. A preset also decides about kinds that
    the site adds later (:func:`accounts.delivery.decisions.left_out`).
    """

    class Preset(models.TextChoices):
        """A choice that covers every kind of notification."""

        NONE = "", "none"
        URGENT = "urgent", "turns and deadlines"
        QUIET = "quiet", "no email"

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="delivery", primary_key=True
    )
    preset = models.CharField(
        max_length=10, choices=Preset.choices, default=Preset.NONE, db_default="", blank=True
    )
    site_off = models.JSONField("kinds not listed on the site", default=list, blank=True)
    push_off = models.JSONField("kinds not pushed", default=list, blank=True)
    quiet_mail = models.JSONField(
        "quiet kinds mailed", default=list, db_default=Value([], models.JSONField()), blank=True
    )
    quiet_push = models.JSONField(
        "quiet kinds pushed", default=list, db_default=Value([], models.JSONField()), blank=True
    )
    mail_daily = models.JSONField("kinds mailed once a day", default=list, blank=True)
    daily_hour = _hour("hour of the daily mail", default=18)
    quiet_from = _hour("quiet from", null=True, blank=True)
    quiet_until = _hour("quiet until", null=True, blank=True)
    mail_replies = models.BooleanField("moves by mail", default=True, db_default=True)
    refused_address = models.EmailField("address that refuses mails", blank=True)
    refusals = models.PositiveSmallIntegerField("refusals in a row", default=0)

    class Meta:
        db_table = "accounts_delivery_settings"
        verbose_name = verbose_name_plural = "delivery settings"

    def __str__(self) -> str:
        return f"delivery settings of {self.user_id}"


class MutedPage(models.Model):
    """A page, such as a match, about which a person wants neither mails nor pushes."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="muted_pages", db_index=False
    )
    page_key = models.CharField(max_length=80)
    created = models.DateTimeField()

    class Meta:
        db_table = "accounts_muted_page"
        constraints = (
            models.UniqueConstraint(fields=["user", "page_key"], name="one_mute_a_page"),
        )

    def __str__(self) -> str:
        return f"{self.user_id} mutes {self.page_key}"


class PushDevice(models.Model):
    """A browser that receives pushes, with the URL of its push service and its keys.

    ``refusals`` counts the failures since the last success. Nothing is sent before ``next_try``.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_devices")
    endpoint = models.CharField(max_length=500, unique=True)
    public_key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)
    browser = models.CharField(max_length=60, blank=True)
    created = models.DateTimeField()
    refusals = models.PositiveSmallIntegerField(default=0)
    next_try = models.DateTimeField(null=True, blank=True)

    class Meta:
        db_table = "accounts_push_device"

    def __str__(self) -> str:
        return f"push device {self.pk}"


class PushMessage(models.Model):
    notification = models.ForeignKey("accounts.Notification", models.CASCADE, db_index=False)
    device = models.ForeignKey(PushDevice, models.CASCADE)
    next_try = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "accounts_push_message"
        constraints = (
            models.UniqueConstraint(fields=["notification", "device"], name="one_push_a_device"),
        )

    def __str__(self) -> str:
        return f"push message {self.pk}"


class SiteKey(models.Model):
    """A key that the site generated, encrypted under ``SECRET_KEY``."""

    name = models.CharField(max_length=20, primary_key=True)
    value = models.TextField()

    class Meta:
        db_table = "accounts_site_key"

    def __str__(self) -> str:
        return self.name


class FeedAddress(models.Model):
    """A person's private feed addresses; renewing them changes ``nonce``."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="feed_address", primary_key=True
    )
    nonce = models.CharField(max_length=32)
    created = models.DateTimeField()

    class Meta:
        db_table = "accounts_feed_address"
        verbose_name_plural = "feed addresses"

    def __str__(self) -> str:
        return f"feed address of {self.user_id}"
