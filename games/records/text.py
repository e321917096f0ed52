"""A record as text: tags as in PGN, then a line for each entry of the log.

A match can be pasted into a mail and imported again: what the text leaves out follows from the
rules. docs/api.md describes the format.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.kernel.errors import quoted
from games.kernel.views import Json
from games.matches.log.log_entries import PLAYED
from games.matches.models import MAX_SEATS, LogEntry
from games.records import record as published
from games.records.errors import Damaged
from games.records.strict_json import DECODER

Record = dict[str, Any]

PLAY = LogEntry.Kind.PLAY
TAKE_BACK = LogEntry.Kind.TAKE_BACK

FORMAT_TAG = f'[Format "{published.FORMAT}"]'


class Tag(NamedTuple):
    """A tag of the header and its field of the record."""

    name: str
    field: str
    write: Callable[[Any], str] = json.dumps
    read: Callable[[str], Any] = DECODER.decode


def _words(values: Sequence[str]) -> str:
    return " ".join(values)


TAGS = (
    Tag("Format", "format", str, str),
    Tag("FormatVersion", "format_version"),
    Tag("Match", "match"),
    Tag("Title", "title", str, str),
    Tag("RulesVersion", "rules_version"),
    Tag("Params", "params"),
    Tag("Clock", "clock"),
    Tag("FormerPlayers", "former_players"),
    Tag("Started", "started", str, str),
    Tag("Ended", "ended", str, str),
    Tag("Status", "status", str, str),
    Tag("Ending", "ending", str, str),
    Tag("SetupChance", "setup_chance"),
)
"""Fields of a record. Those that are null or empty have no tag."""

OF_DICE = (
    Tag("DiceKind", "kind", str, str),
    Tag("DiceSeal", "seal", str, str),
    Tag("DiceSecret", "secret", str, str),
    Tag("DiceNonces", "nonces", _words, str.split),
    Tag("DiceNoncesBy", "nonces_by", _words, str.split),
    Tag("DiceNonceCommitments", "nonce_commitments", _words, str.split),
    Tag("DiceRecipe", "recipe", str, str),
)
"""Fields of the dice of a record."""

COMMANDS = {
    "at": "at",
    "emt": "thinking",
    "clk": "time_left",
    "chance": "chance",
    "text": "text",
    "reason": "reason",
}
"""Commands in the comment of an entry, and their fields."""

EMPTY: Sequence[Json] = (None, "", [])
"""Values that are left out."""

QUOTED = re.compile(r"^(?:\s*>)+")
LINE_END = re.compile(r"\r\n|\r|\n")
TAG_BEGIN = re.compile(r'\[(\w+)(?: "|$)')
TAG = re.compile(r'\[\w+ (".*")\]')
QUOTATION_MARK = re.compile(r"""\\.|(")""")
"""An escaped character of a JSON text, or (group 1) a quotation mark that begins or ends it."""

COMMAND = re.compile(r"\s*\[%(\w+) ")

COMMENT = "{[%"
"""The beginning of the last comment of an entry. No other comment has commands."""

RESULT = "Result: "
"""The beginning of the last line of an ended match."""

NAMES = frozenset({"Seats", "Result", *(tag.name for tag in (*TAGS, *OF_DICE))})
"""Names of recognised tags, besides those of the seats."""

MARKS = 2
"""Number of quotation marks in a tag."""

MAX_LINES = 200_000
"""Maximum number of lines of a text."""

MAX_TAG_LINES = 500
"""Maximum number of lines into which a mail program may have broken a tag."""

# --- Writing ------------------------------------------------------------------------------------


class TextLine(NamedTuple):
    """An entry of the log as its reader sees it: the move, and its effects in words."""

    text: str
    words: str


def write(record: Record, facts: Mapping[str, str], lines: Sequence[TextLine], end: str) -> str:
    """Return a record as text.

    ``facts`` are tags for people, such as the name of the game. ``end`` is the last line.
    """
    entries = zip(record["log"], lines, strict=True)
    colours = [player["colour"] for player in record["players"]]
    log = (_entry(entry, line, colours) for entry, line in entries)
    tags = (
        f"[{name} {json.dumps(value, ensure_ascii=False)}]" for name, value in _tags(record, facts)
    )
    return "\n".join((*tags, "", *log, "", end, ""))


