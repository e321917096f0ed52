"""Texts that people write and others read: what they lose, and in which direction they run."""

import json
from html.parser import HTMLParser
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import models
from django.test import Client
from django.utils import timezone

from accounts import texts
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.events import services as events
from games.events.models import Tournament
from games.lobby import services as lobby
from games.lobby.models import Challenge, Invitation
from games.lobby.notification_emails import challenge_email
from games.matches import services as matches
from games.matches.clock import DAY, PRESETS
from games.moderation import actions, cases
from games.moderation.models import AbandonedSeat
from games.news.models import NewsItem
from games.records import collections, imports
from games.records.models import Collection
from games.study.models import Study
from games.talk import services as talk
from tests.fixtures import NOW
from tests.match_driver import fresh_cache, match_driver
from tests.moderation import make_moderator, reported
from tests.people import confirmed, sign_in_staff

__all__ = ["fresh_cache", "match_driver"]

TURNED = "\u202eabc\u202c"
"""A text that is shown from right to left: ``cba``."""

INVISIBLE = [
    "\u200d",
    "\u3164",
    "\u200b \u2060",
    "\uffa0\u115f\u1160",
    "\u2800",
    "\ufe0f",
    "\u0301",
]


# --- Cleaning -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("  a  b \r\n\n c\t", "a  b \n\n c"),
        ("a\u2028b\rc", "a\nb\nc"),
        (TURNED, "abc"),
        ("\u2066a\u2069\u200eb\u200f\u061cc", "abc"),
        ("a\x07b\ufeff\u00ad\ue000\ud800c", "abc"),
        ("a\u3164b\U000e0041\ufff0", "ab"),
        ("👩\u200d🚀", "👩\u200d🚀"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("❤\ufe0f", "❤\ufe0f"),
        ("葛\U000e0100", "葛\U000e0100"),
        ("\u200d \u200ca\u200d \u2800", "a"),
        ("⠁⠀⠃", "⠁⠀⠃"),
        ("e\u0301", "e\u0301"),
        *((text, "") for text in INVISIBLE),
    ],
)
def test_a_text_loses_what_cannot_be_seen(text, kept):
    assert texts.lines(text) == kept
    assert texts.one_line(text) == " ".join(kept.split())


def test_a_long_run_of_spaces_and_joiners_goes():
    assert texts.lines("\u200d " * 2000 + "a") == "a"


WRITTEN = {"about", "answer", "appeal", "message", "name", "note", "reason", "text"}
"""Names of columns for what somebody writes."""

NOT_SHOWN = {
    "accounts.ApiToken.name",
    "accounts.OutgoingMail.text",
    "accounts.SiteKey.name",
    "match.LogEntry.reason",
    "match.LogEntry.text",
    "match.StandingOrder.name",
    "match.Sweep.name",
}
"""Those that people don't write, or only their owner reads. Forms clean the reasons in a log."""


def test_every_column_that_people_write_cleans():
    columns = {
        str(field): field
        for model in apps.get_models()
        if model.__module__.startswith(("accounts.", "games."))
        for field in model._meta.concrete_fields
        if isinstance(field, (models.CharField, models.TextField)) and not field.choices
    }
    unclean = {
        name
        for name, field in columns.items()
        if field.name in WRITTEN and not isinstance(field, texts._Cleaned)
    }
    assert unclean == NOT_SHOWN
    assert isinstance(columns["news.NewsItem.title"], texts._Cleaned)


def test_nul_is_refused_by_forms_and_stored_by_no_column(people):
    assert texts.lines("a\0b") == "a\0b"
    assert texts.lines(" \0") == ""
    ada = people[0]
    ada.about = "a\0b"
    ada.save()
    assert ada.about == "ab"
    page = client_of(ada).post("/account/profile/", {"about": "c\0d"}).content.decode()
    assert "Null characters are not allowed." in page


