"""Collects the messages of the site for translators, and compiles what they have translated.

    python tools/messages.py extract     brings the catalogues of all languages up to date
    python tools/messages.py new pt      begins another language
    python tools/messages.py compile     compiles those that are nearly complete; --all: all of them

A catalogue is locale/<language>/LC_MESSAGES/django.po, and the same in the folder of each game. For
a game in a package of its own, --game FOLDER names the package. Messages stand in Python, in the
pages (Jinja2) and in the mails (Django's templates). Those of scripts are in djangojs.po
beside it, which browsers load. Comments that begin with "Translators:" are passed on. Only Babel is
needed, no gettext.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from babel.messages import mofile, pofile
from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract, extract_python

ROOT = Path(__file__).resolve().parents[1]
ENGLISH = "en_GB"
TITLES = ROOT / "games" / "titles"

PAGES, SCRIPTS = "django", "djangojs"
DOMAINS = (PAGES, SCRIPTS)
"""The names of catalogues: of what the server writes, and of scripts."""

HEADER = "# Messages of Turnstone: docs/translating.md says how they are translated."

LEAST = 0.95
"""The share of messages that a language must have to be offered."""

SOURCES = ("accounts", "config", "games", "static/js", "templates")
TRANSLATORS = ["Translators:"]
KEYWORDS = {
    **DEFAULT_KEYWORDS,
    "gettext_lazy": None,
    "gettext_noop": None,
    "ngettext_lazy": (1, 2),
    "pgettext_lazy": ((1, "c"), 2),
}


@dataclass(frozen=True)
class Package:
    """The site, or a game: where its sources are, and the folder ``locale`` with its catalogues."""

    home: Path
    sources: tuple[Path, ...]
    without: Path | None = None

    @property
    def folder(self) -> Path:
        return self.home / "locale"

    def files(self) -> Iterator[Path]:
        for top in self.sources:
            for path in sorted(top.rglob("*")):
                if self.without not in path.parents:
                    yield path

    def languages(self, domain: str = PAGES) -> list[Path]:
        """Return the catalogues of a domain, by language."""
        return sorted(self.folder.glob(f"*/LC_MESSAGES/{domain}.po"))

    def catalogue(self, language: str, domain: str) -> Path:
        return self.folder / language / "LC_MESSAGES" / f"{domain}.po"


SITE = Package(ROOT, tuple(ROOT / name for name in SOURCES), without=TITLES)


def packages() -> list[Package]:
    """Return the site and its own games."""
    homes = sorted(file.parent for file in TITLES.glob("*/__init__.py"))
    return [SITE, *(Package(home, (home,)) for home in homes)]


def collected(package: Package, domain: str = PAGES) -> Catalog:
    """Return the messages of a package, untranslated."""
    catalogue = Catalog(project="Turnstone", fuzzy=False)
    for path in package.files():
        method = _method(path)
        if method is not None and (method == "javascript") == (domain == SCRIPTS):
            place = path.relative_to(package.home).as_posix()
            for line, message, comments, context in found_in(path, method):
                catalogue.add(
                    message, None, [(place, line)], auto_comments=list(comments), context=context
                )
    return catalogue


def found_in(path: Path, method: Any) -> Iterable[tuple[int, Any, list[str], str | None]]:
    """Yield line, message, comments and context of the messages of a file."""
    source = path.read_bytes()
    # Reading the tokens of all modules takes seconds, and most have no messages.
    if method in ("python", "javascript") and b"gettext" not in source:
        return ()
    options = {"trimmed": "true", "jsx": "", "parse_template_string": "true"}
    return extract(method, BytesIO(source), KEYWORDS, TRANSLATORS, options)


def _method(path: Path) -> Any:
    """Return what extracts the messages of a file. ``None``: it has none that people read."""
    if path.suffix == ".py" and not {"migrations", "tests"} & set(path.parts):
        return "python"
    if path.suffix == ".js" and "static" in path.parts:
        return "javascript"
    if "templates" not in path.parts or path.suffix not in (".html", ".txt"):
        return None
    return extract_django if "django" in path.parts else "jinja2"


def extract_django(
    file: BinaryIO, keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[Any, ...]]:
    """Extract the messages of a template of Django's engine, by Django's own conversion to code."""
    from django.utils.translation.template import templatize  # noqa: PLC0415 - only these need it

    code = templatize(file.read().decode())
    yield from extract_python(BytesIO(code.encode()), keywords, comment_tags, options)


def read(path: Path) -> Catalog:
    with path.open("rb") as file:
        return pofile.read_po(file, locale=path.parents[1].name)


def share(catalogues: Iterable[Catalog]) -> float:
    """Return which part of the messages is translated, from 0 to 1. Fuzzy ones aren't."""
    messages = [message for catalogue in catalogues for message in catalogue if message.id]
    done = sum(bool(all(_strings(one)) and not one.fuzzy) for one in messages)
    return done / len(messages) if messages else 0.0


