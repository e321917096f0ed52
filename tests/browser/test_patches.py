"""Patches in the browser: the site's own scripts make each page of a golden match of the last."""

import json
import zoneinfo
from datetime import UTC, datetime

import pytest
from django.conf import settings
from django.utils import timezone
from msgspec import structs

from games.matches import formatting
from games.matches.pauses import Reason
from games.matches.view.parts import ClockFace
from games.screen import match_parts, part_templates
from games.screen.parts import compose, patch
from games.web import template_functions as times
from tests.golden_pages import BEGIN, FIRST_OF_EACH_GAME, PACE, pages, whole

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

SITE = "http://patches.test"
SCRIPT = """async (steps) => {
  const { link } = await import("/js/board/marks.js");
  const { apply, compose, parse } = await import("/js/net/patches.js");
  let parts = {};
  return steps.findIndex(({ patch, targets, address, whole }) => {
    parts = apply(parts, patch);
    const shown = parse(compose(parts));
    link(shown, targets, address);
    return !shown.isEqualNode(parse(whole));
  });
}"""


@pytest.fixture(scope="module")
def empty_page(chromium):
    """A page of a site that has nothing but the static files."""

    def serve(route):
        path = route.request.url.removeprefix(f"{SITE}/")
        if path:
            route.fulfill(path=settings.BASE_DIR / "static" / path)
        else:
            route.fulfill(body="<!DOCTYPE html><body>", content_type="text/html")

    context = chromium.new_context(timezone_id="UTC")
    context.route(f"{SITE}/**", serve)
    page = context.new_page()
    page.goto(f"{SITE}/")
    yield page
    context.close()


TIMES = """async ([html, whole, zone]) => {
  const { link } = await import("/js/board/marks.js");
  const { showIn } = await import("/js/net/times.js");
  const { parse } = await import("/js/net/patches.js");
  const [shown, there] = [parse(html), parse(whole)];
  link(shown, {}, "/");
  showIn(shown, JSON.parse(zone));
  const texts = (content) =>
    [...content.querySelectorAll("time, [title]")].map((one) => [one.title, one.outerHTML]);
  return [shown.isEqualNode(there), texts(shown), texts(there)];
}"""

STILL = ClockFace(
    left="2 d",
    state="still",
    deadline="2026-07-01T10:00:00.000+00:00",
    why="weekend",
    resumes="2026-09-06T22:00:00.000+00:00",
)

AWAY = ClockFace(left="2 d", why="away", stands_still="The clock stands still: on vacation")


def clocks(zone):
    """Clocks as a page in a zone shows them: that of a player on vacation has no time."""
    with timezone.override(zone):
        until, resumes = (datetime.fromisoformat(at) for at in (STILL.deadline, STILL.resumes))
        sentence = formatting.stands_still([Reason.WEEKEND], resumes)
        times = {"until": formatting.exact(until), "resumes_shown": formatting.exact(resumes)}
        still = structs.replace(STILL, **times, stands_still=sentence)
    return part_templates.macro("macros.html", "clock", still) + part_templates.macro(
        "macros.html", "clock", AWAY
    )


@pytest.mark.parametrize(
    "zone",
    ["Europe/Berlin", "Europe/London", "America/New_York", "America/St_Johns", "Asia/Kolkata",
     "Asia/Dubai", "Pacific/Auckland"],
)  # fmt: skip
def test_times_are_those_of_a_page_in_the_zone_of_its_reader(empty_page, monkeypatch, zone):
    monkeypatch.setattr(timezone, "now", lambda: BEGIN + 100 * PACE)
    *_, seen = pages(*FIRST_OF_EACH_GAME[0].values)
    page = seen[None]
    sent = compose(match_parts.parts_of(page.snapshot, page.view.log, None).parts)
    with timezone.override(zoneinfo.ZoneInfo(zone)):
        there = whole(page) + clocks(zoneinfo.ZoneInfo(zone))
        given = [sent + clocks(UTC), there, times.zone_for_scripts()]
    is_equal, shown, there = empty_page.evaluate(TIMES, given)
    assert shown == there
    assert is_equal


def test_a_zone_that_the_browser_does_not_know_is_that_of_the_device(empty_page):
    html = '<time datetime="2026-09-03T10:05:00.000+00:00"></time>'
    zone = json.dumps({"zone": "Moon/Tranquillity", "names": {"+00:00": "UTC"}})
    _, [[_, text]], _ = empty_page.evaluate(TIMES, [html, html, zone])
    assert ">Thu, 3 Sept 2026, 10:05 UTC<" in text


@pytest.mark.parametrize(("slug", "name"), FIRST_OF_EACH_GAME)
def test_scripts_make_each_page_of_the_last(empty_page, monkeypatch, slug, name):
    monkeypatch.setattr(timezone, "now", lambda: BEGIN + 100 * PACE)
    steps, held = {}, {}
    for seen in pages(slug, name):
        for viewer, page in seen.items():
            found = match_parts.render(page)
            step = {
                "patch": patch(held.get(viewer, {}), found.parts),
                "targets": found.targets,
                "address": page.view.address,
                "whole": whole(page),
            }
            held[viewer] = found.parts
            steps.setdefault(viewer, []).append(step)
    for viewer, taken in steps.items():
        assert empty_page.evaluate(SCRIPT, taken) == -1, f"entry of this number, seat {viewer}"