def _tags(record: Record, facts: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    yield from facts.items()
    players = record["players"]
    yield "Seats", _words([player["colour"] for player in players])
    yield from ((player["colour"], player["name"]) for player in players)
    yield from ((f"{one['colour']}Dropped", one["dropped"]) for one in players if one["dropped"])
    yield "Result", _words([str(rank) for rank in record["result"] or ["*"]])
    for fields, tags in ((record, TAGS), (record["dice"] or {}, OF_DICE)):
        for tag in tags:
            if fields.get(tag.field) not in EMPTY:
                yield tag.name, tag.write(fields[tag.field])


def _entry(entry: Record, line: TextLine, colours: Sequence[str]) -> str:
    is_move = entry["kind"] == PLAY
    who = "" if entry["seat"] is None else f"{colours[entry['seat']]}: "
    what = line.text if is_move else f"({entry['kind']})"
    # The text of a move stands outside, as its reader may see it.
    fields = {name: field for name, field in COMMANDS.items() if not (is_move and name == "text")}
    commands = " ".join(
        f"[%{name} {json.dumps(entry[field], ensure_ascii=False)}]"
        for name, field in fields.items()
        if entry[field] not in EMPTY
    )
    words = line.words.translate({ord("{"): "(", ord("}"): ")"})
    comment = f" {{{words}}}" if words else ""
    return f"{entry['number']}. {who}{what}{comment} {{{commands}}}"


# --- Reading ------------------------------------------------------------------------------------


def is_text(data: str) -> bool:
    """Whether data holds a record as text. JSON never holds the format's tag: it escapes quotes."""
    return FORMAT_TAG in data


def read(data: str, *, most: int) -> Record:
    """Parse a record from text, with at most ``most`` entries.

    Statements that follow from the rules are still missing: ``setup_sides``, and ``sides`` and
    ``events`` of entries are empty. Lines may be quoted and wrapped by mail programs, with other
    lines before and after them.

    :raises Damaged: it can't be read.
    """
    if data.count("\n") + data.count("\r") > MAX_LINES:
        raise Damaged(
            _("The text is too long: it may have {most} lines at most.").format(most=MAX_LINES)
        )
    lines = (QUOTED.sub("", line).strip() for line in LINE_END.split(data))
    tags, first = _read_tags(lines)
    entries = _read_entries(first, lines, most) if first else []
    fields = _fields(tags, TAGS)
    has_dice = any(tag.name in tags for tag in OF_DICE)
    seats = _seats(tags)
    record = {
        **fields,
        "former_players": fields["former_players"] or [],
        "ending": fields["ending"] or "",
        "setup_chance": fields["setup_chance"] or [],
        "players": [
            {
                "seat": seat,
                "name": tags.get(colour, ""),
                "colour": colour,
                "dropped": tags.get(f"{colour}Dropped", ""),
            }
            for seat, colour in enumerate(seats)
        ],
        "result": _result(tags.get("Result", "")),
        "dice": _fields(tags, OF_DICE) if has_dice else None,
        "setup_sides": [],
    }
    record["log"] = _log(entries, seats, _rolls(record["setup_chance"]))
    return record


def _read_tags(lines: Iterator[str]) -> tuple[dict[str, str], str]:
    """Return the tags of a record, and the first line of the log.

    Other lines are skipped: those of a mail, and tags for people. The line is empty if there is no
    log.

    :raises Damaged: a tag doesn't end, can't be read, or occurs twice.
    """
    tags: dict[str, str] = {}
    for line in lines:
        if "Format" in tags and line.startswith("1. "):
            return tags, line
        begin = TAG_BEGIN.match(line)
        if begin and begin[1] in NAMES | _names_of_seats(tags):
            value = _read_tag(line, lines)
            if begin[1] in tags:
                raise Damaged(_("The text has the tag {tag} twice.").format(tag=quoted(begin[1])))
            tags[begin[1]] = value
    return tags, ""


def _names_of_seats(tags: Mapping[str, str]) -> set[str]:
    """Return the names of the tags of seats, once the colours of the seats are known."""
    seats = _seats(tags)
    return {*seats, *(f"{seat}Dropped" for seat in seats)}


def _seats(tags: Mapping[str, str]) -> list[str]:
    """Return the colours of the seats.

    :raises Damaged: there are more than a match has.
    """
    seats = tags.get("Seats", "").split(maxsplit=MAX_SEATS)
    if len(seats) > MAX_SEATS:
        raise Damaged(
            _("The tag Seats names too many colours: a match has at most {most}.").format(
                most=MAX_SEATS
            )
        )
    return seats


def _read_tag(first: str, others: Iterator[str]) -> str:
    """Return the value of a tag that begins in a line and may continue in others.

    :raises Damaged: it doesn't end, or can't be read.
    """
    lines = [first]
    quotes = _quotes(first)
    while quotes < MARKS:
        line = next(others, None)
        if line is None or len(lines) > MAX_TAG_LINES:
            raise Damaged(_("The tag in {line} does not end.").format(line=quoted(first)))
        lines.append(line)
        quotes += _quotes(line)
    tag = TAG.fullmatch(" ".join(filter(None, lines)))
    try:
        return str(json.loads(tag[1] if tag else ""))
    except ValueError:
        raise Damaged(_("The tag in {line} cannot be read.").format(line=quoted(first))) from None


def _quotes(line: str) -> int:
    """Return how many quotation marks in a line begin or end a JSON text."""
    return sum(map(bool, QUOTATION_MARK.findall(line)))


def _read_entries(first: str, others: Iterator[str], most: int) -> list[str]:
    """Return the entries of a log, each joined to one line.

    :raises Damaged: there are more than ``most``, or another record follows.
    """
    entries = [[first]]
    is_complete, is_over = COMMENT in first, False
    before = first
    for line in others:
        if is_complete and line.startswith(FORMAT_TAG):
            raise Damaged(_("The text holds more than one record. Import one at a time."))
        # A mail may go on with a line such as “8. Dezember 2026, Ada schrieb:”.
        is_over = is_over or (is_complete and not before and line.startswith(RESULT))
        if is_complete and not is_over and line.startswith(f"{len(entries) + 1}. "):
            if len(entries) == most:
                raise Damaged(
                    _("The log is too long: {most} entries are the most.").format(most=most)
                )
            entries.append([])
            is_complete = False
        entries[-1].append(line)
        is_complete = is_complete or COMMENT in line
        before = line
    return [" ".join(filter(None, lines)) for lines in entries]


def _fields(tags: Mapping[str, str], known: Sequence[Tag]) -> Record:
    """Return the fields of tags. Those without a tag are null.

    :raises Damaged: a value can't be read.
    """
    fields: Record = {}
    for tag in known:
        try:
            fields[tag.field] = tag.read(tags[tag.name]) if tag.name in tags else None
        except (ValueError, RecursionError):
            raise Damaged(
                _("The tag {tag} cannot be read: {value}.").format(
                    tag=tag.name, value=quoted(tags[tag.name])
                )
            ) from None
    return fields


def _result(text: str) -> list[int] | None:
    ranks = text.split()
    are_numbers = bool(ranks) and all(re.fullmatch("[0-9]{1,3}", rank) for rank in ranks)
    return list(map(int, ranks)) if are_numbers else None


def _log(entries: Sequence[str], seats: Sequence[str], rolls: int) -> list[Record]:
    """Return the entries of a log. ``rolls`` is the number of rolls of the setup."""
    log: list[Record] = []
    standing: list[int] = []
    for number, line in enumerate(entries, 1):
        entry = _read_entry(number, line, seats)
        entry["first_roll"] = rolls
        rolls += _rolls(entry["chance"])
        if entry["kind"] == TAKE_BACK:
            entry["undoes"] = standing[-1] if standing else 0
        note_standing(standing, entry["kind"], number)
        log.append(entry)
    return log


def note_standing(standing: list[int], kind: str, number: int) -> None:
    """Update the numbers of the moves and drops that haven't been taken back."""
    if kind in PLAYED:
        standing.append(number)
    elif kind == TAKE_BACK and standing:
        standing.pop()


def _read_entry(number: int, line: str, seats: Sequence[str]) -> Record:
    head, comment, commands = line.partition(COMMENT)
    if not comment:
        raise Damaged(
            _("Entry {number} lacks the comment that says when it was made.").format(number=number)
        )
    what = head.partition("{")[0].removeprefix(f"{number}. ").strip()
    colour, colon, rest = what.partition(": ")
    seat = seats.index(colour) if colon and colour in seats else None
    what = what if seat is None else rest.strip()
    kind = re.fullmatch(r"\(([a-z-]+)\)", what)
    return {
        "number": number,
        "kind": kind[1] if kind else PLAY.value,
        "seat": seat,
        "text": "" if kind else what,
        "chance": [],
        "sides": [],
        "events": [],
        "undoes": None,
        "thinking": None,
        "time_left": None,
        "reason": "",
        **_fields_of(number, f"[%{commands}"),
    }


def _fields_of(number: int, text: str) -> Record:
    """Return the fields of the commands of an entry.

    :raises Damaged: one can't be read.
    """
    try:
        commands = dict(read_commands(text))
    except Damaged as error:
        raise Damaged(_("Entry {number}: {reason}").format(number=number, reason=error)) from None
    return {field: commands[name] for name, field in COMMANDS.items() if name in commands}


def read_commands(text: str) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of the commands with which a text begins.

    :raises Damaged: one can't be read.
    """
    at = 0
    while command := COMMAND.match(text, at):
        try:
            value, at = DECODER.raw_decode(text, command.end())
            at = text.index("]", at, at + 1) + 1
        except (ValueError, RecursionError):
            raise Damaged(_("{command} cannot be read.").format(command=command[1])) from None
        yield command[1], value


def _rolls(chance: Json) -> int:
    """Return how many of the outcomes are rolls."""
    return sum(type(outcome) is int for outcome in chance) if isinstance(chance, list) else 0
