"""The activity on the front page and on its own page."""

from datetime import timedelta

import pytest
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts import blocks
from accounts.models import User
from games.http import activity
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clocks.clock import PRESETS
from games.news.models import NewsItem
from tests.rated import ended_match

pytestmark = pytest.mark.django_db

PAGE = "/activity/"


@pytest.fixture(autouse=True)
def _fresh():
    cache.clear()
    yield
    cache.clear()


def texts():
    return [item.text for item in activity.read(timezone.now()).items]


def happen(people):
    """Let one of everything happen, a minute apart, the result first."""
    now = timezone.now()
    ada, bruno, clara = people[:3]
    minute = timedelta(minutes=1)
    ended_match([ada, bruno], [1, 2], now - 9 * minute, title="die")
    LadderPlace.objects.create(
        title="die", user=clara, position=1, joined=now - 8 * minute, active=now
    )
    for audience, invited in (("open", []), ("named", [bruno])):
        made = lobby.challenge(
            creator=ada,
            title="die",
            params={},
            clock=PRESETS["standard"],
            seats=2,
            audience=Challenge.Audience(audience),
            invited=invited,
            now=now - 7 * minute,
        )
    LadderChallenge.objects.create(
        title="die",
        challenge=made,
        challenger=ada,
        defender=bruno,
        created=now,
        outcome="won",
        closed=now - 6 * minute,
    )


def test_what_happened_is_told_the_latest_first(people):
    happen(people)
    assert texts() == [
        "ada took the place of bruno on the ladder of DIE",
        "ada is looking for a match of DIE",
        "clara joined the ladder of DIE",
        "ada won against bruno at DIE",
    ]


@pytest.mark.parametrize(
    ("ranks", "text"),
    [
        ([1, 1, 1], "ada, bruno and clara drew a match of Grim Reaper"),
        ([1, 1, 3], "ada and bruno shared the first place before clara at Grim Reaper"),
        ([2, 1, 3], "bruno won against ada and clara at Grim Reaper"),
    ],
)
def test_results_of_several(people, ranks, text):
    ended_match(people[:3], ranks, timezone.now(), title="grim-reaper")
    assert texts() == [text]


def test_results_between_people_come_before_those_with_bots(people, monkeypatch):
    monkeypatch.setattr(activity, "MOST", 1)
    now = timezone.now()
    bot = User.objects.create(username="bot-casual", is_bot=True)
    ended_match(people[:2], [1, 2], now - timedelta(days=1), title="die")
    ended_match([people[2], bot], [1, 2], now, title="die")
    assert texts() == ["ada won against bruno at DIE"]


def test_void_matches_and_games_that_are_gone_are_left_out(people):
    ended_match(people[:2], [1, 2], title="die", status="annulled")
    ended_match(people[:2], [1, 2], title="gone")
    assert texts() == []


def test_the_page_and_the_front_page_show_it(client, people):
    assert "Nothing has happened yet" in client.get(PAGE).content.decode()
    cache.clear()
    happen(people)
    for page in (PAGE, "/"):
        html = client.get(page).content.decode()
        assert "ada is looking for a match of DIE" in html
        assert reverse("game-ladder", args=["die"]) in html


def test_who_has_been_here_is_counted_for_all_and_named_to_members(client, people, monkeypatch):
    noon = timezone.now().replace(hour=12)
    monkeypatch.setattr(timezone, "now", lambda: noon)
    ada, bruno, clara, daniel = people
    User.objects.update(last_here=noon.date())
    User.objects.filter(pk=clara.pk).update(shows_presence=False)
    blocks.block(user=daniel, other=ada, now=timezone.now())
    html = client.get(PAGE).content.decode()
    assert "4 players" in html
    assert "/players/bruno/" not in html
    client.force_login(ada)
    page = client.get(PAGE)
    assert page.context["here"] == [bruno]


def test_it_is_read_from_the_cache(client, people, django_assert_num_queries):
    happen(people)
    client.get(PAGE)
    with django_assert_num_queries(0):
        client.get(PAGE)


def test_reading_it_again_takes_few_queries(people, django_assert_max_num_queries):
    happen(people)
    for _ in range(5):
        ended_match(people[:2], [1, 2], timezone.now(), title="die")
    with django_assert_max_num_queries(8):
        activity.read(timezone.now())


def test_news_are_shown_while_they_last(client, people):
    now = timezone.now()
    day = timedelta(days=1)
    for title, published, until in (
        ("New game", now - day, None),
        ("Maintenance", now - 2 * day, now + day),
        ("Over", now - 9 * day, now - day),
        ("Later", now + day, None),
        ("Old", now - 90 * day, None),
    ):
        text = "See https://example.org/ <b>now</b>"
        NewsItem.objects.create(title=title, text=text, published=published, until=until)
    html = client.get(PAGE).content.decode()
    assert [word in html for word in ("New game", "Maintenance", "Old")] == [True] * 3
    assert "Over" not in html
    assert "Later" not in html
    assert "&lt;b&gt;now" in html
    assert 'href="https://example.org/"' in html
    front = client.get("/").content.decode()
    assert "New game" in front
    assert "Maintenance" not in front


def test_old_news_leave_the_front_page(client, people):
    long_ago = timezone.now() - timedelta(days=15)
    NewsItem.objects.create(title="Long ago", text="It was.", published=long_ago)
    assert "Long ago" not in client.get("/").content.decode()
    assert "Long ago" in client.get(PAGE).content.decode()
