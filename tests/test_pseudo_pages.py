"""Every page comes from a catalogue: in the pseudo-language no English word is left on it."""

import re

import pytest
from django.db import transaction

from accounts import languages
from accounts.models import User
from games.kernel import registry
from tests import pseudo
from tests.match_driver import fresh_cache
from tests.permissions import World, addresses

__all__ = ["fresh_cache"]

ENGLISH_ONLY = ("admin", "desk", "api", "local", "static")
"""Parts of the site for moderators, admins and programmers."""

READERS = ("anonymous", "player", "other")
FILES = re.compile(r"games/<slug:slug>/(rules|brief|lessons)/")
"""Pages of texts that are files in each language."""

ADDRESSES = [
    one for one in addresses() if one.group not in ENGLISH_ONLY and not FILES.match(one.route)
]
GROUPS = sorted({address.group for address in ADDRESSES})

NAMES = [
    *("Turnstone", "Markdown", "RSS", "Atom", "GIF", "JSON", "SVG", "PNG", "PGN", "API", "iCal"),
    *(
        "Test Cup",
        "Test Club",
        "Other Club",
        "News",
        "Gems",
        "Corners",
        "Two",
        "Ada",
        "Bea",
        "Test",
    ),
    *("English", "read", "play", "challenge", "chat"),  # languages and scopes call themselves so
    "and",  # lists are written as in English
]


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker, pseudo_locale):
    """A world for all tests here, whose people read the pseudo-language."""
    with django_db_blocker.unblock(), transaction.atomic(), pseudo.offered(pseudo_locale):
        made = World()
        User.objects.update(language=pseudo.CODE)
        yield made
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def names():
    games = [title.meta for title in registry.titles().values()]
    designers = [meta.author for meta in games]
    people = ["ada", "bruno", "clara", "daniel", "sam", "mod", "stan", "root", r"[\w.]+@[\w.]+"]
    date = r"\w{3}, \d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC"
    spoken = map(re.escape, languages.offered().values())
    known = [*(meta.name for meta in games), *designers, *people, *NAMES, *spoken, date]
    longest_first = sorted(known, key=len, reverse=True)
    return re.compile("|".join(rf"(?<!\w){one}(?!\w)" for one in longest_first))


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS)
def test_no_page_has_an_english_word(group, world, names, db):
    found: dict[str, str] = {}
    for address in ADDRESSES:
        if address.group == group:
            path = world.path(address)
            for reader in READERS:
                answer = world.clients[reader].get(path, HTTP_ACCEPT_LANGUAGE=pseudo.CODE)
                if "text/html" in answer.headers.get("Content-Type", "") and not answer.streaming:
                    for text in pseudo.plain_texts(answer.content.decode(), names):
                        found.setdefault(text, f"{path} ({reader}): {text[:200]}")
    assert not found, "\n".join(found.values())
