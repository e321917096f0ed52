"""Texts that people write in Markdown, as HTML: without images, raw HTML and large headings."""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from accounts.models import User
from games.noticeboards.notifications import MENTIONED, names_in

LEVELS_ABOVE = 2
"""The page has headings of these levels itself."""

MAX_LEVEL = 6

LINK = re.compile(r"https?://", re.IGNORECASE)
"""What an address begins with. Others, such as of scripts and of mails, are no links."""

ADDRESS = re.compile(r"(?<![\w/])https?://[^\s<>\"“”]*[^\s<>\"“”.,;:!?'’)\]]")
"""An address in a text."""

LINKED = re.compile(f"{ADDRESS.pattern}|{MENTIONED.pattern}")
"""An address or the name of somebody."""

RELATION = "nofollow ugc noopener"
"""We recommend no address that people write."""


MAX_BRACKETS = 100
"""With more opening brackets a text has no links by brackets: to look for them takes too long.

4,000 brackets take 75 ms of a core, other texts of this length at most 30 ms.
"""

CACHE_SIZE = 1000
"""How many texts a process caches. A page has up to twenty, each of which takes 1 to 30 ms."""


def markdown(
    source: str,
    people: Mapping[str, User] | None = None,
    boards: Mapping[str, SafeString] | None = None,
) -> SafeString:
    """Return a text as HTML. Callers bound its length.

    :param people: those whom it may mention, by name in lower case: ``@name`` is a link to them.
    :param boards: the pictures that are shown in place of addresses.
    """
    found = {name: (people or {}).get(name) for name in names_in(source)} if people else {}
    profiles = [(name, user.get_absolute_url()) for name, user in found.items() if user]
    shown = [(address, html) for address, html in (boards or {}).items() if address in source]
    return _rendered(source, tuple(profiles), tuple(shown))


@lru_cache(CACHE_SIZE)
def _rendered(
    source: str, profiles: tuple[tuple[str, str], ...], boards: tuple[tuple[str, str], ...]
) -> SafeString:
    made = _with_links if source.count("[") <= MAX_BRACKETS else _without_links
    return SafeString(made.render(source, {"profiles": dict(profiles), "boards": dict(boards)}))


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type in ("heading_open", "heading_close"):
            level = min(int(token.tag[1:]) + LEVELS_ABOVE, MAX_LEVEL)
            token.tag = f"h{level}"


def _link_addresses(state: StateCore) -> None:
    """Make links of the addresses in plain text, and of the names that it mentions."""
    for token in state.tokens:
        if token.type == "inline" and token.children:
            token.children = list(_linked(token.children, state.env))


def _linked(children: Iterable[Token], env: Any) -> Iterable[Token]:
    depth = 0
    for child in children:
        depth += child.nesting if child.type.startswith("link_") else 0
        if child.type == "text" and not depth:
            yield from _pieces(child.content, env)
        else:
            yield child


def _pieces(text: str, env: Any) -> Iterable[Token]:
    end = 0
    for found in LINKED.finditer(text):
        address = env["profiles"].get(found["name"].lower()) if found["name"] else found[0]
        if address is None:
            continue
        yield _text(text[end : found.start()])
        if picture := env["boards"].get(address):
            yield Token("html_inline", "", 0, content=picture)
        else:
            yield Token("link_open", "a", 1, attrs={"href": address})
            yield _text(found[0])
            yield Token("link_close", "a", -1)
        end = found.end()
    yield _text(text[end:])


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link_open(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    tokens[index].attrSet("rel", RELATION)
    return renderer.renderToken(tokens, index, options, env)


def _code(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any
) -> str:
    """Return a block of code, which the keyboard can scroll."""
    code = renderer.code_inline(tokens, index, options, env)
    return f'<pre tabindex="0">{code}</pre>\n'


def _made(*without: str) -> MarkdownIt:
    made = MarkdownIt("commonmark", {"html": False, "breaks": True})
    made.disable(["image", "html_block", "html_inline", "reference", *without])
    made.validateLink = lambda url: bool(LINK.match(url))  # type: ignore[method-assign]
    made.core.ruler.push("lower_headings", _lower_headings)
    made.core.ruler.push("link_addresses", _link_addresses)
    made.add_render_rule("link_open", _link_open)
    made.add_render_rule("fence", _code)
    made.add_render_rule("code_block", _code)
    return made


_with_links, _without_links = _made(), _made("link")
