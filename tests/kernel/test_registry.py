"""The registry: a folder is a game, and nothing else makes one."""

import sys
import types

import pytest

from games.kernel import registry
from games.kernel.errors import UnknownTitle

MAKES_A_TITLE = """
from dataclasses import replace
from tests.replaced_parts import with_parts
from tests.example_games.heap import TITLE
TITLE = with_parts(TITLE, meta=replace(TITLE.meta, slug={slug!r}))
"""


@pytest.fixture
def shelf(tmp_path, monkeypatch):
    """A package for games; call it with a folder's name and the text of its __init__.py."""
    name = f"shelf_{tmp_path.name}"
    package = types.ModuleType(name)
    package.__path__ = [str(tmp_path)]
    monkeypatch.setitem(sys.modules, name, package)

    def put(folder, text):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "__init__.py").write_text(text, encoding="utf-8")

    put.package = package
    yield put
    for module in [module for module in sys.modules if module.startswith(f"{name}.")]:
        del sys.modules[module]


def test_games_are_sorted_by_name_and_found_once():
    found = registry.titles()
    names = [title.meta.name.casefold() for title in found.values()]
    assert names == sorted(names)
    assert all(slug == title.meta.slug for slug, title in found.items())
    assert registry.titles() is found
    with pytest.raises(TypeError):
        found["x"] = None


def test_a_game_by_its_slug():
    for slug, title in registry.titles().items():
        assert registry.get(slug) is title
        assert (registry.folder(slug) / "rules.md").is_file()


@pytest.mark.parametrize("slug", ["", "chess", "DIE", "../die", "grim_reaper"])
def test_an_unknown_slug_is_named_with_those_there_are(slug):
    with pytest.raises(UnknownTitle) as refused:
        registry.get(slug)
    assert repr(slug) in str(refused.value)
    assert ", ".join(registry.titles()) in str(refused.value)


def test_a_new_folder_is_a_new_game(shelf):
    shelf("small_heap", MAKES_A_TITLE.format(slug="small-heap"))
    assert list(registry.find(shelf.package)) == ["small-heap"]


def test_a_folder_without_a_title_is_an_error_that_names_it(shelf):
    shelf("empty", "")
    with pytest.raises(TypeError, match=r"\.empty is no game: its __init__.py makes no TITLE"):
        registry.find(shelf.package)


def test_a_slug_that_is_not_the_folders_is_an_error(shelf):
    shelf("heap", MAKES_A_TITLE.format(slug="pile"))
    with pytest.raises(TypeError, match="slug of another folder: 'pile'"):
        registry.find(shelf.package)
