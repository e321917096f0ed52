"""Template tags for moments and clocks."""

from datetime import datetime, timedelta
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.matches import formatting
from games.matches.clock import Clock
from games.matches.models import Match, Player

register = template.Library()

SHORT = timedelta(hours=6)
"""Less than this is shown as running short."""

BAR = 100
"""Width of a clock's bar in its own units."""


@register.simple_tag
def time_ago(moment: datetime | None) -> SafeString | str:
    """Return how long ago a moment was, with the exact moment on hover; empty for ``None``."""
    if moment is None:
        return ""
    said = formatting.ago(moment, timezone.now())
    return format_html(
        '<time datetime="{}" title="{}">{}</time>',
        moment.isoformat(),
        formatting.exact(moment),
        said,
    )


@register.simple_tag
def clock(player: Player) -> SafeString | str:
    """Return a player's clock as it stands; nothing in a match without one."""
    if player.deadline is not None:
        left = player.deadline - timezone.now()
        return format_html(
            '<time class="{}" data-deadline="{}" datetime="{}" title="until {}">{}</time>',
            _state(left),
            player.deadline.isoformat(),
            player.deadline.isoformat(),
            formatting.exact(player.deadline),
            formatting.left(left) if left > timedelta() else "out of time",
        )
    if player.time_left is None:
        return ""
    return format_html(
        '<span class="clock clock-still">{}</span>', formatting.left(player.time_left)
    )


def _state(left: timedelta) -> str:
    if left <= timedelta():
        return "clock clock-out"
    return "clock clock-short" if left < SHORT else "clock"


@register.inclusion_tag("partials/clock_bar.html")
def clock_bar(player: Player, match: Match) -> dict[str, Any]:
    """Show how much of the most that a clock can hold is left, as a bar."""
    control = match.time_control
    if control is None or player.deadline is None:
        return {"width": None}
    left = max(player.deadline - timezone.now(), timedelta())
    return {"width": round(min(left / control.cap, 1) * BAR), "short": left < SHORT}


@register.filter
def clock_words(control: Clock | None) -> str:
    """Return a clock in words."""
    return formatting.clock(control)


@register.filter
def clock_short(control: Clock | None) -> str:
    """Return a clock in a few words."""
    return formatting.clock_short(control)
