"""A hand that enters moves on the page of a match by the best way that the page offers.

It taps whatever leads furthest into the wanted text: a mark of the board, else a chip, a list, a
form, and types where nothing else is left; a piece it drags to where it should go. It counts what
it taps and drags, how far it must scroll for it, and the requests that the page makes meanwhile.
"""

import re
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from playwright.sync_api import Browser, Page, Request

from bench.people import Person
from games.kernel import registry

DEVICES: dict[str, dict[str, Any]] = {
    "phone": {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True},
    "desktop": {"viewport": {"width": 1280, "height": 800}},
}
MOST = 80
"""More steps than any of the turns may take."""

PLACEMENT = re.compile(r"place ([+-]?[\d.]+) ([+-]?\d+)")

NEXT = """([wanted, offered]) => {
  const fold = (text) => text.toLowerCase().replaceAll(/\\s+/g, " ");
  const entered = (search) => new URLSearchParams(search).getAll("word").join("");
  const now = entered(location.search);
  const seen = (element) => element.checkVisibility() && !element.closest("details:not([open])");
  const folds = (link) => link.closest("#match-entry details:not([open])");
  const all = [...document.querySelectorAll("#match a[href]")]
    .filter((link) => seen(link) || folds(link));
  const urlOf = (link) => new URL(link.getAttribute("href"), location.href);
  const leads = all.map((link) => ({ link, url: urlOf(link) })).filter(({ url }) =>
    url.pathname === location.pathname && !url.searchParams.has("list"));
  const pick = (link) => { window.goal = link; return true; };
  const answer = [...document.querySelectorAll(".ask-answers [name=typed]")]
    .find(({ value }) => fold(value) === fold(wanted));
  if (answer) return pick(answer.form.querySelector("button")) && "link";
  const inSight = (link) => {
    const { left, top, width, height } = link.getBoundingClientRect();
    return link.contains(document.elementFromPoint(left + width / 2, top + height / 2));
  };
  const onward = leads.map(({ link, url }) => ({ link, text: entered(url.search) }))
    .filter(({ text }) => text.length > now.length && fold(wanted).startsWith(fold(text)));
  const most = Math.max(...onward.map(({ text }) => text.length));
  const farthest = onward.filter(({ text }) => text.length === most).map(({ link }) => link);
  const best = farthest.find(inSight) ?? farthest[0];
  if (best) return pick(folds(best)?.querySelector("summary") ?? best) && "link";
  const numbers = [...document.querySelectorAll("#match-entry [data-entry=row] [type=radio]")]
    .filter((one) => seen(one) && fold(wanted).startsWith(fold(now + one.value)))
    .sort((one, other) => other.value.length - one.value.length);
  if (numbers.length) return pick(numbers[0].closest("label")) && "link";
  const here = leads.filter(({ link, url }) => seen(link) && entered(url.search) === now);
  const at = here.find(({ link, url }) => url.searchParams.has("at") &&
    offered.some(({ marks }) => marks.includes(link.dataset.mark)));
  if (at) return pick(at.link) && "link";
  const options = [...document.querySelectorAll("#choices option")].filter(({ value }) => value);
  const found = options.filter(({ value }) => fold(wanted).startsWith(fold(now + value)))
    .sort((one, other) => other.value.length - one.value.length)[0];
  const select = document.getElementById("choices");
  if (found && seen(select)) { window.choice = found.value; return pick(select) && "list"; }
  const kind = here.find(({ url }) => url.searchParams.has("kind") &&
    offered.some(({ text }) => text.split(" ")[0] === url.searchParams.get("kind")));
  if (kind) return pick(kind.link) && "link";
  const typed = document.getElementById("typed");
  if (!seen(typed)) return pick(document.querySelector(".match-open")) && "link";
  return pick(typed) && "type";
}"""
"""Find what to tap next, keep it as ``window.goal``, and say what it is."""

