"""What a request may cost: bounds are checked before the work, and none holds up the process."""

import io
import json
from uuid import uuid4

import pytest
from PIL import Image
from rest_framework.exceptions import ValidationError
from rest_framework.serializers import CharField

from games.api.challenge_serializers import NewChallenge
from games.mail import reading
from games.matches import services
from games.matches.view import pictures, rasterizer
from games.talk import services as talk
from games.talk.errors import NoLine
from games.web.example_positions import example_drawing
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


def refuse(*_):
    raise AssertionError("this is too much work")


def test_a_picture_is_drawn_by_another_process(monkeypatch):
    """The library holds the interpreter for up to 0.3 s: no page and no move would go on."""
    monkeypatch.setattr(rasterizer, "draw", refuse)
    data = pictures.png(example_drawing("die"), "light", width=100)
    with Image.open(io.BytesIO(data)) as picture:
        assert (picture.format, picture.width) == ("PNG", 100)


def test_a_picture_that_takes_too_long_is_given_up(monkeypatch):
    monkeypatch.setattr(pictures, "TIMEOUT", 0.0)
    with pytest.raises(TimeoutError):
        pictures.png(example_drawing("die"), "light")


class Seen(str):
    """A text that may not be gone through."""

    __slots__ = ()

    def __iter__(self):
        raise AssertionError("every character was looked at")


@pytest.mark.parametrize("longest", [500, 4000])
def test_a_text_that_is_far_too_long_is_refused_by_its_length(longest):
    with pytest.raises(NoLine, match=f"{longest} characters are the most, these are 1000000"):
        talk.clean(Seen("\u200b" * 1_000_000), longest)


def test_a_text_within_its_length_may_hold_what_cannot_be_seen():
    assert talk.clean("\u2060" * 1000 + "Hello") == "Hello"


BODIES = {
    "moves/": {"moves": ["x"] * 1000, "version": 0, "submission": str(uuid4())},
    "lines/": {"moves": ["x"] * 1000, "version": 0},
    "lines/remove/": {"moves": ["x"] * 1000},
    "queue/": {"moves": ["x"] * 1000},
    "board/": {"moves": ["x"] * 1000},
    "board/assume/": {"assumed": {str(number): ["x"] for number in range(1000)}},
}
"""Requests of programs with lists that are far too long, by address."""


@pytest.mark.parametrize("path", BODIES)
def test_lists_of_programs_are_refused_by_their_length(path, match_driver, monkeypatch):
    client = match_driver.client(0)
    looked_at = []
    monkeypatch.setattr(CharField, "run_validation", lambda _, text: looked_at.append(text))
    answer = client.post(
        f"/api/v1/matches/{match_driver.id}/{path}", json.dumps(BODIES[path]), "application/json"
    )
    assert answer.status_code == 400
    assert looked_at == []


def test_the_players_of_a_challenge_are_refused_by_their_number(monkeypatch):
    monkeypatch.setattr(CharField, "run_validation", refuse)
    field = NewChallenge().fields["players"]
    with pytest.raises(ValidationError, match="no more than"):
        field.run_validation(["x"] * 1000)


def test_headers_of_a_mail_without_end_are_not_read(monkeypatch):
    monkeypatch.setattr(reading, "message_from_bytes", refuse)
    mail = b"Authentication-Results: mx" + b";" * reading.MAX_HEAD_SIZE + b"\r\n\r\na1"
    with pytest.raises(reading.Unreadable):
        reading.read(mail)


def test_the_sitemap_reads_no_position(client, match_driver, django_assert_num_queries):
    """A position may have 100 kB, and a thousand matches are listed."""
    match_driver.act(services.resign, 0)
    with django_assert_num_queries(1) as read:
        answer = client.get("/sitemap.xml")
    assert f"/matches/{match_driver.id}/" in answer.content.decode()
    assert "position" not in read[0]["sql"]
