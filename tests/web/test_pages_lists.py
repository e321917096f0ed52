"""Lists of matches: their order, pages and filters, what they cost, and what they keep secret."""

import re
from datetime import timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.notifications import mark_seen
from games.http import paging
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.clock import DAY, PRESETS, Clock
from games.matches.clocks import standstill
from games.matches.models import Match, Player
from tests.fixtures import NOW
from tests.responses import boards, lasting

HOUR = timedelta(hours=1)


def shown(response, key):
    """The ids of the matches that a list of a page shows."""
    return [row.match.pk for row in response.context[key].items]


def resign(play, seat, now=NOW):
    services.resign(
        match_id=play.id,
        user=play.people[seat],
        version=play.match.version,
        submission=uuid4(),
        now=now,
    )


def test_the_most_urgent_comes_first(client, start, people):
    calm, urgent, timeless = start(), start(clock=PRESETS["brisk"]), start(clock=None)
    theirs = start()
    theirs.move(0, "1")
    client.force_login(people[0])
    response = client.get(reverse("my-matches"))
    assert shown(response, "waiting") == [urgent.id, calm.id, timeless.id]
    assert shown(response, "playing") == [theirs.id]


def test_the_home_page_counts_all_that_wait(client, start, people):
    for _ in range(6):
        start()
    client.force_login(people[0])
    page = client.get(reverse("home")).content.decode()
    assert "6 matches wait for you" in page
    assert 'data-waiting="6"' in page


def test_the_home_page_shows_what_others_play_and_people_before_bots(client, start, people):
    with_a_bot = start()
    Player.objects.filter(match_id=with_a_bot.id, seat=1).update(is_bot=True)
    between_people = start()
    Match.objects.filter(pk=with_a_bot.id).update(changed=NOW + HOUR)
    page = client.get(reverse("home"))
    assert [row.match.pk for row in page.context["playing"]] == [between_people.id, with_a_bot.id]
    client.force_login(people[0])
    page = client.get(reverse("home"))
    assert page.context["playing"] == [], "one's own matches wait above"
    assert "Being played now" not in page.content.decode()


def test_ended_matches_stand_below(client, start, people):
    first, second = start(), start()
    resign(first, 0)
    resign(second, 1, NOW + HOUR)
    client.force_login(people[0])
    response = client.get(reverse("my-matches"))
    assert shown(response, "ended") == [second.id, first.id]
    assert b"ada won" in response.content
    assert b"bruno won" in response.content
    assert b"By resignation" in response.content


def test_challenges_to_me_stand_on_my_matches(client, toy, people):
    lobby.challenge(
        creator=people[1],
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[people[0]],
        message="Shall we?",
        now=NOW,
    )
    client.force_login(people[0])
    assert b"Shall we?" in client.get(reverse("my-matches")).content
    client.force_login(people[2])
    assert b"Shall we?" not in client.get(reverse("my-matches")).content


def test_next_goes_round_the_matches_that_wait(client, start, people):
    plays = [start(clock=Clock.per_move(days)) for days in (1, 2, 3)]
    client.force_login(people[0])
    pages = [reverse("match", args=[play.id]) for play in plays]
    address = reverse("next-match")
    assert client.get(address).url == pages[0]
    assert client.get(f"{address}?after={plays[0].id}").url == pages[1]
    assert client.get(f"{address}?after={plays[2].id}").url == pages[0]
    assert client.get(f"{address}?after=nonsense").url == pages[0]
    client.force_login(people[2])
    assert client.get(address).url == reverse("my-matches")


PLACES = ["", "0", "-3", "1-", "-1", "1-2-3", "²-1", "1-٣", "9" * 30, f"{'9' * 18}-1", "before-"]


@pytest.mark.parametrize("text", [*PLACES, "first", "before-before-1-1"])
def test_what_is_no_place_in_a_list_is_the_first_page(text):
    assert paging.Cursor.read(text) is None


def walked(found, rf, by, field):
    """The ids on every page, by the links of each to the next one."""
    page = paging.page_of(found, rf.get("/"), by=by, length=2)
    pages = [page]
    while place := getattr(page, field):
        page = paging.page_of(found, rf.get("/", {"page": place}), by=by, length=2)
        pages.append(page)
    return [[item.pk for item in page.items] for page in pages]


