"""A random legal move, at a cost that doesn't grow with the number of legal moves."""

import hashlib
from itertools import islice

from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import CommittedDice
from games.kernel.errors import NotYourTurn
from games.kernel.options import Span

MAX_LISTED = 1_000
"""Up to this many legal moves, each is equally likely."""


def random_move(title: AnyGame, state: object, seat: Seat, seed: str) -> str:
    """Return a legal move of a seat in canonical form, derived from the position and the seed.

    With more than ``MAX_LISTED`` legal moves, the text is drawn word by word, each possible next
    word with the same chance. Every legal move can be drawn, but those that share their first words
    with fewer others are likelier.

    :raises NotYourTurn: the seat has no legal move.
    """
    dice = CommittedDice(hashlib.sha256(seed.encode("utf-8", "surrogatepass")).digest())
    moves = list(islice(title.moves(state, seat), MAX_LISTED + 1))
    if not moves:
        raise NotYourTurn(f"Seat {seat} is not to move.")
    if len(moves) <= MAX_LISTED:
        return str(moves[dice.roll(len(moves)) - 1])
    return str(title.parse(_walk(title, state, seat, dice)))


def _walk(title: AnyGame, state: object, seat: Seat, dice: CommittedDice) -> str:
    """Draw a whole move word by word from the options."""
    typed = ""
    while True:
        options = title.options(state, seat, typed)
        # Where the text is a whole move already, to stop here is one more way to go on.
        drawn = dice.roll(len(options.next) + options.complete) - 1
        if drawn == len(options.next):
            return typed
        following = options.next[drawn]
        if isinstance(following, Span):
            typed += following.text(dice.roll(following.count) - 1)
        else:
            typed += following.text
