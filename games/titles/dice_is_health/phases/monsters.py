"""The part of a turn in which players and monsters fight, and the step away after any fight."""

from collections.abc import Iterator

from games.kernel.contract import Seat
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import describe_space
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Attack, Done, Fight, Go, Move
from games.titles.dice_is_health.phases import (
    HAVE_FOUGHT,
    MUST_FIGHT,
    OfferingPhase,
    Offers,
    Transition,
)
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
    at, there, dice = state.at(seat), state.monsters[monster - 1], state.players[seat].dice
    rounds = transition.fight({"monster": MONSTER_DICE, "player": dice})
    is_won = bool(rounds) and sum(rounds[-1]["player"]) > sum(rounds[-1]["monster"])
    data = {"monster": monster, "at": at, "from": there, "by": by}
    transition.emit(events.FOUGHT, seat, **data, rounds=rounds, won=is_won)
    transition.note_fought(seat, monster)
    if is_won and at == there:
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


class Fighting(OfferingPhase):
    """The mover may fight monsters, after all who share a monster's space have fought it."""

    name = PhaseName.FIGHT
    part = Part.MONSTERS
    moves_of = (Fight, Done)
    asks = "now you may fight an adjacent monster, or it is done."
    prompt = "Fight a monster beside you?"

    def offers(self, state: State) -> Offers:
        """Return the fights with monsters beside the mover, or being done."""
        near, fought = state.near(state.at(state.turn)), state.fought
        chances = f"it rolls three dice, you {events.dice(state.mover.dice)}"
        fights = {
            Fight(n): (f"Fight monster {n}: {chances}", (events.monster_mark(n),))
            for n, space in enumerate(state.monsters, 1)
            if space in near and (state.turn, n) not in fought
        }
        return {**fights, Done(): ("Fight no monster", ())}

    def reason(self, state: State, move: Fight) -> str:
        """Return why a fight is forbidden."""
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
            transition.emit(events.DONE, seat, phase=str(self.name))
            self.leave(transition)

    def leave(self, transition: Transition) -> None:
        """Go on to the other players; what was fought so far is forgotten."""
        transition.change(phase=PhaseName.CHALLENGE, fought=())

    def settle(self, transition: Transition) -> bool:
        """Let those fight who must; go on where no monster is beside the mover."""
        forced = next(self._forced(transition.state), None)
        if not forced:
            return super().settle(transition)
        fight_monster(transition, *forced, events.BY_SPACE)
        return True

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        if any(self._forced(state)):
            yield MUST_FIGHT

    def _forced(self, state: State) -> Iterator[tuple[Seat, int]]:
        """Yield the players and monsters who must fight, in order."""
        for seat in state.in_turn:
            for monster, space in enumerate(state.monsters, 1):
                if space == state.at(seat) and (seat, monster) not in state.fought:
                    yield seat, monster


class Stepping(OfferingPhase):
    """A piece steps away from a fight, to a space that one of the fighters chooses."""

    name = PhaseName.GO
    moves_of = (Go,)
    asks = "first a piece steps away from its fight."

    def offers(self, state: State) -> Offers:
        """Return the steps to free spaces."""
        exits = self._exits(state)
        return {Go(space): (describe_space(state, space), (space,)) for space in exits}

    def sentences(self, state: State) -> tuple[str, str]:
        """Return the prompt, and a template for what is said of a step."""
        who, is_own = name_of(state.pending.piece), state.pending.chooser == state.pending.piece
        where = "Where do you step" if is_own else f"Where does {who} step"
        steps = "You step" if is_own else f"{who} steps"
        return f"{where} after the fight?", f"{steps} to {{0.marks[0]}}."

    def reason(self, state: State, move: Go) -> str:
        """Return why a piece may not step to a space."""
        return f"free spaces next to the piece are {' or '.join(self._exits(state))}."

    def play(self, transition: Transition, move: Go) -> None:
        """Put the piece where it steps to; that may win the match."""
        parting: Parting = transition.state.pending
        data = {"from": transition.state.at(parting.piece), "to": move.space}
        transition.change_player(parting.piece, at=move.space)
        transition.emit(events.STEPPED, parting.piece, **data, chooser=parting.chooser)
        self._go_on(transition)
        transition.check_win()

    def settle(self, transition: Transition) -> bool:
        """Step where there is one exit, stay where there is none or nobody to part from."""
        parting: Parting = transition.state.pending
        if parting.part == Part.MONSTERS or _shares_with_fought(transition.state):
            return super().settle(transition)
        self._go_on(transition)
        return True

    def leave(self, transition: Transition) -> None:
        """Step to the one exit, or stay."""
        state, piece = transition.state, transition.state.pending.piece
        exits = self._exits(state)
        if exits:
            self.play(transition, Go(exits[0]))
        else:
            transition.emit(events.STAYED, piece, at=state.at(piece))
            self._go_on(transition)

    def void(self, transition: Transition, seat: Seat) -> None:
        """Let the piece stay where its chooser is gone."""
        if transition.state.pending.chooser == seat:
            self._go_on(transition)

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


class Rampaging(OfferingPhase):
    """The mover may send a monster that has won on at somebody near it."""

    name = PhaseName.RAMPAGE
    part = Part.MONSTERS
    moves_of = (Attack, Done)
    asks = "now the monster that has won may attack on, or it is done."
    prompt = "Monster {0.monster} has won. Whom does it attack next?"

    def offers(self, state: State) -> Offers:
        """Return the attacks at players near the monster, or being done."""
        monster: int = state.pending.monster
        here = state.monsters[monster - 1]
        attacks = {
            Attack(seat): (f"It attacks {name_of(seat)}", (events.player_mark(seat),))
            for seat in state.in_turn
            if state.at(seat) in (here, *state.near(here)) and (seat, monster) not in state.fought
        }
        return {**attacks, Done(): ("It rests", ())}

    def reason(self, state: State, move: Attack) -> str:
        """Return why an attack is forbidden."""
        if (move.seat, state.pending.monster) in state.fought:
            return "the two have fought this turn already."
        return "no such player is near enough."

    def play(self, transition: Transition, move: Move) -> None:
        """Let the monster attack, or go on."""
        monster, mover = transition.state.pending.monster, transition.state.turn
        if isinstance(move, Attack):
            transition.emit(events.SENT, mover, monster=monster, target=move.seat)
            fight_monster(transition, Seat(move.seat), monster, events.BY_RAMPAGE)
        else:
            transition.emit(events.DONE, mover, phase=str(self.name))
            self.leave(transition)

    def leave(self, transition: Transition) -> None:
        """Go on with the other fights."""
        transition.ask(PhaseName.FIGHT)
