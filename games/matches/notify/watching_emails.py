"""What the notification says that a match has ended which somebody watches."""

from django.utils.html import format_html

from accounts import notifications
from accounts.models import Notification
from accounts.notifications import NotificationEmail, Summary
from games.matches.errors import Unreadable
from games.matches.listing import read_snapshot
from games.matches.log import log_entries
from games.matches.notifications import WATCHED_ENDED
from games.matches.view.match_view import MatchView

TITLE = "A match that you watch has ended"


def _summary(notification: Notification) -> Summary:
    """Return it in one line, as a spectator may know it; by number what cannot be read."""
    snapshot = read_snapshot(notification.payload["match"])
    url = snapshot.match.get_absolute_url()
    try:
        shown = MatchView(snapshot, None, log_entries.recent(snapshot.match))
        return Summary(f"{shown.meta.name}, {shown.versus}: {shown.result_heading}", url)
    except Unreadable:
        return Summary(f"{TITLE}: match {snapshot.match.pk}", url)


def _email(notification: Notification) -> NotificationEmail:
    shown = _summary(notification)
    text = f"{TITLE}: {shown.subject}."
    return NotificationEmail(shown.subject, text, format_html("<p>{}</p>", text), shown.url)


def register() -> None:
    """Register the renderer of the kind with ``accounts``."""
    notifications.register(WATCHED_ENDED, title=TITLE, render=_email, summary=_summary)
