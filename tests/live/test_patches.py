"""Patches: each takes a page from one entry of a match to the next, for every viewer."""

import pytest
from django.utils import timezone

from games.screen import match_parts
from games.screen.parts import apply, compose, patch
from tests.golden_pages import BEGIN, FIRST_OF_EACH_GAME, PACE, pages, whole
from tests.patched_page import without_links

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def still_clock(monkeypatch):
    """Hold the time at which pages are rendered."""
    monkeypatch.setattr(timezone, "now", lambda: BEGIN + 100 * PACE)


@pytest.mark.parametrize(("slug", "name"), FIRST_OF_EACH_GAME)
def test_a_patch_leads_from_each_entry_to_the_next(slug, name):
    shown = {}
    for seen in pages(slug, name):
        for viewer, page in seen.items():
            found = match_parts.render(page)
            held = shown.get(viewer, {})
            shown[viewer] = apply(held, patch(held, found.parts))
            assert shown[viewer] == found.parts
            composed, _ = without_links(compose(shown[viewer]))
            assert (composed, found.targets) == without_links(whole(page))
