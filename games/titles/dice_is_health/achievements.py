"""What players can achieve in a match of Dice Is Health, Strength, and Money."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from games.kernel.achievements import won
from games.kernel.contract import Achievement, Record, RecordStep, Seat, TurnEnded
from games.kernel.language import gettext_noop
from games.titles.dice_is_health.events import (
    Built,
    Duelled,
    Fought,
    GainedTrinket,
    LostTrinket,
    Paid,
    Stripped,
    Summoned,
    WentHome,
)
from games.titles.dice_is_health.state import DIE, MAX_DICE, MAX_TRINKETS, State

QUICK = 6
WALLS = 7
STRIPPED = 4
TIES = 2
TAKEN = 3
SENT_HOME = 4
BEATEN = 3


@dataclass
class Feats:
    """What a seat did. ``summoned`` are the numbers of the monsters that it placed.

    ``from_player`` says whether it took the last trinket that it gained from another player.
    ``seats_beaten`` are the seats that monsters which it sent on have beaten this turn.
    """

    won: bool
    seats: int
    round: int = 0
    is_others_turn: bool = False
    fights_lost: int = 0
    monsters_beaten: int = 0
    duels: int = 0
    went_home: int = 0
    walls: int = 0
    taken_walls: int = 0
    stripped: int = 0
    paid: int = 0
    ties: int = 0
    one_die: bool = False
    sixes: bool = False
    own_monster: bool = False
    from_player: bool = False
    trinkets: int = 0
    trinkets_lost: int = 0
    rampage: int = 0
    summoned: set[int] = field(default_factory=set)
    seats_beaten: set[Seat] = field(default_factory=set)


def feats_of(record: Record) -> Sequence[Feats]:
    feats = [Feats(record.is_won_by(seat), record.seats) for seat in range(record.seats)]
    for step in record.steps:
        turn = Seat(step.before.turn)
        for event in step.events:
            _ADD.get(type(event), _nothing)(feats, turn, event)
        _count_walls(feats, step)
    if record.steps:
        last = record.steps[-1]
        for seat, mine in enumerate(feats):
            mine.round = last.before.round
            mine.is_others_turn = last.before.turn != seat
    return feats


def _count_walls(feats: Sequence[Feats], step: RecordStep) -> None:
    state: State = step.after
    if state.walls is not step.before.walls:
        for seat, mine in enumerate(feats):
            mine.walls = max(mine.walls, len(state.walls_of(seat)))


def _nothing(feats: Sequence[Feats], turn: Seat, event: object) -> None:
    pass


def _fought(feats: Sequence[Feats], turn: Seat, event: Fought) -> None:
    mine = feats[event.seat]
    mine.ties = max(mine.ties, len(event.rounds) - 1)
    if not event.won:
        mine.fights_lost += 1
        if event.seat != turn:
            feats[turn].seats_beaten.add(event.seat)
            feats[turn].rampage = max(feats[turn].rampage, len(feats[turn].seats_beaten))
        return
    thrown = event.rounds[-1].player
    mine.monsters_beaten += 1
    mine.one_die |= len(thrown) == 1
    mine.sixes |= thrown == (DIE,) * MAX_DICE
    mine.own_monster |= event.monster in mine.summoned


def _duelled(feats: Sequence[Feats], turn: Seat, event: Duelled) -> None:
    for seat in (turn, event.other):
        feats[seat].duels += 1
        feats[seat].ties = max(feats[seat].ties, len(event.rounds) - 1)
        if event.winner not in (None, seat):
            feats[seat].fights_lost += 1


def _gained(feats: Sequence[Feats], turn: Seat, event: GainedTrinket) -> None:
    mine = feats[event.seat]
    mine.trinkets = max(mine.trinkets, event.trinkets)
    mine.from_player = event.of is not None
    if event.of is not None:
        feats[event.of].trinkets_lost += 1


def _built(feats: Sequence[Feats], turn: Seat, event: Built) -> None:
    feats[event.seat].taken_walls = max(feats[event.seat].taken_walls, len(event.taken))


def _stripped(feats: Sequence[Feats], turn: Seat, event: Stripped) -> None:
    feats[event.seat].stripped = max(feats[event.seat].stripped, len(event.spaces))


def _went_home(feats: Sequence[Feats], turn: Seat, event: WentHome) -> None:
    feats[event.seat].went_home += 1


def _lost_trinket(feats: Sequence[Feats], turn: Seat, event: LostTrinket) -> None:
    feats[event.seat].trinkets_lost += 1


def _paid(feats: Sequence[Feats], turn: Seat, event: Paid) -> None:
    feats[event.seat].paid += 1


def _summoned(feats: Sequence[Feats], turn: Seat, event: Summoned) -> None:
    feats[event.seat].summoned.add(event.monster)


def _turn_ended(feats: Sequence[Feats], turn: Seat, event: TurnEnded) -> None:
    feats[turn].seats_beaten.clear()


_ADD: Mapping[type, Callable[[Sequence[Feats], Seat, Any], None]] = {
    Fought: _fought,
    Duelled: _duelled,
    GainedTrinket: _gained,
    Built: _built,
    Stripped: _stripped,
    WentHome: _went_home,
    LostTrinket: _lost_trinket,
    Paid: _paid,
    Summoned: _summoned,
    TurnEnded: _turn_ended,
}


ACHIEVEMENTS = (
    Achievement(
        "unbeaten",
        gettext_noop("Unbeaten"),
        gettext_noop("Won without losing a fight."),
        won(lambda mine: not mine.fights_lost),
    ),
    Achievement(
        "from-nothing",
        gettext_noop("From nothing"),
        gettext_noop("Won after being sent home {count} times."),
        won(lambda mine: mine.went_home >= SENT_HOME),
        parts={"count": SENT_HOME},
    ),
    Achievement(
        "peaceful",
        gettext_noop("Live and let live"),
        gettext_noop("Won a match of three or more players without fighting any of them."),
        won(lambda mine: not mine.duels and mine.seats > 2),  # noqa: PLR2004
    ),
    Achievement(
        "robber",
        gettext_noop("Highway robbery"),
        gettext_noop("Won with a trinket that you took from another player."),
        won(lambda mine: mine.from_player),
    ),
    Achievement(
        "both-trinkets",
        gettext_noop("The whole treasure"),
        gettext_noop("Held both trinkets at once."),
        lambda mine: mine.trinkets == MAX_TRINKETS,
    ),
    Achievement(
        "others-turn",
        gettext_noop("Home by accident"),
        gettext_noop("Won in the turn of another player."),
        won(lambda mine: mine.is_others_turn),
    ),
    Achievement(
        "quick",
        gettext_noop("There and back"),
        gettext_noop("Won within {count} rounds."),
        won(lambda mine: mine.round <= QUICK),
        parts={"count": QUICK},
    ),
    Achievement(
        "one-die",
        gettext_noop("With one die"),
        gettext_noop("Beat a monster with a single die."),
        lambda mine: mine.one_die,
    ),
    Achievement(
        "sixes",
        gettext_noop("Three sixes"),
        gettext_noop("Beat a monster with three sixes."),
        lambda mine: mine.sixes,
    ),
    Achievement(
        "ties",
        gettext_noop("Evenly matched"),
        gettext_noop("Fought on after {count} ties in a row."),
        lambda mine: mine.ties >= TIES,
        parts={"count": TIES},
    ),
    Achievement(
        "own-monster",
        gettext_noop("Own making"),
        gettext_noop("Beat a monster that you had summoned."),
        lambda mine: mine.own_monster,
    ),
    Achievement(
        "walls",
        gettext_noop("Master builder"),
        gettext_noop("Owned {count} walls at once."),
        lambda mine: mine.walls >= WALLS,
        parts={"count": WALLS},
    ),
    Achievement(
        "taken-walls",
        gettext_noop("Change of ownership"),
        gettext_noop("Took over {count} walls of other players at once."),
        lambda mine: mine.taken_walls >= TAKEN,
        parts={"count": TAKEN},
    ),
    Achievement(
        "demolition",
        gettext_noop("Demolition"),
        gettext_noop("Removed {count} or more walls of a player with one roll."),
        lambda mine: mine.stripped >= STRIPPED,
        parts={"count": STRIPPED},
    ),
    Achievement(
        "rampage",
        gettext_noop("Let loose"),
        gettext_noop("Saw monsters beat two other players in a turn of yours, and won."),
        won(lambda mine: mine.rampage > 1),
    ),
    Achievement(
        "monsters",
        gettext_noop("Monster hunter"),
        gettext_noop("Beat {count} monsters and won."),
        won(lambda mine: mine.monsters_beaten >= BEATEN),
        parts={"count": BEATEN},
    ),
    Achievement(
        "frugal",
        gettext_noop("Nothing spent"),
        gettext_noop("Won without paying for walls or monsters, and after losing a trinket."),
        won(lambda mine: not mine.paid and mine.trinkets_lost > 0),
    ),
)
