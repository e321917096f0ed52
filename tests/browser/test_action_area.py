"""The action area is read whole: no sentence and no control of it is cut, covered or scrolled to.

The areas are those that golden matches and lessons reach (tests/action_areas.py). Each takes the
place of the one on the page of a match, and is measured there.
"""

from functools import partial

import pytest

from games.kernel import registry
from tests import pseudo
from tests.action_areas import distinct, of_lessons, of_match, translated
from tests.golden_pages import FIRST_OF_EACH_GAME, golden_matches
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

DESKTOP, PHONE = ((1280, 800), (1366, 650)), ((390, 664), (768, 1024))
"""Windows of a desktop, and those of a phone and a tablet."""

MEASURE = """async (areas) => {
  const isCut = (one) => {
    const { overflowX, overflowY } = getComputedStyle(one);
    const isWide = one.scrollWidth > one.clientWidth + 1 && overflowX !== "visible";
    const isHigh = one.scrollHeight > one.clientHeight + 1 && overflowY !== "visible";
    return one.clientWidth > 1 && (isWide || isHigh);
  };
  const linesOf = (text) => {
    const range = document.createRange();
    range.selectNodeContents(text);
    return [...range.getClientRects()];
  };
  const textsOf = (one) =>
    [...one.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
  const isTooNarrow = (one) => {
    const { left, right } = one.getBoundingClientRect();
    const lines = one.matches("button, .btn") ? textsOf(one).flatMap(linesOf) : [];
    return lines.some((line) => line.left < left - 1 || line.right > right + 1);
  };
  const isCovered = (one) => {
    const isControl = one.matches("input, select, button, a.btn, label");
    const lines = textsOf(one).flatMap(linesOf);
    const boxes = isControl ? [one.getBoundingClientRect()] : lines;
    return boxes.filter(({ width }) => width > 0).some(({ left, right, top, bottom }) => {
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) return true;
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      // a finger's room around the newest line of the log lies over text, but is not drawn
      const isRoom = !isControl && there?.matches(".action-newest");
      return !(one.contains(there) || there?.contains(one) || isRoom);
    });
  };
  const found = [];
  for (const html of areas) {
    document.getElementById("match-entry").outerHTML = html;
    const area = document.getElementById("match-entry");
    area.querySelectorAll("[data-next]").forEach((one) => one.removeAttribute("hidden"));
    await null; // for the script of a game, which may add controls of its own
    const parts = [area, ...area.querySelectorAll("*")].filter((one) =>
      one.checkVisibility() && !one.closest(".visually-hidden, svg, option"));
    const wrong = parts.filter((one) => isCut(one) || isTooNarrow(one) || isCovered(one));
    const name = (one) => `${one.localName}.${one.className}: ${one.textContent.trim()}`;
    if (wrong.length > 0) found.push([wrong.map(name), html]);
  }
  return found;
}"""
"""The areas of which something is cut, scrolled to, covered, or wider than its button."""


LANGUAGES = ("de", "fr", "es", pseudo.CODE)
LANGUAGE_SIZES = (DESKTOP[0], PHONE[0], (360, 640))


def check(people, slug, areas, path="", **how):
    """Check areas in all windows, on the page of a match or at a path."""
    for size, *others in (DESKTOP, PHONE):
        reader = people("sample-ada", size=size, touch=size == PHONE[0], **how)
        reader.go(path or reader.site.begin("sample-ada", "sample-bruno", game=slug))
        for width, height in (size, *others):
            reader.page.set_viewport_size({"width": width, "height": height})
            found = reader.page.evaluate(MEASURE, areas)
            assert not found, (width, height, len(found), found[0][0])


@pytest.mark.parametrize(("slug", "name"), FIRST_OF_EACH_GAME)
def test_what_is_said_and_asked_in_a_match_is_read_whole(people, slug, name):
    check(people, slug, distinct(of_match(slug, name)))


@pytest.mark.parametrize(("slug", "name"), FIRST_OF_EACH_GAME)
def test_what_is_said_and_asked_is_read_whole_in_every_language(people, pseudo_locale, slug, name):
    with pseudo.offered(pseudo_locale):
        areas = translated(partial(of_match, slug, name), LANGUAGES)
    for size in LANGUAGE_SIZES:
        reader = people("sample-ada", size=size, touch=size[0] < 400)
        reader.go(reader.site.begin("sample-ada", "sample-bruno", game=slug))
        for language in LANGUAGES:
            reader.page.evaluate("language => document.documentElement.lang = language", language)
            found = reader.page.evaluate(MEASURE, areas[language])
            assert not found, (language, size, len(found), found[0][0])


@pytest.mark.parametrize("slug", registry.titles())
def test_what_is_said_and_asked_in_lessons_is_read_whole(people, slug):
    check(people, slug, distinct(of_lessons(slug)), f"/games/{slug}/lessons/1/")


