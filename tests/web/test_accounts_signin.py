"""Signing in and out, forgotten and changed passwords, other addresses; and who guesses."""

from datetime import timedelta
from time import monotonic
from types import SimpleNamespace

import pytest
from allauth.core.internal import ratelimit
from django.contrib.auth.hashers import MD5PasswordHasher
from django.core import signing
from django.core.cache import cache
from django.core.cache.backends import locmem
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils.http import int_to_base36

from accounts import address_change, devices
from accounts.models import User
from tests.people import PASSWORD, confirmed, path_in, sent

pytestmark = pytest.mark.django_db
LOGIN = "/account/login/"
NEW = "another-good-password"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def sign_in(client, login="Alice", password=PASSWORD, **more):
    return client.post(LOGIN, {"login": login, "password": password, **more})


def signed_in(client):
    return "_auth_user_id" in client.session


@pytest.mark.parametrize(
    "login", ["Alice", "alice", "ALICE", " Alice ", "Alice@example.org", "alice@EXAMPLE.org"]
)
def test_by_name_or_address(client, alice, login):
    response = sign_in(client, login)
    assert response.url == reverse("my-matches")
    assert signed_in(client)


@pytest.mark.parametrize(
    ("login", "password"),
    [
        ("Alice", "wrong-password"),
        ("nobody", PASSWORD),
        ("nobody@example.org", PASSWORD),
        ("a1ice", PASSWORD),
        ("A-l-i-c-e", PASSWORD),
        ("Alice", PASSWORD.upper()),
        ("Alice", PASSWORD + " "),
        ("Alice\x00", PASSWORD),
        ("x" * 100_000, PASSWORD),
        ("", ""),
    ],
)
def test_nobody_else(client, alice, login, password):
    response = sign_in(client, login, password)
    assert response.status_code == 200
    assert response.context["form"].errors
    assert not signed_in(client)


def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(client, alice):
    answers = [
        sign_in(client, login, "wrong-password").context["form"].errors.as_json()
        for login in ("Alice", "nobody", "alice@example.org", "nobody@example.org")
    ]
    assert len({answer.split('"code"')[0] for answer in answers}) == 1


def test_what_was_typed_stays_but_the_password(client, alice):
    page = sign_in(client, "Alice", "wrong-password").content.decode()
    assert 'value="Alice"' in page
    assert "wrong-password" not in page


def test_a_closed_account(client, alice):
    User.objects.update(is_active=False)
    assert sign_in(client).url == reverse("account_inactive")
    assert not signed_in(client)
    assert "This account is closed" in client.get("/account/inactive/").content.decode()


def test_a_session_ends_when_the_account_is_closed(client, alice):
    sign_in(client)
    User.objects.update(is_active=False)
    assert client.get("/account/preferences/").status_code == 302


@pytest.mark.parametrize("remember", ["on", ""])
def test_staying_signed_in(client, alice, remember):
    sign_in(client, remember=remember)
    assert client.session.get_expire_at_browser_close() is not bool(remember)


def test_next(client, alice):
    assert sign_in(client, next="/lobby/").url == "/lobby/"


@pytest.mark.parametrize(
    "elsewhere",
    [
        "https://evil.example/",
        "//evil.example",
        "///evil.example",
        "javascript:alert(1)",
        "\\\\x.y",
    ],
)
def test_next_leads_to_no_other_site(client, alice, elsewhere):
    assert sign_in(client, next=elsewhere).url == reverse("my-matches")
    client.logout()
    assert sign_in(Client(), next=elsewhere).url == reverse("my-matches")


def test_signing_out_takes_a_post(client, alice):
    client.force_login(alice)
    assert "Sign out?" in client.get("/account/logout/").content.decode()
    assert signed_in(client)
    assert client.post("/account/logout/").url == reverse("home")
    assert not signed_in(client)


def test_forms_ask_for_the_token_against_forgery(alice):
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    for path in ("login", "signup", "logout", "preferences", "profile", "notices/seen", "email"):
        assert client.post(f"/account/{path}/").status_code == 403, path


@pytest.fixture
def hours(monkeypatch):
    """Let hours pass for allauth's limits."""
    now = ratelimit.time.time()
    return lambda count: monkeypatch.setattr(
        ratelimit, "time", SimpleNamespace(time=lambda: now + 3600 * count, monotonic=monotonic)
    )


