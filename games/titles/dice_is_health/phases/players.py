"""The part of a turn in which the mover fights other players, and the winner's gains."""

from collections.abc import Iterator
from itertools import combinations, starmap

from games.kernel.contract import Seat
from games.kernel.entry import Words
from games.kernel.language import gettext, gettext_noop, ngettext
from games.kernel.phase import Step
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import Wording, against_player, at_stake, space_words
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Challenge, Strip
from games.titles.dice_is_health.phases import HAVE_FOUGHT, DeclineStep, TurnPhase, TurnStep
from games.titles.dice_is_health.state import FightPart, Parting, PhaseName, State, Stripping
from games.titles.dice_is_health.transition import Transition


def fight_player(transition: Transition, other: Seat, by: str) -> None:
    """Let the mover and another player fight, and ask what follows."""
    state = transition.state
    mover = state.turn
    dice = state.players[mover].dice, state.players[other].dice
    rounds = tuple(starmap(events.DuelRound, transition.fight(*dice)))
    strength = (sum(rounds[-1].mover), sum(rounds[-1].other)) if rounds else dice
    lead = strength[0] - strength[1]
    winner = None if not lead else mover if lead > 0 else other
    spaces = state.at(mover), state.at(other)
    transition.emit(events.Duelled(mover, other, *spaces, by, rounds, winner))
    transition.note_fought(mover, other)
    if winner is None:
        part(transition, other, chooser=mover)
    else:
        make_pay(transition, winner, other if winner == mover else mover)


def make_pay(transition: Transition, winner: Seat, loser: Seat) -> None:
    """Make the loser lose a die or go home, a trinket, and walls, in this order."""
    transition.defeat(loser)
    transition.rob(winner, loser)
    if transition.is_over:
        return
    if transition.state.walls_of(loser):
        (count,) = transition.roll()
        transition.emit(events.MayStrip(winner, count, loser))
        transition.ask(PhaseName.STRIP, Stripping(winner, loser, count))
    else:
        part_after(transition, winner, loser)


def part(transition: Transition, other: Seat, *, chooser: Seat) -> None:
    """Ask where the mover steps away to, if it shares a space with the other fighter."""
    mover = transition.state.turn
    if transition.state.at(mover) == transition.state.at(other):
        transition.ask(PhaseName.GO, Parting(chooser, mover, FightPart.PLAYERS))
    else:
        transition.ask(PhaseName.CHALLENGE)


def part_after(transition: Transition, winner: Seat, loser: Seat) -> None:
    """Let the winner of a fight separate the fighters, if they share a space."""
    part(transition, loser if winner == transition.state.turn else winner, chooser=winner)


def not_fought(state: State) -> Iterator[Seat]:
    """Yield the players whom the mover hasn't fought this turn."""
    return (seat for seat in state.in_turn[1:] if (state.turn, seat) not in state.fought)


def forced_fights(state: State) -> Iterator[Seat]:
    """Yield the players whom the mover must fight, in order."""
    here = state.at(state.turn)
    return (seat for seat in not_fought(state) if state.at(seat) == here)


class ChallengeStep(TurnStep):
    """A fight of the mover with an adjacent player."""

    kind = Challenge

    def moves(self, state: State) -> Iterator[Challenge]:
        near = state.near(state.at(state.turn))
        return (Challenge(seat) for seat in not_fought(state) if state.at(seat) in near)

    def refusal(self, state: State, move: Challenge) -> str:
        if (state.turn, move.seat) in state.fought:
            return gettext(HAVE_FOUGHT)
        if move in self.moves(state):
            return ""
        return gettext("{player} is not next to you.").format(player=name_of(move.seat))

    def play(self, transition: Transition, move: Challenge) -> None:
        fight_player(transition, Seat(move.seat), events.BY_CHOICE)

    def label(self, state: State, move: Challenge) -> tuple[str, str]:
        """Return a fight in words, and the mark of the other player."""
        odds = against_player(state, Seat(move.seat), Wording.BRIEF)
        label = gettext("Fight {player}: {odds}").format(player=name_of(move.seat), odds=odds)
        return label, events.player_mark(move.seat)

    def forecast(self, state: State, move: Challenge) -> str:
        """Return the odds and the stakes of a fight."""
        odds = against_player(state, Seat(move.seat), Wording.SENTENCE)
        can_lose = state.players[move.seat].dice
        return f"{odds} {at_stake(state, state.turn)}" if can_lose else odds


