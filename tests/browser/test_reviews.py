"""A player has a match reviewed, and reads it on the phone without scripts."""

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SECONDS = 1000


@pytest.mark.thorough
def test_a_player_has_a_match_reviewed_and_somebody_reads_it(people):
    ada = people("sample-ada", size=(1280, 800))
    # Nothing is searched in this game, so the review is soon there.
    ada.go("/archive/?game=precary-ice&status=over")
    ada.go(ada.page.locator('main a[href^="/matches/"]').first.get_attribute("href"))
    ada.page.get_by_role("link", name="Review", exact=True).first.click()
    address = ada.page.url
    ada.press("Review this match")
    expect(ada.page.locator("#review-graph")).to_have_text("Who was ahead", timeout=90 * SECONDS)
    expect(ada.page.locator(".review-curve").first).to_be_visible()
    graph = ada.page.get_by_role("slider", name="Position")
    box = graph.bounding_box()
    graph.click(position={"x": 13, "y": box["height"] / 2})
    shown = ada.page.locator("#review-at strong")
    expect(shown).to_have_text("Start")
    graph.press("ArrowRight")
    expect(shown).to_have_text("After move 1")
    expect(ada.page).to_have_url(re.compile(r"at=1$"))
    ada.page.go_back()
    expect(shown).to_have_text("Start")
    ada.shoot("review-wide")
    reader = people("", size=(390, 664), touch=True, script=False, dark=True)
    reader.page.goto(address)
    reader.shoot("review-phone-dark")
    turn = reader.page.locator(".review-turns h3 a").first
    number = re.search(r"\d+", turn.inner_text())[0]
    turn.tap()
    expect(reader.page.locator(".stepper-count")).to_contain_text(f"{number} of")
