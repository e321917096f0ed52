"""What a game by itself lets a viewer see in two worlds, and what of it differs."""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Any

from games.kernel import svg_writer
from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import no_dice
from games.kernel.errors import GameError, RulesError
from games.kernel.svg import Drawing
from tests.contract.random_play import walk
from tests.contract.scenarios import Pair

WALKS, GARBLED, ASKED = 2, 3, 6
LETTERS, FIGURES = "abcdefghtjqkrsd", "0123456789"


def differences(pair: Pair) -> Iterator[str]:
    """Yield what tells two worlds apart: ``view``, ``options`` and so on, once for each step."""
    moments = zip(*map(pair.replay, pair.scenarios), strict=True)
    for number, ((state, events), (other, others)) in enumerate(moments):
        looks = [
            _looks(pair, here, told, world.steps[number - 1].text if number else "")
            for here, told, world in zip(
                (state, other), (events, others), pair.scenarios, strict=True
            )
        ]
        yield from (name for name in looks[0] if looks[0][name] != looks[1][name])
        tries = probes(pair.title, state, pair.viewer)
        for name, look in (
            ("options", offers),
            ("refusals", refusals),
            ("explanations", explanations),
        ):
            if look(pair, state, tries) != look(pair, other, tries):
                yield name


def _looks(pair: Pair, state: Any, events: Sequence[Any], text: str) -> dict[str, Any]:
    title, viewer = pair.title, pair.viewer
    seen = [event.seen_by(viewer) for event in events]
    view = title.view(state, viewer)
    return {
        "view": view,
        "standing": (title.actors(state), title.result(state)),
        "events": [event.dump() for event in seen],
        "told": [title.describe(event, viewer) for event in seen],
        "text": title.redact(text, view) if text else "",
        "drawing": svg_writer.render(title.draw(view, seen)),
    }


def probes(title: AnyGame, state: Any, viewer: Seat | None) -> list[str]:
    """Return what a seat that is to move may type: whole moves, beginnings, and nonsense."""
    if viewer is None or viewer not in title.actors(state):
        return []
    chance = random.Random(str(title.view(state, viewer)))
    whole = [walk(title, state, viewer, chance) for _ in range(WALKS)]
    cut = [text[: chance.randrange(len(text) + 1)] for text in whole]
    return ["", *whole, *cut, *(_garbled(text, chance) for text in whole * GARBLED)]


def _garbled(text: str, chance: random.Random) -> str:
    """Change a letter or a figure of the last word: it may name what somebody else holds."""
    text = text.rstrip()
    begin = text.rfind(" ") + 1
    at = chance.randrange(begin, len(text))
    return text[:at] + chance.choice(FIGURES if text[at].isdigit() else LETTERS) + text[at + 1 :]


def offers(pair: Pair, state: Any, tries: Sequence[str]) -> list[Any]:
    """Return what the viewer is offered after each beginning, and how many moves there are."""
    viewer, title = pair.viewer, pair.title
    if not tries or viewer is None:
        return []
    moves = list(islice(map(str, title.moves(state, viewer)), 2000))
    return [moves, *(_said(lambda text=text: title.options(state, viewer, text)) for text in tries)]


def refusals(pair: Pair, state: Any, tries: Sequence[str]) -> list[Any]:
    """Return what the rules say to each text of the viewer's; what comes of a move is not asked."""
    viewer, title = pair.viewer, pair.title

    def play(text: str) -> str:
        title.play(state, viewer, title.parse(text), no_dice())
        return "legal"

    return [_said(lambda text=text: play(text)) for text in tries]


def explanations(pair: Pair, state: Any, tries: Sequence[str]) -> list[Any]:
    """Return why some marks of the board lead nowhere, at first and after each beginning."""
    viewer, title = pair.viewer, pair.title
    if not tries or viewer is None:
        return []
    names = some_marks(title.draw(title.view(state, viewer), ()))
    asked = [(text, name) for text in tries for name in names]
    return [_said(partial(title.explain, state, viewer, *words)) for words in asked]


def some_marks(drawing: Drawing) -> list[str]:
    """Return the names of some marks, the same for drawings that look alike."""
    names = sorted({mark.name for mark in drawing.marks})
    return random.Random(str(names)).sample(names, min(len(names), ASKED))


def _said(ask: Any) -> Any:
    try:
        return ask()
    except RulesError as error:
        return type(error), str(error)
    except GameError:
        return "legal"
