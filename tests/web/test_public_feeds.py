"""The public feeds of activity, tournaments and ladders, and the same by program."""

from datetime import timedelta
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from games.events.models import Tournament
from games.ladders.models import LadderPlace
from games.matches.clock import PRESETS
from games.news.models import NewsItem
from tests.rated import ended_match

ATOM = {"a": "http://www.w3.org/2005/Atom"}
SITE = "https://games.example.org"


@pytest.fixture(autouse=True)
def _site(settings):
    settings.SITE_URL = SITE


def entries(client, path):
    answer = client.get(path)
    assert answer["Content-Type"].startswith("application/atom+xml")
    assert answer["Cache-Control"] == "public, max-age=300"
    root = ElementTree.fromstring(answer.content)
    return [
        {
            "title": entry.findtext("a:title", namespaces=ATOM),
            "link": entry.find("a:link", ATOM).get("href"),
            "id": entry.findtext("a:id", namespaces=ATOM),
        }
        for entry in root.findall("a:entry", ATOM)
    ]


def join_ladder(user, title, at):
    LadderPlace.objects.create(title=title, user=user, position=1, joined=at, active=at)


def announce(name, **fields):
    now = timezone.now()
    terms = {"title": "die", "params": {}, "format": "swiss", "rounds": 3}
    sizes = {"least": 4, "most": 8, "round_days": 20, "starts": now}
    made = {"created": now - timedelta(days=9), "clock": PRESETS["standard"].dump(), **fields}
    return Tournament.objects.create(name=name, **terms, **sizes, **made)


def test_activity_holds_results_ladders_and_news(client, people):
    now = timezone.now()
    match = ended_match(people[:2], [1, 2], now - timedelta(minutes=3), title="die")
    join_ladder(people[2], "die", now - timedelta(minutes=2))
    NewsItem.objects.create(title="Maintenance", text="Tonight.", published=now)
    found = entries(client, "/activity/feed.atom")
    assert [entry["title"] for entry in found] == [
        "Maintenance",
        "clara joined the ladder of DIE",
        "ada won against bruno at DIE",
    ]
    assert found[2]["link"] == f"{SITE}/matches/{match.pk}/"
    assert len({entry["id"] for entry in found}) == 3
    assert entries(client, "/activity/feed.atom") == found
    api = client.get("/api/v1/activity/").json()
    assert [item["text"] for item in api["items"]] == [entry["title"] for entry in found[1:]]
    assert api["items"][1]["url"] == found[2]["link"]
    assert api["news"][0]["title"] == "Maintenance"


def test_a_tournament_has_an_entry_for_each_step(client, db):
    now = timezone.now()
    ended = {"status": "finished", "began": now - timedelta(days=5), "ended": now}
    announce("Spring Cup", **ended)
    announce("Lost Cup", status="cancelled", ended=now - timedelta(days=1))
    titles = [entry["title"] for entry in entries(client, "/events/feed.atom")]
    assert titles[:3] == [
        "Spring Cup (DIE) has ended",
        "Lost Cup (DIE) is cancelled",
        "Spring Cup (DIE) has begun",
    ]
    assert sorted(titles[3:]) == [
        "Lost Cup (DIE) is open for entry",
        "Spring Cup (DIE) is open for entry",
    ]


def test_a_ladder_has_a_feed_of_its_own(client, people):
    now = timezone.now()
    join_ladder(people[0], "die", now)
    join_ladder(people[1], "grim-reaper", now)
    [found] = entries(client, "/games/die/ladder/feed.atom")
    assert found["title"] == "ada joined the ladder of DIE"
    assert found["link"] == f"{SITE}/games/die/ladder/"
    assert client.get("/games/chess/ladder/feed.atom").status_code == 404


def test_an_empty_feed_stays_as_it_is(client, db):
    for path in ("/activity/feed.atom", "/events/feed.atom", "/games/die/ladder/feed.atom"):
        assert entries(client, path) == []
        assert client.get(path).content == client.get(path).content


@pytest.mark.parametrize("path", ["/activity/", "/events/", "/games/die/ladder/"])
def test_pages_name_their_feeds(client, db, path):
    page = client.get(path).content.decode()
    assert 'type="application/atom+xml"' in page
    assert f'href="{path}feed.atom"' in page


def test_a_name_with_control_characters_does_not_break_the_feed(client, db):
    announce("Cup\x01 of spring")
    assert entries(client, "/events/feed.atom")[0]["title"].startswith("Cup of spring")
