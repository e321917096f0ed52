"""The phases of a turn, and what they have in common: a move being carried out."""

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from msgspec import structs

from games.kernel import transition as kernel
from games.kernel.completion import folded
from games.kernel.contract import TURN_ENDED, Ranks, Seat
from games.kernel.options import Choice, Options
from games.kernel.phase import Phase
from games.kernel.ranking import ended
from games.kernel.views import Json
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import choose
from games.titles.dice_is_health.meta import BACK, ROUNDS_UP
from games.titles.dice_is_health.moves import Done
from games.titles.dice_is_health.state import (
    DIE,
    DIE_SPACES,
    MOST_DICE,
    MOST_TRINKETS,
    TWO,
    Part,
    PhaseName,
    State,
    farthest_first,
)

HAVE_FOUGHT = "the two of you have fought this turn already."
MUST_FIGHT = "Two who share a space fight before anything else is asked."


class Transition(kernel.Transition[State]):
    """A move being carried out."""

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.state.ranks is not None

    def ask(self, phase: str, pending: Any = None) -> None:
        """Go on to a phase, whatever was asked before."""
        self.change(phase=phase, pending=pending)

    def roll(self, count: int = 1) -> list[int]:
        """Roll dice, one after the other."""
        return [self.dice.roll(DIE) for _ in range(count)]

    def fight(self, dice: Mapping[str, int]) -> list[dict[str, list[int]]]:
        """Let two sides throw so many dice until one sum is higher; return the throws.

        All but the last are ties. Nothing is thrown where a side has no dice.
        """
        rounds: list[dict[str, list[int]]] = []
        if all(dice.values()):
            while not rounds or len(set(map(sum, rounds[-1].values()))) == 1:
                rounds.append({side: self.roll(count) for side, count in dice.items()})
        return rounds

    def change_player(self, seat: Seat, **fields: Any) -> None:
        """Change what a player has, or where the piece stands."""
        players = list(self.state.players)
        players[seat] = structs.replace(players[seat], **fields)
        self.change(players=tuple(players))

    def note_fought(self, seat: Seat, opponent: int) -> None:
        """Note that two need not fight again: a seat and a monster, or the mover and a seat."""
        self.change(fought=tuple(sorted((*self.state.fought, (seat, opponent)))))

    # --- Dice and trinkets --------------------------------------------------------------------

    def pick_up(self, seat: Seat) -> None:
        """Let a player take the die from its space, if one lies there and there is room."""
        at = self.state.at(seat)
        dice = self.state.players[seat].dice
        if at in self.state.pickups and dice < MOST_DICE:
            self.change(pickups=tuple(space for space in self.state.pickups if space != at))
            self.change_player(seat, dice=dice + 1)
            self.emit(events.PICKED_UP, seat, at=at, dice=dice + 1)

    def give_up_die(self, seat: Seat, event: str, **data: Json) -> None:
        """Take a die from a player, emit an event for it, and lay it on the farthest space."""
        left = self.state.players[seat].dice - 1
        self.change_player(seat, dice=left)
        self.emit(event, seat, **data, dice=left)
        pickups = self.state.pickups
        order = farthest_first(self.state.at(seat), self.state.fan)
        there = next(space for space in order if space not in pickups)
        self.change(pickups=tuple(s for s in DIE_SPACES if s in pickups or s == there))
        self.emit(events.SPAWNED, seat, at=there)

    def defeat(self, seat: Seat) -> None:
        """Let the loser of a fight lose a die, or go home."""
        player = self.state.players[seat]
        if player.dice:
            self.give_up_die(seat, events.LOST_DIE)
        else:
            self.change_player(seat, at=player.home)
            self.emit(events.WENT_HOME, seat, **{"from": player.at, "to": player.home})

    def win_trinket(self, seat: Seat) -> None:
        """Give a trinket for a beaten monster, unless enough circulate; it may win the match."""
        if sum(player.trinkets for player in self.state.players) < MOST_TRINKETS:
            self._gain_trinket(seat, None)
        else:
            self.emit(events.NO_TRINKET, seat)

    def rob(self, winner: Seat, loser: Seat) -> None:
        """Pass a trinket from the loser to the winner, if there is one; it may win the match."""
        if trinkets := self.state.players[loser].trinkets:
            self.change_player(loser, trinkets=trinkets - 1)
            self._gain_trinket(winner, loser)

    def lose_trinket(self, seat: Seat) -> None:
        """Take a trinket out of circulation, if the player has one."""
        if trinkets := self.state.players[seat].trinkets:
            self.change_player(seat, trinkets=trinkets - 1)
            self.emit(events.LOST_TRINKET, seat, trinkets=trinkets - 1)

    def _gain_trinket(self, seat: Seat, loser: Seat | None) -> None:
        trinkets = self.state.players[seat].trinkets + 1
        self.change_player(seat, trinkets=trinkets)
        self.emit(events.GAINED, seat, trinkets=trinkets, of=loser)
        self.check_win()

    # --- Turns and the end --------------------------------------------------------------------

    def begin_turn(self, seat: Seat) -> None:
        """Give the turn to a seat, and roll for its movement."""
        low, median, high = sorted(self.roll(3))
        self.change(
            phase=PhaseName.MOVE, pending=None, turn=seat, roll=(low, median, high), fought=()
        )
        self.emit(events.ROLLED, seat, dice=[low, median, high])

    def end_turn(self) -> None:
        """Pass the turn on to the next seat that is in; the last round ends the match."""
        state = self.state
        self.emit(TURN_ENDED, state.turn)
        following = min(state.still_in, key=lambda seat: (seat <= state.turn, seat))
        number = state.round + (following <= state.turn)
        if 0 < state.rounds < number:
            self.end(ROUNDS_UP, state.ranking(state.still_in))
        else:
            self.change(round=number)
            self.begin_turn(following)

    def check_win(self) -> None:
        """End the match if somebody is back in the middle with all that it takes."""
        winner = self.state.winner
        if winner is not None:
            self.end(BACK, self.state.ranking((winner,)))

    def end(self, ending: str, ranks: Ranks) -> None:
        """End the match with a result."""
        self.change(phase=PhaseName.OVER, roll=None, pending=None, fought=(), ranks=ranks)
        self.events.append(ended(ending, ranks))


