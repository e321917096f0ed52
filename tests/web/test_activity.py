"""The activity on the front page and on its own page."""

from datetime import timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.urls import reverse
from django.utils import timezone

from accounts import blocks, notifications, outbox, presence
from accounts.delivery.models import DeliverySettings
from accounts.models import Notification, User
from games.achievements.models import Award
from games.achievements.site import ACHIEVEMENTS, SITE
from games.events.models import Entry, Tournament
from games.http import activity, followed
from games.ladders.models import LadderChallenge, LadderPlace
from games.lobby import follows
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import PRESETS
from games.news.models import NewsItem
from games.records import collections
from tests.events.test_event_pages import announced
from tests.fixtures import NOW
from tests.match_driver import begin
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
    with django_assert_max_num_queries(11):
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


# --- Tournaments, collections, and what some people did -------------------------------------------


def finish(people, at, name="Spring Cup", series=""):
    """Write a finished tournament whose places are in the order of the people."""
    made = announced(people[0], name=name, title="die", series=series)
    Tournament.objects.filter(pk=made.pk).update(status="finished", ended=at)
    for place, user in enumerate(people, start=1):
        Entry.objects.create(tournament=made, user=user, joined=at, place=place)
    return made


def test_finished_tournaments_name_their_winners(people):
    finish(people, NOW)
    cup = finish(people, NOW, "Autumn Cup")
    Entry.objects.filter(tournament=cup, user=people[1]).update(place=1)
    assert sorted(texts()) == [
        "ada and bruno shared the first place in Autumn Cup, a tournament of DIE",
        "ada won Spring Cup, a tournament of DIE",
    ]


def test_the_leagues_of_bots_and_their_matches_take_one_line(people):
    bots = [User.objects.create(username=f"bot-{n}", is_bot=True) for n in "abc"]
    day = timedelta(days=1)
    for season in range(5):
        finish(bots, NOW + season * day, f"Season {season}", series=f"league-die-{season}")
        ended_match(bots, [1, 2, 3], NOW + season * day, title="grim-reaper")
    finish(people, NOW)
    assert texts() == [
        "Latest winners of the bots’ leagues: bot-a at DIE",
        "ada won Spring Cup, a tournament of DIE",
    ]


def test_collections_are_named_while_they_are_public_and_not_empty(people):
    ada = people[0]
    match = begin("die", people[:2]).match
    gems = collections.make(user=ada, name="Gems", is_public=True, now=NOW)
    assert texts() == []
    for one in (gems, collections.make(user=ada, name="Mine", now=NOW)):
        collections.add(one, collections.position(match, 0), now=NOW)
    assert texts() == ["ada published the collection “Gems”"]
    collections.change(gems, name="Gems", is_public=False, now=NOW)
    assert texts() == []
    # Those that were public before the activity named them stay where only their address leads.
    collections.change(gems, name="Gems", is_public=True, now=NOW)
    type(gems).objects.update(published=None)
    assert texts() == []


def award(user, at):
    match = ended_match([user, User.objects.get(username="daniel")], [1, 2], at, title="die")
    Award.objects.create(
        user=user, title=SITE, key=ACHIEVEMENTS[0].key, match=match, at=at, is_first=True
    )


def test_a_profile_shows_what_its_player_did(client, people):
    happen(people)
    ada, bruno, clara, _ = people
    award(clara, NOW)
    finish([bruno, ada], NOW)
    page = client.get("/players/ada/").content.decode()
    assert "ada took the place of bruno on the ladder of DIE" in page
    assert "ada came second in Spring Cup, a tournament of DIE" in page
    assert "is looking for" not in page
    page = client.get("/players/clara/").content.decode()
    assert f"clara earned {ACHIEVEMENTS[0].name}" in page
    assert "clara joined the ladder of DIE" in page
    assert 'id="activity"' not in client.get("/players/daniel/").content.decode()


