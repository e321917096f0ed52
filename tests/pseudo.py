"""Languages for tests: English with accents, two fifths longer, in brackets; and a mirrored one.

Words without accents on a page in these languages come from no catalogue. The mirrored one has the
same texts, but its pages run from right to left.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html.parser import HTMLParser
from pathlib import Path

import pytest
from babel.messages import mofile
from babel.messages.catalog import Catalog
from django.conf import settings
from django.utils import translation

from tools import messages

CODE = "en-xa"
NAME = "Ëñĝļíšĥ"
MIRRORED = "ar-xb"

ACCENTS = str.maketrans(
    "abcdefghijklmnopqrstuvwyzACDEFGHIJKLMNOPRSTUVWYZ",
    "åƀçðéƒĝĥîĵķļɱñöþǫŕšţûṽŵýžÅÇÐÉƑĜĤÎĴĶĻṀÑÖÞŔŠŢÛṼŴÝŽ",
)
LONGER = 0.4
VALUES = re.compile(r"%\(\w+\)[sd]|%%|\{\w*\}|<[^>]+>|&\w+;")
"""What stays as it is: values that are put in, tags and entities."""


def accented(message: str) -> str:
    """Return a message in the pseudo-language."""
    words = VALUES.split(message)
    kept = [*VALUES.findall(message), ""]
    text = "".join(word.translate(ACCENTS) + value for word, value in zip(words, kept, strict=True))
    return f"⟦{text}{'·' * int(len(message) * LONGER)}⟧"


def write(folder: Path) -> None:
    """Write the compiled catalogues of both languages below a folder of catalogues."""
    for domain in messages.DOMAINS:
        catalogue = _translated(domain)
        for name in ("en_XA", "ar_XB"):
            home = folder / name / "LC_MESSAGES"
            home.mkdir(parents=True, exist_ok=True)
            with (home / f"{domain}.mo").open("wb") as file:
                mofile.write_mo(file, catalogue)


def _translated(domain: str) -> Catalog:
    catalogue = Catalog(locale="en")
    packages = messages.packages()
    for message in (one for package in packages for one in messages.collected(package, domain)):
        if message.id:
            both = message.id if isinstance(message.id, tuple) else (message.id,)
            done = tuple(accented(one) for one in both)
            string = done if len(done) > 1 else done[0]
            catalogue.add(message.id, string, context=message.context)
    return catalogue


LANGUAGES = [(CODE, NAME), (MIRRORED, NAME[::-1])]


@contextmanager
def offered(folder: Path) -> Iterator[None]:
    """Offer both languages beside English, from the catalogues below ``folder``."""
    before = settings.LOCALE_PATHS, settings.LANGUAGES
    known = dict(translation.trans_real._translations)
    translation.trans_real._translations.clear()
    translation.trans_real.get_languages.cache_clear()
    settings.LOCALE_PATHS = [folder, *settings.LOCALE_PATHS]
    settings.LANGUAGES = [(settings.LANGUAGE_CODE, "English"), *LANGUAGES]
    try:
        yield
    finally:
        settings.LOCALE_PATHS, settings.LANGUAGES = before
        translation.trans_real._translations = known
        translation.trans_real.get_languages.cache_clear()


@pytest.fixture(scope="session")
def pseudo_locale(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the catalogues of both languages, which take seconds to write."""
    folder = tmp_path_factory.mktemp("locale")
    write(folder)
    return folder


@pytest.fixture
def pseudo_languages(pseudo_locale: Path) -> Iterator[None]:
    """Offer both languages beside English."""
    with offered(pseudo_locale):
        yield


TRANSLATED = re.compile(r"⟦[^⟦⟧]*⟧")
SPOKEN = ("alt", "title", "aria-label", "aria-description", "placeholder")
"""Attributes that readers see or hear."""

SILENT = ("script", "style", "code", "kbd", "pre", "time", "textarea")
"""Elements whose text isn't by the site, or is no sentence: notation, dates, texts of people."""

SILENT_FIELDS = ("country", "language", "languages", "time_zone", "zone")
"""Fields whose choices are named by the libraries that bring them."""

VOID = ("input", "img", "br", "hr", "meta", "link")

WORD = re.compile(r"[A-Za-z]{2,}")


class _Texts(HTMLParser):
    """Collects what readers see or hear of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self._inside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = dict(attrs)
        is_field = tag == "select" and named.get("name") in SILENT_FIELDS
        is_silent = is_field or tag in SILENT or named.get("dir") == "auto"
        if (is_silent and tag not in VOID) or self._inside[-1:] == [tag]:
            self._inside.append(tag)
        elif not self._inside:
            self.texts += [named[name] or "" for name in SPOKEN if name in named]
            if tag == "meta" and named.get("name") == "description":
                self.texts.append(named.get("content") or "")

    def handle_endtag(self, tag: str) -> None:
        if self._inside and tag == self._inside[-1]:
            self._inside.pop()

    def handle_data(self, data: str) -> None:
        if not self._inside:
            self.texts.append(data)


def plain_texts(html: str, names: re.Pattern[str]) -> list[str]:
    """Return the texts of a page in this language with words that come from no catalogue.

    :param names: what isn't translated, such as names of people and games.
    """
    page = _Texts()
    page.feed(html)
    found = dict.fromkeys(" ".join(text.split()) for text in page.texts)
    return [text for text in found if WORD.search(names.sub("", _without_messages(text)))]


def _without_messages(text: str) -> str:
    """Take away messages, from the inmost on: one may be a value of another."""
    while TRANSLATED.search(text):
        text = TRANSLATED.sub("", text)
    return text
