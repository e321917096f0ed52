"""Chat by program."""

from uuid import uuid4

import pytest
from django.utils import timezone

from accounts import tokens
from accounts.models import ApiToken
from games.matches import services as matches
from games.talk import services
from games.talk.models import Line
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


@pytest.fixture
def chat(match_driver):
    return f"/api/v1/matches/{match_driver.id}/chat/"


def bearer(user, *scopes):
    token = tokens.make(user=user, name=str(uuid4()), scopes=scopes, now=timezone.now())
    return {"HTTP_AUTHORIZATION": f"Bearer {token}"}


def say(client, chat, text="hello", submission=None, **how):
    body = {"text": text, "submission": str(submission or uuid4())}
    return client.post(chat, body, "application/json", **how)


def test_a_line_is_written_once_and_listed(match_driver, client, chat):
    ada, bruno = match_driver.people[:2]
    writes, reads = bearer(ada, ApiToken.Scope.CHAT), bearer(bruno, ApiToken.Scope.READ)
    submission = uuid4()
    first = say(client, chat, submission=submission, **writes)
    again = say(client, chat, submission=submission, **writes)
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.json() == again.json()
    (line,) = client.get(chat, **reads).json()["items"]
    assert line == first.json()
    assert (line["author"], line["text"], line["room"]) == ("ada", "hello", "players")
    assert "RateLimit" in first.headers


def test_scopes(match_driver, client, chat):
    ada = match_driver.people[0]
    others = bearer(ada, ApiToken.Scope.READ, ApiToken.Scope.PLAY, ApiToken.Scope.CHALLENGE)
    refused = say(client, chat, **others)
    assert (refused.status_code, refused.json()["code"]) == (403, "insufficient-scope")
    assert client.get(chat, **bearer(ada, ApiToken.Scope.CHAT)).status_code == 403
    assert client.get(chat).status_code == 401
    assert say(client, chat).status_code == 401
    assert not Line.objects.exists()


def test_rooms(match_driver, chat):
    ada, clara = match_driver.client(0), match_driver.client(2)
    say(clara, chat, "among us")
    assert clara.get(chat).json()["items"][0]["room"] == "spectators"
    for client, room in ((ada, "spectators"), (clara, "players")):
        assert client.get(chat, {"room": room}).json()["code"] == "not-a-player"
    assert ada.get(chat, {"room": "x"}).status_code == 400
    match_driver.act(matches.resign, 0)
    assert ada.get(chat, {"room": "spectators"}).json()["items"][0]["text"] == "among us"


def test_what_is_hidden_has_no_text(match_driver, chat):
    ada = match_driver.client(0)
    say(ada, chat, "something vile")
    services.hide(Line.objects.get(), now=timezone.now())
    assert ada.get(chat).json()["items"][0]["text"] is None


@pytest.mark.parametrize(("text", "status"), [("", 400), ("x" * 501, 400), ("\u202e", 422)])
def test_what_is_no_line(match_driver, chat, text, status):
    assert say(match_driver.client(0), chat, text).status_code == status


def test_lines_count_with_those_of_pages(match_driver, chat, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "chat": {"account": ["1/d"]}}
    ada = match_driver.client(0)
    ada.post(f"{match_driver.page}chat/", {"text": "by form"})
    assert say(ada, chat).status_code == 429


def test_a_match_that_is_not_there(match_driver):
    ada = match_driver.client(0)
    assert ada.get("/api/v1/matches/99/chat/").status_code == 404
    assert say(ada, "/api/v1/matches/99/chat/").status_code == 404


def test_comments_name_a_position_when_the_match_has_ended(match_driver, client, chat):
    ada, _, clara, _ = match_driver.people
    writes, reads = bearer(clara, ApiToken.Scope.CHAT), bearer(ada, ApiToken.Scope.READ)
    sent = {"submission": str(uuid4()), "text": "a blunder", "position": 1}
    early = client.post(chat, sent, "application/json", **writes)
    assert (early.status_code, early.json()["code"]) == (404, "no-such-match")
    sent["position"] = 0
    early = client.post(chat, sent, "application/json", **writes)
    assert (early.status_code, early.json()["code"]) == (409, "may-not-write")
    assert client.get(f"{chat}?room=comments", **reads).status_code == 403
    match_driver.act(matches.resign, 0)
    for status in (201, 200):
        answer = client.post(chat, sent | {"position": 1}, "application/json", **writes)
        assert answer.status_code == status
    assert (answer.json()["room"], answer.json()["version"]) == ("comments", 1)
    (found,) = client.get(f"{chat}?room=comments", **reads).json()["items"]
    assert found == answer.json()