class Challenging(TurnPhase):
    """The mover may fight players, after all on the same space."""

    name = PhaseName.CHALLENGE
    asks = gettext_noop("now you can only fight a player beside you, or end your turn.")

    def __init__(self) -> None:
        decline = DeclineStep(self.name, gettext_noop("Don’t fight"), self.leave)
        self.steps = (ChallengeStep(), decline)

    def prompt(self, state: State) -> str:
        return gettext("Choose a player beside you to fight, or don’t fight.")

    def leave(self, transition: Transition) -> None:
        transition.end_turn()

    def settle(self, transition: Transition) -> bool:
        """Carry out forced fights, and end the turn if nobody is adjacent to the mover."""
        forced = next(forced_fights(transition.state), None)
        if forced is None:
            return super().settle(transition)
        fight_player(transition, forced, events.BY_SPACE)
        return True


class StripStep(Step[State, Transition]):
    """The loser's walls that the winner of a fight removes."""

    kind = Strip

    def moves(self, state: State) -> Iterator[Strip]:
        return map(Strip, combinations(state.walls_of(state.pending.loser), state.pending.count))

    def refusal(self, state: State, move: Strip) -> str:
        count = state.pending.count
        if not set(move.spaces) <= set(state.walls_of(state.pending.loser)):
            message = gettext("take down walls of {player}’s only.")
            return message.format(player=name_of(state.pending.loser))
        if len(move.spaces) != count:
            message = ngettext(
                "you rolled {count}: take down exactly {count} wall.",
                "you rolled {count}: take down exactly {count} walls.",
                count,
            )
            return message.format(count=count)
        return ""

    def play(self, transition: Transition, move: Strip) -> None:
        stripping: Stripping = transition.state.pending
        transition.change(walls=transition.state.walls_with(move.spaces, None))
        transition.emit(events.Stripped(stripping.winner, stripping.loser, move.spaces))
        part_after(transition, stripping.winner, stripping.loser)

    def words(self, state: State) -> Words:
        walls = state.walls_of(state.pending.loser)
        return space_words(state, PhaseName.STRIP, walls, state.pending.count, None)


class WallStripping(TurnPhase):
    """The winner of a fight removes walls of the loser."""

    name = PhaseName.STRIP
    steps = (StripStep(),)
    asks = gettext_noop("first choose which of the loser’s walls you take down.")

    def prompt(self, state: State) -> str:
        count = state.pending.count
        message = ngettext(
            "Choose {count} wall of {player}’s to take down.",
            "Choose {count} walls of {player}’s to take down.",
            count,
        )
        return message.format(count=count, player=name_of(state.pending.loser))

    def settle(self, transition: Transition) -> bool:
        """Remove all walls if there are no more than that."""
        stripping: Stripping = transition.state.pending
        if stripping.count < len(transition.state.walls_of(stripping.loser)):
            return False
        self.leave(transition)
        return True

    def leave(self, transition: Transition) -> None:
        """Remove all walls."""
        loser = transition.state.pending.loser
        self.play(transition, Strip(transition.state.walls_of(loser)))

    def void(self, transition: Transition, seat: Seat) -> None:
        """Remove nothing if winner or loser are gone."""
        if seat in (transition.state.pending.winner, transition.state.pending.loser):
            transition.ask(PhaseName.CHALLENGE)
