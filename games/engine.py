"""The engine protocol: one JSON object per line in, one per line out (docs/engine.md).

Any program can use the rules with it, without the site. ``python -m games.engine`` speaks it, and
so does ``manage.py engine``.
"""

import hashlib
import json
import secrets
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from games.kernel import registry, svg_writer
from games.kernel.contract import AnyGame, Event, Params, Seat
from games.kernel.dice import CommittedDice, Dice, Outcome, RecordedDice, no_dice
from games.kernel.encoding import facts, offered
from games.kernel.errors import ChanceError, GameError, MalformedMove, quoted
from games.kernel.palettes import PALETTES
from games.kernel.params import for_match
from games.kernel.random_move import random_move
from games.kernel.replay import PlainEntry, take
from games.kernel.views import Json, View

Request: TypeAlias = Mapping[str, Json]
Answer: TypeAlias = dict[str, Json]

SKIP = "pass"
"""The move that a shortened list still shows."""

SORTED_WHOLE = 5_000
"""Lists of up to this many moves are sorted before they are shortened."""

PROTOCOL = "1.2"
"""The version of the protocol. Versions with the same first number are compatible."""

DEFAULT_LIMIT = 1_000
MAX_LISTED = 1_000_000


class BadRequest(GameError):
    """A request that isn't in the protocol, or comes when there is no match."""

    code = "bad-request"


class PlayedEntry(NamedTuple):
    """A move, or with ``None`` for its text a drop or close, and its events."""

    seat: Seat | None
    move: str | None
    events: tuple[Event, ...]


@dataclass
class EngineMatch:
    """The match that an engine holds: its position and the outcomes of its dice.

    ``entries`` was played since the match was begun or loaded, at the position ``first``.
    """

    title: AnyGame
    seats: int
    params: Params
    key: bytes
    state: Any = None
    rolls: int = field(default=0)
    first: Any = None
    entries: list[PlayedEntry] = field(default_factory=list)

    @property
    def is_over(self) -> bool:
        """Whether it has a result. Then nothing is hidden any more."""
        return self.title.result(self.state) is not None

    def view(self, state: Any, viewer: Seat | None) -> View:
        """Return a position as a seat, or with ``None`` a spectator, may see it."""
        title = self.title
        view: View = title.open_view(state) if self.is_over else title.view(state, viewer)
        return view

    def seen(self, entry: PlayedEntry, viewer: Seat | None) -> list[Event]:
        """Return the events of an entry, as a viewer may know them."""
        return [event.seen_by(viewer, over=self.is_over) for event in entry.events]

    def dice(self, request: Request) -> Dice:
        """Return the outcomes in the request, or otherwise the dice of the match."""
        if request.get("chance") is None:
            return CommittedDice(self.key, self.rolls)
        return RecordedDice(_typed(request, "chance", list))

    def moved(self, state: Any, dice: Dice) -> None:
        """Continue from another position, once all given outcomes have been used.

        :raises ChanceError: one is left over.
        """
        if isinstance(dice, RecordedDice):
            dice.finish()
        self.state = state
        self.rolls += len(_rolls(dice.drawn))


def perft(title: AnyGame, state: Any, depth: int) -> int:
    """Return the number of leaves of the move tree to a depth in moves, to compare two rules.

    A finished game is a leaf at once. If several seats may move, the moves of all count.

    :raises ChanceError: a move draws: such a tree has no single number of leaves.
    """
    actors = title.actors(state)
    if depth == 0 or not actors:
        return 1
    return sum(
        perft(title, title.play(state, seat, move, no_dice())[0], depth - 1)
        for seat in actors
        for move in title.moves(state, seat)
    )


