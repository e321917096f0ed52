"""What players can achieve in a match of Simple Life or Death."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from games.kernel.achievements import won
from games.kernel.contract import Achievement, Record, RecordStep, Seat, TurnEnded
from games.kernel.language import gettext_noop
from games.titles.simple_life_or_death.components import OFF, PLACES, Piece, Size
from games.titles.simple_life_or_death.events import Fought, Landed, Placed, WentOut
from games.titles.simple_life_or_death.meta import LAST_LEFT
from games.titles.simple_life_or_death.state import State

MANY_TROPHIES = 14
MANY_LEFT = 12
FERRIED = 3
TOWER = 5
AT_ONCE = 4
LARGE_TAKEN = 3
HELD = 9
FAR = 12
BEHIND = 5
LARGE = 5
LONG = 40


@dataclass
class Feats:
    """What a seat did.

    ``left`` is the number of its pieces on the board at the end, ``behind`` the largest lead of
    another seat in pieces. ``in_a_row`` are the attacks that it beat off since it last lost a piece
    to one.
    """

    won: bool
    seats: int
    rounds: int = 0
    left: int = 0
    stock: int = 0
    behind: int = 0
    trophies: int = 0
    won_in_turn: int = 0
    most_in_turn: int = 0
    in_a_row: int = 0
    most_held: int = 0
    small_took_large: int = 0
    aces: int = 0
    twos: int = 0
    ferried: int = 0
    highest: int = 0
    farthest: int = 0
    put_out: set[Seat] = field(default_factory=set)


def feats_of(record: Record) -> Sequence[Feats]:
    feats = [Feats(record.is_won_by(seat), record.seats) for seat in range(record.seats)]
    for step in record.steps:
        _add(feats, step)
    end: State = record.steps[-1].after if record.steps else record.start
    for seat, mine in enumerate(feats):
        mine.won = mine.won and record.ending == LAST_LEFT
        mine.left = len(end.pieces_of(Seat(seat)))
        mine.stock = sum(end.stock[seat])
        mine.trophies = len(end.trophies[seat])
        mine.rounds = end.round
    return feats


def _add(feats: Sequence[Feats], step: RecordStep) -> None:
    last_winner: Seat | None = None
    for event in step.events:
        match event:
            case Placed(seat=seat, on=below):
                feats[seat].highest = max(feats[seat].highest, len(below) + 1)
            case Landed():
                _add_landing(feats[event.seat], event)
            case Fought():
                last_winner = event.attacker.seat if event.won else None
                _add_fight(feats, event)
            case WentOut(seat=seat):
                if last_winner is not None and seat != last_winner:
                    feats[last_winner].put_out.add(seat)
            case TurnEnded(seat=seat):
                feats[seat].won_in_turn = 0
    state: State = step.after
    numbers = [sum(stock) for stock in state.stock]
    for piece in state.squares:
        numbers[piece.seat] += 1
    most = max(numbers)
    for mine, number in zip(feats, numbers, strict=True):
        mine.behind = max(mine.behind, most - number)


def _add_landing(mine: Feats, event: Landed) -> None:
    others = sum(piece.seat != event.seat for piece in event.carried)
    if event.to == OFF:
        mine.ferried = max(mine.ferried, others)
        return
    mine.highest = max(mine.highest, len(event.on) + 1)
    (column, row), (to_column, to_row) = PLACES[event.start], PLACES[event.to]
    mine.farthest = max(mine.farthest, abs(to_column - column), abs(to_row - row))


def _add_fight(feats: Sequence[Feats], event: Fought) -> None:
    attacker, defender = feats[event.attacker.seat], feats[event.target.seat]
    if not event.won:
        defender.in_a_row += 1
        defender.most_held = max(defender.most_held, defender.in_a_row)
        defender.aces += _rank(event.attack) == _rank(event.defence) == ACE
        return
    defender.in_a_row = 0
    attacker.won_in_turn += 1
    attacker.most_in_turn = max(attacker.most_in_turn, attacker.won_in_turn)
    attacker.twos += _rank(event.attack) == TWO
    sizes = (Piece(event.attacker).size, Piece(event.target).size)
    attacker.small_took_large += sizes == (Size.SMALL, Size.LARGE)


ACE, TWO = "A", "2"


def _rank(shown: object) -> str:
    """Return the rank of a card. Empty for dice, and without a card."""
    return shown[0] if isinstance(shown, str) else ""


ACHIEVEMENTS = (
    Achievement(
        "last-piece",
        gettext_noop("The last piece"),
        gettext_noop("Won with one piece left on the board."),
        won(lambda mine: mine.left == 1 and not mine.stock),
    ),
    Achievement(
        "brink",
        gettext_noop("Back from the brink"),
        gettext_noop("Won after another player had {count} pieces more than you."),
        won(lambda mine: mine.behind >= BEHIND),
        parts={"count": BEHIND},
    ),
    Achievement(
        "army",
        gettext_noop("An army left"),
        gettext_noop("Won with {count} or more pieces left."),
        won(lambda mine: mine.left + mine.stock >= MANY_LEFT),
        parts={"count": MANY_LEFT},
    ),
    Achievement(
        "trophies",
        gettext_noop("Trophy hunter"),
        gettext_noop("Took {count} or more trophies in a match."),
        lambda mine: mine.trophies >= MANY_TROPHIES,
        parts={"count": MANY_TROPHIES},
    ),
    Achievement(
        "all-small",
        gettext_noop("Giant-killer"),
        gettext_noop("Took {count} large pieces with small ones in a match."),
        lambda mine: mine.small_took_large >= LARGE_TAKEN,
        parts={"count": LARGE_TAKEN},
    ),
    Achievement(
        "three-in-turn",
        gettext_noop("Rampage"),
        gettext_noop("Took {count} pieces in one turn."),
        lambda mine: mine.most_in_turn >= AT_ONCE,
        parts={"count": AT_ONCE},
    ),
    Achievement(
        "two",
        gettext_noop("A two will do"),
        gettext_noop("Took a piece with a two."),
        lambda mine: mine.twos > 0,
    ),
    Achievement(
        "aces",
        gettext_noop("Ace against ace"),
        gettext_noop("Beat off an ace with an ace."),
        lambda mine: mine.aces > 0,
    ),
    Achievement(
        "wall",
        gettext_noop("Not today"),
        gettext_noop("Beat off {count} attacks in a row."),
        lambda mine: mine.most_held >= HELD,
        parts={"count": HELD},
    ),
    Achievement(
        "tower",
        gettext_noop("Tall story"),
        gettext_noop("Had a piece stand on top of {count} others."),
        lambda mine: mine.highest >= TOWER,
        parts={"count": TOWER - 1},
    ),
    Achievement(
        "ferry",
        gettext_noop("Ferry to nowhere"),
        gettext_noop("Carried {count} or more pieces of others off the board."),
        lambda mine: mine.ferried >= FERRIED,
        parts={"count": FERRIED},
    ),
    Achievement(
        "far",
        gettext_noop("Right across"),
        gettext_noop("Moved a piece by {count} squares or more, and it stayed on the board."),
        lambda mine: mine.farthest >= FAR,
        parts={"count": FAR},
    ),
    Achievement(
        "two-out",
        gettext_noop("Double knockout"),
        gettext_noop("Took the last pieces of two players in a match."),
        lambda mine: len(mine.put_out) > 1,
    ),
    Achievement(
        "large-table",
        gettext_noop("One of five"),
        gettext_noop("Won a match of {count} or more players."),
        won(lambda mine: mine.seats >= LARGE),
        parts={"count": LARGE},
    ),
    Achievement(
        "long-life",
        gettext_noop("A long life"),
        gettext_noop("Won after {count} rounds or more."),
        won(lambda mine: mine.rounds >= LONG),
        parts={"count": LONG},
    ),
)