REACH = """() => {
  const goal = window.goal;
  const frame = goal.closest?.(".board-scroll");
  const places = () => [scrollX, scrollY, frame?.scrollLeft ?? 0, frame?.scrollTop ?? 0];
  const point = () => {
    const box = goal.getBoundingClientRect();
    const parts = [0.5, 0.3, 0.7, 0.15, 0.85, 0.05, 0.95];
    for (const y of parts) for (const x of parts) {
      const [left, top] = [box.x + box.width * x, box.y + box.height * y];
      const hit = document.elementFromPoint(left, top);
      if (hit && goal.contains(hit)) return [left, top];
    }
    return null;
  };
  const before = places();
  let found = point();
  if (!found) {
    goal.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    found = point();
  }
  const far = places().reduce((sum, now, at) => sum + Math.abs(now - before[at]), 0);
  if (!found) goal.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true }));
  return [found, far];
}"""
"""Bring the goal into sight; return a point to tap, ``null`` without one, and the pixels."""

IS_DRAGGED = (
    """() => window.goal.matches("#match-board a.mark[data-movable]:not([aria-current])")"""
)
IS_TARGET = """() => window.goal.matches("#match-board a.mark:not(.mark-aside)")"""
AIM = """(text) => {
  const typed = document.getElementById("typed");
  typed.value = text;
  typed.dispatchEvent(new Event("input"));
}"""
"""Hold a piece where a typed move says."""

LIFT = 12
"""Pixels by which a piece is drawn away before it is known where it can go."""

READY = """() => !document.querySelector("#match[aria-busy=true], .board-stage") &&
  document.readyState === "complete" """


@dataclass(frozen=True)
class Effort:
    """What turns have taken: clicks or taps, characters typed among them, pixels, requests."""

    clicks: int = 0
    scrolled: int = 0
    requests: int = 0

    def __add__(self, other: "Effort") -> "Effort":
        return Effort(
            self.clicks + other.clicks,
            self.scrolled + other.scrolled,
            self.requests + other.requests,
        )


