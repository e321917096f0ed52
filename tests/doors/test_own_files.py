"""The script and the style sheet that a game may bring for the pages of its matches."""

import pytest

from games.templatetags import own_files
from tests.duel import duel, fresh_cache

__all__ = ["duel", "fresh_cache"]

STYLE = '<link rel="stylesheet" href="/static/die/match.css">'
SCRIPT = '<script type="module" src="/static/die/match.js"></script>'


@pytest.fixture
def folder(tmp_path, settings):
    """Where the game of the duel may have files of its own; it has none yet."""
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, tmp_path]
    own = tmp_path / "die"
    own.mkdir()
    own_files._has.cache_clear()
    yield own
    own_files._has.cache_clear()


def pages(duel):
    """The page and the record of the match."""
    paths = (duel.page, f"{duel.page}0/")
    return [duel.client(0).get(path).content.decode() for path in paths]


def test_a_game_without_files_of_its_own_links_none(duel, folder):
    for page in pages(duel):
        assert "static/die/" not in page


def test_script_and_style_go_with_page_and_record_after_the_sites_own(duel, folder):
    (folder / "match.js").touch()
    (folder / "match.css").touch()
    for page in pages(duel):
        assert page.index("css/match.css") < page.index(STYLE)
        assert page.index("/static/js/match/") < page.index(SCRIPT)


def test_a_style_alone_brings_no_script(duel, folder):
    (folder / "match.css").touch()
    for page in pages(duel):
        assert STYLE in page
        assert SCRIPT not in page


def test_the_page_says_which_seat_reads_it(duel):
    assert 'data-seat="1"' in duel.client(1).get(duel.page).content.decode()
    assert "data-seat" not in duel.client(2).get(duel.page).content.decode()
