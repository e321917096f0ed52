"""The list of notifications leaves out what is over."""

import pytest

from accounts import notifications
from games.matches import services

pytestmark = pytest.mark.django_db


def told(user):
    return [notification.kind for notification in notifications.listed(user)]


def test_notices_of_turns_that_were_taken_disappear(play):
    ada, bruno = play.people[:2]
    play.move(0, "1")
    play.move(1, "1")
    play.move(0, "1")
    started = ["match-started"]
    assert told(bruno) == ["your-turn", *started], "of the turn that waits, not of the first"
    assert told(ada) == []
    play.move(1, "1")
    assert told(bruno) == started
    assert told(ada) == ["your-turn"]


def test_other_notices_stay(play):
    bruno = play.people[1]
    play.move(0, "1")
    play.act(services.resign, 0)
    assert told(bruno) == ["match-ended", "match-started"]


def test_the_page_shows_what_is_left(client, play):
    bruno = play.people[1]
    client.force_login(bruno)
    play.move(0, "1")
    assert "your turn" in client.get("/account/notices/").content.decode().lower()
    play.move(1, "1")
    rows = client.get("/account/notices/").context["rows"]
    assert [notification.kind for notification, _ in rows] == ["match-started"]
