"""The matches of the corpus: played at random, with a preference for rare moves."""

import random
from collections.abc import Sequence
from typing import Any

from bench.corpus.game import Chance, Game, Step, Text
from games.kernel.contract import Seat
from tests.contract.game_modules import reference_of
from tests.contract.reference import Sample

LONGEST = 240
"""A match is closed after this many moves, or sooner if the game says so."""

MATCHES, OBSERVED = 300, 30
DROPS = 5
"""In one of this many matches a seat drops out."""

HALF = 0.5
LISTED = 400
"""With more moves than this, one is chosen through the options."""


def presets(game: Game) -> Sequence[Sample]:
    """Return the kinds of matches of a game: those of its contract tests."""
    samples: Sequence[Sample] = reference_of(game.slug).SAMPLES
    return samples


def play(game: Game, number: int) -> dict[str, Any]:
    """Play a match at random, and return it as it is stored."""
    rng = random.Random(f"{game.slug} {number}")
    ways = presets(game)
    way = ways[number % len(ways)]
    seats, most = way.seats, min(way.plies, LONGEST)
    params, dice = game.params(way.params), Chance(rng=rng)
    state = game.setup(seats, params, dice)
    steps: list[Step] = []
    stop = rng.randrange(most) if number % DROPS == 0 else most
    setup = dice.drawn
    while actors := game.actors(state):
        step: Step = ["close", None, "", []]
        if len(steps) < stop:
            seat = rng.choice(actors)
            step = ["play", seat, pick(game, state, seat, rng, seats=seats, params=params), []]
        elif stop < most:
            stop, step = most, ["drop", rng.choice(actors), "", []]
        dice = Chance(rng=rng)
        state, _ = game.take(state, step, dice)
        step[3] = dice.drawn
        steps.append(step)
    return {"seats": seats, "params": params, "setup": setup, "steps": steps}


def pick(game: Game, state: Any, seat: Seat, rng: random.Random, **match: Any) -> Text:
    """Return a legal move: any, or words chosen one by one, so that rare kinds occur."""
    if game.aim:
        return str(game.aim(rng))
    texts = game.moves(state, seat, LISTED)
    if len(texts) == LISTED:
        return walk(game, state, seat, rng)[-1][0]
    if game.choose:
        return str(game.choose(game.dump(state), seat, texts, rng, **match))
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


def walk(game: Game, state: Any, seat: Seat, rng: random.Random) -> list[tuple[Text, Any, Any]]:
    """Choose among the options until a move is whole. Return text, options, view at each word."""
    typed, steps = "", []
    while True:
        whole, offers, view, data = game.options(state, seat, typed)
        steps.append((typed, data, view))
        if whole and (not offers or rng.random() < HALF):
            return steps
        typed += game.words(rng.choice(offers), rng)
