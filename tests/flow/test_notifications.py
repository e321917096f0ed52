"""Notifications: written once, listed, marked as seen; who has which page open."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.db import transaction

from accounts import notifications, presence
from accounts.models import Notification
from accounts.notifications import NotificationEmail, Summary
from tests.people import confirmed

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    cache.clear()
    monkeypatch.setattr(notifications, "_kinds", {})
    notifications.register(
        "turn",
        title="It is your turn",
        render=lambda notification: NotificationEmail(
            f"Move {notification.payload['n']}", "text", "html", "/m/"
        ),
    )
    notifications.register("broken", title="Something breaks", render=lambda notification: 1 / 0)


def tell(user, kind="turn", key=None, **payload):
    notifications.notify(recipient=user, kind=kind, payload={"n": 1, **payload}, key=key, now=NOW)


def test_a_notice_is_written_whole(alice):
    tell(alice, key="k", place="match:4")
    notification = Notification.objects.get()
    assert (notification.recipient, notification.kind, notification.key, notification.page_key) == (
        alice,
        "turn",
        "k",
        "match:4",
    )
    assert notification.payload == {"n": 1, "place": "match:4"}
    assert (notification.created, notification.next_try, notification.mail_state) == (
        NOW,
        NOW,
        "due",
    )


def test_a_key_tells_each_once(alice):
    bruno = confirmed("bruno")
    with transaction.atomic():
        tell(alice, key="k", place="first")
        tell(alice, key="k", place="second")
        tell(bruno, key="k")
        tell(alice)
        tell(alice)
    told = Notification.objects.filter(recipient=alice)
    assert sorted(told.values_list("page_key", flat=True)) == ["", "", "first"]
    assert bruno.notifications.count() == 1


def test_what_is_rolled_back_was_not_told(alice):
    with transaction.atomic():
        tell(alice)
        transaction.set_rollback(True)
    assert not Notification.objects.exists()


def test_the_list_shows_and_marks(client, alice):
    client.force_login(alice)
    assert "No notifications yet" in client.get("/account/notices/").content.decode()
    tell(alice)
    page = client.get("/account/notices/").content.decode()
    assert '<a href="/m/">Move 1</a>' in page
    assert page.count("notification-new") == 1
    assert notifications.unseen(alice) == 0
    page = client.get("/account/notices/").content.decode()
    assert "Move 1" in page
    assert "notification-new" not in page


def test_the_list_is_ones_own(client, alice):
    bruno = confirmed("bruno")
    tell(bruno)
    client.force_login(alice)
    assert "No notifications yet" in client.get("/account/notices/").content.decode()
    client.post("/account/notices/seen/")
    assert notifications.unseen(bruno) == 1


def test_a_long_list_comes_in_pages_and_is_marked_at_once(client, alice):
    for number in range(25):
        notifications.notify(
            recipient=alice, kind="turn", payload={"n": number}, now=NOW + timedelta(hours=number)
        )
    client.force_login(alice)
    page = client.get("/account/notices/").content.decode()
    assert page.index("Move 24") < page.index("Move 5")
    assert "Move 4<" not in page
    assert "5 unread on other pages" in page
    assert notifications.unseen(alice) == 5
    client.post("/account/notices/seen/")
    assert notifications.unseen(alice) == 0
    assert "Move 4<" in client.get("/account/notices/?page=2").content.decode()


@pytest.mark.parametrize("page", ["0", "-1", "99", "x", "１", "1e9", ""])
def test_odd_numbers_of_pages(client, alice, page):
    client.force_login(alice)
    tell(alice)
    assert client.get("/account/notices/", {"page": page}).status_code == 200


@pytest.mark.parametrize(
    ("kind", "said"), [("broken", "Something breaks"), ("of-old", "Something happened")]
)
def test_a_broken_renderer_leaves_the_list_standing(client, alice, kind, said):
    client.force_login(alice)
    tell(alice, kind)
    tell(alice)
    page = client.get("/account/notices/").content.decode()
    assert said in page
    assert "Move 1" in page


def test_words_of_a_notice_are_no_markup(client, alice):
    notifications.register(
        "evil",
        title="Evil",
        render=lambda n: NotificationEmail("<script>x</script>", "", "", '/"><b>'),
    )
    client.force_login(alice)
    tell(alice, "evil")
    page = client.get("/account/notices/").content.decode()
    assert "<script>x" not in page
    assert '"><b>' not in page


def test_a_glance_saves_the_drawing(alice):
    notifications.register(
        "drawn", title="Drawn", render=lambda n: 1 / 0, summary=lambda n: Summary("Seen", "/here/")
    )
    tell(alice, "drawn")
    assert notifications.summary(Notification.objects.get()) == Summary("Seen", "/here/")


def test_a_place_is_seen(alice):
    tell(alice, place="match:1")
    tell(alice, place="match:2")
    tell(alice)
    later = NOW + timedelta(minutes=1)
    assert notifications.mark_seen(recipient=alice, page_keys=["match:1"], now=later) == 1
    assert notifications.mark_seen(recipient=alice, page_keys=["match:1"], now=later) == 0
    assert Notification.objects.get(page_key="match:1").seen_at == later
    assert notifications.unseen(alice) == 2


class TestPresence:
    def test_a_page_that_speaks_is_open(self):
        presence.touch(1, "match:4", now=NOW)
        assert presence.last(1, "match:4") is not None
        assert presence.last(1, "match:4") == NOW

    @pytest.mark.parametrize(("user_id", "place"), [(2, "match:4"), (1, "match:5"), (1, "")])
    def test_no_other_is(self, user_id, place):
        presence.touch(1, "match:4", now=NOW)
        assert presence.last(user_id, place) is None

    def test_it_is_forgotten(self, monkeypatch):
        monkeypatch.setattr(presence, "PAGE_TIMEOUT", timedelta(0))
        presence.touch(1, "match:4", now=NOW)
        assert presence.last(1, "match:4") is None
