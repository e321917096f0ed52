"""A board of 48 by 48: what its page weighs while every square can be chosen."""

import re

import pytest

from games.kernel import svg, svg_writer
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.tests.fixtures import crowded
from games.web.match import packed_marks
from games.web.match.entry import address
from tests.match_driver import begin, fresh_cache

__all__ = ["fresh_cache"]

HEAVIEST = 150_000
"""Bytes of the largest board, before compression."""


@pytest.fixture
def place(people):
    """The page on which whoever begins is asked for a square."""
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
