"""Paying with dice: for walls, which are then put up, or for a monster."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain, combinations

from games.kernel.completion import folded
from games.kernel.formatting import counted
from games.kernel.options import Choice, Options
from games.titles.dice_is_health import events
from games.titles.dice_is_health.entry import choose, choose_spaces, describe_space
from games.titles.dice_is_health.moves import Done, Move, Summon, Wall, Walls
from games.titles.dice_is_health.phases import Transition, TurnPhase
from games.titles.dice_is_health.state import (
    MOST_MONSTERS,
    SPACES,
    WALL_SPACES,
    Building,
    PhaseName,
    Space,
    State,
)

SUMMONS = {space: Summon(space) for space in sorted(SPACES)}
"""All summons in the order of their texts."""


class Spending(TurnPhase):
    """The mover may pay with dice, one after the other."""

    name = PhaseName.SPEND
    moves_of = (Wall, Summon, Done)
    asks = "now dice may be spent on walls or a monster, or it is done."

    def moves(self, state: State) -> Iterator[Move]:
        """Return the payments in the order of their texts."""
        free = self._free(state)
        yield Done()
        yield from (summon for space, summon in SUMMONS.items() if space in free)
        yield Wall()

    def why_not(self, state: State, move: Move) -> str:
        """Return why a payment is forbidden; empty if it is legal."""
        if not isinstance(move, Summon) or move.space in self._free(state):
            return ""
        if len(state.monsters) == MOST_MONSTERS:
            return f"there are {MOST_MONSTERS} monsters already, and never more."
        what = "there is a wall" if move.space in state.walls else "a player stands"
        return f"{what} on {move.space}."

    def play(self, transition: Transition, move: Move) -> None:
        """Give the die away, and roll for the number of walls or place the monster."""
        seat = transition.state.turn
        monsters = transition.state.monsters
        if isinstance(move, Done):
            transition.emit(events.DONE, seat, phase=str(self.name))
            transition.ask(PhaseName.FIGHT)
        elif isinstance(move, Summon):
            transition.give_up_die(seat, events.PAID, what=events.SUMMON)
            transition.change(monsters=(*monsters, move.space))
            transition.emit(events.SUMMONED, seat, monster=len(monsters) + 1, at=move.space)
        else:
            transition.give_up_die(seat, events.PAID, what=events.WALL)
            (count,) = transition.roll()
            transition.emit(events.MAY_BUILD, seat, roll=count)
            transition.ask(PhaseName.WALLS, Building(count))

    def settle(self, transition: Transition) -> bool:
        """Go on without dice: there is nothing to spend."""
        if transition.state.player.dice:
            return False
        transition.ask(PhaseName.FIGHT)
        return True

    def options(self, state: State, typed: str) -> Options:
        """Offer the payments, and spaces for a new monster."""
        free = self._free(state)
        if folded(typed).startswith(events.SUMMON):
            choices = [
                Choice(str(Summon(space)), describe_space(state, space), (space,)) for space in free
            ]
            return choose(choices, typed, "Where does the new monster appear?")
        summon = [Choice(f"{events.SUMMON} ", "Give a die for a new monster")] if free else []
        choices = [
            Choice(str(Wall()), "Give a die, and roll for how many walls you may set"),
            *summon,
            Choice(str(Done()), "Spend no more, and go on"),
        ]
        held = f"{events.dice(1)} of {state.player.dice}"
        return choose(choices, typed, f"Give {held} for walls or a monster, or go on?")

    def faults(self, state: State) -> Iterator[str]:
        """Yield what no match can have come to in this phase."""
        yield from super().faults(state)
        if not state.player.dice:
            yield "Without dice there is nothing to spend."

    def _free(self, state: State) -> tuple[Space, ...]:
        """Return where a monster may be summoned; nowhere once there are enough."""
        if len(state.monsters) == MOST_MONSTERS:
            return ()
        taken = {*state.walls, *(player.at for player in state.players)}
        return tuple(space for space in SPACES if space not in taken)


class WallBuilding(TurnPhase):
    """The mover puts up the walls that were paid for."""

    name = PhaseName.WALLS
    moves_of = (Walls,)
    asks = "first say where the walls go that you have rolled for."

    def moves(self, state: State) -> Sequence[Move]:
        """Return all choices of sites in the order of their texts."""
        return _choices_of_walls(self._sites(state), state.pending.count)

    def why_not(self, state: State, move: Walls) -> str:
        """Return why walls may not go there; empty if they may."""
        if len(move.spaces) > state.pending.count:
            return f"you have rolled {state.pending.count}: no more walls than that."
        sites = self._sites(state)
        for space in move.spaces:
            if space not in WALL_SPACES:
                return f"{space} is not marked for walls."
            if state.walls.get(space) == state.turn:
                return f"the wall on {space} is yours already."
            if space not in sites:
                return f"somebody else stands on {space}."
        return ""

    def play(self, transition: Transition, move: Walls) -> None:
        """Put up walls, or take over those of others."""
        walls = transition.state.walls
        seat = transition.state.turn
        taken = {space: walls[space] for space in move.spaces if space in walls}
        transition.change(walls=transition.state.walls_with(move.spaces, seat))
        transition.emit(events.BUILT, seat, spaces=list(move.spaces), taken=taken)
        transition.ask(PhaseName.SPEND)

    def settle(self, transition: Transition) -> bool:
        """Go on where there is no site for a wall."""
        if self._sites(transition.state):
            return False
        transition.ask(PhaseName.SPEND)
        return True

    def options(self, state: State, typed: str) -> Options:
        """Offer the sites one by one, in any order."""
        most = state.pending.count
        sites = self._sites(state)
        prompt = f"You rolled {most}: put up {counted(most, 'wall')} at most. Where?"
        enough = range(most + 1)
        return choose_spaces(
            state, typed, prompt, PhaseName.WALLS, spaces=sites, enough=enough, owner=state.turn
        )

    def _sites(self, state: State) -> tuple[Space, ...]:
        """Return where the mover may put up a wall, or take one over."""
        taken = {*state.monsters, *(state.at(seat) for seat in state.in_turn[1:])}
        free = (space for space in WALL_SPACES if space not in taken)
        return tuple(space for space in free if state.walls.get(space) != state.turn)


@cache
def _choices_of_walls(sites: tuple[Space, ...], most: int) -> Sequence[Move]:
    """Return all choices of up to so many of the sites; there are few sets of sites."""
    chosen = chain.from_iterable(combinations(sites, count) for count in range(most + 1))
    return sorted(map(Walls, chosen), key=str)
