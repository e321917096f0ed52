"""Template tags for the script and the style sheet that a game brings for its matches.

They lie in the game's folder as ``static/<slug>/match.js`` and ``match.css``, and go with the
page and the record of every match of the game, after the site's own.
"""

from functools import cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static

from games.kernel.contract import Meta

register = template.Library()


@register.inclusion_tag("match/own_style.html")
def own_style(meta: Meta) -> dict[str, str]:
    """Link the style sheet of a game, if it has one."""
    return {"address": _address(meta.slug, "css")}


@register.inclusion_tag("match/own_script.html")
def own_script(meta: Meta) -> dict[str, str]:
    """Load the module script of a game, if it has one."""
    return {"address": _address(meta.slug, "js")}


def _address(slug: str, kind: str) -> str:
    return static(f"{slug}/match.{kind}") if _has(slug, kind) else ""


@cache
def _has(slug: str, kind: str) -> bool:
    """Whether a game brings a file of this kind; looked up once by each process."""
    return finders.find(f"{slug}/match.{kind}") is not None
