"""A move entered over the connection of the page, and why a mark leads nowhere."""

import json
import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SOCKET = re.compile("/ws/")


class Connection:
    """The connection of a page, with what goes over it: steps may be held back on the way."""

    def __init__(self, person):
        self.page = person.page
        self.holds = self.cut = False
        self.steps, self.held, self.requests = [], [], []
        self.is_live, self.socket = False, None
        person.page.on("request", self._note)
        person.context.route_web_socket(SOCKET, self._connect)

    def _note(self, request):
        if re.search("part=(entry|live)", request.url):
            self.requests.append(request.url)

    def _connect(self, socket):
        if self.cut:
            socket.close()
            return
        self.socket, site = socket, socket.connect_to_server()
        socket.on_message(lambda text: self._up(socket, site, text))
        site.on_message(lambda text: self._down(socket, text))

    def _up(self, socket, site, text):
        message = json.loads(text)
        if message["type"] == "enter":
            self.steps.append(message)
            if self.holds:
                self.held.append((site, text))
                return
        site.send(text)

    def _down(self, socket, text):
        self.is_live = True
        socket.send(text)

    def wait(self, done):
        """Wait until something is so, and the page lives on meanwhile."""
        while not done():
            self.page.wait_for_timeout(20)

    def release(self):
        self.holds = False
        for site, text in self.held:
            site.send(text)


@pytest.fixture
def sit_down(people):
    """Two at a fresh match of DIE: ``sit_down(size=…)``; the first one is to move."""

    def _sit_down(**how):
        ada, bruno = people("sample-ada", **how), people("sample-bruno")
        ada.line = Connection(ada)
        path = start(ada, bruno)
        ada.line.wait(lambda: ada.line.is_live)
        return ada, bruno, path

    return _sit_down


def choose(person, mark):
    """Click a mark at once, as by a pointer that has not rested on it."""
    person.page.locator(f'#match-board [data-mark="{mark}"]').dispatch_event("click")


CLICK_ALL = """(cells) => cells.forEach((cell) => {
  const mark = document.querySelector(`#match-board [data-mark="${cell}"]`);
  mark.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
})"""
"""Clicks marks at once, however busy the machine is."""


def asks(person, words):
    expect(person.page.locator("#action-head")).to_have_text(words)


def told(person):
    return person.page.locator(".action-said > [role=status]")


def test_a_click_is_previewed_over_the_connection(sit_down):
    ada, bruno, path = sit_down()
    line = ada.line
    choose(ada, "c3")
    asks(ada, "Place a stone on c3?")
    assert ada.page.url.endswith(f"{path}?word=c3")
    choose(ada, "b2")
    asks(ada, "Place a stone on b2?")
    ada.page.locator("[data-undo]").click()
    asks(ada, "Your turn")
    assert ada.page.url.endswith(path)
    ada.open_drawer()
    ada.page.locator("#typed").fill("c3")
    ada.page.locator("#typed").press("Enter")
    asks(ada, "Place a stone on c3?")
    field = ada.page.locator("#typed")
    field.fill("zz")
    field.press("Enter")
    expect(ada.page.locator("#action-error")).to_contain_text("'zz'")
    expect(field).to_have_value("zz")
    choose(ada, "c3")
    asks(ada, "Place a stone on c3?")
    queries = ["word=c3", "word=b2", "", "typed=c3", "typed=zz", "word=c3"]
    assert [step["query"] for step in line.steps] == queries
    ada.confirm()
    for person in (ada, bruno):
        person.sees_version(1)
    assert line.requests == [], "neither steps nor the move went by HTTP"


def test_without_a_connection_the_link_is_followed(sit_down):
    ada, *_ = sit_down()
    ada.line.cut = True
    ada.line.socket.close()
    expect(ada.page.locator("#connection-lost")).to_be_visible()
    choose(ada, "c3")
    asks(ada, "Place a stone on c3?")
    assert ada.line.steps == []
    assert [url.partition("?")[2] for url in ada.line.requests] == ["word=c3&part=entry"]