@pytest.fixture
def hashes(monkeypatch):
    """Whether a transaction was open, for each time a password is hashed."""
    found = []
    encode = MD5PasswordHasher.encode

    def counted(*args):
        found.append(connection.in_atomic_block)
        return encode(*args)

    monkeypatch.setattr(MD5PasswordHasher, "encode", counted)
    return found


def claim(name, email):
    """An account that has given an address and not confirmed it."""
    user = User.objects.create_user(name, password=PASSWORD)
    user.emailaddress_set.create(email=email, primary=True)
    return user


class TestHashes:
    @pytest.mark.parametrize(
        "login",
        [
            *("Alice", "alice@example.org", "nobody", "nobody@example.org", "nobody@"),
            *("claimed@example.org", "Claims-3", "guest", "closed@example.org"),
        ],
    )
    def test_every_wrong_password_costs_one(self, client, alice, hashes, login):
        for number in range(8):
            claim(f"Claims-{number}", "claimed@example.org")
        User.objects.create_user("guest")
        confirmed("closed", is_active=False)
        hashes.clear()
        sign_in(client, login, "wrong-password")
        assert len(hashes) == 1

    def test_showing_the_password_again_costs_one(self, client, alice, hashes):
        client.force_login(alice)
        for password in ("wrong-password", PASSWORD):
            hashes.clear()
            client.post("/account/reauthenticate/", {"password": password})
            assert len(hashes) == 1

    @pytest.mark.django_db(transaction=True)
    def test_none_is_made_inside_a_transaction(self, client, hashes):
        form = {"username": "Alice", "email": "alice@example.org", "password1": PASSWORD}
        client.post("/account/signup/", form)
        client.post(path_in(sent()[0], "confirm-email"))
        change = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
        client.post("/account/password/change/", change)
        client.post("/account/reauthenticate/", {"password": NEW})
        client.post("/account/reauthenticate/", {"password": "wrong-password"})
        client.logout()
        client.post("/account/password/reset/", {"email": "alice@example.org"})
        page = client.get(path_in(sent()[-1], "/reset/key/"), follow=True)
        form = {"password1": "a-third-good-password", "password2": "a-third-good-password"}
        client.post(page.request["PATH_INFO"], form)
        sign_in(client, password="wrong-password")
        sign_in(client, password="a-third-good-password")
        assert signed_in(client)
        alice = User.objects.get()
        alice.set_unusable_password()
        alice.save()
        client.force_login(alice)
        client.post("/account/password/set/", {"password1": NEW, "password2": NEW})
        alice.refresh_from_db()
        assert alice.check_password(NEW)
        assert len(hashes) >= 9
        assert not any(hashes)

    @pytest.mark.django_db(transaction=True)
    def test_a_failure_after_the_check_keeps_nothing(self, client, alice, monkeypatch):
        """The form is checked outside the transaction; what it asks for is done inside."""
        client.force_login(alice)

        def fails(*_args, **_kwargs):
            raise RuntimeError

        monkeypatch.setattr("accounts.outgoing.write", fails)
        change = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
        with pytest.raises(RuntimeError):
            client.post("/account/password/change/", change)
        alice.refresh_from_db()
        assert alice.check_password(PASSWORD)


class TestUnconfirmed:
    """An address that was only typed opens no account."""

    def test_the_address_signs_nobody_in(self, client):
        claim("Alice", "alice@example.org")
        sign_in(client, "alice@example.org")
        assert not signed_in(client)
        sign_in(client, "Alice")
        assert signed_in(client)

    def test_a_forgotten_password_is_one_mail_about_no_account(self, client):
        for number in range(8):
            claim(f"Claims-{number}", "alice@example.org")
        client.post("/account/password/reset/", {"email": "alice@example.org"})
        (message,) = sent()
        assert "There is no account that has confirmed this address" in message.body

    def test_only_who_has_confirmed_gets_a_link(self, client, alice):
        claim("other", "alice@example.org")
        client.post("/account/password/reset/", {"email": "alice@example.org"})
        (message,) = sent()
        assert "Hello Alice" in message.body

    def test_a_closed_account_gets_none(self, client, alice):
        User.objects.update(is_active=False)
        client.post("/account/password/reset/", {"email": "alice@example.org"})
        assert "/reset/key/" not in sent()[0].body


