"""A relay's verdict about the sender of a mail: ``Authentication-Results`` (RFC 8601).

The parser is strict: it ignores parts that it doesn't understand.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_COMMENT_OR_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\\.|[()]|[^"\\()]+', re.DOTALL)
_TOKEN = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<word>[^\s";=()\\]+)|(?P<sign>[;=]))')
MAX_COMMENT_DEPTH = 10
"""Maximum depth of nested comments."""

PASS = "pass"  # noqa: S105 - a result, no password


@dataclass(frozen=True)
class Finding:
    """One method, its result, and the checked properties."""

    method: str
    result: str
    properties: dict[str, str]


@dataclass(frozen=True)
class Verdict:
    """The findings of the server ``authserv``."""

    authserv: str
    findings: tuple[Finding, ...]

    def vouches_for(self, domain: str) -> bool:
        """Whether a mail with this domain in ``From`` comes from it, as DMARC would see it."""
        of = {method: [f for f in self.findings if f.method == method] for method in _ALIGNED}
        if any(finding.result in ("fail", "permerror") for finding in of["dmarc"]):
            return False
        return any(
            finding.result == PASS and _is_aligned(domain, finding.properties.get(name, ""), method)
            for method, names in _ALIGNED.items()
            for finding in of[method]
            for name in names
        )


_ALIGNED = {
    "dmarc": ("header.from",),
    "dkim": ("header.d", "header.i"),
    "spf": ("smtp.mailfrom",),
}
"""The properties of each method that name a domain."""


def _is_aligned(domain: str, checked: str, method: str) -> bool:
    """Whether the authenticated domain is this one, or with DKIM and SPF a parent of it."""
    checked = checked.lower().rpartition("@")[2].rstrip(".")
    is_above = method != "dmarc" and "." in checked and domain.endswith(f".{checked}")
    return bool(checked) and (checked == domain or is_above)


def read(header: str) -> Verdict | None:
    """Parse a header. ``None`` if it is invalid."""
    parts = list(_parts(header))
    if not parts or not parts[0] or len(parts[0]) > 2 or "=" in parts[0]:  # noqa: PLR2004
        return None
    findings = (_finding(part) for part in parts[1:])
    return Verdict(parts[0][0].lower(), tuple(filter(None, findings)))


def _parts(header: str) -> Iterator[list[str]]:
    """Yield the tokens between semicolons. Empty if a part of it isn't a token."""
    text = _without_comments(header).strip()
    parts = [list[str]()]
    at = 0
    while at < len(text):
        token = _TOKEN.match(text, at)
        if token is None:
            return
        at = token.end()
        if token["sign"] == ";":
            parts.append([])
        elif token["quoted"] is not None:
            # With its quotes it is never taken for a sign.
            value = re.sub(r"\\(.)", r"\1", token["quoted"])
            parts[-1].append(f'"{value}"' if value in ("", "=") else value)
        else:
            parts[-1].append(token["word"] or token["sign"])
    yield from parts


def _without_comments(header: str) -> str:
    kept = list[str]()
    depth = 0
    pieces = _COMMENT_OR_TEXT.findall(header)
    if sum(map(len, pieces)) != len(header):
        return ""
    for piece in pieces:
        if piece == "(":
            depth += 1
        elif piece == ")":
            depth -= 1
        elif depth == 0:
            kept.append(piece)
        if not 0 <= depth <= MAX_COMMENT_DEPTH:
            return ""
    return " ".join(kept) if depth == 0 else ""


def _finding(tokens: list[str]) -> Finding | None:
    """Parse ``method=result property=value …``. ``None`` for anything else, such as ``none``."""
    triples = [tokens[at : at + 3] for at in range(0, len(tokens), 3)]
    if not triples or any(len(triple) != 3 or triple[1] != "=" for triple in triples):  # noqa: PLR2004
        return None
    (method, _, result), *rest = triples
    properties = {name.lower(): value for name, _, value in rest}
    if len(properties) != len(rest):
        return None
    return Finding(method.lower().partition("/")[0], result.lower(), properties)
