"""Who else is here: told to the players of a match, and only of those who would have it known."""

import pytest
from asgiref.sync import sync_to_async

from accounts import blocks, presence
from accounts.models import User
from games.live import consumers
from games.matches.notify.notifications import page_key
from tests.fixtures import NOW
from tests.live.test_live import Socket
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


def looking(match_driver, seat):
    return Socket(match_driver.people[seat], f"match={match_driver.id}&parts=3")


async def said(page, kind="here"):
    """The next message of a kind."""
    while (heard := await page.hear())["type"] != kind:
        pass
    return heard


async def come(page):
    """Let somebody look at a page, and the site know."""
    await page.say("here")
    await page.say("ask")
    await said(page, "beat")


async def test_players_are_told_who_comes(match_driver):
    async with looking(match_driver, 0) as ada, looking(match_driver, 1) as bruno:
        await come(ada)
        assert await said(bruno) == {"type": "here", "seats": [0]}
        await come(bruno)
        assert await said(ada) == {"type": "here", "seats": [1]}


async def test_spectators_are_neither_told_nor_seen(match_driver):
    async with looking(match_driver, 0) as ada, looking(match_driver, 2) as clara:
        await said(ada, "beat")
        await said(clara, "beat")
        await come(clara)
        await come(ada)
        for page in (ada, clara):
            assert await page.receive_nothing()


@pytest.mark.parametrize("why", ["opt-out", "block", "blocked"])
async def test_who_would_rather_not_is_not_shown(match_driver, why):
    ada, bruno = match_driver.people[:2]
    if why == "opt-out":
        await User.objects.filter(pk=ada.pk).aupdate(shows_presence=False)
    else:
        user, other = (ada, bruno) if why == "block" else (bruno, ada)
        await sync_to_async(blocks.block)(user=user, other=other, now=NOW)
    async with looking(match_driver, 0) as here, looking(match_driver, 1) as page:
        await said(page, "beat")
        await come(here)
        assert await page.receive_nothing()


async def test_who_has_gone_is_forgotten_with_a_later_beat(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "BEAT_PERIOD", 0.05)
    ada = match_driver.people[0]
    presence.touch(ada.pk, page_key(match_driver.id), now=NOW)
    async with looking(match_driver, 1) as page:
        assert (await said(page))["seats"] == [0]
        await User.objects.filter(pk=ada.pk).aupdate(shows_presence=False)
        assert (await said(page))["seats"] == []
