"""Parse a file of the published record format, bounded and strict, before any rules are used."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from jsonschema import Draft202012Validator, TypeChecker
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.matches.clock import SPANS
from games.matches.models import MAX_SEATS
from games.matches.play.move_input import MAX_MOVE_LENGTH
from games.records import record, text
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
    (
        "players",
        gettext_lazy("The list of players is too long: {most} entries are the most."),
        MAX_SEATS,
    ),
    (
        "former_players",
        gettext_lazy("The list of former players is too long: {most} entries are the most."),
        MAX_ENTRIES,
    ),
    ("log", gettext_lazy("The log is too long: {most} entries are the most."), MAX_ENTRIES),
)
"""Lists in a record: the field, the refusal if it is too long, and the maximum length."""

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
        message = _("The file is too large: it may have {most} MB at most.")
        raise Damaged(message.format(most=MAX_FILE_SIZE // 1_000_000))
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
        message = _(
            "The file is not in UTF-8, nor in UTF-16. Save it in UTF-8 and import it again."
        )
        raise Damaged(message) from error


def _parsed(data: str) -> Json:
    try:
        return DECODER.decode(data)
    except json.JSONDecodeError as error:
        if not data.lstrip().startswith("{"):
            raise Damaged(_no_record(data)) from error
        if error.msg == "Extra data":
            message = _("The file goes on after the record. Import one at a time.")
            raise Damaged(message) from error
        message = _("The JSON cannot be read: {reason}, line {line}, column {column}.")
        values = {"reason": error.msg, "line": error.lineno, "column": error.colno}
        raise Damaged(message.format(**values)) from error
    except RecursionError:
        raise Damaged(_too_deep()) from None
    except ValueError as error:
        raise Damaged(_("The file holds a number with too many digits.")) from error


def _too_deep() -> str:
    return _("The file is too deep: {most} levels are the most.").format(most=MAX_DEPTH)


def _no_record(data: str) -> str:
    """Say what a record looks like, and how a text that is none begins."""
    first = next((line.strip() for line in data.splitlines() if line.strip()), "")
    if not first:
        return _("There is nothing in it.")
    message = _(
        "This is no record of a match. One as text has the line {tag}, and one as JSON begins with"
        " {brace}; this begins with {first}."
    )
    return message.format(tag=text.FORMAT_TAG, brace="{", first=quoted(first))


def _check_plain(record_json: Json) -> None:
    """Check depth and number of values, and that every text can be stored.

    :raises Damaged: it is too deep or has too many values, or a text can't be stored.
    """
    level: list[Json] = [record_json]
    count = 0
    for _level in range(MAX_DEPTH):
        for one in filter(lambda value: isinstance(value, str), level):
            if NO_CHARACTER.search(one):
                message = _("The text {text} holds a character that is none.")
                raise Damaged(message.format(text=quoted(one)))
        inner = (value for outer in level for value in _inside(outer))
        level = list(islice(inner, MAX_VALUES - count + 1))
        count += len(level)
        if count > MAX_VALUES:
            message = _("The file is too large: it may hold {most} values at most.")
            raise Damaged(message.format(most=MAX_VALUES))
        if not level:
            return
    raise Damaged(_too_deep())


def _inside(value: Json) -> Iterator[Json]:
    if isinstance(value, dict):
        yield from value
        yield from value.values()
    elif isinstance(value, list):
        yield from value


def _check_format(record_json: Json) -> None:
    if not isinstance(record_json, dict) or record_json.get("format") != record.FORMAT:
        message = _("This is no record of a match: its format is not {format}.")
        raise Damaged(message.format(format=quoted(record.FORMAT)))
    version = record_json.get("format_version")
    if version != record.FORMAT_VERSION:
        message = _("The record is of version {version} of the format; version {own} is read here.")
        raise Damaged(message.format(version=quoted(version), own=record.FORMAT_VERSION))


def _check_size(record_json: dict[str, Json]) -> None:
    """Check sizes before the schema checks every item.

    :raises Damaged: there are too many players or entries.
    """
    for field, refusal, most in SIZES:
        rows = record_json.get(field)
        if isinstance(rows, list) and len(rows) > most:
            raise Damaged(refusal.format(most=most))


@cache
def _validator() -> Any:
    """Return the format's validator. Unlike JSON Schema, it refuses 1.0 as an integer."""
    types = Draft202012Validator.TYPE_CHECKER.redefine("integer", _is_whole)
    strict = extend(Draft202012Validator, type_checker=types)  # type: ignore[no-untyped-call]
    return strict(json.loads(record.SCHEMA.read_text()))


