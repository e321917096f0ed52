"""The matches of the corpus: played at random, with a liking for what is rare."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bench.corpus.game import Chance, Game, Step, Text
from games.kernel.contract import Seat

PRESETS: Mapping[str, Sequence[tuple[int, Mapping[str, Any], int]]] = {
    "die": [(2, {"size": size}, 400) for size in (3, 4, 5, 3, 6, 4, 3, 7)],
    "dice-is-health": [
        (2, {"rounds": 12}, 60),
        (2, {}, 120),
        (3, {"rounds": 43}, 60),
        (4, {"rounds": 0}, 80),
        (4, {}, 40),
    ],
    "grim-reaper": [
        (2, {}, 200),
        (2, {"male_span": 6, "female_span": 6, "reserve": 2}, 160),
        (2, {"random_life": True, "reserve": 3}, 160),
        (2, {"size": 8, "male_span": 30, "female_span": 5, "reserve": 2}, 120),
        (2, {"male_span": 3, "female_span": 4}, 200),
    ],
    "precary-ice": [
        (2, {"rounds": 1, "hand": "steady"}, 80),
        (3, {"rounds": 1, "pace": "free", "hand": "steady"}, 80),
        (2, {"rounds": 3, "incidents": True}, 80),
        (6, {"rounds": 1, "hand": "shaky"}, 60),
    ],
    "simple-life-or-death": [
        (2, {}, 160),
        (2, {"combat": "2d6", "movement": "d6", "width": 16, "height": 20}, 160),
        (3, {"order": "counterclockwise", "combat": "1d12", "movement": "d12"}, 200),
        (4, {"movement": "d8", "rounds": 5}, 240),
        (6, {"width": 18, "rounds": 3}, 240),
        (5, {"width": 17, "height": 42, "rounds": 2}, 240),
    ],
}
"""Seats, parameters, and after how many moves a match is closed; in turn. Others: as they come."""

MATCHES, OBSERVED = 300, 30
DROPS = 5
"""In one match of so many a seat drops out."""

HALF = 0.5
LISTED = 400
"""Of more moves than these one is found through the options."""


def presets(game: Game) -> Sequence[tuple[int, Mapping[str, Any], int]]:
    """Return what kinds of matches are played of a game."""
    low, high = game.title.meta.seats
    return PRESETS.get(game.slug) or [(low, {}, 100), (high, {}, 100)]


def play(game: Game, number: int) -> dict[str, Any]:
    """Play a match at random, and return it as it is stored."""
    rng = random.Random(f"{game.slug} {number}")
    ways = presets(game)
    seats, given, most = ways[number % len(ways)]
    params, dice = game.params(given), Chance(rng=rng)
    state = game.setup(seats, params, dice)
    steps: list[Step] = []
    stop = rng.randrange(most) if number % DROPS == 0 else most
    setup = dice.drawn
    while actors := game.actors(state):
        step: Step = ["close", None, "", []]
        if len(steps) < stop:
            seat = rng.choice(actors)
            step = ["play", seat, pick(game, state, seat, rng), []]
        elif stop < most:
            stop, step = most, ["drop", rng.choice(actors), "", []]
        dice = Chance(rng=rng)
        state, _ = game.take(state, step, dice)
        step[3] = dice.drawn
        steps.append(step)
    return {"seats": seats, "params": params, "setup": setup, "steps": steps}


def pick(game: Game, state: Any, seat: Seat, rng: random.Random) -> Text:
    """Return a legal move: any, or words chosen one by one, so that rare kinds come."""
    if game.slug in POLICIES:
        return POLICIES[game.slug](rng)
    texts = game.moves(state, seat, LISTED)
    if len(texts) == LISTED:
        return walk(game, state, seat, rng)[-1][0]
    if game.choose:
        return str(game.choose(game.dump(state), seat, texts, rng))
    if rng.random() < HALF:
        return rng.choice(texts)
    at = 0
    while len(texts) > 1:
        words: dict[str, list[Text]] = {}
        for text in texts:
            words.setdefault("".join(text.split()[at : at + 1]), []).append(text)
        texts = words[rng.choice(sorted(words))]
        at += 1
    return texts[0]


def let_go(rng: random.Random) -> Text:
    """Return a placement near the middle: others fall at once."""
    return f"place {rng.gauss(0, 0.7):+.1f} {round(rng.gauss(0, 1)):+d}"


POLICIES: Mapping[str, Callable[[random.Random], Text]] = {"precary-ice": let_go}


def walk(game: Game, state: Any, seat: Seat, rng: random.Random) -> list[tuple[Text, Any, Any]]:
    """Choose among the options until a move is whole; return text, options, view at each word."""
    typed, steps = "", []
    while True:
        whole, offers, view, data = game.options(state, seat, typed)
        steps.append((typed, data, view))
        if whole and (not offers or rng.random() < HALF):
            return steps
        typed += game.words(rng.choice(offers), rng)
