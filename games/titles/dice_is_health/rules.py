"""The rules of Dice Is Health, Strength, and Money."""

from dataclasses import replace

from games.kernel.contract import Event, Params, Ranks, Seat, TurnEnded
from games.kernel.dice import Dice, no_dice
from games.kernel.errors import ChanceError
from games.kernel.language import gettext, gettext_noop
from games.kernel.options import Options
from games.kernel.phase import Phases
from games.titles.dice_is_health import events
from games.titles.dice_is_health.board import DIE_SPACES, OUTER, RING, SECTORS, home
from games.titles.dice_is_health.meta import META, name_of
from games.titles.dice_is_health.moves import Attack, Challenge, Fight, Move, parse
from games.titles.dice_is_health.phases import TurnPhase
from games.titles.dice_is_health.phases.monsters import Fighting, Rampaging, Stepping
from games.titles.dice_is_health.phases.moving import Moving
from games.titles.dice_is_health.phases.players import Challenging, WallStripping
from games.titles.dice_is_health.phases.spending import Spending, WallBuilding
from games.titles.dice_is_health.state import PhaseName, Player, State
from games.titles.dice_is_health.transition import Transition

PHASES = Phases(
    META,
    (
        Moving(),
        Spending(),
        WallBuilding(),
        Fighting(),
        Stepping(),
        Rampaging(),
        Challenging(),
        WallStripping(),
    ),
)
"""The phases of a turn, in order."""


NOT_NOW = {
    PhaseName.SPEND: gettext_noop("The movement is over: spend a die, or go on."),
    PhaseName.FIGHT: gettext_noop("Choose a monster beside you, or don’t fight."),
    PhaseName.RAMPAGE: gettext_noop("Choose a player next to the monster, or hold it back."),
    PhaseName.CHALLENGE: gettext_noop("Choose a player beside you, or don’t fight."),
}
"""By phase, why a mark without a move leads nowhere."""


def setup(seats: int, params: Params, dice: Dice) -> State:
    """Return the first state: the fan, the monster, then the first movement are rolled."""
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


def play(state: State, seat: Seat, move: Move, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Make a move, with everything that follows from it.

    :raises RulesError: the seat may not do that, or not now.
    """
    transition = Transition(state, dice)
    PHASES.play(transition, seat, move)
    return transition.outcome


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how a text may continue, and the known consequences of a whole move."""
    offered = PHASES.options(state, seat, typed)
    if not offered.complete:
        return offered
    return replace(offered, forecast=_forecast(state, seat, parse(typed), offered.forecast))


def _forecast(state: State, seat: Seat, move: Move, known: str) -> str:
    """Return what is ``known`` of a move, without the fights whose outcome its preview shows.

    If the only chance is in the next turn, say whose dice are rolled.
    """
    transition = Transition(state, no_dice())
    try:
        PHASES.play(transition, seat, move)
    except ChanceError:
        is_turn_over = any(isinstance(event, TurnEnded) for event in transition.outcome[1])
        next_seat = next((other for other in transition.state.in_turn if other != seat), seat)
        if known or not is_turn_over:
            return known
        message = gettext("Your turn ends, and {player} rolls.")
        return message.format(player=name_of(next_seat))
    fights = (events.Fought, events.Duelled)
    return "" if any(isinstance(event, fights) for event in transition.outcome[1]) else known


def fight_text(state: State, mark: str) -> str:
    """Return the fight or attack for a piece or its space. Empty for other marks."""
    if state.phase == PhaseName.FIGHT:
        for number, at in enumerate(state.monsters, 1):
            if mark in (events.monster_mark(number), at):
                return str(Fight(number))
    kinds = {PhaseName.RAMPAGE: Attack, PhaseName.CHALLENGE: Challenge}
    if kind := kinds.get(state.phase):
        for seat in state.still_in:
            if mark in (events.player_mark(seat), state.at(seat)):
                return str(kind(seat))
    return ""


def space_of(state: State, mark: str) -> str:
    """Return the space of a piece. A mark that isn't a piece is returned unchanged."""
    standing = {events.monster_mark(n): at for n, at in enumerate(state.monsters, 1)}
    standing |= {events.player_mark(seat): state.at(seat) for seat in state.still_in}
    return standing.get(mark, mark)


def leave(state: State, seat: Seat, dice: Dice) -> tuple[State, tuple[Event, ...]]:
    """Take a seat off the board with all that it has, void its decision, and go on after it."""
    transition = Transition(state, dice)
    player = state.players[seat]
    walls = state.walls_of(seat)
    transition.emit(events.Left(seat, player.at, player.dice, player.trinkets, walls))
    transition.change_player(seat, at=None, dice=0, trinkets=0, is_in=False)
    transition.change(walls=state.walls_with(walls, None), dropped=(*state.dropped, seat))
    still_in = transition.state.still_in
    if len(still_in) == 1:
        transition.end("dropped", transition.state.ranking(still_in))
    elif seat == state.turn:
        transition.end_turn()
    else:
        phase = PHASES[state.phase]
        if isinstance(phase, TurnPhase):
            phase.void(transition, seat)
        PHASES.settle(transition)
    return transition.outcome


def stop(state: State, ending: str, ranks: Ranks) -> tuple[State, tuple[Event, ...]]:
    """End the match with a result."""
    transition = Transition(state, no_dice())
    transition.end(ending, ranks)
    return transition.outcome
