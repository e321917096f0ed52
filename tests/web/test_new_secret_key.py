"""A new `SECRET_KEY`: what works with the old one as a fallback, and what people read without."""

from io import StringIO
from types import SimpleNamespace

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal import auth as totp
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.core.management import CommandError, call_command
from django.test import Client
from django.utils import timezone

from accounts import devices, notifications
from accounts.delivery import push, trial
from accounts.delivery.models import PushDevice, PushMessage, SiteKey
from accounts.models import Notification
from accounts.security.models import SecurityEvent
from accounts.sessions import signed_in as user_of_session
from tests.people import PASSWORD, confirmed, sent

pytestmark = pytest.mark.django_db
LOGIN, FACTORS, ADD = "/account/login/", "/account/2fa/", "/account/2fa/totp/activate/"
CODES = f"{FACTORS}recovery-codes/"
SETTINGS = "/account/notices/settings/"
NEW = "another-key-" * 5
LOST = "can no longer check your codes"


@pytest.fixture(autouse=True)
def half_minutes(monkeypatch):
    """A clock of codes that stands still; calling it gives the next half minute."""
    now = [totp.time.time()]
    monkeypatch.setattr(totp, "time", SimpleNamespace(time=lambda: now[0]))

    def turn():
        now[0] += 30

    return turn


@pytest.fixture
def new_key(settings):
    """Change the key, with the old one as fallback or without."""

    def change(*, fallback):
        old = settings.SECRET_KEY
        settings.SECRET_KEY = NEW
        settings.SECRET_KEY_FALLBACKS = [old] if fallback else []

    return change


@pytest.fixture
def drop_fallback(settings):
    def drop():
        settings.SECRET_KEY_FALLBACKS = []

    return drop


def signed_in(client):
    return "_auth_user_id" in client.session


def code_now(secret):
    (counter,) = totp.yield_hotp_counters_from_time()
    return totp.format_hotp_value(totp.hotp_value(secret, counter))


def entered(code, name="Alice"):
    """Sign in with password and code; return the browser and the last answer."""
    client = Client()
    client.post(LOGIN, {"login": name, "password": PASSWORD})
    return client, client.post(f"{FACTORS}authenticate/", {"code": code})


@pytest.fixture
def secret(alice, half_minutes):
    """Alice's app, set up under the old key; recovery codes come with it."""
    return with_app("Alice", half_minutes)


def with_app(name, half_minutes):
    client = Client()
    client.post(LOGIN, {"login": name, "password": PASSWORD})
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    found = client.get(ADD).context["form"].secret
    assert client.post(ADD, {"code": code_now(found)}).url == CODES
    cache.clear()
    half_minutes()
    return found


def recovery_codes():
    return Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()


def renew(**options):
    out = StringIO()
    call_command("reencrypt", stdout=out, **options)
    return out.getvalue()


def add_passkey(user):
    return Authenticator.objects.create(user=user, type="webauthn", data={"name": "Phone"})


def inside(user):
    """Return a browser that is signed in and has just been asked who it is."""
    client = Client()
    client.post(LOGIN, {"login": user.username, "password": PASSWORD})
    if not signed_in(client):
        client.force_login(user)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


