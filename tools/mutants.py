"""Alter the rules of every game in many spots, and see whether the tests of that game notice.

``python tools/mutants.py`` draws spots in the rules of the games and in their second
implementations, alters one after the other in a copy of the project, and runs the tests of that
game alone until one fails. What survives is printed as a difference. ``--seed`` draws other
spots, ``--spots`` more of them, ``--title`` those of one game. The command fails if fewer than
``--least`` per cent are noticed; those known to change nothing (``EQUIVALENT``) do not count. It
refuses to begin if one of these is no longer a change that it makes.

Which modules are the rules is found by following the imports of ``rules.py`` and ``validation.py``
(of ``__init__.py`` in a game without them) inside the game's folder, but not to facts
(``meta.py``), and not to physics: it has no second implementation.
"""

import argparse
import ast
import concurrent.futures
import difflib
import json
import math
import os
import queue
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
TITLES = ROOT / "games" / "titles"
EQUIVALENT = ROOT / "tests" / "contract" / "equivalent.json"
LEFT_OUT = (".*", "__pycache__", "staticfiles", "var")
"""Files that no test of a game needs."""

NO_RULES = {"meta", "drawing"}
PHYSICS = "pymunk"
PATIENCE = 3
"""How many times as long as without an alteration a mutant's tests may take, in seconds of CPU.
One that takes longer counts as noticed."""

OTHER: dict[type[ast.AST], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And,
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}  # fmt: skip
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}


@dataclass(frozen=True)
class Spot:
    """The place of an alteration in a game's module: the number of the node, and which way."""

    slug: str
    file: Path
    node: int
    way: str


@dataclass(frozen=True)
class Verdict:
    """The outcome of a mutant, and its alteration.

    ``outcome`` is ``noticed``, ``survived``, ``equivalent``, or ``left out`` for lack of time.
    """

    spot: Spot
    outcome: str
    change: str
    seconds: float


# --- Where ---------------------------------------------------------------------------------------


def slugs() -> list[str]:
    """Return the games by the names of their folders."""
    return sorted(file.parent.name for file in TITLES.glob("*/rules.md"))


def reference(slug: str) -> Path:
    """Return the second implementation of a game."""
    return TITLES / slug / "tests" / "reference.py"


def modules(slug: str) -> list[Path]:
    """Return the rules of a game and its second implementation."""
    folder, found = TITLES / slug, []
    beginnings = [folder / name for name in ("rules.py", "validation.py")]
    todo = [file for file in beginnings if file.is_file()] or [folder / "__init__.py"]
    while todo:
        file = todo.pop()
        text = file.read_text(encoding="utf-8")
        if file in found or file.stem in NO_RULES or f"import {PHYSICS}" in text:
            continue
        found.append(file)
        todo += imported(ast.parse(text), f"games.titles.{slug}", folder)
    return [*sorted(found), reference(slug)]


def imported(tree: ast.Module, package: str, folder: Path) -> Iterator[Path]:
    """Yield the modules of a game that a module imports."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ImportFrom) or not (node.module or "").startswith(package):
            continue
        inner = (node.module or "")[len(package) :].strip(".").split(".")
        here = folder.joinpath(*filter(None, inner))
        names = [here.with_suffix(".py"), *(here / f"{name.name}.py" for name in node.names)]
        if inner != [""]:
            names.append(here / "__init__.py")
        yield from (file for file in names if file.is_file())


def spots(slug: str, file: Path) -> list[Spot]:
    """Return all spots of a module."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    aside = set(map(id, not_rules(tree)))
    found = []
    for number, node in enumerate(ast.walk(tree)):
        if id(node) not in aside:
            found += [Spot(slug, file, number, way) for way in ways(node)]
    return found


