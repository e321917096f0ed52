"""Checking the dice of a match from its exported record alone: nothing else is asked.

A record is the JSON that the site gives away (docs/dice.md says what is in it). Checked are: that
the secret is the one that was committed to, and with strict dice every nonce too; that every roll
follows from secret and nonces; and, where the rules of the game are at hand, that the moves as they
are written ask for these dice, do what the record says they did, and lead to its result.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import jsonschema

from games.kernel import registry
from games.kernel.contract import AnyGame, Event, Seat
from games.kernel.dice import (
    SIZE,
    SPACE,
    RecordedDice,
    Working,
    commitment,
    match_key,
    rolled,
    work_out,
)
from games.kernel.errors import GameError, UnknownTitle
from games.kernel.params import check_seats, complete
from games.kernel.replay import Kind, Step, take
from games.kernel.views import Json

Record: TypeAlias = Mapping[str, Json]

HEX = {"type": "string", "pattern": "^([0-9a-f]{2})*$"}
NUMBER = {"type": "integer", "minimum": 0}
CHANCE = {
    "chance": {"type": "array", "items": {"type": ["integer", "object"]}},
    "sides": {
        "type": "array",
        "items": {"type": ["integer", "null"], "minimum": 1, "maximum": SPACE},
    },
}
PROOFS = {
    "server": "The server made at least one of the nonces.",
    "browser": "Each nonce came from a player's browser; the server knew all but the last.",
    "strict": "Strict dice: every nonce was committed to before any was revealed.",
}
"""What the record says of its nonces, by the kind of dice it names."""

SCHEMA: Mapping[str, Json] = {
    "type": "object",
    "required": ["match", "title", "rules_version", "params", "players", "dice", "log"],
    "properties": {
        "format": {"const": "turnstone-match"},
        "match": NUMBER,
        "title": {"type": "string"},
        "rules_version": NUMBER,
        "params": {"type": "object"},
        "players": {"type": "array", "minItems": 1, "maxItems": 64},
        "dice": {
            "type": ["object", "null"],
            "required": ["seal", "secret", "nonces"],
            "properties": {
                "seal": HEX,
                "secret": {**HEX, "type": ["string", "null"]},
                "nonces": {"type": ["array", "null"], "items": HEX},
                "kind": {"enum": list(PROOFS)},
                "nonce_commitments": {"type": ["array", "null"], "items": HEX},
            },
        },
        "status": {"type": "string"},
        "result": {"type": ["array", "null"], "items": NUMBER},
        "setup_chance": {**CHANCE["chance"], "type": ["array", "null"]},
        "setup_sides": {**CHANCE["sides"], "type": ["array", "null"]},
        "log": {
            "type": "array",
            "items": {
                "type": "object",
                "required": ["number", "kind", "seat", "text", "undoes", "events"],
                "properties": {
                    "number": NUMBER,
                    "kind": {"type": "string"},
                    "seat": {"type": ["integer", "null"], "minimum": 0},
                    "text": {"type": "string"},
                    "undoes": {"type": ["integer", "null"], "minimum": 1},
                    "events": {"type": "array", "items": {"type": "object"}},
                    "chance": {**CHANCE["chance"], "type": ["array", "null"]},
                    "sides": {**CHANCE["sides"], "type": ["array", "null"]},
                    "first_roll": {"type": ["integer", "null"], "minimum": 0},
                },
            },
        },
    },
}
"""The parts of a record that are looked at."""

KINDS: Mapping[str, Kind] = {
    "play": "play",
    "resign": "drop",
    "timeout": "drop",
    "remove": "drop",
    "close": "close",
}
"""The entries that do something in the game, and what."""

MAX_MESSAGE_LENGTH = 200
"""Maximum length of a message about a text, in characters."""

MAX_LISTED_ROLLS = 5
"""How many wrong rolls are told one by one."""


class NoRecord(GameError):
    """A text that is no record of a match."""

    code = "no-record"


@dataclass(frozen=True, slots=True)
class Roll:
    """A roll as it was recorded, of a log entry or (0) of the setup."""

    entry: int
    number: int
    sides: int
    face: int

    def __str__(self) -> str:
        where = f"of entry {self.entry}" if self.entry else "of the setup"
        return f"Roll {self.number}, {where}: {self.face} on a die of {self.sides}"


def read(text: str | bytes) -> Record:
    """Read a record.

    :raises NoRecord: it is none; the sentence says why.
    """
    try:
        record = json.loads(text)
        jsonschema.validate(record, SCHEMA)
    except (ValueError, RecursionError) as error:
        raise NoRecord(f"This is no JSON: {error}") from error
    except jsonschema.ValidationError as error:
        message = f"{error.json_path} {error.message}"
        raise NoRecord(f"This is no record of a match: {message[:MAX_MESSAGE_LENGTH]}") from None
    return dict(record)


@dataclass(frozen=True)
class Check:
    """What a record says of its dice, and whether it is so."""

    record: Record

    @property
    def dice(self) -> Mapping[str, Json]:
        """The secret, and the commitment to it."""
        return self.record["dice"] or {}

    @cached_property
    def key(self) -> bytes:
        """The key of the dice."""
        nonces = [bytes.fromhex(nonce) for nonce in self.dice["nonces"]]
        return match_key(bytes.fromhex(self.dice["secret"]), nonces)

    @cached_property
    def rolls(self) -> list[Roll]:
        """All rolls, numbered in the order of the log."""
        rolls: list[Roll] = []
        for entry, chance, sides, _ in self._draws():
            for outcome, count in zip(chance, sides, strict=False):
                if type(outcome) is int and type(count) is int:
                    rolls.append(Roll(entry, len(rolls), count, outcome))
        return rolls

    def working(self, roll: Roll) -> Working:
        """Return how a roll comes out of the key."""
        return work_out(self.key, roll.number, roll.sides)

    @cached_property
    def trouble(self) -> list[str]:
        """Whatever is not as it should be, in sentences; nothing if all is well."""
        if not self.dice:
            return list(self._missing_dice())
        if self.dice["secret"] is None or self.dice["nonces"] is None:
            return ["The match still runs: its secret is shown when it has ended."]
        rolls = list(self._gaps()) or self._wrong_rolls()
        return [*self._broken_secret(), *self._broken_commitments(), *rolls, *self._other_play()]

    @cached_property
    def remark(self) -> str:
        """Why the rules were not asked which dice they roll; empty if they were."""
        slug = self.record["title"]
        played = self.record["rules_version"]
        try:
            known = registry.get(slug)
        except UnknownTitle:
            return (
                f"The game {slug!r} is not known here: which dice its rules roll was not checked."
            )
        versions = {title.meta.rules_version for title in (known, *known.older)}
        if played in versions:
            return ""
        return (
            f"Played by version {played} of the rules,"
            f" known here is {' and '.join(map(str, sorted(versions)))}:"
            " which dice they roll was not checked."
        )

    @property
    def _title(self) -> AnyGame:
        """The game by the rules that the match was played by; only where there is no remark."""
        return registry.get(self.record["title"], self.record["rules_version"])

    def _draws(self) -> Iterator[tuple[int, Sequence[Json], Sequence[int | None], int | None]]:
        """Yield what the setup and every entry drew: entry, outcomes, their dice, first number."""
        setup = self.record.get("setup_chance"), self.record.get("setup_sides")
        yield 0, setup[0] or (), setup[1] or (), 0
        for entry in self.record["log"]:
            chance = entry.get("chance") or ()
            sides = entry.get("sides") or ()
            yield entry["number"], chance, sides, entry.get("first_roll")

    def _missing_dice(self) -> Iterator[str]:
        drew = any(chance for _, chance, _, _ in self._draws())
        if drew or (not self.remark and self._title.meta.has_chance):
            yield "The match has dice, but the record does not say what was committed to."

    def _broken_secret(self) -> Iterator[str]:
        actual = commitment(bytes.fromhex(self.dice["secret"])).hex()
        shown = self.dice["seal"]
        if actual != shown:
            yield f"The secret is not the one committed to: its SHA-256 is {actual}, not {shown}."
        nonces = self.dice["nonces"]
        players = len(self.record["players"])
        if len(nonces) != players:
            yield f"{players} players have {len(nonces)} nonces."
        named = [("secret", self.dice["secret"])]
        named += [(f"nonce of seat {seat}", nonce) for seat, nonce in enumerate(nonces, start=1)]
        for name, text in named:
            if len(text) != 2 * SIZE:
                yield f"The {name} has {len(text) // 2} bytes, not {SIZE}."

    def _broken_commitments(self) -> Iterator[str]:
        """Yield where a nonce of strict dice is not the one that its player committed to."""
        if self.dice.get("kind") != "strict":
            return
        nonces = self.dice["nonces"]
        shown = self.dice.get("nonce_commitments") or []
        if len(shown) != len(nonces):
            yield f"{len(nonces)} nonces have {len(shown)} commitments."
        for seat, (nonce, given) in enumerate(zip(nonces, shown, strict=False), start=1):
            actual = commitment(bytes.fromhex(nonce)).hex()
            if actual != given:
                yield (
                    f"The nonce of seat {seat} is not the one committed to:"
                    f" its SHA-256 is {actual}, not {given}."
                )

    def _gaps(self) -> Iterator[str]:
        """Yield where the log skips a number, of an entry or of a roll."""
        number = 0
        for place, (entry, chance, sides, first) in enumerate(self._draws()):
            if entry != place:
                yield f"Entry {place} is missing: entry {entry} stands in its place."
                return
            fits = map(_fits, chance, sides)
            if len(chance) != len(sides) or not all(fits):
                yield f"Entry {entry}: what was drawn does not go with the dice that are named."
                return
            if rolled(sides) and first != number:
                yield f"Entry {entry} begins with roll {first}, but {number} came before it."
                return
            number += rolled(sides)

    def _wrong_rolls(self) -> Iterator[str]:
        faces = {roll: self.working(roll).face for roll in self.rolls}
        wrong = [roll for roll, face in faces.items() if roll.face != face]
        for roll in wrong[:MAX_LISTED_ROLLS]:
            yield f"{roll} is recorded, the commitment gives {faces[roll]}."
        if len(wrong) > MAX_LISTED_ROLLS:
            yield f"{len(wrong)} of {len(faces)} rolls are not what the commitment gives."
        if len(wrong) > len(faces) / 2:
            yield "So many differ that a nonce, their order, or the order of the rolls was changed."

    # --- What the rules say ---------------------------------------------------------------------

    def _other_play(self) -> Iterator[str]:
        """Yield where the rules, given the moves as they are written, say something else."""
        if self.remark:
            return
        state = None
        try:
            drawn = enumerate(zip(self._draws(), self._played(), strict=False))
            for place, ((entry, _, sides, _), after) in drawn:
                if list(sides) != after.sides:
                    recorded = f"recorded is {_dice(sides)}"
                    yield f"Entry {entry}: the rules roll {_dice(after.sides)}, {recorded}."
                    return
                if place and (difference := _difference(self.record["log"][place - 1], after)):
                    yield difference
                    return
                state = after.state
            ranks = self._title.result(state)
            result = list(ranks) if ranks else None
            shown = self.record.get("result")
            if self.record.get("status") == "over" and shown != result:
                yield f"The moves lead to the result {result}, recorded is {shown}."
        except GameError as error:
            yield f"The record does not follow the rules: {error}"

    def _played(self) -> Iterator["_After"]:
        """Yield what the rules make of the setup and of each entry.

        :raises GameError: they refuse an entry.
        """
        title = self._title
        chance = self.record.get("setup_chance")
        seats = check_seats(title.meta, len(self.record["players"]))
        dice = RecordedDice(chance or ())
        state = title.setup(seats, complete(title.meta, self.record["params"]), dice)
        played = [_After(state, dice.sides)]
        yield played[0]
        for entry in self.record["log"]:
            played.append(_after(title, played, entry, seats))
            yield played[-1]


@dataclass(frozen=True, slots=True)
class _After:
    """What the rules make of an entry: the position, the dice rolled, the events, its notation."""

    state: Any
    sides: list[int | None]
    events: tuple[Event, ...] = ()
    text: str = ""


def _after(title: AnyGame, earlier: Sequence[_After], entry: Record, seats: int) -> _After:
    """Return what an entry leads to; ``earlier`` are the setup and all entries before it."""
    kind = KINDS.get(entry["kind"])
    undoes = entry["undoes"]
    seat = entry["seat"]
    if undoes is not None:
        if undoes > len(earlier):
            raise NoRecord(f"Entry {entry['number']} takes back one that is still to come.")
        return _After(earlier[undoes - 1].state, [])
    if kind is None:
        return _After(earlier[-1].state, [])
    if seat is not None and seat >= seats:
        raise NoRecord(f"Entry {entry['number']} is of a seat that there is not.")
    dice = RecordedDice(entry.get("chance") or ())
    step = Step(kind, None if seat is None else Seat(seat), entry["text"])
    state, events = take(title, earlier[-1].state, step, dice)
    text = str(title.parse(entry["text"])) if kind == "play" else ""
    return _After(state, dice.sides, events, text)


def _difference(entry: Record, after: _After) -> str:
    """Return how an entry differs from what the rules make of its text; empty if it does not."""
    if entry["text"] != after.text:
        return f"Entry {entry['number']}: {entry['text']!r} is not how this entry is written."
    events = [event.seen_by(None, over=True).dump() for event in after.events]
    if entry["events"] != json.loads(json.dumps(events)):
        return f"Entry {entry['number']}: {entry['text']!r} does not do what is recorded."
    return ""


def _fits(outcome: Json, sides: int | None) -> bool:
    """Whether an outcome is a number with a die, or an observation without one."""
    rolled = type(outcome) is int and type(sides) is int
    return rolled or (isinstance(outcome, dict) and sides is None)


def _dice(sides: Sequence[int | None]) -> str:
    """Return dice as people write them: ``d6, d20``."""
    return ", ".join("an observation" if n is None else f"d{n}" for n in sides) or "none"
