"""Pictures of boards for templates."""

import json
from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from accounts.models import User
from config.addresses import path_of
from games.kernel import svg_writer
from games.kernel.contract import AnyGame, Params
from games.kernel.language import cached
from games.matches.view import thumbnails
from games.matches.view.match_view import MatchView
from games.web import example_positions

WRITTEN = 64
"""How many examples a process keeps as HTML."""

SOURCE = '<source srcset="{}" media="(prefers-color-scheme: dark)">'
IMAGE = '<img src="{}" alt="{}" width="320" height="320" loading="lazy" decoding="async">'
PICTURE = f"<picture>{{}}{IMAGE}</picture>"

LIGHT = User.Theme.LIGHT
DARK = User.Theme.DARK


def list_board(row: MatchView, reader: Any) -> SafeString:
    """Show the board of a match in a list, in the theme that its reader chose or the device has.

    It is a picture of its own, so that nothing is drawn for the list.
    """
    match = row.match
    look = thumbnails.look_of(match)
    light = path_of("match-thumbnail", match.pk, match.version, LIGHT, look)
    return _picture(light, light.replace(f"-{LIGHT}.", f"-{DARK}."), reader)


def position_board(address: str, reader: Any, label: str = "") -> SafeString:
    """Show the board of a position that has an address, in the theme of its reader.

    ``label`` describes it where the text beside it doesn't.
    """
    picture = f"{address}board.svg?theme="
    return _picture(picture + LIGHT, picture + DARK, reader, label)


def game_picture(slug: str, reader: Any) -> SafeString:
    """Show a board of a game in a list, as a picture of its own."""
    light, dark = (path_of("game-board", slug, theme) for theme in (LIGHT, DARK))
    return _picture(light, dark, reader)


def lesson_picture(slug: str, number: int, reader: Any, word: str = "lesson") -> SafeString:
    """Show where a lesson or puzzle of a game starts, as a picture of its own."""
    light, dark = (reverse(f"{word}-board", args=[slug, number, t]) for t in (LIGHT, DARK))
    return _picture(light, dark, reader)


def _picture(light: str, dark: str, reader: Any, label: str = "") -> SafeString:
    theme = getattr(reader, "theme", User.Theme.AUTO)
    source = format_html(SOURCE, dark) if theme == User.Theme.AUTO else ""
    return format_html(PICTURE, source, dark if theme == User.Theme.DARK else light, label)


def example_board(
    title: AnyGame, params: Params | None = None, ids: str = "s", seats: int = 0
) -> SafeString:
    """Return a board of a game in the middle of an example match with these parameters.

    ``ids`` is the prefix of the ids in it, another for each time that a page shows it.
    """
    chosen = json.dumps(dict(params or {}), sort_keys=True)
    # Drawings are built from elements that escape what they are given.
    return mark_safe(_written(title.meta.slug, chosen, seats, ids))  # noqa: S308


@cached(WRITTEN)
def example_steps(slug: str, marks: bool = True) -> list[tuple[SafeString, str]]:  # noqa: FBT001, FBT002
    """Return the last moves of a match of a game: each board as HTML, and what the move did."""
    return [
        # As above. All drawings share their ids, so that scripts find what differs.
        (mark_safe(svg_writer.render(drawing, ids=f"w-{slug}-", marks=marks)), told)  # noqa: S308
        for drawing, told in example_positions.example_steps(slug)
    ]


@cached(WRITTEN)
def _written(slug: str, chosen: str, seats: int, ids: str) -> str:
    """Return a board as HTML: each process draws the same examples again and again."""
    drawing = example_positions.example_drawing(slug, json.loads(chosen), seats)
    return svg_writer.render(drawing, ids=f"{ids}-{slug}-", marks=False)


FUNCTIONS = (
    example_board,
    example_steps,
    game_picture,
    lesson_picture,
    list_board,
    position_board,
)