@pytest.mark.parametrize("by", ["changed", "-changed"])
def test_pages_hold_every_item_once_even_of_one_moment(client, start, people, rf, by):
    for hours in (0, 1, 1, 1, 2):
        start(now=NOW + timedelta(hours=hours))
    found = Match.objects.all()
    ids = list(found.order_by(by, "-pk" if by[0] == "-" else "pk").values_list("pk", flat=True))
    assert walked(found, rf, by, "older") == [ids[:2], ids[2:4], ids[4:]]


def test_pages_lead_back_and_stay_where_they_are_when_more_is_played(start, people, rf):
    for hours in range(5):
        start(now=NOW + timedelta(hours=hours))
    found = Match.objects.all()
    ids = list(found.order_by("-changed").values_list("pk", flat=True))

    def page(place=""):
        return paging.page_of(found, rf.get("/", {"page": place}), by="-changed", length=2)

    second = page(page().older)
    start(now=NOW + timedelta(hours=9))
    assert [item.pk for item in page(page(second.older).newer).items] == ids[2:4]
    assert [item.pk for item in page(second.newer).items] == ids[:2]
    assert page().newer == ""


def test_lists_are_not_read_from_their_beginning(start, people, rf):
    start()
    place = paging.Cursor(NOW, 7).write()
    with CaptureQueriesContext(connection) as asked:
        paging.page_of(Match.objects.all(), rf.get("/", {"page": place}), by="-changed")
    assert "OFFSET" not in asked[0]["sql"]
    assert '"changed" <= ' in asked[0]["sql"]


def test_paging_keeps_the_rest_of_the_address(client, start, people, monkeypatch):
    for _ in range(paging.PAGE_LENGTH + 1):
        resign(start(), 0)
    response = client.get(reverse("archive"), {"game": "heap", "player": "ada"})
    older = re.search(r'rel="next" href="([^"]*)"', response.content.decode())[1]
    assert older.startswith("?game=heap&amp;player=ada&amp;page=")
    second = client.get(reverse("archive") + unescape(older))
    assert len(shown(second, "page")) == 1
    beyond = client.get(reverse("archive"), {"page": paging.Cursor(NOW - DAY, 1).write()})
    assert b"There are no more results." in beyond.content


@pytest.mark.slow
@pytest.mark.parametrize("asked", [{"result": "tied"}, {"game": "heap", "param-free": "True"}])
def test_what_no_index_finds_is_sought_in_stretches(client, start, monkeypatch, asked):
    """Each page looks at a few matches only; going on finds all that fit, and back again."""
    monkeypatch.setattr(paging, "MAX_SCANNED_ROWS", 4)
    wanted = set()
    for number in range(14):
        play = start(free=True) if number in (1, 2, 9) else start()
        if number in (1, 2, 9):
            for service in (services.offer_close, services.accept_offer):
                play.act(service, 0 if service is services.offer_close else 1)
            wanted.add(play.id)
        else:
            resign(play, 0)
    there, page = follow(client, reverse("archive"), asked, "next")
    assert [pk for pks in there for pk in pks] == sorted(wanted, reverse=True)
    assert len(there) == 4
    back, _ = follow(client, page, {}, "prev")
    assert {pk for pks in back for pk in pks} >= wanted - set(there[-1])


def follow(client, address, asked, rel):
    """Follow the links of a list to its end; the matches of each page, and the last address."""
    found = []
    while True:
        response = client.get(address, asked)
        found.append(shown(response, "page"))
        link = re.search(rf'rel="{rel}" href="([^"]*)"', response.content.decode())
        if link is None or len(found) > 12:
            return found, address
        address, asked = reverse("archive") + unescape(link[1]), {}


def test_what_an_index_finds_is_not_cut(client, start, monkeypatch):
    monkeypatch.setattr(paging, "MAX_SCANNED_ROWS", 1)
    for _ in range(3):
        resign(start(), 0)
    for asked in ({}, {"game": "heap"}, {"ending": "resigned"}, {"player": "ada"}):
        response = client.get(reverse("archive"), asked)
        assert len(shown(response, "page")) == 3
        assert b"searches more of them" not in response.content


