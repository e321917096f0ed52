"""What follows a decision: whatever has one answer is done at once, until somebody is asked.

Each phase has a function that goes on from it where nobody has anything to choose, and says
whether it did.
"""

from collections.abc import Callable, Mapping
from typing import cast

from games.kernel.contract import TURN_ENDED, Seat
from games.titles.dice_is_health import fights, ranking, reach
from games.titles.dice_is_health.events import BY_SPACE, ROLLED
from games.titles.dice_is_health.meta import ROUNDS_UP
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MOVE,
    PLAYERS,
    RAMPAGE,
    SPEND,
    STRIP,
    WALLS,
    Parting,
    Rampage,
    Stripping,
)
from games.titles.dice_is_health.transition import Transition

DICE = 3


def settle(transition: Transition) -> None:
    """Go on until somebody has something to choose, or the match has ended."""
    while not transition.is_over and _GO_ON[transition.state.phase](transition):
        pass


def begin_turn(transition: Transition, seat: Seat) -> None:
    """Give the turn to a seat, and roll for its movement."""
    low, median, high = sorted(transition.roll(DICE))
    transition.ask(MOVE)
    transition.change(turn=seat, roll=(low, median, high), fought=frozenset())
    transition.emit(ROLLED, seat, dice=[low, median, high])


def end_turn(transition: Transition) -> None:
    """Pass the turn on to the next seat that is in; the last round ends the match."""
    state = transition.state
    transition.emit(TURN_ENDED, state.turn)
    following = min(state.still_in, key=lambda seat: (seat <= state.turn, seat))
    number = state.round + (following <= state.turn)
    if 0 < state.rounds < number:
        transition.end(ROUNDS_UP, ranking.ranks(state, state.still_in))
    else:
        transition.change(round=number)
        begin_turn(transition, following)


def _wait(_course: Transition) -> bool:
    """A movement is always somebody's to make."""
    return False


def _spend(transition: Transition) -> bool:
    """Without dice there is nothing to spend."""
    if transition.state.mover.dice:
        return False
    transition.ask(FIGHT)
    return True


def _build(transition: Transition) -> bool:
    """Without a site no wall is put up."""
    if reach.sites(transition.state):
        return False
    transition.ask(SPEND)
    return True


def _fight(transition: Transition) -> bool:
    """Whoever stands on a monster's space fights; without any beside the part is over."""
    forced = reach.forced_fight(transition.state)
    if forced:
        fights.meet_monster(transition, *forced, BY_SPACE)
    elif reach.monsters_beside(transition.state):
        return False
    else:
        meet_players(transition)
    return True


def meet_players(transition: Transition) -> None:
    """Leave the monsters, and go on to the other players."""
    transition.ask(CHALLENGE)
    transition.change(fought=frozenset())


def _part(transition: Transition) -> bool:
    """Whoever has one way steps there, who has none stays."""
    parting = cast(Parting, transition.state.pending)
    exits = reach.exits(transition.state, parting.piece)
    if parting.part == PLAYERS and not reach.crowds_a_rival(transition.state):
        fights.after_parting(transition, parting)
    elif len(exits) > 1:
        return False
    elif exits:
        fights.step_away(transition, parting, exits[0])
    else:
        fights.stay(transition, parting)
    return True


def _rampage(transition: Transition) -> bool:
    """A monster near whom nobody is left rests."""
    monster = cast(Rampage, transition.state.pending).monster
    if reach.prey(transition.state, monster):
        return False
    transition.ask(FIGHT)
    return True


def _challenge(transition: Transition) -> bool:
    """Whoever shares the mover's space fights; without anybody beside the turn is over."""
    rival = reach.forced_duel(transition.state)
    if rival is not None:
        fights.meet_player(transition, rival, BY_SPACE)
    elif reach.rivals_beside(transition.state):
        return False
    else:
        end_turn(transition)
    return True


def _strip(transition: Transition) -> bool:
    """Where no more walls are left than may be taken, all are."""
    stripping = cast(Stripping, transition.state.pending)
    walls = transition.state.walls_of(stripping.loser)
    if stripping.count < len(walls):
        return False
    fights.strip(transition, stripping, walls)
    return True


_GO_ON: Mapping[str, Callable[[Transition], bool]] = {
    MOVE: _wait,
    SPEND: _spend,
    WALLS: _build,
    FIGHT: _fight,
    GO: _part,
    RAMPAGE: _rampage,
    CHALLENGE: _challenge,
    STRIP: _strip,
}
