"""Finding puzzles near the end of matches: of bots, and stored ones."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

from games.bots.questions import Question
from games.bots.search import think
from games.kernel.contract import AnyGame, Observation, Params
from games.kernel.heuristics import SampledDice
from games.matches.errors import Unreadable
from games.matches.log.positions import state_after
from games.matches.models import Match
from games.matches.selectors import MatchSnapshot
from games.study.puzzles import Puzzle, prove, terms

LAST = 20
"""Number of positions before the end of a match that are searched."""

MOST_PLIES = 400
"""A match of bots is abandoned after this many moves."""


def find(title: AnyGame, states: Sequence[Any], params: Params) -> Puzzle | None:
    """Return a puzzle from the positions of one match, with as many moves as possible."""
    ranks = title.result(states[-1])
    if ranks is None or ranks.count(1) != 1:
        return None
    winner = ranks.index(1)
    positions = [one for one in states[-LAST:-1] if winner in title.actors(one)]
    own = terms(title, params)
    proofs = (prove(title, one, own, len(ranks)) for one in positions)
    return max(filter(None, proofs), key=lambda puzzle: puzzle.moves, default=None)


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
