"""Pages in languages with long words, and in those that run from right to left."""

import pytest
from playwright.sync_api import expect

from games.kernel import registry
from tests import pseudo
from tests.browser.test_pages import OPEN_PAGES, OWN_PAGES

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SIZES = [pytest.param((1280, 800), id="wide"), pytest.param((360, 640), id="phone")]
LANGUAGES = (pseudo.CODE, pseudo.MIRRORED)
OFFERED = ("de", "es", "fr")

CUT = """() => [...document.querySelectorAll("main *, header *, footer *")].filter((one) => {
  const isOther = one.closest(".visually-hidden, svg, option, .board-scroll, .list-stack thead");
  if (isOther || !one.checkVisibility()) return false;
  const { overflowX, textOverflow, clipPath } = getComputedStyle(one);
  const isMeant = textOverflow === "ellipsis" || clipPath !== "none";
  const isScrolled = ["auto", "scroll"].includes(overflowX);
  const isCut = overflowX !== "visible" && one.scrollWidth > one.clientWidth + 1;
  return isCut && !isMeant && !isScrolled;
}).map((one) => `${one.localName}.${one.className}: ${one.textContent.trim().slice(0, 80)}`)"""
"""What is wider than its box, and is neither scrolled nor shortened on purpose."""

WIDER = """() => document.documentElement.scrollWidth <= innerWidth ? [] :
  [...document.querySelectorAll("main *, header *, footer *")]
    .filter((one) => one.getBoundingClientRect().right > innerWidth + 1 && !one.closest("svg"))
    .map((one) => `wide: ${one.localName}.${one.className} ${one.textContent.slice(0, 9)}`)"""

BOARD = """() => {
  const { left, top, width, height } =
    document.querySelector("#match-board .board-scroll > svg").getBoundingClientRect();
  return [left, top, width, height].map(Math.round);
}"""


def wrong_on(page):
    return [*page.evaluate(CUT), *page.evaluate(WIDER)]


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
    how = {"size": size, "touch": size[0] < 400}
    english = people("sample-ada", **how)
    path = english.site.begin("sample-ada", "sample-bruno", game=slug)
    english.go(path)
    place = english.page.evaluate(BOARD)
    for language in OFFERED:
        reader = people("sample-ada", language=language, **how)
        reader.go(path)
        expect(reader.page.locator("html")).to_have_attribute("lang", language)
        assert wrong_on(reader.page) == [], language
        assert reader.page.evaluate(BOARD) == place, language


def test_a_page_from_right_to_left_is_mirrored(people):
    reader = people(size=(1280, 800), language=pseudo.MIRRORED)
    reader.go("/games/die/")
    expect(reader.page.locator("html")).to_have_attribute("dir", "rtl")
    mark = reader.page.locator(".site-head a").first.bounding_box()
    assert mark["x"] > 640
    assert (
        reader.page.locator("svg").first.evaluate("one => getComputedStyle(one).direction") == "ltr"
    )
