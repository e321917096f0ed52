"""The speed of every game's rules, compared with the plain second implementations of the tests."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from bench.corpus.game import Chance, Game
from bench.corpus.matches import play, presets
from bench.rows import Row
from tests.contract.game_modules import reference_of

LISTED = 100
"""Number of legal moves of a position that are listed."""

PLIES = 300
"""Maximum number of plies of a match."""

TURNS = 5
"""How many times both are measured in turn. The fastest of each counts."""

MATCHES, OBSERVED_MATCHES = 100, 2
"""Number of matches of a game, and of one with long observations."""


def rows() -> Iterator[Row]:
    """Measure every game."""
    for game in map(Game, Game.slugs()):
        count = min(len(presets(game)), OBSERVED_MATCHES if game.observes else MATCHES)
        yield row(game, [play(game, number) for number in range(1, count + 1)])


def row(game: Game, matches: Sequence[Mapping[str, Any]]) -> Row:
    """Measure one game by recorded matches, with their recorded chance."""
    measured, floor = fastest(game, [canonical(game, match) for match in matches])
    return Row(f"plies of {game.slug}", measured, "plies/s", floor, "second implementation")


def fastest(game: Game, matches: Sequence[Mapping[str, Any]]) -> tuple[float, float]:
    """Return the plies per second of process time by the rules and by the second implementation."""
    best = [0.0, 0.0]
    for _ in range(TURNS):
        for number, replay in enumerate((by_rules, by_reference)):
            best[number] = max(best[number], _rate(replay, game, matches))
    return best[0], best[1]


def canonical(game: Game, match: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return a match with its moves in the only form that the second implementations parse."""
    steps = [
        [kind, seat, str(game.title.parse(text)) if kind == "play" else text, chance]
        for kind, seat, text, chance in match["steps"][:PLIES]
    ]
    return {**match, "steps": steps}


def _rate(
    replay: Callable[[Game, Mapping[str, Any]], int],
    game: Game,
    matches: Sequence[Mapping[str, Any]],
) -> float:
    began = time.process_time()
    plies = sum(replay(game, match) for match in matches)
    return plies / (time.process_time() - began)


def by_rules(game: Game, match: Mapping[str, Any]) -> int:
    """Replay a match by the rules, listing moves at every position; return the number of plies."""
    state = game.setup(match["seats"], match["params"], Chance(match["setup"]))
    for step in match["steps"]:
        for seat in game.actors(state):
            game.moves(state, seat, LISTED)
        state, _ = game.take(state, step, Chance(step[3]))
    return len(match["steps"])


def by_reference(game: Game, match: Mapping[str, Any]) -> int:
    """Replay a match by the second implementation in the same way."""
    slow = reference_of(game.slug).Reference(match["seats"], match["params"], match["setup"])
    for kind, seat, text, chance in match["steps"]:
        for actor in slow.actors():
            list(islice(slow.moves(actor), LISTED))
        if kind == "play":
            slow.play(seat, text, chance)
        elif kind == "drop":
            slow.drop(seat, chance)
        else:
            slow.close()
    return len(match["steps"])
