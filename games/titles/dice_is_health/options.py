"""Move entry: how the words typed so far may go on.

``Options.view`` is the position as these words would leave it, where they tell; that of a
movement also says which steps these were and what is left of each die (see ``scene``).
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import cast

from games.kernel import completion
from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove
from games.kernel.options import Choice, Options
from games.kernel.views import DictView
from games.titles.dice_is_health import forecast, phrases, reach
from games.titles.dice_is_health.events import monster_mark, name_of, player_mark
from games.titles.dice_is_health.moves import (
    Attack,
    Challenge,
    Done,
    Fight,
    Go,
    Strip,
    Summon,
    Wall,
    Walls,
)
from games.titles.dice_is_health.position import (
    CHALLENGE,
    FIGHT,
    GO,
    MOVE,
    RAMPAGE,
    SPEND,
    STRIP,
    WALLS,
    Building,
    Parting,
    Rampage,
    State,
    Stripping,
    dump,
)
from games.titles.dice_is_health.spaces import Space
from games.titles.dice_is_health.steering import Entry

NOTHING = Options(complete=False, next=())

SUMMON = "summon "
_SPACE = re.compile("[oi][0-9]+")


def options(state: State, seat: Seat, typed: str) -> Options:
    """Return how what is typed may go on to a legal move.

    :raises MalformedMove: no legal move begins so.
    """
    is_asked = not state.ranks and seat == state.actor
    found = _OPTIONS[state.phase](state, typed) if is_asked else NOTHING
    if folded(typed) and not found.complete and not found.next:
        raise MalformedMove(f"No move begins with {typed.strip()!r} here.")
    return found


def _choose(
    choices: Iterable[Choice], typed: str, prompt: str, chosen: str = "{0.label}."
) -> Options:
    """Return those of ``choices`` that go on from what is typed of them.

    Once one is typed whole, ``chosen`` says of it what it does, in place of the prompt.
    """
    by_text = {choice.text: choice for choice in choices}
    try:
        found = completion.complete(
            by_text,
            typed,
            label=lambda text: by_text[text].label,
            marks=lambda text: by_text[text].marks,
            prompt=prompt,
        )
    except MalformedMove:
        return NOTHING
    whole = (choice for text, choice in by_text.items() if folded(text) == folded(typed))
    said = next((chosen.format(choice) for choice in whole), prompt)
    return replace(found, prompt=said if found.complete else prompt)


# --- The movement -------------------------------------------------------------------------------


def _move(state: State, typed: str) -> Options:
    entry = Entry(state, typed)
    view, prompt = entry.view if typed.strip() else None, entry.prompt
    if entry.is_whole:
        longer = tuple(entry.longer())
        return Options(complete=not entry.rest, next=longer, prompt=prompt, view=view)
    found = _choose(entry.choices(), entry.rest + entry.blank, prompt)
    return replace(found, complete=False, view=view)


# --- Spending -----------------------------------------------------------------------------------


def _spend(state: State, typed: str) -> Options:
    prompt = f"Give {phrases.dice(1)} of {state.mover.dice} for walls or a monster, or go on?"
    if folded(typed).startswith(SUMMON.strip()):
        where = "Where does the new monster appear?"
        return _choose(_dens(state), typed, where, "For a die a monster appears on {0.marks[0]}.")
    return _choose(_payments(state), typed, prompt)


def _payments(state: State) -> Iterator[Choice]:
    yield Choice(str(Wall()), "Give a die, and roll for how many walls you may set")
    if reach.dens(state):
        yield Choice(SUMMON, "Give a die for a new monster")
    yield Choice(str(Done()), "Spend no more, and go on")


def _dens(state: State) -> Iterator[Choice]:
    for space in reach.dens(state):
        yield Choice(str(Summon(space)), forecast.found_on(state, space), (str(space),))


# --- Walls --------------------------------------------------------------------------------------


def _build(state: State, typed: str) -> Options:
    most = cast(Building, state.pending).count
    prompt = f"You have rolled {most}: set at most {phrases.counted(most, 'wall')}. Where?"
    return _pick(state, typed, prompt, Walls, spaces=reach.sites(state), enough=range(most + 1))


def _strip(state: State, typed: str) -> Options:
    stripping = cast(Stripping, state.pending)
    count, walls = stripping.count, state.walls_of(stripping.loser)
    what = phrases.counted(count, "wall")
    prompt = f"Take away {what} of {name_of(stripping.loser)}’s. Which?"
    return _pick(state, typed, prompt, Strip, spaces=walls, enough=(count,))


def _pick(
    state: State,
    typed: str,
    prompt: str,
    kind: type[Walls] | type[Strip],
    *,
    spaces: Sequence[Space],
    enough: Sequence[int],
) -> Options:
    """Go on with spaces that are named in any order; ``enough`` are the numbers that will do."""
    known, named = set(map(str, spaces)), _SPACE.findall(folded(typed))
    readings = [named] if typed[-1:].isspace() else [named, named[:-1]]
    picked = [names for names in readings if set(names) <= known and len(names) <= max(enough)]
    picked = [names for names in picked if len(set(names)) == len(names)]
    rest = sorted(known.difference(named), key=Space.read)
    texts = (text for names in picked for text in _picks(str(kind(())), names, rest, enough))
    found = _choose(map(partial(_picked, state), texts), typed, prompt)
    if not picked or not picked[0]:
        return found
    shown = forecast.after(state, kind(tuple(sorted(map(Space.read, picked[0])))))
    return replace(found, view=DictView(dump(shown)))


def _picks(
    head: str, names: Sequence[str], rest: Sequence[str], enough: Sequence[int]
) -> Iterator[str]:
    """Yield a list of spaces where it will do, and with each other space that may be added."""
    text = " ".join((head, *names))
    if len(names) in enough:
        yield text
    if len(names) < max(enough):
        yield from (f"{text} {name}" for name in rest)


def _picked(state: State, text: str) -> Choice:
    named = _SPACE.findall(text)
    if not named:
        return Choice(text, "None at all")
    return Choice(text, forecast.found_on(state, Space.read(named[-1])), (named[-1],))


# --- Fights -------------------------------------------------------------------------------------


def _fight(state: State, typed: str) -> Options:
    chances = f"it rolls three dice, you {phrases.dice(state.mover.dice)}"
    choices = [
        Choice(str(Fight(n)), f"Fight monster {n}: {chances}", (monster_mark(n),))
        for n in reach.monsters_beside(state)
    ]
    choices.append(Choice(str(Done()), "Fight no monster"))
    return _choose(choices, typed, "Fight a monster beside you?")


def _step_away(state: State, typed: str) -> Options:
    parting = cast(Parting, state.pending)
    own = parting.chooser == parting.piece
    who = "do you step" if own else f"does {name_of(parting.piece)} step"
    goes = "You step" if own else f"{name_of(parting.piece)} steps"
    choices = [
        Choice(str(Go(space)), forecast.found_on(state, space), (str(space),))
        for space in reach.exits(state, parting.piece)
    ]
    return _choose(choices, typed, f"Where {who} after the fight?", goes + " to {0.marks[0]}.")


def _rampage(state: State, typed: str) -> Options:
    monster = cast(Rampage, state.pending).monster
    choices = [
        Choice(str(Attack(seat)), f"It attacks {name_of(seat)}", (player_mark(seat),))
        for seat in reach.prey(state, monster)
    ]
    choices.append(Choice(str(Done()), "It rests"))
    return _choose(choices, typed, f"Monster {monster} has won. Whom does it attack next?")


def _challenge(state: State, typed: str) -> Options:
    choices = [
        Choice(
            str(Challenge(seat)),
            f"Fight {name_of(seat)}, who has {phrases.dice(state.players[seat].dice)}",
            (player_mark(seat),),
        )
        for seat in reach.rivals_beside(state)
    ]
    choices.append(Choice(str(Done()), "Challenge nobody"))
    return _choose(choices, typed, "Challenge a player beside you?")


_OPTIONS: Mapping[str, Callable[[State, str], Options]] = {
    MOVE: _move,
    SPEND: _spend,
    WALLS: _build,
    FIGHT: _fight,
    GO: _step_away,
    RAMPAGE: _rampage,
    CHALLENGE: _challenge,
    STRIP: _strip,
}
