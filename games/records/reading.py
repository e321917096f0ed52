"""Parse a file of the published record format, bounded and strict, before any rules are used."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator, TypeChecker
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.matches.clocks.clock import SPANS
from games.matches.log import record
from games.matches.models import MAX_SEATS
from games.matches.play.move_input import MAX_MOVE_LENGTH
from games.records import text
from games.records.errors import Damaged
from games.records.strict_json import DECODER

MAX_FILE_SIZE = 4_000_000
"""Maximum size of a file, in bytes. A form accepts less."""

MAX_DEPTH = 24
"""Maximum depth of nested objects and lists."""

MAX_VALUES = 300_000
"""Maximum number of values and member names in total. A long match has 80 an entry."""

MAX_ENTRIES = 3_000
"""Maximum number of entries of a log."""

SIZES = (
    ("players", "list of players", MAX_SEATS),
    ("former_players", "list of former players", MAX_ENTRIES),
    ("log", "log", MAX_ENTRIES),
)
"""Fields that are lists, in words, and their maximum length."""

MAX_ERRORS = 20
"""Maximum number of schema errors from which one is reported."""

MAX_REASON_LENGTH = 1_000
"""Maximum length of a reason, in characters."""

MAX_SECONDS = 10**9
"""The longest duration in seconds, about thirty years."""

YEARS = range(2000, 3000)
"""The years in which a match can have been played."""

MOMENT = re.compile(
    r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII | re.IGNORECASE
)
"""A time as in RFC 3339, with its time zone."""

NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
"""Characters that can't be stored."""

MAX_NAME_LENGTH = 40
"""Maximum length of a player's name, in characters."""

MAX_MESSAGE_LENGTH = 200
"""Maximum number of quoted characters of something that doesn't fit the schema."""


class Read(NamedTuple):
    """A parsed record.

    One that ``is_partial`` came as text: statements that follow from the rules are still missing
    (:mod:`games.records.text`).
    """

    record: dict[str, Any]
    is_partial: bool


def read(data: bytes) -> Read:
    """Read a record from a file with JSON or text.

    :raises Damaged: it is too large or too deep, neither JSON nor text, or not in the format.
    """
    if len(data) > MAX_FILE_SIZE:
        raise Damaged(
            f"The file is too large: it may have {MAX_FILE_SIZE // 1_000_000} MB at most."
        )
    decoded = _decoded(data)
    is_partial = text.is_text(decoded)
    record_json = text.read(decoded, most=MAX_ENTRIES) if is_partial else _parsed(decoded)
    _check_plain(record_json)
    _check_format(record_json)
    _check_size(record_json)
    _check_schema(record_json)
    _check_bounds(record_json)
    _check_times(record_json)
    return Read(dict(record_json), is_partial)


def _decoded(data: bytes) -> str:
    try:
        return data.decode(json.detect_encoding(data))
    except UnicodeDecodeError as error:
        raise Damaged(
            "The file is not in UTF-8, nor in UTF-16. Save it in UTF-8 and import it again."
        ) from error


def _parsed(data: str) -> Json:
    try:
        return DECODER.decode(data)
    except json.JSONDecodeError as error:
        if not data.lstrip().startswith("{"):
            raise Damaged(_no_record(data)) from error
        if error.msg == "Extra data":
            raise Damaged("The file goes on after the record. Import one at a time.") from error
        where = f"line {error.lineno}, column {error.colno}"
        raise Damaged(f"The JSON cannot be read: {error.msg}, {where}.") from error
    except RecursionError:
        raise Damaged(f"The file is too deep: {MAX_DEPTH} levels are the most.") from None
    except ValueError as error:
        raise Damaged("The file holds a number with too many digits.") from error


def _no_record(data: str) -> str:
    """Say what a record looks like, and how a text that is none begins."""
    first = next((line.strip() for line in data.splitlines() if line.strip()), "")
    if not first:
        return "There is nothing in it."
    return (
        f"This is no record of a match. One as text has the line {text.FORMAT_TAG}, and one as JSON"
        f" begins with {{; this begins with {quoted(first)}."
    )


