"""Template tags that show a part of a match's page (``templates/parts``) on any other page."""

from typing import Any

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from accounts.models import User
from games.matches.models import Player
from games.matches.view import seats
from games.matches.view.match_view import MatchView
from games.templatetags import site
from games.web.match import part_templates

register = template.Library()


@register.simple_tag(takes_context=True)
def match_part(context: Context, name: str, **more: Any) -> SafeString:
    """Return a part as HTML, with the context of the page and what else it is given."""
    part_context: dict[Any, Any] = {**context.flatten(), **more}
    return mark_safe(part_templates.render(name, part_context))  # noqa: S308


@register.simple_tag(takes_context=True)
def site_header(context: Context) -> SafeString:
    """Return the head of a page; pages without a request have that of a visitor."""
    request, user = context.get("request"), context.get("user")
    more = {"user": user, "current": site.page_name(request), "counts": None}
    if user is not None and user.is_authenticated:
        more["counts"] = site.header_of(request, user)
    return match_part(context, "header", **more)


@register.simple_tag
def log_turn(turn: Struct) -> SafeString:
    """Return a turn of the log as HTML."""
    return mark_safe(part_templates.html(turn))  # noqa: S308


@register.simple_tag
def macro(name: str, *args: Any) -> SafeString:
    """Return what a macro of the parts makes of its arguments."""
    return mark_safe(part_templates.macro(name, *args))  # noqa: S308


@register.simple_tag
def person(user: User) -> SafeString:
    """Show a user's name, linked to the page about them; guests have none, declared bots a tag."""
    return macro("person", seats.person(user))


@register.simple_tag
def player_name(player: Player, shown: MatchView) -> SafeString:
    """Show a player: the seat's colour and letter, the name, linked, and the rating."""
    swatch = seats.swatch(shown.meta, player.seat)
    who = seats.person(player.user)
    return macro("player", swatch, who, player.rank == 1, player.shown_rating)
