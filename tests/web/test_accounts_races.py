"""Those who do the same thing at the same moment, on PostgreSQL with real threads."""

import threading
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from accounts import notifications, outbox, unsubscribe
from accounts.forms import SignupForm
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail
from tests.concurrency import PATIENCE, run_concurrently
from tests.people import PASSWORD, confirmed, sent

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def register(monkeypatch):
    """Register people at once: all have asked whether they may before the first one is written."""

    def _register(*people: tuple[str, str]) -> list[Any]:
        line = threading.Barrier(len(people))
        come = threading.local()
        save = SignupForm.save

        def held(form, request):
            if not getattr(come, "once", False):
                come.once = True
                line.wait(PATIENCE)
            return save(form, request)

        monkeypatch.setattr(SignupForm, "save", held)
        return run_concurrently(*(lambda name=n, email=e: _sign_up(name, email) for n, e in people))

    return _register


def _sign_up(name: str, email: str) -> Any:
    asked = {"username": name, "email": email, "password1": PASSWORD}
    return Client().post("/account/signup/", asked)


def test_names_that_look_alike_at_once(register):
    answers = register(("Alice", "a@example.org"), ("a1ice", "b@example.org"))
    assert sorted(answer.status_code for answer in answers) == [200, 302]
    (refused,) = [answer for answer in answers if answer.status_code == 200]
    assert "taken" in refused.context["form"].errors["username"][0]
    assert User.objects.count() == 1


def test_one_address_at_once(register):
    answers = register(("Alice", "a@example.org"), ("bruno", "A@example.org"))
    assert [answer.status_code for answer in answers] == [302, 302]
    assert answers[0].url == answers[1].url
    assert set(User.objects.values_list("email", flat=True)) == {"a@example.org", ""}
    assert {message.to[0] for message in sent()} == {"a@example.org"}


def test_no_more_than_three_wait_for_one_address(register):
    names = [f"player{number}x" for number in range(6)]
    answers = register(*((name, "a@example.org") for name in names))
    assert sorted(answer.status_code for answer in answers) == [200, 200, 200, 302, 302, 302]
    assert User.objects.count() == 3


def test_a_key_is_told_once_by_many():
    alice = confirmed("Alice")

    def tell():
        notifications.notify(recipient=alice, kind="turn", payload={}, key="k", now=NOW)

    run_concurrently(*[tell] * 8)
    assert Notification.objects.count() == 1


def test_many_workers_send_each_mail_once(monkeypatch):
    monkeypatch.setattr(notifications, "_kinds", {})
    notifications.register(
        "turn", title="t", render=lambda n: NotificationEmail(str(n.pk), "text", "html", "/")
    )
    for reader in [confirmed(f"Reader-{number}") for number in range(60)]:
        notifications.notify(recipient=reader, kind="turn", payload={}, now=NOW)
    run_concurrently(*[lambda: outbox.send_due(clock=lambda: NOW)] * 4)
    told = [address for message in mail.outbox for address in message.to]
    assert len(told) == len(set(told)) == 60
    assert set(Notification.objects.values_list("mail_state", "attempts")) == {("sent", 1)}


def test_leaving_several_kinds_at_once_loses_none():
    alice = confirmed("Alice")
    kinds = [f"kind-{number}" for number in range(6)]
    addresses = [unsubscribe.address(alice, kind) for kind in kinds]
    run_concurrently(*(lambda address=a: Client().post(address) for a in addresses))
    alice.refresh_from_db()
    assert alice.mail_off == kinds
