"""Reading mails that came in: the first line, who wrote it, what the relay says of that."""

import time
from email.message import EmailMessage

import pytest

from games.mail import reading, verdicts
from games.mail.reading import Unreadable
from tests.mails import mail

LINES = [
    ("a1", "a1"),
    ("\n\n  a1  \n\nOn Monday, Turnstone wrote:\n> Your turn", "a1"),
    ("a1\n-- \nAda", "a1"),
    ("\u200ba1\u00a0\nmore", "a1"),
    ("> Your turn\na1", ""),
    ("On Mon, 1 May 2026 at 12:00, Turnstone <play@example.org> wrote:\n> a1", ""),
    ("Am 1. Mai 2026 um 12:00 schrieb Turnstone <play@example.org>:\n> a1", ""),
    ("-- \nAda", ""),
    ("-----Original Message-----\na1", ""),
    ("________________________________\nFrom: x", ""),
    ("From: Turnstone\na1", ""),
    ("", ""),
    ("\n \n\t\n", ""),
    ("x" * 5000, "x" * reading.MAX_LINE_LENGTH),
]


@pytest.mark.parametrize(("body", "line"), LINES)
def test_the_first_line_counts(body, line):
    assert reading.read(mail(body)).line == line


PAGES = [
    ("<div>a1</div><div>On Monday wrote:</div>", "a1"),
    ("<html><head><title>Re</title><style>p{}</style></head><body><p>a1</p><p>b", "a1"),
    ("<p><br></p><p>a&#49;<br>-- </p>", "a1"),
    ("<style>unclosed a1", ""),
    ("a1<blockquote>b1</blockquote>", "a1"),
    ("<blockquote></blockquote>", ""),
]


@pytest.mark.parametrize(("page", "line"), PAGES)
def test_a_page_is_read_where_there_is_no_plain_text(page, line):
    assert reading.read(mail(page, kind="text/html")).line == line


def test_the_plain_text_is_preferred_and_files_are_not_read():
    message = EmailMessage()
    message["From"] = "ada@example.org"
    message.set_content("a1\n")
    message.add_alternative("<p>b1</p>", subtype="html")
    message.add_attachment("c1\n", filename="move.txt")
    assert reading.read(message.as_bytes()).line == "a1"
    only_file = EmailMessage()
    only_file["From"] = "ada@example.org"
    only_file.add_attachment(b"a1", maintype="application", subtype="pdf", filename="a.pdf")
    assert reading.read(only_file.as_bytes()).line is None


@pytest.mark.parametrize("charset", ["utf-8", "iso-8859-1", "utf-16", "windows-1252", "koi8-r"])
def test_charsets_and_encodings(charset):
    for encoding in ("base64", "quoted-printable"):
        message = EmailMessage()
        message.set_content("a1\n\u00e9\n" if charset != "koi8-r" else "a1\n", charset=charset,
                            cte=encoding)  # fmt: skip
        assert reading.read(message.as_bytes()).line == "a1", encoding


@pytest.mark.parametrize("charset", ["hex", "punycode", "unicode-escape", "no-such", "", "utf-7"])
def test_a_charset_in_which_nobody_writes_is_read_as_the_usual_one(charset):
    raw = mail("a1").replace(b"charset=utf-8", f'charset="{charset}"'.encode())
    assert reading.read(raw).line == "a1"


SENDERS = [
    (b"From: Ada <Ada@Example.org>", "ada@example.org"),
    (b"From: ada@example.org, eve@example.com", ""),
    (b"From: ada@example.org\r\nFrom: eve@example.com", ""),
    (b'From: "ada@example.org" <eve@example.com>', "eve@example.com"),
    (b"From: ada@example.org <eve@example.com>", None),
    (b"From: undisclosed:;", ""),
    (b"From:", ""),
    (b"X: y", ""),
    (b"From: =?utf-8?q?ada=40example=2Eorg?= <eve@example.com>", "eve@example.com"),
    (b"From: \xff\xfe", ""),
]


@pytest.mark.parametrize(("header", "sender"), SENDERS)
def test_there_is_one_author(header, sender):
    raw = mail("a1").replace(b"From: Somebody <ada@example.org>", header)
    found = reading.read(raw).sender
    assert found == sender if sender is not None else found != "ada@example.org"


AUTOMATIC = [
    "Auto-Submitted: auto-replied",
    "Auto-Submitted: AUTO-generated; owner=x",
    "Auto-Submitted:",
    "Precedence: bulk",
    "Precedence: AUTO_REPLY",
    "Precedence: list",
    "List-Id: <players.example.org>",
    "X-Autoreply: yes",
]


@pytest.mark.parametrize("header", AUTOMATIC)
def test_machines_and_lists_are_known(header):
    assert reading.read(mail(headers=f"{header}\r\n")).is_automatic


def test_people_are_none():
    assert not reading.read(mail(headers="Auto-Submitted: no\r\n")).is_automatic
    assert not reading.read(mail()).is_automatic


