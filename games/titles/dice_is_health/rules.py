"""The rules of Dice Is Health, Strength, and Money."""

from collections.abc import Iterable, Mapping
from itertools import islice

from games.kernel.contract import Event, Params, Position, Ranks, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import BrokenPosition, IllegalMove
from games.kernel.preconditions import check_drop, check_mover, check_running
from games.kernel.ranking import WON_BY
from games.kernel.views import Json
from games.titles.dice_is_health import events
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.phases import Transition, TurnPhase
from games.titles.dice_is_health.phases.monsters import Fighting, Rampaging, Stepping
from games.titles.dice_is_health.phases.moving import Moving
from games.titles.dice_is_health.phases.players import Challenging, WallStripping
from games.titles.dice_is_health.phases.spending import Spending, WallBuilding
from games.titles.dice_is_health.position import (
    DIE_SPACES,
    OUTER,
    RING,
    SECTORS,
    TWO,
    PhaseName,
    Player,
    State,
    faults,
    home,
    load,
)

_PHASES: tuple[TurnPhase, ...] = (
    *(Moving(), Spending(), WallBuilding(), Fighting(), Stepping(), Rampaging(), Challenging()),
    WallStripping(),
)
PHASES: Mapping[str, TurnPhase] = {phase.name: phase for phase in _PHASES}
"""The phases of a turn by name; none goes on when the match is over."""


class DiceIsHealthRules:
    """What may be done in a position, and what comes of it."""

    def setup(self, seats: int, params: Params, dice: Dice) -> State:
        """Return the first position: the fan, the monster, then the first movement are rolled."""
        fan, start = dice.roll(SECTORS) - 1, OUTER[dice.roll(RING) - 1]
        homes = [home(seat, seats) for seat in range(seats)]
        state = State(
            rounds=params["rounds"],
            round=1,
            fan=fan,
            players=tuple(Player(at, at, dice=0, trinkets=0) for at in homes),
            dropped=(),
            monsters=(start,),
            pickups=DIE_SPACES,
            walls={},
            turn=Seat(0),
            phase=PhaseName.MOVE,
            fought=(),
        )
        transition = Transition(state, dice)
        transition.begin_turn(Seat(0))
        return transition.state

    def actors(self, state: State) -> tuple[Seat, ...]:
        """Return whose turn it is, or who has something to choose; nobody after the end."""
        return () if state.result else (state.actor,)

    def moves(self, state: State, seat: Seat) -> Iterable[Move]:
        """Return the moves in the order of their texts; movements lazily, for they are many."""
        return PHASES[state.phase].moves(state) if seat in self.actors(state) else ()

    def play(
        self, state: State, seat: Seat, move: Move, dice: Dice
    ) -> tuple[State, tuple[Event, ...]]:
        """Make a move, and whatever follows from it.

        :raises RulesError: the seat may not do that, or not now.
        """
        check_mover(move, seat, mover=state.actor, ranks=state.result, meta=META)
        phase = PHASES[state.phase]
        if reason := phase.refusal(state, move):
            raise IllegalMove(f"Not {move}: {reason}")
        transition = Transition(state, dice)
        phase.play(transition, move)
        _settle(transition)
        return transition.outcome

    def drop(self, state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
        """Take a seat out of the match with all that it has; of two the other one wins.

        :raises RulesError: the match is over, or the seat has dropped out already.
        """
        check_drop(seat, dropped=state.dropped, ranks=state.result, meta=META)
        transition = Transition(state, dice)
        if len(state.players) == TWO:
            transition.end("dropped", WON_BY[1 - seat])
        else:
            _drop_out(transition, seat)
        return transition.outcome

    def close(self, state: State) -> tuple[State, tuple[Event, ...]]:
        """End the match here as a draw between all who are still in.

        :raises MatchOver: it has ended already.
        """
        check_running(state.result)
        transition = Transition(state, no_dice())
        transition.end("closed", state.ranks(state.still_in))
        return transition.outcome

    def result(self, state: State) -> Ranks | None:
        """Return the ranks by seat, or ``None`` while the match runs."""
        return state.result

    def view(self, state: State, viewer: Seat | None) -> State:
        """Return the position: nothing is hidden from anybody."""
        return state

    def dump(self, state: State) -> Position:
        """Return the whole position as JSON."""
        return state.dump()

    def load(self, data: Json, seats: int, params: Params) -> State:
        """Return the position that JSON describes.

        :raises BrokenPosition: it has not the shape of a position of these seats and parameters.
        """
        return load(data, seats, params)

    def validate(self, state: State) -> None:
        """Check that a match can have come to a position.

        :raises BrokenPosition: none can.
        """
        fault = next(faults(state), "")
        if not fault and state.result is None:
            fault = next(PHASES[state.phase].faults(state), "") or _fault_of_question(state)
        if fault:
            raise BrokenPosition(fault)


def _settle(transition: Transition) -> None:
    """Go on until somebody has something to choose, or the match has ended."""
    while not transition.is_over and PHASES[transition.state.phase].settle(transition):
        pass


def _drop_out(transition: Transition, seat: Seat) -> None:
    """Take a seat off the board with all that it has, void its decision, and go on behind it."""
    state, player = transition.state, transition.state.players[seat]
    walls = state.walls_of(seat)
    data = {"at": player.at, "dice": player.dice, "trinkets": player.trinkets}
    transition.emit(events.LEFT, seat, **data, walls=list(walls))
    transition.change_player(seat, at=None, dice=0, trinkets=0, is_in=False)
    transition.change(walls=state.walls_with(walls, None), dropped=(*state.dropped, seat))
    still_in = transition.state.still_in
    if len(still_in) == 1:
        transition.end("dropped", transition.state.ranks(still_in))
    elif seat == state.turn:
        transition.end_turn()
    else:
        PHASES[state.phase].void(transition, seat)
        _settle(transition)


def _fault_of_question(state: State) -> str:
    if (
        state.phase != PhaseName.MOVE
        and len([*islice(PHASES[state.phase].moves(state), TWO)]) < TWO
    ):
        return "A question with fewer than two answers is never asked."
    return ""
