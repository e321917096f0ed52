"""Find invalid HTML: what the strict parser of html5lib reports, and wrong values and nesting.

html5lib takes ten milliseconds a page. A page that is XML but for void elements and attributes
without values is parsed as XML, which takes less. It needs html5lib only if an element of it stands
where html5lib has not accepted one before.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from xml.etree.ElementTree import Element, ParseError, XMLParser, fromstring

from html5lib import HTMLParser
from html5lib.constants import E as MESSAGES

DATE = r"\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])"
TIME = r"([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,3})?)?"
ZONE = r"(Z|[+-]([01]\d|2[0-3]):?[0-5]\d)"
WHOLE = r"0|[1-9]\d*"
NAME = r"\S+"
NAMES = r"\s*\S+(\s+\S+)*\s*"

VALUES = {
    "datetime": rf"{DATE}([T ]{TIME}{ZONE})?",
    "id": NAME,
    "for": NAME,
    "name": r".+",
    "aria-labelledby": NAMES,
    "aria-describedby": NAMES,
    "aria-controls": NAMES,
    "width": WHOLE,
    "height": WHOLE,
    "colspan": r"[1-9]\d*",
    "rowspan": WHOLE,
    "size": r"[1-9]\d*",
    "rows": r"[1-9]\d*",
    "cols": r"[1-9]\d*",
    "maxlength": WHOLE,
    "minlength": WHOLE,
    "start": r"-?\d+",
    "tabindex": r"-?\d+",
    "href": r"\S*",
    "src": NAME,
    "action": NAME,
    "formaction": NAME,
}
"""What an attribute's value must look like, in HTML elements."""

INPUTS = {
    "date": rf"({DATE})?",
    "time": rf"({TIME})?",
    "datetime-local": rf"({DATE}T{TIME})?",
    "number": r"(-?\d+(\.\d+)?(e[+-]?\d+)?)?",
}
"""What the value of an input must look like, by its type, unless it is marked as invalid."""

NAMES_OF_FIELDS = re.compile("name|player|login|mail|substitute")
"""What a field for a name or an address is called."""

OF_DJANGO = "id_password_helptext"
"""An id that is missing on Django's own page of a user in the admin."""

REFERENCES = ("for", "list", "form", "aria-labelledby", "aria-describedby", "aria-controls")
"""Attributes that name ids of the same page."""

BLOCKS = (
    r"address|article|aside|blockquote|d[dlt]|details|div|fieldset|figcaption|figure|footer|form"
    r"|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|ul"
)
PHRASING = r"abbr|b|button|code|em|h[1-6]|i|label|p|pre|s|small|span|strong|time|u"
"""Elements that hold text and inline elements, but no blocks."""

INTERACTIVE = {"a", "button", "details", "iframe", "label", "select", "summary", "textarea"}

CHILDREN = {
    "ul": {"li", "script", "template"},
    "ol": {"li", "script", "template"},
    "dl": {"dt", "dd", "div", "script", "template"},
    "picture": {"source", "img"},
}
"""The only children of some elements."""

HTML = "{http://www.w3.org/1999/xhtml}"

TAG = re.compile(r"""<([a-zA-Z][\w-]*)((?:\s+[\w:.-]+(?:\s*=\s*(?:"[^"]*"|'[^']*'))?)*)\s*(/?)>""")
BARE = re.compile(r"""(\s[\w:.-]+)(=(?:"[^"]*"|'[^']*')|(?=\s|$))""")
VALUED = re.compile(r"""(?:\s+[\w:.-]+=(?:"[^"]*"|'[^']*'))*""")
"""Attributes that all have a value, as XML demands."""

VOID = re.compile(r"area|base|br|col|embed|hr|img|input|link|meta|source|track|wbr")
EMPTY = re.compile(r"circle|ellipse|g|image|line|path|poly(gon|line)|rect|stop|svg|text|tspan|use")
"""Elements of SVG that may end as they begin; elements of HTML may not, unless they are void."""

NAMESPACES = {"html": HTML[1:-1], "svg": "http://www.w3.org/2000/svg"}

