"""Leaving mails of a kind with one click, signed in or not (RFC 8058)."""

import pytest
from django.core import signing
from django.test import Client

from accounts import notifications, unsubscribe
from accounts.models import User
from tests.people import confirmed

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _kind(monkeypatch):
    monkeypatch.setattr(notifications, "_kinds", {})
    notifications.register("turn", title="It is your turn", render=lambda notification: None)


@pytest.fixture
def address(alice):
    return unsubscribe.address(alice, "turn")


def off(user):
    user.refresh_from_db()
    return user.mail_off


@pytest.mark.parametrize("method", ["get", "head"])
def test_to_look_changes_nothing(client, alice, address, method):
    response = getattr(client, method)(address)
    assert response.status_code == 200
    assert off(alice) == []


def test_the_page_asks_with_a_button(client, alice, address):
    page = client.get(address).content.decode()
    assert "It is your turn" in page
    assert "Alice" in page
    assert "Unsubscribe" in page


def test_a_mail_program_needs_neither_cookie_nor_token_of_the_page(alice, address):
    mail_program = Client(enforce_csrf_checks=True)
    response = mail_program.post(address, {"List-Unsubscribe": "One-Click"})
    assert response.status_code == 200
    assert off(alice) == ["turn"]


def test_twice_is_harmless_and_other_kinds_stay(client, alice, address):
    User.objects.update(mail_off=["ended"])
    client.post(address)
    client.post(address)
    assert off(alice) == ["ended", "turn"]


def test_signed_in_as_somebody_else_it_is_still_the_one_of_the_mail(client, alice, address):
    bruno = confirmed("bruno")
    client.force_login(bruno)
    client.post(address)
    assert off(alice) == ["turn"]
    assert off(bruno) == []


def test_a_kind_that_is_gone_can_be_left(client, alice):
    client.post(unsubscribe.address(alice, "of-old"))
    assert off(alice) == ["of-old"]


def tampered(user):
    token = unsubscribe.address(user, "turn").split("/")[3]
    body, signature = token.rsplit(":", 1)
    forged = signing.Signer(salt="something.else").sign_object([user.pk, "turn"])
    other = signing.Signer(key="x" * 50, salt="accounts.unsubscribe").sign_object([user.pk, "turn"])
    return [body, f"{body}:", f"x{token}", f"{token}x", f"{body[:-1]}:{signature}", forged, other]


@pytest.mark.parametrize("method", ["get", "post"])
def test_tokens_that_are_not_ours(client, alice, method):
    for token in [*tampered(alice), "x", ":", "a:b:c", "é:ü", "x" * 3000]:
        assert getattr(client, method)(f"/account/unsubscribe/{token}/").status_code == 404, token
    assert off(alice) == []


def test_a_user_who_is_gone(client, alice, address):
    alice.delete()
    assert client.post(address).status_code == 404