@pytest.fixture
def archive(client, start):
    """Search the archive; ``played`` holds what there is to find."""
    fled = start(heap=12)
    resign(fled, 0)
    drawn = start(free=True)
    for service in (services.offer_close, services.accept_offer):
        drawn.act(service, 0 if service is services.offer_close else 1)
    running = start(seats=3)
    void = start()
    void.act(services.cancel, 0)
    names = {fled.id: "fled", drawn.id: "drawn", running.id: "running", void.id: "void"}

    def search(**asked):
        response = client.get(reverse("archive"), asked)
        assert response.status_code == 200
        return {names[pk] for pk in shown(response, "page")}

    return search


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ({}, {"fled", "drawn"}),
        ({"status": "running"}, {"running"}),
        ({"status": "void"}, {"void"}),
        ({"game": "heap"}, {"fled", "drawn"}),
        ({"game": "heap", "param-heap": "12"}, set()),
        ({"game": "heap", "param-free": "True"}, {"drawn"}),
        ({"player": "ADA"}, {"fled", "drawn"}),
        ({"player": "clara"}, set()),
        ({"player": "clara", "status": "running"}, {"running"}),
        ({"player": "ada", "result": "lost"}, {"fled"}),
        ({"player": "bruno", "result": "won"}, {"fled"}),
        ({"player": "ada", "result": "won"}, set()),
        ({"player": "ada", "result": "tied"}, {"drawn"}),
        ({"result": "tied"}, {"drawn"}),
        ({"result": "won"}, {"fled"}),
        ({"ending": "resigned"}, {"fled"}),
        ({"ending": "closed"}, {"drawn"}),
        ({"since": "2026-05-01", "until": "2026-05-01"}, {"fled", "drawn"}),
        ({"since": "2026-05-02"}, set()),
        ({"until": "2026-04-30"}, set()),
    ],
)
def test_the_archive_is_filtered(archive, asked, found):
    # A heap has a hundred sizes: too many to choose from a list, so that one is not a filter.
    expected = {"fled", "drawn"} if "param-heap" in asked else found
    assert archive(**asked) == expected


HOSTILE = [
    {"page": "-1"},
    {"page": "9" * 400},
    {"page": "1;drop table"},
    {"game": "../../etc/passwd"},
    {"game": "heap", "param-heap": "{}", "param-free": "maybe"},
    {"player": "%"},
    {"player": "\x00"},
    {"player": "x" * 5000},
    {"result": "everything"},
    {"since": "0001-01-01", "until": "9999-12-31"},
    {"since": "2026-13-45"},
    {"since": "<script>"},
    {"ending": "' or 1=1 --"},
    {"status": ["running", "ended"]},
    {"waiting": "x", "playing": "-7", "ended": "1e9", "running": "NaN"},
]


@pytest.mark.slow
@pytest.mark.parametrize("asked", HOSTILE)
@pytest.mark.parametrize("name", ["archive", "lobby", "my-matches", "player"])
def test_hostile_addresses_are_harmless(client, play, people, name, asked):
    client.force_login(people[0])
    address = reverse(name, args=["ada"] if name == "player" else [])
    assert client.get(address, asked).status_code == 200


def test_a_filter_that_makes_no_sense_says_so(client, play):
    html = client.get(reverse("archive"), {"player": "nobody", "since": "soon"}).content.decode()
    assert "There is no player with this name." in html
    assert "field-bad" in html
    assert 'value="nobody"' in html


def test_a_script_can_take_filters_and_results_out_of_the_page(client, play):
    resign(play, 0)
    page = client.get(reverse("archive")).content.decode()
    assert 'id="filters" data-region data-filters="results"' in page
    assert "match-row" in page.partition('id="results" data-region')[2]


