"""The first load of a match page on a slow phone, and a second one with cached files.

Chromium is slowed down to a quarter of its speed, with a line of 1.6 Mbit/s and a round trip of 150
ms. ``--games`` names the games.
"""

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import median

from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, sync_playwright

from bench import people, scripts, site
from bench.models import Counter
from bench.options import chosen
from bench.people import Person
from bench.rows import Row
from games.kernel import registry
from games.matches.update import MatchUpdate

SECTION = "First load of a match page: a phone, 4 × slower, 1.6 Mbit/s, 150 ms; median of three"

GAMES = chosen.games or list(registry.titles())
SLOWER = 4
LINE = {"offline": False, "latency": 150, "downloadThroughput": 2e5, "uploadThroughput": 93_750}
"""The line in milliseconds and bytes a second."""

PHONE: ViewportSize = {"width": 390, "height": 664}
MOVES, LOADS = 12, 3
PATIENCE = 120_000
"""Milliseconds that a page may take on a busy machine."""

MOST_PAINT, MOST_SHIFT, MOST_REQUESTS, MOST_BYTES, MOST_WARM = 2_000, 0.02, 15, 150_000, 600

WATCH = """
window.seen = { paint: 0, shift: 0 };
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.seen.paint = entry.startTime;
}).observe({ type: "largest-contentful-paint", buffered: true });
new PerformanceObserver((list) => {
  const unasked = list.getEntries().filter((entry) => !entry.hadRecentInput);
  window.seen.shift += unasked.reduce((sum, entry) => sum + entry.value, 0);
}).observe({ type: "layout-shift", buffered: true });
"""


@dataclass(frozen=True)
class Load:
    """A page that was loaded: its largest paint in ms, its layout shift, requests and bytes."""

    paint: float
    shift: float
    requests: int
    size: float


def rows() -> Iterator[Row]:
    """Load the page of a match of each game, and the bare page as the floor."""
    # Playwright drives the browser by a loop in this thread, where Django suspects a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    users = people.make(2, "phone")
    reader = people.sign_in(users[0])
    with site.serving(1) as [port], sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"]
        )
        counter = Counter.objects.create(changed=timezone.now())
        floor = _loads(browser, port, reader, f"/bench/{counter.pk}/")
        for slug in GAMES:
            script = scripts.write(slug, 0, MOVES)
            match = scripts.start(script, users)
            update = MatchUpdate.load(match.pk, timezone.now())
            for seat, text in script.moves:
                update.play(seat, text)
            update.commit()
            yield from _rows(slug, _loads(browser, port, reader, match.get_absolute_url()), floor)
        browser.close()


def _rows(slug: str, loads: Sequence[Load], floor: Sequence[Load]) -> Iterator[Row]:
    (first, warm), (bare, bare_warm) = loads, floor
    size, least = first.size / 1000, bare.size / 1000
    yield _row(f"{slug}: largest paint", first.paint, "ms", bare.paint, MOST_PAINT)
    yield _row(f"{slug}: layout shift", first.shift, "", bare.shift, MOST_SHIFT)
    yield _row(f"{slug}: requests", first.requests, "", bare.requests, MOST_REQUESTS)
    yield _row(f"{slug}: compressed", size, "kB", least, MOST_BYTES / 1000)
    yield _row(f"{slug}: largest paint, again", warm.paint, "ms", bare_warm.paint, MOST_WARM)


def _row(what: str, measured: float, unit: str, floor: float, most: float) -> Row:
    goal = f"≤ {most:,.4g} {unit}".strip()
    return Row(what, measured, unit, floor, f"{unit}, bare page".strip(), goal, measured <= most)


def _loads(browser: Browser, port: int, reader: Person, path: str) -> tuple[Load, Load]:
    """Return the medians of some first loads, and of the second ones."""
    pairs = [_twice(browser, port, reader, path) for _ in range(LOADS)]
    return _median([first for first, _ in pairs]), _median([warm for _, warm in pairs])


def _median(loads: Sequence[Load]) -> Load:
    return Load(
        median(load.paint for load in loads),
        median(load.shift for load in loads),
        round(median(load.requests for load in loads)),
        median(load.size for load in loads),
    )


def _twice(browser: Browser, port: int, reader: Person, path: str) -> tuple[Load, Load]:
    """Load a page in a fresh browser, then once more."""
    context = browser.new_context(viewport=PHONE, has_touch=True, is_mobile=True)
    address = f"http://127.0.0.1:{port}"
    pairs = (cookie.partition("=") for cookie in reader.cookies.split("; "))
    context.add_cookies([{"name": key, "value": value, "url": address} for key, _, value in pairs])
    try:
        found = _load(context, address + path), _load(context, address + path)
    finally:
        context.close()
    return found


def _load(context: BrowserContext, address: str) -> Load:
    page = context.new_page()
    page.add_init_script(WATCH)
    sizes = _slowed(page)
    page.goto(address, timeout=PATIENCE)
    page.wait_for_load_state("networkidle", timeout=PATIENCE)
    seen = page.evaluate("window.seen")
    page.close()
    return Load(seen["paint"], seen["shift"], len(sizes), sum(sizes))


def _slowed(page: Page) -> list[float]:
    """Slow a page down. Return a list that will contain the compressed sizes of its answers."""
    sizes: list[float] = []
    line = page.context.new_cdp_session(page)
    line.send("Network.enable")
    line.send("Network.emulateNetworkConditions", LINE)
    line.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    line.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    return sizes
