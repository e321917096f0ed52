"""Paying with dice: for walls, which are then built, or for a monster."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import chain, combinations

from games.kernel.dice import no_dice
from games.kernel.entry import Word, Words
from games.kernel.formatting import listed
from games.kernel.language import gettext, gettext_noop, ngettext
from games.kernel.phase import Step
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import SPACES, WALL_SPACES, Space, spoken
from games.titles.dice_is_health.entry import describe_space, space_words
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.moves import Done, Move, Summon, Wall, Walls
from games.titles.dice_is_health.phases import DeclineStep, TurnPhase
from games.titles.dice_is_health.phases.players import forced_fights
from games.titles.dice_is_health.state import MAX_MONSTERS, Building, PhaseName, State
from games.titles.dice_is_health.transition import Transition

SUMMONS = {space: Summon(space) for space in sorted(SPACES)}
"""All summons in the order of their texts."""


class WallStep(Step[State, Transition]):
    """A die paid for walls."""

    kind = Wall

    def moves(self, state: State) -> Iterable[Wall]:
        return (Wall(),)

    def play(self, transition: Transition, move: Wall) -> None:
        """Pay the die, and roll for the number of walls."""
        seat = transition.state.turn
        transition.give_up_die(seat, events.WALL)
        (count,) = transition.roll()
        transition.emit(events.MayBuild(seat, count))
        transition.ask(PhaseName.WALLS, Building(count))

    def words(self, state: State) -> Words:
        yield Word(str(Wall()), gettext("On walls"), show=partial(self._paid, state))

    def _paid(self, state: State) -> State:
        """Return the position with the die back on the board, before the number of walls."""
        transition = Transition(state, no_dice())
        transition.give_up_die(state.turn, events.WALL)
        return transition.state


class SummonStep(Step[State, Transition]):
    """A die paid for a new monster."""

    kind = Summon

    def free(self, state: State) -> tuple[Space, ...]:
        """Return where a monster may be summoned. Empty once there are enough."""
        if len(state.monsters) == MAX_MONSTERS:
            return ()
        taken = {*state.walls, *(player.at for player in state.players)}
        return tuple(space for space in SPACES if space not in taken)

    def moves(self, state: State) -> Iterator[Summon]:
        free = set(self.free(state))
        return (summon for space, summon in SUMMONS.items() if space in free)

    def refusal(self, state: State, move: Summon) -> str:
        if move.space in self.free(state):
            return ""
        if len(state.monsters) == MAX_MONSTERS:
            message = gettext("there are {count} monsters already, which is the maximum.")
            return message.format(count=MAX_MONSTERS)
        wall, player = (
            gettext("there is a wall on {space}."),
            gettext("a player stands on {space}."),
        )
        message = wall if move.space in state.walls else player
        return message.format(space=spoken(move.space))

    def play(self, transition: Transition, move: Summon) -> None:
        seat = transition.state.turn
        monsters = transition.state.monsters
        transition.give_up_die(seat, events.SUMMON)
        transition.change(monsters=(*monsters, move.space))
        transition.emit(events.Summoned(seat, len(monsters) + 1, move.space))

    def words(self, state: State) -> Words:
        if self.free(state):
            spaces = partial(self._spaces, state)
            prompt = gettext("Choose a space for the new monster.")
            yield Word(f"{events.SUMMON} ", gettext("On a monster"), (), spaces, prompt)

    def _spaces(self, state: State, _typed: str) -> Words:
        for space in self.free(state):
            shown = partial(self._summoned, state, space)
            yield Word(space, describe_space(state, space), (space,), show=shown)

    def _summoned(self, state: State, space: Space) -> State:
        """Return the position with the monster, and with the die paid for it on the board."""
        transition = Transition(state, no_dice())
        self.play(transition, SUMMONS[space])
        return transition.state


class Spending(TurnPhase):
    """The mover may pay with dice, one after the other."""

    name = PhaseName.SPEND
    asks = gettext_noop("now you can only spend dice, or go on.")

    def __init__(self) -> None:
        self.summoning = SummonStep()
        decline = DeclineStep(self.name, gettext_noop("Spend nothing"), self.leave)
        self.steps = (WallStep(), self.summoning, decline)

    def moves(self, state: State) -> Iterator[Move]:
        yield Done()
        yield from self.summoning.moves(state)
        yield Wall()

    def prompt(self, state: State) -> str:
        """Return the question for a payment, and the fights in which the dice are useful, too."""
        dice = state.player.dice
        here = state.at(state.turn)
        foes = [events.monster_of(n) for n, at in enumerate(state.monsters, 1) if at == here]
        foes += [name_of(seat) for seat in forced_fights(state)]
        asks = ngettext("Spend your die?", "Spend one of your {count} dice?", dice)
        question = asks.format(count=dice)
        if not foes:
            return question
        # Translators: {foes} is a list such as "monster 2 and Red".
        fight = gettext("You fight {foes} next.").format(foes=listed(foes))
        return f"{question} {fight}"

    def settle(self, transition: Transition) -> bool:
        """Continue without dice: there is nothing to spend."""
        if transition.state.player.dice:
            return False
        self.leave(transition)
        return True

    def leave(self, transition: Transition) -> None:
        """Go on to the fights."""
        transition.ask(PhaseName.FIGHT)


class WallsStep(Step[State, Transition]):
    """Walls that are built, or taken over from others."""

    kind = Walls

    def sites(self, state: State) -> tuple[Space, ...]:
        """Return where the mover may build a wall, or take one over."""
        taken = {*state.monsters, *(state.at(seat) for seat in state.in_turn[1:])}
        free = (space for space in WALL_SPACES if space not in taken)
        return tuple(space for space in free if state.walls.get(space) != state.turn)

    def moves(self, state: State) -> Sequence[Move]:
        return _choices_of_walls(self.sites(state), state.pending.count)

    def refusal(self, state: State, move: Walls) -> str:
        if len(move.spaces) > state.pending.count:
            message = gettext("you rolled {count}: no more walls than that.")
            return message.format(count=state.pending.count)
        sites = self.sites(state)
        for space in move.spaces:
            if space not in WALL_SPACES:
                return gettext("{space} is not marked for walls.").format(space=spoken(space))
            if state.walls.get(space) == state.turn:
                return gettext("the wall on {space} is yours already.").format(space=spoken(space))
            if space not in sites:
                return gettext("another player stands on {space}.").format(space=spoken(space))
        return ""

    def play(self, transition: Transition, move: Walls) -> None:
        walls = transition.state.walls
        seat = transition.state.turn
        taken = {space: walls[space] for space in move.spaces if space in walls}
        transition.change(walls=transition.state.walls_with(move.spaces, seat))
        transition.emit(events.Built(seat, move.spaces, taken))
        transition.ask(PhaseName.SPEND)

    def words(self, state: State) -> Words:
        yield Word(str(Walls(())), gettext("No walls"))
        sites = self.sites(state)
        yield from space_words(state, PhaseName.WALLS, sites, state.pending.count, state.turn)


@cache
def _choices_of_walls(sites: tuple[Space, ...], most: int) -> Sequence[Move]:
    """Return all choices of up to ``most`` sites. There are few sets of sites."""
    chosen = chain.from_iterable(combinations(sites, count) for count in range(most + 1))
    return sorted(map(Walls, chosen), key=str)


class WallBuilding(TurnPhase):
    """The mover builds the walls that were paid for."""

    name = PhaseName.WALLS
    asks = gettext_noop("first choose where your walls go.")

    def __init__(self) -> None:
        self.walls = WallsStep()
        self.steps = (self.walls,)

    def moves(self, state: State) -> Sequence[Move]:
        return self.walls.moves(state)

    def prompt(self, state: State) -> str:
        most = state.pending.count
        message = ngettext(
            "Choose a space for a wall.", "Choose up to {count} spaces for walls.", most
        )
        return message.format(count=most)

    def leave(self, transition: Transition) -> None:
        """Continue if there is no site for a wall."""
        transition.ask(PhaseName.SPEND)
