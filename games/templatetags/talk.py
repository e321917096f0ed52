"""Template tags for what people write to each other."""

import re
from typing import Any

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe

from games.talk import selectors
from games.talk.models import Line

register = template.Library()

SPOTS = re.compile(
    r"(?P<url>https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]}])"
    r"|(?<![\w.,])(?P<number>\d{1,6})\.(?!\d)(?P<move> ?[A-Za-z]{1,2}\d{1,2}\b)?",
    re.ASCII,
)
"""Addresses, and steps of the record, as in ``14. c4`` or ``14.``"""


@register.simple_tag
def chat_text(line: Line, last: int) -> SafeString:
    """Return a line as HTML, with links to addresses and to steps of the record up to ``last``."""
    parts, end = [], 0
    for spot in SPOTS.finditer(line.text):
        parts += [_plain(line.text[end : spot.start()]), _link(spot, line.match_id, last)]
        end = spot.end()
    return mark_safe("".join([*parts, _plain(line.text[end:])]))  # noqa: S308 - parts are escaped


def _plain(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _link(spot: re.Match[str], match_id: int, last: int) -> str:
    if spot["url"]:
        link = '<a href="{}" rel="nofollow noopener noreferrer ugc">{}</a>'
        return format_html(link, spot["url"], spot["url"])
    number = int(spot["number"])
    if number > last:
        return _plain(spot[0])
    address = reverse("match-at", args=[match_id, number])
    return format_html('<a href="{}" data-n="{}">{}</a>', address, number, spot[0])


@register.simple_tag
def unread_lines(user: Any, *pages: Any) -> dict[int, int]:
    """Return how many lines wait to be read in the matches of some pages of a list, by match."""
    found = [row.match.pk for page in pages if page for row in page.items]
    return selectors.unread(user, found) if user.is_authenticated and found else {}
