"""A match that begins where Red may attack Orange, for tests of queues and standing orders.

Red has a piece to place and one to move before the attacks; Orange holds cards to defend with.
"""

from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games.kernel import params, registry
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.services import Participant
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.tests.fixtures import load
from tests.fixtures import NOW, Play
from tests.replaced_parts import with_parts

BOARD = {
    "c3": ["rS1"],
    "d3": ["rS2"],
    "c4": ["oM1"],
    "d4": ["oL1"],
    "a16": ["rL1"],
}
HANDS = [["KS", "TC", "2D"], ["7H", "9D", "KH", "3C"]]
DUTIES = ("place S p1", "move rL1 e d12")
"""Red's duties: the large piece rolls, and stops somewhere to the east with nothing to choose."""

ATTACKS = ("attack rS1 oM1 KS", "attack rS2 oL1 TC")

Begin = Callable[..., Play]


@pytest.fixture
def start_attack_match(people: list[User], monkeypatch: pytest.MonkeyPatch) -> Begin:
    """Begin such a match with keywords: board, hands, clock, chosen, and any part of a position."""

    def _begin(
        board: Any = BOARD,
        hands: Any = HANDS,
        clock: Any = PRESETS["standard"],
        chosen: Any = None,
        **fields: Any,
    ) -> Play:
        state = load(board, params=chosen, hands=hands, **{"phase": "place", **fields})
        shelf = {TITLE.meta.slug: with_parts(TITLE, setup=lambda *_: state)}
        monkeypatch.setattr(registry, "titles", lambda: shelf)
        match = services.start(
            title=TITLE.meta.slug,
            params=params.complete(TITLE.meta, chosen or {}),
            clock=clock,
            secret=b"s" * 32,
            participants=[
                Participant(user, bytes([seat]) * 32) for seat, user in enumerate(people[:2])
            ],
            last_joiner=people[0],
            now=NOW,
        )
        return Play(match, people)

    return _begin
