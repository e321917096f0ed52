"""Mails with moves, as a player's program and the relay in front of the site make them."""

from django.utils import timezone

from accounts import outbox
from accounts.models import Notification
from tests.match_driver import begin
from tests.people import confirmed

DOMAIN = "play.example.org"
AUTHSERV = "mx.example.org"


def use(settings):
    """Switch moves by mail on."""
    settings.REPLY_DOMAIN, settings.REPLY_AUTHSERV = DOMAIN, AUTHSERV
    settings.REPLY_RELAYS = ["127.0.0.1/32"]


def two(**chosen):
    """A match of two who have confirmed addresses; the first is to move."""
    return begin("die", [confirmed("ada"), confirmed("bruno")], size=3, **chosen)


def mail(body="a1", *, sender="ada@example.org", verdict="", headers="", kind="text/plain"):
    """A mail as the relay hands it on, whose verdict stands on top."""
    domain = sender.rpartition("@")[2]
    verdict = verdict or f"Authentication-Results: {AUTHSERV}; dkim=pass header.d={domain}"
    return (
        f"{verdict}\r\nFrom: Somebody <{sender}>\r\nTo: play\r\nSubject: Re: Your turn\r\n"
        f"{headers}Content-Type: {kind}; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
        + body.replace("\n", "\r\n")
        + "\r\n"
    ).encode()


def sent(box):
    """Send what is due; return the mails."""
    Notification.objects.update(next_try=timezone.now())
    box.clear()
    outbox.send_due(clock=timezone.now)
    return list(box)
