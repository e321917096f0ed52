"""Reviews of ended matches: requested by people, computed by a task, and stored.

The task works for some seconds, stores its results, and queues again after animations. One review
at a time is computed, the oldest first, and nobody may wait for two. ``Review.turn`` rises with
each part, and only the task with the current number continues. So a task that is lost, late or run
twice does no harm: a scheduled job starts another, which repeats at most one part.
"""

import logging
import time
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.bots.thinker import ThinkerFailed, own_thinker
from games.kernel import registry
from games.matches import selectors
from games.matches.errors import NOT_READABLE, Refused
from games.matches.models import Match
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import table_of
from games.study.models import Review
from games.study.reviewing import CloserLook, TurningPoint, Work
from games.study.signals import review_wanted

log = logging.getLogger(__name__)

EDITION = 7
"""Rises when reviews come out differently. Older ones may then be requested again."""

MAX_ENTRIES = 1000
"""Maximum number of entries of a reviewed match."""

SLICE = 3.0
"""Seconds of work after which waiting animations get their turn."""

LEASE = timedelta(seconds=30)
"""A task counts as lost after this long without a heartbeat."""

ATTEMPTS = 5
"""How often an unfinished part is started."""

AGAIN = timedelta(hours=1)
"""How long after a failure a review may be requested again."""

RUNNING = gettext_noop("A match can be reviewed once it has ended.")
EMPTY = gettext_noop("Nobody has moved in this match, so there is nothing to review.")
TOO_LONG = gettext_noop("This match is too long: reviews go up to {most} entries.")
ONE_AT_A_TIME = gettext_noop(
    "Another review is being worked out, for you or for somebody in your network. Try again when"
    " it is ready."
)

ReviewPart = tuple[int, int]
"""The id of a review, and its ``turn``."""

Subject = Match | ImportedRecord


def refusal(subject: Subject) -> str:
    """Return why a match or an imported record can't be reviewed. Empty if it can."""
    if isinstance(subject, Match) and subject.is_running:
        return _(RUNNING)
    length = _length(subject)
    if not length:
        return _(EMPTY)
    return _(TOO_LONG).format(most=MAX_ENTRIES) if length > MAX_ENTRIES else ""


def _length(subject: Subject) -> int:
    return subject.version if isinstance(subject, Match) else subject.length


def of(subject: Subject) -> Review | None:
    """Return the review of a match or an imported record, if anybody has requested one."""
    return Review.objects.filter(**_key(subject)).first()


def _key(subject: Subject) -> dict[str, Any]:
    return {"match" if isinstance(subject, Match) else "imported": subject}


def _terms(subject: Subject) -> dict[str, int]:
    """Return the versions and length of an up-to-date review."""
    rules_version = registry.get(subject.title).meta.rules_version
    return {"edition": EDITION, "rules_version": rules_version, "length": _length(subject)}


def may_ask(subject: Subject, review: Review | None, now: datetime) -> bool:
    """Whether a request starts a review: it is missing or outdated, or has failed."""
    if review is None:
        return True
    if review.status == Review.Status.FAILED:
        return review.begun is None or review.begun <= now - AGAIN
    return review.status == Review.Status.READY and any(
        getattr(review, name) != value for name, value in _terms(subject).items()
    )


def ask(
    subject: Subject,
    *,
    now: datetime,
    asker: str = "",
    admit: Callable[[], None] = lambda: None,
) -> Review:
    """Return the review of a match or an imported record, and request it if necessary.

    :param asker: may wait for one review only (:func:`accounts.limits.asker`).
    :param admit: called before a review is requested. It may raise to prevent that.
    :raises Refused: see :func:`refusal`, or the asker waits for another.
    """
    if refused := refusal(subject):
        raise Refused(refused)
    made = {"asked": now, "asker": asker, **_terms(subject)}
    try:
        return _asked(subject, made, admit)
    except IntegrityError:
        raise Refused(_(ONE_AT_A_TIME)) from None


