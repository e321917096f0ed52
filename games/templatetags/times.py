"""Template tags for moments and clocks."""

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts.models import User
from games.matches import formatting, pauses, vacations
from games.matches.clock import Clock
from games.matches.models import Match, Player

register = template.Library()

SHORT = timedelta(hours=6)
"""Less than this is shown as running short."""

BAR = (
    '<svg class="clock-bar{short}" viewBox="0 0 100 3" preserveAspectRatio="none"'
    ' aria-hidden="true"><rect class="clock-bar-all" width="100" height="3"/>'
    '<rect class="clock-bar-left" width="{width}" height="3"/></svg>'
)


@register.simple_tag
def time_ago(moment: datetime | None) -> SafeString | str:
    """Return how long ago a moment was, with the exact moment on hover; empty for ``None``."""
    if moment is None:
        return ""
    said = formatting.ago(moment, timezone.now())
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        formatting.machine_readable(moment),
        formatting.exact(moment),
        said,
    )


@register.simple_tag
def exact_time(moment: datetime) -> SafeString:
    """Return a moment exactly, in the reader's zone."""
    return format_html(
        '<time datetime="{}">{}</time>',
        formatting.machine_readable(moment),
        formatting.exact(moment),
    )


@register.inclusion_tag("partials/away.html")
def away(*people: User) -> dict[str, Any]:
    """Say who of these people is on vacation, and until when where they show it."""
    now = timezone.now()
    found = vacations.away([person.pk for person in people], now)
    return {"away": [(person, found[person.pk]) for person in people if person.pk in found]}


@register.simple_tag
def clock(player: Player) -> SafeString | str:
    """Return a player's clock as it stands, and why if it does; nothing in a match without one."""
    now = timezone.now()
    left = pauses.left(player, now)
    if left is None:
        return ""
    shown = _clock(player, left, now)
    why = _why(player, now)
    return format_html('<span class="clock-both">{} {}</span>', shown, why) if why else shown


def _clock(player: Player, left: timedelta, now: datetime) -> SafeString:
    """Return a clock without why it stands still; scripts count it down to its deadline."""
    deadline = pauses.shown_deadline(player, now)
    if deadline is None:
        return format_html('<span class="clock clock-still">{}</span>', formatting.left(left))
    return format_html(
        '<time class="{}" data-pauses="{}" datetime="{}" title="until {}">{}</time>',
        _state(left, stands=bool(pauses.reasons(player, now))),
        _pauses_ahead(player, now),
        formatting.machine_readable(deadline),
        formatting.exact(deadline),
        formatting.left(left) if left > timedelta() else "out of time",
    )


def _pauses_ahead(player: Player, now: datetime) -> str:
    """Return the pauses up to a deadline for scripts, in seconds: ``1770246000/1770418800``."""
    found = pauses.ahead(player, now)
    return " ".join(f"{begin.timestamp():.0f}/{end.timestamp():.0f}" for begin, end in found)


def _why(player: Player, now: datetime) -> SafeString | str:
    """Return why a clock stands still that was started, or would if it were; else empty."""
    reasons = pauses.reasons(player, now) if player.ended is None else []
    if player.clock_since is None:
        reasons = [reason for reason in reasons if reason != pauses.Reason.WEEKEND]
    if not reasons:
        return ""
    end = pauses.until(player, now)
    return format_html(
        '<span class="clock-why" title="{}">{}</span>',
        formatting.stands_still(reasons, end),
        ", ".join(formatting.WHY_STILL[reason] for reason in reasons),
    )


def _state(left: timedelta, *, stands: bool) -> str:
    if left <= timedelta():
        return "clock clock-out"
    if stands:
        return "clock clock-still"
    return "clock clock-short" if left < SHORT else "clock"


@register.simple_tag
def clock_bar(player: Player, match: Match) -> SafeString | str:
    """Show how much of the most that a clock can hold is left, as a bar; nothing without one."""
    control = match.time_control
    left = pauses.left(player, timezone.now())
    if control is None or left is None or player.clock_since is None:
        return ""
    short = " clock-bar-short" * (left < SHORT)
    return format_html(BAR, short=short, width=round(min(left / control.cap, 1) * 100))


@register.filter
def clock_words(control: Clock | None) -> str:
    """Return a clock in words."""
    return formatting.clock(control)


@register.filter
def clock_short(control: Clock | None) -> str:
    """Return a clock in a few words."""
    return formatting.clock_short(control)
