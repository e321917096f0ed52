"""Template tags for moments and clocks."""

import json
from datetime import datetime
from typing import Any

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString

from accounts import zones
from accounts.models import User
from games.matches import formatting
from games.matches.clocks import vacations
from games.matches.clocks.clock import Clock
from games.matches.models import Player
from games.matches.view import seats
from games.matches.view.parts import ClockFace

register = template.Library()


@register.simple_tag
def time_ago(moment: datetime | None) -> SafeString:
    """Say how long ago a moment was, with the exact moment on hover; nothing for ``None``."""
    if moment is None:
        return SafeString()
    machine, ago = formatting.machine_readable(moment), formatting.ago(moment, timezone.now())
    text = '<time datetime="{}" title="{}">{}</time>'
    return format_html(text, machine, formatting.exact(moment), ago)


@register.simple_tag
def exact_time(moment: datetime) -> SafeString:
    """Say a moment exactly, in the reader's zone."""
    machine = formatting.machine_readable(moment)
    return format_html('<time datetime="{}">{}</time>', machine, formatting.exact(moment))


@register.simple_tag
def zone_for_scripts() -> str:
    """Return the reader's zone as scripts need it to write times, as JSON; empty for UTC."""
    zone = timezone.get_current_timezone_name()
    if zone == zones.UTC_NAME:
        return ""
    return json.dumps({"zone": zone, "names": zones.names(zone, timezone.now())})


@register.inclusion_tag("partials/away.html")
def away(*people: User) -> dict[str, Any]:
    """Say who of these people is on vacation, and until when where they show it."""
    now = timezone.now()
    vacation_by_user = vacations.away([person.pk for person in people], now)
    return {
        "away": [
            (person, vacation_by_user[person.pk])
            for person in people
            if person.pk in vacation_by_user
        ]
    }


@register.simple_tag
def clock_face(player: Player) -> ClockFace | None:
    """Return a player's clock as it stands; ``None`` in a match without one."""
    return seats.clock_face(player, timezone.now())


@register.filter
def clock_words(control: Clock | None) -> str:
    """Return a clock in words."""
    return formatting.clock(control)


@register.filter
def clock_short(control: Clock | None) -> str:
    """Return a clock in a few words."""
    return formatting.clock_short(control)