class Mouse:
    """A mouse that drags."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.holds = False

    def take(self, x: float, y: float) -> None:
        """Press there, and draw a little away."""
        self._page.mouse.move(x, y)
        self._page.mouse.down()
        self.move(x + LIFT, y)
        self.holds = True

    def move(self, x: float, y: float) -> None:
        """Come to a point."""
        self._page.mouse.move(x, y)

    def drop(self) -> None:
        """Let go."""
        self._page.mouse.up()
        self.holds = False


class Touch:
    """A finger that drags."""

    def __init__(self, page: Page) -> None:
        self._browser = page.context.new_cdp_session(page)
        self.holds = False

    def take(self, x: float, y: float) -> None:
        """Touch there, and draw a little away."""
        self._send("touchStart", {"x": x, "y": y})
        self.move(x + LIFT, y)
        self.move(x + 2 * LIFT, y)
        self.holds = True

    def move(self, x: float, y: float) -> None:
        """Come to a point."""
        self._send("touchMove", {"x": x, "y": y})

    def drop(self) -> None:
        """Let go."""
        self._send("touchEnd")
        self.holds = False

    def _send(self, kind: str, *points: dict[str, float]) -> None:
        self._browser.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": list(points)})


class Walker:
    """Somebody at a device, signed in."""

    def __init__(self, browser: Browser, port: int, person: Person, device: str) -> None:
        self._host = f"http://127.0.0.1:{port}"
        self._touches = device == "phone"
        known = [{"name": f"met-{slug}", "value": ""} for slug in registry.titles()]
        origin = {"origin": self._host, "localStorage": known}
        state: Any = {"cookies": [], "origins": [origin]}
        self._context = browser.new_context(
            base_url=self._host, storage_state=state, **DEVICES[device]
        )
        cookies = [pair.partition("=") for pair in person.cookies.split("; ")]
        self._context.add_cookies(
            [{"name": name, "value": value, "url": self._host} for name, _, value in cookies]
        )
        self._page = self._context.new_page()
        self._page.on("request", self._note)
        self._hand = Touch(self._page) if self._touches else Mouse(self._page)
        self._clicks = self._requests = 0
        self._scrolled = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._context.close()

    def _note(self, request: Request) -> None:
        self._requests += request.resource_type in ("document", "fetch", "xhr")

    def enter(self, match_id: int, version: int, text: str) -> Effort:
        """Open a match, enter a move and confirm it."""
        self._page.goto(f"/matches/{match_id}/")
        self._settle()
        self._clicks = self._requests = 0
        self._scrolled = 0.0
        for _ in range(MOST):
            if self._version() > version:
                return Effort(self._clicks, round(self._scrolled), self._requests)
            self._step(match_id, text)
            self._settle()
        raise RuntimeError(f"{text!r} could not be entered: {self._page.url}")

    def _version(self) -> int:
        return int(self._page.locator("#match-head").get_attribute("data-version") or 0)

    def _settle(self) -> None:
        self._page.wait_for_timeout(60)
        self._page.wait_for_function(READY)

    def _step(self, match_id: int, text: str) -> None:
        """Tap what leads on; the confirmation, once the whole move is shown."""
        if self._shown(text):
            self._tap("[data-confirm]")
        elif placed := PLACEMENT.fullmatch(text):
            self._hold(*placed.groups())
        else:
            self._act(self._page.evaluate(NEXT, [text, self._offered(match_id, text)]), text)

    def _act(self, kind: str, text: str) -> None:
        if self._hand.holds and kind != "link":
            self._let_go(None)
        elif kind == "type":
            self._type(text)
        elif kind == "list":
            self._choose()
        else:
            self._tap()

    def _shown(self, text: str) -> bool:
        words = self._page.locator("#confirm [name=word]").all()
        entered = "".join(word.get_attribute("value") or "" for word in words)
        return " ".join(entered.split()).lower() == " ".join(text.split()).lower()

    def _offered(self, match_id: int, text: str) -> list[dict[str, Any]]:
        """Return the choices that lead on to the text, the longest first."""
        now = self._page.evaluate("new URLSearchParams(location.search).getAll('word').join('')")
        api = f"/api/v1/matches/{match_id}/options/"
        answer = self._context.request.get(api, params={"typed": now})
        choices = answer.json().get("next", []) if answer.ok else []
        leading = [one for one in choices if "text" in one and text.startswith(now + one["text"])]
        return sorted(leading, key=lambda one: len(one["text"]), reverse=True)

    def _tap(self, selector: str = "") -> None:
        """Tap what was found, or an element; scroll to it where it must be."""
        if selector:
            self._page.evaluate(f"window.goal = document.querySelector(`{selector}`)")
        point, far = self._page.evaluate(REACH)
        if self._hand.holds:
            self._let_go(point if not far and self._page.evaluate(IS_TARGET) else None)
            return
        self._clicks += 1
        self._scrolled += far
        if point and not far and self._page.evaluate(IS_DRAGGED):
            self._hand.take(*point)
        elif point and self._touches and not far:
            self._page.touchscreen.tap(*point)
        elif point:
            self._page.mouse.click(*point)

    def _let_go(self, point: tuple[float, float] | None) -> None:
        """Drop what is dragged: on what is wanted next, else where it is, and a tap follows."""
        if point:
            self._hand.move(*point)
        self._hand.drop()

    def _choose(self) -> None:
        """Open a list, and choose from it."""
        self._scrolled += self._page.evaluate(REACH)[1]
        self._clicks += 2
        self._page.evaluate("dispatchEvent(new PointerEvent('pointerdown'))")
        value, before = self._page.evaluate("window.choice"), self._page.url
        self._page.locator("#choices").select_option(value)
        self._settle()
        if self._page.locator("#choices").count() and self._page.url == before:
            self._page.locator("#choices ~ button").click()
            self._clicks += 1

    def _type(self, text: str) -> None:
        """Type the move, a key counted as a click."""
        self._scrolled += self._page.evaluate(REACH)[1]
        self._page.locator("#typed").fill(text)
        self._page.locator("#typed").press("Enter")
        self._clicks += len(text) + 2

    def _hold(self, at: str, tilt: str) -> None:
        """Hold a piece at a place and tilt it, each counted as one drag, and release it."""
        self._page.evaluate(AIM, f"place {at} {tilt}")
        self._clicks += 2
        self._tap(".hand-panel .btn-turn")
