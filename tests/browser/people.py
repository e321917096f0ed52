"""People at their machines: what they do on the site, by what they see."""

import json
import os
import re
from pathlib import Path

from playwright.sync_api import expect

from games.kernel import registry
from tests.deployment.programs import eventually

SHOTS = Path(__file__).parent / "shots"
PASSWORD = "correct-horse-battery"
SAMPLE_PASSWORD = "turnstone-sample"
WIDE, PHONE = (1280, 900), (360, 780)

CLOSED_EARLY = "WebSocket is closed before the connection is established."
"""What Chromium says of a page that is left while it connects, and of one that closes a connection
before there is one: whether a script of ours does, ``WATCH_CLOSING`` says."""

WATCH_CLOSING = """{
  const { close } = WebSocket.prototype;
  WebSocket.prototype.close = function (...how) {
    if (this.readyState === WebSocket.CONNECTING) {
      console.error("A script has closed a WebSocket that was connecting.");
    }
    return close.apply(this, how);
  };
}"""


KEEP = """
if (location.protocol.startsWith("http") && !document.cookie.includes("kept=")) {
  document.cookie = "kept=yes; path=/";
  Object.entries(%s).forEach(([key, value]) => localStorage.setItem(key, value));
}
"""
"""Writes what a browser keeps before its first page.

Playwright's ``storage_state`` would open a page of its own for that.
"""


def kept(*, steps):
    """What a browser keeps on which no game is played for the first time."""
    found = {f"met-{slug}": "" for slug in registry.titles()}
    return found if steps else {**found, "match-steps": "off"}


