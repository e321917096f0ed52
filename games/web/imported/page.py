"""What an imported record shows: the same as the record of a match, read from what was imported."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.shortcuts import get_object_or_404

from games.matches.errors import NoSuchMatch
from games.matches.log import log_entries
from games.matches.models import LogEntry
from games.matches.selectors import MatchSnapshot
from games.matches.view.match_view import MatchView
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import snapshot_of
from games.web.record.page import RecordPage


@dataclass(frozen=True)
class ImportedHistory:
    """The history of an imported record; everybody sees all of it."""

    record: ImportedRecord
    snapshot: MatchSnapshot

    @property
    def address(self) -> str:
        """The address below which its positions are."""
        return self.record.get_absolute_url().removesuffix("0/")

    def state_after(self, number: int) -> Any:
        """Return the state after an entry."""
        return imports.state_after(self.record, self.snapshot, number)

    def entries(self, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Read entries of the log."""
        return imports.log(self.record, after=after, upto=upto)

    def newest(self) -> LogEntry | None:
        """Return the last move that was not taken back."""
        return log_entries.newest_move(imports.log(self.record))

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that were taken back."""
        return imports.undone_among(self.record, [entry.number for entry in entries])


@dataclass(frozen=True)
class ImportedPage(RecordPage):
    """An imported record after entry ``number``."""

    record: ImportedRecord

    @property
    def comment_counts(self) -> Mapping[int, int]:
        """Nothing: there are no comments on imported records."""
        return {}

    @classmethod
    def read_imported(cls, record_id: int, number: int, user: Any) -> "ImportedPage":
        """Read what the page shows.

        :raises Http404: there is no such record.
        :raises NoSuchMatch: its log is shorter.
        """
        rows = ImportedRecord.objects.select_related("owner")
        record = get_object_or_404(rows, pk=record_id)
        if number > record.length:
            raise NoSuchMatch(f"The record has no entry {number}.")
        snapshot = snapshot_of(record.head)
        snapshot.match.version = record.length
        log = imports.leading_to(record, number)
        history = ImportedHistory(record, snapshot)
        view = MatchView(snapshot, None, log if number else [], history, number)
        return cls(view, history, number, user, record)
