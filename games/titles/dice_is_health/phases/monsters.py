"""The part of a turn with fights against monsters, and stepping away after any fight."""

from collections.abc import Iterator
from itertools import starmap

from games.kernel.contract import Seat
from games.kernel.formatting import listed
from games.kernel.language import gettext, gettext_noop
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import ORDER
from games.titles.dice_is_health.entry import (
    Wording,
    against_monster,
    at_stake,
    describe_space,
)
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Attack, Fight, Go
from games.titles.dice_is_health.phases import HAVE_FOUGHT, DeclineStep, TurnPhase, TurnStep
from games.titles.dice_is_health.state import (
    MONSTER_DICE,
    FightPart,
    Parting,
    PhaseName,
    Rampage,
    State,
)
from games.titles.dice_is_health.transition import Transition


def fight_monster(transition: Transition, seat: Seat, monster: int, by: str) -> None:
    """Let a player and a monster fight, and ask what follows."""
    state = transition.state
    at = state.at(seat)
    there = state.monsters[monster - 1]
    dice = state.players[seat].dice
    rounds = tuple(starmap(events.MonsterRound, transition.fight(MONSTER_DICE, dice)))
    is_won = bool(rounds) and sum(rounds[-1].player) > sum(rounds[-1].monster)
    transition.emit(events.Fought(seat, monster, at, there, by, rounds, is_won))
    transition.note_fought(seat, monster)
    if is_won and at == there:
        transition.ask(PhaseName.GO, Parting(seat, seat, FightPart.MONSTERS))
    elif is_won:
        transition.ask(PhaseName.FIGHT)
    elif dice:
        transition.ask(PhaseName.GO, Parting(seat, seat, FightPart.MONSTERS, monster))
    else:
        transition.ask(PhaseName.RAMPAGE, Rampage(monster))
    if is_won:
        transition.win_trinket(seat)
    else:
        transition.defeat(seat)
        transition.lose_trinket(seat)


def forced_fights(state: State) -> Iterator[tuple[Seat, int]]:
    """Yield the players and monsters who share a space and haven't fought, in order."""
    for seat in state.in_turn:
        for monster, space in enumerate(state.monsters, 1):
            if space == state.at(seat) and (seat, monster) not in state.fought:
                yield seat, monster


class FightStep(TurnStep):
    """A fight of the mover with an adjacent monster."""

    kind = Fight

    def moves(self, state: State) -> Iterator[Fight]:
        near = state.near(state.at(state.turn))
        for number, space in enumerate(state.monsters, 1):
            if space in near and (state.turn, number) not in state.fought:
                yield Fight(number)

    def refusal(self, state: State, move: Fight) -> str:
        if move.monster > len(state.monsters):
            return gettext("there is no monster {number}.").format(number=move.monster)
        if (state.turn, move.monster) in state.fought:
            return gettext(HAVE_FOUGHT)
        if move in self.moves(state):
            return ""
        return gettext("monster {number} is not next to you.").format(number=move.monster)

    def play(self, transition: Transition, move: Fight) -> None:
        fight_monster(transition, transition.state.turn, move.monster, events.BY_CHOICE)

    def label(self, state: State, move: Fight) -> tuple[str, str]:
        """Return a fight in words, and the mark of the monster."""
        odds = against_monster(state, state.turn, Wording.BRIEF)
        label = gettext("Fight monster {number}: {odds}").format(number=move.monster, odds=odds)
        return label, events.monster_mark(move.monster)

    def forecast(self, state: State, move: Fight) -> str:
        """Return the odds and the stakes of a fight."""
        odds = against_monster(state, state.turn, Wording.SENTENCE)
        return f"{odds} {at_stake(state, state.turn)}"


class Fighting(TurnPhase):
    """The mover may fight monsters, after all forced fights."""

    name = PhaseName.FIGHT
    asks = gettext_noop("now you can only fight a monster beside you, or go on.")

    def __init__(self) -> None:
        decline = DeclineStep(self.name, gettext_noop("Don’t fight"), self.leave)
        self.steps = (FightStep(), decline)

    def prompt(self, state: State) -> str:
        return gettext("Choose a monster beside you to fight, or don’t fight.")

    def leave(self, transition: Transition) -> None:
        """Go on to the other players, and forget which monsters were fought."""
        transition.change(phase=PhaseName.CHALLENGE, fought=())

    def settle(self, transition: Transition) -> bool:
        """Carry out forced fights, and continue if no monster is adjacent to the mover."""
        forced = next(forced_fights(transition.state), None)
        if not forced:
            return super().settle(transition)
        fight_monster(transition, *forced, events.BY_SPACE)
        return True


