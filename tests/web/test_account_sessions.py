"""The list of sessions, ending them, how long they last, and the log of what happened."""

import time
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from accounts import browsers, tasks
from accounts.security import events, sessions
from accounts.security.models import SecurityEvent
from tests.people import PASSWORD, confirmed, sign_in_staff

pytestmark = pytest.mark.django_db
PAGE = "/account/sessions/"
FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"
SAFARI = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1"
)


def browser(name="Alice", agent=FIREFOX):
    client = Client(headers={"user-agent": agent})
    client.post("/account/login/", {"login": name, "password": PASSWORD})
    assert "_auth_user_id" in client.session
    return client


def is_in(client):
    return client.get(PAGE).status_code == 200


def listed(client):
    return client.get(PAGE).context["sessions"]


@pytest.mark.parametrize(
    ("agent", "name"),
    [(FIREFOX, "Firefox on Linux"), (SAFARI, "Safari on iPhone"), ("curl/8", "an unknown browser")],
)
def test_browsers_have_names(agent, name):
    assert browsers.name(agent) == name


def test_all_are_listed_the_own_one_first(alice):
    browser()
    phone = browser(agent=SAFARI)
    confirmed("Bert")
    browser("Bert")
    assert [row["browser"] for row in listed(phone)] == ["Safari on iPhone", "Firefox on Linux"]
    assert [row["is_current"] for row in listed(phone)] == [True, False]


def test_one_is_ended(alice):
    here, there = browser(), browser(agent=SAFARI)
    (other,) = [row for row in listed(here) if not row["is_current"]]
    here.post(f"{PAGE}{other['id']}/end/")
    assert is_in(here)
    assert not is_in(there)
    assert len(listed(here)) == 1


def test_nobody_ends_those_of_others(alice):
    confirmed("Bert")
    own, other = browser(), browser("Bert")
    other.post(f"{PAGE}{listed(own)[0]['id']}/end/")
    other.post(f"{PAGE}end-others/")
    other.post(f"{PAGE}end-all/")
    assert is_in(own)


def test_all_others_or_all_are_ended(alice):
    here, there = browser(), browser()
    here.post(f"{PAGE}end-others/")
    assert (is_in(here), is_in(there)) == (True, False)
    there = browser()
    here.post(f"{PAGE}end-all/")
    assert (is_in(here), is_in(there)) == (False, False)


@pytest.mark.parametrize("path", ["", "1/end/", "end-others/", "end-all/"])
def test_visitors_are_sent_to_sign_in(client, path):
    how = client.post if path else client.get
    assert how(PAGE + path).url.startswith("/account/login/")


def aged(client, **keys):
    session = client.session
    for key, seconds in keys.items():
        session[key] = time.time() - seconds
    session.save()


def test_use_puts_the_end_off_once_an_hour(alice, django_assert_num_queries):
    client = browser()
    row = Session.objects.get()
    Session.objects.update(expire_date=row.expire_date - timedelta(days=3))
    client.get(PAGE)
    assert Session.objects.get().expire_date == row.expire_date - timedelta(days=3)
    aged(client, used=2 * 3600)
    Session.objects.update(expire_date=row.expire_date - timedelta(days=3))
    client.get(PAGE)
    assert Session.objects.get().expire_date >= row.expire_date


def test_a_session_that_is_used_ends_after_ninety_days(alice):
    client = browser()
    aged(client, began=sessions.MAX_LIFETIME.total_seconds() - 60)
    assert is_in(client)
    aged(client, began=sessions.MAX_LIFETIME.total_seconds() + 60)
    assert not is_in(client)


def test_one_from_before_is_listed_once_it_is_used(alice):
    client = browser()
    session = client.session
    del session["began"], session["used"]
    session.save()
    sessions.UserSession.objects.all().delete()
    assert len(listed(client)) == 1


def test_what_has_ended_is_forgotten(alice):
    browser()
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert sessions.of(alice, "") == []
    tasks.forget_sessions()
    assert not sessions.UserSession.objects.exists()


def kinds(user):
    return [event.kind for event in reversed(events.recent(user))]


def test_the_log_of_an_account(alice):
    client = Client()
    client.post("/account/login/", {"login": "alice@example.org", "password": "not-the-password"})
    client = browser()
    new = "a-rather-different-password"
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    form = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    client.post("/account/password/change/", form)
    assert kinds(alice) == ["failed", "signed-in", "password"]
    page = client.get(PAGE).content.decode() if is_in(client) else ""
    signed = SecurityEvent.objects.get(kind="signed-in")
    assert (signed.browser, signed.address) == ("Firefox on Linux", "127.0.0.1")
    assert "Wrong password" in page


def test_what_was_typed_for_nobody_is_not_kept():
    Client().post("/account/login/", {"login": "my-secret-password", "password": "x"})
    assert not SecurityEvent.objects.exists()


def test_rights_are_logged_with_who_changed_them(client, alice):
    chief = confirmed("chief", is_staff=True, is_superuser=True)
    sign_in_staff(client, chief)
    path = f"/admin/accounts/user/{alice.pk}/change/"
    page = client.get(path)
    form = page.context["adminform"].form
    data = {name: form[name].value() for name in form.fields if form[name].value() is not None}
    client.post(path, {**data, "is_staff": "on", "mail_off": "[]", "languages": "[]"})
    event = SecurityEvent.objects.get(kind="rights")
    assert (event.user, event.by) == (alice, "chief")
    assert event.details == "from active to active, staff"


def test_old_events_go_and_changes_of_rights_stay(alice):
    now = timezone.now()
    for days in (89, 91):
        for kind in (events.Kind.SIGNED_IN, events.Kind.RIGHTS):
            events.record(alice, kind, now=now - timedelta(days=days))
    tasks.forget_events()
    assert sorted(kinds(alice)) == ["rights", "rights", "signed-in"]
