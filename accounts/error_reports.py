"""Mails to the admins about new errors, all in one mail, a few times an hour.

`accounts.error_log` stores the errors.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max
from django.utils import translation

from accounts import outgoing
from accounts.models import ErrorReport

BETWEEN_MAILS = timedelta(minutes=15)
"""Minimum time between two mails to the admins: at most four an hour."""

REPORT_LIFETIME = timedelta(days=30)
"""How long an error is kept after it last occurred."""

MOST_IN_A_MAIL = 10


def report(*, now: datetime) -> int:
    """Mail each admin about all new errors, unless the last mail was too recent.

    :returns: the number of errors in the mail.
    """
    ErrorReport.objects.filter(last_seen__lt=now - REPORT_LIFETIME).delete()
    last = ErrorReport.objects.aggregate(last=Max("mailed_at"))["last"]
    if last is not None and now - last < BETWEEN_MAILS:
        return 0
    with transaction.atomic():
        unmailed = ErrorReport.objects.filter(count__gt=F("mailed_count")).order_by("first_seen")
        news = [row for row in unmailed if _mark_mailed(row, now)]
        if news:
            _write_mails(news, now)
    return len(news)


def _mark_mailed(row: ErrorReport, now: datetime) -> bool:
    """Note that an error is in a mail, unless another worker has."""
    mine = ErrorReport.objects.filter(pk=row.pk, mailed_count=row.mailed_count)
    return bool(mine.update(mailed_count=row.count, mailed_at=now))


def _write_mails(news: list[ErrorReport], now: datetime) -> None:
    parts = [_part(row) for row in news[:MOST_IN_A_MAIL]]
    if hidden := len(news) - len(parts):
        parts.append(f"… and {hidden} more, under Errors in the admin.")
    first = " ".join(news[0].summary.split())
    subject = first if len(news) == 1 else f"{len(news)} errors: {first}"
    with translation.override(settings.LANGUAGE_CODE):
        for admin in settings.ADMINS:
            outgoing.write(
                to=admin[1],
                subject=f"[Turnstone] {subject}"[:150],
                text="\n\n".join(parts),
                now=now,
            )


def _part(row: ErrorReport) -> str:
    times = f"{row.count - row.mailed_count}× until {row.last_seen:%Y-%m-%d %H:%M:%S} UTC"
    return f"{row.summary}\n{times}\n{row.details}".strip()
