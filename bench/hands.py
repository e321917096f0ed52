"""The work of the hand: a fixed sequence of turns of every game, entered in a browser.

Every turn of the first seat is entered on the page of the match, by the best way that the page
offers (``bench/walker.py``); the other seats move through services. ``bench/hands.json`` has the
turns, and what they took before the page was redesigned. ``--games`` names the games to play.
"""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.utils import timezone
from playwright.sync_api import Browser, sync_playwright

from accounts.models import User
from bench import people, site
from bench.options import chosen
from bench.rows import Row
from bench.walker import Effort, Walker
from games.kernel import params, registry
from games.matches import services
from games.matches.clocks.clock import PRESETS
from games.matches.models import Match
from games.matches.services import Participant

SECTION = "The work of the hand: clicks, scrolled pixels and requests of fixed turns"

STORED = json.loads(Path(__file__).with_suffix(".json").read_text(encoding="utf-8"))
GAMES = chosen.games or list(STORED)
HALF = 0.5

PLAYERS = (("phone", True), ("phone", False), ("desktop", True))
"""The devices, each with whether its player confirms moves."""

ASIDE = ThreadPoolExecutor(1)
"""Calls services: what they push is sent by a loop, and Playwright runs one in the main thread."""


def rows() -> Iterator[Row]:
    """Enter the turns of every game on every device."""
    # Playwright drives the browser by a loop in this thread, where Django suspects a coroutine.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with site.serving(1) as [port], sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ.get("CHROMIUM"), args=["--no-sandbox"]
        )
        for device, confirms in PLAYERS:
            how = device + ("" if confirms else ", without confirming")
            efforts = []
            for slug in GAMES:
                efforts.append(enter(browser, port, slug, device, confirms=confirms))
                yield from _rows(f"{slug}, {how}", efforts[-1], STORED[slug]["before"][device])
            befores = [STORED[slug]["before"][device] for slug in GAMES]
            yield from _rows(f"together, {how}", *_sums(efforts, befores))
        browser.close()


def _sums(
    efforts: Sequence[Effort], befores: Sequence[Mapping[str, float]]
) -> tuple[Effort, Mapping[str, float]]:
    """Add up what all games take, and took."""
    return sum(efforts, Effort()), {key: sum(b[key] for b in befores) for key in befores[0]}


def _rows(name: str, effort: Effort, before: Mapping[str, float]) -> Iterator[Row]:
    work, then = effort.clicks + effort.requests, before["clicks"] + before["requests"]
    counts = f"before: {before['clicks']} + {before['requests']}"
    what = f"{name}: {effort.clicks} clicks + {effort.requests} requests"
    yield Row(what, work, "", then, counts, f"≤ {HALF} ×", work <= then * HALF)
    scrolled = effort.scrolled
    yield Row(f"{name}: scrolled", scrolled, "px", before["scrolled"], "px", "0 px", not scrolled)


def enter(browser: Browser, port: int, slug: str, device: str, *, confirms: bool) -> Effort:
    """Play the stored turns, those of the first seat by hand; return what that took."""
    turns = STORED[slug]["turns"]
    players = people.make(2, f"{slug[:8]}-{device}-{confirms:d}")
    User.objects.filter(pk=players[0].pk).update(confirm_moves=confirms)
    match = ASIDE.submit(start, slug, players, STORED[slug]["params"]).result()
    effort = Effort()
    with Walker(browser, port, people.sign_in(players[0]), device) as walker:
        for version, (seat, text) in enumerate(turns):
            if seat:
                ASIDE.submit(play, match, players[seat], version, text).result()
            else:
                effort += walker.enter(match.pk, version, text)
    return effort


def start(slug: str, players: list[User], chosen: Mapping[str, Any]) -> Match:
    """Start a match that draws the same each time."""
    return services.start(
        title=slug,
        params=params.complete(registry.get(slug).meta, chosen),
        clock=PRESETS["standard"],
        secret=b"s" * 32,
        participants=[Participant(user, bytes([seat]) * 32) for seat, user in enumerate(players)],
        last_joiner=players[-1],
        now=timezone.now(),
    )


def play(match: Match, user: User, version: int, text: str) -> None:
    """Play a move through services."""
    services.play_move(
        match_id=match.pk,
        user=user,
        texts=[text],
        version=version,
        submission=uuid4(),
        now=timezone.now(),
    )
