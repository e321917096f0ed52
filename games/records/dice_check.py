"""Check the dice of a match from its exported record alone.

A record is the JSON that the site exports (docs/dice.md describes it). The check covers: the
secret, and with strict dice every nonce, against its commitment; every roll against secret and
nonces; and, if the rules of the game are installed, whether the written moves need these dice, have
the recorded effects, and lead to the result.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

import jsonschema

from games.kernel import registry, replay
from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import (
    SIZE,
    SPACE,
    Working,
    commitment,
    match_key,
    rolled,
    work_out,
)
from games.kernel.errors import GameError, UnknownTitle, quoted
from games.kernel.formatting import listed
from games.kernel.language import gettext, pgettext
from games.kernel.params import for_match
from games.kernel.replay import Moment, PlainEntry
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
"""The guarantee for nonces, by the kind of dice that the record names."""

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
"""The parts of a record that are checked."""

MAX_MESSAGE_LENGTH = 200
"""Maximum length of a message about a text, in characters."""

MAX_LISTED_ROLLS = 5
"""How many wrong rolls are listed one by one."""


class NoRecord(GameError):
    """The text isn't a record of a match."""

    code = "no-record"


@dataclass(frozen=True, slots=True)
class Roll:
    """A recorded roll of a log entry, or (0) of the setup."""

    entry: int
    number: int
    sides: int
    face: int

    def differs(self, face: int) -> str:
        """Say that the commitment gives another face."""
        message = gettext(
            "Roll {number}, of the setup: {face} on a die of {sides} is recorded, the commitment"
            " gives {right}."
        )
        if self.entry:
            message = gettext(
                "Roll {number}, of entry {entry}: {face} on a die of {sides} is recorded, the"
                " commitment gives {right}."
            )
        values = {"number": self.number, "entry": self.entry, "sides": self.sides}
        return message.format(**values, face=self.face, right=face)


def read(text: str | bytes) -> Record:
    """Read a record.

    :raises NoRecord: it isn't one; the sentence says why.
    """
    try:
        record = json.loads(text)
        jsonschema.validate(record, SCHEMA)
    except (ValueError, RecursionError) as error:
        raise NoRecord(gettext("This isn’t JSON: {reason}").format(reason=error)) from error
    except jsonschema.ValidationError as error:
        reason = f"{error.json_path} {error.message}"[:MAX_MESSAGE_LENGTH]
        message = gettext("This is no record of a match: {reason}")
        raise NoRecord(message.format(reason=reason)) from None
    return dict(record)


