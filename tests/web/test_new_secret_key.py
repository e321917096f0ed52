"""A new `SECRET_KEY`: what works with the old one as a fallback, and what people read without."""

import pytest
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.test import Client

from accounts import devices
from accounts.sessions import signed_in as user_of_session
from tests.people import PASSWORD, sent

pytestmark = pytest.mark.django_db
LOGIN, FACTORS = "/account/login/", "/account/2fa/"
NEW = "another-key-" * 5


@pytest.fixture
def new_key(settings):
    """Change the key, with the old one as fallback or without."""

    def change(*, fallback):
        old = settings.SECRET_KEY
        settings.SECRET_KEY = NEW
        settings.SECRET_KEY_FALLBACKS = [old] if fallback else []

    return change


@pytest.fixture
def drop_fallback(settings):
    def drop():
        settings.SECRET_KEY_FALLBACKS = []

    return drop


class TestSessions:
    def test_pages_and_sockets_keep_it_under_its_key(self, alice, new_key, drop_fallback):
        """Open pages and simultaneous requests wouldn't know another one."""
        client = Client()
        client.force_login(alice)
        key = client.session.session_key
        new_key(fallback=True)
        assert user_of_session(key) == alice
        assert client.get(FACTORS).status_code == 200
        assert [row.session_key for row in Session.objects.all()] == [key]
        drop_fallback()
        assert client.get(FACTORS).status_code == 200

    def test_one_that_was_not_used_meanwhile_ends(self, alice, new_key, drop_fallback):
        client = Client()
        client.force_login(alice)
        new_key(fallback=True)
        drop_fallback()
        assert client.get(FACTORS).status_code == 302

    def test_a_password_ends_the_others_all_the_same(self, alice, new_key):
        here, there = Client(), Client()
        here.force_login(alice)
        there.force_login(alice)
        alice.set_password("another-horse-battery")
        alice.save()
        new_key(fallback=True)
        assert there.get(FACTORS).status_code == 302


class TestBrowsers:
    def test_a_browser_stays_known(self, alice, new_key, drop_fallback, rf):
        known = Client()
        known.post(LOGIN, {"login": "Alice", "password": PASSWORD})
        known.post("/account/logout/")
        sent().clear()
        new_key(fallback=True)
        cookie = {site.DEVICE_COOKIE_NAME: known.cookies[site.DEVICE_COOKIE_NAME].value}
        request = rf.get("/")
        request.COOKIES = cookie
        assert devices.known_as(request, "Alice") == devices.id_of(request)
        known.post(LOGIN, {"login": "Alice", "password": PASSWORD})
        assert sent() == [], "no mail about a new browser"
        drop_fallback()
        request.COOKIES = {site.DEVICE_COOKIE_NAME: known.cookies[site.DEVICE_COOKIE_NAME].value}
        assert devices.known_as(request, "alice@example.org")