def _strings(message: Any) -> tuple[str, ...]:
    return message.string if isinstance(message.string, tuple) else (message.string,)


def update(path: Path, found: Catalog) -> Catalog:
    """Add new messages to a language, mark changed ones as fuzzy and drop those that are gone."""
    catalogue = read(path)
    catalogue.update(found, no_fuzzy_matching=False)
    catalogue.obsolete.clear()
    catalogue.header_comment = HEADER
    catalogue.revision_date = datetime.now(UTC)
    with path.open("wb") as file:
        # Without numbers of lines, which change with every edit of a source.
        pofile.write_po(file, catalogue, width=100, sort_by_file=True, include_lineno=False)
    return catalogue


def compile_language(catalogues: Mapping[Path, Catalog], *, is_offered: bool) -> None:
    for path, catalogue in catalogues.items():
        compiled = path.with_suffix(".mo")
        compiled.unlink(missing_ok=True)
        if is_offered:
            _write(compiled, catalogue)


def compile_english(parts: Iterable[Package]) -> None:
    """Compile the messages of pages as they stand.

    Finding a message in a catalogue is much faster than finding out that it isn't in any.
    """
    for package in parts:
        # All languages have the same messages.
        for path in package.languages()[:1]:
            english = Catalog(locale=ENGLISH)
            for message in read(path):
                if message.id:
                    english.add(message.id, message.id, context=message.context)
            compiled = package.catalogue(ENGLISH, PAGES).with_suffix(".mo")
            compiled.parent.mkdir(parents=True, exist_ok=True)
            _write(compiled, english)


def _write(compiled: Path, catalogue: Catalog) -> None:
    with compiled.open("wb") as file:
        mofile.write_mo(file, catalogue)


def bring_up_to_date(package: Package, languages: Iterable[str]) -> None:
    """Update the catalogues of languages; make those that a package lacks and has messages for."""
    for domain in DOMAINS:
        found = collected(package, domain)
        for language in languages:
            path = package.catalogue(language, domain)
            if len(found) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as file:
                    made = Catalog(locale=language, project="Turnstone", fuzzy=False)
                    pofile.write_po(file, made)
            if path.exists():
                update(path, found)


def by_language(parts: Iterable[Package]) -> Mapping[str, list[Path]]:
    """Return the catalogues of each language."""
    found: dict[str, list[Path]] = {}
    for package in parts:
        for domain in DOMAINS:
            for path in package.languages(domain):
                found.setdefault(path.parents[1].name, []).append(path)
    return dict(sorted(found.items()))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--game", type=Path, help="a package with a game, instead of the site")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("extract")
    commands.add_parser("new").add_argument("language")
    commands.add_parser("compile").add_argument("--all", action="store_true")
    asked = parser.parse_args(arguments)
    game = asked.game and asked.game.resolve()
    parts = [Package(game, (game,))] if game else packages()
    if asked.command == "new":
        return _begin_all(parts, asked.language)
    if asked.command == "extract":
        for package in parts:
            bring_up_to_date(package, by_language([package]))
    for language, paths in by_language(parts).items():
        catalogues = {path: read(path) for path in paths}
        done = share(catalogues.values())
        if asked.command == "compile":
            compile_language(catalogues, is_offered=done >= LEAST or asked.all)
        print(f"{language}: {done:.0%} translated")
    if asked.command == "compile":
        compile_english(parts)
    return 0


def _begin_all(parts: Sequence[Package], language: str) -> int:
    """Begin a language in every package that lacks it; return the exit code."""
    lacking = [one for one in parts if not one.catalogue(language, PAGES).exists()]
    for package in lacking:
        bring_up_to_date(package, [language])
    if not lacking:
        print(f"All catalogues of {language} exist already.", file=sys.stderr)
    return 0 if lacking else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