def test_a_row_is_cleaned_however_it_is_written(people):
    ada = people[0]
    ada.about = TURNED
    ada.save()
    assert ada.about == "abc"
    ada.refresh_from_db()
    assert ada.about == "abc"
    User.objects.filter(pk=ada.pk).update(about=f"{TURNED}d")
    ada.refresh_from_db()
    assert ada.about == "abcd"
    Collection.objects.bulk_create([Collection(owner=ada, name=f" {TURNED}\n ", created=NOW)])
    assert Collection.objects.get().name == "abc"


# --- Interfaces ---------------------------------------------------------------------------------


def client_of(user):
    client = Client()
    client.force_login(user)
    return client


def api(client, path, **sent):
    return client.post(f"/api/v1/{path}", json.dumps(sent), content_type="application/json")


NEW = {
    "audience": "open",
    "clock": "standard",
    "seats": "2",
    "rated": "0",
    "seating": "random",
    "lifetime": "9",
    "param-heap": "10",
}
CUP = {
    "format": "swiss",
    "rounds": "3",
    "least": "4",
    "most": "8",
    "round_days": "21",
    "clock": "standard",
    "param-heap": "10",
    "seats": "2",
}


def test_forms_and_programs_write_no_hidden_characters(toy, people):
    ada, bruno = map(client_of, people[:2])
    ada.post("/games/heap/challenge/", {**NEW, "message": f"{TURNED}\nd"})
    assert Challenge.objects.get().message == "abc\nd"
    named = {"audience": "named", "players": ["bruno"], "seats": 2, "clock": None}
    sent = {"title": "heap", "params": {}, "message": TURNED, "submission": str(uuid4()), **named}
    assert api(ada, "challenges/", **sent).json()["message"] == "abc"
    pk = Challenge.objects.latest("pk").pk
    bruno.post(f"/challenges/{pk}/decline/", {"reason": f"{TURNED}\nd"})
    assert Invitation.objects.get(user=people[1]).reason == "abc d"
    ada.post("/account/profile/", {"about": TURNED})
    assert User.objects.get(username="ada").about == "abc"
    when = (timezone.now() + 5 * DAY).date().isoformat()
    ada.post("/events/new/heap/", {**CUP, "starts": when, "name": TURNED, "about": TURNED})
    made = Tournament.objects.get()
    assert (made.name, made.about) == ("abc", "abc")
    ada.post("/collections/", {"name": TURNED})
    assert Collection.objects.get().name == "abc"


@pytest.mark.parametrize("name", INVISIBLE)
def test_a_name_that_cannot_be_seen_is_none(toy, people, name):
    ada = client_of(people[0])
    when = (timezone.now() + 5 * DAY).date().isoformat()
    for path, sent in {"events/new/heap": {**CUP, "starts": when}, "collections": {}}.items():
        page = ada.post(f"/{path}/", {**sent, "name": name}).content.decode()
        assert "This field is required." in page
    with pytest.raises(collections.MayNotCollect, match="needs a name"):
        collections.make(user=people[0], name=name, now=NOW)
    assert not Tournament.objects.exists()
    assert not Collection.objects.exists()


@pytest.mark.parametrize("line", INVISIBLE)
def test_a_line_that_cannot_be_seen_is_not_written(match_driver, line):
    with pytest.raises(talk.NoLine):
        say(match_driver, line)


def say(driver, line):
    sent = {"text": line, "submission": uuid4(), "now": timezone.now()}
    return talk.say(match_id=driver.id, user=driver.people[0], **sent).line


TREE = {
    "game": "die",
    "rules": 1,
    "seats": 2,
    "params": {"size": 4},
    "start": {"setup": []},
    "nodes": [{"id": 1, "parent": 0, "seat": 0, "text": "c3", "name": TURNED, "note": TURNED}],
}


