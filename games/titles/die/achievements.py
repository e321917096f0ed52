"""What players can achieve in a match of DIE."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from games.kernel.contract import Achievement, Record, RecordStep, Seat
from games.kernel.hexgrid import hex_board
from games.kernel.language import gettext_noop
from games.titles.die.events import Removed
from games.titles.die.meta import META
from games.titles.die.state import BLUE, RED, SEATS

FULL_SIZE: int = META.params["properties"]["size"]["default"]
"""On smaller boards short matches and small groups are no feat."""

LARGE_SIZE = 8
LARGE_GROUP = 50
SMALL_GROUP = 12
AVALANCHE = 10
AHEAD = 10
QUICK = 34
LONG = 100
GROUPS = 3
FEW = 2
MANY = 50
CAPTURES = 7
OFFERED = 25

CORNER = 3
"""Neighbours of a cell in a corner of the board."""


@dataclass
class Feats:
    """What a seat did.

    ``ahead`` is by how many its stones outnumbered the other's at most. ``last_group`` are the
    stones that left the board when it won. ``largest`` and ``groups`` are the most stones and
    groups of the other that it removed with one move, ``captures`` the moves that removed some.
    ``offered`` are its own stones that it removed before its last move.
    """

    size: int
    won: bool
    moves: int = 0
    ahead: int = 0
    last_group: int = 0
    is_last_in_corner: bool = False
    is_gift: bool = False
    largest: int = 0
    groups: int = 0
    captures: int = 0
    taken: int = 0
    lost: int = 0
    offered: int = 0

    @property
    def is_full(self) -> bool:
        return self.size >= FULL_SIZE


def feats_of(record: Record) -> Sequence[Feats]:
    feats = [Feats(record.start.size, record.is_won_by(seat)) for seat in SEATS]
    for step in record.steps:
        if step.seat is not None and step.after.ply > step.before.ply:
            _add(feats, step.seat, step)
    for seat in SEATS:
        if feats[seat].won:
            _add_end(feats[seat], seat, record.steps[-1])
    return feats


def _add(feats: Sequence[Feats], seat: Seat, step: RecordStep) -> None:
    mover, other = feats[seat], feats[1 - seat]
    mover.moves += 1
    groups = [event for event in step.events if isinstance(event, Removed)]
    taken = [len(event.cells) for event in groups if event.owner != seat]
    if taken:
        mover.captures += 1
        mover.groups = max(mover.groups, len(taken))
        mover.largest = max(mover.largest, sum(taken))
        mover.taken += sum(taken)
        other.lost += sum(taken)
    mover.offered += sum(len(event.cells) for event in groups if event.owner == seat)
    red, blue = (stones.bit_count() for stones in step.after.stones)
    feats[RED].ahead = max(feats[RED].ahead, red - blue)
    feats[BLUE].ahead = max(feats[BLUE].ahead, blue - red)


def _add_end(mine: Feats, seat: Seat, last: RecordStep) -> None:
    """Add how the last stones of a winner left the board."""
    board = hex_board(mine.size)
    removed = [event for event in last.events if isinstance(event, Removed) and event.owner == seat]
    cells = [cell for event in removed for cell in event.cells]
    mine.last_group = len(cells)
    mine.is_gift = last.seat != seat
    if not mine.is_gift:
        mine.offered -= len(cells)
    corners = {str(cell) for cell in board.cells if len(board.neighbours(cell)) == CORNER}
    mine.is_last_in_corner = not corners.isdisjoint(cells)


def _won(condition: Callable[[Feats], bool]) -> Callable[[Feats], bool]:
    return lambda mine: mine.won and mine.is_full and condition(mine)


ACHIEVEMENTS = (
    Achievement(
        "gift",
        gettext_noop("A gift"),
        gettext_noop("Won as the other player removed your last stones."),
        lambda mine: mine.won and mine.is_gift,
    ),
    Achievement(
        "small-end",
        gettext_noop("Hardly anything left"),
        gettext_noop("Won as your last {count} stones or fewer left the board."),
        _won(lambda mine: mine.last_group <= SMALL_GROUP),
        {"count": SMALL_GROUP},
    ),
    Achievement(
        "large-end",
        gettext_noop("All at once"),
        gettext_noop("Won as {count} or more of your stones left the board with one move."),
        _won(lambda mine: mine.last_group >= LARGE_GROUP),
        {"count": LARGE_GROUP},
    ),
    Achievement(
        "no-corner",
        gettext_noop("Out of the corners"),
        gettext_noop("Won as a last group left the board that stood in no corner."),
        _won(lambda mine: not mine.is_last_in_corner),
    ),
    Achievement(
        "turnaround",
        gettext_noop("Turnaround"),
        gettext_noop("Won after having {count} stones more than the other player."),
        _won(lambda mine: mine.ahead >= AHEAD),
        {"count": AHEAD},
    ),
    Achievement(
        "always-fewer",
        gettext_noop("Always the lighter"),
        gettext_noop("Won without ever having more than one stone more than the other player."),
        _won(lambda mine: mine.ahead <= 1),
    ),
    Achievement(
        "quick",
        gettext_noop("Short work"),
        gettext_noop("Won in at most {count} moves of your own."),
        _won(lambda mine: mine.moves <= QUICK),
        {"count": QUICK},
    ),
    Achievement(
        "marathon",
        gettext_noop("Marathon"),
        gettext_noop("Won after {count} or more moves of your own."),
        _won(lambda mine: mine.moves >= LONG),
        {"count": LONG},
    ),
    Achievement(
        "wide-board",
        gettext_noop("Wide board"),
        gettext_noop("Won on a board of size {count} or more."),
        lambda mine: mine.won and mine.size >= LARGE_SIZE,
        {"count": LARGE_SIZE},
    ),
    Achievement(
        "few-taken",
        gettext_noop("Hands off"),
        gettext_noop("Won after removing {count} stones of the other player at most."),
        _won(lambda mine: mine.taken <= FEW),
        {"count": FEW},
    ),
    Achievement(
        "few-lost",
        gettext_noop("No help needed"),
        gettext_noop("Won although the other player removed {count} stones of yours at most."),
        _won(lambda mine: mine.lost <= FEW and not mine.is_gift),
        {"count": FEW},
    ),
    Achievement(
        "exchange",
        gettext_noop("Coming and going"),
        gettext_noop("Won a match in which players removed {count} stones of each other."),
        _won(lambda mine: mine.taken + mine.lost >= MANY),
        {"count": MANY},
    ),
    Achievement(
        "offering",
        gettext_noop("Offering"),
        gettext_noop(
            "Won after bounding {count} or more stones of your own before your last move."
        ),
        _won(lambda mine: mine.offered >= OFFERED),
        {"count": OFFERED},
    ),
    Achievement(
        "avalanche",
        gettext_noop("Avalanche"),
        gettext_noop("Removed {count} or more stones of the other player with one move, and won."),
        _won(lambda mine: mine.largest >= AVALANCHE),
        {"count": AVALANCHE},
    ),
    Achievement(
        "three-groups",
        gettext_noop("Three at a stroke"),
        gettext_noop("Removed {count} groups of the other player with one move."),
        lambda mine: mine.is_full and mine.groups >= GROUPS,
        {"count": GROUPS},
    ),
    Achievement(
        "captures",
        gettext_noop("Gardener"),
        gettext_noop("Removed stones of the other player with {count} moves of a match, and won."),
        _won(lambda mine: mine.captures >= CAPTURES),
        {"count": CAPTURES},
    ),
)