def test_of_two_quick_clicks_the_second_one_counts(sit_down):
    ada, _, path = sit_down()
    ada.line.holds = True
    choose(ada, "c3")
    choose(ada, "b2")
    ada.line.wait(lambda: len(ada.line.held) == 2)
    ada.line.release()
    asks(ada, "Place a stone on b2?")
    assert ada.page.url.endswith(f"{path}?word=b2")
    choose(ada, "a1")
    asks(ada, "Place a stone on a1?")
    assert ada.line.requests == []


def test_who_clicks_without_end_keeps_the_connection(sit_down):
    ada, *_ = sit_down()
    cells = ada.legal
    ada.page.evaluate(CLICK_ALL, [cells[number % len(cells)] for number in range(90)])
    asks(ada, f"Place a stone on {cells[89 % len(cells)]}?")
    assert len(ada.line.steps) < 60, "the others go by the link"
    ada.confirm()
    ada.sees_version(1)
    expect(ada.page.locator("#connection-lost")).to_have_count(0)


def test_what_is_being_typed_and_the_focus_stay(sit_down):
    ada, *_ = sit_down()
    field = ada.page.locator("#typed")
    ada.open_drawer()
    mark = ada.page.locator('#match-board [data-mark="c3"]')
    ada.line.holds = True
    mark.dispatch_event("click")
    ada.line.wait(lambda: ada.line.held)
    field.press_sequentially("b")
    ada.line.release()
    asks(ada, "Place a stone on c3?")
    expect(field).to_have_value("b")
    mark = ada.page.locator('#match-board [data-mark="b2"]')
    mark.focus()
    mark.press("Enter")
    asks(ada, "Place a stone on b2?")
    assert ada.line.requests == []


def take_the_middle(ada, bruno):
    """Let both place a stone, so that there are cells where ada may place none."""
    choose(ada, "c3")
    ada.confirm()
    bruno.sees_version(1)
    bruno.click("b2")
    bruno.confirm()
    ada.sees_version(2)
    ada.waits_for_turn()


def test_a_click_that_leads_nowhere_is_answered_with_a_rule(sit_down):
    ada, bruno, path = sit_down()
    take_the_middle(ada, bruno)
    choose(ada, "b2")
    expect(told(ada)).to_have_text("b2 is taken.")
    expect(ada.page.locator(".action-prompt")).to_be_hidden()
    assert ada.page.url.endswith(path)
    choose(ada, "c3")
    expect(told(ada)).to_have_text("c3 is taken.")
    choose(ada, ada.legal[0])
    expect(ada.page.locator("[data-confirm]")).to_be_visible()
    expect(told(ada)).to_have_text("")
    choose(ada, "b2")
    expect(told(ada)).to_have_text("b2 is taken.")
    expect(ada.page.locator("[data-confirm]")).to_be_visible()
    assert ada.line.requests == []


def test_a_mark_that_leads_nowhere_is_asked_about_by_keyboard(sit_down):
    ada, bruno, *_ = sit_down()
    take_the_middle(ada, bruno)
    mark = ada.page.locator('#match-board [data-mark="b2"]')
    mark.focus()
    mark.press("Enter")
    expect(told(ada)).to_have_text("b2 is taken.")
    expect(mark).to_be_focused()
    mark.press("ArrowRight")
    expect(told(ada)).to_have_text("")


def test_nothing_is_explained_out_of_turn(sit_down):
    ada, bruno, *_ = sit_down()
    choose(ada, "c3")
    ada.confirm()
    bruno.sees_version(1)
    ada.sees_version(1)
    steps = len(ada.line.steps)
    choose(ada, "c3")
    choose(bruno, "c3")
    expect(told(bruno)).to_have_text("c3 is taken.")
    assert len(ada.line.steps) == steps
