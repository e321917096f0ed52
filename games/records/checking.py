"""A record against the rules: it is replayed, and must say of itself what the replay says."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from games.kernel import registry
from games.kernel.contract import AnyGame, Ended
from games.kernel.dice import RecordedDice
from games.kernel.errors import BadParams, GameError, UnknownRules, UnknownTitle, quoted
from games.kernel.views import Json
from games.matches import formatting, selectors
from games.matches.log.log_entries import PLAYED
from games.matches.models import LogEntry
from games.matches.selectors import NOT_READABLE, MatchSnapshot, Step
from games.records import text
from games.records.dice_check import Check
from games.records.errors import Damaged
from games.records.rebuilding import check_facts, entry_of, snapshot_of

Record = dict[str, Any]

Kind = LogEntry.Kind

OF_A_SEAT = {Kind.OFFER, Kind.DECLINE, Kind.TAKE_BACK, Kind.GIVE_TIME, *PLAYED}
"""The entries that somebody makes, or that concern somebody."""

LAST = {"cancelled": Kind.CANCEL, "annulled": Kind.ANNUL}
"""The last entry of a match without a result."""

UNREADABLE = (*NOT_READABLE, RecursionError, ArithmeticError)


class Replayed(NamedTuple):
    """A record that holds: its entries, and what the setup and each of them led to."""

    snapshot: MatchSnapshot
    entries: Sequence[LogEntry]
    steps: Sequence[Step]


def replay(record: Record, *, is_partial: bool = False) -> Replayed:
    """Replay a record of the format, and compare all that follows from its log.

    What is missing in one that ``is_partial``, as it came as text, is completed.

    :raises Damaged: the game is not known here, the rules refuse it, or it says something else.
    """
    title = _title(record)
    snapshot = _snapshot(record, title)
    entries = [entry_of(data, []) for data in record["log"]]
    steps = [_setup(snapshot)]
    standing: list[int] = []
    if is_partial:
        record["setup_sides"] = snapshot.match.setup_sides = list(steps[0].sides)
    if list(steps[0].sides) != record["setup_sides"]:
        raise Damaged("The setup rolls other dice than the record says.")
    for entry, data in zip(entries, record["log"], strict=True):
        _check_place(entry, standing, len(snapshot.players))
        text.note_standing(standing, entry.kind, entry.number)
        steps.append(_step(snapshot, entry, steps))
        if is_partial:
            data["sides"] = entry.sides = list(steps[-1].sides)
            data["events"] = _public_events(steps[-1])
        _check_told(entry, data, steps[-1])
        entry.events = [event.dump() for event in steps[-1].events]
    _check_end(snapshot, entries, steps)
    for trouble in Check(record).trouble:
        raise Damaged(f"The dice are not as committed: {trouble}")
    return Replayed(snapshot, entries, steps)


def _title(record: Record) -> AnyGame:
    try:
        return registry.get(record["title"], record["rules_version"])
    except UnknownTitle:
        raise Damaged(f"The game {quoted(record['title'])} is not played here.") from None
    except UnknownRules as error:
        raise Damaged(f"These rules are not known here: {error}") from None


def _snapshot(record: Record, title: AnyGame) -> MatchSnapshot:
    try:
        check_facts(record, title)
        colours = [colour.name for colour in title.meta.colours]
        for seat, player in enumerate(record["players"]):
            if (player["seat"], player["colour"]) != (seat, colours[seat]):
                raise Damaged(f"Seat {seat} is not told as that of {colours[seat]}.")
        if title.meta.has_chance != (record["dice"] is not None):
            raise Damaged("The game has dice, and the record none, or the other way round.")
        return snapshot_of(record)
    except BadParams as error:
        raise Damaged(f"The game is not played so: {error}") from error
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise Damaged(f"A time, a nonce or a result cannot be read: {error}") from error


def _setup(snapshot: MatchSnapshot) -> Step:
    try:
        return selectors.setup(snapshot)
    except UNREADABLE as error:
        raise Damaged(f"The setup cannot be replayed: {_told(error)}") from error


def _check_place(entry: LogEntry, standing: Sequence[int], seats: int) -> None:
    """Check that the person named may make an entry, and that a take-back is valid.

    ``standing`` are the numbers of the moves and drops before it that were not taken back.
    """
    kind = Kind(entry.kind)
    number = entry.number
    if entry.seat is None and kind in OF_A_SEAT:
        raise Damaged(f"Entry {number} does not say whose it is.")
    if entry.seat is not None and entry.seat >= seats:
        raise Damaged(f"Entry {number} is of seat {entry.seat}, which the match has not.")
    if kind == Kind.GIVE_TIME and entry.text:
        raise Damaged(f"Entry {number} has a text, though it is no move.")
    if (kind == Kind.TAKE_BACK) != (entry.undoes is not None):
        raise Damaged(f"Entry {number} takes nothing back, or is no take-back.")
    if entry.undoes and [entry.undoes] != list(standing[-1:]):
        raise Damaged(f"Entry {number} takes back what is not the last move that stands.")


def _step(snapshot: MatchSnapshot, entry: LogEntry, steps: Sequence[Step]) -> Step:
    before = steps[(entry.undoes or entry.number) - 1].state
    if snapshot.title.result(steps[-1].state) is not None and entry.kind != Kind.ANNUL:
        raise Damaged(f"Entry {entry.number} comes after the end of the match.")
    try:
        return selectors.after(snapshot, before, entry, RecordedDice(entry.chance))
    except UNREADABLE as error:
        raise Damaged(f"Entry {entry.number} cannot be replayed: {_told(error)}") from error


def _told(error: BaseException) -> str:
    return str(error) if isinstance(error, GameError) else "it is not what the rules expect."


def _check_told(entry: LogEntry, data: Record, step: Step) -> None:
    """Check that an entry says of itself what the rules say of it."""
    if list(step.sides) != data["sides"]:
        raise Damaged(f"Entry {entry.number} rolls other dice than the record says.")
    if _public_events(step) != data["events"]:
        raise Damaged(f"Entry {entry.number} does something else than the record says.")


def _public_events(step: Step) -> list[Json]:
    return [event.seen_by(None, over=True).dump() for event in step.events]


def _check_end(snapshot: MatchSnapshot, entries: Sequence[LogEntry], steps: Sequence[Step]) -> None:
    """Check status, ending and result against the last entry and the last position."""
    match = snapshot.match
    ranks = snapshot.title.result(steps[-1].state)
    if match.status in LAST:
        has_result = snapshot.players[0].rank is not None
        if has_result or not entries or entries[-1].kind != LAST[match.status]:
            raise Damaged("The record does not end as its status says.")
        return
    if ranks is None:
        raise Damaged("The record stops before the end of the match.")
    if tuple(ranks) != tuple(player.rank for player in snapshot.players):
        raise Damaged("The result is not the one that the moves lead to.")
    endings = {event.ending for event in steps[-1].events if isinstance(event, Ended)}
    if match.ending not in {*endings, *formatting.ENDINGS}:
        raise Damaged(f"The ending {quoted(match.ending)} is not how this match ends.")
