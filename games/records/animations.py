"""Animated pictures of ended matches: requested, made by a task, and stored for a while."""

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import QuerySet, Sum, Window
from django.db.models.functions import Length
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.kernel.errors import GameError
from games.matches import selectors
from games.matches.models import Match
from games.matches.view import pictures
from games.matches.view.match_view import MatchView
from games.records.errors import NoAnimation
from games.records.models import Animation
from games.records.signals import animation_wanted

log = logging.getLogger(__name__)

MAX_FRAMES = 200
"""Maximum number of frames of an animation."""

ANIMATION_LIFETIME = timedelta(days=30)
"""How long an animation is kept after the last request."""

ATTEMPTS = 3
"""How often an unfinished animation is started."""

AGAIN = timedelta(minutes=1)
"""How long an animation may give no heartbeat before it is started again."""

BEAT = timedelta(seconds=5)
"""Time between two heartbeats."""

MAX_STORED_BYTES = 2_000_000_000
"""Maximum size of all animations together. The longest unrequested ones are deleted."""

ONE_AT_A_TIME = gettext_lazy(
    "Another animation is being made, for you or for somebody in your network. Try again when it"
    " is ready."
)


def check_stretch(match: Match, first: int, last: int) -> None:
    """:raises NoAnimation: the match is running, or the stretch is empty, too long or invalid."""
    if match.is_running:
        raise NoAnimation(_("An animation is made when the match has ended."))
    if not 0 <= first <= last <= match.version:
        message = _("Choose a stretch from 0 to {last}, its first entry first.")
        raise NoAnimation(message.format(last=match.version))
    if last - first >= MAX_FRAMES:
        message = _("That is too long: {most} positions are the most.")
        raise NoAnimation(message.format(most=MAX_FRAMES))


def ask(
    match: Match,
    *,
    first: int,
    last: int,
    theme: str,
    now: datetime,
    asker: str = "",
    admit: Callable[[], None] = lambda: None,
) -> Animation:
    """Return the animation of a stretch of a match, and request it if necessary.

    :param asker: may wait for one animation only (:func:`accounts.limits.asker`).
    :param admit: called before an animation is requested. It may raise to prevent that.
    :raises NoAnimation: see :func:`check_stretch`, or the asker waits for another.
    """
    check_stretch(match, first, last)
    stretch = {"match": match, "first": first, "last": last, "theme": theme}
    try:
        return _asked(stretch, {"asked": now, "asker": asker}, admit)
    except IntegrityError:
        raise NoAnimation(str(ONE_AT_A_TIME)) from None


@transaction.atomic
def _asked(
    stretch: dict[str, Any], request: dict[str, Any], admit: Callable[[], None]
) -> Animation:
    animation, is_new = Animation.objects.get_or_create(**stretch, defaults=request)
    if is_new:
        admit()
        animation_wanted.send(Animation, animation_id=animation.pk)
    else:
        # One that failed is forgotten, and so tried again, however often it is asked for.
        kept = Animation.objects.exclude(status=Animation.Status.FAILED)
        kept.filter(pk=animation.pk).update(asked=request["asked"])
    return animation


def make(animation_id: int, *, now: datetime) -> None:
    """Make a waiting animation. Finished and running ones stay as they are."""
    waiting = Animation.objects.filter(pk=animation_id, status=Animation.Status.WAITING)
    late = waiting.filter(begun__lte=now - AGAIN) | waiting.filter(begun=None)
    if not late.update(begun=now):
        return
    animation = Animation.objects.get(pk=animation_id)
    if animation.attempts >= ATTEMPTS:
        waiting.update(status=Animation.Status.FAILED, asker="")
        return
    waiting.update(attempts=animation.attempts + 1)
    try:
        data = _drawn(animation)
    except (GameError, ValueError):
        log.exception("%s cannot be made.", animation)
        waiting.update(status=Animation.Status.FAILED, asker="")
        return
    waiting.update(status=Animation.Status.READY, asker="", data=data)


def _drawn(wanted: Animation) -> bytes:
    snapshot = selectors.snapshot(wanted.match_id)
    view = MatchView(snapshot.table, None, selectors.log(snapshot.match))
    return pictures.gif((view.drawing_at(number) for number in _numbers(wanted)), wanted.theme)


def _numbers(wanted: Animation) -> Iterator[int]:
    """Yield the positions to draw, and store heartbeats."""
    began = time.monotonic()
    noted = passed = timedelta()
    for number in range(wanted.first, wanted.last + 1):
        passed = timedelta(seconds=time.monotonic() - began)
        if passed - noted >= BEAT and wanted.begun is not None:
            noted = passed
            Animation.objects.filter(pk=wanted.pk).update(begun=wanted.begun + passed)
        yield number


def left_over(now: datetime) -> Sequence[int]:
    """Return the ids of animations that wait and that no worker is making."""
    waiting = Animation.objects.filter(status=Animation.Status.WAITING)
    overdue = waiting.filter(begun__lte=now - AGAIN) | waiting.filter(begun=None)
    return list(overdue.order_by("asked").values_list("pk", flat=True)[:20])


def forget(now: datetime) -> None:
    """Delete animations that nobody has requested for a while, and those that failed a day ago.

    If all together are too large, delete more of the longest unrequested ones.
    """
    Animation.objects.filter(asked__lt=now - ANIMATION_LIFETIME).delete()
    failed = Animation.objects.filter(status=Animation.Status.FAILED)
    failed.filter(asked__lt=now - timedelta(days=1)).delete()
    _surplus().delete()


def _surplus() -> QuerySet[Animation]:
    """Return the animations that exceed the limit, the last requested ones staying."""
    ready = Animation.objects.filter(status=Animation.Status.READY)
    sizes = ready.annotate(size=Length("data")).order_by()
    upto = Window(Sum("size"), order_by=["-asked", "-pk"])
    numbers = sizes.annotate(upto=upto).filter(upto__gt=MAX_STORED_BYTES).values_list("pk")
    return Animation.objects.filter(pk__in=[pk for (pk,) in numbers])
