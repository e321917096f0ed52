"""What was observed of a placement, as it is recorded: ``{"pieces": […], "fallen", "ms"}``.

``pieces`` are where all pieces of the tower stay, the new one last; ``ms`` is how many
milliseconds after the letting go the fall began, and null while the tower stands.
"""

from math import radians
from typing import NamedTuple

from games.kernel import trace
from games.kernel.dice import Watch
from games.kernel.errors import ChanceError
from games.kernel.views import Json
from games.titles.precary_ice import physics
from games.titles.precary_ice.pieces import Placed, read
from games.titles.precary_ice.tower import Tower

FPS = 30


class Seen(NamedTuple):
    """What was observed of a placement; ``ms`` is ``None`` while the tower stands."""

    pieces: tuple[Placed, ...]
    ms: int | None


def watching(tower: Tower, at: float, tilt: float) -> Watch:
    """Return the observation of the piece that is due, let go ``at`` mm and ``tilt`` degrees."""

    def watch() -> tuple[Json, trace.Trace]:
        letter = tower.next or ""
        settled = physics.let_go(tower.pieces, letter, at, radians(tilt))
        pieces = [list(piece) for piece in settled.pieces]
        outcome = {"pieces": pieces, "fallen": settled.ms is not None, "ms": settled.ms}
        return outcome, trace.pack(settled.frames, FPS)

    return watch


def seen(outcome: Json, tower: Tower) -> Seen:
    """Read what was observed of a tower.

    :raises ChanceError: nothing like it can have been observed.
    """
    given, ms = outcome.get("pieces"), outcome.get("ms")
    pieces = [read(piece) for piece in given] if isinstance(given, list) else []
    standing = tuple(piece for piece in pieces if piece)
    letters = "".join(piece.letter for piece in standing)
    if len(standing) != len(pieces) or letters != f"{tower.letters}{tower.next}":
        raise ChanceError(f"{given!r} are not the pieces {tower.letters}{tower.next} in places.")
    if not (ms is None or (type(ms) is int and ms >= 0)):
        raise ChanceError(f"ms is a whole number from 0, or null where nothing fell: not {ms!r}.")
    if outcome.get("fallen") is not (ms is not None):
        raise ChanceError(f"fallen goes with ms, which is {ms!r}: not {outcome.get('fallen')!r}.")
    return Seen(standing, ms)
