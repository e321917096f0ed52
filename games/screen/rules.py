"""The rules page of a game: its ``rules.md``, with boards drawn by the game itself.

A fenced block with the info string ``board`` becomes a figure (see :mod:`games.kernel.figure`). The
text below the second-level heading *Rulings* is by the site, not by the designer, and is set apart.
``rules.de.md`` has the same in German: its headings have the anchors of the English ones.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from games.kernel import language, registry, svg_writer
from games.kernel.contract import AnyGame
from games.kernel.figure import draw_figure
from games.kernel.language import cached
from games.study.addresses import pack
from games.study.errors import TooLong
from games.study.replaying import start_of
from games.study.tree import Start, Tree, checked

RULINGS = "rulings"
FIGURE = "board"


@dataclass(frozen=True)
class RulesPage:
    """The rules of a game as HTML: the designer's, the rulings, and the rest.

    ``contents`` are anchor and text of each second-level heading.
    """

    rules: SafeString
    rulings: SafeString
    rest: SafeString
    contents: tuple[tuple[str, str], ...]


@cached(None)
def rules(slug: str) -> RulesPage:
    """Return the rules page of a game. Each process reads it once in each language.

    :raises GameError: a figure shows no possible position.
    """
    return _file(slug, "rules.md", opens_boards=True)


def brief(slug: str) -> SafeString:
    """Return the rules of a game on one screen as HTML, ``brief.md``. Empty without that file.

    :raises GameError: a figure shows no possible position.
    """
    return _text(slug, "brief.md")


def pictures(slug: str) -> SafeString:
    """Return the three figures for people new to a game, ``pictures.md``. Empty without them.

    :raises GameError: a figure shows no possible position.
    """
    return _text(slug, "pictures.md")


@cached(None)
def _text(slug: str, name: str) -> SafeString:
    """Return a file of a game as HTML. Empty without that file. Each process reads it once."""
    exists = (registry.folder(slug) / name).exists()
    return _file(slug, name).rules if exists else SafeString("")


def _file(slug: str, name: str, *, opens_boards: bool = False) -> RulesPage:
    """Return a file in the reader's language, with the anchors of the English one."""
    english = registry.folder(slug) / name
    title, file = registry.get(slug), in_language(english)
    anchors = None
    if file != english:
        tokens = _markdown(title, opens_boards=False).parse(english.read_text(encoding="utf-8"))
        anchors = [anchor for anchor, _ in _name_headings(tokens, None)]
    source = file.read_text(encoding="utf-8")
    return page(title, source, opens_boards=opens_boards, anchors=anchors)


def in_language(english: Path) -> Path:
    """Return the file in the reader's language, such as ``rules.de.md``, or the English one."""
    file = english.with_suffix(f".{language.code()}{english.suffix}")
    return file if file.exists() else english


def page(
    title: AnyGame,
    source: str,
    *,
    opens_boards: bool = False,
    anchors: Sequence[str] | None = None,
) -> RulesPage:
    """Convert a rules file to its page. Its figures may link to boards.

    :param anchors: those of its headings. ``None``: they are made from the headings.
    :raises GameError: a figure shows no possible position.
    """
    markdown = _markdown(title, opens_boards=opens_boards)
    tokens = markdown.parse(source)
    if tokens and tokens[0].type == "heading_open" and tokens[0].tag == "h1":
        tokens = tokens[3:]  # the page has a title of its own
    contents = _name_headings(tokens, anchors)
    first, rulings, rest = (
        mark_safe(markdown.renderer.render(part, markdown.options, {}))  # noqa: S308 - html is off
        for part in _parts(tokens)
    )
    return RulesPage(first, rulings, rest, contents)


def _parts(tokens: Sequence[Token]) -> tuple[Sequence[Token], ...]:
    """Split before the heading of the rulings, and before the next heading of that level."""
    headings = [i for i, t in enumerate(tokens) if t.type == "heading_open" and t.tag == "h2"]
    end = len(tokens)
    start = next((i for i in headings if tokens[i].attrGet("id") == RULINGS), end)
    after = next((i for i in headings if i > start), end)
    return tokens[:start], tokens[start:after], tokens[after:]


def _markdown(title: AnyGame, *, opens_boards: bool) -> MarkdownIt:
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": True})
    markdown.enable(["table", "replacements", "smartquotes"])

    def fence(
        renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
    ) -> str:
        token = tokens[index]
        if token.info.strip() == FIGURE:
            return figure(title, token.content, ids=f"f{index}-", opens_board=opens_boards)
        return renderer.fence(tokens, index, options, env)

    markdown.add_render_rule("fence", fence)
    return markdown


def _name_headings(
    tokens: Sequence[Token], anchors: Sequence[str] | None
) -> tuple[tuple[str, str], ...]:
    """Add an anchor to each second-level heading. Return the anchors with their headings."""
    headings = [
        (opening, inline.content)
        for opening, inline in pairwise(tokens)
        if opening.type == "heading_open" and opening.tag == "h2"
    ]
    names = anchors or [anchor(text) for _, text in headings]
    contents = []
    for name, (opening, text) in zip(names, headings, strict=True):
        opening.attrSet("id", name)
        contents.append((name, text))
    return tuple(contents)


def anchor(heading: str) -> str:
    """Return the anchor of a heading: ``fighting-monsters`` of ``Fighting monsters``."""
    return re.sub(r"[^a-z0-9]+", "-", heading.lower()).strip("-")


def figure(title: AnyGame, block: str, *, ids: str, opens_board: bool = False) -> str:
    """Return a position of a game as an HTML figure, which may have a link to a board with it.

    :raises GameError: it isn't a possible one.
    """
    drawing, caption, opened = draw_figure(title, block)
    address = _board_address(title, block) if opens_board else ""
    text = escape(gettext("Try it on a board"))
    link = f' <a href="{address}" rel="nofollow">{text}</a>' if address else ""
    below = f"<figcaption>{escape(caption)}{link}</figcaption>" if caption or link else ""
    picture = svg_writer.render(drawing, ids=ids, marks=False, opened=opened)
    return f'<figure class="board-frame figure">{picture}{below}</figure>\n'


def _board_address(title: AnyGame, block: str) -> str:
    """Return the address of a board with the position of a figure. Empty without one.

    Nothing can be tried after the end of a match, and a long position doesn't fit in an address.
    """
    data = json.loads(block)
    meta = title.meta
    seats = data.get("seats", meta.seats[0])
    start = Start(position=data["position"])
    tree = checked(Tree(meta.slug, meta.rules_version, seats, data.get("params", {}), start))
    if title.result(start_of(tree)) is not None:
        return ""
    try:
        packed, _ = pack(tree)
    except TooLong:
        return ""
    return reverse("board", args=[meta.slug, packed, 0])
