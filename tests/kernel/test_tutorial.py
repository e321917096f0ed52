"""The example games work as installed packages, without a change to any of our files."""

import json
import os
import re
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from games import check
from games.kernel import registry

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "adding-a-game.md"
EXAMPLE = ROOT / "examples" / "noughts_and_crosses"
"""The game of the tutorial."""

EXAMPLES = (EXAMPLE, ROOT / "examples" / "no_three")
FILE = re.compile(r"^\*\*`(.+?)`\*\*\n\n(````?)\w+\n(.*?\n)\2$", re.MULTILINE | re.DOTALL)
PIP = ("pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps")


def files():
    """Return the files that the tutorial shows, by their paths."""
    return {path: text for path, _, text in FILE.findall(PAGE.read_text(encoding="utf-8"))}


def run(*command, **variables):
    done = subprocess.run(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-2000:]
    return done.stdout


def test_the_tutorial_shows_the_files_of_the_example():
    stored = {
        file.relative_to(EXAMPLE).as_posix(): file.read_text(encoding="utf-8")
        for file in EXAMPLE.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }
    assert stored == files()


@pytest.mark.slow
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_an_installed_game_keeps_every_promise(example, tmp_path):
    site = tmp_path / "site"
    # pip writes beside the source.
    source = shutil.copytree(example, tmp_path / "source")
    run(*PIP, "--no-build-isolation", "--target", str(site), str(source))
    assert run("games.check", example.name, PYTHONPATH=str(site)).count(" passed") == 2


@pytest.mark.slow
def test_a_package_without_an_entry_point_is_no_game_of_the_site(tmp_path):
    shutil.copytree(EXAMPLE / EXAMPLE.name, tmp_path / EXAMPLE.name)
    with pytest.raises(AssertionError, match=r"no entry point in the group turnstone\.games"):
        run("games.check", EXAMPLE.name, PYTHONPATH=str(tmp_path))


def test_the_check_names_what_is_missing(tmp_path):
    (tmp_path / "static" / "another").mkdir(parents=True)
    named = "\n".join(check.missing(tmp_path, "mine"))
    for part in (*check.FILES, "drawing.py", "static"):
        assert part in named
    assert not list(check.missing(EXAMPLE / EXAMPLE.name, "noughts-and-crosses"))


@pytest.fixture
def game(tmp_path, monkeypatch):
    """A copy of the files of DIE."""
    folder = shutil.copytree(registry.folder("die"), tmp_path / "die")
    monkeypatch.setattr(registry, "folder", lambda _: folder)
    return folder


def change(file, old, new):
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_the_check_lists_every_fault_by_file_and_number(game):
    title = registry.get("die")
    (game / "brief.md").unlink()
    change(game / "rules.md", '"position"', '"positions"')
    change(game / "pictures.md", "```board", "```text")
    first, second, *_ = sorted((game / "playthroughs").glob("*.json"))
    change(first, '"about"', '"above"')
    second.write_text("[")
    lesson = next((game / "lessons").glob("1-*.json"))
    change(lesson, '"title"', '"heading"')
    change(next((game / "lessons").glob("2-*.json")), '"solution": ["', '"solution": ["z')
    cases = [{"params": {}}, {"seats": 2, "params": {"size": 99}}]
    (game / "perft.json").write_text(json.dumps(cases))
    found = "\n".join(check.faults(title))
    for words in (
        "brief.md is missing",
        "rules.md, figure 1: ",
        "pictures.md needs 3 figures, and has 2.",
        f"playthroughs/{first.name} lacks 'about'.",
        f"playthroughs/{second.name} can't be read: ",
        "No match in playthroughs has the ending ",
        f"lessons/{lesson.name}: ",
        "lessons/2-",
        "perft.json, position 1 lacks 'seats'.",
        "perft.json, position 2: ",
    ):
        assert words in found, words


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"goal": ""}, "The goal in META must be one sentence."),
        ({"endings": {}}, "endings in META must say how the rules end a match."),
        ({"endings": {"closed": "Closed."}}, "Every game has this ending"),
        ({"seats": (2, 3)}, "META needs a colour for each seat."),
        ({"has_secrets": True}, "tests/twins.py is missing"),
        (
            {"params": {"properties": {"size": {"type": "integer"}}}},
            "The parameter size in META lacks default, description, title.",
        ),
    ],
)
def test_the_check_names_facts_that_are_wrong(game, monkeypatch, fields, words):
    title = registry.get("die")
    monkeypatch.setattr(type(title), "meta", replace(title.meta, **fields))
    assert words in "\n".join(check.faults(title))


@pytest.mark.slow
def test_the_files_of_the_examples_keep_the_style():
    run("ruff", "check", *map(str, EXAMPLES))
    run("ruff", "format", "--check", *map(str, EXAMPLES))


@pytest.mark.slow
def test_the_examples_are_well_typed():
    modules = [str(file) for example in EXAMPLES for file in example.glob("*/*.py")]
    run("mypy", *modules, MYPYPATH=":".join(map(str, EXAMPLES)))
