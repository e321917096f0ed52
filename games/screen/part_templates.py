"""The templates of the parts of a match's page, in ``templates/parts``.

They are rendered at every move for each viewer.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, cast

from django.template import engines
from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markupsafe import Markup, escape
from msgspec import Struct

from games.kernel.language import cached
from games.kernel.options import Choice
from games.matches.view.parts import Head, LogTurn, Strip
from games.screen import packed_marks
from games.screen.board import LinkedBoard

TEMPLATES = {Head: "head_part", LogTurn: "log_turn", Strip: "strip"}
"""The template of each kind of part whose HTML is cached."""

CACHE_SIZE = 2000
"""How many rendered parts a process caches."""


def render(name: str, context: Mapping[str, Any]) -> str:
    """Return a part as HTML.

    ``place``, if the context has it, takes the name and the HTML of each smaller part that patches
    send by itself, and returns the slot that stands for it (:mod:`games.screen.parts`).
    """
    return str(_environment().get_template(f"parts/{name}.html").render(context))


def load() -> None:
    """Compile all parts, which takes half a second: longer than anybody's first click may."""
    names = _environment().list_templates(filter_func=lambda name: name.startswith("parts/"))
    for name in names:
        _environment().get_template(name)


def macro(template: str, name: str, *args: Any) -> str:
    """Return what a macro of a template makes of its arguments."""
    return str(getattr(_environment().get_template(template).module, name)(*args))


def _environment() -> Environment:
    templates: Any = engines["jinja2"]
    return cast("Environment", templates.env)


@cached(CACHE_SIZE)
def html(value: Struct) -> str:
    """Return a part as HTML. All readers of a language who see the same part get the same text."""
    return render(TEMPLATES[type(value)], {"part": value})


def show(value: Struct) -> Markup:
    """Return a part as HTML, in a template."""
    return Markup(html(value))  # noqa: S704 - of a template


def options_of(choices: Sequence[Choice], chosen: str) -> Markup:
    """Return choices as options of a list.

    Of many choices, an option leaves out what its label says already: the value or the marks. This
    isn't a template, which takes a tenth of a click's time for ninety choices.
    """
    is_lean = len(choices) > packed_marks.MAX_DOTTED_LINKS
    rows = [(choice.text, choice.label, " ".join(choice.marks)) for choice in choices]
    escaped = iter(str(escape("\0".join(chain.from_iterable(rows)))).split("\0"))
    options = []
    for row, text, label, marks in zip(rows, escaped, escaped, escaped, strict=True):
        said = label if is_lean else None
        value = "" if text == said else f' value="{text}"'
        selected = " selected" if row[0] == chosen else ""
        data = "" if marks in ("", said) else f' data-marks="{marks}"'
        options.append(f"<option{value}{selected}{data}>{label}</option>")
    return Markup("".join(options))  # noqa: S704 - escaped


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
def show_board(context: Context, shown: LinkedBoard) -> Markup:
    """Return a board as SVG. The marks are no links where parts are placed."""
    return Markup(shown.svg_with(context.get("place")))  # noqa: S704 - drawings escape


@pass_context
def show_panel(context: Context, shown: LinkedBoard) -> Markup:
    """Return the drawing beside a board as SVG; empty without one."""
    return Markup(shown.panel_with(context.get("place")))  # noqa: S704 - drawings escape


FUNCTIONS = (options_of, show, show_board, show_panel, show_part, show_turns)
