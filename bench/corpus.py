"""A corpus of matches, to check that a refactoring changes no behaviour.

``python -m bench corpus --write FILE`` plays 300 matches of each game (30 if outcomes are observed)
and stores them with hashes of everything visible in each position. ``--compare FILE`` replays the
stored moves with the current code, and reports every position with a difference. ``--explain FILE
GAME MATCH PLY KIND`` prints the hashed texts, to compare two checkouts with ``diff``. Cheap texts
are hashed at every position, expensive ones (``COSTLY``) at some, drawn by the number of the match.
"""

import argparse
import copy
import gzip
import hashlib
import json
import os
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any

from games.kernel import registry, svg, svg_writer
from games.kernel.contract import AnyGame, Event, Seat
from games.kernel.dice import Outcome, RecordedDice, Watch
from games.kernel.errors import BrokenPosition, ChanceError, GameError
from games.kernel.heuristics import SampledDice
from games.kernel.options import Span
from games.kernel.palettes import PALETTES
from games.kernel.params import complete
from games.kernel.replay import PlainEntry, take
from games.kernel.views import View
from tests.contract.game_modules import policy_of, reference_of

MATCHES, OBSERVED = 300, 30
"""Matches of each game, and of one whose outcomes are observed."""

LONGEST = 240
"""A match is closed after this many moves, or sooner if its sample says so."""

DROPS = 5
"""In one of this many matches a seat drops out."""

HALF = 0.5
LISTED = 400
"""With more moves than this, one is chosen through the options."""

CHEAP = ("standing", "position", "view", "events", "log", "texts")
COSTLY = ("moves", "options", "refusals", "drawing", "entry", "export", "broken", "physics")

DRAWN = 36
"""Number of positions of a match at which expensive texts are made, once for each viewer."""

WATCHED = 4
"""Number of these at which observations are simulated as well."""

BROKEN = 8
OUT_OF_PLACE: Sequence[Any] = (None, -1, 0, 1, 7, 10**30, "", "x", [], {}, True, 2.5, "??")
LINE = re.compile(r"<line [^>]*/>")
LINES = re.compile(f"(?:{LINE.pattern})+")
DIGITS = 8
"""Length of a hash."""

Step = Sequence[Any]
"""``[kind, seat, text, outcomes]``, as in a log."""

Match = Mapping[str, Any]
Hashes = dict[str, dict[str, str]]


def main(arguments: Sequence[str]) -> int:
    """Run the command. Return 1 if there are differences."""
    if os.environ.get("PYTHONHASHSEED") != "0":
        command = [sys.executable, "-m", "bench", "corpus", *arguments]
        os.execve(sys.executable, command, {**os.environ, "PYTHONHASHSEED": "0"})
    parser = argparse.ArgumentParser("python -m bench corpus")
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--write", type=Path, metavar="FILE")
    what.add_argument("--compare", type=Path, metavar="FILE")
    what.add_argument("--explain", nargs=5, metavar=("FILE", "GAME", "MATCH", "PLY", "KIND"))
    parser.add_argument("--game", action="append", help="only this one")
    parser.add_argument("--first", type=int, default=MATCHES, help="only this many matches of each")
    given = parser.parse_args(arguments)
    slugs = given.game or sorted(registry.titles())
    if given.write:
        write(given.write, slugs, given.first)
    elif given.explain:
        file, slug, number, ply, kind = given.explain
        explain(Path(file), slug, int(number), int(ply), kind)
    elif not compare(given.compare, slugs, given.first):
        return 1
    return 0


def write(file: Path, slugs: Sequence[str], first: int) -> None:
    """Play the matches, and store them."""
    games = {}
    for slug in slugs:
        title, matches = registry.get(slug), []
        for number in range(min(first, OBSERVED if title.meta.observes else MATCHES)):
            match = json.loads(json.dumps(play(title, number)))
            match["hashes"] = hashes(title, number, match)
            matches.append(match)
        games[slug] = {"facts": facts(title), "matches": matches}
        print(f"{slug}: {len(matches)} matches, {plies(matches)} positions")
    data = json.dumps({"games": games}, separators=(",", ":")).encode()
    file.write_bytes(gzip.compress(data, 9, mtime=0))


def read(file: Path) -> dict[str, Any]:
    games: dict[str, Any] = json.loads(gzip.decompress(file.read_bytes()))["games"]
    return games


def plies(matches: Sequence[Match]) -> int:
    """Return the number of positions in matches."""
    return sum(len(match["steps"]) + 1 for match in matches)


