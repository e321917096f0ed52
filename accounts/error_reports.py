"""Mails to the admins about errors: one about all that is new, some times an hour.

`accounts.error_log` writes the errors down; the mails go out like any other.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import F, Max

from accounts import outgoing
from accounts.models import ErrorReport

BETWEEN_MAILS = timedelta(minutes=15)
"""At least so long after a mail to the admins comes the next one: four an hour at most."""

MEMORY = timedelta(days=30)
"""How long an error that does not happen any more is kept."""

MOST_IN_A_MAIL = 10


def report(*, now: datetime) -> int:
    """Write one mail to each admin about all that is new, unless there was one just now.

    :returns: how many errors it is about.
    """
    ErrorReport.objects.filter(last_seen__lt=now - MEMORY).delete()
    last = ErrorReport.objects.aggregate(last=Max("mailed_at"))["last"]
    if last is not None and now - last < BETWEEN_MAILS:
        return 0
    with transaction.atomic():
        news = [row for row in _unmailed() if _mark_mailed(row, now)]
        if news:
            _write_mails(news, now)
    return len(news)


def _unmailed() -> list[ErrorReport]:
    return list(ErrorReport.objects.filter(count__gt=F("mailed_count")).order_by("first_seen"))


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
    for admin in settings.ADMINS:
        outgoing.write(
            to=admin[1], subject=f"[Turnstone] {subject}"[:150], text="\n\n".join(parts), now=now
        )


def _part(row: ErrorReport) -> str:
    times = f"{row.count - row.mailed_count}× until {row.last_seen:%Y-%m-%d %H:%M:%S} UTC"
    return f"{row.summary}\n{times}\n{row.details}".strip()
