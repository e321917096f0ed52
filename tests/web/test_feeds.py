"""Feeds of one's own: what is in them, as other programs read it, and who gets them."""

from datetime import timedelta
from xml.etree import ElementTree

import icalendar
import pytest
from django.test import Client
from django.utils import timezone

from accounts import personal_data
from accounts.delivery import feeds
from accounts.delivery.models import FeedAddress
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from config.redaction import safe_path, safe_text
from games.matches import services
from games.matches.clock import DAY
from games.matches.clocks import time_given, vacations
from games.matches.models import Player
from games.web.deadline_calendar import MAX_EVENTS
from tests.match_driver import begin

ATOM = {"a": "http://www.w3.org/2005/Atom"}
SETTINGS = "/account/notices/settings/"
RENEW = "/account/notices/feeds/"


@pytest.fixture
def match(people):
    """A match in which seat 0 is to move, against the clock."""
    return begin("die", people, size=3)


def addresses(user):
    feeds.renew(user, now=timezone.now())
    token = feeds.token(user)
    return f"/account/feeds/{token}/events.atom", f"/account/feeds/{token}/deadlines.ics"


def entries(url, client=None):
    """Return the feed as a plain reader has it: title, link and id of each entry."""
    answer = (client or Client()).get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"].startswith("application/atom+xml")
    root = ElementTree.fromstring(answer.content)
    return [
        (
            entry.findtext("a:title", None, ATOM),
            entry.find("a:link", ATOM).get("href"),
            entry.findtext("a:id", None, ATOM),
        )
        for entry in root.findall("a:entry", ATOM)
    ]


def calendar(url):
    answer = Client().get(url)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    return icalendar.Calendar.from_ical(answer.content).events


def test_events_are_what_the_list_on_the_site_says(match, settings):
    settings.SITE_URL = "https://games.example.org"
    atom, _ = addresses(match.people[1])
    assert [title for title, *_ in entries(atom)] == ["Match started: DIE against ada"]
    match.play("a1")
    (entry,) = entries(atom)
    assert entry[0].endswith("DIE against ada")
    assert entry[1] == f"https://games.example.org/matches/{match.id}/"
    told = Notification.objects.get(recipient=match.people[1], kind="your-turn")
    assert entry[2] == f"tag:games.example.org,{told.created:%Y-%m-%d}:notice-{told.pk}"
    assert "summary" not in Client().get(atom).content.decode(), "the line says it all"
    assert told.seen_at is None, "a program has asked, nobody has looked"
    match.play("a2")
    assert entries(atom) == [], "a turn that is taken is no news"


def test_a_deadline_is_an_event_that_moves(match, settings):
    settings.SITE_URL = "https://games.example.org"
    ada = match.people[match.turn]
    _, ics = addresses(ada)
    (event,) = calendar(ics)
    mine = Player.objects.get(match=match.id, user=ada)
    assert event["uid"] == f"deadline-{match.id}-{mine.seat}@games.example.org"
    assert event.start == mine.deadline.replace(microsecond=0)
    assert event["summary"] == "Your time runs out: DIE against bruno"
    assert event["url"] == f"https://games.example.org/matches/{match.id}/"
    first = event["sequence"], event["last-modified"].dt
    time_given.give(match.id, spare=1 - mine.seat, span=timedelta(hours=5), now=timezone.now())
    (moved,) = calendar(ics)
    assert moved["uid"] == event["uid"]
    assert moved.start - event.start == timedelta(hours=5)
    assert moved["sequence"] > first[0]
    match.play("a1", "b1")
    (later,) = calendar(ics)
    assert later["uid"] == event["uid"]
    assert later["sequence"] > moved["sequence"]
    assert later["last-modified"].dt >= first[1]
    match.play("c1")
    assert calendar(ics) == [], "it is the other's turn"


