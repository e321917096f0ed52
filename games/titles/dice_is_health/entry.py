"""Move entry: words that several phases share.

Forecasts state the known effects of a move: meetings, the odds of the fights, and their stakes.
"""

from collections.abc import Collection, Iterator, Sequence
from functools import partial

from msgspec import structs

from games.kernel.contract import Seat
from games.kernel.entry import Word, Words
from games.kernel.narration import Names
from games.kernel.odds import chance_to_beat, in_words
from games.titles.dice_is_health.board import INNER, Space, spoken
from games.titles.dice_is_health.meta import META, name_of
from games.titles.dice_is_health.state import DIE, MAX_DICE, MONSTER_DICE, State


def space_words(
    state: State, verb: str, spaces: Sequence[Space], most: int, owner: Seat | None
) -> Words:
    """Yield a verb with each of some spaces. Up to ``most`` may be named, in any order.

    ``owner`` gets the walls on them (``None``: nobody).
    """

    def words(named: tuple[Space, ...], _typed: str = "") -> Words:
        for space in spaces:
            if space not in named:
                after = (*named, space)
                yield Word(
                    f" {space}" if named else f"{verb} {space}",
                    describe_space(state, space),
                    (space,),
                    partial(words, after) if len(after) < most else None,
                    show=partial(_with_walls, state, after, owner),
                )

    return words(())


def _with_walls(state: State, spaces: Collection[Space], owner: Seat | None) -> State:
    """Return the position with walls put up or taken down, and how many may still follow."""
    left = structs.replace(state.pending, count=state.pending.count - len(spaces))
    return structs.replace(state, walls=state.walls_with(spaces, owner), pending=left)


def describe_space(state: State, space: Space) -> str:
    """Return a space with its contents, as in ``outer 5, a die, Blue``."""
    contents = ["a die"] if space in state.pickups else []
    contents += [f"monster {n}" for n, at in enumerate(state.monsters, 1) if at == space]
    contents += [name_of(seat) for seat in state.still_in if state.at(seat) == space]
    if space in state.walls:
        contents.append(f"{name_of(state.walls[space])}’s wall")
    return ", ".join((spoken(space), *contents))


# --- Forecasts --------------------------------------------------------------------------------

COUNTS = ("no", "one", "two", "three")
"""Numbers of dice in words."""


def forecast(moved: State) -> str:
    """Describe the consequences of a whole movement, from the position after it."""
    if moved.winner is not None:
        return ""
    return " ".join(filter(None, (_end_of_path(moved), *_meetings(moved))))


def against_monster(state: State, seat: Seat) -> str:
    """Return the odds of a player against a monster, as a clause."""
    return _odds(state, seat, state.players[seat].dice, MONSTER_DICE)


def against_player(state: State, other: Seat) -> str:
    """Return the odds of the mover against another player, as a clause."""
    own = state.player.dice
    others = state.players[other].dice
    if not own and not others:
        return "nobody wins, because neither has dice"
    return _odds(state, state.turn, own, others)


def briefly(odds: str) -> str:
    """Shorten odds for a button, without the dice."""
    return odds.partition(" (")[0]


def at_stake(state: State, seat: Seat) -> str:
    """Return what a player would lose with a fight, as a sentence."""
    player = state.players[seat]
    names = Names(META.colours, state.turn)
    trinket = " and a trinket" if player.trinkets else ""
    if player.dice:
        return f"A defeat costs {names.of(seat)} a die{trinket}."
    is_home = player.at == player.home
    goes = f"{names.does(seat, 'stay')} on" if is_home else f"{names.does(seat, 'go')} back to"
    home = f"{goes} {names.possessive(seat)} home space"
    return f"{home} and {names.verb(seat, 'lose')} a trinket." if trinket else f"{home}."


def _odds(state: State, seat: Seat, own: int, other: int) -> str:
    names = Names(META.colours, state.turn)
    if not own:
        return f"{names.clause(seat, 'lose')} without dice"
    noun = "die" if own == 1 else "dice"
    thrown = f"{COUNTS[own]} {noun} against {COUNTS[other] if other else 'none'}"
    if not other:
        return f"{names.clause(seat, 'win')} ({thrown})"
    chance = in_words(chance_to_beat((DIE,) * own, (DIE,) * other, rolls_again=True))
    return f"{names.clause(seat, 'win')} {chance} ({thrown})"


def _end_of_path(moved: State) -> str:
    here = moved.at(moved.turn)
    player = moved.player
    if here in moved.pickups:
        return f"You leave the die on {spoken(here)}: you have {COUNTS[player.dice]} already."
    missing = MAX_DICE - player.dice
    if here not in INNER or (missing and not player.trinkets):
        return ""
    wanted = f"{COUNTS[missing]} more {'die' if missing == 1 else 'dice'}"
    return f"To win here you still need {wanted if missing else 'a trinket'}."


def _meetings(state: State) -> Iterator[str]:
    """Yield forced and possible fights, each with the odds."""
    here = state.at(state.turn)
    others = state.in_turn[1:]
    names = Names(META.colours, state.turn)
    for seat in state.in_turn:
        for number in _monsters(state, (state.at(seat),)):
            odds = f"{against_monster(state, seat)}. {at_stake(state, seat)}"
            yield f"{names.first(seat)} must fight monster {number}: {odds}"
    for number in _monsters(state, state.near(here)):
        yield f"You may fight monster {number}: {against_monster(state, state.turn)}."
    for seat in others:
        if state.at(seat) == here:
            yield f"You must fight {name_of(seat)}: {against_player(state, seat)}."
        elif state.at(seat) in state.near(here):
            yield f"You may fight {name_of(seat)}: {against_player(state, seat)}."


def _monsters(state: State, spaces: Collection[Space]) -> list[int]:
    return [number for number, at in enumerate(state.monsters, 1) if at in spaces]
