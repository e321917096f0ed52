"""A language for tests: English with accents, two fifths longer, in brackets.

Words without accents on a page in this language come from no catalogue.
"""

import re
from pathlib import Path

from babel.messages import mofile
from babel.messages.catalog import Catalog

from tools import messages

CODE = "en-xa"
NAME = "Ëñĝļíšĥ"

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
    """Write the compiled catalogue of the pseudo-language below a folder of catalogues."""
    catalogue = Catalog(locale="en")
    for message in (one for package in messages.packages() for one in messages.collected(package)):
        if message.id:
            both = message.id if isinstance(message.id, tuple) else (message.id,)
            done = tuple(accented(one) for one in both)
            string = done if len(done) > 1 else done[0]
            catalogue.add(message.id, string, context=message.context)
    path = folder / "en_XA" / "LC_MESSAGES" / "django.mo"
    path.parent.mkdir(parents=True)
    with path.open("wb") as file:
        mofile.write_mo(file, catalogue)
