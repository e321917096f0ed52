"""Words that move entry, the drawing and the log have in common."""

from collections.abc import Sequence

from games.titles.grim_reaper import squares
from games.titles.grim_reaper.meta import META
from games.titles.grim_reaper.population import Piece
from games.titles.grim_reaper.squares import Squares


def counted(count: int, noun: str) -> str:
    """Return a number of things, as in ``2 males``."""
    return f"{count} {noun if count == 1 else noun + 's'}"


def life_turns(count: int) -> str:
    """Return a number of life turns."""
    return counted(count, "life turn")


def name_of(seat: int) -> str:
    """Return the name of a seat's colour."""
    return META.colours[seat].name


def piece(found: Piece) -> str:
    """Return a piece, as in ``red female``."""
    return f"{name_of(found.seat).lower()} {found.sex.word}"


def listed(names: Sequence[str], last: str = "and") -> str:
    """Return names as in ``a2, a4 and e4``."""
    head, tail = names[:-1], names[-1]
    return f"{', '.join(head)} {last} {tail}" if head else tail


def any_of(spots: Squares) -> str:
    """Return the names of squares as in ``a2 or a4``."""
    return listed(squares.names(spots), "or")


def outcome(ranks: Sequence[int]) -> str:
    """Return how a match came out."""
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    return f"{name_of(winners[0])} has won." if len(winners) == 1 else "The match is a draw."


def sentence(words: str) -> str:
    """Return words as the beginning of a sentence."""
    return words[:1].upper() + words[1:]
