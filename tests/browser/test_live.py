"""Pages that are open while something happens: they keep up, and disturb nobody who types."""

import re
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser.people import start
from tests.browser.test_steps import Connection

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


class Line:
    """The line of somebody's pages to the site, which can be cut or made to lose messages."""

    def __init__(self, person):
        self.page = person.page
        self.cut = False
        self.lossy = False
        self.sockets, self.open = [], []
        person.context.route_web_socket(re.compile("/ws/"), self._connect)

    def _connect(self, socket):
        if self.cut:
            socket.close()
            return
        self.sockets.append(socket)
        server = socket.connect_to_server()
        server.on_message(lambda message: self._pass_on(socket, message))

    def _pass_on(self, socket, message):
        if socket not in self.open:
            self.open.append(socket)
        if not (self.lossy and '"match"' in message):
            socket.send(message)

    def reload(self):
        """Reload the page; its socket is open when this returns."""
        before = len(self.sockets)
        self.page.reload()
        while not any(socket in self.open for socket in self.sockets[before:]):
            self.page.wait_for_timeout(50)

    def break_off(self):
        self.cut = True
        for socket in self.open:
            socket.close()
        self.open = []


@pytest.fixture
def pair(people):
    """Two at a match; the first is to move."""
    ada, bruno = people("sample-ada"), people("sample-bruno")
    return ada, bruno, start(ada, bruno)


def waiting(person):
    """How many matches wait, as the title of the tab says."""
    found = re.match(r"\((\d+)\) ", person.page.title())
    return int(found[1]) if found else 0


def test_what_is_being_typed_stays_when_the_page_changes(pair):
    ada, bruno, path = pair
    field = ada.page.locator("#typed")
    ada.open_drawer()
    field.press_sequentially("c")
    bruno.go(f"{path}?ask=offer")
    bruno.press("Offer a draw")
    ada.sees("sample-bruno offers a draw.")
    expect(field).to_have_value("c")
    expect(field).to_be_focused()
    expect(ada.page.locator("#news")).to_have_text("Blue offers a draw.")


def test_a_preview_stays_when_the_page_changes(pair):
    ada, bruno, path = pair
    ada.click("c3")
    ada.sees("not played yet")
    bruno.go(f"{path}?ask=offer")
    bruno.press("Offer a draw")
    ada.sees("sample-bruno offers a draw.")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.confirm()
    ada.sees_version(2)


def test_a_step_that_overtakes_the_news_brings_them_along(pair):
    ada, bruno, path = pair
    line = Connection(ada)
    ada.page.reload()
    line.wait(lambda: line.is_live)
    ada.click("c3")
    ada.sees("not played yet")
    line.holds = True
    bruno.go(f"{path}?ask=offer")
    bruno.press("Offer a draw")
    bruno.sees_version(1)
    line.wait(lambda: line.held)
    ada.page.locator("[data-undo]").click()
    line.wait(lambda: len(line.held) == 2)
    line.release()
    expect(ada.page.locator("#action-head")).to_have_text("Your turn")
    ada.sees_version(1)


NEXT_LINK = """() => {
  new MutationObserver(() => {
    globalThis.wasHidden ??= document.querySelector("a[data-next]")?.hidden;
  }).observe(document, { childList: true, subtree: true });
}"""
"""Notes whether the link to the next match is hidden when it comes to the page."""


def test_the_title_of_any_page_says_how_many_matches_wait(pair):
    """The match in which one has just moved is no next match, though it was counted until then."""
    ada, bruno, _ = pair
    bruno.go("/games/")
    before = waiting(bruno)
    ada.page.evaluate(NEXT_LINK)
    ada.click("c3")
    ada.confirm()
    expect(bruno.page).to_have_title(re.compile(rf"^\({before + 1}\) "))
    expect(bruno.page.locator("[data-waiting]")).to_contain_text(str(before + 1))
    assert ada.page.evaluate("wasHidden") is True


def test_the_bell_of_any_page_counts_new_notifications(pair):
    """Not those about the match that is open, whose news stand on the page."""
    ada, bruno, path = pair
    bruno.go("/games/")
    bell = bruno.page.locator("header [data-unseen]")
    before = int(bell.inner_text().split()[0])
    ada.click("c3")
    ada.confirm()
    expect(bell).to_have_text(re.compile(rf"^{before + 1}\b"))
    tab = bruno.page.context.new_page()
    tab.goto(bruno.site.url + path)
    expect(bell).to_have_text(re.compile(rf"^{before}\b"))
    tab.locator("#match-board a.mark").first.click()
    tab.locator("[data-confirm]").click()
    ada.sees_version(2)
    ada.click(ada.legal[0])
    ada.confirm()
    expect(tab.locator("#match-head")).to_have_attribute("data-version", "3")
    expect(tab.locator("header [data-unseen]")).to_have_text(re.compile(rf"^{before}\b"))