class TurnPhase(Phase[State, Transition]):
    """A phase of a turn; ``part`` is that part of the turn in which players fight, if any."""

    part: ClassVar[str] = ""

    def settle(self, transition: Transition) -> bool:
        """Go on from here where nobody has anything to choose; return whether that is so."""
        return False

    def void(self, transition: Transition, seat: Seat) -> None:
        """Void what waits for a seat other than the mover that has just dropped out."""

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase.

        Later checks rely on earlier ones.
        """
        part = state.pending.part if state.phase == PhaseName.GO else self.part
        if state.fought and not part:
            yield f"Nobody has fought before the phase {state.phase}."
        for one, other in state.fought:
            if part == Part.MONSTERS:
                is_possible = one in state.seats and 1 <= other <= len(state.monsters)
            else:
                is_possible = one == state.turn != other and other in state.seats
            if not is_possible:
                yield f"{one} and {other} cannot have fought in this part of the turn."
        monster = getattr(state.pending, "monster", None)
        if monster is not None and monster > len(state.monsters):
            yield f"There is no monster {monster}."


class OfferingPhase(TurnPhase):
    """A phase that offers a few moves, each entered as a whole.

    ``prompt`` is a template for what is pending.
    """

    prompt: ClassVar[str] = ""

    @abstractmethod
    def offered(self, state: State) -> Sequence[Any]:
        """Return all legal moves in the order in which they are offered."""

    @abstractmethod
    def offer(self, state: State, move: Any) -> tuple[str, tuple[str, ...]]:
        """Return the label and the marks of a legal move."""

    @abstractmethod
    def reason(self, state: State, move: Any) -> str:
        """Return why a move that is not offered is forbidden."""

    @abstractmethod
    def leave(self, transition: Transition) -> None:
        """Go on where there is nothing, or only one thing, to choose."""

    def moves(self, state: State) -> Sequence[Any]:
        """Return the moves in the order of their texts."""
        return sorted(self.offered(state), key=str)

    def why_not(self, state: State, move: Any) -> str:
        """Return why a move is forbidden; empty if it is legal."""
        return "" if move in self.offered(state) else self.reason(state, move)

    def options(self, state: State, typed: str) -> Options:
        """Return how a text may go on to one of the moves."""
        moves = self.offered(state)
        choices = (Choice(str(move), *self.offer(state, move)) for move in moves)
        found = choose(choices, typed, self.question(state))
        whole = (move for move in moves if folded(str(move)) == folded(typed))
        return replace(found, forecast="".join(self.forecast(state, move) for move in whole))

    def question(self, state: State) -> str:
        """Return the sentence that asks for a move."""
        return self.prompt.format(state.pending)

    def forecast(self, state: State, move: Any) -> str:
        """Return what is known of a move before it is played; empty where there is nothing."""
        return ""

    def settle(self, transition: Transition) -> bool:
        """Go on where there are fewer than two moves."""
        if len(self.offered(transition.state)) >= TWO:
            return False
        self.leave(transition)
        return True


class AttackingPhase(OfferingPhase):
    """A phase in which the mover may attack, or be done; ``declined`` is the label of that."""

    declined: ClassVar[str]

    @abstractmethod
    def attacks(self, state: State) -> Iterator[Any]:
        """Yield the attacks that are possible."""

    @abstractmethod
    def attack_label(self, state: State, move: Any) -> tuple[str, str]:
        """Return an attack in words, and the mark of who is attacked."""

    @abstractmethod
    def attack(self, transition: Transition, move: Any) -> None:
        """Carry an attack out."""

    def offered(self, state: State) -> Sequence[Any]:
        """Return the attacks, and being done."""
        return [*self.attacks(state), Done()]

    def offer(self, state: State, move: Any) -> tuple[str, tuple[str, ...]]:
        """Return the label and the marks of a move."""
        if isinstance(move, Done):
            return self.declined, ()
        label, mark = self.attack_label(state, move)
        return label, (mark,)

    def play(self, transition: Transition, move: Any) -> None:
        """Attack, or go on."""
        if isinstance(move, Done):
            transition.emit(events.DONE, transition.state.turn, phase=str(self.name))
            self.leave(transition)
        else:
            self.attack(transition, move)
