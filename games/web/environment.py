"""The Jinja2 environment of the site's own pages, in ``templates``.

What pages ask for stands in :mod:`games.web.template_functions` or beside its owner, and is named
here. Django's engine renders the rest: the admin, mails, and pages of allauth that have no template
here (``templates/django``).
"""

from collections.abc import Callable, MutableMapping
from functools import lru_cache
from typing import Any

from django.forms.utils import flatatt
from django.template import defaultfilters
from django.templatetags.static import static
from django.utils import html, translation
from jinja2 import Environment, StrictUndefined, Undefined
from markupsafe import Markup, escape

from accounts import dates
from accounts.delivery import readers
from accounts.signup import known_awaited_address
from config.addresses import path_of
from games.clubs import acts
from games.events.selectors import of_match
from games.http.echo import shorten_echo
from games.kernel import language, registry
from games.matches import formatting, listing
from games.matches.notify import watching
from games.matches.view import seats
from games.screen import part_templates
from games.web import markdown, pictures, script_messages, template_functions, title_assets
from games.web.clubs import emblem
from games.web.lobby.rows import listed
from games.web.match_rows import written
from games.web.study import editor, embedding
from games.web.talk import text


class SiteEnvironment(Environment):
    """An environment whose globals don't change: they are copied for each of many small parts."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template in one dict, which is copied faster than a chain."""
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """Return the environment, for the setting ``TEMPLATES``."""
    made = SiteEnvironment(
        **{
            **options,
            "undefined": StrictUndefined,
            "keep_trailing_newline": True,
            "extensions": ["jinja2.ext.i18n"],
            "finalize": refuse_callables,
        }
    )
    made.policies["ext.i18n.trimmed"] = True
    # {% trans %} gives the functions the values of its block; the older style puts them in itself.
    setattr(made, "newstyle_gettext", True)  # noqa: B010 - the extension adds it
    made.globals |= GLOBALS
    made.filters |= FILTERS
    # Visitors have no such attribute.
    made.tests["guest"] = lambda user: getattr(user, "is_guest", False)
    return made


def gettext(message: str, /, **values: Any) -> Markup:
    """Return a translation with escaped values. Those of Jinja2 take up to twice the time."""
    return _filled(language.gettext(message), values)


def ngettext(singular: str, plural: str, number: int, /, **values: Any) -> Markup:
    return _filled(language.ngettext(singular, plural, number), {"num": number, **values})


def pgettext(context: str, message: str, /, **values: Any) -> Markup:
    return _filled(language.pgettext(context, message), values)


def npgettext(context: str, singular: str, plural: str, number: int, /, **values: Any) -> Markup:
    text = language.npgettext(context, singular, plural, number)
    return _filled(text, {"num": number, **values})


def _filled(text: str, values: dict[str, Any]) -> Markup:
    # As in Jinja2, a percent sign is doubled with and without values.
    if values or "%" in text:
        text %= {
            name: value if type(value) is int else escape(value) for name, value in values.items()
        }
    return Markup(text)  # noqa: S704 - of translators


def refuse_callables(value: Any) -> Any:
    """Return a value that is to be written; a function is one that somebody forgot to call."""
    if callable(value) and not isinstance(value, Undefined):
        raise TypeError(f"A template writes {value!r}, which it should call.")
    return value


FUNCTIONS: tuple[Callable[..., Any], ...] = (
    *part_templates.FUNCTIONS,
    *pictures.FUNCTIONS,
    *template_functions.FUNCTIONS,
    editor.edit_address,
    embedding.board_pictures,
    emblem.club_emblem,
    script_messages.script_messages,
    text.chat_pieces,
    text.unread_lines,
    title_assets.title_asset,
)

GLOBALS = {
    "_": gettext,
    "gettext": gettext,
    "ngettext": ngettext,
    "npgettext": npgettext,
    "pgettext": pgettext,
    # Pages without a request are those of a visitor.
    "request": None,
    "user": None,
    "messages": (),
    "url": path_of,
    "static": lru_cache(static),
    "awaited_address": known_awaited_address,
    "event_table": of_match,
    "flatatt": flatatt,
    "guest_matches": listing.count_all,
    "language": language.code,
    "leader_act_words": acts.sentence,
    "is_right_to_left": translation.get_language_bidi,
    "match_rows": written,
    "person_of": seats.person,
    "refused_address": readers.refused_address,
    "swatch_of": seats.swatch,
    "watch_of": watching.of,
    "with_habits": listed,
    **{function.__name__: function for function in FUNCTIONS},
}

FILTERS = {
    "capfirst": defaultfilters.capfirst,
    "clock_short": formatting.clock_short,
    "clock_words": formatting.clock,
    **{function.__name__: function for function in dates.FILTERS},
    "game_name": registry.name_of,
    "json_script": html.json_script,
    "linebreaks": defaultfilters.linebreaks_filter,
    "markdown": markdown.markdown,
    "linebreaksbr": defaultfilters.linebreaksbr,
    "pluralize": defaultfilters.pluralize,
    "short_echo": lambda message: shorten_echo(str(message)),
    "truncatechars": defaultfilters.truncatechars,
    "urlencode": defaultfilters.urlencode,
    "urlize": defaultfilters.urlize,
    **{function.__name__: function for function in template_functions.FILTERS},
}
