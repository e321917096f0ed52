"""Taking one's data away, and deleting an account: asked, called off, carried out."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.db.models import QuerySet
from django.test import Client

from accounts import deletion, personal_data, services, tasks
from accounts.models import AccountDeletion, Block, Notification, User
from accounts.personal_data import PersonalData
from accounts.sanctions.models import Trace
from accounts.security.models import SecurityEvent
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services as match_services
from games.matches.clock import PRESETS
from games.matches.errors import StaleMove
from games.matches.models import Match, Vacation
from games.matches.update import ATTEMPTS
from tests.fixtures import NOW
from tests.people import PASSWORD, confirmed, path_in, sent

pytestmark = pytest.mark.django_db
DATA, DOWNLOAD, DELETE, KEEP = (
    f"/account/data/{part}" for part in ("", "download/", "delete/", "keep/")
)
LATER = NOW + deletion.CANCELLATION_PERIOD


def browser(name="Alice"):
    client = Client()
    client.post("/account/login/", {"login": name, "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


@pytest.fixture
def alice():
    return confirmed("Alice", about="I like geese.")


@pytest.mark.parametrize("path", [DATA, DOWNLOAD, DELETE, KEEP])
def test_visitors_are_sent_to_sign_in(client, path):
    how = client.post if path == KEEP else client.get
    assert how(path).url.startswith("/account/login/")


@pytest.mark.parametrize("path", [DOWNLOAD, DELETE])
def test_the_password_is_asked_for_once_more(client, alice, path):
    client.force_login(alice)
    answer = client.post(path, follow=True)
    assert answer.request["PATH_INFO"] == "/account/reauthenticate/"
    assert not SecurityEvent.objects.filter(kind__in=["data", "deletion"]).exists()
    assert not AccountDeletion.objects.exists()


def test_after_the_password_the_page_offers_the_file(alice):
    client = Client()
    client.post("/account/login/", {"login": "Alice", "password": PASSWORD})
    client.get(DATA)
    asked = client.post(DOWNLOAD, follow=True)
    assert asked.request["PATH_INFO"] == "/account/reauthenticate/"
    fields = {"password": PASSWORD, "next": asked.wsgi_request.GET["next"]}
    page = client.post("/account/reauthenticate/", fields, follow=True)
    assert page["Content-Type"].startswith("text/html"), "a file would leave the old page there"
    assert page.request["PATH_INFO"] == DOWNLOAD
    assert "Your file is ready" in page.content.decode()
    assert f'action="{DOWNLOAD}"' in page.content.decode()
    assert not SecurityEvent.objects.filter(kind="data").exists()
    assert client.post(DOWNLOAD)["Content-Disposition"].startswith("attachment")


def test_all_that_is_stored_is_in_the_file(alice):
    answer = browser().post(DOWNLOAD)
    assert answer["Content-Disposition"] == 'attachment; filename="turnstone-Alice.json"'
    stored = json.loads(answer.content)
    assert stored["account"]["about"] == "I like geese."
    assert stored["email_addresses"][0]["email"] == "alice@example.org"
    assert [event["kind"] for event in stored["security_events"]] == ["signed-in", "data"]
    assert set(stored) >= {"matches", "challenges", "sessions", "notifications"}
    assert "password" not in answer.content.decode()


def test_the_names_in_the_file_are_no_paths_of_the_database(alice, monkeypatch):
    read, names = QuerySet.values, []

    def values(self, *fields, **more):
        names.extend(fields)
        return read(self, *fields, **more)

    monkeypatch.setattr(QuerySet, "values", values)
    personal_data.export(alice)
    assert "email" in names
    assert [name for name in names if "__" in name or name == "pk"] == []


def test_the_file_holds_own_moves_and_nobody_elses(play, people):
    play.move(0, "1")
    play.move(1, "2")
    (seat,) = personal_data.export(people[0])["matches"]
    assert [entry["text"] for entry in seat["entries"]] == ["1"]


def test_blocks_and_vacations_are_in_the_file_and_go_with_the_account(people):
    ada, bruno = people[:2]
    for one, other in ((ada, bruno), (bruno, ada)):
        Block.objects.create(blocker=one, blocked=other, created=NOW)
    Vacation.objects.create(user=ada, begin=NOW, end=LATER)
    stored = personal_data.export(ada)
    assert [block["player"] for block in stored["blocked_players"]] == ["bruno"]
    assert [vacation["end"] for vacation in stored["vacations"]] == [LATER]
    AccountDeletion.objects.create(user=ada, due=NOW)
    assert deletion.delete_due(now=NOW) == 1
    assert not Block.objects.exists()
    assert not Vacation.objects.exists()


def test_a_page_or_a_robot_that_only_looks_deletes_nothing(alice):
    assert browser().get(DELETE).status_code == 200
    assert not AccountDeletion.objects.exists()


def test_asking_ends_other_sessions_and_is_told_by_mail(alice):
    here, there = browser(), browser()
    here.post(DELETE)
    assert "Keep my account" in here.get(DATA).content.decode()
    assert there.get(DATA).status_code == 302
    assert "Your account will be deleted" in [mail.subject for mail in sent()]
    due = AccountDeletion.objects.get().due
    here.post(DELETE)
    assert AccountDeletion.objects.get().due == due, "asking twice puts nothing off"


def test_it_is_called_off(alice):
    client = browser()
    client.post(DELETE)
    client.post(KEEP)
    tasks.delete_accounts()
    assert User.objects.get(pk=alice.pk).username == "Alice"
    assert not AccountDeletion.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/home/", "/games/", "/account/preferences/", "/nowhere/"])
def test_every_page_says_that_the_account_will_be_deleted(alice, path):
    client, other = browser(), Client()
    other.force_login(confirmed("Bert"))
    said = "Your account will be deleted on"
    assert said not in client.get(path, follow=True).content.decode()
    client.post(DELETE)
    page = client.get(path, follow=True).content.decode()
    assert page.count(said) == 1
    assert f'action="{KEEP}"' in page
    for stranger in (other, Client()):
        assert said not in stranger.get(path, follow=True).content.decode()
    client.post(KEEP)
    assert said not in client.get(path, follow=True).content.decode()


def test_the_page_of_the_data_says_it_once(alice):
    client = browser()
    client.post(DELETE)
    assert client.get(DATA).content.decode().count("Your account will be deleted on") == 1


def test_a_device_that_signs_in_later_reads_it_too(alice):
    browser().post(DELETE)
    assert "Your account will be deleted on" in browser().get("/home/").content.decode()


def test_keeping_the_account_is_told_by_mail_once(alice):
    client = browser()
    client.post(KEEP)
    assert sent() == [], "there was nothing to call off"
    client.post(DELETE)
    client.post(KEEP)
    client.post(KEEP)
    (asked, kept) = sent()
    assert (asked.subject, kept.subject) == ("Your account will be deleted", "Your account stays")
    assert "will not be deleted" in kept.body
    assert path_in(kept, "password") == "/account/password/reset/"


def test_keeping_an_account_writes_to_no_address_that_is_not_confirmed(alice):
    EmailAddress.objects.filter(user=alice).update(verified=False)
    client = browser()
    client.post(DELETE)
    client.post(KEEP)
    assert {mail.subject for mail in sent()} == {"Confirm your email address"}


def test_the_only_superuser_stays():
    chief = confirmed("chief", is_superuser=True)
    with pytest.raises(deletion.CannotDelete):
        deletion.ask(chief, now=NOW)
    confirmed("second", is_superuser=True)
    deletion.ask(chief, now=NOW)


def test_no_rematch_with_somebody_who_is_gone(play, people):
    ada, bruno = people[:2]
    play.act(match_services.resign, 0)
    client = Client()
    client.force_login(ada)
    path = f"/matches/{play.id}/"
    assert f'action="{path}rematch/"' in client.get(path).content.decode()
    deletion.ask(bruno, now=NOW)
    deletion.delete_due(now=LATER)
    assert f'action="{path}rematch/"' not in client.get(path).content.decode()
    answer = client.post(f"{path}rematch/")
    assert answer.status_code == 409
    assert "has no account any more" in answer.content.decode()
    assert not Challenge.objects.exists()


def test_the_rematch_with_somebody_who_is_gone_is_still_found(play, people):
    ada, bruno = people[:2]
    play.act(match_services.resign, 0)
    for user in (ada, bruno):
        begun = lobby.rematch(match=play.match, user=user, now=NOW)
    deletion.ask(bruno, now=NOW)
    deletion.delete_due(now=LATER)
    client = Client()
    client.force_login(ada)
    page = client.get(f"/matches/{play.id}/").content.decode()
    assert f'href="/matches/{begun.match_id}/">Go to the rematch' in page


def test_nothing_happens_before_the_day(alice):
    deletion.ask(alice, now=NOW)
    assert deletion.delete_due(now=LATER - timedelta(seconds=1)) == 0
    assert deletion.delete_due(now=LATER) == 1


def test_what_is_left_says_nothing_about_the_person(alice):
    client = browser()
    deletion.ask(alice, now=NOW)
    deletion.delete_due(now=LATER)
    user = User.objects.get(pk=alice.pk)
    assert (user.username, user.email, user.about) == (f"deleted-{user.pk}", "", "")
    assert not user.is_active
    assert not user.has_usable_password()
    for model in (EmailAddress, SecurityEvent, Notification, AccountDeletion):
        assert not model.objects.exists(), model
    assert client.get(DATA).status_code == 302
    confirmed("Alice")


def test_matches_of_others_stay_whole(start, people):
    ada, bruno = people[:2]
    play = start(clock=None)
    play.move(0, "1")
    open_one = lobby.challenge(
        title="heap",
        params={"heap": 10, "free": False},
        creator=ada,
        seats=2,
        audience=Challenge.Audience.OPEN,
        clock=PRESETS["standard"],
        now=NOW,
        message="Hello.",
    )
    deletion.ask(ada, now=NOW)
    deletion.delete_due(now=LATER)
    match = Match.objects.get(pk=play.id)
    assert (match.status, match.ending) == ("over", "resigned")
    assert match.players.get(user=bruno).rank == 1
    page = Client().get(f"/matches/{play.id}/").content.decode()
    assert "deleted player" in page
    assert "deleted-" not in page
    assert ">ada<" not in page
    challenge = Challenge.objects.get(pk=open_one.pk)
    assert (challenge.status, challenge.message) == ("withdrawn", "")


def test_one_that_fails_stops_no_other(alice, monkeypatch, caplog):
    bert = confirmed("Bert")
    for user in (alice, bert):
        deletion.ask(user, now=NOW)

    class Broken(PersonalData):
        def delete(self, user, now):
            if user == alice:
                raise RuntimeError

    monkeypatch.setattr(personal_data, "_parts", [Broken()])
    assert deletion.delete_due(now=LATER) == 1
    assert User.objects.filter(username="Alice").exists()
    assert AccountDeletion.objects.get().user == alice


def test_an_address_that_is_not_confirmed_is_told_nothing():
    zoe = services.create_user(username="zoe", email="zoe@example.org", password=PASSWORD)
    EmailAddress.objects.create(user=zoe, email=zoe.email, primary=True, verified=False)
    client = Client()
    client.force_login(zoe)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    client.post(DELETE)
    assert AccountDeletion.objects.exists()
    assert "Your account will be deleted" not in [mail.subject for mail in sent()]


def test_asking_and_calling_off_again_and_again_is_limited(alice):
    client = browser()
    for _ in range(3):
        assert client.post(DELETE).status_code == 302
        client.post(KEEP)
    assert client.post(DELETE).status_code == 429


def test_superusers_who_leave_do_not_count():
    chief, second = (confirmed(name, is_superuser=True) for name in ("chief", "second"))
    deletion.ask(chief, now=NOW)
    with pytest.raises(deletion.CannotDelete):
        deletion.ask(second, now=NOW)


def test_one_that_is_called_off_before_it_begins_does_nothing(alice, monkeypatch):
    """The list of those that are due is older than the call."""
    deletion.ask(alice, now=NOW)
    bert = confirmed("Bert")
    deletion.ask(bert, now=NOW - timedelta(days=1))
    done = []

    class CallsOff(PersonalData):
        def delete(self, user, now):
            done.append(user)
            deletion.call_off(alice, now=NOW)

    monkeypatch.setattr(personal_data, "_parts", [CallsOff()])
    monkeypatch.setattr(AccountDeletion._meta, "ordering", ["due"])
    assert deletion.delete_due(now=LATER) == 1
    assert done == [bert]
    alice.refresh_from_db()
    assert alice.is_active


def test_one_that_has_begun_is_not_called_off(alice, monkeypatch):
    deletion.ask(alice, now=NOW)
    kept = []

    class CallsOff(PersonalData):
        def delete(self, user, now):
            kept.append(deletion.call_off(user, now=now))

    monkeypatch.setattr(personal_data, "_parts", [CallsOff()])
    assert deletion.delete_due(now=LATER) == 1
    assert kept == [False]


@pytest.mark.parametrize("times", [1, ATTEMPTS])
def test_a_seat_is_left_though_others_move_meanwhile(start, people, monkeypatch, times):
    ada = people[0]
    play, resign, calls = start(clock=None), match_services.resign, []

    def late(**how):
        calls.append(how)
        if len(calls) <= times:
            raise StaleMove("Somebody was first.")
        return resign(**how)

    monkeypatch.setattr(match_services, "resign", late)
    deletion.ask(ada, now=NOW)
    assert deletion.delete_due(now=LATER) == (times < ATTEMPTS)
    assert AccountDeletion.objects.exists() == (times == ATTEMPTS)
    deletion.delete_due(now=LATER + timedelta(days=1))
    assert play.match.ending == "resigned"
    assert User.objects.get(pk=ada.pk).username == f"deleted-{ada.pk}"


def test_traces_go_with_the_account_and_stand_in_the_file(alice):
    Trace.objects.create(user=alice, kind="device", digest="0" * 32, last_seen=NOW)
    data = personal_data.export(alice)
    assert data["hashes_of_addresses_and_browsers"][0]["kind"] == "device"
    assert data["account"]["is_bot_account"] is False
    deletion.ask(alice, now=NOW)
    deletion.delete_due(now=LATER)
    assert not Trace.objects.exists()