class TestSecondFactors:
    def test_a_sign_in_encrypts_all_factors_under_the_new_key(
        self, secret, new_key, drop_fallback, half_minutes
    ):
        codes = recovery_codes()
        new_key(fallback=True)
        assert signed_in(entered(code_now(secret))[0])
        drop_fallback()
        half_minutes()
        assert signed_in(entered(code_now(secret))[0])
        assert recovery_codes() == codes
        assert signed_in(entered(codes[0])[0])

    def test_a_recovery_code_does_so_and_stays_used(self, secret, new_key, drop_fallback):
        used, other, *_ = recovery_codes()
        new_key(fallback=True)
        assert signed_in(entered(used)[0])
        drop_fallback()
        assert not signed_in(entered(used)[0])
        assert signed_in(entered(other)[0])
        assert signed_in(entered(code_now(secret))[0])

    def test_so_does_showing_it_again(self, alice, secret, new_key, drop_fallback, half_minutes):
        client = entered(code_now(secret))[0]
        new_key(fallback=True)
        half_minutes()
        client.post(f"{FACTORS}reauthenticate/", {"code": code_now(secret)})
        drop_fallback()
        half_minutes()
        assert signed_in(entered(code_now(secret))[0])

    def test_the_command_does_so_for_everybody(self, secret, new_key, drop_fallback, half_minutes):
        confirmed("bruno")
        other = with_app("bruno", half_minutes)
        used, kept, *_ = (
            Authenticator.objects.filter(user__username="Alice")
            .get(type="recovery_codes")
            .wrap()
            .get_unused_codes()
        )
        assert signed_in(entered(used)[0])
        new_key(fallback=True)
        assert "Encrypted 4 keys" in renew()
        assert "Encrypted 0 keys" in renew()
        drop_fallback()
        half_minutes()
        assert "Encrypted 0 keys" in renew()
        assert signed_in(entered(code_now(secret))[0])
        assert signed_in(entered(code_now(other), "bruno")[0])
        assert not signed_in(entered(used)[0])
        assert signed_in(entered(kept)[0])

    @pytest.mark.parametrize("kind", ["app", "recovery code"])
    def test_without_the_old_key_a_sentence_says_what_to_do(self, secret, new_key, kind, caplog):
        code = code_now(secret) if kind == "app" else recovery_codes()[0]
        new_key(fallback=False)
        client, answer = entered(code)
        assert answer.status_code == 200
        assert LOST in answer.content.decode()
        assert not signed_in(client)
        assert [
            record.levelname for record in caplog.records if "SECRET_KEY" in record.message
        ] == ["ERROR"]

    def test_where_it_is_shown_again_too(self, alice, secret, new_key):
        new_key(fallback=False)
        client = Client()
        client.force_login(alice)
        answer = client.post(f"{FACTORS}reauthenticate/", {"code": code_now(secret)})
        assert LOST in answer.content.decode()

    def test_a_wrong_code_still_counts_as_a_guess(self, secret, new_key):
        new_key(fallback=False)
        for _ in range(5):
            entered("000000")
        assert "wrong attempts" in entered("000000")[1].content.decode()

    @pytest.mark.parametrize("lost", ["totp", "recovery_codes"])
    def test_a_factor_that_can_be_read_lets_in(self, secret, new_key, drop_fallback, lost):
        """Somebody with a passkey has replaced one of the two since."""
        app, code = code_now(secret), recovery_codes()[0]
        old = Authenticator.objects.get(type=lost).data
        new_key(fallback=True)
        renew()
        drop_fallback()
        Authenticator.objects.filter(type=lost).update(data=old)
        right, wrong = (code, app) if lost == "totp" else (app, code)
        named = "the codes of your app" if lost == "totp" else "your recovery codes"
        answer = entered(wrong)[1].content.decode()
        assert f"code is wrong or was already used. The site can no longer check {named}" in answer
        assert signed_in(entered(right)[0])

    def test_the_pages_about_factors_lead_to_new_ones(self, alice, secret, new_key):
        new_key(fallback=False)
        add_passkey(alice)
        client = inside(alice)
        page = client.get(FACTORS).content.decode()
        assert "no longer check the codes of your app" in page
        assert "no longer read your recovery codes" in page
        for lost in (CODES, f"{CODES}download/"):
            assert client.get(lost).url == FACTORS
        assert client.get(f"{CODES}generate/").status_code == 200
        assert client.post(f"{CODES}generate/").url == CODES
        assert len(recovery_codes()) == 10
        assert client.get(CODES).status_code == 200
        assert "no longer read your recovery codes" not in client.get(FACTORS).content.decode()
        assert client.post(f"{FACTORS}totp/deactivate/").status_code == 302
        assert client.get(ADD).status_code == 200

    def test_the_command_names_those_that_no_key_reads(self, secret, new_key):
        new_key(fallback=False)
        with pytest.raises(CommandError, match=r"2 second factors.*Alice"):
            renew()
        assert Authenticator.objects.filter(type="totp").exists()


