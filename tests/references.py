"""What docstrings and comments refer to: files, modules, and names in them, found in the source."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
FOLDERS = "accounts|bench|config|docs|examples|games|static|templates|tests|tools"
PACKAGES = ("accounts", "bench", "config", "games", "tests", "tools")

ROLE = re.compile(r":(?:mod|func|class|meth|attr|data|exc):`~?([\w.]+)`")
MODULE = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)`")
QUOTED_PATH = re.compile(r"`((?:[\w.-]+/)*[\w-][\w.-]*\.(?:py|js|json|html|md|txt|ya?ml|css|svg))`")
COMMENT = re.compile(r"(?:^|\s)(#\s.*)", re.MULTILINE)
PLAIN_PATH = re.compile(rf"(?<![\w/.-])((?:{FOLDERS})/[\w./-]*\w)(?![\w<*…])")


Scope = dict[str, Any]
"""Names of a module or class: where one was imported from, or the names in it."""


def missing(file: Path) -> Iterator[str]:
    """Yield what the docstrings and comments of a file refer to that doesn't exist."""
    source = file.read_text("utf-8")
    if file.suffix != ".py":
        paths = [path for path in PLAIN_PATH.findall(source) if "." in path]
        yield from (path for path in paths if not _is_file(path, file))
        return
    module = _module_name(file)
    for owner, text in texts(source):
        targets = (*ROLE.findall(text), *MODULE.findall(text))
        yield from (target for target in targets if not _resolves(target, module, owner))
        paths = (*QUOTED_PATH.findall(text), *PLAIN_PATH.findall(text))
        yield from (path for path in paths if not _is_file(path, file))


def texts(source: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield docstrings, those after constants included, and comments, each with its owners."""

    def within(node: ast.AST, owner: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
                if isinstance(child.value.value, str):
                    yield owner, child.value.value
            elif isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                yield from within(child, (*owner, child.name))
            elif hasattr(child, "body"):
                yield from within(child, owner)

    yield from within(ast.parse(source), ())
    # A string that looks like a comment is no harm. Tokenizing all files would take ten seconds.
    yield from (((), comment) for comment in COMMENT.findall(source))


def _is_file(path: str, file: Path) -> bool:
    """Whether a path exists from the root or a folder around the file, or a bare name anywhere."""
    path = path.rstrip(".")
    if "/" not in path:
        return path in _names(ROOT)
    places = [ROOT, ROOT / "static", ROOT / "templates", *file.parents]
    return any((place / end).exists() for place in places for end in (path, f"{path}.py"))


@cache
def _names(root: Path) -> frozenset[str]:
    skipped = {".git", ".venv", "node_modules", "staticfiles", "var"}
    found = set()
    for folder in (entry for entry in root.iterdir() if entry.name not in skipped):
        files = folder.rglob("*") if folder.is_dir() else [folder]
        found |= {file.name for file in files}
    return frozenset(found)


def _module_name(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _file_of(module: str) -> Path | None:
    path = ROOT.joinpath(*module.split("."))
    files = (path.with_suffix(".py"), path / "__init__.py")
    found = next((file for file in files if file.is_file()), None)
    return found or (path if path.is_dir() else None)


def _resolves(target: str, module: str, owner: tuple[str, ...]) -> bool:
    """Whether a name exists: in the class around it, its module, another one, or a library."""
    if target.startswith("."):
        return _file_of(f"{module.rpartition('.')[0]}{target}") is not None
    names = target.split(".")
    scopes = [owner[:count] for count in range(len(owner), -1, -1)]
    return any(_has(module, (*scope, *names)) for scope in scopes) or _is_absolute(names)


def _is_absolute(names: list[str]) -> bool:
    for count in range(len(names), 0, -1):
        module = ".".join(names[:count])
        if names[0] in PACKAGES:
            if _file_of(module):
                return count == len(names) or _has(module, tuple(names[count:]))
            continue
        try:
            value = importlib.import_module(module)
        except ImportError:
            continue
        for name in names[count:]:
            value = getattr(value, name, None)
        return value is not None
    value = getattr(builtins, names[0], None)
    return value is not None and (len(names) == 1 or hasattr(value, names[1]))


def _has(module: str, names: tuple[str, ...]) -> bool:
    """Whether a module of ours defines or imports a name, and a class of it the name after that."""
    file = _file_of(module)
    scope = _scope(file) if file and file.is_file() else {}
    for index, name in enumerate(names):
        if name not in scope:
            return False
        value = scope[name]
        if isinstance(value, str):  # imported
            rest = names[index + 1 :]
            return not rest or _is_absolute([*value.split("."), *rest])
        scope = value
    return True


@cache
def _scope(file: Path) -> Scope:
    return _defined(ast.parse(file.read_text("utf-8")), _module_name(file))


def _defined(node: ast.AST, module: str) -> Scope:
    """Return the names of a module or class: where an import is from, or the names in it."""
    scope: Scope = {}
    for child in ast.walk(node) if isinstance(node, ast.ClassDef) else _statements(node):
        match child:
            case ast.ClassDef() if child is not node:
                scope[child.name] = _with_bases(child, scope, module)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                scope.setdefault(child.name, {})
            case ast.ImportFrom():
                base = child.module or ""
                scope |= {name.asname or name.name: f"{base}.{name.name}" for name in child.names}
            case ast.Import():
                scope |= {
                    (name.asname or name.name.split(".")[0]): name.name for name in child.names
                }
            case ast.Name(ctx=ast.Store()):
                scope.setdefault(child.id, {})
            case ast.Attribute(ctx=ast.Store(), attr=attribute):
                scope.setdefault(attribute, {})
    return scope


def _statements(node: ast.AST) -> Iterator[ast.AST]:
    """Yield all statements and names of a module, without what is inside functions and classes."""
    for child in ast.iter_child_nodes(node):
        yield child
        if not isinstance(child, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _statements(child)


def _with_bases(node: ast.ClassDef, scope: Scope, module: str) -> Scope:
    names = _defined(node, module)
    for base in node.bases:
        name = base.value if isinstance(base, ast.Subscript) else base
        found = scope.get(name.id) if isinstance(name, ast.Name) else None
        if isinstance(found, dict):
            names = found | names
        elif isinstance(found, str):
            home, _, inner = found.rpartition(".")
            file = _file_of(home) if home.split(".")[0] in PACKAGES else None
            inherited = _scope(file).get(inner) if file and file.is_file() else None
            names = (inherited if isinstance(inherited, dict) else {}) | names
    return names
