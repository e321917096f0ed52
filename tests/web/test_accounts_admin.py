"""The admin of users and notifications: who may enter, what it shows, what it does."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import notifications
from accounts.models import Notification, User
from tests.people import PASSWORD, sign_in_staff

pytestmark = pytest.mark.django_db
USERS = "/admin/accounts/user/"
NOTICES = "/admin/accounts/notification/"
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def boss(client):
    user = User.objects.create_superuser("boss", "boss@example.org", PASSWORD)
    sign_in_staff(client, user)
    return user


@pytest.fixture
def notification(alice):
    notifications.notify(recipient=alice, kind="turn", payload={"n": 1}, now=NOW)
    return Notification.objects.get()


@pytest.mark.parametrize("page", ["/admin/", USERS, NOTICES])
def test_who_enters(client, alice, page):
    response = client.get(page, follow=True)
    assert response.request["PATH_INFO"] == "/account/login/"
    client.force_login(alice)
    assert client.get(page, follow=True).status_code == 403


def test_guessing_at_the_sign_in_of_the_admin_is_limited_too(client, boss):
    stranger = Client()
    response = stranger.post("/admin/login/", {"username": "boss", "password": PASSWORD})
    assert response.url.startswith("/account/login/")
    assert "_auth_user_id" not in stranger.session


def test_an_operator_made_at_the_shell_signs_in_at_once(boss):
    visitor = Client()
    visitor.post("/account/login/", {"login": "boss", "password": PASSWORD})
    answer = visitor.get("/admin/", follow=True)
    assert answer.request["PATH_INFO"] == "/account/2fa/", "where a second factor is added"


@pytest.mark.parametrize("asked", ["", "?q=alic", "?is_staff__exact=1", "?country=NZ", "?q=a11ce"])
def test_the_list_of_users(client, boss, alice, asked):
    assert client.get(USERS + asked).status_code == 200


def test_a_user(client, boss, alice):
    page = client.get(f"{USERS}{alice.pk}/change/").content.decode()
    assert "alice@example.org" in page
    assert alice.password not in page
    assert f"{NOTICES}?recipient__id__exact={alice.pk}" in page
    assert "/delete/" not in page


def test_users_are_closed_not_deleted(client, boss, alice):
    assert client.post(f"{USERS}{alice.pk}/delete/", {"post": "yes"}).status_code == 403
    chosen = [alice.pk, boss.pk]
    client.post(USERS, {"action": "delete_selected", "_selected_action": chosen, "post": "yes"})
    assert User.objects.count() == 2
    client.post(USERS, {"action": "close", "_selected_action": chosen, "reason": "x"})
    assert not User.objects.get(pk=alice.pk).is_active
    assert User.objects.get(pk=boss.pk).is_active, "nobody saws off the own branch"
    client.post(USERS, {"action": "open_again", "_selected_action": chosen, "reason": "x"})
    assert User.objects.get(pk=alice.pk).is_active


def new_user(**changes):
    return {
        "username": "bruno",
        "email": "bruno@example.org",
        "usable_password": "true",
        "password1": PASSWORD,
        "password2": PASSWORD,
        **changes,
    }


def test_a_user_made_by_hand(client, boss):
    client.post(f"{USERS}add/", new_user())
    assert User.objects.get(username="bruno").check_password(PASSWORD)


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "A1ice"}, "username"),
        ({"username": "admin"}, "username"),
        ({"email": "ALICE@example.org"}, "email"),
    ],
)
def test_a_user_who_cannot_be_made(client, boss, alice, changes, field):
    response = client.post(f"{USERS}add/", new_user(**changes))
    assert response.status_code == 200
    assert response.context["adminform"].form.errors[field]


@pytest.mark.parametrize("asked", ["", "?mail_state__exact=due", "?q=alice", "?kind=turn"])
def test_the_list_of_notifications(client, boss, notification, asked):
    page = client.get(NOTICES + asked)
    assert page.status_code == 200
    assert "Alice" in page.content.decode()


def test_notifications_are_to_read(client, boss, notification):
    assert client.get(f"{NOTICES}{notification.pk}/change/").status_code == 200
    assert client.post(f"{NOTICES}{notification.pk}/change/", {"kind": "x"}).status_code == 403
    assert client.post(f"{NOTICES}{notification.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"{NOTICES}add/").status_code == 403
    assert Notification.objects.get().kind == "turn"


def test_trying_again_is_for_those_given_up(client, boss, notification):
    notifications.notify(recipient=boss, kind="turn", payload={}, now=NOW)
    Notification.objects.filter(pk=notification.pk).update(
        mail_state="failed", attempts=20, error="x"
    )
    Notification.objects.exclude(pk=notification.pk).update(mail_state="sent")
    chosen = list(Notification.objects.values_list("pk", flat=True))
    client.post(NOTICES, {"action": "try_again", "_selected_action": chosen})
    notification.refresh_from_db()
    assert (notification.mail_state, notification.attempts, notification.error) == ("due", 0, "")
    assert Notification.objects.get(recipient=boss).mail_state == "sent"
