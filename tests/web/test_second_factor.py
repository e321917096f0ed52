"""Second factors: adding them, signing in with them, who needs one, and losing it."""

import re
from io import StringIO
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.contrib.auth.models import Group, Permission
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.models import User
from accounts.security import second_factor
from accounts.security.mfa import Adapter
from accounts.security.models import SecurityEvent
from tests.people import PASSWORD, confirmed, sent, show_second_factor, sign_in_staff

pytestmark = pytest.mark.django_db
LOGIN, FACTORS, ADD = "/account/login/", "/account/2fa/", "/account/2fa/totp/activate/"
CODES = "/account/2fa/recovery-codes/"


@pytest.fixture(autouse=True)
def _one_half_minute(monkeypatch):
    """Stop the clock of codes: none changes while a test runs."""
    now = totp.time.time()
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: now))


def sign_in(client, name="Alice"):
    return client.post(LOGIN, {"login": name, "password": PASSWORD})


def signed_in(client):
    return "_auth_user_id" in client.session


def code_now(secret):
    (counter,) = totp.yield_hotp_counters_from_time()
    return totp.format_hotp_value(totp.hotp_value(secret, counter))


def add_app(client):
    """Set up an app for the signed-in user, and return its key."""
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    page = client.get(ADD)
    secret = page.context["form"].secret
    assert client.post(ADD, {"code": code_now(secret)}).url == CODES
    return secret


@pytest.fixture
def secret(client, alice):
    sign_in(client)
    found = add_app(client)
    client.logout()
    cache.clear()
    return found


def test_adding_one_asks_for_the_password_again(client, alice):
    client.force_login(alice)
    for page in (ADD, "/account/2fa/webauthn/add/"):
        assert client.get(page).url.startswith("/account/reauthenticate/")
    assert not Authenticator.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_an_app_is_set_up_told_and_asked_for(client, alice):
    sign_in(client)
    secret = add_app(client)
    assert "Authenticator app set up" in [mail.subject for mail in sent()]
    page = client.get(CODES).content.decode()
    codes = re.findall(r"<li><code>(\d{8})</code>", page)
    assert len(codes) == 10
    client.logout()
    cache.clear()
    assert sign_in(client).url == "/account/2fa/authenticate/"
    assert not signed_in(client)
    wrong = f"{(int(code_now(secret)) + 1) % 10**6:06}"
    answer = client.post("/account/2fa/authenticate/", {"code": wrong})
    assert "This code is wrong" in answer.content.decode()
    assert not signed_in(client)
    client.post("/account/2fa/authenticate/", {"code": code_now(secret)})
    assert signed_in(client)


def test_a_code_counts_once(client, alice, secret):
    code = code_now(secret)
    sign_in(client)
    client.post("/account/2fa/authenticate/", {"code": code})
    assert signed_in(client)
    thief = Client()
    sign_in(thief)
    thief.post("/account/2fa/authenticate/", {"code": code})
    assert not signed_in(thief)


def test_the_code_that_set_up_the_app_counts_as_used(client, alice):
    sign_in(client)
    code = code_now(add_app(client))
    thief = Client()
    sign_in(thief)
    answer = thief.post("/account/2fa/authenticate/", {"code": code})
    assert "was already used" in answer.content.decode()
    assert not signed_in(thief)


def test_a_recovery_code_lets_in_once(client, alice, secret):
    code = Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()[0]
    for lets_in in (True, False):
        browser = Client()
        sign_in(browser)
        browser.post("/account/2fa/authenticate/", {"code": code})
        assert signed_in(browser) is lets_in


def test_a_copy_of_the_database_has_no_recovery_code_in_it(client, alice, secret):
    """Codes follow from a seed, of which only the encrypted form is stored."""
    stored = Authenticator.objects.get(type="recovery_codes")
    codes = stored.wrap().generate_codes()
    seed = Adapter().decrypt(stored.data["seed"])
    assert len(codes) >= 10
    assert not [found for found in (seed, *codes) if found in str(stored.data)]


