"""Template tags for the parts of a match's page (``games/web/match/match_parts.py``).

The context may hold ``part``, which takes the name and the HTML of each part, and returns the HTML
to write for it. Without it, every part is written in its place.
"""

from collections.abc import Iterable

from django import template
from django.template.context import Context
from django.utils.safestring import SafeString, mark_safe

from games.kernel.svg_text import quoted
from games.kernel.svg_writer import Place
from games.web.match.board import BoardPage

register = template.Library()


@register.simple_block_tag(takes_context=True)
def part(context: Context, content: SafeString, *name: object) -> SafeString:
    """Make some HTML a part with a name: ``{% part "seat" player.seat %}``."""
    return _placed(place_of(context), " ".join(map(str, name)), content)


@register.simple_tag(takes_context=True)
def board(context: Context, page: BoardPage) -> SafeString:
    """Return the board of a page as SVG, each of its marks and layers a part."""
    return page.board_with(place_of(context))


@register.simple_tag(takes_context=True)
def list_items(context: Context, texts: Iterable[str]) -> SafeString:
    """Return texts as the items of a list, each a part."""
    place = place_of(context)
    items = (
        _placed(place, f"item {number}", f"<li>{quoted(text)}</li>")
        for number, text in enumerate(texts)
    )
    return mark_safe("".join(items))  # noqa: S308 - escaped


def place_of(context: Context) -> Place | None:
    """Return what takes the parts of the page being rendered; ``None`` for a page in one piece."""
    place: Place | None = context.get("part")
    return place


def _placed(place: Place | None, name: str, html: str) -> SafeString:
    return mark_safe(place(name, html) if place else html)  # noqa: S308 - HTML already