DRAWN_BY_LOT = re.compile(
    r"\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9A-Za-z]{64})\b"
    r"|(?<=\bnonce=\")[^\"]+(?=\")"
)
"""Ids of submissions, tokens of forms, nonces of scripts: each page has others."""

PICTURE = re.compile(r"<svg\b[^<]*(?:<(?!/?svg\b)[^<]*)*</svg>")
NAMING = re.compile(
    rf"""\s(?:id|{"|".join(REFERENCES)})\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'>]+)""",
)
"""Attributes that give an id, or refer to one."""

_valid: set[bytes] = set()
"""Digests of pages that were found valid, and of pictures on them: many come again."""

_nestings: dict[tuple[int, str, bool], int] = {}
"""Numbers of the ways in which elements are nested: by the number of the parent's, the tag, and
whether text stands in the element."""

_accepted: set[int] = set()
"""Nestings in which html5lib has found nothing wrong."""


def problems(text: str) -> list[str]:
    """Return what is wrong with a page, or with a part that a script puts into one."""
    names: dict[str, str] = {}
    named = DRAWN_BY_LOT.sub(lambda found: names.setdefault(found[0], f"\0{len(names)}"), text)
    if _digest(named) in _valid:
        return []
    if _problems(PICTURE.sub(_shortened, text)) and (found := _problems(text)):
        return found
    _valid.update(map(_digest, [named, *PICTURE.findall(text)]))
    return []


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="surrogatepass")).digest()


def _shortened(picture: re.Match[str]) -> str:
    """Leave only ids, and what refers to ids, of a picture that was found valid."""
    if _digest(picture[0]) not in _valid:
        return picture[0]
    parts = [f"<g{attribute}></g>" for attribute in NAMING.findall(picture[0])]
    return f"<svg>{''.join(parts)}</svg>"


def _problems(text: str) -> list[str]:
    is_part = "<html" not in text[:200]
    root = None if is_part else _parsed_as_xml(text)
    nestings = set() if root is None else _nestings_in(root)
    found: list[str] = []
    if root is None or not nestings <= _accepted:
        parser = HTMLParser()
        root = parser.parseFragment(text) if is_part else parser.parse(text)
        found += _syntax(parser, text.splitlines())
        if not found:
            _accepted.update(nestings)
    found += [*_duplicate_ids(root), *_duplicate_landmarks(root)]
    if not is_part:
        found += _dangling_references(root)
    for element in root.iter():
        if isinstance(element.tag, str) and element.tag.startswith(HTML):
            found += _of_element(element)
    return found


def _parsed_as_xml(text: str) -> Element | None:
    """Return the root of a page, or None if it is no XML after a few substitutions."""
    is_plain = True

    def as_xml(tag: re.Match[str]) -> str:
        nonlocal is_plain
        name, attributes, slash = tag.groups()
        is_void = VOID.fullmatch(name)
        is_plain &= bool(not slash or is_void or EMPTY.fullmatch(name))
        if not VALUED.fullmatch(attributes):
            attributes = BARE.sub(lambda found: found[1] + (found[2] or '=""'), attributes)
        if name in NAMESPACES and " xmlns=" not in attributes:
            attributes += f' xmlns="{NAMESPACES[name]}"'
        return f"<{name}{attributes}{'/' if slash or is_void else ''}>"

    written = TAG.sub(as_xml, text.strip()).replace("&nbsp;", "\xa0")
    if not is_plain or not written.startswith("<!DOCTYPE html>"):
        return None
    try:
        root = fromstring(written, XMLParser(encoding="utf-8"))
    except (ParseError, ValueError):
        return None
    return root if [child.tag for child in root] == [f"{HTML}head", f"{HTML}body"] else None


def _nestings_in(root: Element) -> set[int]:
    found = set()
    below = [(0, root)]
    while below:
        above, element = below.pop()
        has_text = not (element.text or " ").isspace()
        for child in element:
            has_text = has_text or not (child.tail or " ").isspace()
        number = _nestings.setdefault((above, element.tag, has_text), len(_nestings) + 1)
        found.add(number)
        below += [(number, child) for child in element]
    return found


