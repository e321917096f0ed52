"""A player's first match of a game: the rules are open with goal and pictures, once."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, WIDE, start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.mark.parametrize(("size", "touch"), [(WIDE, False), (PHONE, True)])
def test_a_newcomer_sees_goal_and_pictures_until_they_have_got_it(people, size, touch):
    ada, bruno = people("sample-ada", size=size, touch=touch), people("sample-bruno")
    start(ada, bruno)
    rules = ada.page.locator("#drawer-rules")
    expect(rules).to_be_hidden()
    ada.page.evaluate("localStorage.clear()")
    ada.page.reload()
    expect(rules.locator(".rules-goal")).to_be_visible()
    expect(rules.locator(".rules-pictures figure")).to_have_count(3)
    rules.get_by_role("button", name="Got it").click()
    expect(rules).to_be_hidden()
    ada.page.reload()
    expect(ada.page.locator("#match-board")).to_be_visible()
    expect(rules).to_be_hidden()