def not_rules(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield the nodes that aren't rules: docstrings, annotations, decorators, messages, figures."""
    for node in ast.walk(tree):
        parts: list[ast.AST | None] = []
        if isinstance(node, ast.FunctionDef):
            parts = [*node.decorator_list, node.returns, node.args]
        elif isinstance(node, ast.ClassDef):
            parts = [*node.decorator_list]
        elif isinstance(node, ast.AnnAssign):
            is_alias = isinstance(node.annotation, ast.Name) and node.annotation.id == "TypeAlias"
            parts = [node if is_alias else node.annotation]
        elif isinstance(node, ast.Raise | ast.JoinedStr | ast.Assert) or is_sample(node):
            parts = [node]
        for part in filter(None, parts):
            yield from ast.walk(part)


def is_sample(node: ast.AST) -> bool:
    """Whether a statement defines which matches are played."""
    return isinstance(node, ast.Assign) and "SAMPLES" in map(name_of, node.targets)


def name_of(node: ast.AST) -> str:
    """Return the name in an expression. Empty without one."""
    return node.id if isinstance(node, ast.Name) else ""


def ways(node: ast.AST) -> Iterator[str]:
    """Yield the ways in which a node can be altered."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        yield "operator"
        if isinstance(node.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE):
            yield "turn"
    elif isinstance(node, ast.BoolOp):
        yield from ("operator", "first", "last")
    elif isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OTHER:
        yield "operator"
    elif isinstance(node, ast.Constant) and type(node.value) in {int, float, bool}:
        yield from ("more",) if type(node.value) is bool else ("more", "less")
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "positive"
    elif isinstance(node, ast.Call) and name_of(node.func) in NAMES:
        yield "name"
    elif isinstance(node, ast.If | ast.While | ast.IfExp):
        yield "never"
    elif isinstance(node, ast.Assign | ast.Expr) and is_deed(node):
        yield "dropped"


def is_deed(node: ast.Assign | ast.Expr) -> bool:
    """Whether a statement changes something: a call, or an assignment to a part of something."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)


# --- How -----------------------------------------------------------------------------------------


class Alter(ast.NodeTransformer):
    """Alters one node of a tree."""

    def __init__(self, target: ast.AST, way: str) -> None:
        self._target = target
        self._way = way

    def visit(self, node: ast.AST) -> ast.AST:
        """Return the node, altered if it is the one."""
        if node is not self._target:
            return self.generic_visit(node)
        return getattr(self, f"_{self._way}")(node)  # type: ignore[no-any-return]

    def _operator(self, node: Any) -> Any:
        if isinstance(node, ast.Compare):
            node.ops[0] = OTHER[type(node.ops[0])]()
        else:
            node.op = OTHER[type(node.op)]()
        return node

    def _turn(self, node: ast.Compare) -> ast.AST:
        is_less = isinstance(node.ops[0], ast.Lt | ast.LtE)
        node.ops[0] = ast.Gt() if is_less else ast.Lt()
        return node

    def _first(self, node: ast.BoolOp) -> ast.AST:
        return node.values[0]

    def _last(self, node: ast.BoolOp) -> ast.AST:
        return node.values[-1]

    def _more(self, node: Any) -> ast.AST:
        value = node.value
        return ast.Constant(not value if isinstance(value, bool) else value + 1)

    def _less(self, node: Any) -> ast.AST:
        return ast.Constant(node.value - 1)

    def _positive(self, node: ast.UnaryOp) -> ast.AST:
        return node.operand

    def _name(self, node: ast.Call) -> ast.AST:
        node.func = ast.Name(NAMES[name_of(node.func)], ast.Load())
        return node

    def _never(self, node: ast.If | ast.While | ast.IfExp) -> ast.AST:
        node.test = ast.Constant(value=False)
        return node

    def _dropped(self, node: ast.stmt) -> ast.AST:
        return ast.Pass()


def altered(text: str, spot: Spot) -> tuple[str, str]:
    """Return the text of a module as Python writes it, without and with a spot altered."""
    tree = ast.parse(text)
    before = ast.unparse(tree)
    target = list(ast.walk(tree))[spot.node]
    changed = ast.fix_missing_locations(Alter(target, spot.way).visit(tree))
    return before, ast.unparse(changed)


def change_of(before: str, after: str) -> str:
    """Return the lines that differ."""
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(line for line in lines if line[:3] not in {"---", "+++"} and line[0] != "@")


def stale(known: Sequence[str]) -> list[str]:
    """Return the known changes that no spot of any game makes."""
    missing = list(known)
    for slug in slugs():
        for file in modules(slug):
            made = {change for change in changes_among(missing, slug, file) if change in missing}
            missing = [change for change in missing if change not in made]
    return missing


def changes_among(known: Sequence[str], slug: str, file: Path) -> Iterator[str]:
    """Yield the changes of a module's spots on the lines that known changes remove."""
    text = file.read_text(encoding="utf-8")
    plain = ast.unparse(ast.parse(text))
    removed = {line[1:] for change in known for line in change.splitlines() if line[0] == "-"}
    lines = [number for number, line in enumerate(plain.splitlines(), 1) if line in removed]
    # Reading what Python writes gives the same nodes, and the lines on which it writes them.
    nodes = list(ast.walk(ast.parse(plain)))
    for spot in spots(slug, file) if lines else ():
        node: Any = nodes[spot.node]
        if any(node.lineno <= line <= node.end_lineno for line in lines):
            yield change_of(*altered(text, spot))


# --- The report ----------------------------------------------------------------------------------


class Copies:
    """Copies of the project, each for one run at a time."""

    def __init__(self, folder: Path, count: int, until: float) -> None:
        self._until = until
        self._limits: dict[str, int] = {}
        self._free: queue.Queue[Path] = queue.Queue()
        for number in range(count):
            copy = folder / str(number)
            shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(*LEFT_OUT))
            self._free.put(copy)

    def check(self, slug: str) -> None:
        """Run the tests of a game that was not altered: if they failed, all would be noticed.

        How long they take decides when those of a mutant are ended.

        :raises SystemExit: they fail.
        """
        copy, began = self._free.get(), time.monotonic()
        try:
            if not tests_pass(copy, slug, "unlimited"):
                raise SystemExit(f"The tests of {slug} fail without any alteration.")
        finally:
            self._free.put(copy)
        self._limits[slug] = math.ceil(PATIENCE * (time.monotonic() - began))

    def judge(self, spot: Spot, known: Sequence[str]) -> Verdict:
        """Alter a spot, and run the tests of its game."""
        copy, began = self._free.get(), time.monotonic()
        file = copy / spot.file.relative_to(ROOT)
        kept = file.read_text(encoding="utf-8")
        before, after = altered(kept, spot)
        change = change_of(before, after)
        try:
            if change in known:
                outcome = "equivalent"
            elif began > self._until:
                outcome = "left out"
            else:
                file.write_text(after, encoding="utf-8")
                is_missed = tests_pass(copy, spot.slug, self._limits[spot.slug])
                outcome = "survived" if is_missed else "noticed"
        finally:
            file.write_text(kept, encoding="utf-8")
            self._free.put(copy)
        return Verdict(spot, outcome, change, time.monotonic() - began)


