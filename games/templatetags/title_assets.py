"""Template tags for the script and the style sheet that a game brings for its matches.

They lie in the game's folder as ``static/<slug>/match.js`` and ``match.css``, and go with the
page and the record of every match of the game, after the site's own.
"""

from functools import cache

from django import template
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.kernel.contract import Meta

register = template.Library()

NONE = SafeString("")


@register.simple_tag
def own_style(meta: Meta) -> SafeString:
    """Return the link to the style sheet of a game; empty if it has none."""
    return _element(meta.slug, "css", '<link rel="stylesheet" href="{}">')


@register.simple_tag
def own_script(meta: Meta) -> SafeString:
    """Return the element that loads the module script of a game; empty if it has none."""
    return _element(meta.slug, "js", '<script type="module" src="{}"></script>')


def _element(slug: str, kind: str, markup: str) -> SafeString:
    return format_html(markup, static(f"{slug}/match.{kind}")) if _has(slug, kind) else NONE


@cache
def _has(slug: str, kind: str) -> bool:
    """Whether a game brings a file of this kind; looked up once by each process."""
    return finders.find(f"{slug}/match.{kind}") is not None
