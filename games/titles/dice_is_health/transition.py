"""A move being carried out: its effects on pieces, dice and trinkets, and the ends of turns."""

from typing import Any

from msgspec import structs

from games.kernel import transition as kernel
from games.kernel.contract import Ended, Ranks, Seat, TurnEnded
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import DIE_SPACES, farthest_first
from games.titles.dice_is_health.meta import BACK, ROUNDS_UP
from games.titles.dice_is_health.state import DIE, MAX_DICE, MAX_TRINKETS, PhaseName, State


class Transition(kernel.Transition[State]):
    @property
    def is_over(self) -> bool:
        return self.state.ranks is not None

    def ask(self, phase: str, pending: Any = None) -> None:
        """Go on to a phase, whatever was asked before."""
        self.change(phase=phase, pending=pending)

    def roll(self, count: int = 1) -> list[int]:
        """Roll dice, one after the other."""
        return [self.dice.roll(DIE) for _ in range(count)]

    def fight(self, first: int, second: int) -> list[tuple[events.Faces, events.Faces]]:
        """Let two sides throw their dice until one sum is higher, and return the throws.

        All except the last are ties. Nothing is thrown if a side has no dice.
        """
        throws: list[tuple[events.Faces, events.Faces]] = []
        if first and second:
            while not throws or sum(throws[-1][0]) == sum(throws[-1][1]):
                throws.append((tuple(self.roll(first)), tuple(self.roll(second))))
        return throws

    def change_player(self, seat: Seat, **fields: Any) -> None:
        """Change a player's possessions or space."""
        players = list(self.state.players)
        players[seat] = structs.replace(players[seat], **fields)
        self.change(players=tuple(players))

    def note_fought(self, seat: Seat, opponent: int) -> None:
        """Note that two needn't fight again: a seat and a monster, or the mover and a seat."""
        self.change(fought=tuple(sorted((*self.state.fought, (seat, opponent)))))

    # --- Dice and trinkets --------------------------------------------------------------------

    def pick_up(self, seat: Seat) -> None:
        """Let a player take the die from its space, if there is one and the player has room."""
        at = self.state.at(seat)
        dice = self.state.players[seat].dice
        if at in self.state.pickups and dice < MAX_DICE:
            self.change(pickups=tuple(space for space in self.state.pickups if space != at))
            self.change_player(seat, dice=dice + 1)
            self.emit(events.PickedUp(seat, at, dice + 1))

    def give_up_die(self, seat: Seat, what: str = "") -> None:
        """Move a die from a player to the farthest space.

        ``what`` is what it pays for. Empty if the player lost a fight.
        """
        left = self.state.players[seat].dice - 1
        self.change_player(seat, dice=left)
        self.emit(events.Paid(seat, what, left) if what else events.LostDie(seat, left))
        pickups = self.state.pickups
        order = farthest_first(self.state.at(seat), self.state.fan)
        there = next(space for space in order if space not in pickups)
        self.change(pickups=tuple(s for s in DIE_SPACES if s in pickups or s == there))
        self.emit(events.Spawned(seat, there))

    def defeat(self, seat: Seat) -> None:
        """Make the loser of a fight lose a die, or go home."""
        player = self.state.players[seat]
        if player.dice:
            self.give_up_die(seat)
        else:
            self.emit(events.WentHome(seat, self.state.at(seat), player.home))
            self.change_player(seat, at=player.home)

    def win_trinket(self, seat: Seat) -> None:
        """Give a trinket for a beaten monster, unless enough circulate. It may win the match."""
        if sum(player.trinkets for player in self.state.players) < MAX_TRINKETS:
            self._gain_trinket(seat, None)
        else:
            self.emit(events.NoTrinket(seat))

    def rob(self, winner: Seat, loser: Seat) -> None:
        """Pass a trinket from the loser to the winner, if there is one. It may win the match."""
        if trinkets := self.state.players[loser].trinkets:
            self.change_player(loser, trinkets=trinkets - 1)
            self._gain_trinket(winner, loser)

    def lose_trinket(self, seat: Seat) -> None:
        """Remove a trinket of the player, if there is one."""
        if trinkets := self.state.players[seat].trinkets:
            self.change_player(seat, trinkets=trinkets - 1)
            self.emit(events.LostTrinket(seat, trinkets - 1))

    def _gain_trinket(self, seat: Seat, loser: Seat | None) -> None:
        trinkets = self.state.players[seat].trinkets + 1
        self.change_player(seat, trinkets=trinkets)
        self.emit(events.GainedTrinket(seat, trinkets, loser))
        self.check_win()

    # --- Turns and the end --------------------------------------------------------------------

    def begin_turn(self, seat: Seat) -> None:
        """Give the turn to a seat, and roll for its movement."""
        low, median, high = sorted(self.roll(3))
        self.change(
            phase=PhaseName.MOVE, pending=None, turn=seat, roll=(low, median, high), fought=()
        )
        self.emit(events.Rolled(seat, (low, median, high)))

    def end_turn(self) -> None:
        """Pass the turn to the next remaining seat. The last round ends the match."""
        state = self.state
        self.emit(TurnEnded(state.turn))
        following = min(state.still_in, key=lambda seat: (seat <= state.turn, seat))
        number = state.round + (following <= state.turn)
        if 0 < state.rounds < number:
            self.end(ROUNDS_UP, state.ranking(state.still_in))
        else:
            self.change(round=number)
            self.begin_turn(following)

    def check_win(self) -> None:
        """End the match if a player is back in the centre with everything needed."""
        winner = self.state.winner
        if winner is not None:
            self.end(BACK, self.state.ranking((winner,)))

    def end(self, ending: str, ranks: Ranks) -> None:
        """End the match with a result."""
        self.change(phase=PhaseName.OVER, roll=None, pending=None, fought=(), ranks=ranks)
        self.emit(Ended(ending=ending, ranks=ranks))
