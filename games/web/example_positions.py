"""An example match of each game, for pages that show what a game looks like."""

import hashlib
import json
from functools import partial
from itertools import islice

from games.kernel import params, registry
from games.kernel.contract import AnyGame, Params
from games.kernel.dice import CommittedDice
from games.kernel.errors import GameError
from games.kernel.language import cached
from games.kernel.playthrough import Playthrough, play, playthroughs
from games.kernel.replay import Moment
from games.kernel.svg import Drawing

PLIES = 26
"""Maximum number of moves of the random match."""

STEPS = 8
"""Number of moves shown at the end of a golden match."""

WIDTH = 400
"""Maximum number of legal moves of a position to choose from."""

CACHE_SIZE = 64
"""Maximum number of drawings that a process caches."""


def example_drawing(slug: str, chosen: Params | None = None, seats: int = 0) -> Drawing:
    """Return a drawing of a full board from a match that is always the same.

    Without parameters or a number of players it shows the defaults and the minimum of players. Each
    process draws it once for the same parameters.
    """
    return _example_drawing(slug, json.dumps(dict(chosen or {}), sort_keys=True), seats)


@cached(CACHE_SIZE)
def _example_drawing(slug: str, chosen: str, seats: int) -> Drawing:
    title = registry.get(slug)
    seats = seats or title.meta.seats[0]
    setup = params.complete(title.meta, json.loads(chosen))
    moments = _golden(title, seats) if title.meta.observes else _match(title, setup, seats)
    fullest = max(moments, key=partial(_fullness, title))
    seen = tuple(event.seen_by(None) for event in fullest.events)
    return title.draw(title.view(fullest.state, None), seen)


def example_steps(slug: str) -> list[tuple[Drawing, str]]:
    """Return drawings of a golden match's last moves with effects, each with these in words.

    It is a match that was played to its end, by the minimum of players and on the most common
    board. Empty for a game without one, or whose rules refuse it.
    """
    title = registry.get(slug)
    defaults = params.complete(title.meta, {})
    golden = [one for one in playthroughs(registry.folder(slug)).values() if _is_played_out(one)]
    best = min(
        golden,
        key=lambda one: (
            one.seats,
            len(params.complete(title.meta, one.params).items() - defaults.items()),
            -len(one.steps),
        ),
        default=None,
    )
    try:
        moments = play(title, best) if best else []
    except GameError:
        return []
    seen = [tuple(event.seen_by(None) for event in moment.events) for moment in moments]
    told = [" ".join(title.sentences(events, None)) for events in seen]
    last = [n for n, words in enumerate(told) if words][-STEPS - 1 :]
    return [(title.draw(title.view(moments[n].state, None), seen[n]).board, told[n]) for n in last]


def _is_played_out(golden: Playthrough) -> bool:
    return all(step.kind == "play" for step in golden.steps)


def _golden(title: AnyGame, seats: int) -> list[Moment]:
    """Return the positions, without the final ones, of the golden matches nearest in players."""
    stored = playthroughs(registry.folder(title.meta.slug)).values()
    nearest = min((match.seats for match in stored), key=lambda count: abs(count - seats))
    matches = [play(title, match) for match in stored if match.seats == nearest]
    return [moment for moments in matches for moment in moments[:-1]]


def _match(title: AnyGame, setup: Params, seats: int) -> list[Moment]:
    """Return the positions of a random match without the final one, the last one first."""
    dice = CommittedDice(hashlib.sha256(title.meta.slug.encode()).digest())
    state = title.setup(seats, setup, dice)
    moments = [Moment(state)]
    for ply in range(PLIES):
        seat = title.actors(state)[0]
        moves = list(islice(title.moves(state, seat), WIDTH))
        pick = int.from_bytes(hashlib.sha256(b"%d" % ply).digest()[:4], "big")
        state, events = title.play(state, seat, moves[pick % len(moves)], dice)
        if title.result(state) is not None:
            break
        moments.insert(0, Moment(state, events))
    return moments


def _fullness(title: AnyGame, moment: Moment) -> int:
    """Return how full a position is: the length of its JSON."""
    return len(json.dumps(title.dump(moment.state)))
