"""Tokens: made and shown once, what they may do, and how they end."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from accounts.security import second_factor
from games.api.urls import urlpatterns
from tests.match_driver import fresh_cache, match_driver
from tests.people import PASSWORD, confirmed, path_in, sent

__all__ = ["fresh_cache", "match_driver"]

PAGE = "/account/tokens/"
NEW = f"{PAGE}new/"
NOW = timezone.now()


def bearer(user, *scopes, name="bot", **options):
    token = tokens.make(user=user, name=name, scopes=scopes, now=NOW)
    return Client(headers={"Authorization": f"Bearer {token}"}, **options)


@pytest.fixture
def owner(db):
    return confirmed("olga")


@pytest.fixture
def browser(owner):
    client = Client()
    client.force_login(owner)
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    return client


def make(browser, **fields):
    return browser.post(NEW, {"name": "my bot", "scopes": ["read", "play"], **fields})


def test_all_are_revoked_from_the_page_of_sign_ins(browser, owner):
    page = "/account/sessions/"
    assert "Revoke all API tokens" not in browser.get(page).content.decode()
    client, other = bearer(owner, "read"), bearer(owner, "play", name="other")
    assert client.get("/api/v1/me/").status_code == 200
    assert "Revoke all API tokens" in browser.get(page).content.decode()
    assert browser.post("/account/tokens/revoke/").url == PAGE
    assert [one.get("/api/v1/me/").status_code for one in (client, other)] == [401, 401]


def test_a_new_password_revokes_them(browser, owner):
    client = bearer(owner, "read")
    new = {"oldpassword": PASSWORD, "password1": "another-horse-battery"}
    browser.post("/account/password/change/", {**new, "password2": new["password1"]})
    owner.refresh_from_db()
    assert owner.check_password(new["password1"])
    assert client.get("/api/v1/me/").status_code == 401


def test_a_password_that_is_reset_revokes_them(client, owner):
    bearer(owner, "read")
    client.post("/account/password/reset/", {"email": owner.email})
    form = client.get(path_in(sent()[-1], "password/reset"), follow=True)
    new = {"password1": "another-horse-battery", "password2": "another-horse-battery"}
    client.post(form.request["PATH_INFO"], new)
    assert not ApiToken.objects.exists()


def test_who_lost_the_second_factor_has_none_left(owner):
    bearer(owner, "read")
    second_factor.reset(owner, by="somebody", now=NOW)
    assert not ApiToken.objects.exists()


def test_a_token_is_shown_once_and_signs_in(browser, owner):
    page = make(browser)
    (token,) = re.findall(r'class="token">([^<]+)<', page.content.decode())
    assert token not in browser.get(PAGE).content.decode()
    kept = ApiToken.objects.get(user=owner)
    assert token not in (kept.digest, kept.name)
    assert (kept.scopes, kept.last_used) == (["read", "play"], None)
    me = Client(headers={"Authorization": f"bearer {token}"}).get("/api/v1/me/")
    assert me.json() == {"name": "olga", "bot": False, "scopes": ["read", "play"]}
    kept.refresh_from_db()
    assert kept.last_used is not None


def test_tokens_are_made_by_their_owner_who_has_just_entered_the_password(owner, client):
    assert client.get(PAGE).status_code == 302
    client.force_login(owner)
    assert client.get(PAGE).status_code == 200
    for asked in (client.get(NEW), make(client)):
        assert "/account/reauthenticate/" in asked.headers["Location"]
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("fields", [{"name": ""}, {"scopes": []}, {"scopes": ["admin"]}])
def test_a_token_needs_a_name_and_scopes_that_there_are(browser, fields):
    assert 'class="token"' not in make(browser, **fields).content.decode()
    assert not ApiToken.objects.exists()


def test_names_are_used_once_and_tokens_are_bounded(browser, owner, monkeypatch):
    make(browser)
    assert "already have a token with this name" in make(browser).content.decode()
    monkeypatch.setattr(tokens, "MAX_TOKENS", 1)
    assert "revoke one first" in make(browser, name="another").content.decode()
    assert ApiToken.objects.filter(user=owner).count() == 1


def test_a_revoked_token_no_longer_signs_in(browser, owner, people):
    program = bearer(owner, "read")
    theirs = bearer(people[0], "read")
    kept = ApiToken.objects.get(user=owner)
    other = ApiToken.objects.get(user=people[0])
    assert browser.post(f"{PAGE}{other.pk}/revoke/").status_code == 404
    assert browser.get(f"{PAGE}{kept.pk}/revoke/").status_code == 405
    assert browser.post(f"{PAGE}{kept.pk}/revoke/").status_code == 302
    refused = program.get("/api/v1/games/")
    assert (refused.status_code, refused.json()["code"]) == (401, "authentication_failed")
    assert theirs.get("/api/v1/me/").status_code == 200


def test_a_closed_account_is_closed_to_its_tokens(owner):
    program = bearer(owner, "read")
    owner.is_active = False
    owner.save()
    assert program.get("/api/v1/me/").status_code == 401


def test_who_is_suspended_is_kept_out_by_token_and_session_until_it_is_lifted(owner, people):
    program, session = bearer(owner, "read"), Client()
    session.force_login(owner)
    imposed = standing.impose(
        owner, Sanction.Kind.SUSPENSION, reason="Rude", moderator=people[0], now=NOW
    )
    for client in (program, session):
        refused = client.get("/api/v1/me/")
        assert (refused.status_code, refused.json()["code"]) == (403, "restricted")
        assert refused.headers["Content-Type"] == "application/problem+json"
    standing.lift(imposed, now=NOW)
    assert program.get("/api/v1/me/").status_code == 200


@pytest.mark.parametrize("header", ["Bearer", "Bearer x", "Bearer a b", "Bearer \xff", "bearer  "])
def test_what_is_no_token_is_refused_even_where_everybody_may_read(header, db):
    refused = Client(headers={"Authorization": header}).get("/api/v1/games/")
    assert refused.status_code == 401


def test_the_last_use_is_noted_now_and_then(owner):
    token = tokens.make(user=owner, name="bot", scopes=["read"], now=NOW)
    for seconds in (0, 30, 59, 61):
        tokens.find(token, now=NOW + timedelta(seconds=seconds))
    assert ApiToken.objects.get().last_used == NOW + timedelta(seconds=61)


def test_a_token_needs_the_scope_of_what_it_does(match_driver):
    ada = match_driver.people[0]
    match = f"/api/v1/matches/{match_driver.id}/"
    sent = {"moves": ["c3"], "version": 0, "submission": str(uuid4())}
    new = {"title": "die", "submission": str(uuid4())}
    allowed = {}
    for scope in ApiToken.Scope:
        program = bearer(ada, scope, name=scope)
        answers = {
            "read": program.get(match),
            "challenge": program.post("/api/v1/challenges/", new, "application/json"),
            "play": program.post(f"{match}moves/", sent, "application/json"),
        }
        allowed[scope] = [name for name, answer in answers.items() if answer.status_code < 300]
        refused = [answer for answer in answers.values() if answer.status_code >= 300]
        assert {answer.json()["code"] for answer in refused} == {"insufficient-scope"}
    assert allowed == {"read": ["read"], "play": ["play"], "challenge": ["challenge"], "chat": []}


def test_every_view_that_changes_something_names_its_scope():
    views = [pattern.callback.cls for pattern in urlpatterns if hasattr(pattern.callback, "cls")]
    changing = [view for view in views if hasattr(view, "post")]
    assert len(changing) > 12
    assert {view.scope for view in changing} == {"play", "challenge", "chat"}


def test_a_token_opens_no_page_and_needs_no_csrf_token(match_driver):
    strict = bearer(match_driver.people[0], *ApiToken.Scope, enforce_csrf_checks=True)
    assert strict.get("/home/").status_code == 302
    sent = {"moves": ["c3"], "version": 0, "submission": str(uuid4())}
    match = f"/api/v1/matches/{match_driver.id}/"
    assert strict.post(f"{match}moves/", sent, "application/json").status_code == 200
