"""A pause that two players agree on, each on a page of their own."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


def test_two_agree_on_a_pause_and_one_ends_it(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = start(ada, bruno)
    ada.go(f"{path}?ask=pause")
    ada.press("Offer a pause")
    bruno.sees("sample-ada offers a pause.")
    bruno.press("Accept")
    for person in (ada, bruno):
        person.sees("Paused until")
        expect(person.page.locator(".seat .clock-why").first).to_have_text("paused")
    ada.press("End the pause")
    for person in (ada, bruno):
        expect(person.page.locator("#match-pause")).to_have_count(0)
        expect(person.page.locator(".clock-why")).to_have_count(0)
