"""What an imported record shows: the same as the record of a match, read from what was imported."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.shortcuts import get_object_or_404

from games.kernel.views import View
from games.matches.errors import NoSuchMatch
from games.matches.models import LogEntry, Match
from games.matches.presentation import view_of
from games.records import imports
from games.records.models import ImportedRecord
from games.records.rebuilding import snapshot_of
from games.web.record.page import RecordPage


@dataclass(frozen=True)
class ImportedPage(RecordPage):
    """An imported record after entry ``number``; everybody sees all of it."""

    record: ImportedRecord

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
        log = imports.leading_to(record, number) if number else []
        return cls(snapshot, None, log, user, number, record)

    @cached_property
    def address(self) -> str:
        """The address below which its positions are, each under the number of its entry."""
        return self.record.get_absolute_url().removesuffix("0/")

    @cached_property
    def view(self) -> View:
        """The position that is shown; there is no other."""
        return self._view_after(self.number)

    def _view_after(self, number: int) -> View:
        state = imports.state_after(self.record, self.snapshot, number)
        return view_of(self.snapshot, None, state)

    @property
    def comment_counts(self) -> Mapping[int, int]:
        """Nothing: there are no comments on imported records."""
        return {}

    def entries(self, match: Match, *, after: int, upto: int) -> Sequence[LogEntry]:
        """Read those entries of its log."""
        return imports.log(self.record, after=after, upto=upto)

    def undone_among(self, entries: Sequence[LogEntry]) -> frozenset[int | None]:
        """Return the numbers of those entries that were taken back."""
        return imports.undone_among(self.record, [entry.number for entry in entries])
