"""The notification settings: the matrix, hours, tests, what is muted, mails that come back."""

from importlib import import_module

import pytest
from allauth.account.models import EmailAddress
from cryptography.hazmat.primitives.asymmetric import ec
from django.apps import apps
from django.core import mail
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts import notifications, outbox
from accounts.delivery import decisions, encryption, muting, push
from accounts.delivery.models import DeliverySettings, MutedPage, PushDevice
from accounts.models import Notification, User
from tests.fixtures import NOW
from tests.people import confirmed

pytestmark = pytest.mark.django_db
PAGE = "/account/notices/settings/"
TEST = "/account/notices/test/"
BROWSERS = "/account/notices/browsers/"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def alice(client):
    user = confirmed("Alice")
    client.force_login(user)
    return user


@pytest.fixture
def kinds(monkeypatch):
    monkeypatch.setattr(notifications, "_kinds", {})
    for name in ("turn", "ended"):
        notifications.register(
            name,
            title=f"Title of {name}",
            render=lambda notification: None,
            is_urgent=name == "turn",
        )


def chosen(**changes):
    both = {"site-turn": "on", "mail-turn": "now", "site-ended": "on", "mail-ended": "now"}
    hours = {"daily_hour": "18", "quiet_from": "", "quiet_until": ""}
    pushed = {"push-turn": "on", "push-ended": "on"}
    return {
        **both,
        **pushed,
        **hours,
        **{name.replace("_", "-", 1): v for name, v in changes.items()},
    }


def settings_of(user):
    user.refresh_from_db()
    return DeliverySettings.objects.get(user=user)


def test_visitors_sign_in(client):
    assert client.get(PAGE).url.startswith("/account/login/")
    for path in (PAGE, f"{TEST}mail/", "/account/notices/unmute/", BROWSERS, "/matches/1/mute/"):
        assert client.post(path).url.startswith("/account/login/")


