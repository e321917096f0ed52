"""Reports: what each kind requires, and the case to which it is added."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts import texts
from accounts.models import User
from games.matches import formatting
from games.matches.models import Match, Player
from games.moderation import cases, subjects
from games.moderation.errors import ModerationRefused
from games.moderation.models import Case, Report

Kind = Case.Kind

MAX_TEXT_LENGTH = 2000
MIN_TEXT_LENGTH = 20
"""Lengths of the text, in characters. The minimum holds for kinds that need an explanation."""

NEEDS_WORDS = (
    Kind.CHEATING,
    Kind.LOSING,
    Kind.ARRANGING,
    Kind.ABUSE,
    Kind.ACCOUNTS,
    Kind.OTHER,
)
NEEDS_A_MATCH = (Kind.CHEATING, Kind.STALLING)
FROM_THE_MATCH = gettext_lazy(
    "Report cheating and stalling from the page of the match in which it happened."
)


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
    """Add a report to the open case of this kind about the suspect, or to a new case.

    A report of a text needs no explanation; others may.

    :raises NoSuchSubject: it doesn't exist.
    :raises ModerationRefused: the kind doesn't apply, the text is too short, or it was reported
        before.
    """
    if reporter.is_guest:
        raise ModerationRefused(_("Sign in or create an account to report somebody."))
    subject = subjects.find(name, subject_id, reporter)
    if suspect not in subject.suspects or suspect == reporter:
        raise ModerationRefused(_("Choose who you want to report."))
    if not subject.quote and kind in NEEDS_WORDS and len(texts.lines(text)) < MIN_TEXT_LENGTH:
        raise ModerationRefused(
            ngettext(
                "Please say what happened, in at least {count} character.",
                "Please say what happened, in at least {count} characters.",
                MIN_TEXT_LENGTH,
            ).format(count=MIN_TEXT_LENGTH)
        )
    if kind in NEEDS_A_MATCH and name != "match":
        raise ModerationRefused(FROM_THE_MATCH)
    if kind == Kind.STALLING:
        _check_stalling(subject_id, suspect, reporter)
    with transaction.atomic():
        case = cases.opened(suspect, kind, now)
        report, is_new = Report.objects.get_or_create(
            case=case,
            reporter=reporter,
            subject=f"{name}:{subject_id}",
            defaults={"text": text[:MAX_TEXT_LENGTH], "created": now},
        )
    if not is_new:
        raise ModerationRefused(
            _("You have reported this already. You hear from us when we have looked at it.")
        )
    return report


@dataclass(frozen=True)
class Offered:
    """The kinds of reports that a user can make now. ``note`` says why others are missing."""

    kinds: Sequence[Case.Kind]
    note: str


def offered(name: str, subject_id: int, reporter: User) -> Offered:
    """Return the kinds of reports that a user can make about a subject now."""
    if name != "match":
        return Offered([kind for kind in Kind if kind not in NEEDS_A_MATCH], str(FROM_THE_MATCH))
    others = Player.objects.filter(match=subject_id, is_bot=False).exclude(user=reporter)
    to_move = others.filter(to_move=True).select_related("user")
    refusal = _stalling_refusal(subject_id, reporter)
    if not (refusal or to_move):
        refusal = _("Stalling can be reported only while somebody else is to move.")
    if refusal:
        return Offered([kind for kind in Kind if kind != Kind.STALLING], refusal)
    names = formatting.names([player.user.shown_name for player in to_move])
    note = _("Only {players} can be reported for stalling: nobody else is to move.").format(
        players=names
    )
    return Offered(list(Kind), note if len(to_move) < others.count() else "")


def _stalling_refusal(match_id: int, reporter: User) -> str:
    """Return why a user can't report stalling in a match now. Empty if they can."""
    match = Match.objects.get(pk=match_id)
    if not match.is_running:
        return _("Stalling can be reported only while the match runs.")
    if not match.players.filter(user=reporter, dropped="").exists():
        return _("Only those who wait for a move can report stalling.")
    return ""


def _check_stalling(match_id: int, suspect: User, reporter: User) -> None:
    if refusal := _stalling_refusal(match_id, reporter):
        raise ModerationRefused(refusal)
    if not Player.objects.filter(match=match_id, user=suspect, to_move=True).exists():
        raise ModerationRefused(_("It is not this player's turn."))
