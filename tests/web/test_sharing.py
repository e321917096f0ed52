"""Positions shared: what there is to copy, and the page that other sites embed."""

import re
from html import unescape

import pytest

from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


def text(response):
    return unescape(response.content.decode())


def test_the_page_has_address_pictures_and_the_lines_to_embed_it(match_driver, settings):
    match_driver.play("c3", "a1")
    page = text(match_driver.client(None).get(f"{match_driver.page}1/share/"))
    address = f"{settings.SITE_URL}{match_driver.page}1/"
    assert f'value="{address}"' in page
    assert f'<iframe src="{address}embed/" title="DIE: ada and bruno"' in page
    assert f'href="{match_driver.page}1/board.png?theme=dark"' in page
    record = text(match_driver.client(None).get(f"{match_driver.page}1/"))
    assert f'href="{match_driver.page}1/share/"' in record


def test_every_site_may_embed_that_page_and_no_other(match_driver):
    client = match_driver.client(None)
    embedded = client.get(f"{match_driver.page}0/embed/")
    assert "frame-ancestors *" in embedded.headers["Content-Security-Policy"]
    assert "script-src 'self'" in embedded.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in embedded.headers
    for path in ("", "0/", "0/share/"):
        other = client.get(f"{match_driver.page}{path}")
        assert "frame-ancestors 'none'" in other.headers["Content-Security-Policy"]
        assert other.headers["X-Frame-Options"] == "DENY"


def test_an_embedded_position_is_stepped_through_without_script(match_driver):
    match_driver.play("c3", "a1")
    page = text(match_driver.client(None).get(f"{match_driver.page}1/embed/?theme=dark"))
    assert 'data-theme="dark"' in page
    for number, rel in ((0, "first"), (0, "prev"), (2, "next"), (2, "last")):
        assert f'rel="{rel}" href="{match_driver.page}{number}/embed/?theme=dark"' in page
    assert "<script" not in page
    assert "<form" not in page
    assert "c3, red stone" in page


def test_an_embedded_position_has_no_theme_but_those_there_are(match_driver):
    page = text(match_driver.client(None).get(f"{match_driver.page}0/embed/?theme=x%22onload"))
    assert "data-theme" not in page
    assert "onload" not in page


def test_a_position_that_is_not_there_is_not_shared(match_driver):
    client = match_driver.client(None)
    for path in ("9/share/", "9/embed/"):
        assert client.get(f"{match_driver.page}{path}").status_code == 404
        assert client.post(f"{match_driver.page}0/{path[2:]}").status_code == 405


@pytest.mark.parametrize("seat", [0, 1])
def test_an_embedded_position_is_a_spectators_whoever_looks(seat, people):
    driver = begin("simple-life-or-death", people)
    driver.play_on(6)
    number = driver.match.version
    there = driver.client(None).get(f"{driver.page}{number}/embed/")
    assert driver.client(seat).get(f"{driver.page}{number}/embed/").content == there.content
    assert "sessionid" not in there.headers.get("Vary", "")


# --- oEmbed -------------------------------------------------------------------------------------


def oembed(client, url, **query):
    return client.get("/oembed/", {"url": url, **query})


def test_other_sites_find_how_to_embed_a_match(match_driver, settings):
    match_driver.play("c3", "a1")
    client, site = match_driver.client(None), settings.SITE_URL
    for path, number in (("", 2), ("1/", 1), ("0/share/", 0), ("1/embed/", 1)):
        found = oembed(client, f"{site}{match_driver.page}{path}")
        answer = found.json()
        assert (answer["version"], answer["type"]) == ("1.0", "rich")
        assert answer["title"] == "DIE: ada and bruno"
        assert (answer["width"], answer["height"]) == (480, 640)
        frame = f'<iframe src="{site}{match_driver.page}{number}/embed/"'
        assert answer["html"].startswith(frame)
        assert answer["html"].endswith("</iframe>")
        assert found.headers["Access-Control-Allow-Origin"] == "*"
    page = text(match_driver.client(None).get(f"{match_driver.page}1/share/"))
    assert oembed(client, f"{site}{match_driver.page}1/").json()["html"] in page


def test_a_page_of_a_match_says_where_to_ask(match_driver, settings):
    match_driver.play("c3")
    client = match_driver.client(None)
    for path, number in (("", 1), ("0/", 0)):
        page = client.get(f"{match_driver.page}{path}").content.decode()
        (address,) = re.findall(r'type="application/json\+oembed" href="([^"]+)"', page)
        assert address.startswith(f"{settings.SITE_URL}/oembed/?url=http%3A%2F%2F")
        found = client.get(unescape(address).removeprefix(settings.SITE_URL))
        assert f"{match_driver.page}{number}/embed/" in found.json()["html"]


def test_a_frame_is_no_larger_than_is_allowed(match_driver, settings):
    url = f"{settings.SITE_URL}{match_driver.page}"
    client = match_driver.client(None)
    answer = oembed(client, url, maxwidth=300, maxheight=9999).json()
    assert (answer["width"], answer["height"]) == (300, 640)
    assert 'width="300" height="640"' in answer["html"]
    assert oembed(client, url, maxwidth="wide").status_code == 400


def test_nothing_else_is_embedded(match_driver, settings):
    client, site = match_driver.client(None), settings.SITE_URL
    for url in (
        f"https://elsewhere.example{match_driver.page}",
        f"{site}/account/tokens/",
        f"{site}/matches/77/",
        f"{site}{match_driver.page}9/",
        f"{site}/nowhere",
        "javascript:alert(1)",
        "http://[",
    ):
        assert oembed(client, url).status_code == 404, url
    assert client.get("/oembed/").status_code == 400
    assert oembed(client, f"{site}{match_driver.page}", format="xml").status_code == 501


def test_the_picture_of_a_link_shows_what_a_spectator_sees(people):
    """A player who passes it on gives nothing away."""
    match = begin("simple-life-or-death", people)
    pictures = {match.client(seat).get(f"{match.page}0/card.png").content for seat in (None, 0, 1)}
    assert len(pictures) == 1
    boards = {match.client(seat).get(f"{match.page}0/board.png").content for seat in (None, 0)}
    assert len(boards) == 2


def test_the_picture_of_a_link_is_a_picture_of_its_game(match_driver, client):
    assert (
        client.get("/games/die/card.png").content
        != client.get("/games/grim-reaper/card.png").content
    )
    assert client.get("/games/nothing/card.png").status_code == 404
    assert client.get(f"{match_driver.page}9/card.png").status_code == 404


def test_pictures_of_links_are_limited(match_driver, settings):
    settings.FORM_LIMITS = settings.FORM_LIMITS | {"picture": {"account": ["1/m"]}}
    client = match_driver.client(None)
    match_driver.play("c3")
    answers = [client.get(f"{match_driver.page}{n}/card.png").status_code for n in (0, 0, 1)]
    assert answers == [200, 200, 429]  # the second is not drawn again
