"""Fights: dice are thrown until one sum is higher, and then somebody pays."""

from collections.abc import Callable

from games.kernel.contract import Seat
from games.kernel.views import Json
from games.titles.dice_is_health.events import (
    DUELLED,
    FOUGHT,
    MAY_STRIP,
    STAYED,
    STEPPED,
    STRIPPED,
)
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MONSTERS,
    PLAYERS,
    RAMPAGE,
    STRIP,
    Parting,
    Rampage,
    Stripping,
)
from games.titles.dice_is_health.spaces import Space
from games.titles.dice_is_health.transition import Transition

MONSTER_DICE = 3


def meet_monster(transition: Transition, seat: Seat, monster: int, by: str) -> None:
    """Let a player and a monster fight, and ask what is to follow."""
    state = transition.state
    at, den = state.at(seat), state.monster_at(monster)
    rounds = _fight_monster(transition, state.players[seat].dice)
    is_won = bool(rounds) and sum(rounds[-1]["player"]) > sum(rounds[-1]["monster"])
    told = {"monster": monster, "at": str(at), "from": str(den), "by": by}
    transition.emit(FOUGHT, seat, **told, rounds=rounds, won=is_won)
    transition.note_fought(seat, monster)
    if is_won:
        _beat_monster(transition, seat, shares=at == den)
    else:
        _lose_to_monster(transition, seat, monster)


def _fight_monster(transition: Transition, dice: int) -> list[dict[str, list[int]]]:
    if not dice:
        return []
    return _until_decided(
        lambda: {"monster": transition.roll(MONSTER_DICE), "player": transition.roll(dice)}
    )


def _until_decided(throw: Callable[[], dict[str, list[int]]]) -> list[dict[str, list[int]]]:
    """Return the throws of a fight; all but the last are ties."""
    rounds = [throw()]
    while len(set(map(sum, rounds[-1].values()))) == 1:
        rounds.append(throw())
    return rounds


def _beat_monster(transition: Transition, seat: Seat, *, shares: bool) -> None:
    transition.win_trinket(seat)
    if transition.is_over:
        return
    if shares:
        transition.ask(GO, Parting(seat, seat, MONSTERS))
    else:
        transition.ask(FIGHT)


def _lose_to_monster(transition: Transition, seat: Seat, monster: int) -> None:
    went = transition.beat(seat)
    transition.lose_trinket(seat)
    if went:
        transition.ask(RAMPAGE, Rampage(monster))
    else:
        transition.ask(GO, Parting(seat, seat, MONSTERS, monster))


def meet_player(transition: Transition, other: Seat, by: str) -> None:
    """Let the mover and another player fight, and ask what is to follow."""
    state, mover = transition.state, transition.state.turn
    dice = {"mover": state.players[mover].dice, "other": state.players[other].dice}
    rounds: list[dict[str, list[int]]] = []
    if all(dice.values()):
        rounds = _until_decided(lambda: {who: transition.roll(n) for who, n in dice.items()})
    strength = {who: sum(rolls) for who, rolls in rounds[-1].items()} if rounds else dice
    lead = strength["mover"] - strength["other"]
    winner = None if not lead else mover if lead > 0 else other
    told: dict[str, Json] = {"at": str(state.at(mover)), "from": str(state.at(other)), "by": by}
    transition.emit(DUELLED, mover, other=other, **told, rounds=rounds, winner=winner)
    transition.note_fought(mover, other)
    if winner is None:
        _part(transition, other, mover)
    else:
        _take_spoils(transition, winner, other if winner == mover else mover)


def _take_spoils(transition: Transition, winner: Seat, loser: Seat) -> None:
    """Let the loser lose a die or go home, a trinket, and walls, in this order."""
    transition.beat(loser)
    transition.rob(winner, loser)
    if transition.is_over:
        return
    if transition.state.walls_of(loser):
        count = transition.roll()[0]
        transition.emit(MAY_STRIP, winner, roll=count, loser=loser)
        transition.ask(STRIP, Stripping(winner, loser, count))
    else:
        _part_after(transition, winner, loser)


def strip(transition: Transition, stripping: Stripping, spaces: tuple[Space, ...]) -> None:
    """Take walls of the loser away; then the mover steps away, if the two share a space."""
    walls = {space: seat for space, seat in transition.state.walls.items() if space not in spaces}
    transition.change(walls=walls)
    told = list(map(str, spaces))
    transition.emit(STRIPPED, stripping.winner, loser=stripping.loser, spaces=told)
    _part_after(transition, stripping.winner, stripping.loser)


def _part_after(transition: Transition, winner: Seat, loser: Seat) -> None:
    _part(transition, loser if winner == transition.state.turn else winner, winner)


def _part(transition: Transition, other: Seat, chooser: Seat) -> None:
    """Ask where the mover steps away to, if it shares a space with another player."""
    mover = transition.state.turn
    if transition.state.at(mover) == transition.state.at(other):
        transition.ask(GO, Parting(chooser, mover, PLAYERS))
    else:
        transition.ask(CHALLENGE)


def step_away(transition: Transition, parting: Parting, space: Space) -> None:
    """Put a piece where it steps away to; that may win the match."""
    start = transition.state.at(parting.piece)
    transition.put(parting.piece, space)
    told = {"from": str(start), "to": str(space)}
    transition.emit(STEPPED, parting.piece, **told, chooser=parting.chooser)
    transition.check_win()
    if not transition.is_over:
        after_parting(transition, parting)


def stay(transition: Transition, parting: Parting) -> None:
    """Leave a piece where it is: there is nowhere to step away to."""
    transition.emit(STAYED, parting.piece, at=str(transition.state.at(parting.piece)))
    after_parting(transition, parting)


def after_parting(transition: Transition, parting: Parting) -> None:
    """Go on behind a step away: a monster that won may attack on."""
    if parting.part == PLAYERS:
        transition.ask(CHALLENGE)
    elif parting.monster is None:
        transition.ask(FIGHT)
    else:
        transition.ask(RAMPAGE, Rampage(parting.monster))
