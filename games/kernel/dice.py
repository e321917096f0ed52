"""Chance: one object with two calls, recorded as it is drawn.

Rules never make a random number. They ask the :class:`Dice` passed to them, which draw it
(:class:`CommittedDice`), repeat what was recorded (:class:`RecordedDice`), or refuse
(:func:`no_dice`). Every outcome lands in ``drawn``, in order, to be stored with the move. An
observation has a trace as well (:mod:`games.kernel.trace`). It is stored apart, only to show how
the outcome came about. No replay needs it.
"""

import hashlib
import hmac
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Protocol, TypeAlias

from games.kernel.errors import ChanceError, quoted
from games.kernel.language import gettext, gettext_noop
from games.kernel.trace import Trace

Outcome: TypeAlias = Any
"""What chance gave: a whole number for a roll, a JSON object for an observation."""

Watch: TypeAlias = Callable[[], tuple[Outcome, Trace]]
"""An observation: called once, it returns the outcome and the trace that led to it."""

NO_ROLL = gettext_noop("An outcome is missing: a roll of {sides} is drawn here.")
NO_OBSERVATION = gettext_noop("An outcome is missing: an observation is drawn here.")

SPACE = 2**64
"""The number of values of the first eight bytes of a digest."""

SIZE = 32
"""Bytes of a secret and of a nonce. With other lengths, several could be joined to the same key."""

RECIPE = (
    "commitment = SHA-256(secret); key = SHA-256(secret || nonces in seat order);"
    " roll number k (from 0) of a die with n sides: for a = 0, 1, ... let x be the first 8 bytes,"
    " big-endian, of HMAC-SHA256(key, ASCII 'k:a'); the first x < 2^64 - (2^64 mod n) counts;"
    " the face is x mod n + 1;"
    " with strict dice each player's commitment = SHA-256(nonce)"
)
"""How the rolls of a match are derived from the revealed values, for readers of a record."""


class Dice(Protocol):
    """The source of chance for the rules.

    ``drawn`` are the outcomes so far. ``sides`` has the number of sides of the die for each, or
    ``None`` for an observation. ``traces`` are those of the observations.
    """

    drawn: list[Outcome]
    sides: list[int | None]
    traces: list[Trace]

    def roll(self, sides: int) -> int:
        """Return a whole number from 1 to ``sides``, each equally likely."""

    def observe(self, watch: Watch) -> Outcome:
        """Return the outcome of ``watch``, which another machine might compute differently."""


@dataclass(frozen=True, slots=True)
class Working:
    """How a roll is derived from a key: the attempt that counts, its digest, and the face."""

    number: int
    sides: int
    attempt: int
    digest: bytes

    @property
    def x(self) -> int:
        return int.from_bytes(self.digest[:8], "big")

    @property
    def face(self) -> int:
        return self.x % self.sides + 1


def work_out(key: bytes, number: int, sides: int) -> Working:
    """Return roll ``number`` (from 0) of a die with this many sides.

    For a = 0, 1, … x is the first 8 bytes, big-endian, of HMAC-SHA256(key, ``number:a``). An x of
    at least 2⁶⁴ − (2⁶⁴ mod sides) is skipped, so that no face is favoured.

    :raises ChanceError: there is no die with this many sides.
    """
    if not 1 <= sides <= SPACE:
        raise ChanceError(gettext("There is no die of {sides} sides.").format(sides=sides))
    limit = SPACE - SPACE % sides
    for attempt in count():
        message = f"{number}:{attempt}".encode("ascii")
        working = Working(number, sides, attempt, hmac.digest(key, message, "sha256"))
        if working.x < limit:
            break
    return working


class CommittedDice:
    """Rolls that follow from a key alone, so that nobody chooses them after seeing the play.

    ``first`` is the number of the next roll.
    """

    def __init__(self, key: bytes, first: int = 0) -> None:
        self._key = key
        self._next = first
        self.drawn: list[Outcome] = []
        self.sides: list[int | None] = []
        self.traces: list[Trace] = []

    def roll(self, sides: int) -> int:
        """Return roll number ``first`` + (rolls so far).

        :raises ChanceError: there is no die with this many sides.
        """
        face = work_out(self._key, self._next, sides).face
        self._next += 1
        self.drawn.append(face)
        self.sides.append(sides)
        return face

    def observe(self, watch: Watch) -> Outcome:
        """Watch, and record the outcome and its trace."""
        outcome, trace = watch()
        self.drawn.append(outcome)
        self.sides.append(None)
        self.traces.append(trace)
        return outcome


class RecordedDice:
    """Outcomes given beforehand, in order: a replay, a test, a position set up by hand."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self._left = list(outcomes)
        self.drawn: list[Outcome] = []
        self.sides: list[int | None] = []
        self.traces: list[Trace] = []

    def roll(self, sides: int) -> int:
        """:raises ChanceError: there is no recorded number left, or it isn't a face of this die."""
        face = self._take(NO_ROLL, sides)
        if type(face) is not int or not 1 <= face <= sides:
            message = gettext("{value} is not a roll of {sides}: a number 1 to {sides} is.")
            raise ChanceError(message.format(value=quoted(face), sides=sides))
        return face

    def observe(self, watch: Watch) -> Outcome:
        """Return the next recorded observation. ``watch`` isn't called.

        :raises ChanceError: all are used up, or it is a number.
        """
        outcome = self._take(NO_OBSERVATION, None)
        if not isinstance(outcome, dict):
            message = gettext("{value} is not an observation: an object is.")
            raise ChanceError(message.format(value=quoted(outcome)))
        return outcome

    def finish(self) -> None:
        """Check that every outcome was used.

        :raises ChanceError: some are left over.
        """
        if self._left:
            message = gettext("{value} is left over: the move needs fewer.")
            raise ChanceError(message.format(value=quoted(self._left[0])))

    def _take(self, missing: str, sides: int | None) -> Outcome:
        if not self._left:
            raise ChanceError(gettext(missing).format(sides=sides))
        outcome = self._left.pop(0)
        self.drawn.append(outcome)
        self.sides.append(sides)
        return outcome


class WatchingDice(RecordedDice):
    """Recorded dice that also repeat observations: ``seen`` are today's outcomes."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        super().__init__(outcomes)
        self.seen: list[Outcome] = []

    def observe(self, watch: Watch) -> Outcome:
        """Return the next recorded observation, and store what comes out today."""
        outcome = super().observe(watch)
        self.seen.append(watch()[0])
        return outcome

    @property
    def differs(self) -> bool:
        """Whether an observation has another outcome today."""
        observed = zip(self.drawn, self.sides, strict=True)
        return self.seen != [outcome for outcome, sides in observed if sides is None]


def no_dice() -> RecordedDice:
    """Return dice that refuse every roll, for looking ahead without chance."""
    return RecordedDice(())


def rolled(sides: Sequence[int | None]) -> int:
    """Return how many outcomes with these ``sides`` were rolls rather than observations."""
    return sum(count is not None for count in sides)


def commitment(secret: bytes) -> bytes:
    """Return the SHA-256 of a secret or, with strict dice, of a nonce."""
    return hashlib.sha256(secret).digest()


def match_key(secret: bytes, nonces: Sequence[bytes]) -> bytes:
    """Return the key of a match's dice: SHA-256 of the secret and the nonces in seat order."""
    return hashlib.sha256(secret + b"".join(nonces)).digest()