@pytest.mark.parametrize("slug", rest_thorough(["grim-reaper", *registry.titles()]))
def test_it_is_read_whole_without_script_too(people, slug):
    name = next(name for game, name in golden_matches() if game == slug)
    check(people, slug, distinct(of_match(slug, name)), script=False)


CUT_SIDEWAYS = """() => [...document.querySelectorAll(".match *")].filter((one) => {
  const { left, right, width } = one.getBoundingClientRect();
  const isShown = one.checkVisibility() && width > 1 && !one.closest("svg, .visually-hidden");
  return isShown && (left < -1 || right > innerWidth + 1);
}).map((one) => `${one.localName}.${one.className}: ${one.textContent.trim()}`)"""


def test_on_a_page_enlarged_to_400_per_cent_nothing_is_cut_sideways(people):
    reader = people("sample-ada", size=(320, 256))
    for slug in registry.titles():
        reader.go(reader.site.begin("sample-ada", "sample-bruno", game=slug))
        assert reader.page.evaluate(CUT_SIDEWAYS) == [], slug
        area = reader.page.locator("#match-entry").bounding_box()
        assert area["y"] >= 256 * 0.4, "the board has room above it"
        assert area["y"] + area["height"] <= 256, "in sight without scrolling"


BUTTONS_CUT = """(areas) => areas.flatMap((html) => {
  document.getElementById("match-entry").outerHTML = html;
  const buttons = [...document.querySelectorAll("#match-entry :is([data-undo], [data-confirm])")];
  const isCut = (one) => {
    const { left, right, top, bottom } = one.getBoundingClientRect();
    const corners = [left + 5, right - 5].flatMap((x) => [[x, top + 5], [x, bottom - 5]]);
    const isHit = ([x, y]) => one.contains(document.elementFromPoint(x, y));
    return bottom > innerHeight || !corners.every(isHit);
  };
  return buttons.some(isCut) ? [html] : [];
})"""
"""The areas of which Undo or Confirm is cut or covered, without any scrolling."""


@pytest.mark.parametrize("size", [(320, 256), (480, 320), (740, 340)])
@pytest.mark.parametrize("slug", rest_thorough(["simple-life-or-death", *registry.titles()]))
def test_in_a_low_window_undo_and_confirm_stay_in_sight_below_a_long_question(people, slug, size):
    name = next(name for game, name in golden_matches() if game == slug)
    reader = people("sample-ada", size=size)
    reader.go(reader.site.begin("sample-ada", "sample-bruno", game=slug))
    cut = reader.page.evaluate(BUTTONS_CUT, distinct(of_match(slug, name)))
    assert not cut, (len(cut), cut[0])


def test_on_a_phone_the_choice_of_sex_and_turns_leaves_the_next_events_in_sight(people):
    reader = people("sample-ada", size=PHONE[0], touch=True)
    reader.go(reader.site.begin("sample-ada", "sample-bruno", game="grim-reaper"))
    reader.page.locator('#match-board a.mark[data-mark="c3"]').tap()
    reader.page.locator(".action-pick").first.wait_for()
    _sees_the_strip(reader)
    for chosen in ("[name=blank-0][value=F]", "[name=blank-1][value='10']"):
        reader.page.locator(chosen).tap()
    reader.page.locator("[data-confirm]").wait_for()
    _sees_the_strip(reader)


def _sees_the_strip(reader):
    area = reader.page.locator("#match-entry").bounding_box()
    words = reader.page.locator(".board-panel text").last.bounding_box()
    assert words["y"] + words["height"] <= area["y"]


COVERED = """(areas) => areas.flatMap((html) => {
  document.getElementById("match-entry").outerHTML = html;
  const area = document.getElementById("match-entry");
  const entered = "[data-undo], .action-kinds, [aria-label*=' at ']";
  const others = `${entered}, .action-error, .note, [data-again]`;
  const isQuestion = area.matches(".action-turn") && !area.querySelector(others);
  const hand = document.querySelector(".board-panel").getBoundingClientRect();
  const buttons = [...area.querySelectorAll(".btn")].filter((one) => one.checkVisibility());
  const isHit = (one) => {
    const { left, right, top } = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint((left + right) / 2, top + 5));
  };
  const covered = hand.bottom - area.getBoundingClientRect().top;
  return isQuestion ? [buttons.every(isHit) ? covered : Infinity] : [];
})"""
"""By how many pixels each question at the beginning of a move covers the hand; all, if the room
for a finger around the news covers the upper end of a button."""

MIDDLE = 20
"""Less than the pixels from the middle of a card, which a finger hits, to the lower edge."""


@pytest.mark.parametrize("name", rest_thorough(["last-left", "closed"]))
def test_on_a_phone_the_question_leaves_the_hand_in_sight(people, name):
    reader = people("sample-ada", size=PHONE[0], touch=True)
    reader.go(reader.site.begin("sample-ada", "sample-bruno", game="simple-life-or-death"))
    areas = distinct(of_match("simple-life-or-death", name))
    covered = reader.page.evaluate(COVERED, areas)
    assert covered
    assert max(covered) < MIDDLE