class TestKnownBrowsers:
    """Others who guess lock out everybody, but for browsers in which the owner has signed in."""

    @pytest.fixture
    def known(self, alice):
        client = Client()
        sign_in(client)
        client.post("/account/logout/")
        return client

    @pytest.fixture
    def besieged(self, alice, known):
        """Alice's name and address, both guessed at from elsewhere until they are closed."""
        for login in ("Alice", "alice@example.org"):
            for _ in range(6):
                sign_in(Client(REMOTE_ADDR=f"10.0.0.{len(login)}"), login, "wrong-password")
        return alice

    @pytest.mark.parametrize("login", ["Alice", "alice", "ALICE@example.org"])
    def test_the_owner_comes_in(self, besieged, known, login):
        sign_in(known, login)
        assert signed_in(known)

    def test_others_do_not(self, besieged, known):
        elsewhere = Client(REMOTE_ADDR="10.0.0.99")
        assert "wrong attempts" in sign_in(elsewhere).content.decode()
        assert not signed_in(elsewhere)

    def test_a_browser_known_for_somebody_else_is_as_unknown_as_any(self, besieged):
        confirmed("bruno")
        client = Client(REMOTE_ADDR="10.0.0.99")
        sign_in(client, "bruno")
        client.post("/account/logout/")
        assert "wrong attempts" in sign_in(client).content.decode()

    def test_the_owner_is_told_of_a_new_browser(self, known):
        assert sent() == [], "neither at the first sign-in ever, nor in a browser that is known"
        sign_in(known)
        assert sent() == []
        firefox = {"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0"}
        sign_in(Client(REMOTE_ADDR="10.0.0.7", headers=firefox), "alice@example.org")
        (mail,) = sent()
        assert mail.subject == "New sign-in to your account"
        assert mail.to == ["alice@example.org"]
        assert "from 10.0.0.7, with Firefox on Linux" in mail.body

    def test_several_people_share_a_browser(self, known, alice):
        confirmed("bruno")
        sign_in(known, "bruno")
        known.post("/account/logout/")
        for _ in range(6):
            sign_in(Client(REMOTE_ADDR="10.0.0.9"), "Alice", "wrong-password")
        sign_in(known)
        assert signed_in(known)

    def test_guessing_there_is_limited_as_well(self, known, alice):
        for _ in range(5):
            sign_in(known, password="wrong-password")
        assert "wrong attempts" in sign_in(known).content.decode()

    def test_signing_in_as_somebody_else_gives_no_new_guesses(self, known, alice):
        """A thief of the browser could otherwise continue for any time."""
        confirmed("mallory")
        for _ in range(5):
            sign_in(known, password="wrong-password")
        sign_in(known, "mallory")
        known.post("/account/logout/")
        assert "wrong attempts" in sign_in(known).content.decode()

    def test_guessing_there_locks_out_nobody_elsewhere(self, known, alice):
        for _ in range(6):
            sign_in(known, password="wrong-password")
        elsewhere = Client(REMOTE_ADDR="10.0.0.99")
        sign_in(elsewhere)
        assert signed_in(elsewhere)

    @pytest.mark.parametrize(
        "change", [lambda c: "x" + c, lambda c: c[:-1], lambda c: "", str.upper]
    )
    def test_a_cookie_that_was_changed_is_none(self, besieged, known, change):
        known.cookies["device"] = change(known.cookies["device"].value)
        assert "wrong attempts" in sign_in(known).content.decode()

    def test_a_cookie_signed_for_another_purpose_is_none(self, besieged, known):
        content = signing.loads(known.cookies["device"].value, salt=devices.SALT)
        known.cookies["device"] = signing.dumps(content)
        assert "wrong attempts" in sign_in(known).content.decode()

    def test_the_cookie_tells_nothing_and_no_script_reads_it(self, known):
        cookie = known.cookies["device"]
        content = str(signing.loads(cookie.value, salt=devices.SALT)).lower()
        assert "alice" not in content
        assert cookie["httponly"]
        assert cookie["samesite"] == "Lax"
        assert cookie["max-age"] == 400 * 24 * 3600

    def test_the_password_asked_for_once_more_is_not_locked_either(self, besieged, known):
        sign_in(known)
        for _ in range(6):
            sign_in(Client(REMOTE_ADDR="10.0.0.9"), "Alice@example.org", "wrong-password")
        answer = known.post("/account/reauthenticate/", {"password": PASSWORD})
        assert answer.status_code == 302


