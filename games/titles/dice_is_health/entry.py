"""Move entry: words that several phases share.

Forecasts state the known effects of a move: meetings, the odds of the fights, and their stakes.
"""

from collections.abc import Collection, Iterator, Sequence
from enum import Enum
from functools import partial

from msgspec import structs

from games.kernel.contract import Seat
from games.kernel.entry import Word, Words
from games.kernel.language import gettext
from games.kernel.narration import Names
from games.kernel.odds import chance_to_beat, in_words
from games.titles.dice_is_health.board import INNER, Space, spoken
from games.titles.dice_is_health.events import monster_of, wall_of
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
    contents = [gettext("a die")] if space in state.pickups else []
    contents += [monster_of(n) for n, at in enumerate(state.monsters, 1) if at == space]
    contents += [name_of(seat) for seat in state.still_in if state.at(seat) == space]
    if space in state.walls:
        contents.append(wall_of(name_of(state.walls[space])))
    return ", ".join((spoken(space), *contents))


# --- Forecasts --------------------------------------------------------------------------------


class Wording(Enum):
    """How odds are worded: as a clause after a colon, the same without the dice, or a sentence."""

    CLAUSE = "clause"
    BRIEF = "brief"
    SENTENCE = "sentence"


def forecast(moved: State) -> str:
    """Describe the consequences of a whole movement, from the position after it."""
    if moved.winner is not None:
        return ""
    return " ".join(filter(None, (_end_of_path(moved), *_meetings(moved))))


def against_monster(state: State, seat: Seat, wording: Wording) -> str:
    """Return the odds of a player against a monster."""
    return _odds(state, seat, (state.players[seat].dice, MONSTER_DICE), wording)


def against_player(state: State, other: Seat, wording: Wording) -> str:
    """Return the odds of the mover against another player."""
    dice = state.player.dice, state.players[other].dice
    if any(dice):
        return _odds(state, state.turn, dice, wording)
    if wording is Wording.SENTENCE:
        return gettext("Nobody wins, because neither has dice.")
    # Translators: after a colon, as in "Fight Red: nobody wins, because neither has dice".
    return gettext("nobody wins, because neither has dice")


def at_stake(state: State, seat: Seat) -> str:
    """Return what a player would lose with a fight, as a sentence."""
    player = state.players[seat]
    own, others = _stakes(
        has_dice=player.dice > 0, has_trinket=player.trinkets > 0, is_home=player.at == player.home
    )
    return Names(META.colours, state.turn).tell(seat, own, others)


def _stakes(*, has_dice: bool, has_trinket: bool, is_home: bool) -> tuple[str, str]:
    if has_dice and has_trinket:
        return (
            gettext("A defeat costs you a die and a trinket."),
            gettext("A defeat costs {player} a die and a trinket."),
        )
    if has_dice:
        return gettext("A defeat costs you a die."), gettext("A defeat costs {player} a die.")
    if is_home and has_trinket:
        return (
            gettext("You stay on your home space and lose a trinket."),
            gettext("{player} stays on {player}’s home space and loses a trinket."),
        )
    if is_home:
        return (
            gettext("You stay on your home space."),
            gettext("{player} stays on {player}’s home space."),
        )
    if has_trinket:
        return (
            gettext("You go back to your home space and lose a trinket."),
            gettext("{player} goes back to {player}’s home space and loses a trinket."),
        )
    return (
        gettext("You go back to your home space."),
        gettext("{player} goes back to {player}’s home space."),
    )


def _odds(state: State, seat: Seat, dice: tuple[int, int], wording: Wording) -> str:
    own, other = dice
    names = Names(META.colours, state.turn)
    if not own:
        return names.tell(seat, *_loses(wording))
    if not other:
        return names.tell(seat, *_always_wins(wording), dice=_dice_against(own, other))
    chance = in_words(chance_to_beat((DIE,) * own, (DIE,) * other, rolls_again=True))
    return names.tell(seat, *_wins(wording), dice=_dice_against(own, other), chance=chance)


