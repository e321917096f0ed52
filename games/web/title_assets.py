"""The scripts and the style sheet that a game brings for its matches.

They lie in the game's folder as ``static/<slug>/match.js`` and ``match.css``, and go with the
page and the record of every match of the game, after the site's own. ``editor.js`` goes with the
editor of positions.
"""

from functools import cache

from django.contrib.staticfiles import finders
from django.templatetags.static import static

from games.kernel.contract import Meta


def title_asset(meta: Meta, file: str) -> str:
    """Return the address of a game's file, such as ``match.css``; empty if it has none."""
    return static(f"{meta.slug}/{file}") if _has(meta.slug, file) else ""


@cache
def _has(slug: str, file: str) -> bool:
    """Whether a game brings a file; looked up once by each process."""
    return finders.find(f"{slug}/{file}") is not None
