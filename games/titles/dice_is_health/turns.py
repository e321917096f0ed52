"""What follows a decision: whatever has one answer is done at once, until somebody is asked.

Each phase has a function that goes on from it where nobody has anything to choose, and says
whether it did.
"""

from collections.abc import Callable, Mapping
from typing import cast

from games.kernel.contract import TURN_ENDED, Seat
from games.titles.dice_is_health import fights, ranking, reach
from games.titles.dice_is_health.course import Course
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

DICE = 3


def settle(course: Course) -> None:
    """Go on until somebody has something to choose, or the match has ended."""
    while not course.is_over and _GO_ON[course.state.phase](course):
        pass


def begin_turn(course: Course, seat: Seat) -> None:
    """Give the turn to a seat, and roll for its movement."""
    low, median, high = sorted(course.roll(DICE))
    course.ask(MOVE)
    course.change(turn=seat, roll=(low, median, high), fought=frozenset())
    course.tell(ROLLED, seat, dice=[low, median, high])


def end_turn(course: Course) -> None:
    """Pass the turn on to the next seat that is in; the last round ends the match."""
    state = course.state
    course.tell(TURN_ENDED, state.turn)
    following = min(state.still_in, key=lambda seat: (seat <= state.turn, seat))
    number = state.round + (following <= state.turn)
    if 0 < state.rounds < number:
        course.end(ROUNDS_UP, ranking.ranks(state, state.still_in))
    else:
        course.change(round=number)
        begin_turn(course, following)


def _wait(_course: Course) -> bool:
    """A movement is always somebody's to make."""
    return False


def _spend(course: Course) -> bool:
    """Without dice there is nothing to spend."""
    if course.state.mover.dice:
        return False
    course.ask(FIGHT)
    return True


def _build(course: Course) -> bool:
    """Without a site no wall is put up."""
    if reach.sites(course.state):
        return False
    course.ask(SPEND)
    return True


def _fight(course: Course) -> bool:
    """Whoever stands on a monster's space fights; without any beside the part is over."""
    forced = reach.forced_fight(course.state)
    if forced:
        fights.meet_monster(course, *forced, BY_SPACE)
    elif reach.monsters_beside(course.state):
        return False
    else:
        meet_players(course)
    return True


def meet_players(course: Course) -> None:
    """Leave the monsters, and go on to the other players."""
    course.ask(CHALLENGE)
    course.change(fought=frozenset())


def _part(course: Course) -> bool:
    """Whoever has one way steps there, who has none stays."""
    parting = cast(Parting, course.state.pending)
    exits = reach.exits(course.state, parting.piece)
    if parting.part == PLAYERS and not reach.crowds_a_rival(course.state):
        fights.after_parting(course, parting)
    elif len(exits) > 1:
        return False
    elif exits:
        fights.step_away(course, parting, exits[0])
    else:
        fights.stay(course, parting)
    return True


def _rampage(course: Course) -> bool:
    """A monster near whom nobody is left rests."""
    monster = cast(Rampage, course.state.pending).monster
    if reach.prey(course.state, monster):
        return False
    course.ask(FIGHT)
    return True


def _challenge(course: Course) -> bool:
    """Whoever shares the mover's space fights; without anybody beside the turn is over."""
    rival = reach.forced_duel(course.state)
    if rival is not None:
        fights.meet_player(course, rival, BY_SPACE)
    elif reach.rivals_beside(course.state):
        return False
    else:
        end_turn(course)
    return True


def _strip(course: Course) -> bool:
    """Where no more walls are left than may be taken, all are."""
    stripping = cast(Stripping, course.state.pending)
    walls = course.state.walls_of(stripping.loser)
    if stripping.count < len(walls):
        return False
    fights.strip(course, stripping, walls)
    return True


_GO_ON: Mapping[str, Callable[[Course], bool]] = {
    MOVE: _wait,
    SPEND: _spend,
    WALLS: _build,
    FIGHT: _fight,
    GO: _part,
    RAMPAGE: _rampage,
    CHALLENGE: _challenge,
    STRIP: _strip,
}
