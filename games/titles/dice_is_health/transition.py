"""The transition of a move: the position as it changes, what happens meanwhile, and the dice."""

from dataclasses import replace
from typing import Any, TypeAlias

from games.kernel import transition as kernel
from games.kernel.contract import ENDED, Event, Ranks, Seat
from games.kernel.views import Json
from games.titles.dice_is_health import ranking, reach
from games.titles.dice_is_health.events import (
    GAINED,
    LOST_DIE,
    LOST_TRINKET,
    NO_TRINKET,
    PICKED_UP,
    SPAWNED,
    WENT_HOME,
)
from games.titles.dice_is_health.meta import BACK
from games.titles.dice_is_health.position import (
    MOST_DICE,
    MOST_TRINKETS,
    OVER,
    Pending,
    State,
)
from games.titles.dice_is_health.spaces import Space

DIE = 6

Outcome: TypeAlias = tuple[State, tuple[Event, ...]]


class Transition(kernel.Transition[State]):
    """A move being carried out."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.state.ranks is not None

    def ask(self, phase: str, pending: Pending = None) -> None:
        """Go on to a phase, whatever was asked before."""
        self.change(phase=phase, pending=pending)

    def roll(self, count: int = 1) -> list[int]:
        """Roll dice, one after the other."""
        return [self.dice.roll(DIE) for _ in range(count)]

    def change_player(self, seat: Seat, **fields: Any) -> None:
        """Change what a player has, or where the piece stands."""
        players = list(self.state.players)
        players[seat] = replace(players[seat], **fields)
        self.change(players=tuple(players))

    def note_fought(self, seat: Seat, opponent: int) -> None:
        """Note that two need not fight again: a seat and a monster, or the mover and a seat."""
        self.change(fought=self.state.fought | {(seat, opponent)})

    # --- Dice ---------------------------------------------------------------------------------

    def pick_up(self, seat: Seat) -> None:
        """Let a player take the die from its space, if one lies there and there is room."""
        at, dice = self.state.at(seat), self.state.players[seat].dice
        if at in self.state.pickups and dice < MOST_DICE:
            self.change(pickups=self.state.pickups - {at})
            self.change_player(seat, dice=dice + 1)
            self.emit(PICKED_UP, seat, at=str(at), dice=dice + 1)

    def give_up_die(self, seat: Seat, kind: str, **data: Json) -> None:
        """Take a die from a player, tell it as ``kind``, and lay it far away."""
        left = self.state.players[seat].dice - 1
        self.change_player(seat, dice=left)
        self.emit(kind, seat, **data, dice=left)
        space = reach.farthest(self.state, seat)
        self.change(pickups=self.state.pickups | {space})
        self.emit(SPAWNED, seat, at=str(space))

    def beat(self, seat: Seat) -> bool:
        """Let the loser of a fight lose a die, or go home; return whether it went."""
        player = self.state.players[seat]
        if player.dice:
            self.give_up_die(seat, LOST_DIE)
            return False
        at = self.state.at(seat)
        self.change_player(seat, at=player.home)
        self.emit(WENT_HOME, seat, **{"from": str(at), "to": str(player.home)})
        return True

    # --- Trinkets -----------------------------------------------------------------------------

    def win_trinket(self, seat: Seat) -> None:
        """Give a trinket for a beaten monster, unless enough circulate; it may win the match."""
        if sum(player.trinkets for player in self.state.players) < MOST_TRINKETS:
            self._gain(seat, None)
        else:
            self.emit(NO_TRINKET, seat)

    def rob(self, winner: Seat, loser: Seat) -> None:
        """Pass a trinket from the loser to the winner, if there is one; it may win the match."""
        left = self.state.players[loser].trinkets - 1
        if left >= 0:
            self.change_player(loser, trinkets=left)
            self._gain(winner, loser)

    def lose_trinket(self, seat: Seat) -> None:
        """Take a trinket out of circulation, if the player has one."""
        left = self.state.players[seat].trinkets - 1
        if left >= 0:
            self.change_player(seat, trinkets=left)
            self.emit(LOST_TRINKET, seat, trinkets=left)

    def _gain(self, seat: Seat, loser: Seat | None) -> None:
        trinkets = self.state.players[seat].trinkets + 1
        self.change_player(seat, trinkets=trinkets)
        self.emit(GAINED, seat, trinkets=trinkets, of=loser)
        self.check_win()

    # --- Places and the end ---------------------------------------------------------------------

    def put(self, seat: Seat, space: Space) -> None:
        """Put a player's piece on a space."""
        self.change_player(seat, at=space)

    def check_win(self) -> None:
        """End the match if somebody is back in the middle with all that it takes."""
        winner = ranking.winner(self.state)
        if winner is not None:
            self.end(BACK, ranking.ranks(self.state, (winner,)))

    def end(self, ending: str, ranks: Ranks) -> None:
        """End the match with a result."""
        self.change(phase=OVER, roll=None, pending=None, fought=frozenset(), ranks=ranks)
        self.emit(ENDED, ending=ending, ranks=list(ranks))
