"""Pages in languages with long words, and in those that run from right to left."""

import pytest
from django.utils import translation
from playwright.sync_api import expect

from games.kernel import registry
from tests import pseudo
from tests.action_areas import distinct, of_match
from tests.browser.test_action_area import check
from tests.browser.test_pages import OPEN_PAGES, OWN_PAGES
from tests.golden_pages import FIRST_OF_EACH_GAME

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SIZES = [pytest.param((1280, 800), id="wide"), pytest.param((360, 640), id="phone")]
LANGUAGES = (pseudo.CODE, pseudo.MIRRORED)

CUT = """() => [...document.querySelectorAll("main *, header *, footer *")].filter((one) => {
  const isOther = one.closest(".visually-hidden, svg, option, .board-scroll");
  if (isOther || !one.checkVisibility()) return false;
  const { overflowX } = getComputedStyle(one);
  const isScrolled = ["auto", "scroll"].includes(overflowX);
  return !isScrolled && overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
}).map((one) => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 80)}`)"""
"""What is wider than its box, and can't be scrolled."""

BOARD = """() => {
  const { left, top, width, height } =
    document.querySelector("#match-board .board-scroll > svg").getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
}"""


def wrong_on(page):
    wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return [*page.evaluate(CUT), *([f"{wider} pixels wider than the window"] if wider > 0 else [])]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("name", "pages"), [("", OPEN_PAGES), ("sample-ada", OWN_PAGES)])
def test_nothing_is_cut_in_another_language(people, name, pages, language, size):
    reader = people(name, size=size, touch=size[0] < 400, language=language)
    found = {}
    for page, path in pages.items():
        reader.go(path)
        if reader.page.locator("html").get_attribute("lang") == language:
            found[page] = wrong_on(reader.page)
    assert len(found) > len(pages) / 2
    assert not {page: wrong for page, wrong in found.items() if wrong}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("slug", registry.titles())
def test_the_board_stands_where_it_stands_in_english(people, slug, size):
    english = people("sample-ada", size=size, touch=size[0] < 400)
    path = english.site.begin("sample-ada", "sample-bruno", game=slug)
    english.go(path)
    places = [english.page.evaluate(BOARD)]
    for language in LANGUAGES:
        reader = people("sample-ada", size=size, touch=size[0] < 400, language=language)
        reader.go(path)
        expect(reader.page.locator("html")).to_have_attribute("lang", language)
        assert wrong_on(reader.page) == [], language
        places.append(reader.page.evaluate(BOARD))
    assert places[1] == places[0]
    # Mirrored, the board has changed sides with what is beside it.
    assert places[2][1:] == places[0][1:]


@pytest.mark.parametrize(("slug", "name"), FIRST_OF_EACH_GAME)
def test_what_is_said_and_asked_is_read_whole(people, tmp_path, slug, name):
    pseudo.write(tmp_path)
    with pseudo.offered(tmp_path), translation.override(pseudo.CODE):
        areas = distinct(of_match(slug, name))
    check(people, slug, areas)


def test_a_page_from_right_to_left_is_mirrored(people):
    reader = people(size=(1280, 800), language=pseudo.MIRRORED)
    reader.go("/games/")
    expect(reader.page.locator("html")).to_have_attribute("dir", "rtl")
    mark = reader.page.locator(".site-head a").first.bounding_box()
    assert mark["x"] > 640
    assert (
        reader.page.locator("svg").first.evaluate("one => getComputedStyle(one).direction") == "ltr"
    )