def test_a_bounce_is_automatic():
    assert reading.read(mail(kind="multipart/report")).is_automatic


HOSTILE = {
    "parts in parts": b"".join(
        b'Content-Type: multipart/mixed; boundary="%d"\r\n\r\n--%d\r\n' % (n, n)
        for n in range(3000)
    ),
    "many parts": b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n'
    + b"--x\r\n\r\na\r\n" * 20_000,
    "comments": b"From: " + b"(" * 100_000 + b"\r\n\r\na1",
    "addresses": b"From: " + b"a@b.c, " * 30_000 + b"\r\n\r\na1",
    "quotes": b'Authentication-Results: mx; a="' + b'\\"' * 100_000 + b"\r\n\r\na1",
    "styles": b"Content-Type: text/html\r\n\r\n" + b"<style" * 40_000,
    "closed styles": b"Content-Type: text/html\r\n\r\n" + b"<style></style>" * 15_000,
    "tags": b"Content-Type: text/html\r\n\r\n" + b"<br" * 80_000,
    "open tags": b"Content-Type: text/html\r\n\r\n" + b"<a <!" * 50_000,
    "wrote": b"\r\n" + b"On wrote " * 20_000,
    "no header": b"\0" * 200_000,
    "one header": b"a" * 200_000,
    "encoded words": b"From: " + b"=?utf-8?q?a?= " * 15_000 + b"\r\n\r\na1",
    "a date of nothing": b"Content-Type: text/plain; charset*0*=x''%ff; charset*1=" + b"a" * 9999,
}


@pytest.mark.slow
@pytest.mark.parametrize("content", HOSTILE.values(), ids=HOSTILE)
def test_nothing_takes_long(content):
    began = time.process_time()
    try:
        found = reading.read(content)
    except Unreadable:
        pass
    else:
        assert len(found.line or "") <= reading.MAX_LINE_LENGTH
    assert time.process_time() - began < 3


VOUCHED = [
    ("mx; dkim=pass header.d=example.org", True),
    ("mx; dkim=pass header.i=@example.org header.s=a header.b=abc", True),
    ("MX 1; spf=pass smtp.mailfrom=bounce@example.org", True),
    ("mx; spf=pass (mx: ; dkim=pass) smtp.mailfrom=example.org; dkim=none", True),
    ('mx; dmarc=pass (p=none dis=none) header.from="example.org"', True),
    ("mx; dkim=fail header.d=example.org; spf=pass smtp.mailfrom=example.org", True),
    ('mx; dkim=pass reason="good" header.d=example.org', True),
    ("mx; none", False),
    ("mx", False),
    ("", False),
    ("mx; dkim=pass", False),
    ("mx; dkim=pass header.d=evil.example", False),
    ("mx; dkim=pass header.d=sub.example.org", False),
    ("mx; dkim=pass header.d=org", False),
    ("mx; dkim=pass header.d=ample.org", False),
    ("mx; dkim=fail header.d=example.org", False),
    ("mx; spf=softfail smtp.mailfrom=example.org", False),
    ("mx; spf=pass smtp.mailfrom=evil.example", False),
    ("mx; spf=pass smtp.helo=example.org", False),
    ("mx; dmarc=fail header.from=example.org; dkim=pass header.d=example.org", False),
    ("mx; dmarc=pass header.from=org", False),
    ("mx; spf=fail (dkim=pass header.d=example.org) smtp.mailfrom=x", False),
    ('mx; spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org"', False),
    ('mx; spf=fail smtp.mailfrom="x\\"; dkim=pass header.d=example.org"', False),
    ('mx; spf=fail smtp.mailfrom="x; dkim=pass header.d=example.org', False),
    ("mx; spf=fail (x; dkim=pass header.d=example.org", False),
    ("mx; spf=fail x); dkim=pass header.d=example.org", False),
    ('mx; x "=" pass; dkim "=" pass header.d = example.org', False),
    ("mx; dkim=pass header.d=evil.example header.d=example.org", False),
    ("mx\\; dkim=pass header.d=example.org", False),
    ("mx; auth=pass smtp.auth=ada@example.org", False),
]


@pytest.mark.parametrize(("header", "is_vouched"), VOUCHED)
def test_what_a_relay_vouches_for(header, is_vouched):
    verdict = verdicts.read(header)
    assert (verdict is not None and verdict.vouches_for("example.org")) == is_vouched
    if is_vouched:
        assert verdict.authserv == "mx"


def test_a_domain_above_may_sign():
    verdict = verdicts.read("mx; dkim=pass header.d=example.org")
    assert verdict.vouches_for("mail.example.org")
    assert not verdict.vouches_for("mailexample.org")
    assert not verdict.vouches_for("")


def test_only_the_topmost_verdict_counts():
    forged = "Authentication-Results: mx.example.org; dkim=pass header.d=example.org"
    top = "Authentication-Results: mx.example.org; dkim=none"
    assert not reading.read(mail(verdict=f"{top}\r\n{forged}")).verdict.vouches_for("example.org")
