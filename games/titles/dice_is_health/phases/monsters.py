"""The part of a turn in which players and monsters fight, and the step away after any fight."""

from collections.abc import Iterator, Sequence

from games.kernel.contract import Seat
from games.kernel.options import Choice, Options
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import choose, describe_space
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Attack, Done, Fight, Go, Move
from games.titles.dice_is_health.phases import HAVE_FOUGHT, MUST_FIGHT, Transition, TurnPhase
from games.titles.dice_is_health.position import (
    ORDER,
    Part,
    Parting,
    PhaseName,
    Rampage,
    Space,
    State,
)

MONSTER_DICE = 3


def fight_monster(transition: Transition, seat: Seat, monster: int, by: str) -> None:
    """Let a player and a monster fight, and ask what is to follow."""
    state = transition.state
    at, den, dice = state.at(seat), state.monsters[monster - 1], state.players[seat].dice
    rounds = transition.fight({"monster": MONSTER_DICE, "player": dice})
    is_won = bool(rounds) and sum(rounds[-1]["player"]) > sum(rounds[-1]["monster"])
    told = {"monster": monster, "at": at, "from": den, "by": by}
    transition.emit(events.FOUGHT, seat, **told, rounds=rounds, won=is_won)
    transition.note_fought(seat, monster)
    if is_won and at == den:
        transition.ask(PhaseName.GO, Parting(seat, seat, Part.MONSTERS))
    elif is_won:
        transition.ask(PhaseName.FIGHT)
    elif dice:
        transition.ask(PhaseName.GO, Parting(seat, seat, Part.MONSTERS, monster))
    else:
        transition.ask(PhaseName.RAMPAGE, Rampage(monster))
    if is_won:
        transition.win_trinket(seat)
    else:
        transition.defeat(seat)
        transition.lose_trinket(seat)


class Fighting(TurnPhase):
    """The mover may fight monsters, after all who share a monster's space have fought it."""

    name = PhaseName.FIGHT
    part = Part.MONSTERS
    moves_of = (Fight, Done)
    asks = "now you may fight an adjacent monster, or it is done."

    def moves(self, state: State) -> Sequence[Move]:
        """Return the fights in the order of their texts."""
        return [Done(), *map(Fight, self._beside(state))]

    def why_not(self, state: State, move: Move) -> str:
        """Return why a fight is forbidden; empty if it is legal."""
        if not isinstance(move, Fight) or move.monster in self._beside(state):
            return ""
        if move.monster > len(state.monsters):
            return f"there is no monster {move.monster}."
        has_fought = (state.turn, move.monster) in state.fought
        return HAVE_FOUGHT if has_fought else "it is not next to you."

    def play(self, transition: Transition, move: Move) -> None:
        """Fight a monster, or go on to the other players."""
        seat = transition.state.turn
        if isinstance(move, Fight):
            fight_monster(transition, seat, move.monster, events.BY_CHOICE)
        else:
            transition.emit(events.DONE, seat, phase=PhaseName.FIGHT)
            self._leave(transition)

    def settle(self, transition: Transition) -> bool:
        """Let those fight who must; leave the monsters where none is beside the mover."""
        forced = next(self._forced(transition.state), None)
        if forced:
            fight_monster(transition, *forced, events.BY_SPACE)
        elif self._beside(transition.state):
            return False
        else:
            self._leave(transition)
        return True

    def options(self, state: State, typed: str) -> Options:
        """Offer the monsters beside the mover."""
        chances = f"it rolls three dice, you {events.dice(state.mover.dice)}"
        choices = [
            Choice(str(Fight(n)), f"Fight monster {n}: {chances}", (events.monster_mark(n),))
            for n in self._beside(state)
        ]
        choices.append(Choice(str(Done()), "Fight no monster"))
        return choose(choices, typed, "Fight a monster beside you?")

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        if any(self._forced(state)):
            yield MUST_FIGHT

    def _leave(self, transition: Transition) -> None:
        transition.change(phase=PhaseName.CHALLENGE, pending=None, fought=())

    def _forced(self, state: State) -> Iterator[tuple[Seat, int]]:
        """Yield the players and monsters who must fight, in order."""
        for seat in state.in_turn:
            for monster, space in enumerate(state.monsters, 1):
                if space == state.at(seat) and (seat, monster) not in state.fought:
                    yield seat, monster

    def _beside(self, state: State) -> list[int]:
        """Return the monsters that the mover may choose to fight."""
        near = state.near(state.at(state.turn))
        beside = (n for n, space in enumerate(state.monsters, 1) if space in near)
        return [n for n in beside if (state.turn, n) not in state.fought]


