"""What a second implementation of a game offers to the tests."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True)
class Sample:
    """Matches to wander through: how many, for how many players, with which parameters.

    A match that has not ended after ``plies`` moves is closed.
    """

    seats: int
    params: Mapping[str, Any]
    matches: int = 3
    plies: int = 1_500


class Reference(Protocol):
    """A match, changed in place; chance is passed in, never drawn."""

    def __init__(self, seats: int, params: Mapping[str, Any], chance: Sequence[Any]) -> None: ...

    def stand(self, position: Mapping[str, Any]) -> None:
        """Go on from a position that matches may begin with (``policies``), if there are any."""

    def actors(self) -> Sequence[int]: ...

    def moves(self, seat: int) -> Iterable[str]:
        """Canonical texts, in any order; lazily where there may be very many."""

    def play(self, seat: int, text: str, chance: Sequence[Any]) -> None:
        """Play a canonical text that is known to be legal."""

    def drop(self, seat: int, chance: Sequence[Any]) -> None: ...

    def close(self) -> None: ...

    def position(self) -> Mapping[str, Any]: ...