def _loses(wording: Wording) -> tuple[str, str]:
    if wording is Wording.SENTENCE:
        return gettext("You lose without dice."), gettext("{player} loses without dice.")
    # Translators: after a colon, as in "Fight Red: you lose without dice".
    return gettext("you lose without dice"), gettext("{player} loses without dice")


def _always_wins(wording: Wording) -> tuple[str, str]:
    if wording is Wording.SENTENCE:
        return gettext("You win ({dice})."), gettext("{player} wins ({dice}).")
    if wording is Wording.BRIEF:
        # Translators: after a colon, as in "Fight Red: you win".
        return gettext("you win"), gettext("{player} wins")
    # Translators: after a colon, as in "You may fight Red: you win (one die against none)."
    return gettext("you win ({dice})"), gettext("{player} wins ({dice})")


def _wins(wording: Wording) -> tuple[str, str]:
    if wording is Wording.SENTENCE:
        # Translators: as in "You win about 1 in 3 (one die against two)."
        return gettext("You win {chance} ({dice})."), gettext("{player} wins {chance} ({dice}).")
    if wording is Wording.BRIEF:
        # Translators: after a colon, as in "Fight Red: you win 1 in 2".
        return gettext("you win {chance}"), gettext("{player} wins {chance}")
    # Translators: after a colon, as in "You may fight Red: you win 1 in 2 (one die against one)."
    return gettext("you win {chance} ({dice})"), gettext("{player} wins {chance} ({dice})")


def _dice_against(own: int, other: int) -> str:
    """Return the dice of two sides in words. ``own`` is at least 1."""
    return (
        (
            # Translators: in brackets, as in "You win 1 in 2 (one die against one)."
            gettext("one die against none"),
            gettext("one die against one"),
            gettext("one die against two"),
            gettext("one die against three"),
        ),
        (
            gettext("two dice against none"),
            gettext("two dice against one"),
            gettext("two dice against two"),
            gettext("two dice against three"),
        ),
        (
            gettext("three dice against none"),
            gettext("three dice against one"),
            gettext("three dice against two"),
            gettext("three dice against three"),
        ),
    )[own - 1][other]


def _end_of_path(moved: State) -> str:
    here = moved.at(moved.turn)
    player = moved.player
    if here in moved.pickups:
        message = gettext("You leave the die on {space}: you have three already.")
        return message.format(space=spoken(here))
    missing = MAX_DICE - player.dice
    if here not in INNER or (missing and not player.trinkets):
        return ""
    return (
        gettext("To win here you still need a trinket."),
        gettext("To win here you still need one more die."),
        gettext("To win here you still need two more dice."),
        gettext("To win here you still need three more dice."),
    )[missing]


def _meetings(state: State) -> Iterator[str]:
    """Yield forced and possible fights, each with the odds."""
    here = state.at(state.turn)
    others = state.in_turn[1:]
    names = Names(META.colours, state.turn)
    for seat in state.in_turn:
        for number in _monsters(state, (state.at(seat),)):
            must = names.tell(
                seat,
                gettext("You must fight monster {number}: {odds}."),
                gettext("{player} must fight monster {number}: {odds}."),
                number=number,
                odds=against_monster(state, seat, Wording.CLAUSE),
            )
            yield f"{must} {at_stake(state, seat)}"
    for number in _monsters(state, state.near(here)):
        may = gettext("You may fight monster {number}: {odds}.")
        yield may.format(number=number, odds=against_monster(state, state.turn, Wording.CLAUSE))
    for seat in others:
        if state.at(seat) == here:
            message = gettext("You must fight {player}: {odds}.")
        elif state.at(seat) in state.near(here):
            message = gettext("You may fight {player}: {odds}.")
        else:
            continue
        yield message.format(player=name_of(seat), odds=against_player(state, seat, Wording.CLAUSE))


def _monsters(state: State, spaces: Collection[Space]) -> list[int]:
    return [number for number, at in enumerate(state.monsters, 1) if at in spaces]
