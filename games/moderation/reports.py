"""Reporting somebody: what each kind of report needs, and the case that it comes to."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.matches.models import Match, Player
from games.moderation import cases, subjects
from games.moderation.errors import Refused
from games.moderation.models import Case, Report

Kind = Case.Kind

LONGEST = 2000
SHORTEST = 20
"""Characters of what is said, for kinds that nobody can look into without."""

NEEDS_WORDS = (Kind.CHEATING, Kind.ABUSE, Kind.ACCOUNTS, Kind.OTHER)
NEEDS_A_MATCH = (Kind.CHEATING, Kind.STALLING)


def file_report(
    *,
    reporter: User,
    name: str,
    subject_id: int,
    suspect: User,
    kind: Case.Kind,
    text: str,
    now: datetime,
) -> Report:
    """Take a report, into the open case about this person of this kind, or a new one.

    What was written says itself what happened; other reports have to.

    :raises NoSuchSubject: it is not there.
    :raises Refused: it does not apply, lacks something, or was made before.
    """
    if reporter.is_guest:
        raise Refused("Sign in or create an account to report somebody.")
    subject = subjects.find(name, subject_id, reporter)
    if suspect not in subject.suspects or suspect == reporter:
        raise Refused("Choose whom you report.")
    if not subject.quote:
        _check_words(kind, text)
    if kind in NEEDS_A_MATCH and name != "match":
        raise Refused("Report this from the page of the match in which it happened.")
    if kind == Kind.STALLING:
        _check_stalling(subject_id, suspect, reporter)
    with transaction.atomic():
        case = cases.opened(suspect, kind, now)
        report, is_new = Report.objects.get_or_create(
            case=case,
            reporter=reporter,
            subject=f"{name}:{subject_id}",
            defaults={"text": text[:LONGEST], "created": now},
        )
    if not is_new:
        raise Refused("You have reported this already. You hear from us when we have looked at it.")
    return report


def _check_words(kind: Case.Kind, text: str) -> None:
    """Check that a report says enough to be looked into.

    :raises Refused: it does not.
    """
    if kind in NEEDS_WORDS and len(text.strip()) < SHORTEST:
        raise Refused(f"Please say what happened, in at least {SHORTEST} characters.")


def _check_stalling(match_id: int, suspect: User, reporter: User) -> None:
    running = Match.objects.filter(pk=match_id, status=Match.Status.RUNNING)
    seats = Player.objects.filter(match__in=running)
    if not seats.filter(user=reporter, dropped="").exists():
        raise Refused("Only those who wait can report stalling, while the match runs.")
    if not seats.filter(user=suspect, to_move=True).exists():
        raise Refused("It is not this player's turn.")