class Person:
    """Somebody with a browser of their own, signed in or not."""

    def __init__(
        self,
        chromium,
        site,
        name="",
        *,
        size=WIDE,
        script=True,
        dark=False,
        touch=False,
        steps=True,
        language="en-GB",
    ):
        self.name = name
        self.site = site
        self.touches = touch
        self.has_script = script
        self.complaints = []
        self.has_left = False
        self.context = chromium.new_context(
            base_url=site.url,
            viewport={"width": size[0], "height": size[1]},
            java_script_enabled=script,
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            is_mobile=touch,
            locale=language,
        )
        self.context.add_init_script(WATCH_CLOSING + KEEP % json.dumps(kept(steps=steps)))
        self.page = self.context.new_page()
        self.page.on("console", self._note)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))

    def _note(self, message):
        """Keep what a page complains of, but not that something was refused or the page left."""
        refused = re.search(r"status of (403|404|409|413|422|429)", message.text)
        left = message.text.endswith(CLOSED_EARLY)
        if message.type in ("error", "warning") and not refused and not left:
            self.complaints.append(message.text)

    def leave(self):
        """Close the browser, unless it is; drop the answers to requests that a test still holds."""
        if self.has_left:
            return
        self.has_left = True
        for page in self.context.pages:
            page.unroute_all(behavior="ignoreErrors")
        self.context.unroute_all(behavior="ignoreErrors")
        self.context.close()

    def go(self, path):
        return self.page.goto(path)

    def loads_until(self, path, words):
        """Open a page again and again, as somebody without scripts does, until it holds words."""
        eventually(lambda: self.go(path) and words in self.page.inner_text("main"))

    def press(self, button):
        self.page.get_by_role("button", name=button, exact=True).click()

    def sees(self, words):
        expect(self.page.get_by_text(words).first).to_be_visible()

    def shoot(self, name):
        """Keep a picture of the whole page, for who wants to look at them (SHOTS=1)."""
        if not os.environ.get("SHOTS"):
            return
        SHOTS.mkdir(exist_ok=True)
        self.page.screenshot(path=SHOTS / f"{name}.png", full_page=True)

    # --- Accounts -------------------------------------------------------------------------------

    def register(self):
        """Join, and confirm the address by the link in the mail."""
        address = f"{self.name}@example.org"
        self.go("/account/signup/")
        self.page.locator("[name=username]").fill(self.name)
        self.page.locator("[name=email]").fill(address)
        self.page.locator("[name=password1]").fill(PASSWORD)
        self.page.locator("main").get_by_role("button", name="Join").click()
        self.go(self.site.link_in_mail(address, "confirm"))
        self.press("Confirm")

    def join(self):
        """Join without looking at pages, with an address that is confirmed."""
        address = f"{self.name}@example.org"
        self._enter("join", username=self.name, email=address, password=PASSWORD)

    def be_signed_in(self):
        """Sign in without looking at pages, as at the beginning of most tests."""
        self._enter("sign-in", username=self.name)

    def _enter(self, door, **fields):
        answer = self.context.request.post(f"/doors/{door}/", form=fields)
        assert answer.ok, (answer.status, door)

    def post(self, path, *, page=None, **fields):
        """Send a form that stands on a page, by default the one at the same path, without it."""
        shown = self.context.request.get(page or path)
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown.text())
        form = {"csrfmiddlewaretoken": token[1], **fields}
        headers = {"Origin": self.site.url, "Referer": self.site.url + (page or path)}
        answer = self.context.request.post(path, form=form, headers=headers)
        assert answer.ok, (answer.status, path)
        return answer

    def sign_in(self, password=PASSWORD):
        self.go("/account/login/")
        self.page.locator("[name=login]").fill(self.name)
        self.page.locator("[name=password]").fill(password)
        self.press("Sign in")
        self.page.wait_for_url("**/home/")

    # --- Challenges -----------------------------------------------------------------------------

    def challenge(self, other, size=3, game="die"):
        """Challenge somebody and begin; return the path of the challenge."""
        self.go(f"/games/{game}/challenge/?settings=open")
        self.page.locator("[name=param-size]").fill(str(size))
        self.page.locator("[name=audience][value=named]").check()
        self.page.locator("[name=players]").fill(other.name)
        self.page.locator("[name=seating][value=first]").check()
        self.press("Send the challenge")
        if not self.has_script:
            # The sentence has changed, and is shown before it is sent.
            self.press("Send the challenge")
        self.page.wait_for_url(re.compile(r"/challenges/\d+/$"))
        return self.page.url.removeprefix(self.site.url)

    def accept(self, path):
        """Accept a challenge; return the path of the match."""
        self.go(path)
        self.press("Accept and begin")
        self.page.wait_for_url(re.compile(r"/matches/\d+/$"))
        return self.page.url.removeprefix(self.site.url)

    def follow(self, path):
        """Come to a match that somebody's acceptance began; with scripts the page leads there."""
        if self.has_script:
            self.page.wait_for_url(f"**{path}")
        else:
            self.go(path)

    # --- Matches --------------------------------------------------------------------------------

    @property
    def legal(self):
        """The marks of the board that lead on from here."""
        marks = self.page.locator("#match-board a.mark:not(.mark-aside)")
        return [mark.get_attribute("data-mark") for mark in marks.all()]

    @property
    def version(self):
        return int(self.page.locator("#match-head").get_attribute("data-version"))

    def waits_for_turn(self):
        expect(self.page.locator("#match-entry.action-turn h2")).to_be_visible()

    def sees_version(self, version):
        expect(self.page.locator("#match-head")).to_have_attribute("data-version", str(version))

    def click(self, mark):
        self.page.locator(f'#match-board [data-mark="{mark}"]').click()

    def open_drawer(self):
        """Open the drawer with offers, plans and the field for a typed move."""
        if not self.page.locator("#drawer-more").is_visible():
            self.page.locator(".match-open:visible, [data-tab=more]:visible").first.click()

    def confirm(self):
        self.page.locator("[data-confirm]").click()


def start(host, guest, size=3, **how):
    """Let two look at a match of DIE that has just begun; return its path."""
    return start_game(host, guest, "die", size=size, **how)


def start_game(host, guest, game, **how):
    """Let two look at a match that has just begun; return its path."""
    path = host.site.begin(host.name, guest.name, game=game, **how)
    for person in (guest, host):
        person.go(path)
    return path


def in_turn(pair):
    """Two who look at a match: the one to move, then the other."""
    return pair if pair[0].page.locator("#match-entry.action-turn").count() else pair[::-1]


def start_by_hand(host, guest):
    """Begin a match of DIE on the pages that are there for it; return its path."""
    path = guest.accept(host.challenge(guest))
    host.follow(path)
    return path