@transaction.atomic
def _asked(subject: Subject, made: dict[str, Any], admit: Callable[[], None]) -> Review:
    review, is_new = Review.objects.get_or_create(**_key(subject), defaults=made)
    if is_new or (may_ask(subject, review, made["asked"]) and _start_again(review, made)):
        admit()
        review_wanted.send(Review, review_id=review.pk, turn=review.turn)
    return review


def _start_again(review: Review, terms: dict[str, Any]) -> bool:
    """Delete earlier results. ``False`` if somebody else has just done so."""
    same = Review.objects.filter(pk=review.pk, turn=review.turn)
    afresh: dict[str, Any] = {
        "status": Review.Status.WAITING,
        "values": [],
        "closer": None,
        "points": None,
        "begun": None,
        "attempts": 0,
        "turn": F("turn") + 1,
    }
    changed = same.update(**afresh, **terms)
    review.refresh_from_db()
    return bool(changed)


def points_of(review: Review) -> list[TurningPoint]:
    """Return the turning points of a finished review."""
    return msgspec.convert(review.points or [], list[TurningPoint])


# --- The work -------------------------------------------------------------------------------------


def waiting() -> QuerySet[Review]:
    """Return the unfinished reviews, the oldest first."""
    return Review.objects.filter(status=Review.Status.WAITING).order_by("asked", "pk")


def upcoming() -> ReviewPart | None:
    """Return the next part of the work. ``None`` without any."""
    return waiting().values_list("pk", "turn").first()


def left_over(now: datetime) -> Sequence[ReviewPart]:
    """Return the next part of the work if no task seems to be doing it."""
    oldest = waiting().first()
    if oldest is None or (oldest.begun is not None and oldest.begun > now - LEASE):
        return []
    return [(oldest.pk, oldest.turn)]


def work(review_id: int, turn: int, *, now: datetime) -> ReviewPart | None:
    """Do a part of a review, and return the next part, or that of the next review.

    ``None`` if another task does it.
    """
    if upcoming() != (review_id, turn):
        return None
    mine = Review.objects.filter(pk=review_id, status=Review.Status.WAITING)
    if not mine.filter(turn=turn).update(turn=turn + 1, begun=now, attempts=F("attempts") + 1):
        return None
    mine = mine.filter(turn=turn + 1)
    try:
        done = _part(mine.select_related("match", "imported").get())
    except ThinkerFailed as failure:
        log.warning("A thinker failed at review %s: %s", review_id, failure)
        mine.update(begun=None)
        return None
    except NOT_READABLE:
        log.exception("Review %s cannot be worked out.", review_id)
        done = {"status": Review.Status.FAILED}
    if done["status"] != Review.Status.WAITING:
        done["asker"] = ""
    return upcoming() if mine.update(attempts=0, **done) else None


def _part(review: Review) -> dict[str, Any]:
    """Work on a review for a while, and return the fields to store."""
    if review.attempts > ATTEMPTS:
        log.error("Review %s is given up.", review.pk)
        return {"status": Review.Status.FAILED}
    work = work_of(review)
    end = time.monotonic() + SLICE
    status = Review.Status.READY
    for _part in work.parts():
        if time.monotonic() >= end:
            status = Review.Status.WAITING
            break
    done = {"status": status, "values": work.values}
    if status == Review.Status.READY:
        return {**done, "closer": None, "points": msgspec.to_builtins(work.points)}
    return {**done, "closer": msgspec.to_builtins(work.closer, str_keys=True)}


def work_of(review: Review) -> Work:
    """Return the state of a review's work, with its match.

    :raises GameError: the match can't be read.
    """
    if review.imported is not None:
        table = table_of(review.imported.head)
        entries = imports.log(review.imported)
    elif review.match_id is not None:
        table = selectors.snapshot(review.match_id).table
        entries = selectors.log(table.match, upto=review.length)
    closer = msgspec.convert(review.closer or {}, CloserLook, str_keys=True)
    began = time.monotonic()

    def still_working(_waited: float) -> None:
        mine = Review.objects.filter(pk=review.pk, turn=review.turn)
        if review.begun is not None:
            mine.update(begun=review.begun + timedelta(seconds=time.monotonic() - began))

    ask = partial(own_thinker().appraise, beat=still_working)
    return Work(table, entries, list(review.values), ask, closer)
