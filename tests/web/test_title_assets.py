"""The script and the style sheet that a game may bring for its pages."""

import pytest

from games.web import title_assets
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

STYLE = '<link rel="stylesheet" href="/static/die/match.css">'
SCRIPT = '<script type="module" src="/static/die/match.js"></script>'


@pytest.fixture
def folder(tmp_path, settings):
    """Where the game of the duel may have files of its own; it has none yet."""
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, tmp_path]
    own = tmp_path / "die"
    own.mkdir()
    title_assets._has.cache_clear()
    yield own
    title_assets._has.cache_clear()


def pages(match_driver):
    """The page and the record of the match."""
    paths = (match_driver.page, f"{match_driver.page}0/")
    return [match_driver.client(0).get(path).content.decode() for path in paths]


def test_a_game_without_files_of_its_own_links_none(match_driver, folder):
    for page in pages(match_driver):
        assert "static/die/" not in page


def test_script_and_style_go_with_page_and_record_after_the_sites_own(match_driver, folder):
    (folder / "match.js").touch()
    (folder / "match.css").touch()
    for page in pages(match_driver):
        assert page.index("css/match.css") < page.index(STYLE)
        assert page.index("/static/js/") < page.index(SCRIPT)


def test_a_style_alone_brings_no_script(match_driver, folder):
    (folder / "match.css").touch()
    for page in pages(match_driver):
        assert STYLE in page
        assert SCRIPT not in page


def test_the_editor_of_positions_has_a_script_of_its_own(folder, client):
    (folder / "match.js").touch()
    (folder / "editor.js").touch()
    board = client.get("/games/die/board/")["Location"]
    page = client.get(f"{board}edit/").content.decode()
    assert "die/editor.js" in page
    assert "die/match.js" not in page


def test_the_page_says_which_seat_reads_it(match_driver):
    assert 'data-seat="1"' in match_driver.client(1).get(match_driver.page).content.decode()
    assert "data-seat" not in match_driver.client(2).get(match_driver.page).content.decode()
