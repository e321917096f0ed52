"""Importing records, and reading their positions in the time that a few entries take."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Q
from django.utils.translation import gettext as _

from accounts.models import User
from accounts.sanctions import standing
from games.kernel import replay
from games.matches.models import Checkpoint, LogEntry
from games.matches.table import Table
from games.records import checking, reading
from games.records.checking import Replayed
from games.records.errors import MayNotImport
from games.records.models import ImportedEntry, ImportedRecord
from games.records.rebuilding import entry_of

MAX_IMPORTS = 100
"""Maximum number of imported records per person."""


def check_may_import(user: User, now: datetime) -> None:
    """:raises MayNotImport: the user may not import records, or has too many."""
    if user.is_guest:
        raise MayNotImport(_("Join to take records in: guests cannot."))
    if standing.is_muted(user, now):
        raise MayNotImport(_("You may not publish anything now."))
    if ImportedRecord.objects.filter(owner=user).count() >= MAX_IMPORTS:
        message = _("You have {count} imported records. Delete one first.")
        raise MayNotImport(message.format(count=MAX_IMPORTS))


def take_in(*, user: User, data: bytes, now: datetime) -> ImportedRecord:
    """Verify a file and store it as an imported record. The same file is stored once.

    :raises MayNotImport: the user may not.
    :raises Damaged: it isn't a record, or the verification fails.
    """
    check_may_import(user, now)
    if not connection.in_atomic_block:
        # Others can have it while the record is checked.
        connection.close()
    record, is_partial = reading.read(data)
    replayed = checking.verify(record, is_partial=is_partial)
    canonical = json.dumps(record, sort_keys=True, ensure_ascii=False).encode()
    digest = hashlib.sha256(canonical).hexdigest()
    try:
        return _keep(user, record, replayed, digest=digest, now=now)
    except IntegrityError:
        return ImportedRecord.objects.get(owner=user, digest=digest)


@transaction.atomic
def _keep(
    user: User, record: dict[str, Any], replayed: Replayed, *, digest: str, now: datetime
) -> ImportedRecord:
    head = {name: value for name, value in record.items() if name != "log"}
    kept = ImportedRecord.objects.create(
        owner=user,
        title=record["title"],
        head=head,
        digest=digest,
        length=len(record["log"]),
        created=now,
    )
    ImportedEntry.objects.bulk_create(_rows(kept, record, replayed), batch_size=500)
    return kept


def _rows(
    kept: ImportedRecord, record: dict[str, Any], replayed: Replayed
) -> Iterator[ImportedEntry]:
    dump = replayed.table.title.dump
    rows = zip(record["log"], replayed.entries, replayed.moments[1:], strict=True)
    for data, entry, moment in rows:
        is_stored = entry.number % Checkpoint.EVERY == 0 or entry.undoes
        yield ImportedEntry(
            record=kept,
            number=entry.number,
            data=data,
            events=entry.events,
            undoes=entry.undoes,
            position=dump(moment.state) if is_stored else None,
        )


def remove(*, user: User, record: ImportedRecord) -> bool:
    """Delete a user's imported record. ``False`` if it isn't theirs."""
    return bool(ImportedRecord.objects.filter(pk=record.pk, owner=user).delete()[0])


def log(record: ImportedRecord, *, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the entries of a record in order, from ``after`` (exclusive) to ``upto``."""
    entries = ImportedEntry.objects.filter(record=record, number__gt=after).order_by("number")
    rows = entries if upto is None else entries.filter(number__lte=upto)
    return [entry_of(row.data, row.events) for row in rows]


def count_moves(record: ImportedRecord, *numbers: int) -> list[int]:
    """Count in the database the moves up to each entry that weren't taken back by then."""
    moves = {
        f"upto_{number}": Count("pk", filter=Q(data__kind=LogEntry.Kind.PLAY, number__lte=number))
        - Count("pk", filter=Q(undoes__isnull=False, number__lte=number))
        for number in numbers
    }
    counted = ImportedEntry.objects.filter(record=record).aggregate(**moves)
    return [counted[f"upto_{number}"] for number in numbers]


def leading_to(record: ImportedRecord, number: int) -> Sequence[LogEntry]:
    """Return entry ``number``, after the last effective one before it if it had no effect."""
    entries = log(record, after=number - 1, upto=number)
    if any(entry.events for entry in entries):
        return entries
    before = ImportedEntry.objects.filter(record=record, number__lt=number).exclude(events=[])
    undone = ImportedEntry.objects.filter(record=record, number__lte=number)
    kept = before.exclude(number__in=undone.filter(undoes__isnull=False).values("undoes"))
    row = kept.order_by("-number").first()
    return [entry_of(row.data, row.events), *entries] if row else entries


def undone_among(record: ImportedRecord, numbers: Sequence[int]) -> frozenset[int | None]:
    """Return the numbers of these entries that were taken back later."""
    entries = ImportedEntry.objects.filter(record=record, undoes__in=numbers)
    return frozenset(entries.values_list("undoes", flat=True))


def state_after(record: ImportedRecord, table: Table, number: int) -> Any:
    """Return the state after entry ``number`` (0 for the start), from the last stored position."""
    stored = ImportedEntry.objects.filter(record=record, number__lte=number, position__isnull=False)
    base = stored.order_by("-number").first()
    state = table.load(base.position) if base else table.setup().state
    entries = log(record, after=base.number if base else 0, upto=number)
    for moment in replay.follow(table.title, state, entries):
        state = moment.state
    return state


def export(record: ImportedRecord) -> dict[str, Any]:
    """Return a record as it was imported."""
    entries = record.entries.order_by("number").values_list("data", flat=True)
    return {**record.head, "log": list(entries)}
