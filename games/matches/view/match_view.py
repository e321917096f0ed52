"""A match as one viewer may see it: board, players, log, outcome.

Pages, record, lists, mails, exports and the API are all filled from :class:`MatchView`. Drawings
are made from views, never from states: :func:`view_of` is the only way from one to the other.
"""

from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.utils import timezone

from games.kernel.contract import Colour, Ended, Meta, Seat, Tally
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.matches import formatting
from games.matches.errors import LOG, Unreadable
from games.matches.log import positions
from games.matches.log.commitment import Commitment, commitment_of
from games.matches.log.lines import Line, events_of, headline, line, summary
from games.matches.log.log_entries import PLAY, last_event_entry, newest_move, undone
from games.matches.models import FormerPlayer, LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot, reading, setup
from games.matches.view.history import History
from games.matches.view.log import LogWriter, seat_of, turns
from games.matches.view.parts import Former, Head, LogTurn, Strip, Swatch
from games.matches.view.seats import clock_face, person, swatch

TWO = 2

NO_COMMENTS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True)
class MatchView:
    """A match as one viewer may see it.

    ``viewer`` is a seat, or ``None`` for a spectator. ``log`` holds the last entries of the log in
    order (:func:`~games.matches.log.log_entries.recent`), or all, or none where no log is shown; of
    a record it is what led to the position shown, which is that after entry ``number``. ``history``
    is what else a record reads; without it ``log`` says all. ``turns_made`` are the turns of the
    log that were made for this viewer before: a page that stays open makes each only once.
    """

    snapshot: MatchSnapshot
    viewer: Seat | None
    log: Sequence[LogEntry]
    history: History | None = None
    number: int | None = None
    turns_made: MutableMapping[Any, LogTurn] = field(default_factory=dict)

    @property
    def match(self) -> Match:
        """The match itself."""
        return self.snapshot.match

    @property
    def meta(self) -> Meta:
        """The facts of its game."""
        return self.snapshot.title.meta

    @cached_property
    def address(self) -> str:
        """The address below which its positions are, each under the number of its entry."""
        return self.history.address if self.history else self.match.get_absolute_url()

    # --- Players --------------------------------------------------------------------------------

    @property
    def players(self) -> Sequence[Player]:
        """The players, in seat order."""
        return self.snapshot.players

    @property
    def own(self) -> Player | None:
        """The viewer as a player; ``None`` for a spectator."""
        return None if self.viewer is None else self.players[self.viewer]

    @property
    def others(self) -> list[Player]:
        """All players but the viewer."""
        return [player for player in self.players if player.seat != self.viewer]

    @property
    def of_two(self) -> bool:
        """Whether two play: one wins what the other loses."""
        return len(self.players) == TWO

    @property
    def waits(self) -> bool:
        """Whether the match waits for the viewer."""
        return self.match.is_running and self.own is not None and self.own.to_move

    @property
    def awaited(self) -> list[Player]:
        """The players to move, even if the position can't be read."""
        running = self.match.is_running
        return [player for player in self.players if running and player.to_move]

    @property
    def bots_think(self) -> bool:
        """Whether the match waits for nobody but bots."""
        return all(player.is_bot for player in self.awaited)

    @cached_property
    def watching(self) -> list[Player]:
        """The players of a running match who have dropped out or been put out by the rules."""
        still_in = self.snapshot.seats_still_in() if self.match.is_running else self.players
        return [player for player in self.players if player not in still_in]

    def colour_of(self, player: Player) -> Colour:
        """Return the colour of a player's seat."""
        return self.meta.colours[player.seat]

    @property
    def substitutions(self) -> list[tuple[Colour, FormerPlayer]]:
        """Who played which seat until a substitute came."""
        return [(self.meta.colours[one.seat], one) for one in self.snapshot.former_players]

    @cached_property
    def strips(self) -> Sequence[Strip]:
        """The players as they stand beside the board, in seat order."""
        return [self.strip(player) for player in self.players]

    def strip(self, player: Player) -> Strip:
        """Return a player as they stand beside the board.

        A record has none: strips stay as they are while one steps through it (:attr:`counts`).
        """
        is_running = self.match.is_running
        is_out = player in self.watching
        title = self.snapshot.title
        seat = Seat(player.seat)
        counts = () if self.history else title.tallies(self.position, seat)
        if is_running:
            place = (player.get_dropped_display() or "out") if is_out else ""
        else:
            place = formatting.place(player, self.players) if player.rank else ""
        return Strip(
            swatch(self.meta, player.seat),
            person(player.user),
            tuple(counts),
            clock_face(player, timezone.now()) if is_running and not is_out else None,
            place,
            is_running=is_running,
            is_to_move=is_running and player.to_move,
            is_out=is_out or bool(player.dropped),
            is_own=player.seat == self.viewer,
            has_won=player.rank == 1,
            rating=player.shown_rating,
        )

    # --- In words -------------------------------------------------------------------------------

    @property
    def heading(self) -> str:
        """Who plays: ``ada and bruno``."""
        return formatting.names([player.user.shown_name for player in self.players])

    @property
    def versus(self) -> str:
        """The others as a player names them, ``vs bruno``; for a spectator all players."""
        if self.own is None:
            all_names = [player.user.shown_name for player in self.players]
            return " vs ".join(all_names) if self.of_two else formatting.names(all_names)
        return f"vs {formatting.names([player.user.shown_name for player in self.others])}"

    @property
    def params(self) -> str:
        """The parameters in one line; empty where there is nothing to say."""
        return formatting.parameters_short(self.meta, self.snapshot.params)

    @cached_property
    def head(self) -> Head:
        """The game, its players and its terms."""
        match = self.match
        meta = self.meta
        turn = "Your turn: " if self.waits else ""
        return Head(
            match_id=match.pk,
            version=match.version,
            epoch=match.clock_epoch,
            seat=self.viewer,
            slug=meta.slug,
            game=meta.name,
            versus=self.versus,
            terms=", ".join(filter(None, [self.params, "rated" if match.rated else ""])),
            title=f"{turn}{meta.name}, {self.versus} · Turnstone",
            news=self.latest,
            former=tuple(
                Former(colour.name, one.user.shown_name, one.until)
                for colour, one in self.substitutions
            ),
        )

    @property
    def outcome(self) -> str:
        """How the match came out: ``ada won``, ``draw``; empty while it runs."""
        return formatting.outcome(self.snapshot)

    @property
    def outcome_heading(self) -> str:
        """The outcome as a heading: ``ada won``, ``Draw``; empty while the match runs."""
        return self.outcome if self._has_winner else self.outcome.capitalize()

    @property
    def verdict(self) -> str:
        """The outcome to its reader: ``You won``, ``bruno won``, ``Draw``."""
        own = self.own
        over = self.match.status == Match.Status.OVER
        return formatting.verdict(own, self.players) if own and over else self.outcome_heading

    @property
    def cause(self) -> str:
        """Why the match ended: ``Red has no stones left``, ``by resignation``; may be empty."""
        return self.ending.lower() or self.reason

    @property
    def result_heading(self) -> str:
        """The outcome to its reader, and why: ``You won: Red has no stones left``."""
        link = " " if self.ending else ": "
        return f"{self.verdict}{link}{self.cause}" if self.cause else self.verdict

    @cached_property
    def reason(self) -> str:
        """Why the match ended by the rules of its game, as a clause; empty where it did not."""
        events = events_of(self.snapshot, self.log[-1], self.viewer) if self.log else ()
        ended = (event for event in events if isinstance(event, Ended))
        return "".join(self.snapshot.title.ending_reason(event, self.viewer) for event in ended)

    @property
    def _has_winner(self) -> bool:
        first = [player.rank == 1 for player in self.players]
        return any(first) and not all(first)

    @property
    def ending(self) -> str:
        """How the match ended without being played out: ``By resignation``; else empty."""
        return formatting.ending(self.snapshot)

    @property
    def ranking(self) -> str:
        """Who came in where, with three or more players; empty while the match runs."""
        return formatting.ranking(self.players)

    @cached_property
    def pending_question(self) -> str:
        """What the viewer is asked in another's turn, with the stakes; empty if nothing is."""
        return pending_question(self.snapshot, self.viewer)

    @cached_property
    def commitment(self) -> Commitment | None:
        """The commitment to the dice, as far as it is public; ``None`` without chance."""
        return commitment_of(self.snapshot)

    # --- Board ----------------------------------------------------------------------------------

    @cached_property
    def position(self) -> View:
        """The position after the last entry as the viewer may see it."""
        last = self.history.state_after(self.match.version) if self.history else None
        return view_of(self.snapshot, self.viewer, last)

    @cached_property
    def drawing(self) -> Drawing:
        """The board, with what the entry that led to it did highlighted."""
        return self.drawing_at(self._number_shown)

    def drawing_at(self, number: int) -> Drawing:
        """Return the board after entry ``number``, 0 for the start.

        :raises Unreadable: the position cannot be read, or the log does not replay.
        """
        is_shown = number == self._number_shown
        last = last_event_entry([entry for entry in self.log if entry.number <= number])
        position = self._shown if is_shown else self._position_after(number)
        recent = events_of(self.snapshot, last, self.viewer) if last else ()
        return self.snapshot.title.draw(position, recent)

    @property
    def counts(self) -> Sequence[tuple[Swatch, Sequence[Tally]]]:
        """The numbers that decide, of each seat, as they were after the entry shown."""
        tallies = self.snapshot.title.tallies
        return [
            (swatch(self.meta, player.seat), tallies(self._shown, Seat(player.seat)))
            for player in self.players
        ]

    @property
    def _number_shown(self) -> int:
        return self.match.version if self.number is None else self.number

    @cached_property
    def _shown(self) -> View:
        """The position after the entry shown, as the viewer may see it."""
        is_last = self._number_shown == self.match.version
        return self.position if is_last else self._position_after(self._number_shown)

    def _position_after(self, number: int) -> View:
        if self.history:
            state = self.history.state_after(number)
        else:
            state = positions.state_after(self.snapshot, number)
        return view_of(self.snapshot, self.snapshot.viewer_at(self.viewer, number), state)

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[Line]:
        """The log in words, in order."""
        return self.lines_of(self.log)

    def lines_of(self, entries: Sequence[LogEntry]) -> list[Line]:
        """Return entries of the log in words."""
        taken_back = self._taken_back(entries)
        return [
            self._line(entry, text, entry.number in taken_back)
            for entry, text in zip(entries, self.texts_of(entries), strict=True)
        ]

    def _taken_back(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of those entries that were taken back, perhaps among others."""
        return self.history.undone_among(entries) if self.history else undone(self.log)

    def texts_of(self, entries: Sequence[LogEntry]) -> list[str]:
        """Return the notation of each entry as the viewer may read it.

        Only the newest move that stands can hide something, and after the end nothing does.
        """
        newest = self.newest if self.match.is_running else None
        number = newest.number if newest else None
        return [self._text_of(entry, is_newest=entry.number == number) for entry in entries]

    def _text_of(self, entry: LogEntry, *, is_newest: bool) -> str:
        if entry.kind != PLAY:
            return ""
        return self.snapshot.title.redact(entry.text, self.position) if is_newest else entry.text

    @cached_property
    def newest(self) -> LogEntry | None:
        """The last move that was not taken back; ``None`` before the first."""
        return self.history.newest() if self.history else newest_move(self.log)

    def turns_of(
        self,
        entries: Sequence[LogEntry],
        *,
        current: int | None = None,
        comments: Mapping[int, int] = NO_COMMENTS,
    ) -> Sequence[LogTurn]:
        """Return entries of the log by turns, the newest first.

        ``current`` is the number of the entry that is being shown, ``comments`` how many comments
        there are on each position.
        """
        since = self.own.since if self.own else 0
        writer = LogWriter(self.meta, self.viewer, self.address, current, comments, since)
        texts = self.texts_of(entries)
        taken_back = self._taken_back(entries)
        states = {
            entry.number: (entry.number, text, entry.number in taken_back)
            for entry, text in zip(entries, texts, strict=True)
        }
        log = []
        for turn in turns(entries):
            # An entry never changes, but a later one may reveal it or take it back.
            key = self.match.status, *(states[entry.number] for entry in turn)
            made = self.turns_made.get(key)
            if made is None:
                seat = seat_of(turn)
                lines = [self._line(entry, *states[entry.number][1:]) for entry in turn]
                player = None if seat is None else self.players[seat]
                made = self.turns_made[key] = writer.turn(lines, player)
            log.append(made)
        return log[::-1]

    def _line(self, entry: LogEntry, text: str, taken_back: bool) -> Line:  # noqa: FBT001
        return line(self.snapshot, entry, self.viewer, text, taken_back=taken_back)

    @cached_property
    def setup(self) -> str:
        """What the setup drew, in sentences; empty if there is nothing to tell or to read."""
        try:
            with reading(self.match, LOG):
                first = setup(self.snapshot).state
        except Unreadable:
            return ""
        viewer = self.snapshot.viewer_at(self.viewer, 0)
        return self.snapshot.title.describe_setup(view_of(self.snapshot, viewer, first), viewer)

    @cached_property
    def latest(self) -> str:
        """What the last entry did, in a line; empty before the first, and if it cannot be read."""
        try:
            return summary(self.snapshot, self.log[-1], self.viewer) if self.log else ""
        except Unreadable:
            return ""

    @property
    def latest_brief(self) -> str:
        """The last entry in a few words, after the colour that made it; or as ``latest``."""
        if not self.latest:
            return ""
        entry = self.log[-1]
        brief = headline(self.snapshot, entry, self.viewer)
        if not brief or entry.seat is None:
            return self.latest
        name = "You" if entry.seat == self.viewer else self.meta.colours[entry.seat].name
        return f"{name}: {brief}"


def view_of(snapshot: MatchSnapshot, viewer: Seat | None, state: Any = None) -> View:
    """Return a position as a viewer may see it; after the end everything is shown.

    ``state`` is the position, ``None`` for the one after the last entry.
    """
    state = snapshot.state if state is None else state
    is_hidden = snapshot.match.is_running
    view: View = (
        snapshot.title.view(state, viewer) if is_hidden else snapshot.title.open_view(state)
    )
    return view


def pending_question(snapshot: MatchSnapshot, seat: Seat | None) -> str:
    """Return what a seat is asked in another's turn, as a sentence; empty if nothing is."""
    if seat is None or seat not in snapshot.actors:
        return ""
    return snapshot.title.pending_question(view_of(snapshot, seat), seat)
