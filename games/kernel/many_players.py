"""Games of two or more: who is out, whose turn is next, and how a match ends early."""

from collections.abc import Collection, Iterator, Sequence
from typing import Annotated, Any, ClassVar, Self, TypeVar

import msgspec
from msgspec import structs

from games.kernel.contract import Event, Meta, Ranks, Seat, State
from games.kernel.decoding import check_result, decode
from games.kernel.dice import Dice
from games.kernel.editing import Field, Seats
from games.kernel.errors import BrokenPosition
from games.kernel.language import gettext
from games.kernel.preconditions import check_drop, check_running
from games.kernel.ranking import WON_BY, rank
from games.kernel.two_players import PAIR, stopped
from games.kernel.views import Json, View

S = TypeVar("S", bound=State)

AnySeat = Annotated[Seat, msgspec.Meta(ge=0)]


class ManyPlayersState(View, frozen=True, kw_only=True):
    """A state in which the seats take turns.

    ``out`` are the seats that the rules have eliminated, ``dropped`` those that dropped out, both
    in order. A seat can be in both: it dropped out after it was eliminated.
    """

    seats: Annotated[int, msgspec.Meta(ge=2)]
    mover: AnySeat
    out: tuple[AnySeat, ...] = ()
    dropped: tuple[AnySeat, ...] = ()
    ranks: Ranks | None = msgspec.field(name="result", default=None)

    @classmethod
    def read(cls, data: Json, seats: int) -> Self:
        """Return the state that JSON describes.

        :raises BrokenPosition: it has another shape, or another number of seats.
        """
        state = decode(cls, data)
        if state.seats != seats:
            message = gettext("This match has {seats} seats, not {given}.")
            raise BrokenPosition(message.format(seats=seats, given=state.seats))
        if max((state.mover, *state.out, *state.dropped)) >= seats:
            raise BrokenPosition(gettext("The seats are 0 to {last}.").format(last=seats - 1))
        return state

    @property
    def still_in(self) -> tuple[Seat, ...]:
        gone = {*self.out, *self.dropped}
        return tuple(Seat(seat) for seat in range(self.seats) if seat not in gone)

    @property
    def next_mover(self) -> Seat:
        """The next seat after the mover that is still in."""
        return min(self.still_in, key=lambda seat: (seat <= self.mover, seat))

    def seat_faults(self) -> Iterator[str]:
        """Yield what no match can have reached: for ``check_faults``."""
        yield from dropped_faults(self.seats, self.dropped)
        if len(set(self.out)) < len(self.out):
            yield gettext("A seat is eliminated once.")
        if not self.still_in:
            yield gettext("The last seat that is in wins.")
        if self.ranks is None and (len(self.still_in) == 1 or self.mover not in self.still_in):
            yield gettext("A running match has two seats that are in, and one of them is to move.")


class ManyPlayers:
    """A game of two or more: if a player drops out, the others play on.

    A game names this base class before ``OpenGame`` or ``SecretGame``. The defaults suit a
    :class:`ManyPlayersState`. Other states have ``dropped`` and ``ranks``, and their games override
    ``ranking``, ``leave`` and, for events of their own, ``stop``.
    """

    meta: ClassVar[Meta]

    def drop(self, state: S, seat: Seat, dice: Dice) -> tuple[S, tuple[Event, ...]]:
        """Take a seat out of the match. Of two the other one wins.

        A seat that the rules have eliminated may drop out, too: a moderator may remove its player.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        held: Any = state
        check_drop(seat, dropped=held.dropped, ranks=state.ranks, meta=self.meta)
        if len(self.ranking(state)) == PAIR:
            return self.stop(state, "dropped", WON_BY[1 - seat])
        return self.leave(state, seat, dice)

    def close(self, state: S) -> tuple[S, tuple[Event, ...]]:
        """End the match, ranked as it stands.

        :raises MatchOver: it has ended already.
        """
        check_running(state.ranks)
        return self.stop(state, "closed", self.ranking(state))

    def eliminated(self, state: Any) -> Collection[Seat]:
        """Return the seats that the rules have eliminated. None if its states have no ``out``."""
        return getattr(state, "out", ())

    def ranking(self, state: Any) -> Ranks:
        """Return the ranks if the match ended now, one for each seat.

        By default those still in share the first place. Those eliminated follow, the last one
        first, and then those that dropped out, the last one first.
        """
        seats = range(state.seats)
        points = [state.out.index(s) if s in state.out else state.seats for s in seats]
        return rank(points, [s for s in seats if s not in state.dropped], state.dropped)

    def check_ranks(self, state: Any, *, is_over: bool) -> None:
        """Check the result of a state from outside. ``is_over`` says that the rules ended it.

        :raises BrokenPosition: no match can have ended with it here.
        """
        ranks = self.ranking(state)
        stopped = (ranks, *WON_BY) if len(ranks) == PAIR else (ranks,)
        check_result(state.ranks, ranks if is_over else None, stopped)

    def leave(self, state: Any, seat: Seat, dice: Dice) -> tuple[Any, tuple[Event, ...]]:
        """Let a seat drop out of a match of three or more. The last one still in wins.

        By default the board stays as it is, and the turn passes on if it was the seat's. Nothing
        but ``dropped`` changes for a seat that was eliminated before.
        """
        after = structs.replace(state, dropped=(*state.dropped, seat))
        if len(after.still_in) == 1:
            return self.stop(after, "dropped", self.ranking(after))
        if seat == after.mover:
            after = structs.replace(after, mover=after.next_mover)
        return after, ()

    def stop(self, state: Any, ending: str, ranks: Ranks) -> tuple[Any, tuple[Event, ...]]:
        """End the match with a result."""
        return stopped(state, ending, ranks)


def dropped_faults(seats: int, dropped: Sequence[Seat]) -> Iterator[str]:
    """Yield why these seats can't have dropped out."""
    if len(set(dropped)) < len(dropped):
        yield gettext("A seat drops out once.")
    if dropped and seats == PAIR:
        yield gettext("Of two players nobody drops out: the other one wins.")
    if len(dropped) == seats:
        yield gettext("The last seat that is in never drops out.")


def dropped_field(letters: str) -> list[Field]:
    """Return the field of the seats that dropped out. Of two players nobody can."""
    if len(letters) == PAIR:
        return []
    # Translators: {letters} are those of colours, in the order in which these players left.
    label = gettext("Players who dropped out, by letter, as in {letters}")
    return [Seats(("dropped",), label.format(letters=" ".join(letters[1:3])), letters)]
