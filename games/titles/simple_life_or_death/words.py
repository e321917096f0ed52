"""Words that move entry, the drawing and the log have in common."""

from collections.abc import Sequence

from games.titles.simple_life_or_death.deck import RANKS, SUITS, Card
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.pieces import Piece
from games.titles.simple_life_or_death.squares import Direction

SIGNS = dict(zip(SUITS, "♣♦♥♠", strict=True))
SUIT_NAMES = dict(zip(SUITS, ("clubs", "diamonds", "hearts", "spades"), strict=True))
_PIPS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
RANK_NAMES = dict(zip(RANKS, (*_PIPS, "jack", "queen", "king", "ace"), strict=True))

DIRECTIONS = {
    Direction.N: "north",
    Direction.NE: "north-east",
    Direction.E: "east",
    Direction.SE: "south-east",
    Direction.S: "south",
    Direction.SW: "south-west",
    Direction.W: "west",
    Direction.NW: "north-west",
}

ALMOST_NONE = 0.01


def name_of(seat: int) -> str:
    """Return the name of a seat's colour."""
    return META.colours[seat].name


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in ``2 pieces``."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as in ``rS1, bM2 and yL3``."""
    head, tail = names[:-1], "".join(names[-1:])
    return f"{', '.join(head)} {last} {tail}" if head else tail


def sentence(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]


def piece(found: Piece) -> str:
    """Return a piece, as in ``rS1, small red``."""
    return f"{found}, {found.size.word} {name_of(found.seat).lower()}"


def sign(card: str) -> str:
    """Return a card as people write it: ``KS`` is ``K♠``, ``TH`` is ``10♥``."""
    rank = card[0].replace("T", "10")
    return f"{rank}{SIGNS[card[1]]}"


def card(found: Card) -> str:
    """Return a card in full, as in ``K♠, king of spades``."""
    name = str(found)
    return f"{sign(name)}, {RANK_NAMES[name[0]]} of {SUIT_NAMES[name[1]]}"


def share(part: float) -> str:
    """Return how likely something is, as in ``40 %``."""
    if part < ALMOST_NONE:
        return "under 1 %"
    return f"{part:.0%}".replace("%", " %")
