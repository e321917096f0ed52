"""Rate limits for forms: the rates are in ``FORM_LIMITS``, the counts in the cache.

Actions whose cost depends on what was sent are measured as well: ``WORK_LIMITS`` bounds their
processor time.

django-ratelimit counts in windows of fixed length that start at a different time for each key.
While the cache is down, each process counts for itself (``config.cache``).
"""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac
from django.utils.translation import ngettext
from django_ratelimit.core import get_usage

from accounts.requests import signed_in
from config.server.clients import network_of

MEASURED = frozenset({"preview", "board", "plan"})
"""The actions that are measured."""

UNIT = 0.01
"""Seconds of processor time that count once in ``WORK_LIMITS``."""

View = Callable[..., HttpResponse]


class TooMany(Exception):
    """A rate limit is exceeded; ``wait`` is the number of seconds until the next attempt."""

    def __init__(self, wait: int) -> None:
        text = ngettext(
            "Too many attempts. Try again in {count} second.",
            "Too many attempts. Try again in {count} seconds.",
            wait,
        )
        super().__init__(text.format(count=wait))
        self.wait = wait


def spend(request: HttpRequest, action: str, *, others: Iterable[int] = ()) -> None:
    """Count an action of the request's sender against its limits.

    ``action`` is a key of ``FORM_LIMITS``; ``others`` are the ids of the users it concerns.
    Visitors count by network address. What limits everybody together is not counted here
    (:func:`spend_for_all`).

    :raises TooMany: the sender, everybody at the sender's network address, or the sender towards
        one of the others has exceeded a limit, or a measured action was sent after too much work.
    """
    if action in MEASURED:
        _count_work(request, increment=False)
        measured: Any = getattr(request, "_request", request)  # REST framework wraps Django's
        measured.measured_since = time.thread_time()
    rates = settings.FORM_LIMITS[action]
    for rate in rates["account"]:
        _count(request, f"form:{action}", "user_or_ip", rate)
    for rate in rates.get("address", ()):
        _count(request, f"address:{action}", "ip", rate)
    for rate in rates.get("pair", ()):
        for other in others:
            _count(request, f"pair:{action}", _pair(request, other), rate)


def spend_work(request: HttpRequest, seconds: float) -> None:
    """Count the processor time that measured actions of the request's sender took.

    :raises TooMany: it was too much. The next measured action is refused as well.
    """
    for _ in range(int(seconds / UNIT)):
        _count_work(request)


def end_measuring(request: HttpRequest) -> None:
    """Count the processor time since the request's measured action, if it has one.

    Call it in the same thread.
    """
    since = getattr(request, "measured_since", None)
    if since is not None:
        with suppress(TooMany):
            spend_work(request, time.thread_time() - since)


def _count_work(request: HttpRequest, *, increment: bool = True) -> None:
    for rate in settings.WORK_LIMITS["account"]:
        _count(request, "work", "user_or_ip", rate, increment=increment)
    if getattr(request.user, "is_guest", False):
        for rate in settings.WORK_LIMITS["guests"]:
            _count(request, "work-of-guests", "ip", rate, increment=increment)


def spend_for_all(request: HttpRequest, action: str) -> None:
    """Count an action against the limits of everybody together.

    Only where work begins: otherwise a few people could use up what the others need.

    :raises TooMany: all together have exceeded a limit.
    """
    for rate in settings.FORM_LIMITS[action].get("site", ()):
        _count(request, f"site:{action}", lambda _group, _request: "all", rate)


def spend_with_all(request: HttpRequest, action: str) -> None:
    """Count an action against the limits of its author, then of everybody together.

    :raises TooMany: one of them is exceeded.
    """
    spend(request, action)
    spend_for_all(request, action)


def asker(request: HttpRequest) -> str:
    """Return who has long work done: an account, or all guests at a network address together."""
    user = signed_in(request)
    if not user.is_guest:
        return f"account:{user.pk}"
    network = network_of(address(request))
    return f"network:{salted_hmac('accounts.limits.asker', network).hexdigest()[:32]}"


@contextmanager
def alone(request: HttpRequest, action: str, *, seconds: int) -> Iterator[bool]:
    """Yield whether nobody else does the same for this account or from this network address.

    :param seconds: how long the action counts as running if it never ends.
    """
    keys = (f"alone:{action}:{request.user.pk}", f"alone:{action}:{network_of(address(request))}")
    taken = [key for key in keys if cache.add(key, 1, seconds)]
    try:
        yield len(taken) == len(keys)
    finally:
        cache.delete_many(taken)


def limited(action: str) -> Callable[[View], View]:
    """Count every POST to a view against the limits of an action."""

    def decorate(view: View) -> View:
        @wraps(view)
        def counted(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
            if request.method == "POST":
                spend(request, action)
            return view(request, *args, **kwargs)

        return counted

    return decorate


def address(request: HttpRequest) -> str:
    return str(get_adapter().get_client_ip(request))


def _pair(request: HttpRequest, other: int) -> Callable[[str, HttpRequest], str]:
    """Return the key for a sender and one other user, in this direction."""
    return lambda _group, _request: f"{request.user.pk}>{other}"


def _count(
    request: HttpRequest,
    group: str,
    key: str | Callable[[str, HttpRequest], str],
    rate: str,
    *,
    increment: bool = True,
) -> None:
    usage = get_usage(request, group=group, key=key, rate=rate, increment=increment)
    if usage is not None and usage["should_limit"]:
        raise TooMany(max(usage["time_left"], 1))
