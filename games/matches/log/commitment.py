"""The commitment to a match's dice, its nonces, and after the end its secret.

The secret is read from the database here and in :mod:`games.matches.selectors`, for the dice, and
nowhere else. The nonces are public from the start of the match.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.kernel.dice import rolled
from games.matches.models import LogEntry, Player
from games.matches.selectors import MatchSnapshot


class DiceKind(StrEnum):
    """How the nonces of a match came about, and so what its record proves (docs/dice.md)."""

    SERVER = "server"
    BROWSER = "browser"
    STRICT = "strict"


@dataclass(frozen=True)
class NonceContribution:
    """A player's contribution to the key, in hexadecimal, and whether the player's browser made it.

    ``name`` is that of who began the match in the seat. ``commitment`` is empty except with strict
    dice.
    """

    player: Player
    name: str
    nonce: str
    is_own: bool
    commitment: str


@dataclass(frozen=True)
class Commitment:
    """The public commitment of a match, and its secret; ``None`` while the match is running."""

    commitment: str
    secret: str | None
    parts: tuple[NonceContribution, ...]
    is_strict: bool

    @property
    def kind(self) -> DiceKind:
        """How the nonces came about; ``SERVER`` where the server made even one of them."""
        if self.is_strict:
            return DiceKind.STRICT
        return DiceKind.BROWSER if all(part.is_own for part in self.parts) else DiceKind.SERVER

    @property
    def drawn_here(self) -> list[str]:
        """The names of the people whose nonces the server drew, as their pages had no script."""
        return [part.name for part in self.parts if not (part.is_own or part.player.is_bot)]


def commitment_of(snapshot: MatchSnapshot) -> Commitment | None:
    """Return the commitment of a match; ``None`` for a game without chance."""
    if not snapshot.title.meta.has_chance:
        return None
    match = snapshot.match
    first = {one.seat: one.user for one in reversed(snapshot.former_players)}
    parts = (
        NonceContribution(
            player,
            first.get(player.seat, player.user).shown_name,
            player.nonce.hex(),
            player.nonce_is_own,
            player.nonce_commitment,
        )
        for player in snapshot.players
    )
    secret = None if match.are_dice_hidden else match.secret.hex()
    return Commitment(match.commitment, secret, tuple(parts), match.strict_dice)


def numbered(snapshot: MatchSnapshot, log: Sequence[LogEntry]) -> Iterator[tuple[LogEntry, int]]:
    """Yield the entries of a log, each with the number of rolls before it."""
    number = rolled(snapshot.match.setup_sides)
    for entry in log:
        yield entry, number
        number += rolled(entry.sides)
