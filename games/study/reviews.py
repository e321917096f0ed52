"""Reviews of ended matches: asked for by people, worked out by a task, and kept.

The task works for some seconds, stores what it has, and queues again behind animations. One review
is worked on at a time, the oldest first, and nobody waits for two. ``Review.turn`` rises with each
part, and only the task that names the last one goes on, so a task that is lost, late or run twice
does no harm: a scheduled job starts another, and no more than a part is worked out again.
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

from games.bots.thinker import ThinkerFailed, own_thinker
from games.kernel import registry
from games.matches import selectors
from games.matches.errors import Refused
from games.matches.listing import read_snapshot
from games.matches.models import Match
from games.matches.selectors import NOT_READABLE
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import snapshot_of
from games.study.models import Review
from games.study.reviewing import TurningPoint, Work
from games.study.signals import review_wanted

log = logging.getLogger(__name__)

EDITION = 1
"""Rises when reviews come out differently; older ones may be worked out again."""

MAX_ENTRIES = 1000
"""The most entries of a match that is reviewed."""

SLICE = 3.0
"""Seconds of work after which animations that wait get their turn."""

LEASE = timedelta(seconds=30)
"""After so long without a sign of life a task counts as lost."""

ATTEMPTS = 5
"""How often a part is begun that does not get done."""

AGAIN = timedelta(hours=1)
"""After so long a review that failed may be asked for again."""

RUNNING = "A match can be reviewed once it has ended."
EMPTY = "Nobody has moved in this match, so there is nothing to review."
TOO_LONG = f"This match is too long: reviews go up to {MAX_ENTRIES} entries."
ONE_AT_A_TIME = (
    "Another review is being worked out, for you or for somebody in your network. Try again when"
    " it is ready."
)

Part = tuple[int, int]
"""The id of a review, and its ``turn``."""

Subject = Match | ImportedRecord


def refusal(subject: Subject) -> str:
    """Return why a match or an imported record can't be reviewed; empty if it can."""
    if isinstance(subject, Match) and subject.is_running:
        return RUNNING
    length = _length(subject)
    if not length:
        return EMPTY
    return TOO_LONG if length > MAX_ENTRIES else ""


def _length(subject: Subject) -> int:
    return subject.version if isinstance(subject, Match) else subject.length


def of(subject: Subject) -> Review | None:
    """Return the review of a match or an imported record, if anybody has asked for one."""
    return Review.objects.filter(**_key(subject)).first()


def _key(subject: Subject) -> dict[str, Any]:
    return {"match" if isinstance(subject, Match) else "imported": subject}


def _terms(subject: Subject) -> dict[str, int]:
    """Return what a review has to be made by to be up to date."""
    rules_version = registry.get(subject.title).meta.rules_version
    return {"edition": EDITION, "rules_version": rules_version, "length": _length(subject)}


def may_ask(subject: Subject, review: Review | None, now: datetime) -> bool:
    """Whether asking for a review starts one: there is none, or it is outdated or has failed."""
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
    """Return the review of a match or an imported record; where there is none it will be made.

    :param asker: who may wait for one review only (:func:`accounts.limits.asker`).
    :param admit: called before one is made; what it raises stops that.
    :raises Refused: as :func:`refusal` says, or the asker waits for another.
    """
    if refused := refusal(subject):
        raise Refused(refused)
    made = {"asked": now, "asker": asker, **_terms(subject)}
    try:
        return _asked(subject, made, admit)
    except IntegrityError:
        raise Refused(ONE_AT_A_TIME) from None


@transaction.atomic
def _asked(subject: Subject, made: dict[str, Any], admit: Callable[[], None]) -> Review:
    review, is_new = Review.objects.get_or_create(**_key(subject), defaults=made)
    if is_new or (may_ask(subject, review, made["asked"]) and _start_again(review, made)):
        admit()
        review_wanted.send(Review, review_id=review.pk, turn=review.turn)
    return review


def _start_again(review: Review, terms: dict[str, Any]) -> bool:
    """Forget what was worked out; ``False`` if somebody else has just done so."""
    same = Review.objects.filter(pk=review.pk, turn=review.turn)
    afresh: dict[str, Any] = {
        "status": Review.Status.WAITING,
        "values": [],
        "points": None,
        "begun": None,
        "attempts": 0,
        "turn": F("turn") + 1,
    }
    changed = same.update(**afresh, **terms)
    review.refresh_from_db()
    return bool(changed)


def points_of(review: Review) -> list[TurningPoint]:
    """Return the turning points of a review that is ready."""
    return msgspec.convert(review.points or [], list[TurningPoint])


# --- The work -------------------------------------------------------------------------------------


def waiting() -> QuerySet[Review]:
    """Return the reviews to be worked out, the oldest first."""
    return Review.objects.filter(status=Review.Status.WAITING).order_by("asked", "pk")


def upcoming() -> Part | None:
    """Return the part that is to be worked out next; ``None`` without any."""
    return waiting().values_list("pk", "turn").first()


def left_over(now: datetime) -> Sequence[Part]:
    """Return the part that is to be worked out next if no task seems to be at it."""
    oldest = waiting().first()
    if oldest is None or (oldest.begun is not None and oldest.begun > now - LEASE):
        return []
    return [(oldest.pk, oldest.turn)]


def work(review_id: int, turn: int, *, now: datetime) -> Part | None:
    """Work out a part of a review, and return the next part, or that of the next review.

    ``None`` if that is another task's business.
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
    """Work on a review for a while, and return what is to be stored."""
    if review.attempts > ATTEMPTS:
        log.error("Review %s is given up.", review.pk)
        return {"status": Review.Status.FAILED}
    work = work_of(review)
    end = time.monotonic() + SLICE
    status = Review.Status.READY
    for _ in work.parts():
        if time.monotonic() >= end:
            status = Review.Status.WAITING
            break
    points = None if work.points is None else msgspec.to_builtins(work.points)
    return {"status": status, "values": work.values, "points": points}


def work_of(review: Review) -> Work:
    """Return a review as far as it is worked out, with the match that it is about.

    :raises GameError: the match cannot be read.
    """
    if review.imported is not None:
        snapshot = snapshot_of(review.imported.head)
        entries = imports.log(review.imported)
    elif review.match_id is not None:
        snapshot = read_snapshot(review.match_id)
        entries = selectors.log(snapshot.match, upto=review.length)
    points = None if review.points is None else points_of(review)
    began = time.monotonic()

    def still_working(_waited: float) -> None:
        mine = Review.objects.filter(pk=review.pk, turn=review.turn)
        if review.begun is not None:
            mine.update(begun=review.begun + timedelta(seconds=time.monotonic() - began))

    ask = partial(own_thinker().appraise, beat=still_working)
    return Work(snapshot, entries, list(review.values), points, ask)