def test_guessing_at_codes_is_limited(client, alice, secret):
    sign_in(client)
    for _ in range(5):
        client.post("/account/2fa/authenticate/", {"code": "000000"})
    answer = client.post("/account/2fa/authenticate/", {"code": code_now(secret)})
    assert "wrong attempts" in answer.content.decode()
    assert not signed_in(client)


def test_a_copy_of_the_database_has_no_key_in_it(client, alice, secret, settings):
    stored = Authenticator.objects.get(type="totp").data["secret"]
    assert secret not in stored
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another-key-" * 5
    assert Adapter().decrypt(stored) == secret


def test_the_admin_shows_no_key(client, chief, alice):
    sign_in_staff(client, chief)
    assert client.get("/admin/mfa/authenticator/").status_code == 404
    assert client.get("/admin/usersessions/usersession/").status_code == 404


class TestStaff:
    def test_without_a_second_factor_the_admin_stays_closed(self, client, chief):
        sign_in(client, "chief")
        answer = client.get("/admin/accounts/user/", follow=True)
        assert answer.request["PATH_INFO"] == FACTORS
        assert "Add a second factor" in answer.content.decode()
        answer = client.post("/admin/accounts/user/", {"action": "close"})
        assert answer.status_code == 302

    @pytest.mark.django_db(transaction=True)
    def test_adding_one_opens_it(self, client, chief):
        sign_in(client, "chief")
        add_app(client)
        assert client.get("/admin/accounts/user/").status_code == 200

    def test_a_sign_in_with_it_opens_it_for_twelve_hours(self, client, chief):
        client.force_login(chief)
        hours = second_factor.FACTOR_LIFETIME.total_seconds()
        show_second_factor(client, ago=hours - 60)
        assert client.get("/admin/").status_code == 200
        show_second_factor(client, ago=hours + 60)
        Authenticator.objects.create(user=chief, type="totp", data={})
        answer = client.get("/admin/accounts/user/", follow=True)
        assert answer.request["PATH_INFO"] == "/account/2fa/reauthenticate/"
        assert answer.request["QUERY_STRING"] == "next=%2Fadmin%2Faccounts%2Fuser%2F"

    def test_the_last_one_stays(self, client, chief):
        sign_in(client, "chief")
        add_app(client)
        answer = client.post("/account/2fa/totp/deactivate/")
        assert "keeps a second factor" in answer.content.decode()
        assert Authenticator.objects.filter(type="totp").exists()

    def test_members_of_a_group_with_rights_need_one(self, alice):
        assert not second_factor.is_needed(alice)
        group = Group.objects.create(name="some")
        group.permissions.add(Permission.objects.first())
        alice.groups.add(group)
        assert second_factor.is_needed(User.objects.get(pk=alice.pk))

    def test_on_ones_own_machine_none_is_asked_for(self, client, chief, settings):
        settings.STAFF_SECOND_FACTOR = False
        client.force_login(chief)
        assert client.get("/admin/").status_code == 200


class TestLost:
    def test_the_command_lets_in_with_the_password_and_ends_sessions(self, client, alice, secret):
        inside = Client()
        sign_in(inside)
        inside.post("/account/2fa/authenticate/", {"code": code_now(secret)})
        call_command("reset_second_factor", "alice", stdout=StringIO())
        assert inside.get(FACTORS).status_code == 302
        sign_in(client)
        assert signed_in(client)
        event = SecurityEvent.objects.get(kind="factors-reset")
        assert (event.user, event.by) == (alice, "the command line")

    def test_the_command_knows_whom(self):
        with pytest.raises(CommandError, match="no account"):
            call_command("reset_second_factor", "nobody-there")

    def test_superusers_do_it_in_the_admin_for_others(self, client, alice, chief, secret):
        helper = confirmed("helper", is_staff=True)
        helper.user_permissions.add(Permission.objects.get(codename="change_user"))
        form = {"action": "reset_second_factors", "_selected_action": [alice.pk, chief.pk]}
        Authenticator.objects.create(user=chief, type="totp", data={})
        sign_in_staff(client, helper)
        client.post("/admin/accounts/user/", form)
        assert second_factor.of(alice).exists()
        sign_in_staff(client, chief)
        client.post("/admin/accounts/user/", form)
        assert not second_factor.of(alice).exists()
        assert second_factor.of(chief).exists()
