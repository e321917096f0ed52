"""What holds in every position that a match can come to."""

from collections.abc import Iterator
from itertools import islice

from games.kernel.contract import Ranks
from games.kernel.errors import BrokenPosition
from games.titles.dice_is_health import legality, ranking, reach
from games.titles.dice_is_health.events import name_of
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    MONSTERS,
    MOST_DICE,
    MOST_MONSTERS,
    MOST_TRINKETS,
    MOVE,
    OVER,
    PLAYERS,
    RAMPAGE,
    SPEND,
    WALLS,
    Parting,
    Rampage,
    State,
    Stripping,
)
from games.titles.dice_is_health.spaces import DIE_SPACES, WALL_SPACES, home

TWO = 2


def check(state: State) -> None:
    """Check a position.

    :raises BrokenPosition: no match can have come to it.
    """
    _check_seats(state)
    _check_walls(state)
    _check_dice(state)
    if not 1 <= len(state.monsters) <= MOST_MONSTERS:
        raise BrokenPosition(f"There are 1 to {MOST_MONSTERS} monsters.")
    if state.rounds and state.round > state.rounds:
        raise BrokenPosition(f"Round {state.round} of {state.rounds} is never played.")
    if (state.phase == OVER) != (state.ranks is not None):
        raise BrokenPosition("A match has a result when it is over, and only then.")
    if (state.phase == MOVE) != (state.roll is not None):
        raise BrokenPosition("There is a roll before the movement, and only then.")
    if state.ranks is None:
        _check_running(state)
    elif state.fought or state.ranks not in _possible_ranks(state):
        raise BrokenPosition(f"The match cannot have ended with {list(state.ranks)} here.")


# --- What lies and stands on the board ----------------------------------------------------------


def _check_seats(state: State) -> None:
    out = [seat for seat in state.seats if state.players[seat].at is None]
    if sorted(state.dropped) != out or (out and len(state.seats) == TWO):
        raise BrokenPosition("dropped are the seats that are not in, each once.")
    if not state.still_in:
        raise BrokenPosition("The last seat that is in never drops out.")
    for seat, player in enumerate(state.players):
        if player.home != home(seat, len(state.seats)):
            raise BrokenPosition(f"{player.home} is not the home of {name_of(seat)}.")
        if player.at is None and (player.dice or player.trinkets):
            raise BrokenPosition(f"{name_of(seat)} has dropped out and has nothing left.")


def _check_walls(state: State) -> None:
    for space, owner in state.walls.items():
        if space not in WALL_SPACES:
            raise BrokenPosition(f"{space} is not marked for walls.")
        if owner not in state.still_in:
            raise BrokenPosition(f"{name_of(owner)} has dropped out, and its walls are gone.")
        if space in state.monsters:
            raise BrokenPosition(f"No monster stands on a wall, as on {space}.")
    for seat in state.still_in:
        if state.is_closed(state.at(seat), seat):
            raise BrokenPosition(f"{name_of(seat)} stands on somebody else's wall.")


def _check_dice(state: State) -> None:
    if not state.pickups <= set(DIE_SPACES):
        raise BrokenPosition("Dice lie on outer spaces that are not marked for walls.")
    most = len(DIE_SPACES)
    least = most - MOST_DICE * len(state.dropped)
    count = len(state.pickups) + sum(player.dice for player in state.players)
    if not least <= count <= most:
        raise BrokenPosition(f"There are {count} dice; {most} are held or lie on the board.")
    if sum(player.trinkets for player in state.players) > MOST_TRINKETS:
        raise BrokenPosition(f"At most {MOST_TRINKETS} trinkets circulate.")


# --- The turn -----------------------------------------------------------------------------------


def _check_running(state: State) -> None:
    """Check that a running match waits for what it says."""
    if len(state.still_in) < TWO:
        raise BrokenPosition("A match runs as long as two seats are in, and no longer.")
    if state.turn not in state.still_in:
        raise BrokenPosition(f"It cannot be the turn of {name_of(state.turn)}, who is out.")
    if ranking.winner(state) is not None:
        raise BrokenPosition("Somebody has won already.")
    _check_fought(state)
    _check_pending(state)
    if state.phase == SPEND and not state.mover.dice:
        raise BrokenPosition("Without dice there is nothing to spend.")
    if state.phase != MOVE and len(list(islice(legality.moves(state), TWO))) < TWO:
        raise BrokenPosition("A question with fewer than two answers is never asked.")
    is_forced = {FIGHT: reach.forced_fight, CHALLENGE: reach.forced_duel}.get(state.phase)
    if is_forced and is_forced(state) is not None:
        raise BrokenPosition("Two who share a space fight before anything else is asked.")


def _check_fought(state: State) -> None:
    part = _part(state)
    if not part and state.fought:
        raise BrokenPosition(f"Nobody has fought before the phase {state.phase}.")
    for one, other in state.fought:
        if part == MONSTERS:
            is_possible = one in state.seats and 1 <= other <= len(state.monsters)
        else:
            is_possible = one == state.turn and other in state.seats and other != one
        if not is_possible:
            raise BrokenPosition(f"{one} and {other} cannot have fought in this part of the turn.")


def _part(state: State) -> str:
    """Return the part of the turn in which a position lies; nothing before the fights."""
    if isinstance(state.pending, Parting):
        return state.pending.part
    if state.phase in (MOVE, SPEND, WALLS):
        return ""
    return MONSTERS if state.phase in (FIGHT, RAMPAGE) else PLAYERS


def _check_pending(state: State) -> None:
    pending = state.pending
    if isinstance(pending, Parting):
        _check_parting(state, pending)
    elif isinstance(pending, Rampage):
        if pending.monster > len(state.monsters):
            raise BrokenPosition(f"There is no monster {pending.monster}.")
    elif isinstance(pending, Stripping):
        _check_stripping(state, pending)


def _check_parting(state: State, parting: Parting) -> None:
    if not {parting.chooser, parting.piece} <= set(state.still_in):
        raise BrokenPosition("Who steps away, and who says where to, are in.")
    if parting.monster is not None and parting.monster > len(state.monsters):
        raise BrokenPosition(f"There is no monster {parting.monster}.")
    if parting.part == MONSTERS:
        is_possible = parting.chooser == parting.piece
    else:
        is_crowded = reach.crowds_a_rival(state)
        is_possible = parting.piece == state.turn and parting.monster is None and is_crowded
    if not is_possible:
        raise BrokenPosition("Nobody steps away after such a fight.")


def _check_stripping(state: State, stripping: Stripping) -> None:
    both = {stripping.winner, stripping.loser}
    if state.turn not in both or len(both) < TWO or not both <= set(state.still_in):
        raise BrokenPosition("Walls are lost in a fight of the mover and another player.")


# --- The end ------------------------------------------------------------------------------------


def _possible_ranks(state: State) -> Iterator[Ranks]:
    """Yield the results with which a match can have ended in a position."""
    winner = ranking.winner(state)
    if winner is not None:
        yield ranking.ranks(state, (winner,))
        return
    yield ranking.ranks(state, state.still_in)
    if len(state.seats) == TWO:
        yield from ((1, 2), (2, 1))