class Engine:
    """Answers requests, one after the other, about its match."""

    def __init__(self) -> None:
        self._match: EngineMatch | None = None
        self._commands: dict[str, Callable[[Request], Answer]] = {
            "games": self._games,
            "new": self._new,
            "load": self._load,
            "position": self._position,
            "view": self._view,
            "svg": self._svg,
            "story": self._story,
            "options": self._options,
            "moves": self._moves,
            "random": self._random,
            "play": self._play,
            "drop": self._drop,
            "close": self._close,
            "perft": self._perft,
        }

    def answer(self, line: str | bytes) -> str:
        """Answer a line. An invalid line gets an answer too, and changes nothing."""
        try:
            answer = {"ok": True, **self.handle(_read(line))}
        except GameError as error:
            answer = {"ok": False, "error": str(error), "code": error.code}
        return json.dumps(answer)

    def handle(self, request: Request) -> Answer:
        """:raises GameError: the request can't be fulfilled."""
        name = _typed(request, "cmd", str)
        if name not in self._commands:
            known = ", ".join(self._commands)
            raise BadRequest(f"There is no command {quoted(name)}. There are: {known}.")
        return self._commands[name](request)

    def _games(self, _request: Request) -> Answer:
        games = [facts(title.meta) for title in registry.titles().values()]
        return {"games": games, "protocol": PROTOCOL}

    def _new(self, request: Request) -> Answer:
        match = _open(request)
        dice = match.dice(request)
        match.moved(match.title.setup(match.seats, match.params, dice), dice)
        match.first = match.state
        self._match = match
        return self._standing()

    def _load(self, request: Request) -> Answer:
        match = _open(request)
        position = _typed(request, "position", dict)
        match.first = match.title.read_position(position, match.seats, match.params)
        match.state = match.first
        self._match = match
        return self._standing()

    def _position(self, _request: Request) -> Answer:
        match = self._held()
        return {"position": match.title.dump(match.state)}

    def _view(self, request: Request) -> Answer:
        match = self._held()
        return {"position": match.view(match.state, self._viewer(request)).dump()}

    def _svg(self, request: Request) -> Answer:
        match = self._held()
        viewer = self._viewer(request)
        theme = _typed(request, "theme", str, "light")
        if theme not in PALETTES:
            raise BadRequest(f"theme is one of {', '.join(PALETTES)}, not {quoted(theme)}.")
        recent = match.seen(match.entries[-1], viewer) if match.entries else []
        drawing = match.title.draw(match.view(match.state, viewer), recent)
        marks = _typed(request, "marks", bool, default=False)
        return {"svg": svg_writer.render(drawing, PALETTES[theme], marks=marks)}

    def _story(self, request: Request) -> Answer:
        match = self._held()
        viewer = self._viewer(request)
        first = match.title.describe_setup(match.view(match.first, viewer), viewer)
        after = _typed(request, "after", int, 0)
        entries = [
            {
                "number": number,
                "seat": entry.seat,
                "move": self._readable(entry, viewer),
                "sentences": match.title.sentences(match.seen(entry, viewer), viewer),
            }
            for number, entry in enumerate(match.entries, start=1)
            if number > after
        ]
        return {"setup": first, "entries": entries}

    def _readable(self, entry: PlayedEntry, viewer: Seat | None) -> str | None:
        """Return the text of a move. Only the last one can hide something."""
        match = self._held()
        if entry.move is None or match.is_over or entry is not match.entries[-1]:
            return entry.move
        return match.title.redact(entry.move, match.view(match.state, viewer))

    def _viewer(self, request: Request) -> Seat | None:
        return None if request.get("seat") is None else self._seat(request)

    def _options(self, request: Request) -> Answer:
        match = self._held()
        seat = self._seat(request)
        typed = _typed(request, "partial", str, "")
        if seat not in match.title.actors(match.state):
            return {"complete": False, "prompt": "", "next": []}
        options = match.title.options(match.state, seat, typed)
        following = [offered(option) for option in options.next]
        return {"complete": options.complete, "prompt": options.prompt, "next": following}

    def _moves(self, request: Request) -> Answer:
        match = self._held()
        seat = self._seat(request)
        limit = _typed(request, "limit", int, DEFAULT_LIMIT)
        if not 0 <= limit <= MAX_LISTED:
            raise BadRequest(
                f"limit is a whole number from 0 to {MAX_LISTED}, not {quoted(limit)}."
            )
        texts = map(str, match.title.moves(match.state, seat))
        listed = list(islice(texts, max(limit, SORTED_WHOLE) + 1))
        if len(listed) <= SORTED_WHOLE:
            listed.sort()
        kept = listed[:limit]
        more = len(listed) > limit
        if more and kept and SKIP not in kept and _can_pass(match, seat):
            kept[-1] = SKIP
        return {"moves": sorted(kept), "more": more}

    def _random(self, request: Request) -> Answer:
        match = self._held()
        seat = self._seat(request)
        seed = _typed(request, "seed", str, secrets.token_hex(16))
        # A program that sends the same seed each time gets another draw at each move.
        mixed = f"{seed}:{len(match.entries)}"
        return {"move": random_move(match.title, match.state, seat, mixed), "seed": seed}

    def _play(self, request: Request) -> Answer:
        seat = self._seat(request)
        move = self._held().title.parse(_typed(request, "move", str))
        return self._take(request, PlainEntry("play", seat, str(move)))

    def _drop(self, request: Request) -> Answer:
        return self._take(request, PlainEntry("drop", self._seat(request)))

    def _close(self, request: Request) -> Answer:
        return self._take(request, PlainEntry("close"))

    def _take(self, request: Request, entry: PlainEntry) -> Answer:
        match = self._held()
        dice = match.dice(request)
        moment = take(match.title, match.state, entry, dice)
        match.moved(moment.state, dice)
        text = entry.text or None
        match.entries.append(PlayedEntry(entry.seat, text, moment.events))
        return {"move": text, **self._record_events(moment.events, dice)}

    def _perft(self, request: Request) -> Answer:
        match = self._held()
        depth = _typed(request, "depth", int)
        if depth < 0:
            raise BadRequest(f"depth is a whole number from 0, not {depth}.")
        try:
            return {"nodes": perft(match.title, match.state, depth)}
        except ChanceError as error:
            raise ChanceError("The moves to this depth draw: perft counts none of them.") from error

    def _held(self) -> EngineMatch:
        if self._match is None:
            raise BadRequest("There is no match yet: new or load begins one.")
        return self._match

    def _seat(self, request: Request) -> Seat:
        seat = _typed(request, "seat", int)
        seats = self._held().seats
        if not 0 <= seat < seats:
            raise BadRequest(f"There is no seat {seat}: the seats are 0 to {seats - 1}.")
        return Seat(seat)

    def _standing(self) -> Answer:
        match = self._held()
        title = match.title
        state = match.state
        ranks = title.result(state)
        return {
            "position": title.dump(state),
            "to_move": list(title.actors(state)),
            "result": None if ranks is None else list(ranks),
        }

    def _record_events(self, events: Iterable[Event], dice: Dice) -> Answer:
        dumped = [event.seen_by(None, over=True).dump() for event in events]
        observed = [outcome for outcome in dice.drawn if not isinstance(outcome, int)]
        answer = {"events": dumped, **self._standing(), "rolls": _rolls(dice.drawn)}
        return {**answer, "observed": observed} if observed else answer