def test_what_some_people_did_takes_a_query_a_kind(people, django_assert_num_queries):
    for user in people[:3]:
        award(user, NOW)
    finish(people, NOW)
    with django_assert_num_queries(3):
        assert len(activity.of_people([user.pk for user in people])) == 6
    with django_assert_num_queries(0):
        assert activity.of_people([]) == []


def test_the_page_shows_what_followed_players_did(client, people):
    ada, bruno, clara, _ = people
    award(bruno, timezone.now())
    award(clara, timezone.now())
    client.force_login(ada)
    assert 'id="followed"' not in client.get(PAGE).content.decode()
    follows.follow(user=ada, other=bruno, now=NOW)
    page = client.get(PAGE).content.decode()
    section = page[page.index('id="followed"') : page.index('id="latest"')]
    assert f"bruno earned {ACHIEVEMENTS[0].name}" in section
    assert "clara" not in section


# --- Who is here now ------------------------------------------------------------------------------


@pytest.mark.parametrize("why", ["", "opt-out", "block", "not followed", "gone"])
def test_followed_players_are_shown_while_they_are_here(client, people, why):
    ada, bruno, clara, _ = people
    follows.follow(user=ada, other=clara if why == "not followed" else bruno, now=NOW)
    if why != "gone":
        presence.touch(bruno.pk, presence.SITE, now=NOW)
    if why == "opt-out":
        User.objects.filter(pk=bruno.pk).update(shows_presence=False)
    if why == "block":
        blocks.block(user=bruno, other=ada, now=NOW)
    people = list(follows.followed(ada))
    assert follows.here_now(people) == ([] if why else [bruno])
    client.force_login(ada)
    for page in ("/", PAGE):
        assert ("On the site now:" in client.get(page).content.decode()) == (not why)


# --- The daily notification -----------------------------------------------------------------------


@pytest.fixture
def wants(people):
    """Ada follows Bruno and wants a mail of what he did."""
    follows.follow(user=people[0], other=people[1], now=NOW)
    return DeliverySettings.objects.create(user=people[0], quiet_mail=[followed.FOLLOWED])


def written():
    return list(Notification.objects.filter(kind=followed.FOLLOWED))


def test_who_wants_it_hears_once_of_the_day_before(people, wants):
    day = timedelta(days=1)
    award(people[1], NOW - day)
    award(people[2], NOW - day)
    finish([people[1]], NOW)
    for hour in range(3):
        followed.notify(NOW + timedelta(hours=hour))
    (one,) = written()
    assert one.recipient == people[0]
    mail = notifications.render(one)
    assert mail.subject == "1 event of players you follow"
    assert f"bruno earned {ACHIEVEMENTS[0].name}: http" in mail.text
    assert "clara" not in mail.text
    assert "Spring Cup" not in mail.text, "it is of today"
    assert notifications.summary(one).url == "/activity/#followed"


@pytest.mark.parametrize("is_gone", [False, True])
def test_it_is_not_sent_if_all_that_it_reports_is_gone(people, wants, is_gone):
    people[0].emailaddress_set.create(email="ada@example.org", verified=True, primary=True)
    award(people[1], NOW - timedelta(days=1))
    followed.notify(NOW)
    if is_gone:
        Award.objects.all().delete()
    outbox.send_due(clock=lambda: NOW)
    (one,) = written()
    assert one.mail_state == ("over" if is_gone else "sent")
    assert len(mail.outbox) == (not is_gone)
    count = "No events" if is_gone else "1 event"
    assert notifications.summary(one).subject == f"{count} of players you follow"


@pytest.mark.parametrize("why", ["nothing", "not wanted", "block"])
def test_nobody_hears_of_nothing(people, wants, why):
    if why != "nothing":
        award(people[1], NOW - timedelta(days=1))
    if why == "not wanted":
        wants.quiet_mail = ["achievement"]
        wants.save()
    if why == "block":
        blocks.block(user=people[1], other=people[0], now=NOW)
    followed.notify(NOW)
    assert written() == []
