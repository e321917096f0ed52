"""Patches in the browser: the site's own scripts make each page of a golden match of the last."""

import pytest
from django.conf import settings
from django.utils import timezone

from games.web.match import match_parts
from games.web.match.parts import patch
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

    context = chromium.new_context()
    context.route(f"{SITE}/**", serve)
    page = context.new_page()
    page.goto(f"{SITE}/")
    yield page
    context.close()


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
