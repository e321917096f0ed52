"""Fights: dice are thrown until one sum is higher, and then somebody pays."""

from collections.abc import Callable

from games.kernel.contract import Json, Seat
from games.titles.dice_is_health.course import Course
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

MONSTER_DICE = 3


def meet_monster(course: Course, seat: Seat, monster: int, by: str) -> None:
    """Let a player and a monster fight, and ask what is to follow."""
    state = course.state
    at, den = state.at(seat), state.monster_at(monster)
    rounds = _fight_monster(course, state.players[seat].dice)
    is_won = bool(rounds) and sum(rounds[-1]["player"]) > sum(rounds[-1]["monster"])
    told = {"monster": monster, "at": str(at), "from": str(den), "by": by}
    course.tell(FOUGHT, seat, **told, rounds=rounds, won=is_won)
    course.note_fought(seat, monster)
    if is_won:
        _beat_monster(course, seat, shares=at == den)
    else:
        _lose_to_monster(course, seat, monster)


def _fight_monster(course: Course, dice: int) -> list[dict[str, list[int]]]:
    if not dice:
        return []
    return _until_decided(
        lambda: {"monster": course.roll(MONSTER_DICE), "player": course.roll(dice)}
    )


def _until_decided(throw: Callable[[], dict[str, list[int]]]) -> list[dict[str, list[int]]]:
    """Return the throws of a fight; all but the last are ties."""
    rounds = [throw()]
    while len(set(map(sum, rounds[-1].values()))) == 1:
        rounds.append(throw())
    return rounds


def _beat_monster(course: Course, seat: Seat, *, shares: bool) -> None:
    course.win_trinket(seat)
    if course.is_over:
        return
    if shares:
        course.ask(GO, Parting(seat, seat, MONSTERS))
    else:
        course.ask(FIGHT)


def _lose_to_monster(course: Course, seat: Seat, monster: int) -> None:
    went = course.beat(seat)
    course.lose_trinket(seat)
    if went:
        course.ask(RAMPAGE, Rampage(monster))
    else:
        course.ask(GO, Parting(seat, seat, MONSTERS, monster))


def meet_player(course: Course, other: Seat, by: str) -> None:
    """Let the mover and another player fight, and ask what is to follow."""
    state, mover = course.state, course.state.turn
    dice = {"mover": state.players[mover].dice, "other": state.players[other].dice}
    rounds: list[dict[str, list[int]]] = []
    if all(dice.values()):
        rounds = _until_decided(lambda: {who: course.roll(n) for who, n in dice.items()})
    strength = {who: sum(rolls) for who, rolls in rounds[-1].items()} if rounds else dice
    lead = strength["mover"] - strength["other"]
    winner = None if not lead else mover if lead > 0 else other
    told: dict[str, Json] = {"at": str(state.at(mover)), "from": str(state.at(other)), "by": by}
    course.tell(DUELLED, mover, other=other, **told, rounds=rounds, winner=winner)
    course.note_fought(mover, other)
    if winner is None:
        _part(course, other, mover)
    else:
        _take_spoils(course, winner, other if winner == mover else mover)


def _take_spoils(course: Course, winner: Seat, loser: Seat) -> None:
    """Let the loser lose a die or go home, a trinket, and walls, in this order."""
    course.beat(loser)
    course.rob(winner, loser)
    if course.is_over:
        return
    if course.state.walls_of(loser):
        count = course.roll()[0]
        course.tell(MAY_STRIP, winner, roll=count, loser=loser)
        course.ask(STRIP, Stripping(winner, loser, count))
    else:
        _part_after(course, winner, loser)


def strip(course: Course, stripping: Stripping, spaces: tuple[Space, ...]) -> None:
    """Take walls of the loser away; then the mover steps away, if the two share a space."""
    walls = {space: seat for space, seat in course.state.walls.items() if space not in spaces}
    course.change(walls=walls)
    told = list(map(str, spaces))
    course.tell(STRIPPED, stripping.winner, loser=stripping.loser, spaces=told)
    _part_after(course, stripping.winner, stripping.loser)


def _part_after(course: Course, winner: Seat, loser: Seat) -> None:
    _part(course, loser if winner == course.state.turn else winner, winner)


def _part(course: Course, other: Seat, chooser: Seat) -> None:
    """Ask where the mover steps away to, if it shares a space with another player."""
    mover = course.state.turn
    if course.state.at(mover) == course.state.at(other):
        course.ask(GO, Parting(chooser, mover, PLAYERS))
    else:
        course.ask(CHALLENGE)


def step_away(course: Course, parting: Parting, space: Space) -> None:
    """Put a piece where it steps away to; that may win the match."""
    start = course.state.at(parting.piece)
    course.put(parting.piece, space)
    told = {"from": str(start), "to": str(space)}
    course.tell(STEPPED, parting.piece, **told, chooser=parting.chooser)
    course.check_win()
    if not course.is_over:
        after_parting(course, parting)


def stay(course: Course, parting: Parting) -> None:
    """Leave a piece where it is: there is nowhere to step away to."""
    course.tell(STAYED, parting.piece, at=str(course.state.at(parting.piece)))
    after_parting(course, parting)


def after_parting(course: Course, parting: Parting) -> None:
    """Go on behind a step away: a monster that won may attack on."""
    if parting.part == PLAYERS:
        course.ask(CHALLENGE)
    elif parting.monster is None:
        course.ask(FIGHT)
    else:
        course.ask(RAMPAGE, Rampage(parting.monster))
