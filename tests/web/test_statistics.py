"""The pages of statistics, and the same numbers by program."""

import re
from datetime import date, timedelta

import pytest
from django.utils import timezone

from games.kernel import registry
from games.matches import listing, services
from games.statistics import counting, openings, selectors
from games.statistics.models import Company, GameCount, Kind
from games.statistics.selectors import SeatResults
from games.web.statistics import charts
from games.web.statistics.page import _seats
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

GAME, PLAYER = "/games/die/statistics/", "/players/ada/statistics/"
API_GAME, API_PLAYER = "/api/v1/games/die/statistics/", "/api/v1/players/ada/statistics/"


@pytest.fixture
def counted(match_driver):
    """One match of DIE in which Red began and resigned; Blue won."""
    match_driver.first = first_move(match_driver)
    match_driver.play(match_driver.first)
    match_driver.play(first_move(match_driver))
    match_driver.act(services.resign, 0)
    counting.update(now=timezone.now())
    return match_driver


def first_move(driver):
    at = driver.snapshot
    return str(next(iter(at.title.moves(at.state, at.actors[0]))))


@pytest.mark.django_db
@pytest.mark.parametrize("address", [GAME, "/players/ada/statistics/?with=bots"])
def test_without_matches_the_page_says_so(client, people, address):
    page = client.get(address)
    assert page.status_code == 200
    assert "No finished matches yet." in page.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/games/none/statistics/", "/players/nobody/statistics/"])
def test_there_are_none_of_what_is_not_there(client, address):
    assert client.get(address).status_code == 404
    assert client.get(f"/api/v1{address}").status_code == 404
    assert client.post(GAME).status_code == 405


def test_the_page_of_a_game_has_charts_and_their_numbers(counted, client):
    page = client.get(GAME).content.decode()
    for text in ("Matches a week", "Share won by seat", "By resignation", "Where matches begin"):
        assert text in page
    assert '<th scope="row">2</th><td class="num">Blue</td><td class="num">1</td>' in page
    assert page.count("<svg") >= 6
    assert 'aria-label="Where matches began: most often at' in page


def test_charts_hold_nothing_that_the_policy_refuses(counted, client):
    for address in (GAME, PLAYER):
        page = client.get(address).content.decode().partition("<main")[2].partition("</main")[0]
        assert "<style" not in page
        assert "<script" not in page
        assert "style=" not in page


def test_the_page_of_a_player_tells_results_by_game_and_opponent(counted, client):
    page = client.get(PLAYER).content.decode()
    assert '<th scope="row">DIE</th><td class="num">0</td>' in page.replace("\n", "")
    assert '<a href="/players/bruno/">bruno</a>' in page
    assert "1 lost" in page
    assert GAME in client.get("/games/die/").content.decode()
    assert PLAYER in client.get("/players/ada/").content.decode()


def test_who_is_gone_or_was_a_guest_is_not_named(counted, client):
    bruno = counted.people[1]
    bruno.is_guest = True
    bruno.save()
    page = client.get(PLAYER).content.decode().partition("<main")[2]
    assert "bruno" not in page
    assert "All others" in page
    (other,) = client.get(API_PLAYER).json()["opponents"]
    assert other == {"name": None, "won": 0, "tied": 0, "lost": 1}
    assert client.get("/players/bruno/statistics/").status_code == 404


def test_a_program_reads_the_same(counted, client):
    game = client.get(API_GAME).json()
    assert (game["matches"], game["company"]) == (1, "people")
    assert game["seats"] == [
        {"seats": 2, "seat": 0, "won": 0, "tied": 0, "lost": 1},
        {"seats": 2, "seat": 1, "won": 1, "tied": 0, "lost": 0},
    ]
    assert game["lengths"] == [{"moves": 2, "matches": 1}]
    assert game["endings"] == [{"ending": "resigned", "matches": 1}]
    assert game["pace"][0] == {"under": 60, "moves": 2}
    assert game["opening"]["params"]["size"] == 3
    assert game["opening"]["cells"] == [{"mark": counted.first, "matches": 1}]
    assert client.get(API_GAME, {"company": "bots"}).json()["opening"] is None
    assert client.get(API_GAME, {"company": "ghosts"}).status_code == 400
    player = client.get(API_PLAYER).json()
    assert player["results"] == [{"title": "die", "game": "die", "won": 0, "tied": 0, "lost": 1}]
    assert player["streak"] == {"result": "lost", "length": 1, "longest": 0}


def test_what_a_program_has_is_not_sent_again(counted, client):
    tag = client.get(API_GAME)["ETag"]
    counting.update(now=timezone.now())
    seen = client.get(API_GAME, headers={"If-None-Match": tag})
    assert (seen.status_code, seen.content) == (304, b"")
    begin("die", counted.people, size=3).act(services.resign, 0)
    counting.update(now=timezone.now())
    assert client.get(API_GAME, headers={"If-None-Match": tag}).status_code == 200


def test_no_page_reads_a_match(counted, client, django_assert_max_num_queries):
    for address in (GAME, API_GAME, PLAYER, API_PLAYER):
        with django_assert_max_num_queries(6) as queries:
            client.get(address)
        assert not any("match_logentry" in one["sql"] for one in queries.captured_queries)
        assert not any('"match_match"' in one["sql"] for one in queries.captured_queries)


