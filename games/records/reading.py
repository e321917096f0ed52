"""A file as a record of the published format, bounded and strict, before any rule is asked."""

import json
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.matches.log import record
from games.records import text
from games.records.errors import Damaged
from games.records.strict_json import DECODER

MAX_FILE_SIZE = 4_000_000
"""Bytes of a file; a form takes less."""

MAX_DEPTH = 24
"""Levels of objects and lists in each other."""

MAX_ENTRIES = 3_000
"""Entries of a log."""

MAX_NAME_LENGTH = 40
"""Characters of a player's name."""

MAX_MESSAGE_LENGTH = 200
"""Characters told of what does not fit the schema."""


class Read(NamedTuple):
    """A record that was read.

    One that ``is_partial`` came as text: what the rules say of its entries is still missing
    (:mod:`games.records.text`).
    """

    record: dict[str, Any]
    is_partial: bool


def read(data: bytes) -> Read:
    """Return the record that a file holds, as JSON or as text.

    :raises Damaged: it is too large or too deep, neither JSON nor text, or not of the format.
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
    _check_schema(record_json)
    _check_bounds(record_json)
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
        if error.msg == "Extra data":
            raise Damaged("The file goes on after the record. Import one at a time.") from error
        where = f"line {error.lineno}, column {error.colno}"
        raise Damaged(f"This is no record as text, and not JSON: {error.msg}, {where}.") from error
    except RecursionError:
        raise Damaged(f"The file is too deep: {MAX_DEPTH} levels are the most.") from None
    except ValueError as error:
        raise Damaged("The file holds a number with too many digits.") from error


def _check_plain(record_json: Json) -> None:
    """Check depth, and that every text can be stored.

    :raises Damaged: it is too deep, or a text cannot be stored.
    """
    level: list[Json] = [record_json]
    for _ in range(MAX_DEPTH):
        for one in filter(lambda value: isinstance(value, str), level):
            if "\0" in one or any("\ud800" <= letter <= "\udfff" for letter in one):
                raise Damaged(f"The text {quoted(one)} holds a character that is none.")
        level = [inner for value in level for inner in _inside(value)]
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


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(record.SCHEMA.read_text()))


def _check_schema(record_json: dict[str, Json]) -> None:
    error = best_match(_validator().iter_errors(record_json))
    if error:
        message = f"{error.json_path.removeprefix('$.')}: {error.message}"
        raise Damaged(f"The record is not as the format says: {message[:MAX_MESSAGE_LENGTH]}.")


def _check_bounds(record_json: dict[str, Json]) -> None:
    if record_json["status"] == "running":
        raise Damaged("The match was still running: a record is taken in when it has ended.")
    if len(record_json["log"]) > MAX_ENTRIES:
        raise Damaged(f"The log is too long: {MAX_ENTRIES} entries are the most.")
    for number, entry in enumerate(record_json["log"], 1):
        if entry["number"] != number:
            raise Damaged(f"Entry {number} of the log is missing, or not in its place.")
    for player in record_json["players"]:
        if not 0 < len(player["name"].strip()) <= MAX_NAME_LENGTH:
            raise Damaged(f"The name {quoted(player['name'])} is empty or too long.")