class TestSessions:
    def test_pages_and_sockets_keep_it_under_its_key(self, alice, new_key, drop_fallback):
        """Open pages and simultaneous requests wouldn't know another one."""
        client = Client()
        client.force_login(alice)
        key = client.session.session_key
        new_key(fallback=True)
        assert user_of_session(key) == alice
        assert client.get(FACTORS).status_code == 200
        assert [row.session_key for row in Session.objects.all()] == [key]
        drop_fallback()
        assert client.get(FACTORS).status_code == 200

    def test_one_that_was_not_used_meanwhile_ends(self, alice, new_key, drop_fallback):
        client = Client()
        client.force_login(alice)
        new_key(fallback=True)
        drop_fallback()
        assert client.get(FACTORS).status_code == 302

    def test_a_password_ends_the_others_all_the_same(self, alice, new_key):
        here, there = Client(), Client()
        here.force_login(alice)
        there.force_login(alice)
        alice.set_password("another-horse-battery")
        alice.save()
        new_key(fallback=True)
        assert there.get(FACTORS).status_code == 302


class TestBrowsers:
    def test_a_browser_stays_known(self, alice, new_key, drop_fallback, rf):
        known = Client()
        known.post(LOGIN, {"login": "Alice", "password": PASSWORD})
        known.post("/account/logout/")
        sent().clear()
        new_key(fallback=True)
        cookie = {site.DEVICE_COOKIE_NAME: known.cookies[site.DEVICE_COOKIE_NAME].value}
        request = rf.get("/")
        request.COOKIES = cookie
        assert devices.known_as(request, "Alice") == devices.id_of(request)
        known.post(LOGIN, {"login": "Alice", "password": PASSWORD})
        assert sent() == [], "no mail about a new browser"
        drop_fallback()
        request.COOKIES = {site.DEVICE_COOKIE_NAME: known.cookies[site.DEVICE_COOKIE_NAME].value}
        assert devices.known_as(request, "alice@example.org")


class TestPushes:
    @pytest.fixture
    def device(self, alice):
        push.site_key()
        return PushDevice.objects.create(
            user=alice, endpoint="https://push.example.org/1", public_key="k", secret="s",
            browser="Firefox on Linux", created=timezone.now(),
        )  # fmt: skip

    def test_their_key_is_encrypted_under_the_new_one(self, device, new_key, drop_fallback):
        public = push.public_key()
        new_key(fallback=True)
        assert "Encrypted 1 key" in renew()
        drop_fallback()
        assert push.public_key() == public

    def test_their_use_does_so_too(self, alice, device, new_key, drop_fallback):
        public = push.public_key()
        new_key(fallback=True)
        trial.send(alice, trial.PUSH, now=timezone.now())
        push.send_due(clock=timezone.now)
        drop_fallback()
        assert push.public_key() == public

    def test_without_the_old_key_none_is_tried(self, alice, device, new_key):
        """A device would be given up after some failures, and isn't to blame."""
        new_key(fallback=False)
        trial.send(alice, trial.PUSH, now=timezone.now())
        assert push.send_due(clock=timezone.now) == {}
        assert PushMessage.objects.count() == 1
        assert PushDevice.objects.get().refusals == 0

    def test_without_the_old_key_the_settings_say_that_there_are_none(
        self, client, alice, device, new_key
    ):
        new_key(fallback=False)
        client.force_login(alice)
        page = client.get(SETTINGS)
        assert page.status_code == 200
        assert "Push doesn’t work at the moment" in page.content.decode()
        assert SiteKey.objects.exists()

    def test_the_command_makes_a_new_one_when_asked(self, alice, device, new_key):
        public = push.public_key()
        new_key(fallback=False)
        with pytest.raises(CommandError, match="--new-push-key"):
            renew()
        assert PushDevice.objects.exists()
        renew(new_push_key=True)
        assert push.public_key() != public
        assert not PushDevice.objects.exists()
        told = Notification.objects.get(recipient=alice)
        client = Client()
        client.force_login(alice)
        assert (
            "Firefox on Linux no longer shows" in client.get("/account/notices/").content.decode()
        )
        assert "The site has a new key" in notifications.render(told).text

    def test_the_command_leaves_one_that_can_be_read(self, device):
        public = push.public_key()
        renew(new_push_key=True)
        assert push.public_key() == public
        assert PushDevice.objects.exists()
        assert not SecurityEvent.objects.filter(kind="factors-reset").exists()