def test_weeks_without_matches_count_none():
    monday = date(2026, 4, 27)
    now = timezone.now().replace(year=2026, month=5, day=13)
    found = selectors.recent_weeks({monday: 3}, now, 26)
    assert found == [(monday, 3), (monday + timedelta(7), 0), (monday + timedelta(14), 0)]
    assert [number for _, number in selectors.recent_weeks({monday: 3}, now, 2)] == [0, 0]
    assert [number for _, number in selectors.recent_weeks({}, now, 2)] == [0]


def test_lengths_are_grouped_by_a_round_width():
    assert selectors.grouped({}, 3) == []
    assert selectors.grouped({7: 2}, 3) == [(7, 7, 2)]
    assert selectors.grouped({3: 1, 9: 2, 12: 1}, 3) == [(0, 4, 1), (5, 9, 2), (10, 14, 1)]


@pytest.mark.parametrize(
    ("lengths", "middle"), [({}, 0), ({4: 1}, 4), ({4: 1, 9: 1}, 4), ({4: 1, 9: 2}, 9)]
)
def test_the_median(lengths, middle):
    assert selectors.median(lengths) == middle


def test_a_chart_escapes_its_labels():
    drawn = charts.bars([("<b>", 1), ("&", 0)], 'a "label"')
    assert "&lt;b&gt;" in drawn
    assert "<b>" not in drawn
    assert "nan" not in charts.columns([("none", 0)], "all 0")


def test_two_players_are_compared_with_their_matches(counted, client):
    page = client.get("/players/bruno/against/ada/").content.decode()
    assert re.search(r'DIE</th><td class="num">1</td><td class="num">0</td>', page)
    assert f'href="{counted.page}"' in page
    other = client.get("/players/ada/against/bruno/").content.decode()
    assert re.search(r'DIE</th><td class="num">0</td><td class="num">0</td>', other)
    with_none = client.get("/players/ada/against/clara/").content.decode()
    assert "They have no counted results yet" in with_none
    assert "not finished a match together yet" in with_none


@pytest.mark.parametrize("pair", ["ada/against/ada", "ada/against/nobody", "nobody/against/ada"])
def test_nobody_is_compared_with_nobody(counted, client, pair):
    assert client.get(f"/players/{pair}/").status_code == 404


def test_who_is_gone_or_was_a_guest_is_compared_with_nobody(counted, client, people):
    bruno = people[1]
    for change in ({"is_guest": True}, {"is_guest": False, "is_active": False}):
        type(bruno).objects.filter(pk=bruno.pk).update(**change)
        assert client.get("/players/ada/against/bruno/").status_code == 404
        assert client.get("/api/v1/players/ada/statistics/bruno/").status_code == 404
        assert "/against/" not in client.get(counted.page).content.decode()


def test_pages_of_players_and_of_the_match_lead_there(counted):
    reader = counted.client(0)
    for page in ("/players/bruno/", counted.page, "/players/ada/statistics/"):
        assert "/players/ada/against/bruno/" in reader.get(page).content.decode()
    assert "/against/" not in counted.client(2).get("/players/clara/").content.decode()


def test_the_matches_of_two_are_those_in_which_both_played(counted):
    ada, bruno, clara, _ = counted.people
    for pair in ((ada, bruno), (bruno, ada), (ada, clara)):
        begin("die", list(pair), size=3).act(services.resign, 0)
    found = list(listing.ended_between(ada, bruno))
    assert len(found) == 3
    assert {player.user for m in found for player in m.players.all()} == {ada, bruno}


def test_a_program_compares_two_players(counted, client):
    found = client.get("/api/v1/players/bruno/statistics/ada/").json()
    assert found["results"] == [
        {"title": "die", "game": "die", "company": "people", "won": 1, "tied": 0, "lost": 0}
    ]
    assert client.get("/api/v1/players/bruno/statistics/clara/").json()["results"] == []
    assert client.get("/api/v1/players/bruno/statistics/nobody/").status_code == 404


def test_endings_are_told_in_words(counted, client):
    GameCount.objects.create(
        title="die", company="people", kind=Kind.ENDING, key="no-stones", number=2
    )
    page = client.get(GAME).content.decode()
    assert "No stones" in page
    assert "A player has no stones left on the board, and wins" in page
    assert "o-stones" not in page


def test_the_axis_of_shares_goes_to_a_hundred_even_without_a_win():
    drawn = SeatResults(seats=2, seat=0, won=0, tied=3, lost=0)
    others = drawn._replace(seat=1)
    figure = _seats(registry.get("die").meta, [drawn, others])
    assert {*re.findall(r">(\d+ %)<", figure.picture)} == {"0 %", "50 %", "100 %"}


def test_a_player_sees_where_they_begin_once_there_are_some_matches(people, client):
    for number in range(openings.LEAST):
        match = begin("die", people, size=3)
        assert "Openings in DIE" not in client.get(f"{PLAYER}?openings=1").content.decode()
        match.play("c3" if number else "b2")
        match.act(services.resign, 1 if number == 1 else 0)
        counting.update(now=timezone.now())
    found = openings.of_player(people[0], Company.PEOPLE)
    assert [(one.variant.title, one.matches, one.opened) for one in found] == [
        ("die", 3, [("c3", 1, 0, 1), ("b2", 0, 0, 1)])
    ]
    page = client.get(f"{PLAYER}?openings=1").content.decode()
    assert "Openings in DIE" in page
    cells = (
        '<td class="num">2</td><td class="num">1</td><td class="num">0</td><td class="num">1</td>'
    )
    assert f'{cells}<td class="num">50 %</td>' in page
    # Bruno never had the first move.
    assert openings.of_player(people[1], Company.PEOPLE) == []
    assert openings.of_player(people[0], Company.BOTS) == []