def test_a_clock_that_stands_still_has_no_deadline(match):
    User.objects.update(date_joined=timezone.now() - 1000 * DAY)
    ada = User.objects.get(pk=match.people[match.turn].pk)
    _, ics = addresses(ada)
    now = timezone.now()
    vacations.plan(user=ada, begin=now, end=now + 4 * DAY, shows_end=True, now=now)
    assert calendar(ics) == []
    vacations.end(user=ada, now=now + timedelta(hours=30))
    assert len(calendar(ics)) == 0, "as of now it goes on"


def test_a_match_without_clock_or_at_its_end_has_none(people):
    driver = begin("die", people, size=3)
    ada = driver.people[driver.turn]
    _, ics = addresses(ada)
    Player.objects.update(time_left=None, clock_since=None, deadline=None, remind_at=None)
    assert calendar(ics) == []
    other = begin("die", people, size=3)
    assert len(calendar(ics)) == 1
    other.act(services.resign, other.turn)
    assert calendar(ics) == []


def test_an_agreed_pause_has_no_deadline(match):
    ada = match.turn
    _, ics = addresses(match.people[ada])
    match.act(services.offer_pause, ada)
    match.act(services.accept_offer, 1 - ada)
    assert calendar(ics) == []


def test_both_are_bounded(match, monkeypatch, django_assert_max_num_queries):
    ada = match.people[match.turn]
    atom, ics = addresses(ada)
    monkeypatch.setattr("games.web.deadline_calendar.MAX_EVENTS", 1)
    begin("die", match.people, size=3)
    assert MAX_EVENTS == 200
    assert len(calendar(ics)) <= 1
    rows = [
        Notification(recipient=ada, kind="gone", created=timezone.now(), next_try=timezone.now())
        for _ in range(feeds.MAX_ENTRIES + 20)
    ]
    Notification.objects.bulk_create(rows)
    with django_assert_max_num_queries(20):
        assert len(entries(atom)) == feeds.MAX_ENTRIES


