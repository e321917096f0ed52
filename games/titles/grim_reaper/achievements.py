"""What players can achieve in a match of Grim Reaper."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.kernel.achievements import won
from games.kernel.contract import Achievement, Ended, Record, RecordStep, Seat
from games.kernel.language import gettext_noop
from games.titles.grim_reaper.events import Aged, Born, Moved, Placed
from games.titles.grim_reaper.meta import CONNECTED
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import BLUE, RED, Sex, State

SEATS = (RED, BLUE)
GENERATIONS = 3
FAMILY = 5
CROWD = 9
BIRTHS = 3
CHILDREN = 7
DEATHS = 3
HEIRS = 7
LATE = 12
SHORT = 8
SETTLED = 6
"""Turns after which both have had time to place pieces."""


@dataclass
class Feats:
    """What a seat did. ``chain`` are the squares that joined its sides, if they did.

    ``generations`` has the generation of its piece on each square: 1 if it was placed, and one more
    than that of its younger parent if it was born. Where several couples could be the parents, the
    newest generation counts.
    """

    won: bool = False
    ending: str = ""
    turns: int = 0
    size: int = 6
    start: int = 0
    reserve: int = 0
    births: int = 0
    births_at_once: int = 0
    deaths_at_once: int = 0
    most: int = 0
    oldest_line: int = 0
    was_down_to_one: bool = False
    has_newborn: bool = False
    mine: int = 0
    theirs: int = 0
    chain: Sequence[Square] = ()
    chain_sexes: frozenset[str] = frozenset()
    chain_generations: int = 0
    chain_dying: int = 0
    generations: dict[int, int] = field(default_factory=dict)

    @property
    def is_connected(self) -> bool:
        return self.won and self.ending == CONNECTED


def feats_of(record: Record) -> Sequence[Feats]:
    start: State = record.start
    feats = [
        Feats(record.is_won_by(seat), record.ending, size=start.size, start=start.reserves[seat])
        for seat in SEATS
    ]
    newborn: set[int] = set()
    for step in record.steps:
        _add_pieces(feats, step, newborn)
        _count(feats, step.after)
        if any(isinstance(event, Aged) for event in step.events):
            _add_end(feats, step, newborn)
            newborn.clear()
    return feats


def _add_pieces(feats: Sequence[Feats], step: RecordStep, newborn: set[int]) -> None:
    births: Counter[Seat] = Counter()
    # All births of a step happen at once: none is the parent of another.
    before = [dict(mine.generations) for mine in feats]
    for event in step.events:
        match event:
            case Placed(seat=seat, square=square):
                feats[seat].generations[square] = 1
            case Moved(seat=seat, start=start, to=to):
                known = feats[seat].generations
                known[to] = known.pop(start, 1)
            case Born(seat=seat, square=square, couples=couples):
                parents = (max(before[seat].get(one, 1) for one in pair) for pair in couples)
                generation = 1 + max(parents, default=0)
                feats[seat].generations[square] = generation
                feats[seat].oldest_line = max(feats[seat].oldest_line, generation)
                births[seat] += 1
                newborn.add(square)
            case Aged(turn=turn, dead=dead):
                _bury(feats, turn, dead)
    for seat, number in births.items():
        feats[seat].births += number
        feats[seat].births_at_once = max(feats[seat].births_at_once, number)


def _bury(feats: Sequence[Feats], turn: int, dead: dict[str, str]) -> None:
    lost = Counter(piece[0] for piece in dead.values())
    for mine, letter in zip(feats, "rb", strict=True):
        mine.turns = turn
        mine.deaths_at_once = max(mine.deaths_at_once, lost[letter])
    for square in map(Square.parse, dead):
        for mine in feats:
            mine.generations.pop(square, None)


def _count(feats: Sequence[Feats], state: State) -> None:
    numbers = [side.bit_count() for side in state.sides]
    for seat in SEATS:
        mine = feats[seat]
        mine.mine, mine.theirs = numbers[seat], numbers[1 - seat]
        mine.most = max(mine.most, mine.mine)
        mine.reserve = state.reserves[seat]
        if state.turn_number > SETTLED and mine.mine <= 1 < mine.theirs:
            mine.was_down_to_one = True


def _add_end(feats: Sequence[Feats], step: RecordStep, newborn: set[int]) -> None:
    """Add the chain of the seat that an ageing makes the winner."""
    if not any(isinstance(event, Ended) for event in step.events):
        return
    state: State = step.after
    for seat in SEATS:
        mine = feats[seat]
        if not mine.is_connected:
            continue
        mine.chain = state.chain(seat)
        pieces = [state.piece(square) for square in mine.chain]
        mine.chain_sexes = frozenset(str(piece.sex) for piece in pieces)
        mine.chain_dying = sum(piece.life == 1 for piece in pieces)
        mine.chain_generations = len({mine.generations.get(square, 1) for square in mine.chain})
        mine.has_newborn = not newborn.isdisjoint(mine.chain)


def _connected(condition: Callable[[Feats], bool]) -> Callable[[Feats], bool]:
    return lambda mine: mine.is_connected and condition(mine)


ACHIEVEMENTS = (
    Achievement(
        "connected",
        gettext_noop("From side to side"),
        gettext_noop("Joined your two sides."),
        lambda mine: mine.is_connected,
    ),
    Achievement(
        "generations",
        gettext_noop("Family line"),
        gettext_noop("Joined your sides with pieces of {count} generations."),
        _connected(lambda mine: mine.chain_generations >= GENERATIONS),
        {"count": GENERATIONS},
    ),
    Achievement(
        "women",
        gettext_noop("A line of women"),
        gettext_noop("Joined your sides with females alone."),
        _connected(lambda mine: mine.chain_sexes == {str(Sex.FEMALE)}),
    ),
    Achievement(
        "men",
        gettext_noop("A line of men"),
        gettext_noop("Joined your sides with males alone."),
        _connected(lambda mine: mine.chain_sexes == {str(Sex.MALE)}),
    ),
    Achievement(
        "newborn",
        gettext_noop("Born to win"),
        gettext_noop("Joined your sides with a piece that was born in the last turn."),
        _connected(lambda mine: mine.has_newborn),
    ),
    Achievement(
        "last-breath",
        gettext_noop("Last breath"),
        gettext_noop("Joined your sides with two or more pieces that had one turn to live."),
        _connected(lambda mine: mine.chain_dying > 1),
    ),
    Achievement(
        "straight",
        gettext_noop("Straight across"),
        gettext_noop("Joined your sides in a straight line."),
        _connected(lambda mine: len(mine.chain) == mine.size),
    ),
    Achievement(
        "quick",
        gettext_noop("Before the reaper comes"),
        gettext_noop("Joined your sides within {count} turns."),
        _connected(lambda mine: mine.turns <= SHORT),
        {"count": SHORT},
    ),
    Achievement(
        "five-generations",
        gettext_noop("Five generations"),
        gettext_noop("Won a match in which a piece of your fifth generation was born."),
        won(lambda mine: mine.oldest_line >= FAMILY),
    ),
    Achievement(
        "nobody-home",
        gettext_noop("Nobody home"),
        gettext_noop("Won on your life reserve alone, without a piece on the board."),
        won(lambda mine: not mine.mine),
    ),
    Achievement(
        "last-of-line",
        gettext_noop("Last of the line"),
        gettext_noop("Won after being down to one piece or none, later than turn {turn}."),
        won(lambda mine: mine.was_down_to_one),
        {"turn": SETTLED},
    ),
    Achievement(
        "survivors",
        gettext_noop("After the plague"),
        gettext_noop("Won after {count} of your pieces had died in one turn."),
        won(lambda mine: mine.deaths_at_once >= DEATHS),
        {"count": DEATHS},
    ),
    Achievement(
        "nursery",
        gettext_noop("Nursery"),
        gettext_noop("Won a match in which {count} or more of your pieces were born."),
        won(lambda mine: mine.births >= CHILDREN),
        {"count": CHILDREN},
    ),
    Achievement(
        "baby-boom",
        gettext_noop("Baby boom"),
        gettext_noop("Had {count} births in one turn."),
        lambda mine: mine.births_at_once >= BIRTHS,
        {"count": BIRTHS},
    ),
    Achievement(
        "crowd",
        gettext_noop("Full house"),
        gettext_noop("Had {count} pieces on the board at once."),
        lambda mine: mine.most >= CROWD,
        {"count": CROWD},
    ),
    Achievement(
        "heirs",
        gettext_noop("Many heirs"),
        gettext_noop("Won with {count} or more pieces on the board."),
        won(lambda mine: mine.mine >= HEIRS),
        {"count": HEIRS},
    ),
    Achievement(
        "old-age",
        gettext_noop("Old age"),
        gettext_noop("Won after turn {turn} or later."),
        won(lambda mine: mine.turns >= LATE),
        {"turn": LATE},
    ),
)
