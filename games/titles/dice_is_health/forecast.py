"""What is known of a move before it is confirmed: where all would stand, and who would meet."""

from collections.abc import Iterator
from dataclasses import replace

from games.kernel.contract import Seat
from games.kernel.dice import no_dice
from games.titles.dice_is_health import actions, phrases, ranking, reach
from games.titles.dice_is_health.events import name_of
from games.titles.dice_is_health.movement import Stage
from games.titles.dice_is_health.moves import Move
from games.titles.dice_is_health.position import MOST_DICE, State
from games.titles.dice_is_health.spaces import Space
from games.titles.dice_is_health.transition import Transition


def on_the_way(state: State, stage: Stage) -> State:
    """Return the position on the way of a movement."""
    player, *monsters = stage.pieces
    players = list(state.players)
    players[state.turn] = replace(state.mover, at=player.at)
    return replace(
        state,
        fan=stage.fan,
        players=tuple(players),
        monsters=tuple(monster.at for monster in monsters),
    )


def after(state: State, move: Move) -> State:
    """Return the position with a move done that draws nothing, before anything follows from it.

    What is asked stays as it was, unless the match has ended.
    """
    transition = Transition(state, no_dice())
    actions.carry_out(transition, move)
    if transition.is_over:
        return transition.state
    return replace(transition.state, phase=state.phase, pending=state.pending, roll=state.roll)


def told(before: State, moved: State) -> str:
    """Return in sentences what a whole movement comes to, as far as that is known."""
    if ranking.winner(moved) is not None:
        return "You are back in the middle with a trinket and three dice: you win."
    return " ".join((_ending(before, moved), *_meetings(moved)))


def _ending(before: State, moved: State) -> str:
    here, player = moved.at(moved.turn), moved.mover
    if player.dice > before.mover.dice:
        return f"You take the die on {here} and have {phrases.dice(player.dice)}."
    if here in moved.pickups:
        return f"You end on {here}; there is no room for the die that lies there."
    if here.is_inner:
        return f"You end in the middle, on {here}, but to win you need {_missing(moved)} more."
    return f"You end on {here}."


def _missing(state: State) -> str:
    player = state.mover
    wanted = [] if player.trinkets else ["a trinket"]
    if player.dice < MOST_DICE:
        wanted.append(phrases.dice(MOST_DICE - player.dice))
    return phrases.listed(wanted)


def _meetings(state: State) -> Iterator[str]:
    """Yield who must fight whom, and who may."""
    for seat in state.in_turn:
        monsters = [n for n, at in enumerate(state.monsters, 1) if at == state.at(seat)]
        if monsters:
            who = "You" if seat == state.turn else name_of(seat)
            yield f"{who} must fight {_monsters(monsters)}."
    if beside := reach.monsters_beside(state):
        yield f"You may fight {_monsters(beside)}."
    if met := [seat for seat in state.in_turn[1:] if state.at(seat) == state.at(state.turn)]:
        yield f"You must fight {_players(met)}."
    if rivals := reach.rivals_beside(state):
        yield f"You may challenge {_players(rivals)}."


def _monsters(numbers: tuple[int, ...] | list[int]) -> str:
    return phrases.listed([f"monster {number}" for number in numbers])


def _players(seats: tuple[Seat, ...] | list[Seat]) -> str:
    return phrases.listed([name_of(seat) for seat in seats])


def found_on(state: State, space: Space) -> str:
    """Return a space with what a piece finds there, as in ``o5, a die, Blue``."""
    found = ["a die"] if space in state.pickups else []
    found += [f"monster {n}" for n, at in enumerate(state.monsters, 1) if at == space]
    found += [name_of(seat) for seat in state.still_in if state.at(seat) == space]
    if space in state.walls:
        found.append(f"{name_of(state.walls[space])}’s wall")
    return ", ".join((str(space), *found))