class TestGuessing:
    def test_a_name_is_closed_for_a_while(self, client, alice):
        for _ in range(5):
            sign_in(client, password="wrong-password")
        response = sign_in(client)
        assert "wrong attempts" in str(response.context["form"].non_field_errors())
        assert not signed_in(client)

    def test_another_way_to_write_the_host_gives_no_new_guesses(self, client, alice):
        hosts = ("testserver", "testserver:1000", "TestServer", "testserver.", "localhost")
        for host in hosts:
            client.post(
                LOGIN, {"login": "Alice", "password": "wrong-password"}, headers={"host": host}
            )
        answer = client.post(
            LOGIN, {"login": "Alice", "password": PASSWORD}, headers={"host": "testserver:1001"}
        )
        assert "wrong attempts" in answer.content.decode()
        assert not signed_in(client)

    def test_a_new_password_by_mail_forgets_wrong_ones_for_the_address(self, client, alice):
        for _ in range(5):
            sign_in(client, "alice@example.org", "wrong-password")
        client.post("/account/password/reset/", {"email": "alice@example.org"})
        page = client.get(path_in(sent()[0], "/reset/key/"), follow=True)
        client.post(page.request["PATH_INFO"], {"password1": NEW, "password2": NEW})
        sign_in(client, "alice@example.org", NEW)
        assert signed_in(client)

    def test_others_still_come_in(self, client, alice):
        confirmed("bruno")
        for _ in range(5):
            sign_in(client, password="wrong-password")
        sign_in(client, "bruno")
        assert signed_in(client)

    def test_many_names_from_one_place(self, client, alice):
        for number in range(10):
            sign_in(client, f"name{number}", "wrong-password")
        sign_in(client)
        assert not signed_in(client)

    @pytest.mark.parametrize("written", ["{}", "::ffff:{}", "::FFFF:{}"])
    def test_ipv4_clients_do_not_lock_each_other_out(self, alice, written):
        for number in range(10):
            address = written.format(f"203.0.113.{number}")
            sign_in(Client(REMOTE_ADDR=address), f"name{number}", "wrong-password")
        client = Client(REMOTE_ADDR=written.format("203.0.113.99"))
        sign_in(client)
        assert signed_in(client)

    def test_an_ipv4_client_is_one_however_its_address_is_written(self, alice):
        for number in range(10):
            address = ("203.0.113.7", "::ffff:203.0.113.7", "::ffff:cb00:7107")[number % 3]
            sign_in(Client(REMOTE_ADDR=address), f"name{number}", "wrong-password")
        client = Client(REMOTE_ADDR="203.0.113.7")
        sign_in(client)
        assert not signed_in(client)

    def test_many_requests_from_one_place(self, client, alice):
        codes = [sign_in(client, f"n{i}", "wrong-password").status_code for i in range(31)]
        assert codes[:30] == [200] * 30
        assert codes[30] == 429

    def test_mails_for_forgotten_passwords(self, client, alice):
        asked = [client.post("/account/password/reset/", {"email": alice.email}) for _ in range(6)]
        assert [response.status_code for response in asked] == [302] * 5 + [429]
        assert len(sent()) == 5

    def test_mails_for_forgotten_passwords_in_a_day(self, client, alice, hours):
        codes = []
        for hour in range(24):
            hours(hour)
            codes.append(client.post("/account/password/reset/", {"email": alice.email}))
        assert len(sent()) == 20
        assert {answer.status_code for answer in codes[20:]} == {429}

    def test_links_to_confirm_in_a_day(self, hours):
        """Somebody may have registered with the address of a stranger."""
        User.objects.create_user("bruno", "bruno@example.org", PASSWORD)
        for hour in range(24):
            hours(hour)
            sign_in(Client(), "bruno")
        assert len(sent()) == 5

    def test_links_to_confirm(self):
        User.objects.create_user("bruno", "bruno@example.org", PASSWORD)
        for _ in range(3):
            sign_in(Client(), "bruno")
        assert len(sent()) == 1


