"""Celery tasks of moderation."""

from celery import shared_task
from django.core.mail import mail_admins
from django.utils import timezone

from games.moderation import cases
from games.moderation.models import Case


@shared_task
def tell_admins() -> None:
    """Mail the admins once about each case that has been open for days."""
    waiting = list(cases.unattended(timezone.now()))
    if not waiting:
        return
    lines = "\n".join(f"Case {case.pk}, {case.get_kind_display()}" for case in waiting)
    mail_admins("Cases wait for a moderator", f"These wait for more than three days:\n\n{lines}\n")
    Case.objects.filter(pk__in=[case.pk for case in waiting]).update(admins_told=True)