def tests_pass(copy: Path, slug: str, limit: int | str) -> bool:
    """Whether the tests of a game pass within so many seconds of CPU, or ``unlimited``.

    Those of every game run first, since they notice most.
    """
    command = [
        *("sh", "-c", f'ulimit -t {limit}; exec "$@"', "sh"),
        *(sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"),
        *("-m", "not postgres and not browser and not thorough"),
        *("-k", f"{slug} or {slug.replace('_', '-')}"),
        *("tests/contract/test_every_game.py", f"games/titles/{slug}"),
        "tests/contract/test_every_entry.py",
    ]
    environment = {
        key: value for key, value in os.environ.items() if key not in {"DATABASE_URL", "CI"}
    }
    done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, check=False)
    return done.returncode == 0


def drawn(wanted: Sequence[str], count: int, chance: random.Random) -> list[Spot]:
    """Return spots: the same number for each game, half of them in its second implementation."""
    pools = []
    for slug in wanted:
        *rules, second = modules(slug)
        pools.append([spot for file in rules for spot in spots(slug, file)])
        pools.append(spots(slug, second))
    for pool in pools:
        chance.shuffle(pool)
    chance.shuffle(pools)
    found: list[Spot] = []
    while len(found) < count and any(pools):
        found += [pool.pop() for pool in pools if pool]
    return found[:count]


def main(arguments: Sequence[str]) -> int:
    """Run the command; return 1 if too few mutants are noticed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--spots", type=int, default=120)
    parser.add_argument("--seed", default="0", help="whatever spots are drawn by")
    parser.add_argument("--title", action="append", help="only this game, by its folder")
    parser.add_argument("--least", type=float, default=90.0, help="per cent")
    parser.add_argument("--minutes", type=float, default=20.0, help="after which no more are begun")
    parser.add_argument("--jobs", type=int, default=2, help="runs at the same time")
    given = parser.parse_args(arguments)
    found = drawn(given.title or slugs(), given.spots, random.Random(given.seed))  # noqa: S311 - no secret
    known = json.loads(EQUIVALENT.read_text(encoding="utf-8")) if EQUIVALENT.exists() else {}
    if gone := stale(list(known)):
        raise SystemExit("\n".join([f"{EQUIVALENT} lists changes of no module:", *gone]))
    began, verdicts = time.monotonic(), []
    with tempfile.TemporaryDirectory() as folder:
        copies = Copies(Path(folder), given.jobs, began + 60 * given.minutes)
        with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
            list(pool.map(copies.check, sorted({spot.slug for spot in found})))
            for verdict in pool.map(lambda spot: copies.judge(spot, list(known)), found):
                verdicts.append(verdict)
                tell(verdict)
    return summary(verdicts, given.least, time.monotonic() - began)


def tell(verdict: Verdict) -> None:
    """Print the outcome of a mutant."""
    name = verdict.spot.file.relative_to(ROOT)
    print(f"{verdict.outcome:10} {verdict.seconds:5.1f} s  {name}", flush=True)
    if verdict.outcome != "noticed":
        print("\n".join(f"    {line}" for line in verdict.change.splitlines()), flush=True)


def summary(verdicts: Sequence[Verdict], least: float, seconds: float) -> int:
    """Print how many were noticed; return 1 if too few."""
    count = Counter(verdict.outcome for verdict in verdicts)
    share = 100 * count["noticed"] / max(1, count["noticed"] + count["survived"])
    print(
        f"{len(verdicts)} spots in {seconds:.0f} s: {count['noticed']} noticed,"
        f" {count['equivalent']} equivalent, {count['survived']} survived,"
        f" {count['left out']} left out; {share:.0f} % noticed"
    )
    return int(share < least)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
