"""Mails to a real SMTP server on this machine that hangs, refuses, and hangs up after DATA."""

import asyncio
import email
import email.policy
from datetime import UTC, datetime, timedelta

import pytest
from aiosmtpd.controller import Controller
from django.core.cache import cache

from accounts import notifications, outbox, outgoing
from accounts.models import Notification, OutgoingMail
from accounts.notifications import NotificationEmail
from tests.deployment.programs import free_port
from tests.people import confirmed

pytestmark = pytest.mark.django_db

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
State = Notification.MailState


class Receiver:
    """What a mail server does with each mail, in turn; then it takes all. ``kept`` are delivered.

    ``refuse``: says no to the mail. ``later``: not now. ``unknown``: no such address. ``hang``: is
    silent after the mail. ``lost``: hangs up after the mail, and has thrown it away. ``drop``:
    hangs up after the mail, and has delivered it. ``early``: hangs up at DATA, before the mail.
    """

    def __init__(self):
        self.plan, self.kept = [], []

    def next(self, *kinds):
        return self.plan.pop(0) if self.plan and self.plan[0] in kinds else ""

    async def handle_RCPT(self, server, session, envelope, address, options):  # noqa: N802
        if self.next("unknown"):
            return "550 5.1.1 no such user"
        if self.next("early"):
            server.transport.abort()
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):  # noqa: N802
        does = self.next("refuse", "later", "hang", "lost", "drop")
        if does in ("", "drop"):
            parsed = email.message_from_bytes(envelope.content, policy=email.policy.default)
            self.kept.append(parsed)
        if does in ("lost", "drop"):
            server.transport.abort()
        if does == "hang":
            await asyncio.sleep(30)
        return {"refuse": "554 no", "later": "451 later"}.get(does, "250 OK")


class Watch:
    now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def receiver(settings):
    found = Receiver()
    controller = Controller(found, hostname="127.0.0.1", port=free_port())
    controller.start()
    settings.EMAIL_BACKEND = "accounts.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", controller.port
    settings.EMAIL_TIMEOUT = 30
    yield found
    controller.stop(no_assert=True)


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    cache.clear()
    monkeypatch.setattr(notifications, "_kinds", {})

    def words(told):
        return NotificationEmail(f"News {told.payload['n']}", "Text.", "<p>Text.</p>", "/")

    notifications.register("turn", title="It is your turn", render=words)


@pytest.fixture
def ada():
    return confirmed("ada")


@pytest.fixture
def watch():
    return Watch()


def tell(user, n=1):
    notifications.notify(recipient=user, kind="turn", payload={"n": n}, now=NOW)
    return Notification.objects.latest("pk")


def run(watch, times=12):
    """Let the outbox run again and again, each time after the longest wait."""
    for _ in range(times):
        outbox.send_due(clock=watch)
        outgoing.send_due(clock=watch)
        watch.now += timedelta(hours=1)


def ids(receiver):
    return [message["Message-ID"] for message in receiver.kept]


def test_a_mail_arrives_once(receiver, ada, watch):
    told = tell(ada)
    run(watch)
    (message,) = receiver.kept
    assert message["Subject"] == "News 1"
    assert Notification.objects.get(pk=told.pk).mail_state == State.SENT


@pytest.mark.parametrize("trouble", ["later", "refuse", "early"])
def test_what_was_not_taken_is_sent_until_it_is(receiver, ada, watch, trouble):
    receiver.plan = [trouble] * 4
    told = tell(ada)
    run(watch)
    assert len(receiver.kept) == 1
    assert Notification.objects.get(pk=told.pk).mail_state == State.SENT


@pytest.mark.parametrize("trouble", ["hang", "lost"])
def test_what_was_lost_without_an_answer_is_sent_again(receiver, ada, watch, settings, trouble):
    settings.EMAIL_TIMEOUT = 3
    receiver.plan = [trouble]
    told = tell(ada)
    run(watch)
    assert len(receiver.kept) == 1
    assert Notification.objects.get(pk=told.pk).mail_state == State.SENT


def test_what_arrived_without_an_answer_comes_once_more_under_the_same_id(receiver, ada, watch):
    receiver.plan = ["drop"]
    told = tell(ada)
    run(watch)
    assert len(receiver.kept) == 2
    assert len(set(ids(receiver))) == 1
    assert Notification.objects.get(pk=told.pk).mail_state == State.SENT


def test_it_comes_at_most_once_more(receiver, ada, watch):
    receiver.plan = ["drop"] * 20
    told = tell(ada)
    run(watch, 30)
    assert len(receiver.kept) == 2
    assert len(set(ids(receiver))) == 1
    told.refresh_from_db()
    assert told.mail_state == State.FAILED
    assert told.error.startswith(outbox.UNCLEAR)


def test_other_failures_between_do_not_let_it_come_more_often(receiver, ada, watch):
    receiver.plan = ["drop", "later", "early", "drop", "drop", "drop"]
    tell(ada)
    run(watch, 30)
    assert len(receiver.kept) == 2


def test_news_that_come_with_a_mail_that_may_have_arrived_have_another_id(receiver, ada, watch):
    """A program that shows each id once would not show them otherwise."""
    receiver.plan = ["drop"]
    tell(ada, 1)
    outbox.send_due(clock=watch)
    watch.now += timedelta(hours=1)
    tell(ada, 2)
    run(watch)
    first, second = receiver.kept
    assert "News 2" in second.get_body(("plain",)).get_content()
    assert first["Message-ID"] != second["Message-ID"]


def test_mails_of_accounts_come_at_most_once_more(receiver, watch):
    receiver.plan = ["drop"] * 20
    outgoing.write(to="ada@example.org", subject="Confirm", text="Hello.", now=NOW)
    run(watch, 30)
    assert len(receiver.kept) == 2
    assert len(set(ids(receiver))) == 1
    assert not OutgoingMail.objects.exists()


def test_an_address_that_is_none_is_left_after_a_few_tries(receiver, ada, watch):
    receiver.plan = ["unknown"] * 50
    for n in range(9):
        tell(ada, n)
    run(watch, 40)
    assert receiver.kept == []
    assert len(receiver.plan) >= 40, "asked a few times, not fifty"
