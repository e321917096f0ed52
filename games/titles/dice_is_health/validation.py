"""Invariants of reachable positions, to check positions from outside."""

from collections.abc import Iterator
from itertools import islice

from games.kernel.decoding import check_faults
from games.kernel.language import gettext
from games.kernel.ranking import WON_BY
from games.titles.dice_is_health.board import DIE_SPACES, ORDER, WALL_SPACES, home
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.phases import monsters, players
from games.titles.dice_is_health.rules import PHASES
from games.titles.dice_is_health.state import (
    DUEL,
    MAX_DICE,
    MAX_MONSTERS,
    MAX_TRINKETS,
    FightPart,
    PhaseName,
    State,
)

PARTS = {
    PhaseName.FIGHT: FightPart.MONSTERS,
    PhaseName.RAMPAGE: FightPart.MONSTERS,
    PhaseName.CHALLENGE: FightPart.PLAYERS,
    PhaseName.STRIP: FightPart.PLAYERS,
}
"""The part of the turn of each phase. Stepping away stores its own."""


def validate(state: State) -> None:
    """:raises BrokenPosition: no match can have reached the state."""
    check_faults(_faults(state))


def _faults(state: State) -> Iterator[str]:
    """Yield impossible facts.

    Later checks rely on earlier ones: only the first fault counts.
    """
    yield from _seat_faults(state)
    yield from _wall_faults(state)
    yield from _dice_faults(state)
    if not 1 <= len(state.monsters) <= MAX_MONSTERS:
        yield gettext("There are 1 to {count} monsters.").format(count=MAX_MONSTERS)
    if 0 < state.rounds < state.round:
        yield gettext("Round {round} of {rounds} is never played.").format(
            round=state.round, rounds=state.rounds
        )
    if (state.phase == PhaseName.OVER) != (state.ranks is not None):
        yield gettext("A match has a result when it is over, and only then.")
    if (state.phase == PhaseName.MOVE) != (state.roll is not None):
        yield gettext("There is a roll before the movement, and only then.")
    if state.fought != tuple(sorted(set(state.fought))):
        yield gettext("fought is sorted, each pair once.")
    if state.ranks is not None:
        yield from _end_faults(state)
        return
    yield from _running_faults(state)
    yield from _fight_faults(state)
    yield from _phase_faults(state)
    moves = PHASES[state.phase].moves(state)
    if state.phase != PhaseName.MOVE and len([*islice(moves, 2)]) <= 1:
        yield gettext("A question with fewer than two answers is never asked.")


def _seat_faults(state: State) -> Iterator[str]:
    out = [seat for seat, player in enumerate(state.players) if player.at is None]
    if max((state.turn, *state.dropped, *state.walls.values())) >= len(state.players):
        yield gettext("The seats are 0 to {last}.").format(last=len(state.players) - 1)
    if any(player.is_in != (player.at is not None) for player in state.players):
        yield gettext("A player is in and somewhere, or neither.")
    if sorted(state.dropped) != out or (out and len(state.players) == DUEL):
        yield gettext("dropped are the seats that are not in, each once.")
    if not state.still_in:
        yield gettext("The last seat that is in never drops out.")
    for seat, player in enumerate(state.players):
        if player.home != home(seat, len(state.players)):
            yield gettext("{space} is not the home of {player}.").format(
                space=player.home, player=name_of(seat)
            )
        if player.at is None and (player.dice or player.trinkets):
            yield gettext("{player} has dropped out and has nothing left.").format(
                player=name_of(seat)
            )


def _wall_faults(state: State) -> Iterator[str]:
    for space, owner in state.walls.items():
        if space not in WALL_SPACES:
            yield gettext("{space} is not marked for walls.").format(space=space)
        if owner in state.dropped:
            yield gettext("{player} has dropped out, and its walls are gone.").format(
                player=name_of(owner)
            )
        if space in state.monsters:
            yield gettext("No monster stands on a wall, as on {space}.").format(space=space)
    for seat in state.still_in:
        if state.walls.get(state.at(seat), seat) != seat:
            yield gettext("{player} stands on somebody else's wall.").format(player=name_of(seat))


