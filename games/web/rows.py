"""Matches in lists: each with its board, its players and its last move, as the reader may see."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import F

from games.kernel.contract import Meta, Seat
from games.matches import listing
from games.matches.errors import Unreadable
from games.matches.models import LogEntry, Match, Player
from games.matches.presentation import sentences
from games.matches.selectors import MatchSnapshot
from games.web import formatting


@dataclass(frozen=True)
class Row:
    """A match in a list; ``reader`` is the seat of whoever reads it."""

    snapshot: MatchSnapshot
    last: LogEntry | None
    reader: Seat | None

    @property
    def match(self) -> Match:
        """The match itself."""
        return self.snapshot.match

    @property
    def meta(self) -> Meta:
        """The facts of its game."""
        return self.snapshot.title.meta

    @property
    def own(self) -> Player | None:
        """The reader's seat, if they play."""
        return None if self.reader is None else self.snapshot.players[self.reader]

    @property
    def others(self) -> list[Player]:
        """All players but the reader."""
        return [player for player in self.snapshot.players if player.seat != self.reader]

    @property
    def waits(self) -> bool:
        """Whether the match waits for the reader."""
        return self.match.is_running and self.own is not None and self.own.to_move

    @property
    def awaited(self) -> list[Player]:
        """The players for whom the match waits."""
        running = self.match.is_running
        return [player for player in self.snapshot.players if running and player.to_move]

    @cached_property
    def told(self) -> str:
        """What happened last, in words; empty before the first move."""
        try:
            return " ".join(sentences(self.snapshot, self.last, self.reader)) if self.last else ""
        except Unreadable:
            return ""

    @property
    def params(self) -> str:
        """The parameters in one line."""
        return formatting.parameters_short(self.meta, self.match.params)

    @property
    def outcome(self) -> str:
        """How it came out; empty while it runs."""
        return formatting.outcome(self.snapshot)

    @property
    def ranking(self) -> str:
        """Who came in where, with three or more; empty while it runs."""
        return formatting.ranking(self.snapshot.players)

    @property
    def ending(self) -> str:
        """How it ended without being played out; else empty."""
        return formatting.ending(self.snapshot)


def rows(matches: Sequence[Match], reader: Any) -> list[Row]:
    """Return matches, read with their players, as rows for a reader; one query for all."""
    last = {entry.match_id: entry for entry in _last_entries(matches)}
    tables = listing.snapshots(matches)
    return [
        Row(snapshot, last.get(snapshot.match.pk), snapshot.seat_of(reader)) for snapshot in tables
    ]


def _last_entries(matches: Iterable[Match]) -> Iterable[LogEntry]:
    ids = [match.pk for match in matches]
    return LogEntry.objects.filter(match__in=ids, number=F("match__version")) if ids else ()
