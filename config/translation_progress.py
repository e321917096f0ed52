"""How complete the translations of the site and its games are."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from config.catalogues import own_name

LEAST = 95
"""The percentage of messages that a language must have to be offered (``tools/messages.py``)."""

DOMAINS = ("django", "djangojs")

STRING = re.compile(r'^(msgid|msgstr)(?:\[\d\])? ((?:"(?:[^"\\]|\\.)*"\n?)+)', re.MULTILINE)
FUZZY = re.compile(r"^#,.*\bfuzzy", re.MULTILINE)


@dataclass(frozen=True)
class Progress:
    """How many messages of the site and of the games are translated, and how many there are."""

    code: str
    name: str
    site: tuple[int, int]
    games: tuple[int, int]

    @property
    def percent_of_site(self) -> int:
        return _percent(*self.site)

    @property
    def percent_of_games(self) -> int:
        return _percent(*self.games)


def progress(site: Path, games: Iterable[Path]) -> list[Progress]:
    """Return how complete each language is, by name.

    :param site: the folder of the site's catalogues.
    :param games: those of the games; some may lack a language.
    """
    games = list(games)
    languages = {file.parents[1].name for file in site.glob("*/LC_MESSAGES/*.po")}
    codes = {language: language.replace("_", "-").lower() for language in languages}
    found = [
        Progress(code, own_name(code), _count(language, [site]), _count(language, games))
        for language, code in codes.items()
    ]
    return sorted(found, key=lambda one: one.name.casefold())


def _count(language: str, folders: Sequence[Path]) -> tuple[int, int]:
    """Return how many messages in some folders are translated, and how many there are."""
    done = everything = 0
    for folder in folders:
        for domain in DOMAINS:
            own = list(_messages(folder / language / "LC_MESSAGES" / f"{domain}.po"))
            # All languages have the same messages. One that lacks a file has none of them.
            others = folder.glob(f"*/LC_MESSAGES/{domain}.po")
            done += sum(own)
            everything += len(own) or max((len(list(_messages(one))) for one in others), default=0)
    return done, everything


def _messages(file: Path) -> Iterator[bool]:
    """Yield whether each message is translated, and no longer marked as fuzzy.

    Babel's parser takes a hundred times as long.
    """
    for entry in file.read_text(encoding="utf-8").split("\n\n") if file.exists() else ():
        strings = [(kind, text.strip('"\n')) for kind, text in STRING.findall(entry)]
        if any(kind == "msgid" and text for kind, text in strings):
            is_whole = all(text for kind, text in strings if kind == "msgstr")
            yield is_whole and not FUZZY.search(entry)


def _percent(done: int, everything: int) -> int:
    """Return a percentage, rounded down: 100 means that nothing is missing."""
    return 100 * done // everything if everything else 0
