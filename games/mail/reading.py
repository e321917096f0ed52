"""Reading an incoming mail: its claimed sender, whether a machine wrote it, and its first line.

Anybody may have written it, so it is bounded, and odd parts count as missing.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.utils import getaddresses
from itertools import islice

from django.core.exceptions import SuspiciousOperation
from django.utils.html import strip_tags

from games.mail import verdicts
from games.mail.verdicts import Verdict

MAX_HEAD_SIZE = 64 * 1024
"""Maximum bytes of headers, since parsing takes time. Relays add at most a few thousand."""

MAX_PARTS = 50
MAX_TEXT_SIZE = 20_000
"""Maximum number of bytes of plain text that are read, since the move is at the beginning."""

MAX_HTML_SIZE = 100_000
MAX_LINE_LENGTH = 1001
"""One more than a move may have, so that a longer one is refused rather than cut."""

_CHARSETS = re.compile(
    r"us-ascii|ascii|utf-?8|utf-?16(le|be)?|iso-?8859-\d+|latin-?\d|windows-\d+|cp\d+|koi8-[ru]|"
    r"gb2312|gbk|gb18030|big5|shift_jis|euc-(jp|kr)|iso-2022-(jp|kr)|mac-?roman",
    re.IGNORECASE,
)
"""Charsets that people use. Python knows more, some of them slow."""

_END_OF_HEAD = re.compile(rb"\r?\n\r?\n")
_UNSEEN = {
    name: re.compile(rf"</{name} ?>", re.IGNORECASE)
    for name in ("style", "script", "head", "title")
}
"""The ends of elements whose text is invisible."""

_BEGINS_UNSEEN = re.compile(r"<(style|script|head|title)\b", re.IGNORECASE)
_BREAKS = re.compile(r"<(br|/p|/div|/li|/tr|/h\d|/blockquote|blockquote)\b[^<>]*>", re.IGNORECASE)
_INVISIBLE = re.compile("[\0\u200b-\u200f\u2060\ufeff]")
_QUOTED = re.compile(
    r"^(>|-- ?$|-{2,} ?(original|forwarded) message|_{8,}|(from|sent|von|de): |(on|am|le|el|il|op) "
    r".*\b(wrote|schrieb|écrit|escribió|scritto|schreef)\b.*:$)",
    re.IGNORECASE,
)
"""The beginnings of quotations and signatures."""

_LISTS = ("List-Id", "List-Post", "List-Unsubscribe", "X-Autoreply", "X-Autorespond")
_BULK = {"bulk", "list", "junk", "auto_reply"}


class Unreadable(ValueError):
    """Not a mail, or one that is made to be hard to read."""


@dataclass(frozen=True)
class IncomingMail:
    """The relevant parts of a mail.

    ``sender`` is its only author, in lower case. Empty without one. ``verdict`` is the last
    server's verdict on the sender. ``line`` is its first line, empty without one before a
    quotation, ``None`` if there is no text.
    """

    sender: str
    verdict: Verdict | None
    is_automatic: bool
    line: str | None


def read(content: bytes) -> IncomingMail:
    """:raises Unreadable: it can't be read."""
    if len(content) > MAX_HEAD_SIZE and not _END_OF_HEAD.search(content, 0, MAX_HEAD_SIZE):
        raise Unreadable("headers without end")
    try:
        message = message_from_bytes(content)
        return IncomingMail(
            _sender(message), _verdict(message), _is_automatic(message), _first_line(message)
        )
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise Unreadable(type(error).__name__) from error


def _all(message: Message, name: str) -> list[str]:
    return [str(value) for value in message.get_all(name, [])]


def _sender(message: Message) -> str:
    """Return the single address in the single ``From``. Empty if there are others."""
    headers = _all(message, "From")
    addresses = getaddresses(headers) if len(headers) == 1 else []
    address = addresses[0][1] if len(addresses) == 1 else ""
    return address.lower() if address.count("@") == 1 else ""


def _verdict(message: Message) -> Verdict | None:
    """Parse only the topmost header: those below came with the mail, and prove nothing."""
    headers = _all(message, "Authentication-Results")
    return verdicts.read(headers[0]) if headers else None


def _is_automatic(message: Message) -> bool:
    """Whether a machine wrote it, or it went to many recipients (RFC 3834, RFC 2919)."""
    marks = {value.partition(";")[0].strip().lower() for value in _all(message, "Auto-Submitted")}
    precedence = {value.strip().lower() for value in _all(message, "Precedence")}
    is_report = message.get_content_type() == "multipart/report"
    is_list = any(name in message for name in _LISTS)
    return bool(marks - {"no"} or precedence & _BULK or is_report or is_list)


def _first_line(message: Message) -> str | None:
    texts = {part.get_content_type(): part for part in reversed(list(_texts(message)))}
    if plain := texts.get("text/plain"):
        return _line_of(_decoded(plain, MAX_TEXT_SIZE))
    if page := texts.get("text/html"):
        return _line_of(_plain(_decoded(page, MAX_HTML_SIZE)))
    return None


def _texts(message: Message) -> Iterator[Message]:
    """Yield the first parts that are text and not files."""
    for part in islice(message.walk(), MAX_PARTS):
        if part.get_content_maintype() == "text" and part.get_content_disposition() != "attachment":
            yield part


def _decoded(part: Message, most: int) -> str:
    payload = part.get_payload(decode=True)
    data = payload[:most] if isinstance(payload, bytes) else b""
    charset = str(part.get_content_charset("utf-8"))
    return data.decode(charset if _CHARSETS.fullmatch(charset) else "utf-8", "replace")


def _plain(page: str) -> str:
    """Return the text of a page, a line for each block."""
    broken = _BREAKS.sub("\n", _shown(" ".join(page.split())))
    try:
        return html.unescape(strip_tags(broken))
    except SuspiciousOperation as error:
        raise Unreadable("tags without end") from error


def _shown(page: str) -> str:
    """Remove elements whose text is invisible. One that doesn't end hides the rest."""
    kept = list[str]()
    at = 0
    while begin := _BEGINS_UNSEEN.search(page, at):
        kept.append(page[at : begin.start()])
        end = _UNSEEN[begin[1].lower()].search(page, begin.end())
        at = end.end() if end else len(page)
    return "".join((*kept, page[at:]))


def _line_of(text: str) -> str:
    """Return the first non-empty line. Empty if that is a quotation or a signature."""
    lines = (_INVISIBLE.sub("", line).strip() for line in text.splitlines())
    first = next(filter(None, lines), "")[:MAX_LINE_LENGTH]
    return "" if _QUOTED.match(first) else first
