"""The parts of a match's page that change: the page itself shows them, and moves push them.

They are templates of Jinja2, in ``templates/fragments``, which render faster than Django's: each
move waits for them. Other templates show one by the tag ``fragment``. Everything is escaped unless
it is marked as safe, and a name that the context lacks is an error.
"""

from functools import lru_cache
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString, mark_safe
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from games.http.echo import shorten_echo
from games.templatetags.boards import choice_options, place, player_name
from games.templatetags.logs import log_turn
from games.templatetags.times import clock

ADDRESSES = 4096
"""Addresses that a process keeps: most on a page are those of the page before."""

environment = Environment(
    loader=FileSystemLoader(settings.BASE_DIR / "templates" / "fragments"),
    autoescape=True,
    auto_reload=settings.DEBUG,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
)


@lru_cache(ADDRESSES)
def _url(name: str, *args: Any) -> str:
    return reverse(name, args=args)


def _plural(count: int) -> str:
    return "" if count == 1 else "s"


def _short_echo(message: Any) -> str:
    return shorten_echo(str(message))


environment.globals |= {
    "choice_options": choice_options,
    "clock": clock,
    "log_turn": log_turn,
    "place": place,
    "player_name": player_name,
    "plural": _plural,
    "short_echo": _short_echo,
    "static": static,
    "url": _url,
}


def load() -> None:
    """Compile all fragments, lest the first moves after a start wait for that."""
    for name in environment.list_templates():
        environment.get_template(name)


def render(name: str, **context: Any) -> SafeString:
    """Return a fragment as HTML."""
    html = environment.get_template(f"{name}.html").render(context)
    return mark_safe(html)  # noqa: S308 - the environment escapes


def render_for(request: HttpRequest, name: str, page: Any) -> SafeString:
    """Return a fragment for whoever asks for it alone."""
    token = SimpleLazyObject(lambda: get_token(request))
    return render(name, page=page, user=request.user, request=request, csrf_token=token)
