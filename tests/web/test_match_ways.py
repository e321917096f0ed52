"""Ways to and from a match: shared links, actions that are only looked at, what comes next."""

import pytest

from games.bots import queue_length, services
from games.bots.levels import LEVELS
from tests.fixtures import NOW

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("action", ["resign", "offer", "cancel", "pause"])
def test_looking_at_an_action_shows_its_question(client, play, action):
    client.force_login(play.people[0])
    answer = client.get(f"/matches/{play.id}/{action}/")
    assert answer.url == f"/matches/{play.id}/?ask={action}"
    page = client.get(answer.url).content.decode()
    assert f'action="/matches/{play.id}/{action}/"' in page
    assert play.match.is_running
    assert client.get(f"/matches/{play.id}/accept/").status_code == 405


def test_a_shared_link_shows_the_position(client, play, settings):
    settings.SITE_URL = "https://games.example.org"
    play.move(0, "1")
    page = client.get(f"/matches/{play.id}/").content.decode()
    picture = f"https://games.example.org/matches/{play.id}/1/card.png"
    assert f'<meta property="og:image" content="{picture}">' in page
    page = client.get(f"/matches/{play.id}/0/").content.decode()
    assert f"/matches/{play.id}/0/card.png" in page
    for name in ("board", "card"):
        picture = client.get(f"/matches/{play.id}/0/{name}.png")
        assert picture["Content-Type"] == "image/png"


def test_next_match_is_offered_when_there_is_one(client, start):
    play = start()
    play.move(0, "1")
    client.force_login(play.people[0])
    assert "data-next hidden>" in client.get(f"/matches/{play.id}/").content.decode()
    start()
    page = client.get(f"/matches/{play.id}/").content.decode()
    assert "data-next>Next match" in page


def test_a_long_queue_of_bots_is_told(client, toy, people, monkeypatch):
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)
    wanted = {"title": "heap", "level": LEVELS[0], "params": {}, "seats": 2, "now": NOW}
    match = services.play(user=people[0], seating="last", **wanted)
    client.force_login(people[0])
    path = f"/matches/{match.pk}/"
    many = range(queue_length.MIN_REPORTED)
    for waiting in (many, many[:-1]):
        queue_length.keep(waiting)
        assert "Many bots" not in client.get(path).content.decode()
    queue_length.keep(many)
    queue_length.keep(many)
    assert "Many bots are thinking" in client.get(path).content.decode()


def test_after_a_loss_an_easier_level_is_offered(client, toy, people, monkeypatch):
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)
    client.force_login(people[0])
    client.post("/games/heap/bots/casual/")
    path = people[0].seats.get().match.get_absolute_url()
    assert "level:" not in client.get(path).content.decode()
    number = people[0].seats.get().match_id
    form = {"version": 0, "submission": "5f0c5a52-62f5-4c2e-9d5e-0a3b6a0f6c11"}
    client.post(f"{path}resign/", form)
    assert "Try an easier level: beginner" in client.get(path).content.decode()
    answer = client.post(f"{path}next-level/")
    assert answer.url != path
    assert people[0].seats.exclude(match=number).get().match.players.get(is_bot=True)
    client.force_login(people[1])
    refused = client.post(f"{path}next-level/", follow=True).content.decode()
    assert "has no next level" in refused
    assert client.get(f"{path}next-level/").status_code == 405
    client.logout()
    assert "/login/" in client.post(f"{path}next-level/").url
