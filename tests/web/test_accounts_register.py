"""Registering: the form, the mail, the confirmation, and those who come second."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailConfirmationHMAC
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts import signup
from accounts.models import User
from accounts.views import CheckedBeforeTransaction
from games.lobby import services as lobby
from games.lobby.models import Challenge
from tests.people import PASSWORD, confirmed, html_of, path_in, sent
from tests.responses import lasting

pytestmark = pytest.mark.django_db
SIGNUP = "/account/signup/"


@pytest.fixture(autouse=True)
def _fresh_limits():
    cache.clear()


def asked(**changes):
    return {
        "username": "Alice",
        "email": "alice@example.org",
        "password1": PASSWORD,
        "time_zone": "Europe/Berlin",
        **changes,
    }


def errors(response, field):
    return response.context["form"].errors.get(field, [])


def test_from_the_form_to_the_first_page(client):
    response = client.post(SIGNUP, asked())
    assert response.url == reverse("my-matches")
    user = User.objects.get(username="Alice")
    assert (user.email, user.time_zone, user.skeleton) == (
        "alice@example.org",
        "Europe/Berlin",
        "a11ce",
    )
    assert client.get("/account/preferences/").status_code == 200, "let in at once"
    assert "Check your email" in client.get("/home/").content.decode()

    (message,) = sent()
    link = path_in(message, "confirm-email")
    page = client.get(link)
    assert "Alice" in page.content.decode()
    assert not user.emailaddress_set.get().verified, "a GET confirms nothing"
    client.post(link)
    assert user.emailaddress_set.get().verified
    assert "Check your email" not in client.get("/home/").content.decode()


def test_a_link_opened_elsewhere_confirms_and_signs_nobody_in(client):
    client.post(SIGNUP, asked())
    link = path_in(sent()[0], "confirm-email")
    client.logout()
    assert client.post(link).url == reverse("account_login")
    assert "_auth_user_id" not in client.session
    assert User.objects.get().emailaddress_set.get().verified
    assert "This link has expired" in client.get(link).content.decode()


def test_the_mail_says_the_same_twice_and_asks_for_no_answer(client):
    client.post(SIGNUP, asked())
    (message,) = sent()
    link = path_in(message, "confirm-email")
    assert link in html_of(message)
    assert "Hello Alice" in message.body
    assert "Hello Alice" in html_of(message)
    assert message.extra_headers["Auto-Submitted"] == "auto-generated"
    assert message.to == ["alice@example.org"]


def test_without_confirmation_one_signs_in_and_gets_no_other_mail(client):
    client.post(SIGNUP, asked())
    client.cookies.clear()
    response = client.post("/account/login/", {"login": "alice", "password": PASSWORD})
    assert response.url == reverse("my-matches")
    assert "_auth_user_id" in client.session
    (message,) = sent()
    assert "confirm-email" in message.body, "and not that a browser is new"


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"username": "al"}, "username"),
        ({"username": "Adm1n"}, "username"),
        ({"username": "<script>"}, "username"),
        ({"username": "alice\x00"}, "username"),
        ({"username": "x" * 10_000}, "username"),
        ({"email": "nobody"}, "email"),
        ({"email": ""}, "email"),
        ({"email": "a@b.c\nBcc: x@example.org"}, "email"),
        ({"password1": "short-one"}, "password1"),
        ({"password1": "1234567890"}, "password1"),
        ({"password1": "qwertyuiop"}, "password1"),
        ({"password1": ""}, "password1"),
        ({"username": "Wonderland1", "password1": "wonderland1"}, "password1"),
    ],
)
def test_what_is_refused_is_said_and_kept(client, changes, field):
    response = client.post(SIGNUP, asked(**changes))
    assert response.status_code == 200
    assert errors(response, field)
    assert not User.objects.exists()
    assert sent() == []
    if "email" not in changes:
        assert 'value="alice@example.org"' in response.content.decode()
    assert PASSWORD not in response.content.decode()


def test_errors_are_tied_to_their_fields(client):
    page = client.post(SIGNUP, asked(username="al")).content.decode()
    assert 'aria-invalid="true"' in page
    assert 'aria-describedby="id_username_helptext id_username_error"' in page
    assert 'id="id_username_error"' in page


def test_what_browsers_fill_in_is_named(client):
    page = client.get(SIGNUP).content.decode()
    assert 'autocomplete="username"' in page
    assert 'autocomplete="email"' in page
    assert 'autocomplete="new-password"' in page
    assert "placeholder" not in page


@pytest.mark.parametrize("name", ["alice", "ALICE", "a1ice", "A_lice"])
def test_a_name_like_one_that_is_taken(client, name):
    confirmed("Alice")
    response = client.post(SIGNUP, asked(username=name, email="other@example.org"))
    assert "taken" in errors(response, "username")[0]
    assert User.objects.count() == 1


PAGES_OF_AN_ACCOUNT = ("/home/", "/account/email/", "/account/preferences/", "/")


def _seen(client):
    """What somebody sees who has just registered, but for the own address and number."""
    pages = [lasting(client.get(path)) for path in PAGES_OF_AN_ACCOUNT]
    return [re.sub(r'(bruno|hans)@example\.org|data-user="\d+"', "@", page) for page in pages]


@pytest.mark.parametrize("email", ["bruno@example.org", "BRUNO@example.org"])
def test_whether_an_address_has_an_account_is_told_to_its_owner_alone(client, email, monkeypatch):
    # Preferences show what clocks of the world show, which a minute may part.
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    owner = confirmed("bruno")
    known = client.post(SIGNUP, asked(email=email))
    (message,) = sent()
    assert message.to == ["bruno@example.org"]
    assert "There is already an account" in message.body
    told = _seen(client)
    User.objects.get(username="Alice").delete()
    client.cookies.clear()
    unknown = client.post(SIGNUP, asked(email="hans@example.org"))
    assert (known.url, known.status_code) == (unknown.url, unknown.status_code)
    assert told == _seen(client)
    owner.refresh_from_db()
    assert owner.emailaddress_set.get().verified


def test_a_new_user_who_asks_for_the_link_at_once_reads_when_to_ask(client):
    client.post(SIGNUP, asked())
    assert len(sent()) == 1
    answer = client.post(
        "/account/email/", {"email": "alice@example.org", "action_send": ""}, follow=True
    )
    assert "another link three minutes after the last one" in answer.content.decode()
    assert len(sent()) == 1


def test_who_typed_the_address_of_another_cannot_make_it_theirs(client):
    owner = confirmed("bruno")
    client.post(SIGNUP, asked(email="bruno@example.org"))
    alice = User.objects.get(username="Alice")
    cache.clear()
    client.post("/account/email/", {"email": "bruno@example.org", "action_send": ""})
    assert all("confirm-email" not in message.body for message in sent())
    claim = alice.emailaddress_set.get()
    client.post(f"/account/confirm-email/{EmailConfirmationHMAC(claim).key}/")
    alice.refresh_from_db()
    owner.refresh_from_db()
    assert (alice.email, owner.email) == ("", "bruno@example.org")
    assert not alice.emailaddress_set.get().verified


def test_an_address_belongs_to_who_confirms_it(client):
    """Who has only typed it first keeps nobody from it."""
    client.post(SIGNUP, asked())
    other = Client()
    cache.clear()
    other.post(SIGNUP, asked(username="rightful"))
    link = path_in(sent()[-1], "confirm-email")
    other.post(link)
    rightful, alice = (User.objects.get(username=name) for name in ("rightful", "Alice"))
    assert (rightful.email, alice.email) == ("alice@example.org", "")
    assert rightful.emailaddress_set.get().verified


def test_three_unconfirmed_accounts_may_wait_for_one_address(client):
    for number in range(3):
        cache.clear()
        Client().post(SIGNUP, asked(username=f"Alice{number}x", email="ALICE@example.org"))
    cache.clear()
    refused = client.post(SIGNUP, asked())
    assert "already wait for this address" in errors(refused, "email")[0]
    assert User.objects.count() == 3
    cache.clear()
    assert client.post(SIGNUP, asked(email="other@example.org")).status_code == 302
    changed = client.post("/account/email/", {"email": "alice@example.org", "action_add": ""})
    assert "already wait for this address" in errors(changed, "email")[0]


def test_confirming_makes_room_for_another_account(client):
    for number in range(3):
        cache.clear()
        Client().post(SIGNUP, asked(username=f"Alice{number}x"))
    Client().post(path_in(sent()[0], "confirm-email"))
    cache.clear()
    assert client.post(SIGNUP, asked()).status_code == 302, "told to the owner alone"


@pytest.mark.parametrize("zone", ["", "Mars/Phobos", "../../etc/passwd", "x" * 5000])
def test_a_zone_that_there_is_not_is_utc(client, zone):
    client.post(SIGNUP, asked(time_zone=zone))
    assert User.objects.get().time_zone == "UTC"


def test_a_name_lost_between_asking_and_writing_is_a_form_error(client, monkeypatch):
    _just_before_writing(monkeypatch, lambda: confirmed("A1ice"))
    response = client.post(SIGNUP, asked())
    assert response.status_code == 200
    assert "taken" in errors(response, "username")[0]
    assert User.objects.count() == 1


def test_an_address_lost_between_asking_and_writing_is_not_told(client, monkeypatch):
    owner = {"username": "bruno", "email": "alice@example.org"}
    _just_before_writing(monkeypatch, lambda: User.objects.create(**owner))
    response = client.post(SIGNUP, asked())
    assert response.url == reverse("my-matches")
    assert User.objects.get(username="Alice").email == ""
    assert len(sent()) == 1


def _just_before_writing(monkeypatch, happens):
    form_valid = CheckedBeforeTransaction.form_valid

    def late(view, form):
        if not User.objects.exists():
            happens()
        return form_valid(view, form)

    monkeypatch.setattr(CheckedBeforeTransaction, "form_valid", late)


def test_too_many_registrations_are_slowed_down(client):
    for _ in range(20):
        assert client.post(SIGNUP, asked(username="al")).status_code == 200
    response = client.post(SIGNUP, asked())
    assert response.status_code == 429
    assert "Too many requests" in response.content.decode()
    assert not User.objects.exists()


def test_next_is_kept_where_the_address_is_confirmed_in_another_browser(client):
    assert client.post(SIGNUP, asked(next="/lobby/")).url == "/lobby/"
    link = path_in(sent()[0], "confirm-email")
    assert 'value="/lobby/"' in Client().get(link).content.decode()
    assert Client().post(link).url == "/lobby/"


@pytest.mark.parametrize("elsewhere", ["https://evil.example/", "//evil.example", "javascript:1"])
def test_next_leads_to_no_other_site(client, elsewhere):
    assert client.post(SIGNUP, asked(next=elsewhere)).url == reverse("my-matches")
    assert client.post(path_in(sent()[0], "confirm-email")).url == reverse("my-matches")


class TestUnfinished:
    """Names that were registered and never confirmed are free again after a week."""

    def test_only_those_are_forgotten(self, client):
        now = timezone.now()
        long_ago = now - timedelta(days=8)
        confirmed("kept", date_joined=long_ago)
        sample = User.objects.create(username="no-address", date_joined=long_ago)
        client.post(SIGNUP, asked())
        User.objects.update(last_login=None)
        User.objects.filter(username="Alice").update(date_joined=long_ago, last_login=long_ago)
        fresh = User.objects.create_user("fresh", "fresh@example.org", PASSWORD)
        fresh.emailaddress_set.create(email=fresh.email, primary=True)

        signup.forget_unfinished(now=now)

        left = set(User.objects.values_list("username", flat=True))
        assert left == {"kept", sample.username, "fresh"}

    def test_one_who_is_held_on_to_does_not_stop_the_rest(self):
        for name in ("held", "Alice"):
            Client().post(SIGNUP, asked(username=name, email=f"{name}@example.org"))
        lobby.challenge(
            creator=confirmed("bruno"),
            title="die",
            params={},
            clock=None,
            seats=2,
            audience=Challenge.Audience.NAMED,
            invited=[User.objects.get(username="held")],
            now=timezone.now(),
        )

        assert signup.forget_unfinished(now=timezone.now() + timedelta(days=8)) == 1

        assert set(User.objects.values_list("username", flat=True)) == {"bruno", "held"}

    def test_a_day_too_early(self, client):
        client.post(SIGNUP, asked())
        signup.forget_unfinished(now=timezone.now() + timedelta(days=6))
        assert User.objects.filter(username="Alice").exists()
