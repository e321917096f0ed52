"""Positions and moves for the tests of this game."""

from collections.abc import Iterable, Mapping

from games.kernel.contract import Position
from games.kernel.views import Json
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.board import DIE_SPACES, home
from games.titles.dice_is_health.state import State
from tests.title_driver import TitleDriver

DRIVER = TitleDriver(TITLE)
play, drop, moves, refusal = DRIVER.play, DRIVER.drop, DRIVER.moves, DRIVER.refusal

ROUNDS = 100

Given = tuple[str | None, int, int]
"""Where a piece stands, its dice and its trinkets; it is nowhere after dropping out."""

NEXT = (1, 1, 1)
"""The roll with which the next turn begins."""


def position(players: Iterable[Given], **fields: Json) -> Position:
    """Return a position in which Red is to move, with a roll of ones and the fan at 0.

    The only monster stands on o10; dice lie where they did at the start, but for those that are
    held: the last spaces lack them.
    """
    held = list(players)
    rest = len(DIE_SPACES) - sum(dice for _, dice, _ in held)
    data = {
        "rounds": ROUNDS,
        "round": 2,
        "fan": 0,
        "players": [_player(seat, len(held), *one) for seat, one in enumerate(held)],
        "dropped": [seat for seat, (at, *_) in enumerate(held) if at is None],
        "monsters": ["o10"],
        "pickups": list(DIE_SPACES[:rest]),
        "walls": {},
        "turn": 0,
        "phase": "move",
        "pending": None,
        "fought": [],
        "result": None,
    } | fields
    return {"roll": [1, 1, 1] if data["phase"] == "move" else None} | data


def _player(seat: int, seats: int, at: str | None, dice: int, trinkets: int) -> Mapping[str, Json]:
    has = {"dice": dice, "trinkets": trinkets, "in": at is not None}
    return {"at": at, "home": home(seat, seats), **has}


def load(*players: Given, **fields: Json) -> State:
    """Return such a position loaded."""
    data = position(players, **fields)
    return TITLE.read_position(data, len(players), {"rounds": data["rounds"]})


def start(seats: int = 2, chance: Iterable[int] = (1, 11, 2, 3, 1), rounds: int = ROUNDS) -> State:
    """Return a first position."""
    state: State = DRIVER.start(seats, {"rounds": rounds}, list(chance))
    return state


def has(state: State, seat: int) -> Given:
    """Return where a seat's piece stands, its dice and its trinkets."""
    player = state.players[seat]
    return player.at, player.dice, player.trinkets
