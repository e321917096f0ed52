"""The manuals name only files that exist, and their links lead somewhere."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "SECURITY.md", *sorted((ROOT / "docs").glob("*.md"))]
TUTORIAL = "adding-a-game.md"
"""It names files that its reader makes."""

NAMED = re.compile(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|js|json|html|md|txt|yml|css))`")
LINK = re.compile(r"\]\(([^):#]*)(?:#([^)]+))?\)")


def headings(page):
    """Return the anchors of a page's headings, as GitHub makes them."""
    found = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_files_that_a_page_names_exist(page):
    named = NAMED.findall(page.read_text("utf-8")) if page.name != TUTORIAL else []
    assert [path for path in named if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_of_a_page_lead_somewhere(page):
    for name, anchor in LINK.findall(page.read_text("utf-8")):
        target = page.parent / name if name else page
        assert target.exists(), name
        assert not anchor or anchor in headings(target), f"{name}#{anchor}"