def _check_plain(record_json: Json) -> None:
    """Check depth and number of values, and that every text can be stored.

    :raises Damaged: it is too deep or has too many values, or a text can't be stored.
    """
    level: list[Json] = [record_json]
    count = 0
    for _ in range(MAX_DEPTH):
        for one in filter(lambda value: isinstance(value, str), level):
            if NO_CHARACTER.search(one):
                raise Damaged(f"The text {quoted(one)} holds a character that is none.")
        inner = (value for outer in level for value in _inside(outer))
        level = list(islice(inner, MAX_VALUES - count + 1))
        count += len(level)
        if count > MAX_VALUES:
            raise Damaged(f"The file is too large: it may hold {MAX_VALUES} values at most.")
        if not level:
            return
    raise Damaged(f"The file is too deep: {MAX_DEPTH} levels are the most.")


def _inside(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _check_format(record_json: Json) -> None:
    if not isinstance(record_json, dict) or record_json.get("format") != record.FORMAT:
        raise Damaged(f"This is no record of a match: its format is not {record.FORMAT!r}.")
    version = record_json.get("format_version")
    if version != record.FORMAT_VERSION:
        raise Damaged(
            f"The record is of version {quoted(version)} of the format;"
            f" version {record.FORMAT_VERSION} is read here."
        )


def _check_size(record_json: dict[str, Json]) -> None:
    """Check sizes before the schema checks every item.

    :raises Damaged: there are too many players or entries.
    """
    for field, what, most in SIZES:
        rows = record_json.get(field)
        if isinstance(rows, list) and len(rows) > most:
            raise Damaged(f"The {what} is too long: {most} entries are the most.")


@cache
def _validator() -> Any:
    """Return the format's validator. Unlike JSON Schema, it refuses 1.0 as an integer."""
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
    strict = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    return strict(json.loads(record.SCHEMA.read_text()))


def _is_whole(_: TypeChecker, value: object) -> bool:
    return type(value) is int


def _check_schema(record_json: dict[str, Json]) -> None:
    error = best_match(islice(_validator().iter_errors(record_json), MAX_ERRORS))
    if error:
        message = f"{error.json_path.removeprefix('$.')}: {error.message}"
        raise Damaged(f"The record is not as the format says: {message[:MAX_MESSAGE_LENGTH]}.")


def _check_bounds(record_json: dict[str, Json]) -> None:
    if record_json["status"] == "running":
        raise Damaged("The match was still running: a record is taken in when it has ended.")
    for number, entry in enumerate(record_json["log"], 1):
        if entry["number"] != number:
            raise Damaged(f"Entry {number} of the log is missing, or not in its place.")
        if len(entry["text"]) > MAX_MOVE_LENGTH or len(entry["reason"]) > MAX_REASON_LENGTH:
            raise Damaged(f"The text or the reason of entry {number} is too long.")
    for player in (*record_json["players"], *record_json["former_players"]):
        if not 0 < len(player["name"].strip()) <= MAX_NAME_LENGTH:
            raise Damaged(f"The name {quoted(player['name'])} is empty or too long.")


# --- Times ----------------------------------------------------------------------------------------


def _check_times(record_json: dict[str, Json]) -> None:
    """Check every time and every duration.

    :raises Damaged: one of them is invalid, or out of range.
    """
    _check_moment("The start", record_json["started"])
    _check_moment("The end", record_json["ended"])
    for name in SPANS if record_json["clock"] else ():
        _check_span(f"The {name} of the clock", record_json["clock"][name])
    for number, entry in enumerate(record_json["log"], 1):
        _check_moment(f"The time of entry {number}", entry["at"])
        _check_span(f"The thinking time of entry {number}", entry["thinking"])
        _check_span(f"The time left in entry {number}", entry["time_left"])


def _check_moment(what: str, moment: str | None) -> None:
    year = _year(moment or "")
    if year is None:
        raise Damaged(
            f"{what} cannot be read: {quoted(moment)}. It must be a date and a time with its"
            " time zone, as in 2026-11-24T12:00:03+00:00."
        )
    if year not in YEARS:
        raise Damaged(
            f"{what} is out of range: {quoted(moment)}. It must be in the years {YEARS[0]} to"
            f" {YEARS[-1]}."
        )


def _year(moment: str) -> int | None:
    try:
        return datetime.fromisoformat(moment).year if MOMENT.fullmatch(moment) else None
    except ValueError:
        return None


def _check_span(what: str, seconds: float | None) -> None:
    if seconds is not None and not 0 <= seconds <= MAX_SECONDS:
        raise Damaged(
            f"{what} is out of range: {quoted(seconds)}. It must be from 0 to {MAX_SECONDS}"
            " seconds."
        )
