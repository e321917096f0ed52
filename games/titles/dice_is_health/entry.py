"""Move entry: what the phases have in common in saying how the words typed so far may go on."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from msgspec import structs

from games.kernel import completion
from games.kernel.completion import folded
from games.kernel.contract import Seat
from games.kernel.errors import MalformedMove, quoted
from games.kernel.options import Choice, Options
from games.titles.dice_is_health.meta import name_of
from games.titles.dice_is_health.position import Space, State

_NAME = re.compile("[oi][0-9]+")

NOTHING = Options(complete=False, next=())


def checked(found: Options, typed: str) -> Options:
    """Return the options for a text, unless there are none.

    :raises MalformedMove: something is typed, and no legal move begins with it.
    """
    if folded(typed) and not found.complete and not found.next:
        raise MalformedMove(f"No move begins with {quoted(typed.strip())} here.")
    return found


def choose(
    choices: Iterable[Choice], typed: str, prompt: str, chosen: str = "{0.label}."
) -> Options:
    """Return those of ``choices``, each a whole move, that go on from what is typed of them.

    Once one is typed whole, the prompt is ``chosen``, formatted with that choice.
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
    sentence = next((chosen.format(choice) for choice in whole), prompt)
    return replace(found, prompt=sentence if found.complete else prompt)


def choose_spaces(
    state: State,
    typed: str,
    prompt: str,
    verb: str,
    *,
    spaces: Sequence[Space],
    enough: Sequence[int],
    owner: Seat | None,
) -> Options:
    """Return how a verb and names of spaces in any order may go on.

    ``enough`` are the numbers of spaces that make a whole move, ``owner`` is whose the walls on
    them become (``None``: nobody's).
    """
    named = _NAME.findall(folded(typed))
    readings = [named] if typed[-1:].isspace() else [named, named[:-1]]
    picked = [
        names
        for names in readings
        if set(names) <= set(spaces) and len(set(names)) == len(names) <= max(enough)
    ]
    rest = [space for space in spaces if space not in named]
    texts = (text for names in picked for text in _extended(verb, names, rest, enough))
    found = choose((_space_choice(state, text) for text in texts), typed, prompt)
    if not picked or not picked[0]:
        return found
    walls = state.walls_with(map(Space, picked[0]), owner)
    return replace(found, view=structs.replace(state, walls=walls))


def _extended(
    verb: str, names: Sequence[str], rest: Sequence[str], enough: Sequence[int]
) -> Iterator[str]:
    """Yield a list of spaces where it will do, and with each other space that may be added."""
    text = " ".join((verb, *names))
    if len(names) in enough:
        yield text
    if len(names) < max(enough):
        yield from (f"{text} {name}" for name in rest)


def _space_choice(state: State, text: str) -> Choice:
    _, *named = text.split()
    if not named:
        return Choice(text, "None at all")
    return Choice(text, describe_space(state, Space(named[-1])), (named[-1],))


def describe_space(state: State, space: Space) -> str:
    """Return a space with what a piece finds there, as in ``o5, a die, Blue``."""
    found = ["a die"] if space in state.pickups else []
    found += [f"monster {n}" for n, at in enumerate(state.monsters, 1) if at == space]
    found += [name_of(seat) for seat in state.still_in if state.at(seat) == space]
    if space in state.walls:
        found.append(f"{name_of(state.walls[space])}’s wall")
    return ", ".join((space, *found))
