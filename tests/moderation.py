"""Moderators, reports and cases, for tests of what they do and of those whom it concerns."""

from typing import Any

from django.contrib.auth.models import Group

from accounts.models import Notification, User
from games.moderation import groups, reports
from games.moderation.models import Case, Report
from games.moderation.notifications import worded
from tests.fixtures import NOW

WORDS = "He knew all of my hidden cards."


def make_moderator(user: User) -> User:
    """Put somebody into the group; return the user without the permissions of before."""
    user.groups.add(Group.objects.get(name=groups.MODERATORS))
    return User.objects.get(pk=user.pk)


def reported(
    match_id: int, reporter: User, suspect: User, kind: Case.Kind = Case.Kind.CHEATING, **how: Any
) -> Report:
    """Report somebody from the page of a match, or of what ``name`` and ``subject_id`` say."""
    how = {"name": "match", "subject_id": match_id, "text": WORDS, "now": NOW, **how}
    return reports.file_report(reporter=reporter, suspect=suspect, kind=kind, **how)


def told(user: User) -> list[str]:
    """Return what moderators told somebody, the earliest first."""
    rows = Notification.objects.filter(recipient=user, kind="decision").order_by("pk")
    return [worded(row.payload["subject"]) for row in rows]
