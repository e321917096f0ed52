"""Whatever a script sends to a form is answered: never by an error of the site's own."""

from typing import NamedTuple
from urllib.parse import quote_from_bytes

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games.lobby import services
from games.lobby.models import Challenge
from tests.match_driver import fresh_cache, match_driver
from tests.sampling import rest_thorough

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.slow

VALUES = {
    "null": b"a\x00b",
    "surrogate": b"\xed\xa0\x80",
    "huge": b"9" * 30,
    "digits": b"9" * 5_000,
    "superscript": "²".encode(),
    "nothing": b"",
    "slash": b"/",
    "path": b"../../admin/",
    "lines": b"a\r\nSet-Cookie: x=1",
    "minus": b"-1",
    "long": b"x" * 50_000,
    "markup": b"<script>alert(1)</script>{{ 7 }}%s{0}",
    "json": b'{"$gt": [' + b"[" * 1_000,
}
OFTEN = 5
"""So many of the values are tried before every commit: each has broken a site in another place,
the database, an encoder, a column, the limit on digits, and ``isdigit``. Together they stand in
every field, and each alone in one field of five."""

ENTRY = ("move", "word", "typed", "blank-0", "row", "at", "kind", "list", "ask", "part",
         "queue", "line")  # fmt: skip
LOBBY = ("token", "nonce", "reason")
CHALLENGE = ("clock", "days", "start", "increment", "cap", "audience", "players", "seating",
             "message", "lifetime", "seats", "nonce")  # fmt: skip
PROFILE = ("about", "country", "languages", "time_zone", "theme")
ACCOUNT = ("login", "password", "email", "username", "password1", "time_zone", "next", "remember",
           "oldpassword", "password2")  # fmt: skip
LISTS = ("game", "player", "result", "status", "ending", "since", "until", "page", "after",
         "waiting", "playing", "ended", "theme")  # fmt: skip

ACTIONS = {
    "moves": ("version", "submission", "move", "word", "typed", "blank-0"),
    "offer": ("version", "submission"),
    "order": ("order",),
    "queue": ("queue",),
    "lines": ("line", "version", "remove"),
    "rematch": ("nonce",),
    "chat": ("text", "submission"),
    "chat/read": ("line",),
    "chat/mute": ("user",),
    "note": ("note",),
}


def encode(fields):
    return "&".join(f"{name}={quote_from_bytes(value)}" for name, value in fields.items())


class Value(NamedTuple):
    text: bytes
    number: int
    is_sample: bool

    def alone(self, names):
        """Put the value into each field alone, or in a sample into some of the fields."""
        chosen = names[self.number :: OFTEN] if self.is_sample else names
        return [{name: self.text} for name in chosen]


TRIED = [(name, True) for name in VALUES][:OFTEN] + [(name, False) for name in VALUES]


@pytest.fixture(params=rest_thorough(TRIED, OFTEN), ids=lambda tried: tried[0])
def value(request):
    name, is_sample = request.param
    return Value(VALUES[name], list(VALUES).index(name), is_sample)


def send(client, page, names, value, **right):
    """Post a value in all fields, then alone while the other fields hold what is right."""
    known = {name: str(text).encode() for name, text in right.items()}
    forms = [dict.fromkeys(names, value.text), *value.alone(names)]
    bodies = [encode({**known, **form}) for form in forms]
    kind = "application/x-www-form-urlencoded"
    return [client.post(page, body, content_type=kind).status_code for body in bodies]


def ask(client, page, names, value):
    """Ask for a page with a value in each field of the address alone."""
    return [client.get(f"{page}?{encode(form)}").status_code for form in value.alone(names)]


def fine(codes):
    return max(codes) < 500


@pytest.fixture
def challenge(match_driver):
    return services.challenge(
        creator=match_driver.people[1],
        title="dice-is-health",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.LINK,
        now=timezone.now(),
    )


@pytest.mark.parametrize("action", ACTIONS)
def test_the_forms_of_a_match(match_driver, value, action):
    client = match_driver.client(match_driver.turn)
    assert fine(
        send(client, f"{match_driver.page}{action}/", ACTIONS[action], value, **match_driver.form())
    )


def test_the_page_of_a_match(match_driver, value):
    client = match_driver.client(match_driver.turn)
    assert fine(ask(client, match_driver.page, ENTRY, value))


@pytest.mark.parametrize("answer", ["accept", "decline", "withdraw"])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_answers_to_a_challenge(match_driver, challenge, value, answer, seat):
    page = f"/challenges/{challenge.pk}/{answer}/"
    assert fine(send(match_driver.client(seat), page, LOBBY, value))


def test_a_new_challenge(match_driver, value):
    right = {"clock": "none", "audience": "named", "players": match_driver.people[1].username,
             "seating": "random", "lifetime": 7}  # fmt: skip
    page = "/games/dice-is-health/challenge/"
    assert fine(send(match_driver.client(0), page, CHALLENGE, value, **right))


@pytest.mark.parametrize("page", ["preferences", "profile", "notices/seen", "chat"])
def test_the_forms_of_an_account(match_driver, value, page):
    assert fine(send(match_driver.client(0), f"/account/{page}/", PROFILE, value))


@pytest.mark.parametrize("page", ["login", "signup", "password/reset"])
def test_the_forms_of_a_visitor(db, value, page):
    assert fine(send(Client(), f"/account/{page}/", ACCOUNT, value))


@pytest.mark.parametrize("page", ["email", "password/change", "reauthenticate", "logout"])
def test_the_forms_that_ask_who_it_is(match_driver, value, page):
    assert fine(send(match_driver.client(0), f"/account/{page}/", ACCOUNT, value))


@pytest.mark.parametrize(
    "name", ["lobby", "archive", "my-matches", "next-match", "notifications", "players-page"]
)
def test_the_filters_of_lists(match_driver, value, name):
    page = f"/players/{match_driver.people[1]}/" if name == "players-page" else reverse(name)
    client = match_driver.client(0)
    assert fine(ask(client, page, LISTS, value))


@pytest.mark.parametrize(
    "page",
    [
        "/challenges/{}/",
        "/challenges/1/{}/",
        "/players/{}/",
        "/games/{}/",
        "/matches/{}/",
        "/matches/1/{}/",
        "/matches/1/0/board.{}",
        "/account/unsubscribe/{}/",
        "/account/confirm-email/{}/",
        "/account/password/reset/key/{}/",
    ],
)
def test_addresses(match_driver, value, page):
    client = match_driver.client(0)
    asked = page.format(quote_from_bytes(value.text, safe=""))
    assert fine([client.get(asked).status_code, client.post(asked).status_code])
