"""People for tests, and what tests of accounts do with the mails that they are sent."""

import re
import time
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.utils import timezone

from accounts import outgoing, services
from accounts.models import User

PASSWORD = "correct-horse-battery"
LINK = re.compile(r"https?://\S+")


def confirmed(name: str, **fields: Any) -> User:
    """Return a new user with a password and a confirmed address."""
    mail = f"{name}@example.org"
    return services.create_user(
        username=name, email=mail, password=PASSWORD, confirmed=True, **fields
    )


def show_second_factor(client: Client, *, ago: float = 0) -> None:
    """Let the session of a client be one in which a second factor was shown ``ago`` seconds ago."""
    session = client.session
    shown = {"method": "mfa", "type": "totp", "id": 0, "at": time.time() - ago}
    session["account_authentication_methods"] = [shown]
    session["account_authentication_methods_user"] = session[SESSION_KEY]
    session.save()


def sign_in_staff(client: Client, user: User) -> None:
    """Sign somebody in who has rights, with a second factor."""
    client.force_login(user)
    show_second_factor(client)


def sent() -> list[EmailMultiAlternatives]:
    """Return the mails that have been sent, after those that are due have been too."""
    outgoing.send_due(clock=timezone.now)
    return mail.outbox  # type: ignore[return-value]


def html_of(message: EmailMultiAlternatives) -> str:
    """Return the HTML of a mail."""
    ((content, kind),) = message.alternatives
    assert kind == "text/html"
    return str(content)


def path_in(message: EmailMultiAlternatives, part: str) -> str:
    """Return the one address in a mail that has ``part`` in it, without its host."""
    found = {link for link in LINK.findall(str(message.body)) if part in link}
    (link,) = found
    return "/" + link.split("/", 3)[3]
