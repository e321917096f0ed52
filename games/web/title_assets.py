"""The script and the style sheet that a game brings for its matches.

They lie in the game's folder as ``static/<slug>/match.js`` and ``match.css``, and go with the
page and the record of every match of the game, after the site's own.
"""

from functools import cache

from django.contrib.staticfiles import finders
from django.templatetags.static import static

from games.kernel.contract import Meta


def title_asset(meta: Meta, kind: str) -> str:
    """Return the address of a game's file, ``css`` or ``js``; empty if it has none."""
    return static(f"{meta.slug}/match.{kind}") if _has(meta.slug, kind) else ""


@cache
def _has(slug: str, kind: str) -> bool:
    """Whether a game brings a file of this kind; looked up once by each process."""
    return finders.find(f"{slug}/match.{kind}") is not None
