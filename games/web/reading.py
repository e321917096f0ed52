"""A match as one reader sees it: what its page and its record have in common."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.kernel import packed_marks, svg
from games.kernel.contract import Colour, Meta, Seat
from games.matches import listing, presentation, selectors
from games.matches.commitment import Commitment, commitment_of
from games.matches.errors import NoSuchMatch
from games.matches.models import LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot
from games.web import formatting

TWO = 2

CROWDED = ((400, "board-huge"), (200, "board-large"), (90, "board-medium"))
"""From so many marks on, a board is never drawn smaller than its class says."""


def read_snapshot(match_id: int) -> MatchSnapshot:
    """Read a match with its players and their names, in two queries.

    :raises NoSuchMatch: there is none with this id.
    """
    match = listing.with_players(Match.objects.filter(pk=match_id)).first()
    if match is None:
        raise NoSuchMatch(f"There is no match {match_id}.")
    return selectors.snapshot_of(match)


@dataclass(frozen=True)
class LogRow:
    """A line of the log, the colour of whoever made it, the address of the position after it."""

    line: presentation.Line
    colour: Colour | None
    address: str

    @property
    def move(self) -> LogEntry:
        """The entry itself."""
        return self.line.entry

    @property
    def dice(self) -> str:
        """The dice that were rolled, each as sides and face: ``4:3 6:5``."""
        return " ".join(f"{sides}:{face}" for sides, face in self.line.dice)


@dataclass(frozen=True)
class MatchPresentation:
    """A match with its log, and who reads it."""

    snapshot: MatchSnapshot
    entries: Sequence[LogEntry]
    user: Any

    @property
    def match(self) -> Match:
        """The match itself."""
        return self.snapshot.match

    @property
    def meta(self) -> Meta:
        """The facts of its game."""
        return self.snapshot.title.meta

    @cached_property
    def seat(self) -> Seat | None:
        """The reader's seat; none for a spectator."""
        return self.snapshot.seat_of(self.user)

    @property
    def own(self) -> Player | None:
        """The reader as a player."""
        return None if self.seat is None else self.snapshot.players[self.seat]

    @cached_property
    def pending_question(self) -> str:
        """What the reader is asked in another's turn, and what is at stake; empty if nothing."""
        return presentation.pending_question(self.snapshot, self.seat)

    @property
    def awaited(self) -> list[Player]:
        """The players for whom the match waits."""
        return [self.snapshot.players[seat] for seat in self.snapshot.actors]

    @cached_property
    def watching(self) -> list[Player]:
        """The players of a running match who have dropped out or been put out by the rules."""
        still_in = (
            self.snapshot.seats_still_in() if self.match.is_running else self.snapshot.players
        )
        return [player for player in self.snapshot.players if player not in still_in]

    @property
    def heading(self) -> str:
        """Who plays: ``ada and bruno``."""
        return formatting.names([player.user.username for player in self.snapshot.players])

    @property
    def params(self) -> str:
        """The parameters in one line."""
        return formatting.parameters_short(self.meta, self.match.params)

    @property
    def of_two(self) -> bool:
        """Whether two play: one wins what the other loses."""
        return len(self.snapshot.players) == TWO

    @property
    def outcome(self) -> str:
        """How it came out, as a heading: ``ada won``, ``Draw``; empty while it runs."""
        said = formatting.outcome(self.snapshot)
        return said if self.has_winner else said.capitalize()

    @property
    def ending(self) -> str:
        """Why it ended."""
        return formatting.ending(self.snapshot)

    @property
    def ranking(self) -> str:
        """Who came in where, with three or more; empty while it runs."""
        return formatting.ranking(self.snapshot.players)

    @property
    def has_winner(self) -> bool:
        """Whether it ended otherwise than in a tie of all."""
        first = [player.rank == 1 for player in self.snapshot.players]
        return any(first) and not all(first)

    @cached_property
    def log(self) -> list[LogRow]:
        """The log, told to the reader, in order."""
        return self.told(self.entries)

    def told(self, entries: Sequence[LogEntry]) -> list[LogRow]:
        """Tell entries of the log to the reader; all after the first of them must be there."""
        page, colours = self.match.get_absolute_url(), self.meta.colours
        return [
            LogRow(
                line,
                None if line.entry.seat is None else colours[line.entry.seat],
                f"{page}{line.entry.number}/",
            )
            for line in presentation.lines(self.snapshot, entries, self.seat)
        ]

    @cached_property
    def commitment(self) -> Commitment | None:
        """What the dice are sealed with, as far as it may be told; none without chance."""
        return commitment_of(self.snapshot)

    @cached_property
    def drawing(self) -> svg.Drawing:
        """The board as it stands, what was done last lit on it."""
        return presentation.board(self.snapshot, self.seat, self.entries)

    @property
    def links(self) -> Mapping[str, str]:
        """Where a click on each mark of the board leads."""
        return {}

    @property
    def alternatives(self) -> Collection[str]:
        """The marks of which a click goes back on what was chosen so far."""
        return ()

    @property
    def opened_marks(self) -> Collection[str]:
        """The marks of the board whose insides are shown."""
        return ()

    @property
    def chosen_marks(self) -> Collection[str]:
        """The marks of the board that the words of an unfinished move stand for."""
        return ()

    @property
    def board(self) -> SafeString:
        """The board as a page shows it, its marks to be walked and, where linked, chosen."""
        ids = f"m{self.match.pk}-"
        drawing = packed_marks.pack(self.drawing, self.links)
        picture = svg.render(
            drawing,
            ids=ids,
            links=self.links,
            alternatives=self.alternatives,
            chosen=self.chosen_marks,
            opened=self.opened_marks,
        )
        # Drawings are built from elements that escape what they are given.
        return mark_safe(picture)  # noqa: S308

    @cached_property
    def mark_count(self) -> int:
        """How many marks the board has, those not written included."""
        return len(svg.marks_of(self.drawing))

    @property
    def board_class(self) -> str:
        """How much room the board needs at least, as a class; empty for little."""
        return next((name for least, name in CROWDED if self.mark_count >= least), "")

    @property
    def standing(self) -> list[str]:
        """What stands on the board, in words and in reading order."""
        return [label for _, label in svg.marks_of(self.drawing, hidden=False)]
