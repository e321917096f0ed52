"""Personal data in moderation: what users wrote themselves, not what others wrote about them."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F

from accounts.models import User
from accounts.personal_data import PersonalData
from games.moderation.models import Case, OpponentChoice, Report, SubstituteOffer


class ModerationData(PersonalData):
    """A user's reports, choices about abandoned seats, and offers of seats."""

    def export(self, user: User) -> dict[str, Any]:
        reports = Report.objects.filter(reporter=user)
        choices = OpponentChoice.objects.filter(user=user).order_by("pk")
        offers = SubstituteOffer.objects.filter(user=user).order_by("pk")
        return {
            "moderation": {
                "reports": list(reports.values("subject", "text", "created", kind=F("case__kind"))),
                "choices": list(
                    choices.values("choice", match=F("abandoned__match"), seat=F("abandoned__seat"))
                ),
                "offers_of_seats": list(
                    offers.values("match", "seat", "reason", "created", "state")
                ),
            }
        }

    @transaction.atomic
    def hand_over(self, guest: User, user: User, now: datetime) -> None:
        """Move the cases about a guest to the account, and merge open cases of the same kind."""
        for case in Case.objects.filter(suspect=guest).select_for_update().order_by("pk"):
            open_cases = Case.objects.filter(suspect=user, kind=case.kind, status=Case.Status.OPEN)
            other = open_cases.first() if case.status == Case.Status.OPEN else None
            if other is None:
                Case.objects.filter(pk=case.pk).update(suspect=user)
            else:
                _join(case, other)


def _join(case: Case, other: Case) -> None:
    """Move reports and notes to another case. A subject reported in both is kept once."""
    known = set(other.reports.values_list("reporter", "subject"))
    for report in case.reports.all():
        if (report.reporter_id, report.subject) not in known:
            other.reports.add(report)
    other.notes.add(*case.notes.all())
    case.delete()
