"""A move answered by an error page, a lost connection or a sign-in page is kept and sent again."""

import json
import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.people import start

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

MOVES = re.compile(r"/matches/\d+/moves/\?part=live$")
SOCKET = re.compile("/ws/")


@pytest.fixture
def faulty(people):
    """Sit two people down at a match where the first's page may complain of what it is answered.

    It has no connection but for requests, so that its moves go out as forms, and chance adds the
    same to each of its pauses, so that they can be compared.
    """

    def _sit_down():
        ada, bruno = people("sample-ada"), people("sample-bruno")
        ada.context.add_init_script("Math.random = () => 0.5")
        ada.context.route_web_socket(SOCKET, lambda socket: socket.close(code=4400))
        start(ada, bruno)
        ada.waits_for_turn()
        ada.page.remove_listener("console", ada._note)
        return ada

    return _sit_down


class Moves:
    """What is between a page and the address that takes its moves: it answers the first ones."""

    def __init__(self, person, *answers):
        self.answers = list(answers)
        self.sent, self.times = [], []
        person.page.route(MOVES, self._handle)

    def _handle(self, route):
        found = re.search(r'name="submission"\r\n\r\n([0-9a-f-]+)', route.request.post_data)
        self.sent.append(found[1])
        self.times.append(time.monotonic())
        answer = self.answers.pop(0) if self.answers else None
        if answer is None:
            route.continue_()
        elif answer == "cut":
            route.abort()
        elif answer == "lost":
            route.fetch(max_redirects=0)
            route.fulfill(status=502, body="Bad Gateway")
        else:
            route.fulfill(**answer)


def enter(person, mark="c3"):
    person.click(mark)
    person.sees("not played yet")
    person.confirm()


def panel(person):
    return person.page.locator("#match-entry")


def test_a_move_that_meets_errors_is_told_and_played_once(faulty):
    ada = faulty()
    moves = Moves(ada, {"status": 429, "headers": {"Retry-After": "2"}}, "lost", {"status": 502})
    enter(ada)
    expect(panel(ada)).to_contain_text("Too many requests. Trying again in 2 seconds.")
    expect(ada.page.locator("[data-confirm]")).to_have_attribute("aria-disabled", "true")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.sees_version(1)
    assert len(moves.sent) == 4
    assert len(set(moves.sent)) == 1
    expect(ada.page.locator("#action-head")).to_have_text("sample-bruno to move")
    expect(ada.page.locator(".action-error, .action-sending")).to_have_count(0)


def test_a_pause_longer_than_a_minute_is_left_to_the_player(faulty):
    ada = faulty()
    moves = Moves(ada, {"status": 429, "headers": {"Retry-After": "600"}})
    enter(ada)
    expect(ada.page.get_by_role("alert")).to_contain_text("Your move is kept")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    ada.confirm()
    ada.sees_version(1)
    assert len(set(moves.sent)) == 1


def test_who_is_signed_out_meanwhile_signs_in_and_finds_the_move_again(faulty):
    ada = faulty()
    enter_at = ada.page.url
    ada.click("c3")
    ada.sees("not played yet")
    ada.context.clear_cookies(name="sessionid")
    ada.confirm()
    alert = ada.page.get_by_role("alert")
    expect(alert).to_contain_text("You are no longer signed in. Your move is kept here.")
    expect(ada.page.locator("#action-head")).to_have_text("Place a stone on c3?")
    alert.get_by_role("link", name="Sign in").click()
    ada.page.locator("[name=login]").fill(ada.name)
    ada.page.locator("[name=password]").fill("turnstone-sample")
    ada.press("Sign in")
    ada.page.wait_for_url(re.compile(re.escape(enter_at) + r"\?.*c3"))
    ada.sees("not played yet")
    ada.confirm()
    ada.sees_version(1)


def test_steps_and_moves_go_on_when_the_device_is_back(faulty):
    ada = faulty()
    ada.context.set_offline(True)
    ada.click("c3")
    alert = ada.page.get_by_role("alert")
    expect(alert).to_contain_text("You are offline. Your move is kept here and continues")
    ada.context.set_offline(False)
    ada.sees("not played yet")
    expect(alert).to_have_count(0)
    ada.context.set_offline(True)
    ada.confirm()
    expect(panel(ada)).to_contain_text("You are offline. Trying again in")
    ada.context.set_offline(False)
    ada.sees_version(1)


