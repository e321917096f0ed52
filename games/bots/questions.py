"""Questions to bots and their answers, as JSON."""

from collections.abc import Iterable

import msgspec
from msgspec import Struct

from games.kernel.contract import AnyGame, Event, Observation, Params, Position, Seat


class Question(Struct, frozen=True):
    """A question to a bot: what its seat sees, its level (from 0), and the seed of its choices."""

    seen: Observation
    level: int
    seed: str

    def dump(self) -> bytes:
        """Return the question as JSON: the same bytes for the same question."""
        return msgspec.json.encode(self, order="sorted")

    @classmethod
    def load(cls, data: bytes) -> "Question":
        return msgspec.json.decode(data, type=cls)


class Answer(Struct, frozen=True):
    """A move as its text, and how the seat stands.

    The text is empty if the seat isn't to move. ``value`` is the share of the match that the seat
    expects, from 0 to 1.
    """

    move: str
    value: float


class Appraisal(Struct, frozen=True):
    """Asks for the evaluation and best line of a position of an ended match, all hands open.

    With a ``move`` that one is made, and its dice are rolled in each of the simulations.
    """

    title: str
    rules_version: int
    params: Params
    seats: int
    position: Position
    simulations: int
    move: str = ""

    def dump(self) -> bytes:
        """Return the question as JSON: the same bytes for the same question."""
        return msgspec.json.encode(self, order="sorted")


class Consultation(Appraisal, frozen=True, kw_only=True):
    """Asks for the ``best`` moves of a position, after at most ``seconds``."""

    best: int
    seconds: float


class BestMove(Struct, frozen=True):
    """A move, and the chance to win that its player has with it, from 0 to 1.

    It is ``None`` where nobody can tell how the move turns out.
    """

    move: str
    chance: float | None


class Advice(Struct, frozen=True):
    """The best moves, the best first. If they are ``exact``, the position has been solved."""

    moves: tuple[BestMove, ...]
    exact: bool = False


class Ply(Struct, frozen=True):
    seat: Seat
    move: str


class Appraised(Struct, frozen=True):
    """An evaluation: the chance of each seat to win, from 0 to 1, adding up to 1.

    ``line`` are the best moves from there. If it ``rolls``, the last one rolls dice.
    """

    values: tuple[float, ...]
    line: tuple[Ply, ...] = ()
    rolls: bool = False


def read(line: bytes) -> Question | Appraisal:
    """Read the output of :meth:`Question.dump` or :meth:`Appraisal.dump`."""
    data = msgspec.json.decode(line)
    if "best" in data:
        return msgspec.convert(data, Consultation)
    if "position" in data:
        return msgspec.convert(data, Appraisal)
    return msgspec.convert(data, Question)


def told(title: AnyGame, log: Iterable[Event], seat: Seat) -> tuple[Position, ...]:
    """Return what a seat may know of the log of a running match, as JSON.

    Empty in a game without secrets: there a view contains everything that matters.
    """
    return tuple(event.seen_by(seat).dump() for event in log) if title.meta.has_secrets else ()