def serve(lines: BinaryIO, answers: BinaryIO) -> None:
    """Answer every line until the input ends."""
    engine = Engine()
    for line in lines:
        answers.write(_answer_anyhow(engine, line).encode("ascii") + b"\n")
        answers.flush()


def _answer_anyhow(engine: Engine, line: bytes) -> str:
    try:
        return engine.answer(line)
    except Exception as error:  # noqa: BLE001  a mistake in a game must not end the process
        traceback.print_exc(file=sys.stderr)
        return json.dumps({"ok": False, "error": f"A mistake of ours: {error!r}", "code": "error"})


def _read(line: str | bytes) -> Request:
    try:
        request = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadRequest(f"This isn’t JSON: {error}") from error
    if not isinstance(request, dict):
        raise BadRequest(f"A request is an object, not {quoted(request)}.")
    return request


def _typed(request: Request, name: str, kind: type, default: Any = None) -> Any:
    """Return a field of a request, which must be of one type. ``null`` counts as missing."""
    value = request.get(name)
    if value is None and default is not None:
        return default
    if type(value) is not kind:
        kinds = {
            bool: "true or false",
            str: "a text",
            int: "a whole number",
            dict: "an object",
            list: "a list",
        }
        raise BadRequest(f"{name} is {kinds[kind]}, not {quoted(value)}.")
    return value


def _open(request: Request) -> EngineMatch:
    title = registry.get(_typed(request, "game", str))
    seats: Any = request.get("seats")
    params = for_match(title, seats, _typed(request, "params", dict, {}))
    return EngineMatch(title, seats, params, _key(request))


def _key(request: Request) -> bytes:
    """Return the key of the dice, derived from the seed, or a secret without one."""
    if request.get("seed") is None:
        return secrets.token_bytes(32)
    seed = _typed(request, "seed", str)
    try:
        return hashlib.sha256(bytes.fromhex(seed)).digest()
    except ValueError:
        raise BadRequest(
            f"seed is an even number of hexadecimal digits, not {quoted(seed)}."
        ) from None


def _can_pass(match: EngineMatch, seat: Seat) -> bool:
    try:
        return match.title.options(match.state, seat, SKIP).complete
    except MalformedMove:
        return False


def _rolls(drawn: Iterable[Outcome]) -> list[int]:
    return [outcome for outcome in drawn if isinstance(outcome, int)]


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
