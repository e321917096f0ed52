"""Everything visible in a position, as texts of several kinds."""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from bench.corpus.game import Chance, Game, Refusal, Step, Text, plain
from bench.corpus.matches import LISTED, walk
from games.kernel.contract import Seat

CHEAP = ("standing", "position", "view", "events", "log", "texts")
COSTLY = ("moves", "options", "refusals", "drawing", "entry", "export", "broken", "physics")
KINDS = (*CHEAP, *COSTLY)

DRAWN = 36
"""Number of positions of a match at which expensive texts are made, once for each viewer."""

WATCHED = 4
"""Number of these at which observations are simulated as well."""

BROKEN = 8
OUT_OF_PLACE: Sequence[Any] = (None, -1, 0, 1, 7, 10**30, "", "x", [], {}, True, 2.5, "??")


@dataclass(frozen=True)
class Place:
    """A position of a match, and the step that led to it."""

    game: Game
    match: Mapping[str, Any]
    ply: int
    state: Any
    step: Step
    events: Sequence[Any]
    physics: Sequence[Any]
    seed: str

    @property
    def viewers(self) -> list[Seat | None]:
        """The viewers: a spectator, and every seat."""
        return [None, *map(Seat, range(self.match["seats"]))]

    @property
    def rng(self) -> random.Random:
        """Return a random generator that depends on the place alone."""
        return random.Random(self.seed)

    def looks(self) -> list[tuple[Seat | None, Any, list[Any]]]:
        """Return for every viewer the view and the events as known."""
        game = self.game
        over = game.standing(self.state)[2] is not None
        return [
            (viewer, game.view(self.state, viewer), game.seen(self.events, viewer, over=over))
            for viewer in self.viewers
        ]

    def texts(self, kind: str) -> Iterator[Text]:
        """Yield the visible texts of one kind."""
        found: Iterator[Text] = getattr(self, f"_{kind}")()
        return found

    def _standing(self) -> Iterator[Text]:
        yield to_json(self.game.standing(self.state))

    def _position(self) -> Iterator[Text]:
        yield to_json(self.game.dump(self.state))

    def _view(self) -> Iterator[Text]:
        yield from (to_json(plain(view)) for _, view, _ in self.looks())

    def _events(self) -> Iterator[Text]:
        yield to_json([self.game.event(event) for event in self.events])
        for _, _, seen in self.looks():
            yield to_json([self.game.event(event) for event in seen])

    def _log(self) -> Iterator[Text]:
        for viewer, _, seen in self.looks():
            yield from (self.game.describe(event, viewer) for event in seen)

    def _texts(self) -> Iterator[Text]:
        if self.step[2]:
            yield to_json(self.game.is_hidden(self.step[2]))
        for viewer, view, seen in self.looks():
            yield to_json(self.game.asides(view, viewer, self.step, seen))
            if viewer is not None:
                yield to_json(self.game.asked(view, viewer, self.match["params"]))

    def _moves(self) -> Iterator[Text]:
        for seat in map(Seat, range(self.match["seats"])):
            yield to_json(self.game.moves(self.state, seat, LISTED))

    def _options(self) -> Iterator[Text]:
        for seat in self.game.actors(self.state):
            for typed, data, _ in walk(self.game, self.state, seat, self.rng):
                yield to_json([typed, data])
            for text in self._typed(seat):
                yield self._said(partial(self._offered, seat, text))

    def _offered(self, seat: Seat, typed: Text) -> Text:
        return to_json(self.game.options(self.state, seat, typed)[3])

    def _typed(self, seat: Seat) -> list[Text]:
        """Return some texts that a player may have typed."""
        rng = self.rng
        moves = self.game.moves(self.state, seat, LISTED)
        whole = rng.sample(moves, min(3, len(moves)))
        cut = [text[: rng.randrange(len(text) + 1)] for text in whole]
        return [*whole, *cut, *(text[::-1] for text in whole)]

    def _refusals(self) -> Iterator[Text]:
        """Yield the refusals of moves of this match that are illegal here."""
        rng, steps = self.rng, [step for step in self.match["steps"] if step[2]]
        for step in rng.sample(steps, min(6, len(steps))):
            for seat in map(Seat, range(self.match["seats"])):
                taken = ["play", seat, step[2], []]
                yield self._said(partial(self._outcome, taken))

    def _outcome(self, step: Step) -> Text:
        try:
            state, _ = self.game.take(self.state, step, Chance())
        except IndexError:
            return "rolls"
        return to_json(self.game.dump(state))

    def _said(self, ask: Callable[[], Text]) -> Text:
        try:
            return ask()
        except Refusal as error:
            return f"{error.code}: {error}"

    def _drawing(self) -> Iterator[Text]:
        yield from map(self.game.page, self._drawings())

    def _export(self) -> Iterator[Text]:
        yield from map(self.game.exported, self._drawings())

    def _drawings(self) -> Iterator[Any]:
        """Yield the drawings for all viewers. One if all see the same."""
        known: list[Any] = []
        for _, view, seen in self.looks():
            if (plain(view), seen) not in known:
                known.append((plain(view), seen))
                yield self.game.draw(view, seen)

    def _entry(self) -> Iterator[Text]:
        """Yield the drawings during the entry of a move."""
        seat = self.rng.choice(self.game.actors(self.state) or [None])
        if seat is not None:
            views = [view for _, _, view in walk(self.game, self.state, seat, self.rng) if view]
            views = self.rng.sample(views, min(1, len(views))) or [self.game.view(self.state, seat)]
            yield self.game.linked(self.game.draw(views[0], ()))

    def _broken(self) -> Iterator[Text]:
        """Yield whether changed positions load, and the loaded unchanged one."""
        rng, position = self.rng, json.loads(to_json(self.game.dump(self.state)))
        yield self._loaded(position)
        for _ in range(BROKEN):
            yield self._loaded(broken_copy(position, rng))

    def _loaded(self, data: Any) -> Text:
        state = self.game.load(data, self.match["seats"], self.match["params"])
        return "broken" if state is None else to_json(self.game.dump(state))

    def _physics(self) -> Iterator[Text]:
        yield to_json(self.physics)


