"""Checks an installed game: ``python -m games.check PACKAGE``.

It names everything that the files of the game lack or get wrong. If that is nothing, it runs the
contract tests and the tests in the package. It needs Turnstone's source, where the contract tests
are, and what ``make test`` installs.
"""

import argparse
import importlib
import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from games.kernel import achievements, registry
from games.kernel.contract import COMMON_ENDINGS, AnyGame, Game
from games.kernel.errors import BadParams, GameError
from games.kernel.figure import draw_figure
from games.kernel.params import for_match
from games.kernel.playthrough import Playthrough, differences
from games.study.lessons import FOLDER as LESSONS
from games.study.lessons import Verdict, attempt, read
from games.study.puzzles import FEWEST, puzzles
from games.study.puzzles import FILE as PUZZLES

ROOT = Path(__file__).parents[1]
CONTRACT = ROOT / "tests" / "contract"

FILES = {
    "rules.md": "the rules for players",
    "brief.md": "the rules on one screen",
    "pictures.md": "three figures with captions",
    "perft.json": "how many sequences of moves there are",
    "playthroughs": "matches that were worked out by hand",
    "tests/reference.py": "the rules a second time",
}
"""Files that every game needs, and their content."""

FIGURE = re.compile(r"^```board\n(.*?)^```$", re.MULTILINE | re.DOTALL)

DRAWINGS = ("drawing.py", "drawing")

FEWEST_FIGURES = 2
"""The fewest figures of the rules."""

PICTURES = 3
"""The figures of pictures.md."""

NO_TESTS = 5
"""pytest's exit code if it finds no tests. A package may have no tests of its own."""


def missing(folder: Path, slug: str) -> Iterator[str]:
    """Yield a sentence for each missing thing in the folder of a game."""
    for name, content in FILES.items():
        if not (folder / name).exists():
            yield f"{name} is missing: {content}."
    if sum((folder / name).exists() for name in DRAWINGS) != 1:
        yield "The board must be drawn by either drawing.py or the package drawing."
    static = folder / "static"
    if static.exists() and [entry.name for entry in static.iterdir()] != [slug]:
        yield f"static may hold nothing but the folder {slug}."


def faults(title: AnyGame) -> Iterator[str]:
    """Yield a sentence for each thing that a game lacks, or that its files get wrong."""
    folder = registry.folder(title.meta.slug)
    yield from missing(folder, title.meta.slug)
    if title.meta.has_secrets and not (folder / "tests" / "twins.py").exists():
        yield "tests/twins.py is missing: positions that look the same to a viewer."
    yield from _facts(title)
    parameters = list(_parameters(title))
    yield from parameters
    if parameters:
        return  # Nothing can be played without them.
    for name in ("rules.md", "brief.md", "pictures.md"):
        yield from _figures(title, folder / name)
    yield from _playthroughs(title, folder)
    yield from _perft(title, folder / "perft.json")
    yield from _achievements(title, folder)
    yield from _puzzles(title)
    for file in sorted((folder / LESSONS).glob("*.json")):
        yield from _lesson(title, file)


def _facts(title: AnyGame) -> Iterator[str]:
    meta = title.meta
    if not re.fullmatch(r"[A-Z][^.]+\.", meta.goal):
        yield "The goal in META must be one sentence."
    if not meta.endings:
        yield "endings in META must say how the rules end a match."
    if shared := meta.endings.keys() & COMMON_ENDINGS:
        yield f"Every game has this ending, so META must not list it: {', '.join(sorted(shared))}."
    if not meta.seats[0] <= meta.seats[1] <= len(meta.colours):
        yield "META needs a colour for each seat."


def _parameters(title: AnyGame) -> Iterator[str]:
    meta, lacks = title.meta, False
    for name, schema in meta.params["properties"].items():
        if lacking := {"default", "title", "description"} - schema.keys():
            yield f"The parameter {name} in META lacks {', '.join(sorted(lacking))}."
            lacks = True
    if lacks:
        return
    for seats in range(meta.seats[0], meta.seats[1] + 1):
        try:
            for_match(title, seats, {})
        except BadParams as error:
            yield f"The default parameters don't suit {seats} players: {error}"


