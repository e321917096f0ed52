"""Taking records in, and reading them: one position in the time that a few entries take."""

import hashlib
import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django.db import IntegrityError, connection, transaction

from accounts.models import User
from accounts.sanctions import standing
from games.kernel.dice import RecordedDice
from games.matches import selectors
from games.matches.models import Checkpoint, LogEntry
from games.matches.selectors import MatchSnapshot
from games.records import checking, reading
from games.records.checking import Replayed
from games.records.errors import MayNotImport
from games.records.models import ImportedEntry, ImportedRecord
from games.records.rebuilding import entry_of

MAX_IMPORTS = 100
"""Records that one person may have taken in."""


def check_may_import(user: User, now: datetime) -> None:
    """Check that a user may take a record in.

    :raises MayNotImport: they may not, or have as many as one may.
    """
    if user.is_guest:
        raise MayNotImport("Join to take records in: guests cannot.")
    if standing.is_muted(user, now):
        raise MayNotImport("You may not publish anything now.")
    if ImportedRecord.objects.filter(owner=user).count() >= MAX_IMPORTS:
        raise MayNotImport(f"You have {MAX_IMPORTS} imported records. Delete one first.")


def take_in(*, user: User, data: bytes, now: datetime) -> ImportedRecord:
    """Check a file, replay it, and keep it as an imported record; the same one again is found.

    :raises MayNotImport: the user may not.
    :raises Damaged: it is no record, or one that does not hold.
    """
    check_may_import(user, now)
    if not connection.in_atomic_block:
        # Others can have it while the record is checked.
        connection.close()
    record, is_partial = reading.read(data)
    replayed = checking.replay(record, is_partial=is_partial)
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
    dump = replayed.snapshot.title.dump
    for data, entry, step in zip(record["log"], replayed.entries, replayed.steps[1:], strict=True):
        is_stored = entry.number % Checkpoint.EVERY == 0 or entry.undoes
        yield ImportedEntry(
            record=kept,
            number=entry.number,
            data=data,
            events=entry.events,
            undoes=entry.undoes,
            position=dump(step.state) if is_stored else None,
        )


def remove(*, user: User, record: ImportedRecord) -> bool:
    """Delete a record that a user has taken in; ``False`` if it is not theirs."""
    return bool(ImportedRecord.objects.filter(pk=record.pk, owner=user).delete()[0])


def log(record: ImportedRecord, *, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the entries of a record in order: those after a number, up to another."""
    entries = ImportedEntry.objects.filter(record=record, number__gt=after).order_by("number")
    rows = entries if upto is None else entries.filter(number__lte=upto)
    return [entry_of(row.data, row.events) for row in rows]


def leading_to(record: ImportedRecord, number: int) -> Sequence[LogEntry]:
    """Return entry ``number``, after the last that did something and stood if it did nothing."""
    entries = log(record, after=number - 1, upto=number)
    if any(entry.events for entry in entries):
        return entries
    before = ImportedEntry.objects.filter(record=record, number__lt=number).exclude(events=[])
    undone = ImportedEntry.objects.filter(record=record, number__lte=number)
    kept = before.exclude(number__in=undone.filter(undoes__isnull=False).values("undoes"))
    row = kept.order_by("-number").first()
    return [entry_of(row.data, row.events), *entries] if row else entries


def undone_among(record: ImportedRecord, numbers: Sequence[int]) -> frozenset[int | None]:
    """Return those numbers of entries that later ones took back."""
    entries = ImportedEntry.objects.filter(record=record, undoes__in=numbers)
    return frozenset(entries.values_list("undoes", flat=True))


def state_after(record: ImportedRecord, snapshot: MatchSnapshot, number: int) -> Any:
    """Return the state after entry ``number``, 0 for the start, from the position stored before."""
    stored = ImportedEntry.objects.filter(record=record, number__lte=number, position__isnull=False)
    base = stored.order_by("-number").first()
    state = snapshot.load(base.position) if base else selectors.setup(snapshot).state
    for entry in log(record, after=base.number if base else 0, upto=number):
        state = selectors.after(snapshot, state, entry, RecordedDice(entry.chance)).state
    return state


def export(record: ImportedRecord) -> dict[str, Any]:
    """Return a record as it was taken in."""
    entries = record.entries.order_by("number").values_list("data", flat=True)
    return {**record.head, "log": list(entries)}
