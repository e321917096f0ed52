"""The notification of achievements: one for all that a match brought a player."""

from collections.abc import Sequence
from datetime import datetime
from html import escape

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts import notifications
from accounts.models import Notification
from accounts.notifications import NotificationEmail, Summary
from games.achievements import selectors
from games.matches.formatting import names
from games.matches.notify.notifications import page_key

ACHIEVEMENT = "achievement"


def tell(user_id: int, match_id: int, keys: Sequence[tuple[str, str]], now: datetime) -> None:
    payload = {"match": match_id, "place": page_key(match_id), "keys": [list(one) for one in keys]}
    notifications.notify_all(
        recipients=[user_id],
        kind=ACHIEVEMENT,
        payload=payload,
        now=now,
        key=f"achievement:{match_id}",
    )


def register() -> None:
    notifications.register(
        ACHIEVEMENT,
        title=gettext_lazy("You earn an achievement"),
        render=_email,
        summary=_summary,
        is_quiet=True,
        is_outcome=True,
    )


def _sentence(notification: Notification) -> str:
    known = (selectors.find(title, key) for title, key in notification.payload["keys"])
    earned = [one.shown_name for one in known if one is not None]
    if not earned:
        return _("You have earned an achievement")
    # Translators: the names of one or several achievements.
    return _("You have earned {achievements}").format(achievements=names(earned))


def _email(notification: Notification) -> NotificationEmail:
    known = [selectors.find(title, key) for title, key in notification.payload["keys"]]
    lines = [f"{one.shown_name}: {one.shown_sentence}" for one in known if one is not None]
    html = "".join(f"<p>{escape(line)}</p>" for line in lines)
    return NotificationEmail(_sentence(notification), "\n".join(lines), html, _url(notification))


def _summary(notification: Notification) -> Summary:
    return Summary(_sentence(notification), _url(notification))


def _url(notification: Notification) -> str:
    return reverse("match", args=[notification.payload["match"]])
