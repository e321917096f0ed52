"""Preferences, profile, times in the reader's zone, and who may enter which page."""

from datetime import UTC, datetime

import pytest
from django.core.cache import cache
from django.template import engines
from django.test import RequestFactory
from django.utils import timezone, translation

from accounts import languages, notifications, zones
from accounts.middleware import ReaderMiddleware
from accounts.models import User
from tests.people import confirmed

pytestmark = pytest.mark.django_db
PREFERENCES = "/account/preferences/"
PROFILE = "/account/profile/"
NOON = datetime(2026, 7, 1, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


@pytest.fixture
def alice(client):
    user = confirmed("Alice")
    client.force_login(user)
    return user


@pytest.mark.parametrize(
    "page", ["", "preferences/", "profile/", "notices/", "email/", "password/change/"]
)
def test_who_is_not_signed_in_is_sent_to_sign_in(client, page):
    response = client.get(f"/account/{page}", follow=True)
    path, query = response.request["PATH_INFO"], response.request["QUERY_STRING"]
    assert path == "/account/login/"
    assert query.startswith(("next=%2Faccount%2F", "next=/account/"))


@pytest.mark.parametrize("page", ["preferences/", "profile/", "notices/seen/"])
def test_who_is_not_signed_in_changes_nothing(client, page):
    response = client.post(f"/account/{page}", {"theme": "dark"})
    assert response.status_code == 302
    assert response.url.startswith("/account/login/")


@pytest.mark.parametrize("page", ["preferences/", "profile/", "notices/"])
def test_pages_are_kept_by_nobody(client, alice, page):
    response = client.get(f"/account/{page}")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize(
    ("method", "page"), [("get", "notices/seen/"), ("post", "notices/"), ("put", "preferences/")]
)
def test_only_the_right_methods(client, alice, method, page):
    assert getattr(client, method)(f"/account/{page}").status_code == 405


def kept(**changes):
    return {"time_zone": "Asia/Tokyo", "theme": "dark", **changes}


def test_preferences_are_kept(client, alice):
    response = client.post(PREFERENCES, kept(confirm_moves="on"))
    assert response.url == PREFERENCES
    alice.refresh_from_db()
    assert (alice.time_zone, alice.theme, alice.confirm_moves) == ("Asia/Tokyo", "dark", True)
    assert 'data-theme="dark"' in client.get(PREFERENCES).content.decode()


def test_boxes_that_are_not_ticked_are_off(client, alice):
    client.post(PREFERENCES, kept())
    alice.refresh_from_db()
    assert alice.confirm_moves is False


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"time_zone": "Mars/Phobos"}, "time_zone"),
        ({"time_zone": ""}, "time_zone"),
        ({"time_zone": "../../../etc/passwd"}, "time_zone"),
        ({"theme": "neon"}, "theme"),
    ],
)
def test_what_there_is_not_is_refused(client, alice, changes, field):
    response = client.post(PREFERENCES, kept(**changes))
    assert response.context["form"].errors[field]
    kept_zone = '<option value="Asia/Tokyo" selected>' in response.content.decode()
    assert kept_zone or field == "time_zone"
    alice.refresh_from_db()
    assert (alice.time_zone, alice.theme) == ("UTC", "auto")


def test_nobody_makes_himself_staff(client, alice):
    client.post(PREFERENCES, kept(is_staff="on", is_superuser="on", username="admin"))
    client.post(PROFILE, {"is_staff": "on", "email": "x@example.org", "username": "admin"})
    alice.refresh_from_db()
    assert not alice.is_staff
    assert not alice.is_superuser
    assert (alice.username, alice.email) == ("Alice", "alice@example.org")


def test_the_profile_is_kept(client, alice):
    client.post(PROFILE, {"about": "I <b>play</b>.", "country": "NZ", "languages": ["de"]})
    alice.refresh_from_db()
    assert alice.about == "I <b>play</b>."
    assert alice.country.name == "New Zealand"
    assert alice.languages == ["de"]
    page = client.get(alice.get_absolute_url()).content.decode()
    assert "New Zealand" in page
    assert "Deutsch (German)" in page
    assert "I &lt;b&gt;play&lt;/b&gt;." in client.get(PROFILE).content.decode()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"about": "x" * 1001}, "about"),
        ({"about": "x\x00"}, "about"),
        ({"country": "XX"}, "country"),
        ({"languages": ["klingon"]}, "languages"),
        ({"languages": list(languages.offered())[:7]}, "languages"),
    ],
)
def test_the_profile_refuses(client, alice, changes, field):
    response = client.post(PROFILE, {"about": "Still here.", **changes})
    assert response.context["form"].errors[field]
    if field != "about":
        assert "Still here." in response.content.decode()
    alice.refresh_from_db()
    assert (alice.about, str(alice.country), alice.languages) == ("", "", [])


def test_languages_that_are_chosen_come_first():
    chosen = languages.choices(first=["de", "fr", "klingon"])
    assert [code for code, _ in chosen[:2]] == ["fr", "de"]
    assert sorted(chosen) == sorted(languages.offered().items())


def test_languages_that_are_not_known_are_left_out():
    assert languages.names(["de", "klingon"]) == ["Deutsch (German)"]


