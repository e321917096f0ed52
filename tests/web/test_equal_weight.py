"""What a reader gets weighs the same, and takes the same work, whatever others hold.

That it is the same to the byte is shown by the harness (tests/contract/test_every_secret.py); here
it is about what could be measured from outside: lengths, queries and steps of work.
"""

import cProfile
import gc
import pstats
from functools import partial
from itertools import repeat

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.matches.models import Match
from games.screen.parts import compose
from games.titles.simple_life_or_death.tests.fixtures import position
from tests.match_driver import begin, fresh_cache
from tests.patched_page import rendered

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.slow

BOARD = {"c7": ["rS1", "rM1"], "d7": ["oM1"], "d8": ["oS1"], "h8": ["yS1"], "m3": ["gL1"]}
HOLDS = ["2D", "3D", "4C", "5S", "6H", "7C", "8H", "9S", "TD", "JC"]
STRONG = ["AC", "AS", "AH", "AD", "KC", "KS", "KH", "KD", "QS", "QH"]
BLACK = ["2C", "3C", "4C", "5C", "2S", "3S", "4S", "6S", "7S", "8S"]
MIXED = ["2H", "3C", "5D", "6S", "7H", "8C", "9D", "TS", "JH", "QC"]
OTHER = ["2H", "5D", "TC", "QS", "7H", "8C", "9D", "JS", "JH", "QD"]
YELLOW, SPECTATOR = 2, None
MARGIN = 0.01
"""How far the work may differ, in parts of it: sets have no order of their own."""

WARM_UP = 2
"""Readings before those that count: the first fills the caches of shapes, and the second writes the
text of those that it finds there."""

PAGES = (
    "/matches/{id}/",
    "/matches/{id}/?part=live",
    "/matches/{id}/plan/",
    "/matches/{id}/0/board.svg",
    "/matches/{id}/export.json",
    "/matches/{id}/export.txt",
    "/api/v1/matches/{id}/",
    "/api/v1/matches/{id}/record/",
    "/archive/?status=running",
    "/home/",
)


def world(red, orange, card):
    """Red has attacked with a card face down; Red and Orange hold what they hold."""
    pending = {"kind": "defend", "attacker": "rS1", "target": "oM1", "card": card, "then": "act"}
    fields = {"hands": [red[:9], orange, HOLDS, MIXED], "phase": "defend", "pending": pending}
    return position(BOARD, 4, attacked=[["rS1", "oM1"]], **fields)


WORLDS = (
    world(STRONG, OTHER, "9C"),
    world(BLACK, STRONG, "TS"),
    world(OTHER, ["2D", *BLACK[:9]], "KC"),
)


@pytest.fixture
def match(people):
    """A match of four in which Orange is to answer."""
    return begin("simple-life-or-death", people, seats=4)


def measured(get):
    """Return length, queries and steps of work of what a call returns."""
    work = cProfile.Profile()
    gc.disable()
    try:
        with CaptureQueriesContext(connection) as queries:
            content = work.runcall(get)
    finally:
        gc.enable()
    return len(content), len(queries), pstats.Stats(work).total_calls


def content(client, path):
    """Return a page."""
    answer = client.get(path)
    assert answer.status_code in (200, 302), path
    return answer.content


def weigh_the_same(match, get):
    """Check what one reader gets of a match in each of the worlds.

    What other tests have left behind is cleared away before, and not meanwhile.
    """
    gc.collect()
    found = []
    for stood in (*repeat(WORLDS[0], WARM_UP), *WORLDS):
        Match.objects.filter(pk=match.id).update(position=stood)
        found.append(measured(get))
    lengths, queries, work = zip(*found[WARM_UP:], strict=True)
    assert len(set(lengths)) == len(set(queries)) == 1
    assert max(work) - min(work) <= MARGIN * min(work)


@pytest.mark.parametrize("viewer", [YELLOW, SPECTATOR])
@pytest.mark.parametrize("page", PAGES)
def test_what_others_hold_changes_neither_length_nor_work(match, viewer, page):
    client, path = match.client(viewer), page.format(id=match.id)
    weigh_the_same(match, partial(content, client, path))


@pytest.mark.parametrize("viewer", [YELLOW, SPECTATOR])
def test_nor_those_of_what_is_pushed(match, viewer):
    user_id = None if viewer is None else match.people[viewer].pk
    weigh_the_same(match, lambda: compose(rendered(match.id, user_id).parts))
