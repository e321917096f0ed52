"""The parts of pages that have to be quick: those of a match that change, and lists of matches.

They are templates of Jinja2, in ``templates/fragments``, which render faster than Django's: each
move waits for them, as the page itself shows them, and moves push them. Other templates show one
by the tag ``fragment``. Everything is escaped unless it is marked as safe, and a name that the
context lacks is an error.
"""

import re
from collections.abc import Callable, Iterable
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
from markupsafe import Markup

from games.http.echo import shorten_echo
from games.kernel.svg_text import quoted
from games.kernel.svg_writer import Place
from games.templatetags.boards import choice_options, list_board, place, player_name
from games.templatetags.logs import comment_count, log_turns
from games.templatetags.site import awaited_address
from games.templatetags.times import clock, clock_bar, exact_time, time_ago

INCLUDED = re.compile(r'{% include "([^"]+)" %}')


class Inlined(FileSystemLoader):
    """Reads a fragment with those that it includes in their places.

    So each is compiled into one function; to include at run time costs more than most of them.
    """

    def get_source(
        self, environment: Environment, template: str
    ) -> tuple[str, str, Callable[[], bool]]:
        """Return the text of a fragment, its file, and whether that and all others are the same."""
        source, path, is_same = super().get_source(environment, template)
        looks = [is_same]

        def read(found: re.Match[str]) -> str:
            inner, _, look = self.get_source(environment, found[1])
            looks.append(look)
            return inner

        return INCLUDED.sub(read, source), path, lambda: all(look() for look in looks)


environment = Environment(
    loader=Inlined(settings.BASE_DIR / "templates" / "fragments"),
    autoescape=True,
    auto_reload=settings.DEBUG,
    keep_trailing_newline=True,
    undefined=StrictUndefined,
)


def _plural(count: int) -> str:
    return "" if count == 1 else "s"


def _items(texts: Iterable[str], part: Place | None = None) -> Markup:
    """Return texts as the items of a list, each a part of its own if ``part`` is given."""
    items = [f"<li>{quoted(text)}</li>" for text in texts]
    if part is not None:
        items = [part(f"item {number}", item) for number, item in enumerate(items)]
    return Markup("".join(items))  # noqa: S704 - escaped


def _short_echo(message: Any) -> str:
    return shorten_echo(str(message))


environment.globals |= {
    "awaited_address": awaited_address,
    "choice_options": choice_options,
    "clock": clock,
    "clock_bar": clock_bar,
    "comment_count": comment_count,
    "exact_time": exact_time,
    "items": _items,
    "list_board": list_board,
    "log_turns": log_turns,
    "place": place,
    "player_name": player_name,
    "plural": _plural,
    "short_echo": _short_echo,
    "static": lru_cache(static),
    "time_ago": time_ago,
    "url": lambda name, *args: reverse(name, args=args),
}


def load() -> None:
    """Compile all fragments, lest the first moves after a start wait for that."""
    for name in environment.list_templates():
        environment.get_template(name)


def text(name: str, **context: Any) -> str:
    """Return a fragment as HTML."""
    return environment.get_template(f"{name}.html").render(context)


def render(name: str, **context: Any) -> SafeString:
    """Return a fragment as HTML for a template of Django's."""
    return mark_safe(text(name, **context))  # noqa: S308 - the environment escapes


def render_for(request: HttpRequest, name: str, page: Any) -> SafeString:
    """Return a fragment for whoever asks for it alone."""
    token = SimpleLazyObject(lambda: get_token(request))
    return render(name, page=page, user=request.user, request=request, csrf_token=token)