class TestZones:
    def test_every_zone_that_is_offered_is_there(self):
        assert {"Europe/Berlin", "America/Argentina/Buenos_Aires"} <= set(zones.offered())
        assert 300 < len(zones.offered()) < 500
        assert set(zones.offered()) <= zones.known()

    @pytest.mark.parametrize(
        ("name", "label"),
        [
            ("UTC", "UTC (UTC, 12:00)"),
            ("Europe/Berlin", "Berlin (UTC+02:00, 14:00)"),
            ("Asia/Kolkata", "Kolkata (UTC+05:30, 17:30)"),
            ("America/St_Johns", "St John’s (UTC−02:30, 09:30)"),
            ("America/Argentina/Buenos_Aires", "Argentina, Buenos Aires (UTC−03:00, 09:00)"),
        ],
    )
    def test_labels(self, name, label):
        assert zones.label(name, NOON) == label

    def test_cities_are_named_in_the_language_of_the_reader(self):
        with translation.override("de"):
            assert zones.label("Europe/Vienna", NOON).startswith("Wien (")
            assert zones.label("America/Indiana/Knox", NOON).startswith("Knox, Indiana (")

    @pytest.mark.parametrize(
        ("name", "ends"),
        [
            ("Europe/Berlin", {"+01:00": "CET", "+02:00": "CEST"}),
            ("Europe/London", {"+00:00": "GMT", "+01:00": "BST"}),
            ("America/St_Johns", {"-03:30": "NST", "-02:30": "NDT"}),
            ("Asia/Dubai", {"+04:00": "+04"}),
        ],
    )
    def test_what_times_end_with(self, name, ends):
        assert zones.names(name, NOON) == ends

    def test_each_is_offered_once(self):
        grouped = zones.choices(NOON, "Europe/Berlin")
        values = [value for _, group in grouped for value, _ in group]
        assert len(values) == len(set(values))
        assert values[0] == "UTC"
        assert [region for region, _ in grouped[:3]] == ["", "Africa", "America"]

    def test_an_old_name_stays_on_offer_to_who_has_it(self, client, alice):
        User.objects.filter(pk=alice.pk).update(time_zone="US/Eastern")
        page = client.get(PREFERENCES).content.decode()
        assert '<option value="US/Eastern" selected>' in page
        client.post(PREFERENCES, kept(time_zone="US/Eastern"))
        alice.refresh_from_db()
        assert (alice.time_zone, alice.theme) == ("US/Eastern", "dark")

    def test_a_zone_that_this_machine_does_not_know_is_not_offered(self, client, alice):
        User.objects.filter(pk=alice.pk).update(time_zone="Mars/Olympus")
        page = client.get(PREFERENCES)
        assert page.status_code == 200
        assert "Mars/Olympus" not in page.content.decode()


def shown(user):
    """Return noon as a template shows it to a user."""
    template = engines["django"].from_string("{{ noon|date:'H:i e' }}")
    request = RequestFactory().get("/")
    request.user = user
    request.COOKIES["sessionid"] = "x"
    return ReaderMiddleware(lambda request: template.render({"noon": NOON}, request))(request)


@pytest.mark.parametrize(
    ("zone", "said"),
    [("UTC", "12:00 UTC"), ("Asia/Tokyo", "21:00 JST"), ("Gone/Away", "12:00 UTC")],
)
def test_times_are_shown_in_the_readers_zone(zone, said):
    assert shown(User(time_zone=zone)) == said
    assert timezone.get_current_timezone_name() == "UTC", "and not in the next reader's"


def test_the_page_of_a_reader(client, alice):
    User.objects.update(time_zone="Asia/Tokyo")
    notifications.notify(recipient=alice, kind="turn", payload={}, now=NOON)
    assert "21:00 JST" in client.get("/account/notices/").content.decode()


def test_without_a_session_nobody_is_looked_up(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        client.get("/account/inactive/")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("", "preferences/"),
        ("playing/", "preferences/#challenges"),
        ("vacation/", "preferences/#vacation"),
        ("following/", "people/#following"),
        ("blocks/", "people/#blocked"),
        ("chat/", "people/#chat"),
    ],
)
def test_old_addresses_of_settings_lead_to_the_new_ones(client, alice, old, new):
    assert client.get(f"/account/{old}").url == f"/account/{new}"
    anchor = new.partition("#")[2]
    assert f'id="{anchor}"' in client.get(f"/account/{new}").content.decode() or not anchor


@pytest.mark.parametrize(
    "page", ["preferences", "profile", "notices/settings", "people", "security"]
)
def test_the_settings_have_five_groups(client, alice, page):
    shown = client.get(f"/account/{page}/").content.decode()
    tabs = shown.partition('aria-label="Settings"')[2].partition("</nav>")[0]
    assert tabs.count("<a ") == 5
    assert f'href="/account/{page}/" aria-current="page"' in tabs


def test_the_pages_of_the_account_stand_below_one_tab(client, alice):
    overview = client.get("/account/security/").content.decode()
    assert "alice@example.org" in overview
    for page in ("email", "password/change", "2fa", "sessions", "data", "tokens"):
        assert f'href="/account/{page}/"' in overview
        shown = client.get(f"/account/{page}/").content.decode()
        assert 'href="/account/security/" aria-current="page"' in shown


def test_a_refused_form_of_a_part_keeps_what_was_typed_and_the_other_parts(client, alice):
    page = client.post("/account/playing/", {"challengers": "nobody", "most_matches": "-7"})
    shown = page.content.decode()
    assert 'value="-7"' in shown
    assert 'id="vacation"' in shown
