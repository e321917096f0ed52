"""Template tags for the parts of a match's page.

Where a page is rendered in parts, to be sent in patches, the context has ``place``: it takes the
name and the HTML of each part, and returns what stands for it (:mod:`games.web.match.parts`).
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

from django import template
from django.template.context import Context
from django.template.loader import get_template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from msgspec import Struct

from games.kernel.svg_writer import Place
from games.matches.view.parts import Head, LogTurn, Strip
from games.web.match.board import Board

register = template.Library()

TEMPLATES = {
    Head: "match/parts/head.html",
    LogTurn: "match/parts/log_turn.html",
    Strip: "match/parts/strip.html",
}
"""The template of each part."""

KEPT = 2000
"""Parts that a process keeps as they were written, the last ones that were shown."""


@lru_cache(KEPT)
def html(part: Struct) -> SafeString:
    """Return a part as HTML: the same part is written once for all who see it."""
    return mark_safe(get_template(TEMPLATES[type(part)]).render({"part": part}))  # noqa: S308


@register.simple_tag(takes_context=True)
def part(context: Context, value: Struct, *name: Any) -> SafeString:
    """Return a part as HTML; ``name``, whose words are joined, is what patches call it."""
    text: SafeString = html(value)
    place = context.get("place")
    if place is None or not name:
        return text
    return SafeString(place(" ".join(map(str, name)), text))


@register.simple_tag(takes_context=True)
def turns(context: Context, shown: Iterable[LogTurn]) -> SafeString:
    """Return turns of the log; patches call each by the number of its first entry."""
    place = context.get("place")
    if place is None:
        return mark_safe("".join(map(html, shown)))  # noqa: S308 - of templates
    placed = (place(f"turn {turn.first}", html(turn)) for turn in shown)
    return mark_safe("".join(placed))  # noqa: S308 - slots


@register.simple_tag(takes_context=True)
def board(context: Context, shown: Board) -> SafeString:
    """Return a board as SVG; in parts, its marks are no links."""
    place: Place | None = context.get("place")
    return shown.svg_with(place)


@lru_cache(KEPT)
def _item(text: str) -> SafeString:
    return format_html("<li>{}</li>", text)


@register.simple_tag(takes_context=True)
def panel(context: Context, shown: Board) -> SafeString:
    """Return what stands beside a board as SVG, in parts as the board is."""
    return shown.panel_with(context.get("place"))


@register.simple_tag(takes_context=True)
def items(context: Context, texts: Iterable[str]) -> SafeString:
    """Return texts as the items of a list."""
    place = context.get("place")
    if place is None:
        return format_html_join("", "<li>{}</li>", ((text,) for text in texts))
    written = map(_item, texts)
    placed = (place(f"item {number}", text) for number, text in enumerate(written))
    return mark_safe("".join(placed))  # noqa: S308 - slots