def _is_whole(_checker: TypeChecker, value: object) -> bool:
    return type(value) is int


def _check_schema(record_json: dict[str, Json]) -> None:
    error = best_match(islice(_validator().iter_errors(record_json), MAX_ERRORS))
    if error:
        reason = f"{error.json_path.removeprefix('$.')}: {error.message}"
        message = _("The record is not as the format says: {reason}.")
        raise Damaged(message.format(reason=reason[:MAX_MESSAGE_LENGTH]))


def _check_bounds(record_json: dict[str, Json]) -> None:
    if record_json["status"] == "running":
        message = _("The match was still running: a record is taken in when it has ended.")
        raise Damaged(message)
    for number, entry in enumerate(record_json["log"], 1):
        if entry["number"] != number:
            message = _("Entry {number} of the log is missing, or not in its place.")
            raise Damaged(message.format(number=number))
        if len(entry["text"]) > MAX_MOVE_LENGTH or len(entry["reason"]) > MAX_REASON_LENGTH:
            message = _("The text or the reason of entry {number} is too long.")
            raise Damaged(message.format(number=number))
    for player in (*record_json["players"], *record_json["former_players"]):
        if not 0 < len(player["name"].strip()) <= MAX_NAME_LENGTH:
            message = _("The name {name} is empty or too long.")
            raise Damaged(message.format(name=quoted(player["name"])))


# --- Times ----------------------------------------------------------------------------------------


def _check_times(record_json: dict[str, Json]) -> None:
    """Check every time and every duration.

    :raises Damaged: one of them is invalid, or out of range.
    """
    # Translators: the subject, as in "The start cannot be read".
    _check_moment(_("The start"), record_json["started"])
    _check_moment(_("The end"), record_json["ended"])
    for name in SPANS if record_json["clock"] else ():
        span = _("The {name} of the clock")
        _check_span(span.format(name=name), record_json["clock"][name])
    time = _("The time of entry {number}")
    thinking, left = _("The thinking time of entry {number}"), _("The time left in entry {number}")
    for number, entry in enumerate(record_json["log"], 1):
        _check_moment(time.format(number=number), entry["at"])
        _check_span(thinking.format(number=number), entry["thinking"])
        _check_span(left.format(number=number), entry["time_left"])


def _check_moment(what: str, moment: str | None) -> None:
    year = _year(moment or "")
    if year is None:
        # Translators: {subject} as in "The start" or "The time of entry 5".
        message = _(
            "{subject} cannot be read: {value}. It must be a date and a time with its time zone,"
            " as in 2026-11-24T12:00:03+00:00."
        )
        raise Damaged(message.format(subject=what, value=quoted(moment)))
    if year not in YEARS:
        message = _(
            "{subject} is out of range: {value}. It must be in the years {first} to {last}."
        )
        values = {"value": quoted(moment), "first": YEARS[0], "last": YEARS[-1]}
        raise Damaged(message.format(subject=what, **values))


def _year(moment: str) -> int | None:
    try:
        return datetime.fromisoformat(moment).year if MOMENT.fullmatch(moment) else None
    except ValueError:
        return None


def _check_span(what: str, seconds: float | None) -> None:
    if seconds is not None and not 0 <= seconds <= MAX_SECONDS:
        message = _("{subject} is out of range: {value}. It must be from 0 to {most} seconds.")
        values = {"value": quoted(seconds), "most": MAX_SECONDS}
        raise Damaged(message.format(subject=what, **values))