def _syntax(parser: HTMLParser, lines: Sequence[str]) -> Iterator[str]:
    for (line, column), code, data in parser.errors:
        # Control characters are in what tests send and pages repeat; browsers ignore them.
        if code != "invalid-codepoint":
            near = lines[line - 1][max(column - 60, 0) : column + 20] if line <= len(lines) else ""
            yield f"{MESSAGES[code] % data}: …{near}…"


def _duplicate_ids(root: Element) -> Iterator[str]:
    ids = Counter(element.get("id") for element in root.iter() if element.get("id"))
    yield from (f"id {name!r} {count} times" for name, count in ids.items() if count > 1)


def _duplicate_landmarks(root: Element) -> Iterator[str]:
    """Yield landmarks that cannot be told apart by their names."""
    by_id = {element.get("id"): element for element in root.iter()}
    names: Counter[tuple[str, str]] = Counter()
    for element in root.iter():
        tag = str(element.tag).removeprefix(HTML)
        if element.get("role") == "region":
            tag = "section"
        if tag not in ("nav", "aside", "section", "form"):
            continue
        label = element.get("aria-label") or " ".join(
            "".join(by_id[name].itertext())
            for name in (element.get("aria-labelledby") or "").split()
            if name in by_id
        )
        if tag in ("nav", "aside") or label:
            names[tag, label] += 1
    for (tag, label), count in names.items():
        if count > 1:
            yield f"{count} <{tag}> are called {label!r}"


def _dangling_references(root: Element) -> Iterator[str]:
    ids = {element.get("id") for element in root.iter()}
    for element in root.iter():
        for key, value in element.items():
            if key in REFERENCES:
                for name in value.split():
                    if name not in ids and name != OF_DJANGO:
                        yield f"{key}={name!r} refers to nothing"


def _of_element(element: Element) -> Iterator[str]:
    tag = element.tag[len(HTML) :]
    for key, value in element.items():
        pattern = VALUES.get(key)
        if tag == "input" and key == "value" and "aria-invalid" not in element.attrib:
            pattern = INPUTS.get(element.get("type", "text"))
        if pattern and not re.fullmatch(pattern, value):
            yield f"<{tag} {key}={value!r}>"
    if tag == "input" and _may_be_filled_in(element) and "autocomplete" not in element.attrib:
        yield f"<input name={element.get('name')!r}> without autocomplete"
    if tag == "button" and "type" not in element.attrib and not _is_pressed_by_scripts(element):
        yield f"<button class={element.get('class')!r}> without type"
    if tag == "img" and "alt" not in element.attrib:
        yield f"<img src={element.get('src')!r}> without alt"
    yield from _of_content(element, tag)


def _may_be_filled_in(element: Element) -> bool:
    """Whether a browser might offer the reader's own name or address in a field."""
    is_text = element.get("type", "text") in ("text", "search", "email")
    is_of_admin = element.get("class", "").startswith("v")
    return is_text and not is_of_admin and bool(NAMES_OF_FIELDS.search(element.get("name", "")))


def _is_pressed_by_scripts(button: Element) -> bool:
    """Whether only scripts of Django's admin react to this button."""
    return not {"theme-toggle", "toggle-nav-sidebar"}.isdisjoint(button.get("class", "").split())


def _of_content(element: Element, tag: str) -> Iterator[str]:
    for child in element:
        name = str(child.tag).removeprefix(HTML)
        if tag in CHILDREN and name not in CHILDREN[tag] and isinstance(child.tag, str):
            yield f"<{name}> in <{tag}>"
    is_phrasing = re.fullmatch(PHRASING, tag)
    if not is_phrasing and tag != "a":
        return
    below = [str(each.tag).removeprefix(HTML) for each in element.iter()][1:]
    if is_phrasing:
        yield from (f"<{name}> in <{tag}>" for name in below if re.fullmatch(BLOCKS, name))
    if tag in ("a", "button"):
        yield from (f"<{name}> in <{tag}>" for name in below if name in INTERACTIVE)