def _dice_faults(state: State) -> Iterator[str]:
    if state.roll and sorted(state.roll) != list(state.roll):
        yield gettext("roll is sorted.")
    if state.pickups != tuple(sorted(set(state.pickups), key=ORDER.__getitem__)):
        yield gettext("pickups are spaces in order, each once.")
    if not set(state.pickups) <= set(DIE_SPACES):
        yield gettext("Dice lie on outer spaces that are not marked for walls.")
    most = len(DIE_SPACES)
    count = len(state.pickups) + sum(p.dice for p in state.players)
    if not most - MAX_DICE * len(state.dropped) <= count <= most:
        yield gettext("There are {count} dice; {wanted} are held or lie on the board.").format(
            count=count, wanted=most
        )
    if sum(player.trinkets for player in state.players) > MAX_TRINKETS:
        yield gettext("At most {count} trinkets circulate.").format(count=MAX_TRINKETS)


def _running_faults(state: State) -> Iterator[str]:
    if len(state.still_in) <= 1:
        yield gettext("A match runs as long as two seats are in, and no longer.")
    if state.turn in state.dropped:
        yield gettext("It cannot be the turn of {player}, who is out.").format(
            player=name_of(state.turn)
        )
    if state.winner is not None:
        yield gettext("Somebody has won already.")


def _end_faults(state: State) -> Iterator[str]:
    best = state.still_in if state.winner is None else (state.winner,)
    possible = [state.ranking(best)]
    if state.winner is None and len(state.players) == DUEL:
        possible += WON_BY
    if state.fought or state.ranks not in possible:
        yield gettext("The match cannot have ended with {ranks} here.").format(ranks=state.ranks)


def _fight_faults(state: State) -> Iterator[str]:
    """Yield faults of the fights of this part of the turn."""
    part = state.pending.part if state.phase == PhaseName.GO else PARTS.get(state.phase)
    if state.fought and not part:
        yield gettext("Nobody has fought before the phase {phase}.").format(phase=state.phase)
    for one, other in state.fought:
        if part == FightPart.MONSTERS:
            is_possible = one in state.seats and 1 <= other <= len(state.monsters)
        else:
            is_possible = one == state.turn != other and other in state.seats
        if not is_possible:
            yield gettext("{one} and {other} cannot have fought in this part of the turn.").format(
                one=one, other=other
            )
    monster = getattr(state.pending, "monster", None)
    if monster is not None and monster > len(state.monsters):
        yield gettext("There is no monster {number}.").format(number=monster)


def _phase_faults(state: State) -> Iterator[str]:
    """Yield what is impossible in the phase of a position."""
    if state.phase == PhaseName.SPEND and not state.player.dice:
        yield gettext("Without dice there is nothing to spend.")
    elif state.phase == PhaseName.GO:
        yield from _parting_faults(state)
    elif state.phase == PhaseName.STRIP:
        both = {state.pending.winner, state.pending.loser}
        if state.turn not in both or len(both) == 1 or not both <= set(state.still_in):
            yield gettext("Walls are lost in a fight of the mover and another player.")
    is_forced = (state.phase == PhaseName.FIGHT and any(monsters.forced_fights(state))) or (
        state.phase == PhaseName.CHALLENGE and list(players.forced_fights(state))
    )
    if is_forced:
        yield gettext("Two who share a space fight before anything else is asked.")


def _parting_faults(state: State) -> Iterator[str]:
    parting = state.pending
    if not {parting.chooser, parting.piece} <= set(state.still_in):
        yield gettext("Who steps away, and who says where to, are in.")
    if parting.part == FightPart.MONSTERS:
        is_possible = parting.chooser == parting.piece
    else:
        is_own = parting.piece == state.turn and parting.monster is None
        is_possible = is_own and monsters.shares_with_fought(state)
    if not is_possible:
        yield gettext("Nobody steps away after such a fight.")
