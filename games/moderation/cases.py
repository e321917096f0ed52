"""Cases: claiming, notes, closing, and the permission to work on them."""

from datetime import datetime, timedelta

from django.contrib.auth.models import Group, Permission
from django.db import IntegrityError, transaction
from django.db.models import Count, Q, QuerySet

from accounts.models import User
from games.matches.models import Player
from games.moderation import log, notifications
from games.moderation.errors import ModerationRefused, NotYours
from games.moderation.models import Case, ModeratorAction, Note, Report
from games.moderation.notifications import said

CLAIM = timedelta(minutes=20)
"""How long a claim lasts."""

UNATTENDED = timedelta(days=3)
"""The admins are notified of a case that is open for longer."""

WEIGHTS = {
    Case.Kind.CHEATING: 5,
    Case.Kind.ABUSE: 4,
    Case.Kind.ACCOUNTS: 3,
    Case.Kind.STALLING: 3,
    Case.Kind.LOSING: 3,
    Case.Kind.ARRANGING: 3,
    Case.Kind.SPAM: 2,
    Case.Kind.NAME: 2,
    Case.Kind.OTHER: 1,
}
"""The weight of each kind in the queue."""


def queue(moderator: User, now: datetime) -> list[tuple[Case, int]]:
    """Return the open cases that a moderator may work on, with their weights, heaviest first.

    The weight grows with the kind, the number of reporters, and the days of waiting.
    """
    cases = Case.objects.filter(status=Case.Status.OPEN).select_related("suspect", "claimed_by")
    if not moderator.is_superuser:
        cases = cases.exclude(suspect__in=officials())
    counted = cases.annotate(reporters=Count("reports__reporter", distinct=True))
    weighed = [(case, _weight(case, case.reporters, now)) for case in counted]
    mine = [(case, weight) for case, weight in weighed if not is_part_of(moderator, case)]
    return sorted(mine, key=lambda entry: (-entry[1], entry[0].opened))


def _weight(case: Case, reporters: int, now: datetime) -> int:
    return WEIGHTS[Case.Kind(case.kind)] * reporters + (now - case.opened).days


def is_part_of(moderator: User, case: Case) -> bool:
    """Whether a moderator is the suspect, a reporter, or plays with the suspect."""
    if moderator.pk == case.suspect_id:
        return True
    if Report.objects.filter(case=case, reporter=moderator).exists():
        return True
    return plays_with(moderator, case.suspect_id)


def plays_with(moderator: User, user_id: int) -> bool:
    """Whether a moderator and a user play in the same running match."""
    together = Player.objects.filter(user=moderator, ended=None).values("match")
    return Player.objects.filter(user=user_id, match__in=together).exists()


def check_open_to(moderator: User, case: Case) -> None:
    """Check that a moderator may see a case and work on it.

    :raises NotYours: they are part of it, or only superusers may.
    """
    if is_part_of(moderator, case):
        raise NotYours("You have a part in this case. Leave it to somebody else.")
    check_may_judge(moderator, case.suspect_id)


def check_may_judge(moderator: User, suspect_id: int) -> None:
    """Check that a moderator may decide about a user. Only superusers decide about officials.

    :raises NotYours: they may not.
    """
    if not moderator.is_superuser and officials().filter(pk=suspect_id).exists():
        raise NotYours("Staff is left to the superusers.")


def officials() -> QuerySet[User]:
    powers = Permission.objects.filter(content_type__app_label=Case._meta.app_label)
    by_group = Q(groups__in=Group.objects.filter(permissions__in=powers))
    holders = User.objects.filter(by_group | Q(user_permissions__in=powers)).values("pk")
    return User.objects.filter(Q(is_staff=True) | Q(is_superuser=True) | Q(pk__in=holders))


def free(moderator: User, now: datetime) -> Q:
    """Return the condition that nobody else has claimed a case."""
    return Q(claimed_by=None) | Q(claimed_by=moderator) | Q(claimed_until__lte=now)


