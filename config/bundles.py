"""Bundles each script and style sheet with its imports at ``collectstatic``.

In development browsers load each ES module and imported style sheet by itself. In production that
would be some forty requests a page, and a page loaded during an upgrade could mix modules of two
releases. :class:`BundledStorage` therefore stores every script and style sheet as one file, with a
hash in its name.

Comments in scripts are left out. It understands only the syntax that this project uses (see
:data:`IMPORT` and :data:`EXPORT`).
Anything else is an error at ``collectstatic``, never a broken page.
"""

import posixpath
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from whitenoise.storage import CompressedManifestStaticFilesStorage

Read = Callable[[str], str]
"""Returns the text of a static file, given its name."""

IMPORT = re.compile(
    r'^import (?:(?P<names>\{[^}]*\})|\* as (?P<whole>\w+))?(?: from )?"(?P<path>\.[^"]+)";$',
    re.MULTILINE,
)
EXPORT = re.compile(
    r"^export (?P<code>(?:async function|function|const|class) (?P<name>\w+))", re.MULTILINE
)
UNKNOWN = re.compile(r"^(?:import|export)\b.*|\bimport\(.*", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://[^\n]*|/\*(?:(?!\*/).)*\*/)\n+", re.MULTILINE | re.DOTALL)
"""A comment in a script that has lines of its own."""

STYLE_IMPORT = re.compile(
    r'^@import url\("(?P<path>[^"]+)"\)(?: layer\((?P<layer>[\w-]+)\))?(?: (?P<media>[^;]+))?;$',
    re.MULTILINE,
)
STYLE_URL = re.compile(r'url\("(?P<path>\.[^"]+)"\)')


class BundleError(Exception):
    pass


def _resolve(name: str, path: str) -> str:
    """Return the name of the file that ``path`` names in the file ``name``."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))


def _without_comments(name: str, text: str) -> str:
    """Remove comments that have lines of their own.

    :raises BundleError: one of them is in a template literal, so it is no comment.
    """
    pieces = COMMENT.split(text)
    if any(count % 2 for count in accumulate(piece.count("`") for piece in pieces[:-1])):
        raise BundleError(f"{name}: a line in a template literal looks like a comment")
    return "".join(pieces)


class _Script:
    """A bundle of an ES module and its imports, each once, imports first."""

    def __init__(self, read: Read) -> None:
        self.read = read
        self.numbers: dict[str, int] = {}
        self.open: list[str] = []
        self.parts: list[str] = []

    def add(self, name: str) -> int:
        """Add a module and its imports; return its number in the bundle.

        :raises BundleError: modules import each other in a circle, or use unknown syntax.
        """
        if name in self.open:
            raise BundleError(f"{' imports '.join([*self.open, name])}: a circle")
        if name not in self.numbers:
            self.open.append(name)
            code = _without_comments(name, self.read(name))
            text = IMPORT.sub(lambda line: self._import(name, line), code)
            self.open.pop()
            self.numbers[name] = len(self.numbers)
            self.parts.append(self._wrap(name, text))
        return self.numbers[name]

    def _import(self, name: str, line: re.Match[str]) -> str:
        module = f"module{self.add(_resolve(name, line['path']))}"
        if line["names"]:
            return f"const {line['names'].replace(' as ', ': ')} = {module};"
        return f"const {line['whole']} = {module};" if line["whole"] else ""

    def _wrap(self, name: str, text: str) -> str:
        exported = ", ".join(export["name"] for export in EXPORT.finditer(text))
        body = EXPORT.sub(lambda export: export["code"], text)
        if unknown := UNKNOWN.search(body):
            raise BundleError(f"{name}: {unknown[0]!r} is not understood")
        number = self.numbers[name]
        return f"const module{number} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n"


def join_script(name: str, read: Read) -> str:
    """Return an ES module with its imports included.

    :raises BundleError: see :meth:`_Script.add`.
    """
    script = _Script(read)
    script.add(name)
    return "".join(script.parts)


def join_style(name: str, read: Read) -> str:
    return STYLE_IMPORT.sub(lambda line: _imported_style(name, line, read), read(name))


def _imported_style(name: str, line: re.Match[str], read: Read) -> str:
    path = _resolve(name, line["path"])
    folder = posixpath.dirname(name) or "."

    def moved(url: re.Match[str]) -> str:
        return f'url("{posixpath.relpath(_resolve(path, url["path"]), folder)}")'

    text = STYLE_URL.sub(moved, join_style(path, read))
    if line["layer"]:
        text = f"@layer {line['layer']} {{\n{text}}}\n"
    return f"@media {line['media']} {{\n{text}}}\n" if line["media"] else text


JOINS = {".js": (IMPORT, join_script), ".css": (STYLE_IMPORT, join_style)}


class BundledStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Static files storage that bundles the project's scripts and style sheets."""

    def __init__(self, *args: Any, **options: Any) -> None:
        """Cache addresses, which don't change while a process serves: a page has a dozen."""
        super().__init__(*args, **options)
        self.url = cache(super().url)

    def post_process(
        self, paths: dict[str, tuple[Any, str]], *args: Any, **options: Any
    ) -> Iterator[tuple[str, str | None, bool | Exception]]:
        """Bundle, then hash and compress; ``paths`` has each file's storage and name there."""
        joined = {} if options.get("dry_run") else self._joined(paths)
        yield from super().post_process({**paths, **joined}, *args, **options)

    def _joined(self, paths: dict[str, tuple[Any, str]]) -> dict[str, tuple[Any, str]]:
        own = {Path(folder) for folder in settings.STATICFILES_DIRS}
        texts: dict[str, str] = {}
        for name, (storage, path) in paths.items():
            if Path(name).suffix in JOINS and Path(storage.location) in own:
                with storage.open(path) as file:
                    texts[Path(name).as_posix()] = file.read().decode()
        bundles = InMemoryStorage()
        for name, text in texts.items():
            pattern, join = JOINS[Path(name).suffix]
            if pattern.search(text):
                bundles.save(name, ContentFile(join(name, texts.__getitem__).encode()))
        return {name: (bundles, name) for name in paths if bundles.exists(Path(name).as_posix())}
