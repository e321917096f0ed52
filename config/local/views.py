"""Pages that show the mails of a local site."""

import email
import email.policy
from base64 import b64encode
from email.message import EmailMessage
from pathlib import Path

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

NEWEST = 100
MAIL_CONTENT_POLICY = (
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; sandbox allow-popups"
)
"""The content security policy for mails, as strict as a mail program."""


def mails(request: HttpRequest) -> HttpResponse:
    files = sorted(_folder().glob("*.eml"), reverse=True)
    context = {
        "mails": [(file.stem, _parsed(file)) for file in files[:NEWEST]],
        "folder": _folder(),
        "hidden": len(files[NEWEST:]),
    }
    return render(request, "local/mails.html", context)


def mail(request: HttpRequest, name: str) -> HttpResponse:
    message = _mail(name)
    context = {
        "name": name,
        "mail": message,
        "text": _content(message, "plain"),
        "has_picture": message.get_body(("html",)) is not None,
    }
    return render(request, "local/mail.html", context)


def picture(request: HttpRequest, name: str) -> HttpResponse:
    """Show a mail's HTML with its images, as a mail program does."""
    message = _mail(name)
    html = _content(message, "html")
    for part in message.walk():
        if part.get_content_maintype() == "image" and (label := part["Content-ID"]):
            image = b64encode(part.get_content()).decode()
            source = f"data:{part.get_content_type()};base64,{image}"
            html = html.replace(f"cid:{label.strip('<>')}", source)
    return HttpResponse(html, headers={"Content-Security-Policy": MAIL_CONTENT_POLICY})


def _folder() -> Path:
    return Path(settings.LOCAL_MAILS)


def _mail(name: str) -> EmailMessage:
    """:raises Http404: there is no such file."""
    file = _folder() / f"{name}.eml"
    if not file.is_file():
        raise Http404(name)
    return _parsed(file)


def _parsed(file: Path) -> EmailMessage:
    return email.message_from_bytes(file.read_bytes(), policy=email.policy.default)


def _content(message: EmailMessage, kind: str) -> str:
    """Return the mail's content of this type. Empty without such content."""
    body = message.get_body((kind,))
    return str(body.get_content()) if body else ""