class TestForgotten:
    def test_from_the_form_to_the_new_password(self, client, alice):
        old = Client()
        old.force_login(alice)
        client.post("/account/password/reset/", {"email": "ALICE@example.org"})
        (message,) = sent()
        assert message.to == ["alice@example.org"]
        link = path_in(message, "/reset/key/")
        page = client.get(link, follow=True)
        form = page.request["PATH_INFO"]
        assert "New password" in page.content.decode()
        refused = client.post(form, {"password1": "short", "password2": "short"})
        assert refused.context["form"].errors["password1"]
        client.post(form, {"password1": NEW, "password2": NEW})
        sign_in(client, password=NEW)
        assert signed_in(client)
        assert old.get("/account/preferences/").status_code == 302, "other sessions have ended"
        after = [mail.subject for mail in sent()[1:]]
        assert len(after) == 2
        assert "password" in after[0]
        assert "127.0.0.1" in sent()[-1].body
        assert "This link has expired" in Client().get(link, follow=True).content.decode()

    def test_an_unknown_address_gets_the_same_answer(self, client, alice):
        known = client.post("/account/password/reset/", {"email": alice.email})
        unknown = client.post("/account/password/reset/", {"email": "nobody@example.org"})
        assert (known.url, known.status_code) == (unknown.url, unknown.status_code)
        assert "There is no account that has confirmed this address" in sent()[-1].body

    @pytest.mark.parametrize(
        "again", ["nobody@example.org", "NOBODY@Example.org", "nobody+2@example.org"]
    )
    def test_an_unknown_address_gets_one_mail_a_day(self, client, alice, again):
        for email in ("nobody@example.org", again, again):
            answer = client.post("/account/password/reset/", {"email": email})
            assert answer.status_code == 302
        assert len(sent()) == 1
        client.post("/account/password/reset/", {"email": "nobody.else@example.org"})
        assert len(sent()) == 2

    def test_a_day_is_a_day(self, client, monkeypatch):
        now = locmem.time.time()
        for hours, count in ((0, 1), (23.9, 1), (24.1, 2)):
            later = SimpleNamespace(time=lambda hours=hours: now + hours * 3600)
            monkeypatch.setattr(locmem, "time", later)
            client.post("/account/password/reset/", {"email": "nobody@example.org"})
            assert len(sent()) == count

    def test_registering_with_a_known_address_tells_its_owner_once_a_day(self, alice, hours):
        form = {"email": alice.email, "password1": NEW}
        for number in range(3):
            hours(number)
            Client().post("/account/signup/", {**form, "username": f"other-{number}"})
        assert len(sent()) == 1

    @pytest.mark.parametrize("key", ["x-y", "1-abc", "zz-set-password", "1-" + "x" * 500])
    def test_a_made_up_link(self, client, alice, key):
        page = client.get(f"/account/password/reset/key/{key}/", follow=True)
        assert "This link has expired" in page.content.decode()

    def test_the_link_of_somebody_else(self, client, alice):
        bruno = confirmed("bruno")
        client.post("/account/password/reset/", {"email": bruno.email})
        link = path_in(sent()[0], "/reset/key/")
        stolen = link.replace(f"/{int_to_base36(bruno.pk)}-", f"/{int_to_base36(alice.pk)}-")
        assert stolen != link
        assert "This link has expired" in client.get(stolen, follow=True).content.decode()


class TestPassword:
    def test_changing_it(self, client, alice):
        sign_in(client)
        old = Client()
        old.force_login(alice)
        change = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
        client.post("/account/password/change/", change)
        assert "changed" in sent()[-1].subject
        assert client.get("/account/preferences/").status_code == 200
        assert old.get("/account/preferences/").status_code == 302
        sign_in(old, password=NEW)
        assert signed_in(old)

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"oldpassword": "wrong"}, "oldpassword"),
            ({"password1": "short", "password2": "short"}, "password1"),
            ({"password2": "something-else"}, "password2"),
        ],
    )
    def test_refusals(self, client, alice, change, field):
        sign_in(client)
        asked = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW, **change}
        response = client.post("/account/password/change/", asked)
        assert response.context["form"].errors[field]
        alice.refresh_from_db()
        assert alice.check_password(PASSWORD)