def facts(title: AnyGame) -> str:
    """Return a digest of what a game says about itself."""
    meta = title.meta
    names = ("name", "designer", "year", "summary", "seats", "params", "endings", "terms")
    found = {name: getattr(meta, name) for name in names} | {"version": meta.rules_version}
    return hashlib.sha256(to_json(found).encode()).hexdigest()[:16]


def compare(file: Path, slugs: Sequence[str], first: int) -> bool:
    """Replay the stored matches, report differences, and return whether all are equal."""
    agrees = True
    for slug, stored in read(file).items():
        if slug not in slugs:
            continue
        title, differing = registry.get(slug), Counter[str]()
        if facts(title) != stored["facts"]:
            differing["facts"] += 1
        for number, match in enumerate(stored["matches"][:first]):
            found = hashes(title, number, match)
            differing.update(differences(f"{slug} {number}", match["hashes"], found))
        told = ", ".join(f"{count} of {kind}" for kind, count in differing.items())
        print(f"{slug}: {told or 'no'} differences in {plies(stored['matches'][:first])} positions")
        agrees = agrees and not differing
    return agrees


def differences(name: str, stored: Hashes, found: Hashes) -> Iterator[str]:
    """Yield the kind of every difference in a match, and print the first place of each."""
    for kind, before in stored.items():
        now = found.get(kind, {})
        other = [ply for ply, digest in before.items() if now.get(ply) != digest]
        if other:
            print(f"{name}: {kind} differs, first at ply {other[0]}")
        yield from [kind] * len(other)


def explain(file: Path, slug: str, number: int, ply: int, kind: str) -> None:
    """Print the hashed texts of a position."""
    match = read(file)[slug]["matches"][number]
    for place, _ in places(registry.get(slug), number, match):
        if place.ply == ply:
            print(f"{slug} {number}, ply {ply}: {place.step}")
            for text in place.texts(kind):
                print(text.replace("><", ">\n<"))


def hashes(title: AnyGame, number: int, match: Match) -> Hashes:
    """Return the hashes of the texts of each kind, by the number of the position."""
    found: Hashes = {}
    try:
        for place, is_chosen in places(title, number, match):
            for kind in (*CHEAP, *COSTLY) if is_chosen else CHEAP:
                text = "\0".join(place.texts(kind))
                digest = hashlib.sha256(text.encode()).hexdigest()[:DIGITS]
                found.setdefault(kind, {})[str(place.ply)] = digest
    except Exception as error:  # noqa: BLE001 - a match that does not replay is a difference
        print(f"{title.meta.slug} {number}: the match does not replay: {error!r}")
    return found


# --- The matches: played at random, with a preference for rare moves ------------------------------


def play(title: AnyGame, number: int) -> Match:
    """Play a match of one of the kinds in the game's contract tests, as it is stored."""
    slug = title.meta.slug
    rng, samples = random.Random(f"{slug} {number}"), reference_of(slug).SAMPLES
    sample = samples[number % len(samples)]
    seats, most = sample.seats, min(sample.plies, LONGEST)
    params, dice = complete(title.meta, sample.params), SampledDice(rng)
    state = title.setup(seats, params, dice)
    setup = dice.drawn
    steps: list[Step] = []
    stop = rng.randrange(most) if number % DROPS == 0 else most
    while actors := list(title.actors(state)):
        entry = PlainEntry("close")
        if len(steps) < stop:
            seat = rng.choice(actors)
            text = pick(title, state, seat, rng, seats=seats, params=params)
            entry = PlainEntry("play", seat, text)
        elif stop < most:
            stop, entry = most, PlainEntry("drop", rng.choice(actors))
        dice = SampledDice(rng)
        moment = take(title, state, entry, dice)
        state = moment.state
        steps.append([entry.kind, entry.seat, entry.text, dice.drawn])
    return {"seats": seats, "params": params, "setup": setup, "steps": steps}


def pick(title: AnyGame, state: Any, seat: Seat, rng: random.Random, **match: Any) -> str:
    """Return a legal move: any, or words chosen one by one, so that rare kinds occur."""
    policy = policy_of(title.meta.slug)
    if aim := getattr(policy, "aim", None):
        return str(aim(rng))
    texts, choose = listed(title, state, seat), getattr(policy, "choose", None)
    if len(texts) == LISTED or (choose is None and rng.random() < HALF):
        return walk(title, state, seat, rng)[-1][0]
    return (
        str(choose(title.dump(state), seat, texts, rng, **match)) if choose else rng.choice(texts)
    )


def listed(title: AnyGame, state: Any, seat: Seat) -> list[str]:
    """Return the texts of the first moves."""
    return [str(move) for move in islice(title.moves(state, seat), LISTED)]


