"""What a page shows of a board is what the site draws: as patched, and as loaded again."""

import pytest

from games.kernel import registry
from tests.browser.people import start_game

pytestmark = [pytest.mark.browser, pytest.mark.steps, pytest.mark.xdist_group("browser")]

MOVES = 6

SETTLED = """() => !document.querySelector("#match[aria-busy], .board-stage, .showing") &&
  document.getAnimations().every(({ playState }) => playState !== "running")"""
"""Whether no step is shown and nothing moves any more."""

DIFFERENCE = """async () => {
  const own = (board) => {
    const copy = board.querySelector(".board-scroll > svg").cloneNode(true);
    copy.querySelectorAll(".focus-ring, .board-ghost, .hand").forEach((one) => one.remove());
    copy.removeAttribute("style");
    return copy;
  };
  const look = (svg) => [...svg.querySelectorAll("*")].map((one) => {
    // In Precary-Ice the ruler slides to the tower that is built, other towers pale, and a hand
    // appears.
    const slides = one.matches(".ruler") && "transform";
    const mine = ["tabindex", "href", "role", "style", "pointer-events", slides];
    const kept = [...one.attributes].filter(({ name }) => !mine.includes(name));
    const uses = one.localName === "use" ? one.getAttribute("href") : "";
    const said = kept.map(({ name, value }) => `${name}=${value}`)
      .map((text) => text.replace(/ (mark-fresh|aside|holding)\\b/g, "")).toSorted().join(" ");
    return `${one.localName === "a" ? "g" : one.localName} ${said} ${uses}`;
  });
  const answer = await fetch(location.href);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const fresh = page.querySelector("#match-board");
  const [shown, drawn] = [document.querySelector("#match-board"), fresh].map(own).map(look);
  return shown.filter((line) => !drawn.includes(line)).concat(
    drawn.filter((line) => !shown.includes(line)));
}"""
"""What is on the board of the page and not in the site's drawing of it, or the other way round."""


def differs(person):
    person.page.wait_for_function(SETTLED)
    return person.page.evaluate(DIFFERENCE)


@pytest.mark.parametrize("slug", registry.titles())
def test_the_board_is_what_the_site_draws(people, slug):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = start_game(ada, bruno, slug)
    for version in range(1, MOVES + 1):
        ada.site.play(path)
        for person in (ada, bruno):
            person.sees_version(version)
            found = differs(person)
            assert not found, (slug, version, person.name, found[:12])
    for person in (ada, bruno):
        person.page.reload()
        assert not differs(person), (slug, person.name)
