"""Chat over the socket of a page: who hears that something was said, and nothing more than that."""

from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.matches import services as matches
from games.talk import services
from games.talk.models import Line
from tests.live.test_live import Socket, watching
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


@sync_to_async
def say(match_driver, seat):
    return services.say(
        match_id=match_driver.id,
        user=match_driver.people[seat],
        text="hello",
        submission=uuid4(),
        now=timezone.now(),
    ).line


@pytest.mark.parametrize(("writer", "deaf", "news"), [(0, 2, {"chat", "me"}), (2, 1, {"chat"})])
async def test_a_room_is_told_that_something_was_said_and_the_other_is_not(
    match_driver, writer, deaf, news
):
    """The other player also gets a notification."""
    reader = {0: 1, 2: 3}[writer]
    listening = watching(match_driver, match_driver.people[reader])
    async with listening, watching(match_driver, match_driver.people[deaf]) as other:
        await listening.hear()
        await other.hear()
        await say(match_driver, writer)
        heard = [await listening.hear() for _ in news]
        assert sorted(heard, key=str) == [{"type": kind} for kind in sorted(news)]
        assert await other.receive_nothing()


async def test_visitors_hear_nothing_and_other_pages_of_a_notification(match_driver):
    async with watching(match_driver) as visitor, Socket(match_driver.people[1]) as elsewhere:
        await visitor.hear()
        await elsewhere.hear()
        await say(match_driver, 0)
        assert await visitor.receive_nothing()
        assert await elsewhere.hear() == {"type": "me"}
        assert await elsewhere.receive_nothing()


async def test_a_line_that_is_hidden_is_fetched_again(match_driver):
    async with watching(match_driver, match_driver.people[1]) as page:
        await page.hear()
        line = await say(match_driver, 0)
        await page.hear()
        await sync_to_async(services.hide)(line, now=timezone.now())
        assert await page.hear() == {"type": "chat"}
        assert await sync_to_async(Line.objects.filter(hidden=None).exists)() is False


async def test_both_rooms_are_open_to_all_once_the_match_has_ended(match_driver):
    ada, _, clara, _ = match_driver.people
    async with watching(match_driver, ada) as player, watching(match_driver, clara) as spectator:
        await player.hear()
        await spectator.hear()
        await say(match_driver, 2)
        assert await spectator.hear() == {"type": "chat"}
        assert await player.receive_nothing()
        await sync_to_async(match_driver.act)(matches.resign, 1)
        for page in (player, spectator):
            assert await _hears_chat(page)
        await say(match_driver, 3)
        assert await _hears_chat(player)
        await say(match_driver, 1)
        assert await _hears_chat(spectator)


async def _hears_chat(page):
    """Whether the next things that a page hears have to do with the chat."""
    for _ in range(3):
        if (await page.hear())["type"] == "chat":
            return True
    return False
