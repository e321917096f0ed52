"""Sentences about seats, worded for one of them or for a spectator."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.kernel.contract import Colour, Seat
from games.kernel.formatting import listed
from games.kernel.language import gettext


@dataclass(frozen=True, slots=True)
class Names:
    """What a reader calls each seat: *you* is ``viewer``, the others are called by their colours.

    The viewer of a spectator is ``None``.
    """

    colours: Sequence[Colour]
    viewer: Seat | None = None

    def of(self, seat: int) -> str:
        """Name a seat inside a sentence: ``you``, ``Red``."""
        return gettext("you") if seat == self.viewer else self.colours[seat].shown_name

    def together(self, seats: Iterable[int]) -> str:
        """Name several seats inside a sentence, *you* first: ``you, Red and Blue``."""
        return listed(list(map(self.of, sorted(seats, key=lambda seat: seat != self.viewer))))

    def tell(self, seat: int, own: str, others: str, **parts: object) -> str:
        """Return one of two messages: ``own`` if the seat is the viewer's, else ``others``.

        ``parts`` are the values of both. ``others`` also has ``{player}``, the name of the seat.
        """
        if seat == self.viewer:
            return own.format(**parts)
        return others.format(player=self.colours[seat].shown_name, **parts)

    def tell_of_two(
        self, seat: int, other: int, by_you: str, to_you: str, others: str, **parts: object
    ) -> str:
        """Return one of three messages about what one seat does to another.

        ``by_you`` and ``others`` have ``{other}``, ``to_you`` and ``others`` have ``{player}``.
        """
        message = by_you if seat == self.viewer else to_you if other == self.viewer else others
        player, against = self.colours[seat].shown_name, self.colours[other].shown_name
        return message.format(player=player, other=against, **parts)

    def outcome(self, ranks: Sequence[int], why: str = "") -> str:
        """Say who won and why, as in ``You win: only your people are still alive.``."""
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if len(winners) == 1:
            if why:
                own, others = gettext("You win: {why}."), gettext("{player} wins: {why}.")
            else:
                own, others = gettext("You win."), gettext("{player} wins.")
            return self.tell(winners[0], own, others, why=why)
        if len(winners) == len(ranks):
            message = gettext("The match is a draw.")
            because = gettext("The match is a draw: {why}.")
        else:
            message = gettext("A draw between {players}.")
            because = gettext("A draw between {players}: {why}.")
        return (because if why else message).format(players=self.together(winners), why=why)
