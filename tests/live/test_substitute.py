"""Open pages when a substitute takes a seat over: neither of both goes on as who they were."""

import pytest
from asgiref.sync import sync_to_async
from django.utils import timezone

from games.kernel.contract import Seat
from games.live.consumers import SESSION_ENDED
from games.live.parts import PageParts
from games.live.rooms import Room
from games.matches.play import substitutes
from games.screen.parts import compose
from games.talk import groups
from tests.live.test_moves import Page
from tests.match_driver import begin, fresh_cache, match_driver
from tests.patched_page import Shown, rendered

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

later = sync_to_async
ADA, BRUNO, CLARA, DANIEL = range(4)


@later
def swap(match):
    """Let Clara play on for Bruno."""
    substitutes.swap_in(
        match_id=match.id,
        seat=Seat(BRUNO),
        user=match.people[CLARA],
        moderator=match.people[DANIEL],
        reason="Gone.",
        now=timezone.now(),
    )


@pytest.mark.parametrize("who", [BRUNO, CLARA])
async def test_their_sockets_end_and_others_go_on(match_driver, who):
    page, other = await Page.open(match_driver, who), await Page.open(match_driver, ADA)
    await swap(match_driver)
    assert await page.closed() == SESSION_ENDED
    # Her bell may ring before the match changes, or after it.
    heard = [await other.receive_json_from(timeout=30) for _ in range(2)]
    assert [message["version"] for message in heard if "version" in message] == [1]
    assert (await other.play("c3", version=1))["type"] == "played"
    await other.disconnect()


async def test_who_left_moves_no_more_over_a_socket_that_is_still_open(match_driver, monkeypatch):
    """As where the message that ends it is lost."""
    monkeypatch.setattr("games.matches.play.substitutes.push.tell", lambda *_: None)
    await later(match_driver.play)("c3")
    page = await Page.open(match_driver, BRUNO)
    await swap(match_driver)
    assert (await page.play("b2", version=2))["type"] == "refused"
    new = await Page.open(match_driver, CLARA)
    assert (await new.play("b2", version=2))["type"] == "played"
    for socket in (page, new):
        await socket.disconnect()


@pytest.fixture
async def secret(people):
    """A match of a game of hidden cards."""
    return await later(begin)("simple-life-or-death", people, seats=2)


async def test_who_left_is_given_what_spectators_see(secret):
    bruno = PageParts(Room(secret.id), secret.people[BRUNO])
    await bruno.open()
    shown = Shown()
    own = shown.take(await bruno.since(0))
    await swap(secret)
    found = shown.take(await bruno.since(1))
    spectators = await later(rendered)(secret.id)
    assert found == compose(spectators.parts) != own
    assert 'data-seat="1"' in own
    assert "data-seat" not in found.partition("</header>")[0], "the page reloads because of this"


async def test_who_left_hears_the_room_of_spectators(match_driver):
    rooms_of_chat = later(groups.of_reader)
    bruno, clara = match_driver.people[BRUNO], match_driver.people[CLARA]
    before = [await rooms_of_chat(match_driver.id, user) for user in (bruno, clara)]
    await swap(match_driver)
    assert [await rooms_of_chat(match_driver.id, user) for user in (clara, bruno)] == before