class Stepping(TurnPhase):
    """A piece steps away from a fight, to a space that one of the fighters chooses."""

    name = PhaseName.GO
    moves_of = (Go,)
    asks = "first a piece steps away from its fight."

    def moves(self, state: State) -> Sequence[Move]:
        """Return the steps in the order of their texts."""
        return sorted(map(Go, self._exits(state)), key=str)

    def why_not(self, state: State, move: Go) -> str:
        """Return why a piece may not step there; empty if it may."""
        exits = self._exits(state)
        names = " or ".join(exits)
        return "" if move.space in exits else f"free spaces next to the piece are {names}."

    def play(self, transition: Transition, move: Go) -> None:
        """Put the piece where it steps to; that may win the match."""
        parting: Parting = transition.state.pending
        told = {"from": transition.state.at(parting.piece), "to": move.space}
        transition.change_player(parting.piece, at=move.space)
        transition.emit(events.STEPPED, parting.piece, **told, chooser=parting.chooser)
        self._go_on(transition)
        transition.check_win()

    def settle(self, transition: Transition) -> bool:
        """Step where there is one way, stay where there is none; void it where no other stands."""
        state, parting = transition.state, transition.state.pending
        exits = self._exits(state)
        if parting.part == Part.PLAYERS and not _shares_with_fought(state):
            self._go_on(transition)
        elif len(exits) > 1:
            return False
        elif exits:
            self.play(transition, Go(exits[0]))
        else:
            transition.emit(events.STAYED, parting.piece, at=state.at(parting.piece))
            self._go_on(transition)
        return True

    def void(self, transition: Transition, seat: Seat) -> None:
        """Let the piece stay where its chooser is gone."""
        if transition.state.pending.chooser == seat:
            self._go_on(transition)

    def options(self, state: State, typed: str) -> Options:
        """Offer the spaces to step to."""
        parting: Parting = state.pending
        name, is_own = name_of(parting.piece), parting.chooser == parting.piece
        who = "do you step" if is_own else f"does {name} step"
        steps = "You step" if is_own else f"{name} steps"
        choices = [
            Choice(str(Go(space)), describe_space(state, space), (space,))
            for space in self._exits(state)
        ]
        chosen = steps + " to {0.marks[0]}."
        return choose(choices, typed, f"Where {who} after the fight?", chosen)

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        parting: Parting = state.pending
        if not {parting.chooser, parting.piece} <= set(state.still_in):
            yield "Who steps away, and who says where to, are in."
        if parting.part == Part.MONSTERS:
            is_possible = parting.chooser == parting.piece
        else:
            is_own = parting.piece == state.turn and parting.monster is None
            is_possible = is_own and _shares_with_fought(state)
        if not is_possible:
            yield "Nobody steps away after such a fight."

    def _go_on(self, transition: Transition) -> None:
        """Go on behind a step away: a monster that won may attack on."""
        parting: Parting = transition.state.pending
        if parting.part == Part.PLAYERS:
            transition.ask(PhaseName.CHALLENGE)
        elif parting.monster is None:
            transition.ask(PhaseName.FIGHT)
        else:
            transition.ask(PhaseName.RAMPAGE, Rampage(parting.monster))

    def _exits(self, state: State) -> list[Space]:
        """Return where the piece may step to, in the order of spaces."""
        seat = state.pending.piece
        taken = {*state.monsters, *(player.at for player in state.players)}
        free = (space for space in state.near(state.at(seat)) if space not in taken)
        open_ = (space for space in free if state.walls.get(space, seat) == seat)
        return sorted(open_, key=ORDER.__getitem__)


def _shares_with_fought(state: State) -> bool:
    """Whether the mover still shares a space with a player fought this turn."""
    here, others = state.at(state.turn), state.in_turn[1:]
    return any(state.at(seat) == here and (state.turn, seat) in state.fought for seat in others)


class Rampaging(TurnPhase):
    """The mover may send a monster that has won on at somebody near it."""

    name = PhaseName.RAMPAGE
    part = Part.MONSTERS
    moves_of = (Attack, Done)
    asks = "now the monster that has won may attack on, or it is done."

    def moves(self, state: State) -> Sequence[Move]:
        """Return the attacks in the order of their texts."""
        return sorted([*map(Attack, self._prey(state)), Done()], key=str)

    def why_not(self, state: State, move: Move) -> str:
        """Return why an attack is forbidden; empty if it is legal."""
        if not isinstance(move, Attack) or move.seat in self._prey(state):
            return ""
        has_fought = (move.seat, state.pending.monster) in state.fought
        return (
            "the two have fought this turn already."
            if has_fought
            else "no such player is near enough."
        )

    def play(self, transition: Transition, move: Move) -> None:
        """Let the monster attack, or go on."""
        monster, mover = transition.state.pending.monster, transition.state.turn
        if isinstance(move, Attack):
            transition.emit(events.SENT, mover, monster=monster, target=move.seat)
            fight_monster(transition, Seat(move.seat), monster, events.BY_RAMPAGE)
        else:
            transition.emit(events.DONE, mover, phase=PhaseName.RAMPAGE)
            transition.ask(PhaseName.FIGHT)

    def settle(self, transition: Transition) -> bool:
        """Go on where nobody is left near the monster."""
        if self._prey(transition.state):
            return False
        transition.ask(PhaseName.FIGHT)
        return True

    def options(self, state: State, typed: str) -> Options:
        """Offer the players near the monster."""
        choices = [
            Choice(str(Attack(seat)), f"It attacks {name_of(seat)}", (events.player_mark(seat),))
            for seat in self._prey(state)
        ]
        choices.append(Choice(str(Done()), "It rests"))
        prompt = f"Monster {state.pending.monster} has won. Whom does it attack next?"
        return choose(choices, typed, prompt)

    def _prey(self, state: State) -> list[Seat]:
        """Return the players whom the monster may attack, the mover first."""
        monster: int = state.pending.monster
        den = state.monsters[monster - 1]
        near = (seat for seat in state.in_turn if state.at(seat) in (den, *state.near(den)))
        return [seat for seat in near if (seat, monster) not in state.fought]
