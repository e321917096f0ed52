"""What followed players did in a day: a notification for those who want it by mail or push.

It is written once a day, and only if there is something to report. If all of that is deleted before
it is sent, it isn't sent.
"""

from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import notification_emails, notifications
from accounts.delivery.models import DeliverySettings
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail, Summary
from games.http import activity
from games.http.activity import Item
from games.lobby import follows

FOLLOWED = "followed-activity"

DAY = timedelta(days=1)


def items(user: User, day: date) -> list[Item]:
    """Return what the players whom a user follows did on a day, by UTC."""
    since = datetime.combine(day, time(), UTC)
    people = list(follows.followed(user).values_list("pk", flat=True))
    return activity.of_people(people, since=since, until=since + DAY)


def notify(now: datetime) -> None:
    """Notify everybody who wants it of the day before. Running twice a day does no harm."""
    yesterday = now.astimezone(UTC).date() - DAY
    for user in _readers():
        if items(user, yesterday):
            notifications.notify(
                recipient=user,
                kind=FOLLOWED,
                payload={"day": yesterday.isoformat()},
                key=f"{FOLLOWED}:{yesterday.isoformat()}",
                now=now,
            )


def _readers() -> Iterator[User]:
    """Yield the users who want these notifications and follow somebody."""
    settings = DeliverySettings.objects.exclude(quiet_mail=[], quiet_push=[])
    following = settings.filter(user__is_active=True, user__follows__isnull=False).distinct()
    for one in following.select_related("user").iterator():
        if FOLLOWED in one.quiet_mail or FOLLOWED in one.quiet_push:
            yield one.user


def register() -> None:
    notifications.register(
        FOLLOWED,
        title=gettext_lazy("What the players you follow did the day before"),
        render=_email,
        summary=_summary,
        is_quiet=True,
        is_over=lambda notification: not _items(notification),
    )


def _items(notification: Notification) -> list[Item]:
    return items(notification.recipient, date.fromisoformat(notification.payload["day"]))


def _subject(found: list[Item]) -> str:
    if not found:
        return _("No events of players you follow")
    count = len(found)
    return ngettext(
        "{count} event of players you follow", "{count} events of players you follow", count
    ).format(count=count)


def _url() -> str:
    return f"{reverse('activity')}#followed"


def _summary(notification: Notification) -> Summary:
    return Summary(_subject(_items(notification)), _url())


def _email(notification: Notification) -> NotificationEmail:
    found = _items(notification)
    links = [(one.text, one.url) for one in found]
    return notification_emails.email(_subject(found), "", _url(), links)
