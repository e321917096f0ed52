"""The form of notification settings: a preset or a row for each kind, and the hours."""

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar

from django import forms
from django.conf import settings
from django.db import transaction
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from accounts import notifications
from accounts.delivery import decisions, endpoints, readers
from accounts.delivery.models import LAST_HOUR, DeliverySettings
from accounts.forms import explained
from accounts.models import User

Preset = DeliverySettings.Preset

NOW = "now"
DAILY = "daily"
NEVER = "never"
MAIL_CHOICES = [
    (NOW, pgettext_lazy("emails", "at once")),
    (DAILY, pgettext_lazy("emails", "once a day")),
    (NEVER, pgettext_lazy("emails", "no")),
]
EVERYTHING = "everything"
CUSTOM = "custom"
HOURS: list[tuple[int | str, str]] = [(hour, f"{hour:02}:00") for hour in range(LAST_HOUR + 1)]
NO_HOUR: list[tuple[int | str, str]] = [("", "–")]


PRESETS = [
    (
        EVERYTHING,
        explained(
            gettext_lazy("Everything"),
            gettext_lazy("Each event on the site, and all but achievements by email and by push"),
        ),
    ),
    (
        Preset.URGENT.value,
        explained(
            gettext_lazy("Turns and deadlines"),
            gettext_lazy("Email and push only when a match needs you to act"),
        ),
    ),
    (
        Preset.QUIET.value,
        explained(gettext_lazy("No email"), gettext_lazy("Each event on the site and by push")),
    ),
    (CUSTOM, explained(gettext_lazy("Custom"), gettext_lazy("Choose for each event below"))),
]


