"""Finding puzzles: wins near the end of matches of bots and stored ones, and decisions."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from games.bots.questions import Question
from games.bots.search import think
from games.kernel import registry
from games.kernel.contract import AnyGame, Observation, Params
from games.kernel.errors import BrokenPosition
from games.kernel.heuristics import SampledDice
from games.kernel.params import for_match
from games.matches.errors import Unreadable
from games.matches.log.positions import state_after
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot
from games.study.puzzles import Puzzle, decide, prove, terms

LAST = 24
"""Number of positions before the end of a match that are searched."""

MOST_PLIES = 400
"""A match of bots is abandoned after this many moves."""


QUICK_NODES, QUICK_MOVES = 1_500, 3
"""Limits of a proof in a composed position, of which there are plenty."""


def find(title: AnyGame, states: Sequence[Any], params: Params) -> Puzzle | None:
    """Return a puzzle from the positions of one match, with as many moves as possible."""
    ranks = title.result(states[-1])
    if ranks is None or ranks.count(1) != 1:
        return None
    own = terms(title, params)
    found = None
    for state in states[-LAST:-1][::-1]:
        puzzle = prove(title, state, own, len(ranks))
        if puzzle and (found is None or puzzle.moves > found.moves):
            found = puzzle
    return found


def decisions(title: AnyGame, seats: int, seed: str) -> Iterator[Puzzle | None]:
    """Yield puzzles of decisions in positions determined by the seed, without end.

    ``None`` stands for a position without a clear decision.
    """
    questions = registry.decisions(title)
    chance = random.Random(seed)  # noqa: S311 - positions that nobody plays
    for state, seat, params in questions.positions(seats, chance) if questions else ():
        yield decide(title, state, seat, params, seats)


def endings(title: AnyGame, seats: int, seed: str) -> Iterator[Puzzle | None]:
    """Yield puzzles of forced wins in positions composed from the seed, without end.

    ``None`` stands for a position without a puzzle.
    """
    compose = registry.endings(title)
    params = for_match(title, seats, {})
    chance = random.Random(seed)  # noqa: S311 - positions that nobody plays
    for state in compose(chance) if compose else ():
        try:
            read = title.read_position(title.dump(state), seats, params)
        except BrokenPosition:
            continue
        yield prove(title, read, {}, seats, most=QUICK_NODES, longest=QUICK_MOVES)


def self_play(title: AnyGame, seats: int, params: Params, level: int, seed: str) -> list[Any]:
    """Return the positions of a match between bots of a level, determined by the seed."""
    chance = random.Random(seed)  # noqa: S311 - a match that nobody plays
    states = [title.setup(seats, params, SampledDice(chance))]
    while title.result(states[-1]) is None and len(states) <= MOST_PLIES:
        state = states[-1]
        seat = title.actors(state)[0]
        view = title.view(state, seat).dump()
        meta = title.meta
        seen = Observation(meta.slug, meta.rules_version, params, seats, seat, view)
        move = think(Question(seen, level, f"{seed} {len(states)}")).move
        after, _ = title.play(state, seat, title.parse(move), SampledDice(chance))
        states.append(after)
    return states


def stored(title: AnyGame) -> Iterator[tuple[list[Any], Params]]:
    """Yield the last positions of ended matches and their parameters, the newest match first.

    Matches that were closed early, annulled or have other rules are left out.
    """
    ended = Match.objects.filter(
        title=title.meta.slug,
        rules_version=title.meta.rules_version,
        status=Match.Status.OVER,
    )
    for match in ended.order_by("-pk").iterator():
        snapshot = MatchSnapshot(match, list(match.players.select_related("user").order_by("seat")))
        try:
            numbers = range(max(0, match.version - LAST), match.version + 1)
            yield [state_after(snapshot.table, number) for number in numbers], snapshot.params
        except Unreadable:
            continue
