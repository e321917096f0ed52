"""Pages loaded before a release reload, and lose nothing that was entered."""

import json
import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.people import start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SCRIPT = re.compile(
    r'(data-script="|<script type="module" src=")/static/js/(match|site)\.[0-9a-f]{12}\.js"'
)
PART = re.compile(r"part=(live|entry)")


@pytest.fixture
def pair(people):
    """Two at a match; the first is to move."""
    ada, bruno = people("sample-ada"), people("sample-bruno")
    ada.is_released = False
    ada.context.route_web_socket(re.compile("/ws/"), partial(pass_on, ada))
    return ada, bruno, start(ada, bruno)


def pass_on(person, socket):
    """Pass on what the site says over a connection; once it is released, as the next release."""
    server = socket.connect_to_server()

    def renew(message):
        said = json.loads(message)
        if person.is_released and "patch" in said:
            said["patch"] = {name: text and renewed(text) for name, text in said["patch"].items()}
        socket.send(json.dumps(said))

    server.on_message(renew)


def renewed(text):
    return SCRIPT.sub(r'\1/static/js/\2.0123456789ab.js"', text)


def release(person, what=PART):
    """Let scripts of the page be answered as by the next release, whose script is another one."""
    person.is_released = True

    def answer(route):
        if route.request.is_navigation_request():
            route.continue_()
            return
        response = route.fetch()
        route.fulfill(response=response, body=renewed(response.text()))

    person.page.route(what, answer)
    person.page.evaluate("window.isOld = true")


def is_old(person):
    return person.page.evaluate("window.isOld === true")


def offer_draw(person, path):
    person.go(f"{path}?ask=offer")
    person.press("Offer a draw")


def test_a_page_where_nothing_is_entered_reloads(pair):
    ada, bruno, path = pair
    release(ada)
    offer_draw(bruno, path)
    ada.sees("sample-bruno offers a draw.")
    assert not is_old(ada)


def test_a_page_where_something_is_entered_says_that_the_site_was_updated(pair):
    ada, bruno, path = pair
    ada.click("c3")
    ada.sees("not played yet")
    release(ada)
    offer_draw(bruno, path)
    ada.sees("The site was updated.")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    assert is_old(ada)
    ada.page.get_by_role("link", name="Reload").click()
    ada.sees("sample-bruno offers a draw.")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    assert not is_old(ada)


def test_what_is_being_typed_is_not_lost(pair):
    ada, bruno, path = pair
    field = ada.page.locator("#typed")
    ada.open_drawer()
    field.press_sequentially("c")
    release(ada)
    offer_draw(bruno, path)
    ada.sees("The site was updated.")
    expect(field).to_have_value("c")
    assert is_old(ada)


def test_a_page_reloads_once_for_a_release(pair):
    """While servers of two releases stand side by side, it goes on with what it has."""
    ada, _, _ = pair
    release(ada)
    ada.click("c3")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    assert not is_old(ada)
    expect(ada.page.locator("#keys")).not_to_have_attribute("hidden", "")
    ada.page.evaluate("window.isOld = true")
    ada.page.keyboard.press("Escape")
    expect(ada.page.locator("#action-head")).to_have_text("Your turn")
    assert is_old(ada)


def test_a_list_of_an_old_page_reloads(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    bruno.page.clock.install()
    bruno.go("/home/")
    release(bruno, re.compile(r"/home/$"))
    # So long a page counts as fresh.
    bruno.page.clock.fast_forward(5_500)
    ada.challenge(bruno)
    bruno.page.wait_for_function("() => !window.isOld")
    expect(bruno.page.locator("#received")).to_be_visible()
