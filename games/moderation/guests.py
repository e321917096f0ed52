"""What becomes of the cases about a guest who signs in to an account."""

from typing import Any

from django.db import transaction
from django.dispatch import receiver

from accounts.models import User
from accounts.signals import guest_merged
from games.moderation.models import Case


@receiver(guest_merged)
@transaction.atomic
def hand_over(guest: User, user: User, **_: Any) -> None:
    """Let the cases about a guest be about the account; two open ones of a kind become one."""
    for case in Case.objects.filter(suspect=guest).select_for_update().order_by("pk"):
        open_ones = Case.objects.filter(suspect=user, kind=case.kind, status=Case.Status.OPEN)
        other = open_ones.first() if case.status == Case.Status.OPEN else None
        if other is None:
            Case.objects.filter(pk=case.pk).update(suspect=user)
        else:
            _join(case, other)


def _join(case: Case, other: Case) -> None:
    """Put what is in a case into another one; what was reported to both stands there once."""
    known = set(other.reports.values_list("reporter", "subject"))
    for report in case.reports.all():
        if (report.reporter_id, report.subject) not in known:
            other.reports.add(report)
    other.notes.add(*case.notes.all())
    case.delete()