def walk(title: AnyGame, state: Any, seat: Seat, rng: random.Random) -> list[tuple[str, Any]]:
    """Choose among the options until a move is whole. Return text and options at each word."""
    typed, steps = "", []
    while True:
        options = title.options(state, seat, typed)
        steps.append((typed, options))
        if options.complete and (not options.next or rng.random() < HALF):
            return steps
        option = rng.choice(options.next)
        if isinstance(option, Span):
            values = round((option.high - option.low) / option.step) + 1
            typed += option.format.format(option.low + rng.randrange(values) * option.step)
        else:
            typed += str(option.text)


# --- What is visible ------------------------------------------------------------------------------


class RepeatedDice(RecordedDice):
    """Recorded dice that also repeat observations: ``seen`` are outcomes and traces of today."""

    def __init__(self, outcomes: Sequence[Outcome], *, looks: bool) -> None:
        super().__init__(outcomes)
        self.seen: list[Any] = []
        self._looks = looks

    def observe(self, watch: Watch) -> Outcome:
        if self._looks:
            self.seen.append(watch())
        return super().observe(watch)


def places(title: AnyGame, number: int, match: Match) -> Iterator[tuple["Place", bool]]:
    """Yield the positions of a match, replayed, and whether expensive texts are made there."""
    count, rng = len(match["steps"]) + 1, random.Random(f"places {number}")
    viewers = match["seats"] + 1 if title.meta.has_secrets else 1
    chosen = set(rng.sample(range(count), min(count, DRAWN // viewers))) | {count - 1}
    watched = set(rng.sample(sorted(chosen), min(len(chosen), WATCHED)))
    state = title.setup(match["seats"], match["params"], RecordedDice(match["setup"]))
    steps: list[Step] = [["setup", None, "", []], *match["steps"]]
    for ply, (kind, seat, text, outcomes) in enumerate(steps):
        dice = RepeatedDice(outcomes, looks=ply in watched)
        state, events, *_ = take(title, state, PlainEntry(kind, seat, text), dice)
        place = Place(title, number, match, ply, steps[ply], state, events, dice.seen)
        yield place, ply in chosen


@dataclass(frozen=True)
class Place:
    """A position of a match, and the step that led to it."""

    title: AnyGame
    number: int
    match: Match
    ply: int
    step: Step
    state: Any
    events: Sequence[Event]
    physics: Sequence[Any]

    @property
    def rng(self) -> random.Random:
        """Return a random generator that depends on the place alone."""
        return random.Random(f"{self.title.meta.slug} {self.number} {self.ply}")

    @property
    def seats(self) -> list[Seat]:
        return list(map(Seat, range(self.match["seats"])))

    @cached_property
    def looks(self) -> list[tuple[Seat | None, Any, list[Event]]]:
        """For a spectator and every seat, the view and the events as known."""
        over = self.title.result(self.state) is not None
        return [
            (
                viewer,
                self.title.view(self.state, viewer),
                [event.seen_by(viewer, over=over) for event in self.events],
            )
            for viewer in (None, *self.seats)
        ]

    def texts(self, kind: str) -> Iterator[str]:
        """Yield the visible texts of one kind, including crashes."""
        try:
            yield from getattr(self, f"_{kind}")()
        except Exception as error:  # noqa: BLE001 - reported as a difference, and the others go on
            yield f"{type(error).__name__}: {error}"

    def _standing(self) -> Iterator[str]:
        ranks, title = self.title.result(self.state), self.title
        out = sorted(title.eliminated(self.state))
        yield to_json([list(title.actors(self.state)), out, ranks and list(ranks)])

    def _position(self) -> Iterator[str]:
        yield to_json(self.title.dump(self.state))

    def _view(self) -> Iterator[str]:
        yield from (to_json(plain(view)) for _, view, _ in self.looks)

    def _events(self) -> Iterator[str]:
        for events in (self.events, *(seen for _, _, seen in self.looks)):
            yield to_json([event.dump() for event in events])

    def _log(self) -> Iterator[str]:
        for viewer, _, seen in self.looks:
            yield from (self.title.describe(event, viewer) for event in seen)

    def _texts(self) -> Iterator[str]:
        title, text = self.title, self.step[2]
        if text:
            yield to_json(title.outcome_hidden(title.parse(text)))
        orders = title.standing_orders(self.match["params"])
        labels = {name: order.label for name, order in orders.items()}
        for viewer, view, seen in self.looks:
            dice = [list(map(list, title.dice(event))) for event in seen]
            yield to_json([text and title.redact(text, view), dice])
            if viewer is not None:
                answers = {name: order.answer(view, viewer) for name, order in orders.items()}
                yield to_json([title.pending_question(view, viewer), labels, answers])

    def _moves(self) -> Iterator[str]:
        yield from (to_json(listed(self.title, self.state, seat)) for seat in self.seats)

    def _options(self) -> Iterator[str]:
        for seat in self.title.actors(self.state):
            for typed, options in walk(self.title, self.state, seat, self.rng):
                yield to_json([typed, dumped(options)])
            # Some texts that a player may have typed.
            rng, moves = self.rng, listed(self.title, self.state, seat)
            whole = rng.sample(moves, min(3, len(moves)))
            cut = [text[: rng.randrange(len(text) + 1)] for text in whole]
            for text in (*whole, *cut, *(text[::-1] for text in whole)):
                yield said(partial(self._offered, seat, text))

    def _offered(self, seat: Seat, typed: str) -> str:
        return to_json(dumped(self.title.options(self.state, seat, typed)))

    def _refusals(self) -> Iterator[str]:
        """Yield the refusals of moves of this match that are illegal here."""
        rng, texts = self.rng, [step[2] for step in self.match["steps"] if step[2]]
        for text in rng.sample(texts, min(6, len(texts))):
            for seat in self.seats:
                yield said(partial(self._outcome, PlainEntry("play", seat, text)))

    def _outcome(self, entry: PlainEntry) -> str:
        try:
            moment = take(self.title, self.state, entry, RecordedDice(()))
        except ChanceError:
            return "rolls"
        return to_json(self.title.dump(moment.state))

    def _drawing(self) -> Iterator[str]:
        """Yield drawings as on pages."""
        yield from (settled(svg_writer.render(drawing)) for drawing in self._drawings())

    def _export(self) -> Iterator[str]:
        """Yield drawings as standalone files, in each palette."""
        for drawing in self._drawings():
            colours = PALETTES.values()
            files = (svg_writer.render(drawing, palette, marks=False) for palette in colours)
            yield "".join(map(settled, files))

    def _drawings(self) -> Iterator[Any]:
        """Yield the drawings for all viewers. One if all see the same."""
        known: list[Any] = []
        for _, view, seen in self.looks:
            if (plain(view), seen) not in known:
                known.append((plain(view), seen))
                yield self.title.draw(view, seen)

    def _entry(self) -> Iterator[str]:
        """Yield a drawing during the entry of a move, with a link on every second mark."""
        actors = list(self.title.actors(self.state))
        if actors:
            seat = self.rng.choice(actors)
            steps = walk(self.title, self.state, seat, self.rng)
            views = [options.view for _, options in steps if options.view]
            views = self.rng.sample(views, min(1, len(views)))
            view = views[0] if views else self.title.view(self.state, seat)
            drawing = self.title.draw(view, ())
            names = [name for name, _ in svg.marks_of(drawing)][::2]
            links = dict.fromkeys(names, "#")
            yield settled(svg_writer.render(drawing, links=links, chosen=names[:1]))

    def _broken(self) -> Iterator[str]:
        """Yield whether changed positions load, and the loaded unchanged one."""
        rng, position = self.rng, json.loads(to_json(self.title.dump(self.state)))
        for data in (position, *(broken_copy(position, rng) for _ in range(BROKEN))):
            try:
                state = self.title.read_position(data, len(self.seats), self.match["params"])
            except BrokenPosition:
                yield "broken"
            else:
                yield to_json(self.title.dump(state))

    def _physics(self) -> Iterator[str]:
        yield to_json(self.physics)


def to_json(data: Any) -> str:
    return json.dumps(data, sort_keys=True, ensure_ascii=False, default=list)


def plain(value: Any) -> Any:
    """Return a view as JSON."""
    return value.dump() if isinstance(value, View) else value


def dumped(options: Any) -> Any:
    """Return options as JSON."""
    offers = [
        [o.low, o.high, o.step, o.format, o.label, list(o.marks)]
        if isinstance(o, Span)
        else [o.text, o.label, list(o.marks)]
        for o in options.next
    ]
    duties = [[duty.label, duty.is_done] for duty in options.requirements]
    return [options.complete, offers, options.prompt, plain(options.view), duties]


def said(ask: Callable[[], str]) -> str:
    """Return an answer or a refusal."""
    try:
        return ask()
    except GameError as error:
        return f"{error.code}: {error}"


def settled(text: str) -> str:
    """Sort consecutive lines of a drawing, since some come from sets."""
    return LINES.sub(lambda found: "".join(sorted(LINE.findall(found[0]))), text)


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
