"""The pictures of links: drawn once for the same content, with a limit for each sender."""

from collections.abc import Iterable

from django.http import HttpRequest, HttpResponse

from accounts import limits
from games.matches.view.cards import Card
from games.web import example_positions

HOUR = 3600
"""Seconds that the picture of a link may be cached."""

LINES = 4
"""Maximum number of lines of a list that a picture shows."""


def picture(request: HttpRequest, card: Card) -> HttpResponse:
    """Return a card as a PNG. Drawing one that isn't cached counts against a limit."""
    stored = card.stored()
    if stored is None:
        limits.spend(request, "picture")
        stored = card.png()
    return HttpResponse(stored, content_type="image/png")


def of_game(slug: str, heading: str, lines: Iterable[str] = (), last: str = "") -> Card:
    """Return a card with a board of a game and the first few lines."""
    numbered = [(None, line) for line in list(lines)[:LINES]]
    return Card(f"game:{slug}", example_positions.example_drawing(slug), heading, numbered, last)