class DeliveryForm(forms.ModelForm[DeliverySettings]):
    """Channels for each kind of notification, the hour of the daily mail, and quiet hours.

    The fields of a kind are ``site-<kind>``, ``mail-<kind>`` and ``push-<kind>``. They count only
    with the preset ``custom``, which is also the default.
    """

    preset = forms.ChoiceField(
        label=gettext_lazy("Notify me about"),
        choices=PRESETS,
        required=False,
        widget=forms.RadioSelect,
    )

    daily_hour = forms.TypedChoiceField(
        label=gettext_lazy("Time of the daily email"),
        coerce=int,
        choices=HOURS,
        help_text=gettext_lazy("In your time zone."),
    )
    quiet_from = forms.TypedChoiceField(
        label=pgettext_lazy("time", "From"),
        coerce=int,
        choices=NO_HOUR + HOURS,
        required=False,
        empty_value=None,
    )
    quiet_until = forms.TypedChoiceField(
        label=pgettext_lazy("time", "Until"),
        coerce=int,
        choices=NO_HOUR + HOURS,
        required=False,
        empty_value=None,
    )

    class Meta:
        model = DeliverySettings
        fields: ClassVar = ("daily_hour", "quiet_from", "quiet_until", "mail_replies")
        labels: ClassVar = {"mail_replies": gettext_lazy("Play by replying to emails")}
        help_texts: ClassVar = {
            "mail_replies": gettext_lazy("Reply to an email with your move in the first line.")
        }

    def __init__(self, data: QueryDict | None = None, *, user: User) -> None:
        super().__init__(data, instance=readers.of(user))
        self.user = user
        if not settings.REPLY_DOMAIN:
            del self.fields["mail_replies"]
        self.kinds = notifications.chosen_kinds()
        self._not_mailed = decisions.not_mailed_kinds(user, self.instance)
        not_pushed = decisions.not_pushed_kinds(self.instance)
        for name, kind in self.kinds.items():
            self.fields[f"site-{name}"] = _box(
                gettext("{event}: on the site").format(event=kind.title),
                on=name not in self.instance.site_off,
            )
            self.fields[f"push-{name}"] = _box(
                gettext("{event}: in browsers").format(event=kind.title), on=name not in not_pushed
            )
            self.fields[f"mail-{name}"] = forms.ChoiceField(
                label=gettext("{event}: by email").format(event=kind.title),
                choices=MAIL_CHOICES,
                initial=self._mail(name),
            )

        self.fields["preset"].initial = self._preset()

    def _preset(self) -> str:
        """Return the preset that matches the stored settings."""
        wanted = {
            channel: {name for name in self.kinds if self[f"{channel}-{name}"].initial}
            for channel in ("site", "push")
        }
        mailed = {name: self._mail(name) for name in self.kinds}
        for preset, _ in PRESETS:
            if preset != CUSTOM and (wanted, mailed) == self._meaning(preset):
                return preset
        return CUSTOM

    def _meaning(self, preset: str) -> tuple[dict[str, set[str]], dict[str, str]]:
        """Return the kinds that a preset shows and pushes, and when it mails each kind."""
        everything = set(self.kinds)
        not_mailed, not_pushed = (
            kinds | decisions.quiet_kinds() for kinds in decisions.left_out(preset)
        )
        by_mail = {name: NEVER if name in not_mailed else NOW for name in self.kinds}
        return {"site": everything, "push": everything - not_pushed}, by_mail

    def _mail(self, kind: str) -> str:
        if kind in self._not_mailed:
            return NEVER
        return DAILY if kind in self.instance.mail_daily else NOW

    @property
    def matrix(self) -> Iterator[tuple[str, BoundField, BoundField, BoundField]]:
        """The title of each kind, and its fields for site, mail and pushes."""
        for name, kind in self.kinds.items():
            yield kind.title, self[f"site-{name}"], self[f"mail-{name}"], self[f"push-{name}"]

    def clean(self) -> dict[str, Any]:
        """Check that quiet hours have both ends or neither.

        :raises ValidationError: one is missing.
        """
        values: dict[str, Any] = super().clean() or {}
        preset = values.get("preset") or CUSTOM
        if preset != CUSTOM:
            self._apply(values, preset)
        ends = [values.get("quiet_from"), values.get("quiet_until")]
        if not self.errors and ends.count(None) == 1:
            raise forms.ValidationError(
                gettext("Enter both a start and an end for the quiet hours, or neither.")
            )
        return values

    def _apply(self, values: dict[str, Any], preset: str) -> None:
        """Replace the choices for each kind by those of a preset."""
        wanted, mailed = self._meaning(preset)
        for name in self.kinds:
            for channel, kinds in wanted.items():
                values[f"{channel}-{name}"] = name in kinds
            values[f"mail-{name}"] = mailed[name]
            self.errors.pop(f"mail-{name}", None)

    def save(self, commit: bool = True) -> DeliverySettings:  # noqa: FBT001, FBT002 - as Django
        """Save the preferences; those for unregistered kinds stay as they are."""
        mailed = {kind: self.cleaned_data[f"mail-{kind}"] for kind in self.kinds}
        with transaction.atomic():
            user = User.objects.select_for_update().get(pk=self.user.pk)
            user.mail_off = self._kept(user.mail_off, _which(mailed, NEVER))
            user.save(update_fields=["mail_off"])
            self.instance.site_off = self._kept(self.instance.site_off, self._unticked("site"))
            self.instance.push_off = self._kept(self.instance.push_off, self._unticked("push"))
            self.instance.mail_daily = self._kept(self.instance.mail_daily, _which(mailed, DAILY))
            quiet = decisions.quiet_kinds()
            mailed_too = quiet - set(_which(mailed, NEVER))
            pushed_too = quiet - set(self._unticked("push"))
            self.instance.quiet_mail = self._kept(self.instance.quiet_mail, mailed_too)
            self.instance.quiet_push = self._kept(self.instance.quiet_push, pushed_too)
            chosen = self.cleaned_data["preset"]
            self.instance.preset = chosen if chosen in Preset.values else Preset.NONE
            return super().save(commit)

    def _unticked(self, channel: str) -> list[str]:
        return [kind for kind in self.kinds if not self.cleaned_data[f"{channel}-{kind}"]]

    def _kept(self, before: Iterable[str], chosen: Iterable[str]) -> list[str]:
        return sorted((set(before) - set(self.kinds)) | set(chosen))


def _box(label: str, *, on: bool) -> forms.BooleanField:
    return forms.BooleanField(label=label, required=False, initial=on)


def _which(chosen: dict[str, str], value: str) -> list[str]:
    return [kind for kind, level in chosen.items() if level == value]


class DeviceForm(forms.Form):
    endpoint = forms.CharField(max_length=endpoints.MAX_ENDPOINT_LENGTH)
    public_key = forms.CharField(max_length=100)
    secret = forms.CharField(max_length=40)
