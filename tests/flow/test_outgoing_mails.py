"""Mails of accounts: rows that are written with their event, sent once, later, and then deleted."""

import contextlib
import smtplib
import socket
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.core.mail.backends.smtp import EmailBackend as SmtpBackend
from django.db import transaction

from accounts import outbox, outgoing, tasks
from accounts.models import OutgoingMail, User
from tests.people import PASSWORD, confirmed, html_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
LINK = "https://games.example.org/account/confirm-email/secret/"


class Watch:
    """A clock that stands still until it is set forward."""

    now = NOW

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _fresh():
    cache.clear()


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def server(monkeypatch):
    """A mail server that first raises each of the errors that are put in the list."""
    troubles = []

    class Server(EmailBackend):
        def send_messages(self, messages):
            if troubles:
                raise troubles.pop(0)
            return super().send_messages(messages)

    monkeypatch.setattr(outbox, "get_connection", Server)
    return troubles


def write(to="ada@example.org"):
    outgoing.write(to=to, subject="Please confirm", text=f"Go on: {LINK}", now=NOW)


def test_a_mail_is_sent_once_and_its_row_is_gone(watch):
    write()
    assert outgoing.send_due(clock=watch) == {"sent": 1}
    assert outgoing.send_due(clock=watch) == {}
    (message,) = mail.outbox
    assert message.to == ["ada@example.org"]
    assert message.extra_headers["Message-ID"].startswith("<mail-")
    assert f'<a href="{LINK}"' in html_of(message)
    assert not OutgoingMail.objects.exists()


def test_an_event_that_is_taken_back_writes_no_mail():
    with contextlib.suppress(RuntimeError), transaction.atomic():
        write()
        raise RuntimeError
    assert not OutgoingMail.objects.exists()


def test_a_user_and_the_mail_to_confirm_are_written_together_or_not_at_all(client, monkeypatch):
    form = {"username": "ada", "email": "ada@example.org", "password1": PASSWORD}

    def broken(**_):
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr(outgoing, "write", broken)
        with pytest.raises(RuntimeError):
            client.post("/account/signup/", form)
    assert not User.objects.exists()
    cache.clear()
    client.post("/account/signup/", form)
    assert User.objects.get().username == "ada"
    assert OutgoingMail.objects.get().to == "ada@example.org"
    assert mail.outbox == [], "nothing is sent while somebody waits for a page"


def test_a_new_password_and_the_mail_about_it_are_written_together(client, monkeypatch):
    ada = confirmed("Ada")
    client.force_login(ada)
    new = "something-new-123"
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}

    def broken(**_):
        raise RuntimeError

    monkeypatch.setattr(outgoing, "write", broken)
    with pytest.raises(RuntimeError):
        client.post("/account/password/change/", form)
    ada.refresh_from_db()
    assert ada.check_password(PASSWORD)


def test_a_server_that_fails_is_asked_again_with_the_same_message(watch, server):
    server += [OSError("down"), smtplib.SMTPServerDisconnected("dropped")]
    write()
    for _ in range(3):
        outgoing.send_due(clock=watch)
        watch.now += 3 * MINUTE
    (message,) = mail.outbox
    assert "<mail-" in message.extra_headers["Message-ID"]
    assert not OutgoingMail.objects.exists()


def test_a_mail_that_has_expired_is_not_sent_and_its_link_is_gone(watch, server, caplog):
    server.append(OSError("down"))
    write()
    outgoing.send_due(clock=watch)
    watch.now += outgoing.LIFETIME
    outgoing.send_due(clock=watch)
    assert mail.outbox == []
    assert not OutgoingMail.objects.exists()
    assert "given up" in caplog.text
    assert "secret" not in caplog.text
    assert "ada@example.org" not in caplog.text


def test_a_mail_of_a_worker_that_was_killed_is_sent_by_another(watch, server):
    server.append(KeyboardInterrupt())
    write()
    with pytest.raises(KeyboardInterrupt):
        outgoing.send_due(clock=watch)
    assert outgoing.send_due(clock=watch) == {}
    watch.now += outbox.LEASE
    assert outgoing.send_due(clock=watch) == {"sent": 1}


@pytest.fixture
def silent_port():
    """The port of a mail server that takes connections and never says anything."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_a_killed_worker_delays_a_mail_for_two_minutes_and_no_living_one_shares_it():
    assert timedelta(seconds=tasks.HARD) < outbox.LEASE <= timedelta(minutes=2)


def test_a_server_that_hangs_holds_up_one_run_for_a_few_mails_only(watch, silent_port, monkeypatch):
    def connection():
        return SmtpBackend(host="127.0.0.1", port=silent_port, timeout=0.05)

    monkeypatch.setattr(outbox, "get_connection", connection)
    for number in range(outbox.MAX_FAILURES_IN_A_ROW + 3):
        write(f"user{number}@example.org")
    assert outgoing.send_due(clock=watch) == {"due": outbox.MAX_FAILURES_IN_A_ROW}
    assert OutgoingMail.objects.filter(attempts=0).count() == 3
