"""Verify a record: replay it, and compare everything it says with the replay."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from games.kernel import registry, replay
from games.kernel.contract import AnyGame, Ended
from games.kernel.errors import BadParams, GameError, UnknownRules, UnknownTitle, quoted
from games.kernel.replay import Moment
from games.kernel.views import Json
from games.matches import formatting
from games.matches.errors import NOT_READABLE
from games.matches.log.log_entries import PLAYED
from games.matches.models import LogEntry
from games.matches.table import Table
from games.records import text
from games.records.dice_check import Check
from games.records.errors import Damaged
from games.records.rebuilding import check_facts, commitment_of, entry_of, table_of

Record = dict[str, Any]

Kind = LogEntry.Kind

OF_A_SEAT = {Kind.OFFER, Kind.DECLINE, Kind.TAKE_BACK, Kind.GIVE_TIME, *PLAYED}
"""The entries that a seat makes or that concern one."""

LAST = {"cancelled": Kind.CANCEL, "annulled": Kind.ANNUL}
"""The last entry of a match without a result."""

UNREADABLE = (*NOT_READABLE, RecursionError, ArithmeticError)


class Replayed(NamedTuple):
    """A verified record: its entries, and the match after the setup and after each of them."""

    table: Table
    entries: Sequence[LogEntry]
    moments: Sequence[Moment]


def verify(record: Record, *, is_partial: bool = False) -> Replayed:
    """Replay a record, and compare everything that follows from its log.

    If it ``is_partial``, since it came as text, complete it.

    :raises Damaged: the game is unknown, the rules refuse it, or its statements differ.
    """
    title = _title(record)
    table = _snapshot(record, title)
    entries = [entry_of(data, []) for data in record["log"]]
    moments = [_setup(table)]
    standing: list[int] = []
    if is_partial:
        record["setup_sides"] = list(moments[0].sides)
    if list(moments[0].sides) != record["setup_sides"]:
        raise Damaged(_("The setup rolls other dice than the record says."))
    following = replay.follow(table.title, moments[0].state, entries)
    for entry, data in zip(entries, record["log"], strict=True):
        _check_place(entry, standing, len(table.players))
        text.note_standing(standing, entry.kind, entry.number)
        if table.title.result(moments[-1].state) is not None and entry.kind != Kind.ANNUL:
            raise Damaged(
                _("Entry {number} comes after the end of the match.").format(number=entry.number)
            )
        try:
            moment = next(following)
        except UNREADABLE as error:
            raise Damaged(
                _("Entry {number} cannot be replayed: {reason}").format(
                    number=entry.number, reason=_told(error)
                )
            ) from error
        moments.append(moment)
        if is_partial:
            data["sides"] = entry.sides = list(moment.sides)
            data["events"] = _public_events(moment)
        _check_told(entry, data, moment)
        entry.events = [event.dump() for event in moment.events]
    _check_end(table, entries, moments[-1])
    for trouble in Check(record).trouble:
        raise Damaged(_("The dice are not as committed: {reason}").format(reason=trouble))
    return Replayed(table, entries, moments)


def _title(record: Record) -> AnyGame:
    try:
        return registry.get(record["title"], record["rules_version"])
    except UnknownTitle:
        raise Damaged(
            _("The game {game} is not played here.").format(game=quoted(record["title"]))
        ) from None
    except UnknownRules as error:
        raise Damaged(_("These rules are not known here: {reason}").format(reason=error)) from None


def _snapshot(record: Record, title: AnyGame) -> Table:
    try:
        check_facts(record, title)
        colours = [colour.name for colour in title.meta.colours]
        for seat, player in enumerate(record["players"]):
            if (player["seat"], player["colour"]) != (seat, colours[seat]):
                raise Damaged(
                    _("Seat {seat} is not told as that of {player}.").format(
                        seat=seat, player=colours[seat]
                    )
                )
        if title.meta.has_chance != (record["dice"] is not None):
            raise Damaged(_("The game has dice, and the record none, or the other way round."))
        commitment_of(record)
        return table_of(record)
    except BadParams as error:
        raise Damaged(_("The game is not played so: {reason}").format(reason=error)) from error
    except (ValueError, TypeError, IndexError, OverflowError) as error:
        raise Damaged(
            _("A time, a nonce or a result cannot be read: {reason}").format(reason=error)
        ) from error


def _setup(table: Table) -> Moment:
    try:
        return table.setup()
    except UNREADABLE as error:
        raise Damaged(
            _("The setup cannot be replayed: {reason}").format(reason=_told(error))
        ) from error


def _check_place(entry: LogEntry, standing: Sequence[int], seats: int) -> None:
    """Check that the named person may make an entry, and that a take-back is valid.

    ``standing`` are the numbers of earlier moves and drops that weren't taken back.
    """
    kind = Kind(entry.kind)
    number = entry.number
    if entry.seat is None and kind in OF_A_SEAT:
        raise Damaged(_("Entry {number} does not say whose it is.").format(number=number))
    if entry.seat is not None and entry.seat >= seats:
        raise Damaged(
            _("Entry {number} names seat {seat}, but the match has no such seat.").format(
                number=number, seat=entry.seat
            )
        )
    if kind == Kind.GIVE_TIME and entry.text:
        raise Damaged(_("Entry {number} has a text, though it is no move.").format(number=number))
    if (kind == Kind.TAKE_BACK) != (entry.undoes is not None):
        raise Damaged(
            _("Entry {number} takes nothing back, or is no take-back.").format(number=number)
        )
    if entry.undoes and [entry.undoes] != list(standing[-1:]):
        raise Damaged(
            _("Entry {number} takes back what is not the last move that stands.").format(
                number=number
            )
        )


def _told(error: BaseException) -> str:
    return str(error) if isinstance(error, GameError) else _("it is not what the rules expect.")


def _check_told(entry: LogEntry, data: Record, moment: Moment) -> None:
    """Check an entry's events and dice against the rules."""
    if list(moment.sides) != data["sides"]:
        raise Damaged(
            _("Entry {number} rolls other dice than the record says.").format(number=entry.number)
        )
    if _public_events(moment) != data["events"]:
        raise Damaged(
            _("Entry {number} does something else than the record says.").format(
                number=entry.number
            )
        )


def _public_events(moment: Moment) -> list[Json]:
    return [event.seen_by(None, over=True).dump() for event in moment.events]


def _check_end(table: Table, entries: Sequence[LogEntry], last: Moment) -> None:
    """Check status, ending and result against the last entry and the last position."""
    match = table.match
    ranks = table.title.result(last.state)
    if match.status in LAST:
        has_result = table.players[0].rank is not None
        if has_result or not entries or entries[-1].kind != LAST[match.status]:
            raise Damaged(_("The record does not end as its status says."))
        return
    if ranks is None:
        raise Damaged(_("The record stops before the end of the match."))
    if tuple(ranks) != tuple(player.rank for player in table.players):
        raise Damaged(_("The result is not the one that the moves lead to."))
    endings = {event.ending for event in last.events if isinstance(event, Ended)}
    if match.ending not in {*endings, *formatting.ENDINGS}:
        raise Damaged(
            _("The ending {ending} is not how this match ends.").format(ending=quoted(match.ending))
        )
