"""The front page of a visitor: a match that plays itself, and the way to play."""

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize(("size", "touch"), [((1280, 800), False), ((390, 664), True)])
def test_the_front_page_shows_a_match_and_the_way_to_play_in_its_first_screen(people, size, touch):
    visitor = people(size=size, touch=touch)
    page = visitor.page
    page.emulate_media(reduced_motion="reduce")
    visitor.go("/")
    play = page.locator(".welcome").get_by_role("link", name="Play now")
    expect(play).to_be_in_viewport(ratio=1)
    expect(page.locator(".welcome .lead")).to_be_in_viewport(ratio=1)
    expect(page.locator(".welcome-board svg")).to_be_in_viewport()
    head, title = (page.locator(name).bounding_box() for name in (".site-head", "h1"))
    assert title["y"] - head["y"] - head["height"] < 60, "nothing empty above the headline"
    expect(page.locator(".welcome-board button")).to_have_count(0)
    page.emulate_media(reduced_motion="no-preference")
    visitor.go("/")
    expect(page.locator(".welcome-board button")).to_have_text("Stop")
    still = page.locator(".welcome-board svg").inner_html()
    page.wait_for_function(
        "still => document.querySelector('.welcome-board svg').innerHTML !== still", arg=still
    )
    page.locator(".welcome-board button").click()
    expect(page.locator(".welcome-board button")).to_have_text("Play again")