LISTS = {
    "home": 9,
    "my-matches": 11,
    "player": 16,
    "archive": 6,
    "archive-running": 6,
    "lobby": 12,
    "game": 12,
}
"""The queries that each page may take.

The front page has seven lists, a profile has ratings, places on ladders and what its
player did lately. SQLite takes one more for a profile.
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", LISTS)
def test_a_longer_list_costs_no_more_queries(
    client, start, people, name, django_assert_max_num_queries
):
    address = {
        "player": reverse("player", args=["ada"]),
        "archive-running": reverse("archive") + "?status=running",
        "game": reverse("game", args=["heap"]),
    }.get(name) or reverse(name)

    def fill():
        resign(start(), 1)
        start().move(0, "2")
        start(seats=3)
        for creator in people[1:3]:
            lobby.challenge(
                creator=creator,
                title="heap",
                params={},
                clock=None,
                seats=2,
                audience=Challenge.Audience.OPEN,
                now=NOW,
            )
        # What the front page lists once takes a few queries each, for eight at most.
        mark_seen(recipient=people[0], now=NOW)

    fill()
    client.force_login(people[0])
    client.get(address)
    with django_assert_max_num_queries(LISTS[name]) as few:
        client.get(address)
    cache.clear()
    with CaptureQueriesContext(connection) as few_in_an_empty_cache:
        client.get(address)
    for _ in range(4):
        fill()
    cache.clear()
    for most in (few_in_an_empty_cache, few):
        with django_assert_max_num_queries(len(most)):
            client.get(address)


SECRET = "47"
PAGES = ["home", "my-matches", "archive-running", "player"]


@pytest.mark.parametrize("name", PAGES)
def test_lists_keep_hidden_things_hidden(client, start, people, name):
    """Two worlds that differ in ada's card alone look the same to bruno and to a visitor."""
    address = {
        "player": reverse("player", args=["ada"]),
        "archive-running": reverse("archive") + "?status=running",
    }.get(name) or reverse(name)
    play = start()
    play.move(0, "peek")
    for reader in (people[1], None):
        pages = []
        for card in (SECRET, "48"):
            position = {**play.match.position, "peeked": [int(card), 0]}
            Match.objects.filter(pk=play.id).update(position=position)
            client.logout()
            if reader:
                client.force_login(reader)
            cache.clear()
            page = client.get(address, follow=True)
            shown = [client.get(board).content.decode() for board in boards(page)]
            assert shown or reader is None or name == "home"
            pages.append(lasting(page) + "".join(shown))
        assert pages[0] == pages[1]
        assert f"cards [{SECRET}" not in "".join(pages)


def test_clocks_in_lists_count_down(client, start, people):
    play = start(now=NOW)
    deadline = Player.objects.get(match=play.id, seat=0).deadline
    client.force_login(people[0])
    html = client.get(reverse("my-matches")).content.decode()
    assert f'datetime="{deadline.isoformat(timespec="milliseconds")}"' in html


def test_a_clock_that_stands_still_says_why(client, start, people):
    now = timezone.now()
    play = start(now=now - DAY)
    stop = {"moderator": people[3], "reason": "to look at it"}
    standstill.stop_clocks(match_id=play.id, now=now - HOUR, **stop)
    client.force_login(people[0])
    for page in (reverse("my-matches"), f"/matches/{play.id}/"):
        html = client.get(page).content.decode()
        assert '<span class="clock clock-still">2 d 01 h</span>' in html
        assert 'title="The clock stands still: stopped by a moderator">stopped</span>' in html
    assert client.get(f"/api/v1/matches/{play.id}/").json()["players"][0]["stands_still"] == [
        "moderator"
    ]
    standstill.resume_clocks(match_id=play.id, now=now, **stop)
    assert "clock-why" not in client.get(f"/matches/{play.id}/").content.decode()


def test_a_clock_tells_scripts_of_the_weekends_before_its_deadline(client, start, people):
    today = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    monday = today - timedelta(days=today.weekday())
    play = start(now=monday, clock=Clock(10 * DAY, DAY, 10 * DAY, "UTC"))
    assert play.player(0).deadline == monday + 12 * DAY
    client.force_login(people[0])
    weekend = f"{monday.timestamp() + 5 * 86400:.0f}/{monday.timestamp() + 7 * 86400:.0f}"
    assert f'data-pauses="{weekend}"' in client.get(f"/matches/{play.id}/").content.decode()


def test_a_match_that_cannot_be_drawn_does_not_take_the_list_down(client, start, people):
    broken, whole = start(), start()
    Match.objects.filter(pk=broken.id).update(position={"not": "a heap"})
    client.force_login(people[0])
    response = client.get(reverse("my-matches"))
    assert set(shown(response, "waiting")) == {broken.id, whole.id}
    found = [client.get(board).status_code for board in boards(response)]
    assert sorted(found) == [200, 200, 404, 404]


def test_what_no_database_takes_is_nobodys_name(client, db, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert client.get("/players/%00/").status_code == 404


def test_the_archive_names_endings_in_few_words(client, db):
    page = unescape(lasting(client.get("/archive/")))
    assert '<option value="connected">Connected</option>' in page
    assert '<option value="dropped">All others left</option>' in page
    page = unescape(lasting(client.get("/archive/", {"game": "die"})))
    assert ">No stones</option>" in page
    assert ">By resignation</option>" in page
    assert 'value="connected"' not in page
