"""What moderation stores of what somebody has said; what was said about them is in no such list."""

from typing import Any

from django.db.models import F

from accounts.models import User
from games.moderation.models import OpponentChoice, Report, SubstituteOffer


def of(user: User) -> dict[str, Any]:
    """Return what a user has reported, chosen about abandoned seats, and was asked."""
    reports = Report.objects.filter(reporter=user)
    choices = OpponentChoice.objects.filter(user=user).order_by("pk")
    offers = SubstituteOffer.objects.filter(user=user).order_by("pk")
    return {
        "reports": list(reports.values("subject", "text", "created", kind=F("case__kind"))),
        "choices": list(
            choices.values("choice", match=F("abandoned__match"), seat=F("abandoned__seat"))
        ),
        "offers_of_seats": list(offers.values("match", "seat", "reason", "created", "state")),
    }
