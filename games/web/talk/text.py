"""What people write to each other, with its links."""

import re
from typing import Any, NamedTuple

from django.urls import reverse

from games.talk import selectors
from games.talk.models import Line

IN_ADDRESS = r"!#-;=?-\[\]_a-z|~À-ÖØ-öø-ɏͰ-ԯḀ-ỿ"
"""What an address is made of: ASCII, and letters of scripts that put spaces between words."""

MONTH = r"(?:jan|feb|mar|apr|ma[ijy]|jun|jul|aug|sep|o[kc]t|nov|de[cz])"

SPOTS = re.compile(
    rf"(?<![A-Za-z0-9])(?P<url>https?://(?=[A-Za-z0-9])[{IN_ADDRESS}]+)"
    r"|(?<![\w.,])(?P<number>[0-9]{1,6})\.(?![0-9])"
    r"(?:(?P<move> ?[A-Za-z]{1,2}[0-9]{1,2}\b)"
    rf"|(?![ \t]*(?:[A-Z][^\W\d_]{{2}}|[^\W\d_a-zA-Z]|{MONTH})))"
)
"""Addresses, and steps of the record, as in ``14. c4`` or ``14.``, but not ``am 14. Dezember``."""

AFTER = ".,;:!?'"
"""Punctuation that ends a sentence rather than an address."""

BRACKETS = {")": "(", "]": "["}


class Piece(NamedTuple):
    """A piece of a line: plain text, a link, or a link to entry ``number`` of the record."""

    text: str
    address: str = ""
    number: int | None = None


def chat_pieces(line: Line, last: int) -> list[Piece]:
    """Return a line in pieces: text, addresses, and steps of the record up to ``last``."""
    pieces = []
    end = 0
    for spot in SPOTS.finditer(line.text):
        piece = _linked(spot, line.match_id, last)
        pieces += [Piece(line.text[end : spot.start()]), piece]
        end = spot.start() + len(piece.text)
    return [*pieces, Piece(line.text[end:])]


def _trimmed(address: str) -> str:
    """Return an address without punctuation and unpaired closing brackets at its end."""
    while address[-1] in AFTER or _is_unpaired(address):
        address = address[:-1]
    return address


def _is_unpaired(address: str) -> bool:
    last = address[-1]
    return last in BRACKETS and address.count(last) > address.count(BRACKETS[last])


def _linked(spot: re.Match[str], match_id: int, last: int) -> Piece:
    if spot["url"]:
        address = _trimmed(spot["url"])
        return Piece(address, address)
    number = int(spot["number"])
    if number > last:
        return Piece(spot[0])
    return Piece(spot[0], reverse("match-at", args=[match_id, number]), number)


def unread_lines(user: Any, *pages: Any) -> dict[int, int]:
    """Return how many lines wait to be read in the matches of some pages of a list, by match."""
    match_ids = [row.match.pk for page in pages if page for row in page.items]
    return selectors.unread(user, match_ids) if user.is_authenticated and match_ids else {}
