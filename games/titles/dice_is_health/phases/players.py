"""The part of a turn in which the mover fights other players, and what the winner takes."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from games.kernel.contract import Seat
from games.kernel.formatting import counted, sentence
from games.kernel.options import Options
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import against_player, at_stake, choose_spaces
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Challenge, Done, Move, Strip
from games.titles.dice_is_health.phases import (
    HAVE_FOUGHT,
    MUST_FIGHT,
    AttackingPhase,
    Transition,
    TurnPhase,
)
from games.titles.dice_is_health.state import (
    TWO,
    Part,
    Parting,
    PhaseName,
    State,
    Stripping,
)


class Challenging(AttackingPhase):
    """The mover may fight players, after all who share its space."""

    name = PhaseName.CHALLENGE
    part = Part.PLAYERS
    moves_of = (Challenge, Done)
    asks = "now you may fight an adjacent player, or it is done."
    prompt = "Challenge a player beside you?"
    declined = "Challenge nobody"

    def attacks(self, state: State) -> Iterator[Challenge]:
        """Yield the fights with players beside the mover."""
        near = state.near(state.at(state.turn))
        return (Challenge(seat) for seat in _not_fought(state) if state.at(seat) in near)

    def attack_label(self, state: State, move: Challenge) -> tuple[str, str]:
        """Return a fight in words, and the mark of the other player."""
        chances = against_player(state, Seat(move.seat))
        return f"Fight {name_of(move.seat)}: {chances}", events.player_mark(move.seat)

    def forecast(self, state: State, move: Any) -> str:
        """Return the odds of a fight and what is at stake."""
        if not isinstance(move, Challenge):
            return ""
        return f"{sentence(against_player(state, Seat(move.seat)))}. {at_stake(state, state.turn)}"

    def reason(self, state: State, move: Challenge) -> str:
        """Return why a fight is forbidden."""
        has_fought = (state.turn, move.seat) in state.fought
        return HAVE_FOUGHT if has_fought else "no such player is next to you."

    def attack(self, transition: Transition, move: Challenge) -> None:
        """Fight a player."""
        self._fight(transition, Seat(move.seat), events.BY_CHOICE)

    def leave(self, transition: Transition) -> None:
        """End the turn."""
        transition.end_turn()

    def settle(self, transition: Transition) -> bool:
        """Let those fight who must; end the turn where nobody is beside the mover."""
        forced = next(self._forced(transition.state), None)
        if forced is None:
            return super().settle(transition)
        self._fight(transition, forced, events.BY_SPACE)
        return True

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        if any(seat is not None for seat in self._forced(state)):
            yield MUST_FIGHT

    def _fight(self, transition: Transition, other: Seat, by: str) -> None:
        """Let the mover and another player fight, and ask what is to follow."""
        state = transition.state
        mover = transition.state.turn
        dice = {"mover": state.players[mover].dice, "other": state.players[other].dice}
        rounds = transition.fight(dice)
        strength = {side: sum(rolls) for side, rolls in rounds[-1].items()} if rounds else dice
        lead = strength["mover"] - strength["other"]
        winner = None if not lead else mover if lead > 0 else other
        data = {"at": state.at(mover), "from": state.at(other), "by": by}
        transition.emit(events.DUELLED, mover, other=other, **data, rounds=rounds, winner=winner)
        transition.note_fought(mover, other)
        if winner is None:
            _ask_to_part(transition, other, mover)
        else:
            self._make_pay(transition, winner, other if winner == mover else mover)

    def _make_pay(self, transition: Transition, winner: Seat, loser: Seat) -> None:
        """Let the loser lose a die or go home, a trinket, and walls, in this order."""
        transition.defeat(loser)
        transition.rob(winner, loser)
        if transition.is_over:
            return
        if transition.state.walls_of(loser):
            (count,) = transition.roll()
            transition.emit(events.MAY_STRIP, winner, roll=count, loser=loser)
            transition.ask(PhaseName.STRIP, Stripping(winner, loser, count))
        else:
            _part_after(transition, winner, loser)

    def _forced(self, state: State) -> Iterator[Seat]:
        """Yield the players whom the mover must fight, in order."""
        here = state.at(state.turn)
        return (seat for seat in _not_fought(state) if state.at(seat) == here)


def _not_fought(state: State) -> Iterator[Seat]:
    """Yield the players whom the mover has not fought this turn."""
    return (seat for seat in state.in_turn[1:] if (state.turn, seat) not in state.fought)


def _ask_to_part(transition: Transition, other: Seat, chooser: Seat) -> None:
    """Ask where the mover steps away to, if it shares a space with the other fighter."""
    mover = transition.state.turn
    if transition.state.at(mover) == transition.state.at(other):
        transition.ask(PhaseName.GO, Parting(chooser, mover, Part.PLAYERS))
    else:
        transition.ask(PhaseName.CHALLENGE)


def _part_after(transition: Transition, winner: Seat, loser: Seat) -> None:
    """Let the winner of a fight part the fighters, if they share a space."""
    other = loser if winner == transition.state.turn else winner
    _ask_to_part(transition, other, winner)


class WallStripping(TurnPhase):
    """The winner of a fight takes walls of the loser away."""

    name = PhaseName.STRIP
    part = Part.PLAYERS
    moves_of = (Strip,)
    asks = "first say which walls the loser of the fight loses."

    def moves(self, state: State) -> Sequence[Move]:
        """Return all choices of walls in the order of their texts."""
        chosen = combinations(state.walls_of(state.pending.loser), state.pending.count)
        return sorted(map(Strip, chosen), key=str)

    def why_not(self, state: State, move: Strip) -> str:
        """Return why these walls may not be taken; empty if they may."""
        count = state.pending.count
        if not set(move.spaces) <= set(state.walls_of(state.pending.loser)):
            return "only walls of the loser are taken away."
        if len(move.spaces) != count:
            return f"the roll was {count}: take away just so many."
        return ""

    def play(self, transition: Transition, move: Strip) -> None:
        """Take the walls away."""
        stripping: Stripping = transition.state.pending
        transition.change(walls=transition.state.walls_with(move.spaces, None))
        data = {"loser": stripping.loser, "spaces": list(move.spaces)}
        transition.emit(events.STRIPPED, stripping.winner, **data)
        _part_after(transition, stripping.winner, stripping.loser)

    def settle(self, transition: Transition) -> bool:
        """Take all walls away where there are no more than that."""
        stripping: Stripping = transition.state.pending
        walls = transition.state.walls_of(stripping.loser)
        if stripping.count < len(walls):
            return False
        self.play(transition, Strip(walls))
        return True

    def void(self, transition: Transition, seat: Seat) -> None:
        """Take nothing away where winner or loser are gone."""
        if seat in (transition.state.pending.winner, transition.state.pending.loser):
            transition.ask(PhaseName.CHALLENGE)

    def options(self, state: State, typed: str) -> Options:
        """Offer the walls of the loser one by one, in any order."""
        count = state.pending.count
        loser = state.pending.loser
        what = counted(count, "wall")
        prompt = f"Take away {what} of {name_of(loser)}’s. Which?"
        walls = state.walls_of(loser)
        return choose_spaces(
            state, typed, prompt, PhaseName.STRIP, spaces=walls, enough=(count,), owner=None
        )

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        both = {state.pending.winner, state.pending.loser}
        if state.turn not in both or len(both) < TWO or not both <= set(state.still_in):
            yield "Walls are lost in a fight of the mover and another player."
