"""Template tags for what people write to each other."""

import re
from typing import Any, NamedTuple

from django import template
from django.urls import reverse

from games.talk import selectors
from games.talk.models import Line

register = template.Library()

SPOTS = re.compile(
    r"(?P<url>https?://[^\s<>\"']*[^\s<>\"'.,;:!?)\]}])"
    r"|(?<![\w.,])(?P<number>\d{1,6})\.(?!\d)(?P<move> ?[A-Za-z]{1,2}\d{1,2}\b)?",
    re.ASCII,
)
"""Addresses, and steps of the record, as in ``14. c4`` or ``14.``"""


class Piece(NamedTuple):
    """A piece of a line: plain text, a link, or a link to entry ``number`` of the record."""

    text: str
    address: str = ""
    number: int | None = None


@register.inclusion_tag("talk/text.html")
def chat_text(line: Line, last: int) -> dict[str, Any]:
    """Show a line with links to addresses and to steps of the record up to ``last``."""
    pieces = []
    end = 0
    for spot in SPOTS.finditer(line.text):
        pieces += [Piece(line.text[end : spot.start()]), _linked(spot, line.match_id, last)]
        end = spot.end()
    return {"pieces": [*pieces, Piece(line.text[end:])]}


def _linked(spot: re.Match[str], match_id: int, last: int) -> Piece:
    if spot["url"]:
        return Piece(spot[0], spot[0])
    number = int(spot["number"])
    if number > last:
        return Piece(spot[0])
    return Piece(spot[0], reverse("match-at", args=[match_id, number]), number)


@register.simple_tag
def unread_lines(user: Any, *pages: Any) -> dict[int, int]:
    """Return how many lines wait to be read in the matches of some pages of a list, by match."""
    match_ids = [row.match.pk for page in pages if page for row in page.items]
    return selectors.unread(user, match_ids) if user.is_authenticated and match_ids else {}