def test_it_asks_for_a_token(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    for path in (PAGE, f"{TEST}mail/", "/account/notices/unmute/", BROWSERS):
        assert client.post(path).status_code == 403


def test_every_kind_has_a_row(client, alice):
    page = client.get(PAGE).content.decode()
    for name, kind in notifications.chosen_kinds().items():
        assert f'name="site-{name}"' in page
        assert f'name="mail-{name}"' in page
        assert kind.title in page
    assert "mail-test" not in page


def test_it_is_a_group_of_the_settings_and_the_notifications_lead_there(client, alice):
    current = f'<a href="{PAGE}" aria-current="page">Notifications</a>'
    assert current in client.get(PAGE).content.decode()
    assert f'href="{PAGE}"' in client.get("/account/notices/").content.decode()


def test_the_matrix_is_kept(client, alice, kinds):
    assert client.post(PAGE, chosen(mail_turn="daily", mail_ended="never")).url == PAGE
    stored = settings_of(alice)
    assert (alice.mail_off, stored.mail_daily, stored.site_off) == (["ended"], ["turn"], [])
    form = client.get(PAGE).context["form"]
    assert [mail.value() for _, _, mail, _ in form.matrix] == ["daily", "never"]


def test_it_names_the_address_of_the_user(client, alice):
    page = client.get(PAGE).content.decode()
    assert "Test email to alice@example.org" in page
    assert "We send you no emails" not in page
    EmailAddress.objects.update(verified=False)
    assert "We send you no emails until you" in client.get(PAGE).content.decode()


def chosen_preset(client):
    return client.get(PAGE).context["form"]["preset"].value()


@pytest.mark.parametrize(
    ("preset", "off"),
    [
        ("everything", ([], [])),
        ("urgent", (["ended"], ["ended"])),
        ("quiet", (["ended", "turn"], [])),
    ],
)
def test_a_preset_decides_about_all_kinds(client, alice, kinds, preset, off):
    client.post(PAGE, {**chosen(mail_turn="daily", mail_ended="bogus"), "preset": preset})
    stored = settings_of(alice)
    assert (alice.mail_off, stored.push_off) == off
    assert (stored.site_off, stored.mail_daily) == ([], [])
    assert chosen_preset(client) == preset


@pytest.mark.parametrize(
    ("preset", "off"),
    [("everything", (False, False)), ("urgent", (True, True)), ("quiet", (True, False))],
)
def test_a_preset_decides_about_a_kind_that_comes_later(client, alice, kinds, preset, off):
    client.post(PAGE, {**chosen(), "preset": preset})
    notifications.register("later", title="A later kind", render=lambda _: None)
    stored = settings_of(alice)
    not_mailed = decisions.not_mailed_kinds(alice, stored)
    assert ("later" in not_mailed, "later" in decisions.not_pushed_kinds(stored)) == off
    assert chosen_preset(client) == preset


def test_a_quiet_kind_stays_on_the_site_until_a_reader_turns_more_on(client, alice, kinds):
    notifications.register("quiet", title="A quiet kind", render=lambda _: None, is_quiet=True)

    def off():
        stored = settings_of(alice)
        not_mailed = decisions.not_mailed_kinds(alice, stored)
        return "quiet" in not_mailed, "quiet" in decisions.not_pushed_kinds(stored)

    quiet = {"site-quiet": "on", "mail-quiet": "daily", "push-quiet": "on"}
    for preset in ("everything", "urgent", "quiet"):
        client.post(PAGE, {**chosen(), **quiet, "preset": preset})
        assert (off(), chosen_preset(client)) == ((True, True), preset)
    client.post(PAGE, {**chosen(), **quiet, "preset": "custom"})
    assert (off(), chosen_preset(client)) == ((False, False), "custom")
    assert settings_of(alice).mail_daily == ["quiet"]
    client.post(PAGE, {**chosen(), "mail-quiet": "never", "preset": "custom"})
    assert off() == (True, True)


def test_a_preset_is_left_for_choices_by_kind(client, alice, kinds):
    client.post(PAGE, {**chosen(), "preset": "quiet"})
    client.post(PAGE, {**chosen(mail_ended="never"), "preset": "custom"})
    assert settings_of(alice).preset == ""
    assert decisions.not_mailed_kinds(alice, settings_of(alice)) == {"ended"}


def test_what_no_preset_says_is_custom(client, alice, kinds):
    assert chosen_preset(client) == "everything"
    client.post(PAGE, {**chosen(mail_turn="daily"), "preset": "custom"})
    assert chosen_preset(client) == "custom"
    assert settings_of(alice).mail_daily == ["turn"]
    refused = client.post(PAGE, {**chosen(), "preset": "nonsense"})
    assert refused.context["form"].errors["preset"]


def test_the_games_say_which_kinds_are_urgent():
    urgent = [name for name, kind in notifications.chosen_kinds().items() if kind.is_urgent]
    quiet = [name for name, kind in notifications.chosen_kinds().items() if kind.is_quiet]
    assert sorted(quiet) == ["achievement", "followed-activity", "team-called"]
    assert urgent == ["your-turn", "time-short", "pause-ends", "round-ending", "moved-up"]


def test_boxes_that_are_not_ticked_are_off(client, alice, kinds):
    without = chosen()
    del without["site-turn"], without["push-ended"]
    client.post(PAGE, without)
    stored = settings_of(alice)
    assert (stored.site_off, stored.push_off) == (["turn"], ["ended"])


def test_kinds_that_are_not_known_now_stay_as_they_were(client, alice, kinds):
    User.objects.update(mail_off=["of-old", "turn"])
    DeliverySettings.objects.create(user=alice, mail_daily=["of-old"], site_off=["of-old"])
    client.post(PAGE, chosen())
    stored = settings_of(alice)
    assert alice.mail_off == stored.mail_daily == stored.site_off == ["of-old"]


def test_what_was_off_before_there_was_a_matrix_is_off(client, alice, kinds):
    User.objects.update(mail_off=["turn"])
    form = client.get(PAGE).context["form"]
    assert [mail.value() for _, _, mail, _ in form.matrix] == ["never", "now"]


def test_hours_are_kept(client, alice, kinds):
    hours = {"daily_hour": "7", "quiet_from": "22", "quiet_until": "6"}
    client.post(PAGE, {**chosen(), **hours})
    stored = settings_of(alice)
    assert (stored.daily_hour, stored.quiet_from, stored.quiet_until) == (7, 22, 6)


@pytest.mark.parametrize(
    "changes",
    [
        {"mail-turn": "hourly"},
        {"mail-turn": ""},
        {"daily_hour": "24"},
        {"daily_hour": ""},
        {"quiet_from": "22"},
        {"quiet_from": "-1", "quiet_until": "3"},
    ],
)
def test_what_there_is_not_is_refused_and_kept_in_the_form(client, alice, kinds, changes):
    response = client.post(PAGE, {**chosen(mail_ended="never"), **changes})
    assert response.status_code == 200
    assert response.context["form"].errors
    assert [mail.value() for _, _, mail, _ in response.context["form"].matrix][1] == "never"
    alice.refresh_from_db()
    assert alice.mail_off == []
    assert not DeliverySettings.objects.exists()


def test_a_test_by_mail(client, alice):
    assert client.post(f"{TEST}mail/").url == PAGE
    outbox.send_due(clock=timezone.now)
    assert [message.subject for message in mail.outbox] == ["A test from Turnstone"]
    assert "We are sending you a test by email." in client.get(PAGE).content.decode()


def test_a_test_on_the_site(client, alice):
    client.post(f"{TEST}site/")
    assert "This is a test" in client.get("/account/notices/").content.decode()
    assert Notification.objects.get().mail_state == "off"


def test_a_test_by_pigeon(client, alice):
    assert client.post(f"{TEST}pigeon/").status_code == 404
    assert client.get(f"{TEST}mail/").status_code == 405


def browser_keys():
    key = ec.generate_private_key(ec.SECP256R1())
    return {
        "public_key": encryption.encode(encryption.public(key)),
        "secret": encryption.encode(b"s" * 16),
    }


def test_a_browser_is_turned_on_tried_and_removed(client, alice):
    given = {"endpoint": "https://push.example.org/1", **browser_keys()}
    firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
    assert client.post(BROWSERS, given, headers={"user-agent": firefox}).url == PAGE
    page = client.get(PAGE).content.decode()
    assert "Firefox on Linux" in page
    assert "Test push" in page
    device = PushDevice.objects.get()
    client.force_login(confirmed("bruno"))
    assert client.post(f"{BROWSERS}{device.pk}/").status_code == 404
    client.force_login(alice)
    assert client.post(f"{BROWSERS}{device.pk}/").url == PAGE
    assert not PushDevice.objects.exists()


@pytest.mark.slow
@pytest.mark.parametrize(
    "changes",
    [
        {"endpoint": "http://push.example.org/1"},
        {"endpoint": "https://push.example.org:8443/1"},
        {"endpoint": "https://me:secret@push.example.org/1"},
        {"endpoint": "https://[::1/"},
        {"endpoint": "https://push.example.org/" + "x" * 500},
        {"endpoint": ""},
        {"public_key": "AAAA"},
        {"public_key": "é"},
        {"secret": "AAAA"},
        {"secret": ""},
    ],
)
def test_what_is_no_browser_is_refused(client, alice, changes):
    given = {"endpoint": "https://push.example.org/1", **browser_keys(), **changes}
    page = client.post(BROWSERS, given, follow=True).content.decode()
    assert "did not give us an address" in page
    assert not PushDevice.objects.exists()


def test_a_browser_whose_push_service_fails_is_marked(client, alice):
    push.subscribe(
        alice, endpoint="https://p.example.org/", **browser_keys(), browser="Chrome", now=NOW
    )
    assert "We’ll try again" not in client.get(PAGE).content.decode()
    PushDevice.objects.update(refusals=1)
    assert "We’ll try again" in client.get(PAGE).content.decode()


def test_tests_are_bounded(client, alice):
    answers = [client.post(f"{TEST}mail/").status_code for _ in range(7)]
    assert answers[0] == 302
    assert answers[-1] == 429


def test_mails_that_come_back_are_told_of_until_one_is_tried(client, alice):
    DeliverySettings.objects.create(user=alice, refused_address=alice.email, refusals=5)
    for path in (PAGE, "/home/", "/"):
        assert "Your emails come back" in client.get(path).content.decode(), path
    client.post(f"{TEST}mail/")
    assert "Your emails come back" not in client.get(PAGE).content.decode()
    outbox.send_due(clock=timezone.now)
    assert len(mail.outbox) == 1


def test_a_match_is_muted_and_heard_of_again(client, play):
    ada = play.people[0]
    client.force_login(ada)
    page = f"/matches/{play.id}/"
    assert "Mute this match" in client.get(page).content.decode()
    assert client.post(f"{page}mute/").url == page
    assert muting.is_muted(ada, f"match:{play.id}")
    assert 'name="unmute"' in client.get(page).content.decode()
    listed = client.get(PAGE).content.decode()
    assert f'<a href="{page}">Heap: ada and bruno</a>' in listed
    client.post("/account/notices/unmute/", {"page": f"match:{play.id}"})
    assert not MutedPage.objects.exists()
    client.post(f"{page}mute/")
    client.post(f"{page}mute/", {"unmute": ""})
    assert not MutedPage.objects.exists()


def test_a_match_that_is_not_there_is_not_muted(client, alice):
    assert client.post("/matches/99/mute/").status_code == 404
    assert not MutedPage.objects.exists()


def test_moves_by_mail_are_chosen_where_they_are_taken(client, alice, kinds, settings):
    assert "mail_replies" not in client.get(PAGE).content.decode()
    client.post(PAGE, chosen())
    assert settings_of(alice).mail_replies, "not asked, not changed"
    settings.REPLY_DOMAIN = "play.example.org"
    assert "mail_replies" in client.get(PAGE).content.decode()
    client.post(PAGE, chosen())
    assert not settings_of(alice).mail_replies
    client.post(PAGE, {**chosen(), "mail_replies": "on"})
    assert settings_of(alice).mail_replies


URGENT = ["time-short", "your-turn"]


@pytest.mark.parametrize(
    ("mail_off", "push_off", "preset"),
    [
        ("all", [], "quiet"),
        ("others", "others", "urgent"),
        ("others", [], ""),
        (URGENT, [], ""),
    ],
)
def test_presets_are_found_in_what_was_turned_off_before(alice, mail_off, push_off, preset):
    migration = import_module("accounts.migrations.0021_presets")
    off = {"all": sorted(migration.KINDS), "others": sorted(migration.KINDS - migration.URGENT)}
    User.objects.update(mail_off=off.get(str(mail_off), mail_off))
    DeliverySettings.objects.create(user=alice, push_off=off.get(str(push_off), push_off))
    migration.find_presets(apps, None)
    assert settings_of(alice).preset == preset
