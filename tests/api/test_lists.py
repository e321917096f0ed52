"""Lists of matches, players and notifications by program."""

import pytest

from accounts.models import Notification
from games.matches import services
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

MATCHES = "/api/v1/matches/"


def ids(client, **query):
    return [match["id"] for match in client.get(MATCHES, query).json()["items"]]


def test_matches_by_player_game_status_and_turn(match_driver, client):
    ended = begin("die", match_driver.people, size=3)
    ended.act(services.resign, 0)
    other = begin("precary-ice", match_driver.people[2:])
    assert set(ids(client)) == {match_driver.id, other.id}
    assert ids(client, title="precary-ice") == [other.id]
    # The old name stays for a release.
    assert ids(client, game="precary-ice") == [other.id]
    assert ids(client, player="ada") == [match_driver.id]
    assert ids(client, player="ada", status="over") == [ended.id]
    assert ids(client, status="over") == [ended.id]
    assert ids(client, status="annulled") == []
    assert ids(match_driver.client(0), waiting=True) == [match_driver.id]
    assert ids(match_driver.client(1), waiting=True) == []


def test_a_match_in_a_list_says_who_is_to_move_but_not_where_it_stands(match_driver, client):
    (found,) = client.get(MATCHES).json()["items"]
    assert (found["to_move"], found["version"]) == ([0], 0)
    assert [player["name"] for player in found["players"]] == ["ada", "bruno"]
    assert "view" not in found
    assert "position" not in found


@pytest.mark.parametrize(
    ("query", "status"),
    [({"waiting": True}, 401), ({"player": "nobody"}, 404), ({"status": "lost"}, 400)],
)
def test_lists_that_there_are_not(match_driver, client, query, status):
    assert client.get(MATCHES, query).status_code == status


def test_lists_take_the_same_queries_however_long(match_driver, client, django_assert_num_queries):
    with django_assert_num_queries(2):
        ids(client)
    for _ in range(3):
        begin("die", match_driver.people, size=3)
    with django_assert_num_queries(2):
        assert len(ids(client)) == 4


def test_a_player_and_results(match_driver, client):
    match_driver.act(services.resign, 1)
    found = client.get("/api/v1/players/ADA/").json()
    assert (found["name"], found["bot"], found["country"]) == ("ada", False, "")
    (result,) = found["results"]
    assert result == {"title": "die", "with_bots": False, "won": 1, "tied": 0, "lost": 0}
    assert "email" not in str(found)
    assert client.get("/api/v1/players/nobody/").status_code == 404


def test_notifications_are_their_recipient_s(match_driver, client):
    assert client.get("/api/v1/notices/").status_code == 401
    bruno = match_driver.client(1)
    match_driver.play("c3", "a1", "b1")
    told = bruno.get("/api/v1/notices/").json()["items"]
    assert told
    assert all(one["subject"] and one["seen"] is None for one in told)
    assert bruno.post("/api/v1/notices/seen/").json() == {"count": len(told)}
    assert bruno.post("/api/v1/notices/seen/").json() == {"count": 0}
    assert Notification.objects.exclude(recipient=match_driver.people[1]).filter(seen_at=None)


def test_me_of_a_session(match_driver, client):
    assert client.get("/api/v1/me/").status_code == 401
    me = match_driver.client(0).get("/api/v1/me/").json()
    assert me == {"name": "ada", "bot": False, "scopes": None}


def test_the_archive_by_its_filters(match_driver, client):
    ended = begin("die", match_driver.people, size=3)
    ended.act(services.resign, 0)
    swapped = begin("die", match_driver.people[1::-1], size=4)
    swapped.play("a1", "d4")
    swapped.act(services.resign, 0)
    over = {"status": "over", "title": "die"}
    assert ids(client, **over) == [swapped.id, ended.id]
    assert ids(client, **over, player="ada", other="bruno") == [swapped.id, ended.id]
    assert ids(client, **over, player="ada", other="bruno", seat=0) == [ended.id]
    assert ids(client, **over, player="ada", result="won") == [swapped.id]
    assert ids(client, **over, **{"param-size": 4}) == [swapped.id]
    assert ids(client, **over, longest=2) == [ended.id]
    assert ids(client, **over, shortest=3) == [swapped.id]
    assert ids(client, **over, rating=1500) == []
    assert ids(client, **over, rated="friendly") == [swapped.id, ended.id]
    assert ids(client, **over, ending="resigned", since="2026-01-01") == [swapped.id, ended.id]
    assert ids(client, **over, until="2026-01-01") == []
    assert ids(client, **over, position="5") == []
    assert ids(client, title="chess") == []


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"title": "die", "ending": "connected"}, 400),
        ({"title": "die", "seat": 2}, 400),
        ({"title": "die", "param-size": 99}, 400),
        ({"since": "1066-10-14"}, 400),
        ({"other": "nobody"}, 404),
    ],
)
def test_filters_that_there_are_not(client, db, query, status):
    assert client.get(MATCHES, {"status": "over", **query}).status_code == status