@dataclass(frozen=True)
class Check:
    """The statements of a record about its dice, and their verification."""

    record: Record

    @property
    def dice(self) -> Mapping[str, Json]:
        """The secret, and the commitment to it."""
        return self.record["dice"] or {}

    @cached_property
    def key(self) -> bytes:
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
        """Derive a roll from the key."""
        return work_out(self.key, roll.number, roll.sides)

    @cached_property
    def trouble(self) -> list[str]:
        """Whatever is wrong, in sentences. Empty if all is well."""
        if not self.dice:
            return list(self._missing_dice())
        if self.dice["secret"] is None or self.dice["nonces"] is None:
            return [gettext("The match still runs: its secret is shown when it has ended.")]
        rolls = list(self._gaps()) or self._wrong_rolls()
        return [*self._broken_secret(), *self._broken_commitments(), *rolls, *self._other_play()]

    @cached_property
    def remark(self) -> str:
        """Why the rules weren't used for the check. Empty if they were."""
        slug = self.record["title"]
        played = self.record["rules_version"]
        try:
            known = registry.get(slug)
        except UnknownTitle:
            message = gettext(
                "The game {game} is not known here: which dice its rules roll was not checked."
            )
            return message.format(game=quoted(slug))
        versions = {title.meta.rules_version for title in (known, *known.older)}
        if played in versions:
            return ""
        message = gettext(
            "Played by version {played} of the rules, known here is {versions}: which dice they"
            " roll was not checked."
        )
        return message.format(played=played, versions=listed(list(map(str, sorted(versions)))))

    @property
    def _title(self) -> AnyGame:
        """The game, by the rules of the match. Use it only if there is no remark."""
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
            yield gettext("The match has dice, but the record does not say what was committed to.")

    def _broken_secret(self) -> Iterator[str]:
        actual = commitment(bytes.fromhex(self.dice["secret"])).hex()
        shown = self.dice["seal"]
        if actual != shown:
            message = gettext(
                "The secret is not the one committed to: its SHA-256 is {actual}, not {shown}."
            )
            yield message.format(actual=actual, shown=shown)
        nonces = self.dice["nonces"]
        players = len(self.record["players"])
        if len(nonces) != players:
            message = gettext("{players} players have {count} nonces.")
            yield message.format(players=players, count=len(nonces))
        for seat, text in enumerate((self.dice["secret"], *nonces)):
            if len(text) != 2 * SIZE:
                message = gettext("The secret has {count} bytes, not {size}.")
                if seat:
                    message = gettext("The nonce of seat {seat} has {count} bytes, not {size}.")
                yield message.format(seat=seat, count=len(text) // 2, size=SIZE)

    def _broken_commitments(self) -> Iterator[str]:
        """Yield the nonces of strict dice that differ from their commitments."""
        if self.dice.get("kind") != "strict":
            return
        nonces = self.dice["nonces"]
        shown = self.dice.get("nonce_commitments") or []
        if len(shown) != len(nonces):
            message = gettext("{count} nonces have {commitments} commitments.")
            yield message.format(count=len(nonces), commitments=len(shown))
        for seat, (nonce, given) in enumerate(zip(nonces, shown, strict=False), start=1):
            actual = commitment(bytes.fromhex(nonce)).hex()
            if actual != given:
                message = gettext(
                    "The nonce of seat {seat} is not the one committed to: its SHA-256 is {actual},"
                    " not {shown}."
                )
                yield message.format(seat=seat, actual=actual, shown=given)

    def _gaps(self) -> Iterator[str]:
        """Yield where the numbers of entries or rolls have gaps."""
        number = 0
        for place, (entry, chance, sides, first) in enumerate(self._draws()):
            if entry != place:
                message = gettext("Entry {place} is missing: entry {entry} stands in its place.")
                yield message.format(place=place, entry=entry)
                return
            fits = map(_fits, chance, sides)
            if len(chance) != len(sides) or not all(fits):
                message = gettext(
                    "Entry {entry}: what was drawn does not go with the dice that are named."
                )
                yield message.format(entry=entry)
                return
            if rolled(sides) and first != number:
                message = gettext(
                    "Entry {entry} begins with roll {first}, but {number} came before it."
                )
                yield message.format(entry=entry, first=first, number=number)
                return
            number += rolled(sides)

    def _wrong_rolls(self) -> Iterator[str]:
        faces = {roll: self.working(roll).face for roll in self.rolls}
        wrong = [roll for roll, face in faces.items() if roll.face != face]
        for roll in wrong[:MAX_LISTED_ROLLS]:
            yield roll.differs(faces[roll])
        if len(wrong) > MAX_LISTED_ROLLS:
            message = gettext("{count} of {total} rolls are not what the commitment gives.")
            yield message.format(count=len(wrong), total=len(faces))
        if len(wrong) > len(faces) / 2:
            yield gettext(
                "So many differ that a nonce, their order, or the order of the rolls was changed."
            )

    # --- What the rules say ---------------------------------------------------------------------

    def _other_play(self) -> Iterator[str]:
        """Yield where the rules contradict the record of a move."""
        if self.remark:
            return
        state = None
        try:
            drawn = enumerate(zip(self._draws(), self._played(), strict=False))
            for place, ((entry, _, sides, _), moment) in drawn:
                if tuple(sides) != moment.sides:
                    message = gettext(
                        "Entry {entry}: the rules roll {dice}, recorded is {recorded}."
                    )
                    values = {"dice": _dice(moment.sides), "recorded": _dice(sides)}
                    yield message.format(entry=entry, **values)
                    return
                if place and (difference := self._difference(place, moment)):
                    yield difference
                    return
                state = moment.state
            ranks = self._title.result(state)
            result = list(ranks) if ranks else None
            shown = self.record.get("result")
            if self.record.get("status") == "over" and shown != result:
                message = gettext("The moves lead to the result {result}, recorded is {recorded}.")
                yield message.format(result=result, recorded=shown)
        except GameError as error:
            message = gettext("The record does not follow the rules: {reason}")
            yield message.format(reason=error)

    def _played(self) -> Iterator[Moment]:
        """Replay the setup and each entry.

        :raises GameError: the rules refuse an entry.
        """
        title, record = self._title, self.record
        seats = len(record["players"])
        params = for_match(title, seats, record["params"])
        steps = (_step(entry, seats) for entry in record["log"])
        return replay.replay(title, seats, params, record.get("setup_chance") or (), steps)

    def _difference(self, place: int, moment: Moment) -> str:
        """Return how an entry differs from the replay of its text. Empty if it doesn't."""
        entry = self.record["log"][place - 1]
        step = _step(entry, len(self.record["players"]))
        text = str(self._title.parse(step.text)) if step.kind == "play" else ""
        if entry["text"] != text:
            message = gettext("Entry {entry}: {text} is not how this entry is written.")
            return message.format(entry=entry["number"], text=quoted(entry["text"]))
        events = [event.seen_by(None, over=True).dump() for event in moment.events]
        if entry["events"] != json.loads(json.dumps(events)):
            message = gettext("Entry {entry}: {text} does not do what is recorded.")
            return message.format(entry=entry["number"], text=quoted(entry["text"]))
        return ""


def _step(entry: Record, seats: int) -> PlainEntry:
    """Return an entry to replay.

    :raises NoRecord: it takes back a later entry, or names an unknown seat.
    """
    number, undoes = entry["number"], entry["undoes"]
    if undoes is not None:
        if undoes > number:
            message = gettext("Entry {number} takes back one that is still to come.")
            raise NoRecord(message.format(number=number))
        return PlainEntry("take-back", undoes=undoes)
    if entry["kind"] not in replay.ACTIONS:
        return PlainEntry(entry["kind"])
    seat = entry["seat"]
    if seat is not None and seat >= seats:
        message = gettext("Entry {number} names seat {seat}, but the match has no such seat.")
        raise NoRecord(message.format(number=number, seat=seat))
    chance = tuple(entry.get("chance") or ())
    return PlainEntry(entry["kind"], None if seat is None else Seat(seat), entry["text"], chance)


def _fits(outcome: Json, sides: int | None) -> bool:
    """Whether an outcome is a number with a die, or an observation without one."""
    rolled = type(outcome) is int and type(sides) is int
    return rolled or (isinstance(outcome, dict) and sides is None)


def _dice(sides: Sequence[int | None]) -> str:
    """Return dice as people write them: ``d6, d20``."""
    names = (gettext("an observation") if n is None else f"d{n}" for n in sides)
    return ", ".join(names) or pgettext("dice", "none")