def to_json(data: Any) -> Text:
    """Return JSON with sorted keys."""
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=list)


def broken_copy(position: Any, rng: random.Random) -> Any:
    """Return a position with a random change."""
    data = copy.deepcopy(position)
    spots, todo = [], [data]
    while todo:
        inside = todo.pop()
        keys = sorted(inside) if isinstance(inside, dict) else range(len(inside))
        spots += [(inside, key) for key in keys]
        todo += [inside[key] for key in keys if isinstance(inside[key], dict | list)]
    inside, key = rng.choice(spots)
    inside[key] = rng.choice(OUT_OF_PLACE)
    return data


def places(game: Game, number: int, match: Mapping[str, Any]) -> Iterator[tuple[Place, bool]]:
    """Yield the positions of a match, replayed, and whether expensive texts are made there."""
    count, rng = len(match["steps"]) + 1, random.Random(f"places {number}")
    viewers = match["seats"] + 1 if game.has_secrets else 1
    chosen = set(rng.sample(range(count), min(count, DRAWN // viewers))) | {count - 1}
    watched = set(rng.sample(sorted(chosen), min(len(chosen), WATCHED)))
    params = match["params"]
    state = game.setup(match["seats"], params, Chance(match["setup"]))
    steps: list[Step] = [["setup", None, "", []], *match["steps"]]
    for ply, step in enumerate(steps):
        events: Sequence[Any] = ()
        dice = Chance(step[3], looks=ply in watched)
        if ply:
            state, events = game.take(state, step, dice)
        seed = f"{game.slug} {number} {ply}"
        yield Place(game, match, ply, state, step, events, dice.seen, seed), ply in chosen