def test_who_has_the_address_needs_no_cookie_and_gets_none(match):
    for url in addresses(match.people[0]):
        answer = Client().get(url)
        assert answer.status_code == 200
        assert not answer.cookies
        assert answer["Cache-Control"] == "private, no-cache"
        again = Client().get(url, headers={"If-None-Match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
        assert Client().post(url).status_code == 405
        assert Client().head(url).status_code == 200


def test_a_changed_feed_is_sent_again(match):
    atom, ics = addresses(match.people[match.turn])
    tags = [Client().get(url)["ETag"] for url in (atom, ics)]
    match.play("a1", "b1")
    for url, tag in zip((atom, ics), tags, strict=True):
        assert Client().get(url, headers={"If-None-Match": tag})["ETag"] != tag


def test_new_addresses_end_the_old_ones(match):
    client = match.client(0)
    assert "Turn feeds on" in client.get(SETTINGS).content.decode()
    assert "/account/feeds/" not in client.get(SETTINGS).content.decode()
    client.post(RENEW)
    old = feeds.token(match.people[0])
    page = client.get(SETTINGS).content.decode()
    assert page.count(f"http://testserver/account/feeds/{old}/") == 2
    client.post(RENEW)
    new = feeds.token(match.people[0])
    other = "B" if new.endswith("A") else "A"
    for name in ("events.atom", "deadlines.ics"):
        assert Client().get(f"/account/feeds/{old}/{name}").status_code == 404
        assert Client().get(f"/account/feeds/{new}/{name}").status_code == 200
        assert Client().get(f"/account/feeds/{new[:-1]}{other}/{name}").status_code == 404
        assert Client().get(f"/account/feeds/{new}x/{name}").status_code == 404
    client.post(RENEW, {"end": ""})
    assert Client().get(f"/account/feeds/{new}/events.atom").status_code == 404
    assert not FeedAddress.objects.exists()


def test_a_get_renews_nothing(match):
    client = match.client(0)
    assert client.get(RENEW).status_code == 405
    assert not FeedAddress.objects.exists()


@pytest.mark.parametrize("kind", [Sanction.Kind.SUSPENSION, Sanction.Kind.BAN])
def test_who_is_shut_out_gets_nothing(match, kind):
    ada, bruno = match.people[:2]
    urls = addresses(ada)
    standing.impose(ada, kind, reason="A test.", moderator=bruno, now=timezone.now())
    assert [Client().get(url).status_code for url in urls] == [404, 404]


def test_who_is_warned_still_reads(match):
    ada, bruno = match.people[:2]
    urls = addresses(ada)
    standing.impose(
        ada, Sanction.Kind.WARNING, reason="A test.", moderator=bruno, now=timezone.now()
    )
    assert [Client().get(url).status_code for url in urls] == [200, 200]


def test_a_closed_account_has_none(match):
    ada = match.people[0]
    urls = addresses(ada)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert [Client().get(url).status_code for url in urls] == [404, 404]


def test_a_new_password_ends_them(client, match):
    ada = match.people[0]
    ada.set_password("correct-horse-battery")
    ada.save()
    urls = addresses(ada)
    client.force_login(ada)
    new = "another-horse-battery"
    client.post(
        "/account/password/change/",
        {"oldpassword": "correct-horse-battery", "password1": new, "password2": new},
    )
    assert User.objects.get(pk=ada.pk).check_password(new)
    assert [Client().get(url).status_code for url in urls] == [404, 404]


def test_another_secret_key_makes_other_addresses(match, settings):
    atom, _ = addresses(match.people[0])
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "new" * 20, [settings.SECRET_KEY]
    # Made when the process starts, as it does with a new key.
    feeds._signer.__init__(salt="accounts.feeds")
    try:
        assert Client().get(atom).status_code == 200, "the old key is still one of the site"
        assert feeds.token(match.people[0]) not in atom
    finally:
        settings.SECRET_KEY = settings.SECRET_KEY_FALLBACKS.pop()
        feeds._signer.__init__(salt="accounts.feeds")


def test_logs_and_own_data_hold_no_token(match):
    addresses(match.people[0])
    token = feeds.token(match.people[0])
    for name in ("events.atom", "deadlines.ics"):
        assert token not in safe_path(f"/account/feeds/{token}/{name}")
        assert token not in safe_text(f"GET /account/feeds/{token}/{name} failed")
    stored = personal_data.export(match.people[0])
    assert [*stored["feed_addresses"][0]] == ["created"]
    assert token not in str(stored)
    assert FeedAddress.objects.get().nonce not in str(stored)


def test_names_cannot_write_events_of_their_own(match):
    """Names hold none of these; whatever is in one is escaped all the same."""
    ada, bruno = match.people[match.turn], match.people[1 - match.turn]
    _, ics = addresses(ada)
    name = "x;y,z\\n\r\nEND:VEVENT"
    User.objects.filter(pk=bruno.pk).update(username=name)
    (event,) = calendar(ics)
    assert "x;y,z" in str(event["summary"])


def test_entries_have_an_author_and_content(match):
    """RFC 4287, 4.1.1: an entry needs an author, its own or that of the feed."""
    atom, _ = addresses(match.people[1])
    root = ElementTree.fromstring(Client().get(atom).content)
    assert root.findtext("a:author/a:name", None, ATOM) == "Turnstone"
    content = root.find("a:entry/a:content", ATOM)
    assert content.get("type") == "html"
    link = root.find("a:entry/a:link", ATOM).get("href")
    assert f'<a href="{link}">' in content.text
    assert "DIE against ada" in content.text


def test_the_calendar_says_how_often_to_look_as_a_duration(match):
    """RFC 7986, 5.7."""
    _, ics = addresses(match.people[0])
    lines = Client().get(ics).content.decode().split("\r\n")
    assert "REFRESH-INTERVAL;VALUE=DURATION:PT1H" in lines
    assert "X-PUBLISHED-TTL:PT1H" in lines
