"""Matches for the tests of this game: outcomes are told, so that nothing has to fall."""

from collections.abc import Sequence
from typing import Any

from games.kernel.contract import Event, Seat
from games.kernel.dice import RecordedDice
from games.kernel.params import complete
from games.kernel.views import Json
from games.titles.precary_ice import TITLE
from games.titles.precary_ice.meta import META
from games.titles.precary_ice.pieces import exact
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import NEW, Tower
from tests.title_driver import TitleDriver

DRIVER = TitleDriver(TITLE)
STILL = (500, 501)
"""Rolls for a hand that hardly trembles."""


def start(seats: int = 2, chance: Sequence[Json] = (1,), **params: Any) -> State:
    """Begin a match; all that is rolled must be told."""
    state: State = DRIVER.start(seats, complete(META, params), chance)
    return state


def outcome(letters: str, ms: int | None = None) -> Json:
    """Return the observation of a tower that stands, or that fell after so many milliseconds."""
    pieces = [list(piece) for piece in exact(letters)]
    return {"pieces": pieces, "fallen": ms is not None, "ms": ms}


def place(
    state: State, seat: int, *rolls: int, ms: int | None = None, text: str = "place +0.0 +0"
) -> tuple[State, tuple[Event, ...]]:
    """Place the piece that is due: it stands, or falls after ``ms``; then ``rolls`` are rolled."""
    tower = state.towers[seat]
    letters = tower.letters + (tower.next or "P")
    dice = RecordedDice([*STILL, outcome(letters, ms), *rolls])
    after = TITLE.play(state, Seat(seat), TITLE.parse(text), dice)
    dice.finish()
    return after


def drop(state: State, seat: int, *rolls: int) -> tuple[State, list[Event]]:
    """Let a seat drop out; then ``rolls`` are rolled."""
    return DRIVER.drop(state, seat, rolls)


def built(letters: str) -> Tower:
    """Return the tower of some pieces, the first three as ever, and its sheet; no piece is due."""
    tower = NEW
    for count in range(len("QDP"), len(letters)):
        tower = tower.built(exact(letters[: count + 1]))
    return tower
