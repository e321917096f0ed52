"""The templates of the parts of a match's page, in ``templates/parts``.

They are rendered at every move for each viewer, so they are written in Jinja2, which renders them
about eight times as fast as Django's engine. So are the rows of matches in lists, as one page shows
many, and the head and foot of every page. All other templates are Django's; they show a part with
the tag ``match_part``.
"""

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from functools import lru_cache
from html import escape
from typing import Any, cast

from django.template import engines
from django.template.defaultfilters import pluralize, truncatechars
from django.templatetags.static import static
from jinja2 import Environment, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from msgspec import Struct

from config.addresses import path_of
from games.kernel.options import Choice
from games.matches.view.parts import Head, LogTurn, Strip
from games.templatetags import site, times
from games.web.match import packed_marks
from games.web.match.board import Board

TEMPLATES = {Head: "head_part", LogTurn: "log_turn", Strip: "strip"}
"""The template of each kind of part whose HTML is cached."""

CACHE_SIZE = 2000
"""How many rendered parts a process caches."""


class PartEnvironment(Environment):
    """An environment whose globals don't change: they are copied for each of many small parts."""

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """Return the globals of a template in one dict, which is copied faster than a chain."""
        return {**self.globals, **(d or {})}


def environment(**options: Any) -> Environment:
    """Return the environment of these templates, for the setting ``TEMPLATES``."""
    made = PartEnvironment(
        **{**options, "undefined": StrictUndefined, "keep_trailing_newline": True}
    )
    made.globals |= {
        "url": path_of,
        "static": lru_cache(static),
        "site_address": site.site_address,
        "exact_time": times.exact_time,
        "choice_options": choice_options,
        "show": lambda value: Markup(html(value)),  # noqa: S704 - of a template
        "show_part": show_part,
        "show_turns": show_turns,
        "show_board": show_board,
        "show_panel": show_panel,
    }
    made.filters |= {
        "pluralize": pluralize,
        "short_echo": site.short_echo,
        "truncatechars": truncatechars,
    }
    return made


def render(name: str, context: Mapping[str, Any]) -> str:
    """Return a part as HTML.

    ``place``, if the context has it, takes the name and the HTML of each smaller part that patches
    send by itself, and returns the slot that stands for it (:mod:`games.web.match.parts`).
    """
    return str(_environment().get_template(f"{name}.html").render(context))


def macro(name: str, *args: Any) -> str:
    """Return what a macro of ``macros.html`` makes of its arguments."""
    return str(getattr(_environment().get_template("macros.html").module, name)(*args))


def _environment() -> Environment:
    templates: Any = engines["parts"]
    return cast("Environment", templates.env)


@lru_cache(CACHE_SIZE)
def html(value: Struct) -> str:
    """Return a part as HTML. Everybody who is shown the same part gets the same text."""
    return render(TEMPLATES[type(value)], {"part": value})


def choice_options(choices: Sequence[Choice], chosen: str) -> Markup:
    """Return choices as options of a list.

    Of many choices, an option leaves out what its label says already: a value or a mark of the
    same text.
    """
    is_lean = len(choices) > packed_marks.MAX_DOTTED_LINKS
    listed = (
        _option(choice, is_chosen=choice.text == chosen, is_lean=is_lean) for choice in choices
    )
    return Markup("".join(listed))  # noqa: S704 - what choices hold is escaped


def _option(choice: Choice, *, is_chosen: bool, is_lean: bool) -> str:
    spoken = choice.label if is_lean else None
    marks = " ".join(choice.marks)
    value = "" if choice.text == spoken else f' value="{escape(choice.text)}"'
    data = "" if marks in ("", spoken) else f' data-marks="{escape(marks)}"'
    return f"<option{value}{' selected' * is_chosen}{data}>{escape(choice.label)}</option>"


@pass_context
def show_part(context: Context, value: Struct, *name: Any) -> Markup:
    """Return a part as HTML; ``name``, whose words are joined, is what patches call it."""
    return _joined(context, [(" ".join(map(str, name)), html(value))])


@pass_context
def show_turns(context: Context, shown: Iterable[LogTurn]) -> Markup:
    """Return turns of the log; patches call each by the number of its first entry."""
    return _joined(context, ((f"turn {turn.first}", html(turn)) for turn in shown))


def _joined(context: Context, parts: Iterable[tuple[str, str]]) -> Markup:
    """Return parts in their order, or the slots that stand for them."""
    place = context.get("place")
    written = (text if place is None else place(name, text) for name, text in parts)
    return Markup("".join(written))  # noqa: S704 - of templates


@pass_context
def show_board(context: Context, shown: Board) -> Markup:
    """Return a board as SVG. The marks are no links where parts are placed."""
    return Markup(shown.svg_with(context.get("place")))  # noqa: S704 - drawings escape


@pass_context
def show_panel(context: Context, shown: Board) -> Markup:
    """Return the drawing beside a board as SVG; empty without one."""
    return Markup(shown.panel_with(context.get("place")))  # noqa: S704 - drawings escape
