"""The explorer beside boards and in the API, and the search by position in the archive."""

import html
import json

import pytest
from django.urls import reverse

from games.explorer import counting
from games.explorer.models import ReachedPosition
from games.matches import services
from games.matches.models import Match, Player
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(people):
    """Return a function that plays a rated match of DIE which Red gives up at once."""

    def _ended(*texts):
        match = begin("die", people, size=5)
        Match.objects.filter(pk=match.id).update(rated=True)
        Player.objects.filter(match=match.id).update(rating=1600)
        match.play(*texts)
        match.act(services.resign, 0)
        counting.examine(match.id)
        return match

    return _ended


def text_of(answer):
    assert answer.status_code == 200
    whole = html.unescape(lasting(answer))
    return whole[whole.index('id="explorer"') : whole.index('id="drawer-keep"')]


def board(client):
    """Return the address of a board of DIE."""
    return client.get(reverse("board-begin", args=["die"]))["Location"]


def test_a_board_shows_what_was_played_and_plays_it(client, ended):
    match = ended("a1", "e5")
    ended("i5")
    shown = text_of(client.get(board(client)))
    assert "2 rated matches reached this position." in shown
    assert "Place a stone on" in shown
    assert f"/matches/{match.id}/0/" in shown
    move = shown.split('name="move" value="')[1].split('"')[0]
    after = client.post(board(client), {"move": move}, follow=True)
    shown = text_of(after)
    # Both began in a corner, so both are the same after it.
    assert "2 rated matches reached this position." in shown
    assert f"/matches/{match.id}/1/" in shown


def test_the_filter_is_kept_for_the_next_boards(client, ended):
    ended("a1")
    address = board(client)
    assert "1 rated match " in text_of(client.get(address, {"rating": 1600, "months": 12}))
    assert "passes the filter" in text_of(client.get(address, {"rating": 1800, "months": 0}))
    assert "passes the filter" in text_of(client.get(address))
    assert "1 rated match " in text_of(client.get(address, {"rating": 0, "months": 0}))
    assert "1 rated match " in text_of(client.get(address, {"rating": "x", "months": "-1"}))


def test_running_matches_change_nothing(client, ended, people):
    ended("a1")
    address, search = board(client), reverse("archive")
    key = ReachedPosition.objects.get(number=0).key
    before = [text_of(client.get(address)), client.get(search, {"position": key}).content]
    running = begin("die", people, size=5)
    Match.objects.filter(pk=running.id).update(rated=True)
    running.play("a1", "e5")
    counting.examine(running.id)
    counting.sweep(since=None)
    assert text_of(client.get(address)) == before[0]
    found = client.get(search, {"position": key}).content.decode()
    assert f"/matches/{running.id}/" not in found


def test_a_player_sees_it_beside_the_board_of_a_running_match(ended, people):
    ended("a1")
    match = begin("die", people, size=5)
    page = match.client(0).get(reverse("match-board-begin", args=[match.id]), follow=True)
    assert "1 rated match reached this position." in html.unescape(page.content.decode())


def test_the_archive_finds_the_matches_with_a_position(client, ended):
    match, other = ended("a1", "e5"), ended("e5", "a1")
    key = ReachedPosition.objects.get(match=match.id, number=1).key
    found = client.get(reverse("archive"), {"position": key}).content.decode()
    assert f"/matches/{match.id}/" in found
    assert f"/matches/{other.id}/" not in found
    for wrong in ("x", "9" * 19, "-", "²"):
        assert client.get(reverse("archive"), {"position": wrong}).status_code == 200


@pytest.mark.parametrize(
    ("asked", "finds"),
    [
        ({"player": "ada", "other": "bruno"}, True),
        ({"player": "ada", "other": "clara"}, False),
        ({"other": "bruno"}, True),
        ({"other": "nobody"}, True),
        ({"player": "ada", "seat": "0"}, True),
        ({"player": "ada", "seat": "1"}, False),
        ({"player": "ada", "seat": "0", "result": "won"}, False),
        ({"player": "ada", "seat": "0", "result": "lost"}, True),
        ({"rated": "rated"}, True),
        ({"rated": "friendly"}, False),
        ({"rating": "1600"}, True),
        ({"rating": "1601"}, False),
        ({"shortest": "3", "longest": "3"}, True),
        ({"shortest": "4"}, False),
        ({"longest": "2"}, False),
        ({"position": "1"}, False),
    ],
)
def test_the_archive_is_searched_by_more(client, ended, asked, finds):
    match = ended("a1", "e5")
    found = client.get(reverse("archive"), asked).content.decode()
    assert (f'/matches/{match.id}/"' in found) == finds


def test_the_api_says_the_same(client, ended):
    match = ended("a1", "e5")
    position = {"size": 5, "rows": ["." * n for n in (5, 6, 7, 8, 9, 8, 7, 6, 5)], "ply": 0}
    position |= {"mover": 0, "result": None}
    address = "/api/v1/games/die/explorer/"
    asked = {"position": json.dumps(position)}
    found = client.get(address, asked).json()
    assert found["results"] == {"matches": 1, "wins": [0, 1], "draws": 0}
    assert [one["results"]["matches"] for one in found["moves"]] == [1]
    assert [(one["match"], one["number"]) for one in found["latest"]] == [(match.id, 0)]
    assert client.get(address, {**asked, "rating": 1700}).json()["results"] is None
    assert client.get(address, {**asked, "since": "2200-01-01"}).json()["results"] is None
    for wrong in (
        {},
        {"position": "{"},
        {"position": "1"},
        {**asked, "params": "[]"},
        {**asked, "params": '{"size": 99}'},
        {**asked, "seats": 7},
        {"position": "[" * 5000},
    ):
        assert 400 <= client.get(address, wrong).status_code < 500
    assert client.get("/api/v1/games/nothing/explorer/", asked).status_code == 404
