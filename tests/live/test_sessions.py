"""Telling pages that their session has ended, or that moderators keep their reader out."""

import threading

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken, User
from accounts.sanctions import standing
from accounts.sessions import SessionStore
from games.live import sessions
from games.live.consumers import FORBIDDEN
from tests.live.test_moves import Page
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


def test_nobody_who_signs_out_waits_for_a_channel_layer_that_hangs(monkeypatch):
    let, told = threading.Event(), threading.Event()

    class Hanging:
        async def group_send(self, group, message):
            let.wait(10)
            told.set()

    monkeypatch.setattr(sessions, "get_channel_layer", Hanging)
    session = SessionStore()
    session.create()
    session.delete()
    assert not told.is_set()
    let.set()
    assert told.wait(10)


@pytest.mark.slow
def test_pages_are_told_when_the_channel_layer_is_back(monkeypatch):
    told = threading.Event()
    fails = [ConnectionError()]

    class Away:
        async def group_send(self, group, message):
            if fails:
                raise fails.pop()
            told.set()

    monkeypatch.setattr(sessions, "get_channel_layer", Away)
    session = SessionStore()
    session.create()
    session.delete()
    assert told.wait(10)


def impose(user, kind):
    how = {"reason": "Words.", "moderator": user, "now": timezone.now()}
    standing.impose(User.objects.get(pk=user.pk), kind, **how)


@pytest.mark.parametrize("kind", ["ban", "suspension", "warning"])
async def test_who_is_kept_out_sees_nothing_more_on_an_open_page(match_driver, kind):
    page = await Page.open(match_driver, 0)
    await sync_to_async(impose)(match_driver.people[0], kind)
    assert await page.closed() == FORBIDDEN
    again = Page(match_driver, await sync_to_async(match_driver.client)(0))
    assert (await again.connect())[0]
    assert await again.closed() == FORBIDDEN


async def test_who_is_muted_looks_on(match_driver):
    page = await Page.open(match_driver, 0)
    await sync_to_async(impose)(match_driver.people[0], "mute")
    await page.send_json_to({"type": "ask"})
    assert (await page.receive_json_from(timeout=30))["type"] == "beat"
    await page.disconnect()


async def test_a_token_of_the_api_counts_for_nothing(match_driver):
    """As docs/api.md says: what follows is a spectator's."""
    ada = match_driver.people[0]
    how = {"user": ada, "name": "x", "scopes": list(ApiToken.Scope), "now": timezone.now()}
    token = await sync_to_async(tokens.make)(**how)
    page = Page(match_driver, Client())
    page.scope["headers"].append((b"authorization", f"Bearer {token}".encode()))
    assert (await page.connect())[0]
    assert (await page.play("c3"))["type"] == "refused"
    await sync_to_async(match_driver.play)("c3")
    heard = {"type": ""}
    while heard["type"] != "match":
        heard = await page.receive_json_from(timeout=30)
        assert heard["type"] != "me"
    await page.disconnect()


async def test_a_new_secret_key_with_the_old_one_as_fallback_ends_no_session(
    match_driver, settings
):
    """Open pages connect again as soon as the site is back."""
    client = await sync_to_async(match_driver.client)(0)
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key-" * 5
    page = Page(match_driver, client)
    assert (await page.connect())[0]
    assert (await page.play("c3"))["type"] == "played"
    await page.disconnect()
    assert (await sync_to_async(client.get)("/account/security/")).status_code == 200
    assert client.cookies[settings.SESSION_COOKIE_NAME].value == key
