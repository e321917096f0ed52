"""The list of watched matches hears of their changes, and of no other's."""

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.matches.notify import watching as watches
from tests.live.test_live import Socket, play
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("watched", [True, False])
async def test_the_list_hears_of_what_is_watched(match_driver, watched):
    clara = match_driver.people[2]
    if watched:
        given = {"user": clara, "match_id": match_driver.id, "now": timezone.now()}
        await sync_to_async(watches.watch)(tells_end=False, **given)
    async with Socket(clara, "watching=1") as page:
        assert await page.hear() == {"type": "beat"}
        await play(match_driver, "c3")
        if watched:
            assert await page.hear() == {"type": "match", "version": 1}
        else:
            assert await page.receive_nothing()


async def test_visitors_watch_nothing(match_driver):
    async with Socket(None, "watching=1") as page:
        assert await page.hear() == {"type": "beat"}