def test_boards_and_their_moves_lose_hidden_characters(people):
    ada = client_of(people[0])
    made = api(ada, "boards/", name=TURNED, tree=TREE).json()
    (node,) = made["tree"]["nodes"]
    assert (made["name"], node["name"], node["note"]) == ("abc", "abc", "abc")
    assert api(ada, "boards/", name="\u200d", tree=TREE).status_code == 422
    page = f"/boards/{made['key']}/1/"
    ada.post(page, {"action": "note", "name": TURNED, "note": f"{TURNED}\n{TURNED}"})
    (node,) = Study.objects.get().tree["nodes"]
    assert (node["name"], node["note"]) == ("abc", "abc\nabc")


@pytest.fixture
def imported(match_driver):
    """A record with the names ``abc`` turned round, and one that can't be seen."""
    match_driver.act(matches.resign, 0)
    record = match_driver.client(None).get(f"{match_driver.page}export.json").json()
    for player, name in zip(record["players"], (TURNED, "\u3164"), strict=True):
        player["name"] = name
    data = json.dumps(record).encode()
    return imports.take_in(user=match_driver.people[2], data=data, now=NOW)


def test_names_in_imported_records_lose_hidden_characters(match_driver, imported):
    client = match_driver.client(2)
    for path in ("/imported/", f"/imported/{imported.pk}/0/"):
        page = client.get(path).content.decode()
        assert "abc" in page
        assert "Player 2" in page
        assert "\u202e" not in page


# --- Direction ----------------------------------------------------------------------------------

HEBREW = "שלום"
VOID = {"br", "col", "hr", "img", "input", "link", "meta", "source", "wbr"}