def claim(case: Case, *, moderator: User, now: datetime) -> None:
    """Claim a case, or extend the claim.

    :raises NotYours: the moderator may not work on it, or somebody else has claimed it.
    :raises ModerationRefused: it is closed.
    """
    check_open_to(moderator, case)
    rows = Case.objects.filter(pk=case.pk, status=Case.Status.OPEN)
    if not rows.exists():
        raise ModerationRefused("This case is closed.")
    taken = rows.filter(free(moderator, now))
    if not taken.update(claimed_by=moderator, claimed_until=now + CLAIM):
        raise NotYours("Somebody else is working on this case.")
    case.refresh_from_db()


def opened(suspect: User, kind: Case.Kind, now: datetime) -> Case:
    """Return the open case of a kind about a user, and create it if necessary."""
    try:
        with transaction.atomic():
            case, _ = Case.objects.get_or_create(
                suspect=suspect, kind=kind, status=Case.Status.OPEN, defaults={"opened": now}
            )
    except IntegrityError:
        case = Case.objects.get(suspect=suspect, kind=kind, status=Case.Status.OPEN)
    return case


@transaction.atomic
def open_by(
    moderator: User, *, suspect: User | None, kind: Case.Kind, reason: str, now: datetime
) -> Case:
    """Open a case without a report, or find the open one, and claim it.

    :raises NotYours: the moderator would be part of it, or somebody else has claimed it.
    :raises ModerationRefused: no person has that name.
    """
    if suspect is None or suspect.is_bot:
        raise ModerationRefused("There is no such player.")
    case = opened(suspect, kind, now)
    claim(case, moderator=moderator, now=now)
    add_note(case, moderator=moderator, text=reason, now=now)
    log.write("open", moderator=moderator, user=suspect, case=case, reason=reason, now=now)
    return case


def release(case: Case, *, moderator: User) -> None:
    own = Case.objects.filter(pk=case.pk, claimed_by=moderator)
    own.update(claimed_by=None, claimed_until=None)


def add_note(case: Case, *, moderator: User, text: str, now: datetime) -> None:
    """Add a note for other moderators.

    :raises NotYours: the moderator may not see the case.
    """
    check_open_to(moderator, case)
    Note.objects.create(case=case, author=moderator, text=text, created=now)


@transaction.atomic
def close(case: Case, *, moderator: User, upheld: bool, reason: str, now: datetime) -> None:
    """Close a case and notify its reporters.

    :raises NotYours: the moderator may not close it.
    :raises ModerationRefused: it is closed already.
    """
    claim(case, moderator=moderator, now=now)
    status = Case.Status.UPHELD if upheld else Case.Status.DISMISSED
    Case.objects.filter(pk=case.pk).update(
        status=status, closed=now, claimed_by=None, claimed_until=None
    )
    log.write(
        "close",
        moderator=moderator,
        case=case,
        reason=reason,
        now=now,
        details=status,
    )
    reporters = set(case.reports.values_list("reporter", flat=True))
    notifications.notify(
        reporters,
        subject=said("report-answered", name=case.suspect.shown_name),
        text=said("report-upheld" if upheld else "report-dismissed"),
        url="",
        now=now,
    )


def unattended(now: datetime) -> QuerySet[Case]:
    """Return the cases open for longer than ``UNATTENDED`` that the admins don't know of."""
    waiting = Case.objects.filter(status=Case.Status.OPEN, opened__lte=now - UNATTENDED)
    return waiting.filter(admins_told=False)


def log_shown_to(moderator: User) -> QuerySet[ModeratorAction]:
    """Return the log, latest first. Only superusers see entries about officials."""
    rows = ModeratorAction.objects.order_by("-pk")
    if not moderator.is_superuser:
        rows = rows.filter(Q(user_id=None) | ~Q(user_id__in=officials().values("pk")))
    return rows
