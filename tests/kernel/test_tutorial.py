"""The tutorial for adding a game works: its files, put in place, pass all contract tests."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-a-game.md"
FILE = re.compile(r"^\*\*`(.+?)`\*\*\n\n(````?)\w+\n(.*?\n)\2$", re.MULTILINE | re.DOTALL)
PARTS = ("accounts", "bench", "config", "games", "static", "templates", "tests")


def files():
    """Return the files that the tutorial shows, by their paths."""
    return {path: text for path, _, text in FILE.findall(PAGE.read_text(encoding="utf-8"))}


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A copy of the site with the game of the tutorial in it."""
    copy = tmp_path_factory.mktemp("site")
    for part in PARTS:
        shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", copy)
    for path, text in files().items():
        file = copy / path
        assert not file.exists(), path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    return copy


def run(site, *command):
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=site, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_a_small_open_game_has_about_250_lines():
    code = [text for path, text in files().items() if path.startswith("games/") and ".py" in path]
    assert sum(text.count("\n") for text in code) <= 250


@pytest.mark.slow
def test_the_game_of_the_tutorial_keeps_every_promise(site):
    tests = ("tests/contract", "tests/test_source.py")
    chosen = ("-k", "noughts-and-crosses", "-p", "no:cacheprovider", "-q")
    assert " passed" in run(site, "pytest", *tests, *chosen)


@pytest.mark.slow
def test_the_files_of_the_tutorial_keep_the_style(site):
    paths = [path for path in files() if path.endswith(".py")]
    run(site, "ruff", "check", *paths)
    run(site, "ruff", "format", "--check", *paths)


@pytest.mark.slow
def test_the_game_of_the_tutorial_is_well_typed(site):
    run(site, "mypy", *[path for path in files() if path.startswith("games/") and ".py" in path])
