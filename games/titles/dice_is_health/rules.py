"""The rules of Dice Is Health, Strength, and Money."""

from collections.abc import Iterable, Mapping
from itertools import islice

from games.kernel.contract import Event, Params, Seat
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import BrokenPosition, IllegalMove
from games.kernel.options import Options
from games.kernel.preconditions import check_drop, check_mover, check_running
from games.kernel.ranking import WON_BY
from games.titles.dice_is_health import entry, events
from games.titles.dice_is_health.meta import META
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.phases import Transition, TurnPhase
from games.titles.dice_is_health.phases.monsters import Fighting, Rampaging, Stepping
from games.titles.dice_is_health.phases.moving import Moving
from games.titles.dice_is_health.phases.players import Challenging, WallStripping
from games.titles.dice_is_health.phases.spending import Spending, WallBuilding
from games.titles.dice_is_health.state import (
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
)

_PHASES: tuple[TurnPhase, ...] = (
    *(Moving(), Spending(), WallBuilding(), Fighting(), Stepping(), Rampaging(), Challenging()),
    WallStripping(),
)
PHASES: Mapping[str, TurnPhase] = {phase.name: phase for phase in _PHASES}
"""The phases of a turn by name; none goes on when the match is over."""


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the first position: the fan, the monster, then the first movement are rolled."""
    fan = dice.roll(SECTORS) - 1
    start = OUTER[dice.roll(RING) - 1]
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


def moves(state: State, seat: Seat) -> Iterable[Move]:
    """Return the moves in the order of their texts; movements lazily, for they are many."""
    is_asked = seat == state.mover and not state.ranks
    return PHASES[state.phase].moves(state) if is_asked else ()


def play(state: State, seat: Seat, move: Move, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Make a move, and whatever follows from it.

    :raises RulesError: the seat may not do that, or not now.
    """
    check_mover(move, seat, mover=state.mover, ranks=state.ranks, meta=META)
    phase = PHASES[state.phase]
    if reason := phase.refusal(state, move):
        raise IllegalMove(f"Not {move}: {reason}")
    transition = Transition(state, dice)
    phase.play(transition, move)
    _settle(transition)
    return transition.outcome


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how a text may continue to a legal move.

    :raises MalformedMove: no legal move begins with it.
    """
    is_asked = seat == state.mover and not state.ranks
    found = PHASES[state.phase].options(state, typed) if is_asked else entry.NOTHING
    return entry.checked(found, typed)


def drop(state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Take a seat out of the match with all that it has; of two the other one wins.

    :raises RulesError: the match is over, or the seat has dropped out already.
    """
    check_drop(seat, dropped=state.dropped, ranks=state.ranks, meta=META)
    transition = Transition(state, dice)
    if len(state.players) == TWO:
        transition.end("dropped", WON_BY[1 - seat])
    else:
        _drop_out(transition, seat)
    return transition.outcome


def close(state: State) -> tuple[State, tuple[Event, ...]]:
    """End the match here as a draw between all who are still in.

    :raises MatchOver: it has ended already.
    """
    check_running(state.ranks)
    transition = Transition(state, no_dice())
    transition.end("closed", state.ranking(state.still_in))
    return transition.outcome


def validate(state: State) -> None:
    """Check that a match can have come to a position.

    :raises BrokenPosition: none can.
    """
    fault = next(faults(state), "")
    if not fault and state.ranks is None:
        fault = next(PHASES[state.phase].faults(state), "") or _fault_of_question(state)
    if fault:
        raise BrokenPosition(fault)


def _settle(transition: Transition) -> None:
    """Go on until somebody has something to choose, or the match has ended."""
    while not transition.is_over and PHASES[transition.state.phase].settle(transition):
        pass


def _drop_out(transition: Transition, seat: Seat) -> None:
    """Take a seat off the board with all that it has, void its decision, and go on behind it."""
    state = transition.state
    player = transition.state.players[seat]
    walls = state.walls_of(seat)
    data = {"at": player.at, "dice": player.dice, "trinkets": player.trinkets}
    transition.emit(events.LEFT, seat, **data, walls=list(walls))
    transition.change_player(seat, at=None, dice=0, trinkets=0, is_in=False)
    transition.change(walls=state.walls_with(walls, None), dropped=(*state.dropped, seat))
    still_in = transition.state.still_in
    if len(still_in) == 1:
        transition.end("dropped", transition.state.ranking(still_in))
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
