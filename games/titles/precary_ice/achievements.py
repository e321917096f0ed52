"""What players can achieve in a match of Precary-Ice."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from games.kernel.achievements import won
from games.kernel.contract import Achievement, Record, RecordStep
from games.kernel.language import gettext_noop
from games.titles.precary_ice.events import (
    Completed,
    Fell,
    KnockedOver,
    Stood,
)
from games.titles.precary_ice.meta import SHAKY
from games.titles.precary_ice.state import State
from games.titles.precary_ice.tower import BONUS_POINTS, Tower

HIGH = 50
SHAKY_HIGH = 45
SOLID = 38
FEW_ROUNDS = 3
AHEAD = 50
LEANING = 18.0
CROOKED = 20.0
HIGH_UP = 27
MANY_QUEENS = 6
LARGE = 5
DEGREES = 57.29577951308232
"""Degrees in a radian."""


@dataclass
class Feats:
    """What a seat did. Lengths are in mm, angles in degrees, ``heights`` in pieces.

    ``scores`` are those of each round, and ``others`` the highest of all other seats in it.
    ``lean`` is the farthest that the tip of a standing tower was from the axis, ``tilt`` the
    largest angle of a piece of one. ``in_a_row`` is the most queens on one another.
    """

    won: bool
    seats: int
    hand: str
    margin: int = 0
    scores: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    completed: int = 0
    written: int = 0
    falls: int = 0
    knocked: int = 0
    lean: float = 0
    tilt: float = 0
    queens: int = 0
    in_a_row: int = 0
    was_last: bool = False

    @property
    def best(self) -> int:
        return max(self.scores, default=0)


def feats_of(record: Record) -> Sequence[Feats]:
    start: State = record.start
    feats = [
        Feats(record.is_won_by(seat), record.seats, start.hand) for seat in range(record.seats)
    ]
    for step in record.steps:
        _add(feats, step)
    end: State = record.steps[-1].after if record.steps else start
    for seat, mine in enumerate(feats):
        _add_scores(mine, seat, end)
    return feats


def _add_scores(mine: Feats, seat: int, end: State) -> None:
    sums = end.sums
    mine.margin = sums[seat] - max(sums[:seat] + sums[seat + 1 :])
    mine.scores = list(end.scores[seat])
    others = [scores for other, scores in enumerate(end.scores) if other != seat]
    for number, score in enumerate(mine.scores):
        rivals = [scores[number] for scores in others if number < len(scores)]
        mine.others.append(max(rivals, default=0))
        if number == 0:
            mine.was_last = score < min(rivals, default=0)


def _add(feats: Sequence[Feats], step: RecordStep) -> None:
    for event in step.events:
        match event:
            case Stood(seat=seat):
                _add_tower(feats[seat], step.after.towers[seat], event.total)
            case Completed(seat=seat):
                feats[seat].completed += 1
            case Fell(seat=seat):
                feats[seat].falls += 1
                feats[seat].written += event.written
            case KnockedOver(seat=seat):
                feats[seat].knocked += 1


def _add_tower(mine: Feats, tower: Tower, total: int) -> None:
    """Add a tower that stands after a placement. It may be the first of the next round."""
    if tower.total != total and tower.total != total + BONUS_POINTS:
        return
    letters = tower.letters
    mine.lean = max(mine.lean, abs(tower.tip[0]))
    mine.tilt = max(mine.tilt, *(abs(piece.angle) * DEGREES for piece in tower.pieces))
    if len(letters) >= HIGH_UP and letters[-1] == "Q":
        mine.queens += 1
    runs = (len(list(run)) for letter, run in groupby(letters) if letter == "Q")
    mine.in_a_row = max(mine.in_a_row, *runs)


ACHIEVEMENTS = (
    Achievement(
        "thirty",
        gettext_noop("Every last piece"),
        gettext_noop("Built a tower of all thirty pieces."),
        lambda mine: mine.completed > 0,
    ),
    Achievement(
        "thirty-twice",
        gettext_noop("Twice to the top"),
        gettext_noop("Built two towers of all thirty pieces in one match."),
        lambda mine: mine.completed > 1,
    ),
    Achievement(
        "fifty-twice",
        gettext_noop("High-rise"),
        gettext_noop("Scored {count} points or more in two rounds of a match."),
        lambda mine: sum(score >= HIGH for score in mine.scores) > 1,
        {"count": HIGH},
    ),
    Achievement(
        "shaky",
        gettext_noop("Shaky but tall"),
        gettext_noop("Scored {count} points or more in a round with a shaky hand."),
        lambda mine: mine.hand == SHAKY and mine.best >= SHAKY_HIGH,
        {"count": SHAKY_HIGH},
    ),
    Achievement(
        "solid",
        gettext_noop("Solid ground"),
        gettext_noop("Scored {count} points or more in each of at least {rounds} rounds."),
        lambda mine: len(mine.scores) >= FEW_ROUNDS and min(mine.scores) >= SOLID,
        {"count": SOLID, "rounds": FEW_ROUNDS},
    ),
    Achievement(
        "every-round",
        gettext_noop("Clean sweep"),
        gettext_noop("Scored more than everybody else in each of at least {rounds} rounds."),
        lambda mine: (
            len(mine.scores) >= FEW_ROUNDS
            and all(own > other for own, other in zip(mine.scores, mine.others, strict=True))
        ),
        {"rounds": FEW_ROUNDS},
    ),
    Achievement(
        "from-last",
        gettext_noop("Slow start"),
        gettext_noop("Won after the lowest score of all in the first round."),
        won(lambda mine: mine.was_last and len(mine.scores) > 1),
    ),
    Achievement(
        "by-a-point",
        gettext_noop("By a whisker"),
        gettext_noop("Won by a single point."),
        won(lambda mine: mine.margin == 1),
    ),
    Achievement(
        "runaway",
        gettext_noop("Out of sight"),
        gettext_noop("Won by {count} points or more."),
        won(lambda mine: mine.margin >= AHEAD),
        {"count": AHEAD},
    ),
    Achievement(
        "pen",
        gettext_noop("Quick pen"),
        gettext_noop("Wrote the new total while the tower fell, three times in a match."),
        lambda mine: mine.written >= FEW_ROUNDS,
    ),
    Achievement(
        "cat",
        gettext_noop("In spite of the cat"),
        gettext_noop("Won although your towers were knocked over three times or more."),
        won(lambda mine: mine.knocked >= FEW_ROUNDS),
    ),
    Achievement(
        "leaning",
        gettext_noop("Leaning tower"),
        gettext_noop("Had a tower stand with its tip {distance} mm or more from the axis."),
        lambda mine: mine.lean >= LEANING,
        {"distance": round(LEANING)},
    ),
    Achievement(
        "crooked",
        gettext_noop("Crooked"),
        gettext_noop("Had a tower stand with a piece tilted by {degrees} degrees or more."),
        lambda mine: mine.tilt >= CROOKED,
        {"degrees": round(CROOKED)},
    ),
    Achievement(
        "queen-high",
        gettext_noop("The queen’s tower"),
        gettext_noop("Placed a queen as the {number}th piece or higher, and the tower stood."),
        lambda mine: mine.queens > 0,
        {"number": HIGH_UP},
    ),
    Achievement(
        "queens",
        gettext_noop("Royal family"),
        gettext_noop("Had {count} queens on one another in a tower."),
        lambda mine: mine.in_a_row >= MANY_QUEENS,
        {"count": MANY_QUEENS},
    ),
    Achievement(
        "large-table",
        gettext_noop("Best of five"),
        gettext_noop("Won a match of {players} or more players."),
        won(lambda mine: mine.seats >= LARGE),
        {"players": LARGE},
    ),
)