def _figures(title: AnyGame, file: Path) -> Iterator[str]:
    blocks = FIGURE.findall(file.read_text(encoding="utf-8")) if file.exists() else []
    for number, block in enumerate(blocks, 1):
        try:
            if not draw_figure(title, block).caption.endswith((".", "!", "?")):
                yield f"{file.name}, figure {number}: the caption must be a sentence."
        except GameError as error:
            yield f"{file.name}, figure {number}: {error}"
    if file.name == "rules.md" and file.exists() and len(blocks) < FEWEST_FIGURES:
        yield f"rules.md needs at least {FEWEST_FIGURES} figures, and has {len(blocks)}."
    if file.name == "pictures.md" and file.exists() and len(blocks) != PICTURES:
        yield f"pictures.md needs {PICTURES} figures, and has {len(blocks)}."


def _playthroughs(title: AnyGame, folder: Path) -> Iterator[str]:
    endings, has_position = set(), False
    for file in sorted((folder / "playthroughs").glob("*.json")):
        name = f"playthroughs/{file.name}"
        try:
            golden = Playthrough.read(file)
        except KeyError as error:
            yield f"{name} lacks {error}."
        except ValueError as error:
            yield f"{name} can't be read: {error}."
        else:
            if not golden.about.endswith("."):
                yield f"{name}: about must be a sentence."
            yield from (f"{name}: {difference}." for difference in differences(title, golden))
            endings.add(golden.ending)
            has_position |= bool(golden.positions)
    for ending in sorted({*title.meta.endings, *COMMON_ENDINGS} - endings):
        yield f"No match in playthroughs has the ending {ending}."
    if not has_position:
        yield "No match in playthroughs has a position after a single step."


def _achievements(title: AnyGame, folder: Path) -> Iterator[str]:
    try:
        yield from (
            f"{fault[:1].upper()}{fault[1:]}." for fault in achievements.faults(title, folder)
        )
    except KeyError as error:
        yield f"{achievements.FILE} lacks {error}."
    except ValueError as error:
        yield f"{achievements.FILE} can't be read: {error}."
    except GameError as error:
        yield f"{achievements.FILE}: {error}"


def _perft(title: AnyGame, file: Path) -> Iterator[str]:
    for number, case in enumerate(json.loads(file.read_bytes()) if file.exists() else (), 1):
        try:
            params = for_match(title, case["seats"], case["params"])
            if "position" in case:
                title.load(case["position"], case["seats"], params)
        except KeyError as error:
            yield f"perft.json, position {number} lacks {error}."
        except GameError as error:
            yield f"perft.json, position {number}: {error}"


def _puzzles(title: AnyGame) -> Iterator[str]:
    try:
        count = len(puzzles(title.meta.slug))
    except ValueError as error:
        yield f"{PUZZLES} can't be read: {error}."
        return
    if 0 < count < FEWEST:
        yield f"{PUZZLES} needs at least {FEWEST} puzzles, and has {count}."


def _lesson(title: AnyGame, file: Path) -> Iterator[str]:
    name = f"{LESSONS}/{file.name}"
    try:
        lesson = read(file)
        if attempt(title, lesson, lesson.solution).verdict is not Verdict.RIGHT:
            yield f"{name}: the solution doesn't solve it."
    except GameError as error:
        yield f"{name}: {error}"
    except ValueError as error:
        yield f"{error}."


def main(arguments: Sequence[str]) -> int:
    """Check the named package and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m games.check", description=__doc__)
    parser.add_argument("package", metavar="PACKAGE", help="the name to import it by")
    name = parser.parse_args(arguments).package
    try:
        title = getattr(importlib.import_module(name), "TITLE", None)
    except ModuleNotFoundError as error:
        parser.error(f"{error}. Install the package first.")
    except TypeError as error:
        parser.error(f"{name} is no game yet: {error}.")
    if not isinstance(title, Game):
        parser.error(f"{name} is no game: its __init__.py makes no TITLE.")
    slug = title.meta.slug
    if registry.titles().get(slug) is not title:
        parser.error(f"{name} has no entry point in the group {registry.GROUP}.")
    folder = registry.folder(slug)
    sentences = list(faults(title))
    print(*sentences, sep="\n", end="\n" * bool(sentences))  # noqa: T201
    if sentences:
        return 1
    if not CONTRACT.is_dir():
        parser.error("The contract tests are part of Turnstone's source. Check the game there.")
    # The configuration is ours, wherever the package is.
    pytest = (sys.executable, "-m", "pytest", "-c", ROOT / "pyproject.toml", "--rootdir", ROOT)
    contract = subprocess.run([*pytest, CONTRACT, "-k", slug], cwd=ROOT, check=False)  # noqa: S603 - our own pytest
    own = subprocess.run([*pytest, folder / "tests"], cwd=ROOT, check=False)  # noqa: S603 - our own pytest
    return contract.returncode or (own.returncode if own.returncode != NO_TESTS else 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