def test_a_message_that_is_lost_is_made_up_for(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    line = Line(bruno)
    start(ada, bruno)
    line.reload()
    line.lossy = True
    ada.click("c3")
    ada.confirm()
    ada.sees_version(1)
    assert bruno.version == 0
    bruno.page.evaluate("dispatchEvent(new Event('focus'))")
    bruno.sees_version(1)
    bruno.waits_for_turn()


def test_a_line_that_breaks_is_mended(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    line = Line(bruno)
    start(ada, bruno)
    line.reload()
    expect(bruno.page.locator("#action-head")).to_contain_text("sample-ada to move")
    line.break_off()
    bruno.sees("Reconnecting")
    ada.click("c3")
    ada.confirm()
    ada.sees_version(1)
    assert bruno.version == 0
    line.cut = False
    bruno.sees_version(1)
    expect(bruno.page.locator("#connection-lost")).to_be_hidden()


@pytest.fixture
def on_a_phone(people):
    """Somebody who has entered a move on a phone, the opponent, and the line of the first."""
    ada, bruno = people("sample-ada", size=(390, 664), touch=True), people("sample-bruno")
    line = Line(ada)
    start(ada, bruno)
    line.reload()
    enter(ada)
    return ada, bruno, line


def enter(person):
    person.click("c3")
    expect(person.page.locator("#action-head")).to_have_text("Place a stone on c3?")


def lost(person):
    """What the bar says of the connection."""
    return person.page.locator("#match-entry > #connection-lost")


def test_offline_stands_in_the_bar_and_a_move_entered_stays(on_a_phone):
    ada, _, _ = on_a_phone
    ada.context.set_offline(True)
    expect(lost(ada)).to_have_text("You are offline.")
    bar = ada.page.locator("#match-entry").bounding_box()
    assert bar["y"] + bar["height"] <= 664 + 1
    ada.context.set_offline(False)
    expect(lost(ada)).to_be_hidden()
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.confirm()
    ada.sees_version(1)


def test_a_step_that_cannot_be_sent_says_once_that_the_device_is_offline(on_a_phone):
    ada, _, _ = on_a_phone
    ada.context.set_offline(True)
    expect(lost(ada)).to_be_visible()
    ada.page.locator("[data-undo]").tap()
    expect(ada.page.locator(".action-error")).to_contain_text("You are offline.")
    expect(lost(ada)).to_be_hidden()
    ada.complaints.clear()
    ada.context.set_offline(False)
    expect(ada.page.locator("#action-head")).to_have_text("Your turn")
    expect(ada.page.locator(".action-error")).to_have_count(0)


def test_reconnecting_stands_in_the_bar_from_step_to_step(on_a_phone):
    ada, bruno, line = on_a_phone
    line.break_off()
    expect(lost(ada)).to_contain_text("Reconnecting …")
    ada.page.locator("[data-undo]").click()
    expect(ada.page.locator("#action-head")).to_have_text("Your turn")
    expect(lost(ada)).to_contain_text("Reconnecting …")
    enter(ada)
    line.cut = False
    bruno.go(f"{ada.page.url.partition('?')[0]}?ask=offer")
    bruno.press("Offer a draw")
    ada.sees("sample-bruno offers a draw.")
    expect(lost(ada)).to_be_hidden()
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.confirm()
    ada.sees_version(2)


def test_a_move_made_on_what_has_changed_is_refused_and_kept(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    line = Line(ada)
    path = start(ada, bruno)
    line.reload()
    ada.waits_for_turn()
    line.break_off()
    ada.click("c3")
    ada.sees("not played yet")
    bruno.go(f"{path}?ask=offer")
    bruno.press("Offer a draw")
    bruno.sees_version(1)
    ada.confirm()
    expect(ada.page.get_by_role("alert")).to_contain_text("The match has changed since")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.confirm()
    ada.sees_version(2)


def test_the_record_of_a_running_match_grows(pair):
    ada, bruno, path = pair
    bruno.go(f"{path}0/")
    expect(bruno.page.locator(".stepper-count")).to_have_text("0 of 0")
    ada.click("c3")
    ada.confirm()
    expect(bruno.page.locator(".stepper-count")).to_have_text("0 of 1")
    bruno.page.keyboard.press("End")
    expect(bruno.page.locator(".stepper-said")).to_contain_text("Red places a stone on c3.")
    expect(bruno.page.locator('#match-board [data-mark="c3"]')).to_have_attribute(
        "aria-label", "c3, red stone, just placed"
    )


def test_the_slider_and_playback_go_through_the_record(pair):
    ada, bruno, path = pair
    ada.click("c3")
    ada.confirm()
    bruno.waits_for_turn()
    bruno.click(bruno.legal[0])
    bruno.confirm()
    bruno.sees_version(2)
    ada.go(f"{path}0/")
    count = ada.page.locator(".stepper-count")
    ada.page.get_by_role("slider", name="Position").fill("1")
    expect(count).to_have_text("1 of 2")
    ada.press("Play")
    expect(count).to_have_text("2 of 2")
    expect(ada.page.get_by_role("button", name="Play", exact=True)).to_be_visible()


@pytest.fixture
def clara(people):
    """Somebody who is asked nothing before a move; other tests meet her as she was."""
    clara = people("sample-clara")
    wants_questions(clara, wanted=False)
    yield clara
    wants_questions(clara, wanted=True)


def wants_questions(person, *, wanted):
    person.go("/account/preferences/")
    person.page.locator("[name=confirm_moves]").set_checked(wanted)
    person.page.locator("form:has([name=confirm_moves]) button").click()
    person.page.wait_for_load_state()


def test_who_wants_no_question_plays_with_one_click(people, clara):
    daniel = people("sample-daniel")
    start(clara, daniel)
    clara.click("c3")
    clara.sees_version(1)
    expect(clara.page.locator("#action-head")).to_contain_text("sample-daniel to move")
    clara.open_drawer()
    clara.press("Take back my move")
    clara.sees_version(2)
    clara.waits_for_turn()


@pytest.fixture
def in_kolkata(people):
    """Somebody who reads times in another zone than the browser and the site."""
    daniel = people("sample-daniel")
    choose_zone(daniel, "Asia/Kolkata")
    yield daniel
    choose_zone(daniel, "UTC")


def choose_zone(person, zone):
    person.go("/account/preferences/")
    person.page.locator("[name=time_zone]").select_option(zone)
    person.page.locator("form:has([name=time_zone]) button").click()
    person.page.wait_for_load_state()


def test_who_watches_reads_times_in_the_own_zone_before_and_after_a_reload(pair, in_kolkata):
    ada, _, path = pair
    in_kolkata.go(path)
    in_kolkata.sees_version(0)
    ada.click("c3")
    ada.confirm()
    in_kolkata.sees_version(1)
    times = in_kolkata.page.locator("#match-log time, #match-log [title], #match-players time")
    shown = [(one.get_attribute("title"), one.inner_text()) for one in times.all()]
    assert "IST" in str(shown)
    assert "UTC" not in str(shown)
    in_kolkata.page.reload()
    in_kolkata.sees_version(1)
    assert [(one.get_attribute("title"), one.inner_text()) for one in times.all()] == shown


def test_a_match_is_resigned_and_played_again(pair):
    ada, bruno, path = pair
    ada.open_drawer()
    ada.page.get_by_role("link", name="Resign").click()
    ada.sees("You lose the match.")
    ada.press("Resign")
    expect(bruno.page.locator("#action-head")).to_have_text("You won by resignation")
    bruno.press("Rematch")
    bruno.sees("You have asked for a rematch.")
    ada.sees("sample-bruno asks for a rematch")
    ada.press("Decline")
    bruno.sees("sample-ada declined the rematch.")
    bruno.press("Rematch")
    ada.press("Accept")
    ada.page.wait_for_url(lambda url: not url.endswith(path))
    assert bruno.page.url.endswith(path)
    bruno.page.get_by_role("link", name="Go to the rematch").wait_for()
    expect(ada.page.locator("#action-head")).to_have_text("sample-bruno to move")


HIDDEN = """
  let seen = false;
  Object.defineProperty(Document.prototype, "visibilityState", {
    get: () => (seen ? "visible" : "hidden"),
  });
  window.bringToFront = () => {
    seen = true;
    document.dispatchEvent(new Event("visibilitychange"));
  };
"""


def _keep(texts, text):
    texts.append(text)


def test_a_tab_that_nobody_sees_does_not_count_as_open(pair):
    """What keeps mails and pushed notifications back is a page in sight, not one that is loaded."""
    ada, _, path = pair
    said, heard = [], []

    def listen(socket):
        for name, texts in (("framesent", said), ("framereceived", heard)):
            socket.on(name, partial(_keep, texts))

    page = ada.context.new_page()
    page.add_init_script(HIDDEN)
    page.on("websocket", listen)
    page.goto(path)
    while not any('"beat"' in text for text in heard):
        page.wait_for_timeout(50)
    page.wait_for_timeout(300)
    assert not any('"here"' in text for text in said)
    page.evaluate("window.bringToFront()")
    while not any('"here"' in text for text in said):
        page.wait_for_timeout(50)


CHOOSE = """
document.addEventListener("readystatechange", () => {
  const section = document.getElementById("featured");
  if (document.readyState === "interactive" && section) {
    document.body.dataset.live = "match=%(match)s";
    section.dataset.liveFrom = "/featured/%(match)s/";
  }
});
"""
"""Makes the front page show a certain match, before its script runs."""


def test_the_front_page_follows_a_match(people, pair):
    ada, _, path = pair
    number = path.strip("/").split("/")[-1]
    visitor = people()
    visitor.page.add_init_script(CHOOSE % {"match": number})
    visitor.page.clock.install()
    visitor.go("/")
    ada.click("c3")
    ada.confirm()
    # So long a page counts as fresh.
    visitor.page.clock.fast_forward(5_500)
    section = visitor.page.locator("#featured")
    expect(section).to_contain_text("Red places a stone on c3.")
    expect(section.locator("img")).to_have_attribute("src", re.compile(f"/matches/{number}/1/"))
