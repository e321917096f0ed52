"""The small boards of lists: whom they show what, and for how long they are kept."""

import re

import pytest
from django.core.cache import cache
from django.urls import reverse

from games.matches import selectors, services
from games.matches.models import Match
from games.matches.view import thumbnails
from games.matches.view.match_view import MatchView
from tests.match_driver import begin, fresh_cache, match_driver
from tests.responses import boards

__all__ = ["fresh_cache", "match_driver"]


@pytest.fixture
def address(match_driver):
    """The address of the small board of a match of DIE as it stands."""
    return lambda: boards(match_driver.client(0).get(reverse("my-matches")))[0]


def test_a_board_is_kept_for_ever_and_by_anybody(match_driver, address):
    match_driver.play("c3")
    found = match_driver.client(None).get(address())
    assert found["Content-Type"] == "image/svg+xml"
    assert {"public", "immutable", "max-age=31536000"} == set(found["Cache-Control"].split(", "))
    assert "Vary" not in found or "Cookie" not in found["Vary"]
    assert found.content == match_driver.client(0).get(address()).content
    assert b"var(" not in found.content


def test_a_board_is_drawn_once(match_driver, address, django_assert_num_queries):
    first = match_driver.client(None).get(address()).content
    board, client = address(), match_driver.client(None)
    with django_assert_num_queries(0):
        assert client.get(board).content == first


def test_the_cache_holds_one_board_of_a_match_in_a_theme(match_driver, address, monkeypatch):
    kept = {}
    monkeypatch.setattr(thumbnails.store, "set", lambda key, value, _: kept.update({key: value}))
    for text in ("c3", "b2", "a1"):
        match_driver.play(text)
        assert match_driver.client(None).get(address()).status_code == 200
    assert len([key for key in kept if key.startswith("thumbnail")]) == 1


def test_another_position_has_another_address(match_driver, address):
    before, client = address(), match_driver.client(None)
    old = client.get(before).content
    match_driver.play("c3")
    assert address() != before
    assert client.get(address()).content != old
    cache.clear()
    led = client.get(before)
    assert (led.status_code, led["Cache-Control"]) == (307, "no-cache")
    assert led["Location"] == address()


def test_other_code_that_draws_has_another_address(match_driver, address, monkeypatch):
    before = address()
    monkeypatch.setattr(thumbnails, "_look", lambda *_: "0123456789ab")
    assert address() == re.sub(r"\.\w+\.svg", ".0123456789ab.svg", before)
    assert match_driver.client(None).get(before)["Location"] == address()


@pytest.mark.parametrize(("old", "new"), [("dark", "pink"), ("/matches/", "/matches/9")])
def test_a_board_that_there_is_not(match_driver, address, old, new):
    assert match_driver.client(None).get(address().replace(old, new)).status_code == 404


@pytest.mark.parametrize(("theme", "shown"), [("auto", 2), ("dark", 1), ("light", 1)])
def test_boards_are_in_the_theme_of_the_reader(match_driver, people, theme, shown):
    people[0].theme = theme
    people[0].save()
    found = boards(match_driver.client(0).get(reverse("my-matches")))
    assert len(found) == shown
    assert all(f"-{theme}." in board for board in found) == (shown == 1)


def test_lists_draw_nothing(match_driver, monkeypatch):
    def refuse(*_):
        raise AssertionError("A list drew a board.")

    monkeypatch.setattr(MatchView, "drawing_at", refuse)
    for page in ("my-matches", "archive", "home"):
        assert match_driver.client(0).get(reverse(page)).status_code == 200


def test_boards_show_what_everybody_may_see(client, play):
    """Not even their owners see hidden cards in a list; after the end everybody does."""
    play.move(0, "peek")
    card = play.match.position["peeked"][0]
    client.force_login(play.people[0])
    address = reverse("my-matches")
    for is_over in (False, True):
        shown = [client.get(board).content.decode() for board in boards(client.get(address))]
        assert any(f"cards [{card}" in board for board in shown) == is_over
        if not is_over:
            play.act(services.resign, 0)
    assert not Match.objects.get(pk=play.id).is_running


def test_a_board_is_shown_without_its_panel(people):
    """Of a hand, dice or a sheet nothing could be read at that size."""
    match = begin("grim-reaper", people[:2])
    address = boards(match.client(0).get(reverse("my-matches")))[0]
    found = match.client(None).get(address).content.decode()
    board = MatchView(selectors.snapshot(match.id).table, None, []).drawing.board
    assert f'viewBox="0 0 {board.width:g} {board.height:g}"' in found
