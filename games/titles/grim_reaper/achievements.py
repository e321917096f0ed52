"""What players can achieve in a match of Grim Reaper."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from games.kernel.contract import Achievement, Ended, Record, Seat, Step
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


def _add_pieces(feats: Sequence[Feats], step: Step, newborn: set[int]) -> None:
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


def _add_end(feats: Sequence[Feats], step: Step, newborn: set[int]) -> None:
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
        "From side to side",
        "Joined your two sides.",
        lambda mine: mine.is_connected,
    ),
    Achievement(
        "generations",
        "Family line",
        f"Joined your sides with pieces of {GENERATIONS} generations.",
        _connected(lambda mine: mine.chain_generations >= GENERATIONS),
    ),
    Achievement(
        "women",
        "A line of women",
        "Joined your sides with females alone.",
        _connected(lambda mine: mine.chain_sexes == {str(Sex.FEMALE)}),
    ),
    Achievement(
        "men",
        "A line of men",
        "Joined your sides with males alone.",
        _connected(lambda mine: mine.chain_sexes == {str(Sex.MALE)}),
    ),
    Achievement(
        "newborn",
        "Born to win",
        "Joined your sides with a piece that was born in the last turn.",
        _connected(lambda mine: mine.has_newborn),
    ),
    Achievement(
        "last-breath",
        "Last breath",
        "Joined your sides with two or more pieces that had one turn to live.",
        _connected(lambda mine: mine.chain_dying > 1),
    ),
    Achievement(
        "straight",
        "Straight across",
        "Joined your sides in a straight line.",
        _connected(lambda mine: len(mine.chain) == mine.size),
    ),
    Achievement(
        "quick",
        "Before the reaper comes",
        f"Joined your sides within {SHORT} turns.",
        _connected(lambda mine: mine.turns <= SHORT),
    ),
    Achievement(
        "five-generations",
        "Five generations",
        "Won a match in which a piece of your fifth generation was born.",
        lambda mine: mine.won and mine.oldest_line >= FAMILY,
    ),
    Achievement(
        "nobody-home",
        "Nobody home",
        "Won on your life reserve alone, without a piece on the board.",
        lambda mine: mine.won and not mine.mine,
    ),
    Achievement(
        "last-of-line",
        "Last of the line",
        f"Won after being down to one piece or none, later than turn {SETTLED}.",
        lambda mine: mine.won and mine.was_down_to_one,
    ),
    Achievement(
        "survivors",
        "After the plague",
        f"Won after {DEATHS} of your pieces had died in one turn.",
        lambda mine: mine.won and mine.deaths_at_once >= DEATHS,
    ),
    Achievement(
        "nursery",
        "Nursery",
        f"Won a match in which {CHILDREN} or more of your pieces were born.",
        lambda mine: mine.won and mine.births >= CHILDREN,
    ),
    Achievement(
        "baby-boom",
        "Baby boom",
        f"Had {BIRTHS} births in one turn.",
        lambda mine: mine.births_at_once >= BIRTHS,
    ),
    Achievement(
        "crowd",
        "Full house",
        f"Had {CROWD} pieces on the board at once.",
        lambda mine: mine.most >= CROWD,
    ),
    Achievement(
        "heirs",
        "Many heirs",
        f"Won with {HEIRS} or more pieces on the board.",
        lambda mine: mine.won and mine.mine >= HEIRS,
    ),
    Achievement(
        "old-age",
        "Old age",
        f"Won after turn {LATE} or later.",
        lambda mine: mine.won and mine.turns >= LATE,
    ),
)