class Undirected(HTMLParser):
    """Finds Hebrew outside of elements that let a text decide in which direction it runs."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.found = []
        self.seen = 0

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        if tag in ("input", "textarea"):
            self._check(given.get("value") or "", [*self.open, (tag, given.get("dir"))])
        if tag not in VOID:
            self.open.append((tag, given.get("dir")))

    def handle_endtag(self, tag):
        while tag in [name for name, _ in self.open] and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        self._check(data, self.open)

    def _check(self, text, around):
        tags = [tag for tag, _ in around]
        if HEBREW not in text or {"title", "script", "option"} & set(tags):
            return
        self.seen += 1
        if "auto" not in [direction for _, direction in around]:
            self.found.append((" > ".join(tags), text.strip()[:80]))


def check_direction(html):
    parser = Undirected()
    parser.feed(html)
    assert parser.found == []
    assert parser.seen, "there is Hebrew in it"


def check_page(client, path):
    answer = client.get(path)
    assert answer.status_code == 200
    check_direction(answer.content.decode())


def test_profiles_challenges_and_their_mails(toy, people):
    ada, bruno, clara, _ = people
    User.objects.filter(pk=ada.pk).update(about=HEBREW)
    terms = {"title": "heap", "params": {}, "clock": None, "seats": 2, "now": timezone.now()}
    terms |= {"creator": ada, "message": HEBREW}
    lobby.challenge(**terms, audience=Challenge.Audience.OPEN)
    asked = lobby.challenge(**terms, audience=Challenge.Audience.NAMED, invited=[bruno])
    visitor, reader = client_of(clara), client_of(bruno)
    check_page(visitor, "/players/ada/")
    check_page(client_of(ada), "/account/profile/")
    for path in ("/", "/lobby/", "/home/"):
        check_page(reader, path)
    check_page(reader, asked.get_absolute_url())
    lobby.decline(challenge_id=asked.pk, user=bruno, reason=HEBREW, now=timezone.now())
    check_page(client_of(ada), asked.get_absolute_url())
    for kind in ("challenge-received", "challenge-declined"):
        check_direction(challenge_email(Notification.objects.get(kind=kind)).html)


def test_tournaments(toy, people):
    terms = {"title": "heap", "params": {}, "clock": PRESETS["standard"], "round_days": 21}
    terms |= {"format": Tournament.Format.ROUND_ROBIN, "most": 3, "starts": timezone.now() + DAY}
    made = events.create(
        organiser=people[0], name=HEBREW, about=HEBREW, now=timezone.now(), **terms
    )
    reader = client_of(people[1])
    check_page(reader, "/events/")
    check_page(reader, made.get_absolute_url())
    for user in people[:3]:
        events.join(tournament_id=made.pk, user=user, now=timezone.now())
    events.advance(made.pk, now=timezone.now())
    match = people[0].seats.first().match
    check_page(reader, match.get_absolute_url())
    made.entries.filter(user=people[0]).update(place=1)
    Tournament.objects.update(status="finished", ended=timezone.now())
    check_page(reader, "/players/ada/")


def test_chat_comments_notes_and_greetings(match_driver):
    say(match_driver, HEBREW)
    client = match_driver.client(0)
    check_page(client, f"{match_driver.page}chat/")
    talk.keep_note(match_id=match_driver.id, user=match_driver.people[0], text=HEBREW, now=NOW)
    check_page(client, match_driver.page)
    talk.set_greeting(user=match_driver.people[0], text=HEBREW)
    check_page(client, "/account/people/")
    match_driver.act(matches.resign, 0)
    sent = {"text": HEBREW, "submission": uuid4(), "now": timezone.now()}
    talk.comment(match_id=match_driver.id, number=1, user=match_driver.people[1], **sent)
    check_page(client, f"{match_driver.page}1/")


def test_news(people):
    NewsItem.objects.create(title=HEBREW, text=HEBREW)
    check_page(Client(), "/activity/")


def test_collections_boards_and_imported_records(match_driver):
    match_driver.act(matches.resign, 0)
    user = match_driver.people[2]
    client = match_driver.client(2)
    record = match_driver.client(None).get(f"{match_driver.page}export.json").json()
    record["players"][0]["name"] = HEBREW
    found = imports.take_in(user=user, data=json.dumps(record).encode(), now=NOW)
    made = collections.make(user=user, name=HEBREW, now=NOW)
    collections.add(made, collections.position(found, 1), now=NOW)
    check_page(client, "/collections/")
    check_page(client, made.get_absolute_url())
    check_page(client, f"/imported/{found.pk}/1/bookmark/")
    check_page(client, "/imported/")
    for number in (0, 1):
        check_page(client, f"/imported/{found.pk}/{number}/")
    node = {**TREE["nodes"][0], "name": HEBREW, "note": HEBREW}
    made = api(client, "boards/", name=HEBREW, tree={**TREE, "nodes": [node]}).json()
    for path in ("/boards/", f"/boards/{made['key']}/0/", f"/boards/{made['key']}/1/"):
        check_page(client, path)


def test_what_moderators_read_and_write(toy, play, people):
    clara = make_moderator(confirmed("wanda"))
    case = reported(play.id, people[0], people[1], text=f"{HEBREW} {'x' * 30}").case
    how = {"moderator": clara, "reason": HEBREW, "now": timezone.now()}
    cases.claim(case, moderator=clara, now=timezone.now())
    case.notes.create(author=clara, text=HEBREW, created=timezone.now())
    actions.abandon(case, play.id, **how)
    seat = AbandonedSeat.objects.get()
    for user in people[:2]:
        check_page(client_of(user), seat.get_absolute_url())
    imposed = actions.sanction(case, Sanction.Kind.MUTE, until=timezone.now() + DAY, **how)
    suspect = client_of(people[1])
    check_page(suspect, "/account/standing/")
    standing.appeal(people[1], imposed.pk, HEBREW, now=timezone.now())
    desk = Client()
    sign_in_staff(desk, clara)
    for path in (case.get_absolute_url(), "/desk/log/"):
        check_page(desk, path)
    imposed.refresh_from_db()
    standing.answer(imposed, HEBREW, now=timezone.now())
    check_page(suspect, "/account/standing/")
    other = make_moderator(confirmed("walter"))
    reader = Client()
    sign_in_staff(reader, other)
    check_page(reader, f"/desk/sanctions/{imposed.pk}/")
    standing.lift(imposed, now=timezone.now())
    check_page(suspect, "/account/standing/")
