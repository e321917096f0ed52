"""The socket of a page while the database is away."""

import pytest
from django.db import OperationalError

from games.live import lookups
from games.live.consumers import PageConsumer
from tests.match_driver import fresh_cache, match_driver
from tests.sockets import Communicator

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)


async def away(*_):
    raise OperationalError("away")


async def test_a_page_stays_while_the_database_is_away(match_driver, monkeypatch):
    page = Communicator(PageConsumer.as_asgi(), f"/ws/?match={match_driver.id}")
    page.scope["user"] = match_driver.people[1]
    assert (await page.connect())[0]
    assert (await page.receive_json_from(timeout=30))["type"] == "beat"
    with monkeypatch.context() as patch:
        for name in ("standing", "mark_seen"):
            patch.setattr(lookups, name, away)
        for word in ("ask", "here"):
            await page.send_json_to({"type": word})
        assert await page.receive_nothing(timeout=0.3)
    await page.send_json_to({"type": "ask"})
    assert (await page.receive_json_from(timeout=30))["type"] == "beat"
    await page.disconnect()


async def test_a_session_that_cannot_be_looked_up_ends_no_socket(monkeypatch):
    page = PageConsumer()
    page.user_id, page.session_key, page.closed = 1, "k" * 32, False
    monkeypatch.setattr(lookups, "signed_in", away)
    await page.session_checked({"type": "session.checked"})
    assert not page.closed
