"""Sentences about seats, worded for one of them or for a spectator."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.kernel.contract import Colour, Seat
from games.kernel.formatting import listed, sentence

IRREGULAR = {"are": "is", "have": "has"}
"""Verbs whose third person isn't formed by an ending."""

SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
"""Endings of verbs whose third person ends in ``es``."""


@dataclass(frozen=True, slots=True)
class Names:
    """What a reader calls each seat: *you* is ``viewer``, the others are called by their colours.

    The viewer of a spectator is ``None``.
    """

    colours: Sequence[Colour]
    viewer: Seat | None = None

    def of(self, seat: int) -> str:
        """Name a seat inside a sentence: ``you``, ``Red``."""
        return "you" if seat == self.viewer else self.colours[seat].name

    def together(self, seats: Iterable[int]) -> str:
        """Name several seats inside a sentence, *you* first: ``you, Red and Blue``."""
        return listed(list(map(self.of, sorted(seats, key=lambda seat: seat != self.viewer))))

    def first(self, seat: int) -> str:
        """Name a seat at the beginning of a sentence: ``You``, ``Red``."""
        return "You" if seat == self.viewer else self.colours[seat].name

    def possessive(self, seat: int) -> str:
        """Return the possessive inside a sentence: ``your``, ``Red’s``."""
        return "your" if seat == self.viewer else f"{self.colours[seat].name}’s"

    def verb(self, seat: int, verb: str) -> str:
        """Conjugate a verb, given in its plain form, for a seat."""
        return verb if seat == self.viewer else third_person(verb)

    def does(self, seat: int, verb: str) -> str:
        """Return a seat with its verb, at the beginning of a sentence: ``You place``."""
        return f"{self.first(seat)} {self.verb(seat, verb)}"

    def clause(self, seat: int, verb: str) -> str:
        """Return a seat with its verb, inside a sentence: ``you place``."""
        return f"{self.of(seat)} {self.verb(seat, verb)}"

    def outcome(self, ranks: Sequence[int], why: str = "") -> str:
        """Say who won and why, as in ``You win: only your people are still alive.``."""
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if len(winners) == 1:
            result = self.does(winners[0], "win")
        elif len(winners) == len(ranks):
            result = "The match is a draw"
        else:
            result = f"{sentence(self.together(winners))} draw"
        return f"{result}: {why}." if why else f"{result}."


def third_person(verb: str) -> str:
    """Return the third person of a verb: ``places`` of ``place``, ``is`` of ``are``."""
    if verb in IRREGULAR:
        return IRREGULAR[verb]
    if verb.endswith("y") and verb[-2] not in "aeiou":
        return f"{verb[:-1]}ies"
    return f"{verb}es" if verb.endswith(SIBILANTS) else f"{verb}s"
