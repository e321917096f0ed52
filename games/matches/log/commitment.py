"""The commitment to a match's dice, its nonces, and after the end its secret.

Only this module and :mod:`games.matches.selectors`, for the dice, read the secret from the
database. The nonces are public from the start of the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.kernel.dice import rolled
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot
from games.matches.table import Table


class DiceKind(StrEnum):
    """Who drew the nonces of a match, and so what its record proves (docs/dice.md)."""

    SERVER = "server"
    BROWSER = "browser"
    STRICT = "strict"


@dataclass(frozen=True)
class NonceContribution:
    """A player's contribution to the key, in hexadecimal, and whether the player's browser drew it.

    ``name`` is that of the first player of the seat. ``commitment`` is empty except with strict
    dice.
    """

    is_bot: bool
    name: str
    nonce: str
    is_own: bool
    commitment: str


@dataclass(frozen=True)
class Commitment:
    """The public commitment of a match, and its secret, ``None`` while the match is running."""

    commitment: str
    secret: str | None
    parts: tuple[NonceContribution, ...]
    is_strict: bool

    @property
    def kind(self) -> DiceKind:
        """Who drew the nonces. ``SERVER`` if the server drew even one of them."""
        if self.is_strict:
            return DiceKind.STRICT
        return DiceKind.BROWSER if all(part.is_own for part in self.parts) else DiceKind.SERVER

    @property
    def drawn_here(self) -> list[str]:
        """The names of the people whose nonces the server drew, since their pages had no script."""
        return [part.name for part in self.parts if not (part.is_own or part.is_bot)]


def commitment_of(snapshot: MatchSnapshot) -> Commitment | None:
    """Return the commitment of a match. ``None`` for a game without chance."""
    if not snapshot.title.meta.has_chance:
        return None
    match = snapshot.match
    first = {one.seat: one.user for one in reversed(snapshot.former_players)}
    parts = (
        NonceContribution(
            player.is_bot,
            first.get(player.seat, player.user).shown_name,
            player.nonce.hex(),
            player.nonce_is_own,
            player.nonce_commitment,
        )
        for player in snapshot.players
    )
    secret = None if match.are_dice_hidden else match.secret.hex()
    return Commitment(match.commitment, secret, tuple(parts), match.strict_dice)


def numbered(table: Table, log: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, int]]:
    """Yield the entries of a log, each with the number of rolls before it."""
    number = rolled(table.match.setup_sides)
    for entry in log:
        yield entry, number
        number += rolled(entry.sides)
