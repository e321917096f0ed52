"""A file as a record: bounded, strict JSON of the published format, before any rule is asked."""

import json
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NoReturn

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.matches import record
from games.records.errors import Damaged

LARGEST = 1_000_000
"""Bytes of a file."""

DEEPEST = 24
"""Levels of objects and lists in each other."""

MOST_ENTRIES = 3_000
"""Entries of a log."""

LONGEST_NAME = 40
"""Characters of a player's name."""

TOLD = 200
"""Characters told of what does not fit the schema."""


def read(data: bytes) -> dict[str, Any]:
    """Return the record that a file holds.

    :raises Damaged: it is too large or too deep, no JSON, or not of the format.
    """
    if len(data) > LARGEST:
        raise Damaged(f"The file is too large: it may have {LARGEST // 1_000_000} MB at most.")
    found = _parsed(data)
    _check_plain(found)
    _check_format(found)
    _check_schema(found)
    _check_bounds(found)
    return dict(found)


def _parsed(data: bytes) -> Json:
    try:
        text = data.decode("utf-8-sig")
        return json.loads(text, object_pairs_hook=_object, parse_constant=_constant)
    except UnicodeDecodeError as error:
        raise Damaged(f"The file is not in UTF-8: byte {error.start} is none.") from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Damaged(f"The file is not JSON: {error.msg}, {where}.") from error
    except RecursionError:
        raise Damaged(f"The file is too deep: {DEEPEST} levels are the most.") from None
    except ValueError as error:
        raise Damaged("The file holds a number with too many digits.") from error


def _object(pairs: Iterable[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for name, value in pairs:
        if name in found:
            raise Damaged(f"The file says {quoted(name)} twice in one object.")
        found[name] = value
    return found


def _constant(name: str) -> NoReturn:
    raise Damaged(f"The file holds {name}, which is no number of JSON.")


def _check_plain(found: Json) -> None:
    """Check depth, and that every text can be stored.

    :raises Damaged: it is too deep, or a text cannot be stored.
    """
    level: list[Json] = [found]
    for _ in range(DEEPEST):
        for text in filter(lambda value: isinstance(value, str), level):
            if "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text):
                raise Damaged(f"The text {quoted(text)} holds a character that is none.")
        level = [inner for value in level for inner in _inside(value)]
        if not level:
            return
    raise Damaged(f"The file is too deep: {DEEPEST} levels are the most.")


def _inside(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _check_format(found: Json) -> None:
    if not isinstance(found, dict) or found.get("format") != record.FORMAT:
        raise Damaged(f"This is no record of a match: its format is not {record.FORMAT!r}.")
    version = found.get("format_version")
    if version != record.FORMAT_VERSION:
        raise Damaged(
            f"The record is of version {quoted(version)} of the format;"
            f" version {record.FORMAT_VERSION} is read here."
        )


@cache
def _validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(record.SCHEMA.read_text()))


def _check_schema(found: dict[str, Json]) -> None:
    error = best_match(_validator().iter_errors(found))
    if error:
        said = f"{error.json_path.removeprefix('$.')}: {error.message}"
        raise Damaged(f"The record is not as the format says: {said[:TOLD]}.")


def _check_bounds(found: dict[str, Json]) -> None:
    if found["status"] == "running":
        raise Damaged("The match was still running: a record is taken in when it has ended.")
    if len(found["log"]) > MOST_ENTRIES:
        raise Damaged(f"The log is too long: {MOST_ENTRIES} entries are the most.")
    for number, entry in enumerate(found["log"], 1):
        if entry["number"] != number:
            raise Damaged(f"Entry {number} of the log is missing, or not in its place.")
    for player in found["players"]:
        if not 0 < len(player["name"].strip()) <= LONGEST_NAME:
            raise Damaged(f"The name {quoted(player['name'])} is empty or too long.")