class TestAddress:
    EMAIL = "/account/email/"

    def change(self, client, email, action="action_add"):
        """Ask for an address; the password is asked for once more, then the request goes on."""
        sign_in(client)
        response = client.post(self.EMAIL, {"email": email, action: ""})
        return client.post(response.url, {"password": PASSWORD, "next": self.EMAIL})

    @pytest.mark.parametrize("new_first", [True, False])
    def test_changing_it_takes_both_addresses(self, client, alice, new_first):
        self.change(client, "New@example.org")
        alice.refresh_from_db()
        assert alice.email == "alice@example.org", "until the new one is confirmed"
        page = client.get(self.EMAIL).content.decode()
        assert "new@example.org" in page
        assert "alice@example.org" in page
        to_new, to_old = sent()
        assert (to_new.to, to_old.to) == (["new@example.org"], ["alice@example.org"])
        steps = [
            lambda: client.post(path_in(to_new, "confirm-email")),
            lambda: Client().post(path_in(to_old, "email/change"), {"answer": "yes"}),
        ]
        for number, step in enumerate(steps if new_first else reversed(steps)):
            step()
            alice.refresh_from_db()
            assert alice.email == ("new@example.org" if number else "alice@example.org")
        assert [a.email for a in alice.emailaddress_set.all()] == ["new@example.org"]
        assert sent()[-1].to == ["alice@example.org"], "the old address is notified"

    def test_the_old_address_says_no(self, client, alice):
        self.change(client, "new@example.org")
        to_new, to_old = sent()
        link = path_in(to_old, "email/change")
        assert "to new@example.org?" in Client().get(link).content.decode()
        Client().post(link, {"answer": "no"})
        assert Client().get(link).status_code == 404
        client.post(path_in(to_new, "confirm-email"))
        assert [a.email for a in alice.emailaddress_set.all()] == ["alice@example.org"]

    @pytest.mark.parametrize("answer", ["yes", "no"])
    def test_a_link_is_worth_nothing_once_the_change_is_made(self, client, alice, answer):
        self.change(client, "new@example.org")
        to_new, to_old = sent()
        link = path_in(to_old, "email/change")
        Client().post(link, {"answer": "yes"})
        client.post(path_in(to_new, "confirm-email"))
        assert Client().post(link, {"answer": answer}).status_code == 404
        (address,) = alice.emailaddress_set.all()
        assert (address.email, address.verified) == ("new@example.org", True)

    def test_refusing_a_change_that_is_made_at_that_moment_deletes_nothing(self, client, alice):
        self.change(client, "new@example.org")
        change = address_change.read(path_in(sent()[1], "email/change").rstrip("/").split("/")[-1])
        alice.emailaddress_set.filter(email="new@example.org").update(verified=True)
        address_change.refuse(change)
        assert alice.emailaddress_set.filter(email="new@example.org").exists()

    def test_a_link_that_is_not_ours_or_too_old(self, client, alice, monkeypatch):
        self.change(client, "new@example.org")
        link = path_in(sent()[1], "email/change")
        assert Client().post(f"{link[:-2]}/", {"answer": "yes"}).status_code == 404
        monkeypatch.setattr(address_change, "LINK_LIFETIME", timedelta(seconds=-1))
        assert Client().post(link, {"answer": "yes"}).status_code == 404

    def test_a_reset_by_the_new_address_does_not_make_it_the_account_s(self, client, alice):
        self.change(client, "new@example.org")
        sent()
        Client().post("/account/password/reset/", {"email": "new@example.org"})
        assert "no account" in sent()[-1].body
        assert not alice.emailaddress_set.get(email="new@example.org").verified

    def test_leaving_it(self, client, alice):
        self.change(client, "new@example.org")
        assert alice.emailaddress_set.count() == 2
        client.post(self.EMAIL, {"email": "new@example.org", "action_remove": ""})
        assert [a.email for a in alice.emailaddress_set.all()] == ["alice@example.org"]

    def test_the_own_address_stays(self, client, alice):
        self.change(client, "alice@example.org", "action_remove")
        assert alice.emailaddress_set.get().primary

    def test_the_password_is_asked_for_once_more(self, client, alice):
        sign_in(client)
        response = client.post(self.EMAIL, {"email": "new@example.org", "action_add": ""})
        assert response.url.startswith("/account/reauthenticate/")
        assert alice.emailaddress_set.count() == 1
        assert "Confirm your password" in client.get(response.url).content.decode()
        wrong = client.post(response.url, {"password": "wrong"})
        assert wrong.context["form"].errors["password"]

    def test_an_address_of_somebody_else_is_not_told_and_not_taken(self, client, alice):
        bruno = confirmed("bruno")
        response = self.change(client, bruno.email)
        assert response.status_code == 302
        to_new, to_old = sent()
        client.post(path_in(to_new, "confirm-email"))
        Client().post(path_in(to_old, "email/change"), {"answer": "yes"})
        alice.refresh_from_db()
        assert alice.email == "alice@example.org"
        assert bruno.emailaddress_set.get().verified

    def test_an_address_that_somebody_registered_meanwhile(self, client, alice):
        self.change(client, "new@example.org")
        User.objects.create_user("bruno", "new@example.org", PASSWORD)
        to_new, to_old = sent()
        client.post(path_in(to_new, "confirm-email"))
        response = client.post(path_in(to_old, "email/change"), {"answer": "yes"})
        assert "belongs to another account" in response.content.decode()
        alice.refresh_from_db()
        assert alice.email == "alice@example.org"
        assert not alice.emailaddress_set.get(email="new@example.org").verified

    def messages(self, client):
        return [str(message) for message in client.get(self.EMAIL).context["messages"]]

    def test_a_link_asked_for_soon_after_the_last_one_is_refused_in_words(self, client, alice):
        self.change(client, "new@example.org")
        self.messages(client)
        assert len(sent()) == 2
        client.post(self.EMAIL, {"email": "new@example.org", "action_send": ""})
        assert any(
            "another link three minutes after the last one" in m for m in self.messages(client)
        )
        assert len(sent()) == 2
        cache.clear()
        client.post(self.EMAIL, {"email": "new@example.org", "action_send": ""})
        assert self.messages(client) == ["We have sent a link to new@example.org."]
        assert len(sent()) == 4, "to both addresses"

    def test_going_back_to_an_address_at_once_keeps_the_link_to_the_other(self, client, alice):
        """Nothing would be sent to it, and its earlier link would no longer work either."""
        self.change(client, "new@example.org")
        client.post(self.EMAIL, {"email": "other@example.org", "action_add": ""})
        self.messages(client)
        to_other, to_old = sent()[-2:]
        client.post(self.EMAIL, {"email": "New@example.org", "action_add": ""})
        (message,) = self.messages(client)
        assert message.startswith("We have just sent a link to new@example.org.")
        assert sent()[-1] is to_old
        Client().post(path_in(to_old, "email/change"), {"answer": "yes"})
        client.post(path_in(to_other, "confirm-email"))
        alice.refresh_from_db()
        assert alice.email == "other@example.org"

    def test_asking_for_the_address_that_waits_keeps_its_link(self, client, alice):
        self.change(client, "new@example.org")
        to_new, to_old = sent()
        cache.clear()
        page = client.post(self.EMAIL, {"email": "New@example.org", "action_add": ""})
        assert "already your address, or waits for confirmation" in page.content.decode()
        Client().post(path_in(to_old, "email/change"), {"answer": "yes"})
        client.post(path_in(to_new, "confirm-email"))
        alice.refresh_from_db()
        assert alice.email == "new@example.org"

    def test_a_link_for_an_address_that_no_longer_waits(self, client, alice):
        """The form stood in another tab."""
        self.change(client, "new@example.org")
        client.post(self.EMAIL, {"email": "new@example.org", "action_remove": ""})
        self.messages(client)
        sent().clear()
        for email in ("new@example.org", "alice@example.org"):
            client.post(self.EMAIL, {"email": email, "action_send": ""})
            (message,) = self.messages(client)
            assert message == "This address no longer waits for confirmation."
        assert sent() == []