class Plays:
    """The connection of a page, which treats moves in its own way and passes on all else.

    ``fate`` is one of ``lost`` (nothing goes to the site), ``unanswered`` (nothing comes back),
    ``cut`` (the connection ends once the site has the move).
    """

    def __init__(self, context, fate):
        self.fate, self.sent, self.is_open = fate, [], False
        context.route_web_socket(SOCKET, self._connect)

    def _connect(self, socket):
        server = socket.connect_to_server()
        socket.on_message(lambda message: self._send(server, message))
        server.on_message(lambda message: self._hear(socket, message))

    def _send(self, server, message):
        if '"play"' in message:
            self.sent.append(json.loads(message)["submission"])
        if '"play"' not in message or self.fate != "lost":
            server.send(message)

    def _hear(self, socket, message):
        self.is_open = True
        if '"played"' not in message or self.fate == "answered":
            socket.send(message)
        elif self.fate == "cut":
            socket.close(code=1001)


@pytest.fixture
def playing(people):
    """Sit two people down at a match; return the first, her connection and what she posts."""

    def _sit_down(fate):
        ada, bruno = people("sample-ada"), people("sample-bruno")
        plays = Plays(ada.context, fate)
        start(ada, bruno)
        ada.waits_for_turn()
        while not plays.is_open:
            ada.page.wait_for_timeout(50)
        return ada, plays, Moves(ada)

    return _sit_down


def test_a_move_that_the_connection_does_not_answer_goes_out_as_a_form(playing):
    ada, plays, moves = playing("cut")
    enter(ada)
    ada.sees_version(1)
    expect(ada.page.locator("#action-head")).to_have_text("sample-bruno to move")
    expect(ada.page.locator(".action-error, .action-sending")).to_have_count(0)
    assert plays.sent == moves.sent
    assert len(moves.sent) == 1


def test_why_a_move_is_refused_is_told_over_the_connection(playing):
    ada, plays, moves = playing("answered")
    ada.click("c3")
    ada.sees("not played yet")
    ada.page.locator("#confirm [name=word]").evaluate("input => { input.value = 'z9' }")
    ada.confirm()
    expect(ada.page.get_by_role("alert")).to_be_visible()
    assert len(plays.sent) == 1
    assert moves.sent == []


class Lines:
    """The connections of somebody's pages; ``down`` refuses new ones.

    ``open`` holds those over which the site has spoken.
    """

    def __init__(self, context):
        self.open, self.made, self.down = [], 0, False
        context.route_web_socket(SOCKET, self._connect)

    def _connect(self, socket):
        self.made += 1
        if self.down:
            socket.close(code=1013)
        else:
            socket.connect_to_server().on_message(lambda message: self._hear(socket, message))

    def _hear(self, socket, message):
        if socket not in self.open:
            self.open.append(socket)
        socket.send(message)

    def cut(self, page, code):
        """Cut them once there is one."""
        while not self.open:
            page.wait_for_timeout(50)
        self.down = True
        for socket in self.open:
            socket.close(code=code)
        self.open = []


def test_a_page_that_is_not_live_asks_every_20_seconds(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = start(ada, bruno)
    lines = Lines(bruno.context)
    bruno.page.clock.install()
    bruno.go(path)
    expect(bruno.page.locator("#action-head")).to_contain_text("sample-ada to move")
    lines.cut(bruno.page, 1001)
    enter(ada)
    ada.sees_version(1)
    bruno.page.clock.run_for(5_000)
    bruno.sees("Reconnecting …")
    assert bruno.version == 0
    bruno.page.clock.run_for(16_000)
    bruno.sees_version(1)
    bruno.waits_for_turn()


def test_a_step_that_failed_can_be_tried_now(faulty):
    ada = faulty()
    steps = re.compile(r"\?(?=.*part=entry)")
    ada.context.route_web_socket(SOCKET, lambda socket: None)
    ada.page.reload()
    ada.page.route(steps, lambda route: route.fulfill(status=502, body="<h1>502</h1>"))
    ada.click("c3")
    alert = ada.page.get_by_role("alert")
    expect(alert).to_contain_text("error 502. Your move is kept")
    ada.page.unroute(steps)
    alert.get_by_role("link", name="Try now").click()
    ada.sees("not played yet")
    expect(alert).to_have_count(0)