class AttackStep(TurnStep):
    """An attack of a monster that has won against a player near it."""

    kind = Attack

    def moves(self, state: State) -> Iterator[Attack]:
        """Yield the attacks on players near the monster."""
        monster: int = state.pending.monster
        here = state.monsters[monster - 1]
        for seat in state.in_turn:
            is_near = state.at(seat) in (here, *state.near(here))
            if is_near and (seat, monster) not in state.fought:
                yield Attack(seat)

    def refusal(self, state: State, move: Attack) -> str:
        if (move.seat, state.pending.monster) in state.fought:
            return gettext(HAVE_FOUGHT)
        if move in self.moves(state):
            return ""
        message = gettext("{player} is not next to the monster.")
        return message.format(player=name_of(move.seat))

    def play(self, transition: Transition, move: Attack) -> None:
        monster = transition.state.pending.monster
        target = Seat(move.seat)
        transition.emit(events.Sent(transition.state.turn, monster, target))
        fight_monster(transition, target, monster, events.BY_RAMPAGE)

    def label(self, state: State, move: Attack) -> tuple[str, str]:
        label = gettext("Attack yourself")
        if move.seat != state.turn:
            label = gettext("Attack {player}").format(player=name_of(move.seat))
        return label, events.player_mark(move.seat)

    def forecast(self, state: State, move: Attack) -> str:
        """Return the odds of the attacked player, and the stakes."""
        seat = Seat(move.seat)
        return f"{against_monster(state, seat, Wording.SENTENCE)} {at_stake(state, seat)}"


class Rampaging(TurnPhase):
    """The mover may send a monster that has won to attack a player near it."""

    name = PhaseName.RAMPAGE
    asks = gettext_noop("now the monster that won may attack someone else, or you go on.")

    def __init__(self) -> None:
        self.steps = (AttackStep(), DeclineStep(self.name, gettext_noop("No"), self.leave))

    def prompt(self, state: State) -> str:
        message = gettext("Monster {number} won. Attack someone else with it?")
        return message.format(number=state.pending.monster)

    def leave(self, transition: Transition) -> None:
        """Continue with the other fights."""
        transition.ask(PhaseName.FIGHT)


class GoStep(TurnStep):
    kind = Go

    def moves(self, state: State) -> list[Go]:
        """Return the steps to free spaces, in the order of spaces."""
        seat = state.pending.piece
        taken = {*state.monsters, *(player.at for player in state.players)}
        free = (space for space in state.near(state.at(seat)) if space not in taken)
        open_ = (space for space in free if state.walls.get(space, seat) == seat)
        return [Go(space) for space in sorted(open_, key=ORDER.__getitem__)]

    def refusal(self, state: State, move: Go) -> str:
        steps = self.moves(state)
        if move in steps:
            return ""
        free = listed([step.space for step in steps], "or")
        return gettext("the piece can only step to {spaces}.").format(spaces=free)

    def play(self, transition: Transition, move: Go) -> None:
        """Move the piece to its new space. That may win the match."""
        parting: Parting = transition.state.pending
        piece = parting.piece
        here = transition.state.at(piece)
        transition.change_player(piece, at=move.space)
        transition.emit(events.SteppedAway(piece, here, move.space, parting.chooser))
        after_parting(transition)
        transition.check_win()

    def label(self, state: State, move: Go) -> tuple[str, str]:
        return describe_space(state, move.space), move.space


def after_parting(transition: Transition) -> None:
    """Continue after a piece has stepped away: a monster that won may attack again."""
    parting: Parting = transition.state.pending
    if parting.part == FightPart.PLAYERS:
        transition.ask(PhaseName.CHALLENGE)
    elif parting.monster is None:
        transition.ask(PhaseName.FIGHT)
    else:
        transition.ask(PhaseName.RAMPAGE, Rampage(parting.monster))


def shares_with_fought(state: State) -> bool:
    """Whether the mover still shares a space with a player fought this turn."""
    here = state.at(state.turn)
    others = state.in_turn[1:]
    return any(state.at(seat) == here and (state.turn, seat) in state.fought for seat in others)


class Stepping(TurnPhase):
    """A piece steps away from a fight, to a space that one of the fighters chooses."""

    name = PhaseName.GO
    steps = (GoStep(),)
    asks = gettext_noop("a piece must step away from its fight first.")

    def prompt(self, state: State) -> str:
        parting: Parting = state.pending
        if parting.chooser == parting.piece:
            return gettext("The fight is over. Choose the space you step away to.")
        message = gettext("The fight is over. Choose the space {player} steps away to.")
        return message.format(player=name_of(parting.piece))

    def settle(self, transition: Transition) -> bool:
        """Take the only exit, or stay without an exit or if no fighter shares the space."""
        part = transition.state.pending.part
        if part == FightPart.MONSTERS or shares_with_fought(transition.state):
            return super().settle(transition)
        after_parting(transition)
        return True

    def leave(self, transition: Transition) -> None:
        """Take the only exit, or stay."""
        state = transition.state
        piece = state.pending.piece
        if step := next(iter(self.moves(state)), None):
            self.play(transition, step)
        else:
            transition.emit(events.Stayed(piece, state.at(piece)))
            after_parting(transition)

    def void(self, transition: Transition, seat: Seat) -> None:
        """Let the piece stay if its chooser is gone."""
        if transition.state.pending.chooser == seat:
            after_parting(transition)
