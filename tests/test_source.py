"""Checks on the source itself: no import cycles, no leaked paths, no reference to nothing.

Who may import whom is checked by import-linter (pyproject.toml), how lines look by ruff.
"""

import ast
import re
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from games.kernel import registry
from tests import references

ROOT = Path(__file__).parents[1]
MADE_BY_TOOLS = {
    *(".git", ".venv", ".mypy_cache", ".ruff_cache", ".pytest_cache", ".import_linter_cache"),
    *(".hypothesis", "__pycache__", "node_modules", "staticfiles", "var", "shots"),
}
OPEN_TO_TITLES = (
    "games/titles/",
    "tests/",
    "docs/",
    "bench/",
    "locale/",
    "README.md",
    "tools/deno.json",
)
"""Where a game may be named. Import maps have no patterns."""

LEAKS = (
    r"(?<![\w.])/(work|home|root|Users)/\w",
    r"pypi\.org|pythonhosted\.org|npmjs\.org|proxy\.golang|(index|find)[-_](url|links)\s*=",
)
"""Paths of one machine, addresses of registries."""


def walk(folder):
    """Yield the files below a folder, without what tools and running sites leave."""
    for entry in sorted(folder.iterdir()):
        if entry.name in MADE_BY_TOOLS:
            continue
        if entry.is_dir():
            yield from walk(entry)
        elif entry.is_file():
            yield entry


@cache
def project_files():
    """Return the files of the project."""
    return tuple(walk(ROOT))


def name_of(file):
    return file.relative_to(ROOT).as_posix()


def text_of(file):
    """Return the text of a file; empty for pictures, fonts and the like."""
    try:
        return file.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""


def modules_of(slug):
    """Return the modules of a title by their dotted names, each with those that it imports."""
    folder = registry.folder(slug)
    package = f"games.titles.{folder.name}"
    files = [file for file in folder.rglob("*.py") if "tests" not in file.relative_to(folder).parts]
    names = {}
    for file in files:
        parts = file.relative_to(folder).with_suffix("").parts
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        names[".".join((package, *parts))] = file
    return {name: set(imported(file, names)) & names.keys() for name, file in names.items()}


def imported(file, modules):
    """Yield what a module imports: of a package its module, where that is what is named."""
    for node in ast.walk(ast.parse(text_of(file))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            yield from (name if name in modules else node.module for name in inner)


@pytest.mark.parametrize("slug", registry.titles())
def test_no_module_of_a_title_imports_itself(slug):
    package = f"games.titles.{registry.folder(slug).name}"
    imports = {name: names - {package} for name, names in modules_of(slug).items()}
    TopologicalSorter(imports).prepare()  # raises CycleError


@pytest.mark.parametrize("slug", registry.titles())
def test_no_game_is_named_outside_its_folder(slug):
    """In quotes, in a path or as a module; a slug with a hyphen, or a whole name, anywhere."""
    folder, name = registry.folder(slug).name, registry.get(slug).meta.name
    words = [rf"""(["'/.]){folder}(["'/.]|$)""", rf"""(["'/]){slug}(["'/]|$)""", rf"\b{name}\b"]
    pattern = re.compile("|".join(words), re.MULTILINE)
    named = [
        name_of(file)
        for file in project_files()
        if not name_of(file).startswith(OPEN_TO_TITLES) and pattern.search(text_of(file))
    ]
    assert not named


def test_files_and_names_in_docstrings_and_comments_exist():
    sources = [file for file in project_files() if file.suffix in (".py", ".js", ".css")]
    found = {name_of(file): list(references.missing(file)) for file in sources}
    assert {name: missing for name, missing in found.items() if missing} == {}


def test_references_to_nothing_are_found(tmp_path, monkeypatch):
    """In docstrings of modules, classes and constants, and in comments."""
    monkeypatch.setattr(references, "ROOT", tmp_path)
    file = tmp_path / "games" / "rooms.py"
    file.parent.mkdir()
    (tmp_path / "games" / "doors.py").write_text("OPEN = True\n")
    file.write_text(
        '"""Rooms: see :mod:`.doors`, ``doors.py``, :data:`games.doors.OPEN`, :mod:`.walls`."""\n'
        "class Room:\n"
        '    """:meth:`enter` and :meth:`leave`; :class:`int` and :class:`str.nothing`."""\n'
        "    def enter(self): ...\n"
        'SIZE = 2\n"""``games.doors.CLOSED``, `roof.py`, :attr:`Room.enter`, :attr:`Room.key`."""\n'
        "# games/doors.py, and games/windows.py\n"
    )
    assert set(references.missing(file)) == {
        *(".walls", "leave", "str.nothing"),
        *("games.doors.CLOSED", "roof.py", "Room.key", "games/windows.py"),
    }


@pytest.mark.parametrize("leak", LEAKS)
def test_no_file_tells_of_one_machine(leak):
    pattern, here = re.compile(leak), Path(__file__)
    told = {
        f"{name_of(file)}: {found[0]!r}"
        for file in project_files()
        if file != here and (found := pattern.search(text_of(file)))
    }
    assert not told
