"""What a match's dice are sealed with, as far as it may be told yet.

The secret and the nonces leave the database here, in :mod:`games.match.selectors`, where dice fall,
and nowhere else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from games.kernel.dice import rolled
from games.match.models import Move, Player
from games.match.selectors import Table


@dataclass(frozen=True)
class Part:
    """A player's part in the key: the nonce, in hexadecimal (none yet), and who made it."""

    player: Player
    nonce: str | None
    is_own: bool


@dataclass(frozen=True)
class Sealing:
    """The seal, which everybody knows, and once the match has ended the secret below it."""

    seal: str
    secret: str | None
    parts: tuple[Part, ...]

    @property
    def drawn_here(self) -> list[str]:
        """The names of those whose part the server drew, because their page had no script."""
        return [part.player.user.username for part in self.parts if not part.is_own]


def sealing(at: Table) -> Sealing | None:
    """Return what the dice are sealed with; ``None`` for a game without chance."""
    if not at.title.meta.has_chance:
        return None
    match = at.match
    shown = not match.is_sealed
    parts = (
        Part(player, player.nonce.hex() if shown else None, player.nonce_is_own)
        for player in at.players
    )
    return Sealing(match.seal, match.secret.hex() if shown else None, tuple(parts))


def numbered(at: Table, entries: Sequence[Move]) -> Iterator[tuple[Move, int]]:
    """Yield all entries of a log, each with the running number of its first roll, if it has one."""
    number = rolled(at.match.setup_sides)
    for entry in entries:
        yield entry, number
        number += rolled(entry.sides)
