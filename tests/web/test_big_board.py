"""A board of 48 by 48: what its page weighs while every square can be chosen."""

import re

import pytest
from django.test import Client

from games.kernel import svg, svg_writer
from games.screen import packed_marks
from games.screen.entry import address
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.tests.fixtures import crowded
from tests.match_driver import begin, fresh_cache
from tests.web.test_boards import defaults

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

HEAVIEST = 150_000
"""Bytes of the largest board, before compression."""


@pytest.fixture
def place(people):
    """The page on which the first player is asked for a square."""
    match_driver = begin("simple-life-or-death", people, width=48, height=48)
    return match_driver.client(match_driver.turn), f"{match_driver.page}?word=place+S+"


def test_the_board_is_light_while_a_click_may_lead_to_any_square():
    drawing = TITLE.draw(TITLE.view(crowded(), 0), ())
    links = {name: address(123456, (), ("place S ", name)) for name, _ in svg.marks_of(drawing)}
    text = svg_writer.render(packed_marks.pack(drawing, links), ids="m123456-", links=links)
    assert len(links) > 48 * 48
    assert len(text.encode()) <= HEAVIEST


def test_the_whole_page_is_light_too(place):
    client, page = place
    assert len(client.get(page).content) <= HEAVIEST


def test_every_square_can_be_clicked_listed_and_typed(place):
    client, page = place
    text = client.get(page).content.decode()
    places = " ".join(re.findall(r'data-places="([^"]*)"', text)).split(" ")
    assert len(places) == 48 * 48
    assert '<option value="a1 ">a1</option>' in text
    assert "<option>av48</option>" in text
    assert client.get(f"{page}&word=av48").status_code == 200


def test_a_crowd_has_no_dots(place):
    client, page = place
    html = client.get(page).content.decode()
    board = html.partition('id="match-board"')[2].partition("</figure>")[0]
    assert 'class="mark' in board
    assert "var(--c-target)" not in board


# --- What a request may cost ----------------------------------------------------------------------

BLANKS = ("+", "+" * 40, "%09", "%0A", "%C2%A0", "%E2%80%83")


@pytest.fixture
def completed(monkeypatch):
    """The beginnings that the game is asked to complete."""
    texts, options = [], TITLE.options

    def noted(state, seat, typed):
        texts.append(typed)
        return options(state, seat, typed)

    monkeypatch.setattr(type(TITLE), "options", staticmethod(noted))
    return texts


@pytest.fixture
def thought_on():
    """The same page of a board in an address, which needs no account."""
    choices = {**defaults("simple-life-or-death"), "param-width": 48, "param-height": 48}
    board = Client().post("/games/simple-life-or-death/board/new/", {**choices, "seats": "6"})
    return Client(), f"{board['Location']}?word=place+S+"


@pytest.mark.parametrize("where", ["place", "thought_on"])
@pytest.mark.parametrize("blank", BLANKS)
def test_blank_words_are_refused_before_anything_is_completed(where, blank, request, completed):
    client, page = request.getfixturevalue(where)
    completed.clear()
    answer = client.get(page + f"&word={blank}" * 8)
    assert answer.status_code == 422
    assert "One of the words is blank." in answer.content.decode()
    assert set(completed) == {""}


@pytest.mark.parametrize("where", ["place", "thought_on"])
def test_no_beginning_is_completed_twice(where, request, completed):
    client, page = request.getfixturevalue(where)
    completed.clear()
    assert client.get(f"{page}&word=a&word=1&word=+").status_code == 200
    assert completed == ["place S a1 ", "", "place S ", "place S a", "place S a1"]
