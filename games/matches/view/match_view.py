"""A match as one viewer may see it: board, players, log, outcome.

Pages, record, lists, mails, exports and the API are all filled from :class:`MatchView`. Drawings
are made from views, never from states. :meth:`Table.view` is the only way from one to the other.
"""

from collections.abc import Collection, Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any

from django.utils import timezone

from games.kernel.contract import Colour, Ended, Meta, Seat, Tally
from games.kernel.language import gettext as _
from games.kernel.language import labelled, pgettext
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.matches import formatting
from games.matches.errors import LOG, Unreadable, reading
from games.matches.log import positions
from games.matches.log.lines import LogLine, events_of, line, news, summary
from games.matches.log.log_entries import PLAY, last_event_entry, move_numbers, newest_move, undone
from games.matches.models import LogEntry, Match
from games.matches.table import Facts, Former, Participant, Table
from games.matches.view import parts
from games.matches.view.history import History
from games.matches.view.log import LogWriter, seat_of, since_move, turns
from games.matches.view.parts import Head, LogTurn, Strip, Swatch
from games.matches.view.seats import clock_face, person, swatch

DUEL = 2

NO_COMMENTS: Mapping[int, int] = MappingProxyType({})


@dataclass(frozen=True)
class MatchView:
    """A match as one viewer may see it.

    ``viewer`` is a seat, or ``None`` for a spectator. ``log`` holds the last entries of the log in
    order (:func:`~games.matches.log.log_entries.recent`), or all, or none if no log is shown. For a
    record it leads to the position shown, which is that after entry ``number``. ``history`` reads
    the rest of a record. Without it ``log`` is complete. ``turns_made`` caches the turns of the log
    for this viewer, so that an open page makes each only once.
    """

    table: Table
    viewer: Seat | None
    log: Sequence[LogEntry]
    history: History | None = None
    number: int | None = None
    turns_made: MutableMapping[Any, LogTurn] = field(default_factory=dict)

    @property
    def match(self) -> Facts:
        return self.table.match

    @property
    def meta(self) -> Meta:
        """The facts of its game."""
        return self.table.title.meta

    @cached_property
    def address(self) -> str:
        return self.history.address if self.history else self.match.get_absolute_url()

    # --- Players --------------------------------------------------------------------------------

    @property
    def players(self) -> Sequence[Participant]:
        return self.table.players

    @property
    def own(self) -> Participant | None:
        """The viewer as a player. ``None`` for a spectator."""
        return None if self.viewer is None else self.players[self.viewer]

    @property
    def others(self) -> list[Participant]:
        """All players except the viewer."""
        return [player for player in self.players if player.seat != self.viewer]

    @property
    def of_two(self) -> bool:
        """Whether there are two players, so that one wins what the other loses."""
        return len(self.players) == DUEL

    @property
    def waits(self) -> bool:
        """Whether the match waits for the viewer."""
        return self.match.is_running and self.own is not None and self.own.to_move

    @property
    def awaited(self) -> list[Participant]:
        """The players to move, even if the position can't be read."""
        running = self.match.is_running
        return [player for player in self.players if running and player.to_move]

    @property
    def bots_think(self) -> bool:
        """Whether the match waits only for bots."""
        return all(player.is_bot for player in self.awaited)

    @cached_property
    def watching(self) -> list[Participant]:
        """The players of a running match who have dropped out or been eliminated by the rules."""
        still_in = self.table.seats_still_in() if self.match.is_running else self.players
        return [player for player in self.players if player not in still_in]

    def colour_of(self, player: Participant) -> Colour:
        return self.meta.colours[player.seat]

    @property
    def substitutions(self) -> list[tuple[Colour, Former]]:
        """Former players with the colours that substitutes took over."""
        return [(self.meta.colours[one.seat], one) for one in self.table.former_players]

    def strips(self, entered: View | None = None) -> Sequence[Strip]:
        """Return the strips of the players, in seat order.

        ``entered`` is the position after a move that is being entered. Its numbers are shown.
        """
        return [self.strip(player, entered) for player in self.players]

    def strip(self, player: Participant, entered: View | None = None) -> Strip:
        """Return a player's strip beside the board.

        A record has no numbers in it: strips stay as they are during its steps (:attr:`counts`).
        """
        is_running = self.match.is_running
        is_out = player in self.watching
        title = self.table.title
        seat = Seat(player.seat)
        now = () if self.history else tuple(title.tallies(self.position, seat))
        counts = now if entered is None else tuple(title.tallies(entered, seat))
        if is_running:
            place = (formatting.dropped(player) or pgettext("player", "out")) if is_out else ""
        else:
            place = formatting.place(player, self.players) if player.rank else ""
        return Strip(
            swatch(self.meta, player.seat),
            person(player.user),
            counts,
            clock_face(player, timezone.now()) if is_running and not is_out else None,
            place,
            is_running=is_running,
            is_to_move=is_running and player.to_move,
            is_out=is_out or bool(player.dropped),
            is_own=player.seat == self.viewer,
            has_won=player.rank == 1,
            rating=player.shown_rating,
            is_foreseen=counts != now,
        )

    # --- In words -------------------------------------------------------------------------------

    @property
    def heading(self) -> str:
        """The players: ``ada and bruno``."""
        return formatting.names([player.user.shown_name for player in self.players])

    @property
    def versus(self) -> str:
        """The opponents for a player, ``vs bruno``. For a spectator all players."""
        if self.own is None:
            all_names = [player.user.shown_name for player in self.players]
            if not self.of_two:
                return formatting.names(all_names)
            return _("{player} vs {opponent}").format(player=all_names[0], opponent=all_names[1])
        others = [player.user.shown_name for player in self.others]
        # Translators: after the name of a game, as in "Chess, vs bruno and clara".
        return _("vs {opponents}").format(opponents=formatting.names(others))

    @property
    def params(self) -> str:
        """The parameters in one line. Empty if there is nothing to say."""
        return formatting.parameters_short(self.meta, self.table.params)

    @cached_property
    def head(self) -> Head:
        """The game, its players and its terms."""
        match = self.match
        meta = self.meta
        rated = pgettext("match", "rated") if match.rated else ""
        return Head(
            match_id=match.pk,
            version=match.version,
            epoch=match.clock_epoch,
            seat=self.viewer,
            slug=meta.slug,
            game=meta.name,
            versus=self.versus,
            terms=", ".join(filter(None, [self.params, rated])),
            waits=self.waits,
            news=self.latest,
            former=tuple(
                parts.Former(colour.shown_name, one.user.shown_name, one.until)
                for colour, one in self.substitutions
            ),
        )

    @property
    def outcome(self) -> str:
        """The outcome: ``ada won``, ``draw``. Empty while it runs."""
        return formatting.outcome(self.table)

    @property
    def outcome_heading(self) -> str:
        """The outcome as a heading: ``ada won``, ``Draw``. Empty while the match runs."""
        status = self.match.status
        if status in (Match.Status.CANCELLED, Match.Status.ANNULLED):
            return _(formatting.ENDINGS[status])
        is_draw = bool(self.outcome) and not self._has_winner
        return pgettext("outcome", "Draw") if is_draw else self.outcome

    @property
    def verdict(self) -> str:
        """The outcome to its reader: ``You won``, ``bruno won by resignation``, ``Draw``."""
        if self._result_by_ending:
            return self._result_by_ending
        own = self.own
        over = self.match.status == Match.Status.OVER
        return formatting.verdict(own, self.players) if own and over else self.outcome_heading

    @cached_property
    def _result_by_ending(self) -> str:
        return formatting.result_by_ending(self.table, self.own)

    @property
    def cause(self) -> str:
        """Why the match ended: ``Red has no stones left``. Empty if the verdict says it."""
        if self._result_by_ending:
            return ""
        return _(formatting.CAUSES[self.match.ending]) if self.ending else self.reason

    @property
    def result_heading(self) -> str:
        """The outcome to its reader, and why: ``You won: Red has no stones left``."""
        return labelled(self.verdict, self.cause) if self.cause else self.verdict

    @property
    def result_for_all(self) -> str:
        """The outcome to everybody, and how a match ended that wasn't played out."""
        if by_ending := formatting.result_by_ending(self.table, None):
            return by_ending
        if not self.ending:
            return self.outcome_heading
        return labelled(self.outcome_heading, _(formatting.CAUSES[self.match.ending]))

    @cached_property
    def reason(self) -> str:
        """Why the match ended by the rules of its game, as a clause. Empty if it didn't."""
        events = events_of(self.table, self.log[-1], self.viewer) if self.log else ()
        ended = (event for event in events if isinstance(event, Ended))
        return "".join(self.table.title.ending_reason(event, self.viewer) for event in ended)

    @property
    def _has_winner(self) -> bool:
        first = [player.rank == 1 for player in self.players]
        return any(first) and not all(first)

    @property
    def ending(self) -> str:
        """How the match ended without being played out: ``By resignation``. Otherwise empty."""
        return formatting.ending(self.table)

    @property
    def ranking(self) -> str:
        """The places of three or more players. Empty while the match runs."""
        return formatting.ranking(self.players)

    @cached_property
    def pending_question(self) -> str:
        """The question to the viewer in another's turn, with the stakes. Empty without one."""
        return self.table.pending_question(self.viewer)

    # --- Board ----------------------------------------------------------------------------------

    @cached_property
    def position(self) -> View:
        """The position after the last entry as the viewer may see it."""
        last = self.history.state_after(self.match.version) if self.history else None
        return self.table.view(self.viewer, last)

    @cached_property
    def drawing(self) -> Drawing:
        """The board, with the effects of the last entry highlighted."""
        return self.drawing_at(self._number_shown)

    def drawing_at(self, number: int) -> Drawing:
        """Return the board after entry ``number``, 0 for the start.

        :raises Unreadable: the position can't be read, or the log doesn't replay.
        """
        is_shown = number == self._number_shown
        last = last_event_entry([entry for entry in self.log if entry.number <= number])
        position = self._shown if is_shown else self._position_after(number)
        recent = events_of(self.table, last, self.viewer) if last else ()
        return self.table.title.draw(position, recent)

    @property
    def counts(self) -> Sequence[tuple[Swatch, Sequence[Tally]]]:
        """The numbers that decide, of each seat, as they were after the entry shown."""
        tallies = self.table.title.tallies
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
            state = positions.state_after(self.table, number)
        return self.table.view(self.table.viewer_at(self.viewer, number), state)

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[LogLine]:
        """The log in words, in order."""
        return self.lines_of(self.log)

    def lines_of(self, entries: Sequence[LogEntry]) -> list[LogLine]:
        """Return entries of the log in words."""
        taken_back = self._taken_back(entries)
        return [
            self._line(entry, text, entry.number in taken_back, entries)
            for entry, text in zip(entries, self.texts_of(entries), strict=True)
        ]

    def _taken_back(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return the numbers of entries that were taken back, at least among these."""
        return self.history.undone_among(entries) if self.history else undone(self.log)

    def texts_of(self, entries: Sequence[LogEntry]) -> list[str]:
        """Return the notation of each entry as the viewer may read it.

        Only the newest valid move can hide something, and after the end nothing does.
        """
        newest = self.newest if self.match.is_running else None
        number = newest.number if newest else None
        return [self._text_of(entry, is_newest=entry.number == number) for entry in entries]

    def _text_of(self, entry: LogEntry, *, is_newest: bool) -> str:
        if entry.kind != PLAY:
            return ""
        return self.table.title.redact(entry.text, self.position) if is_newest else entry.text

    @cached_property
    def newest(self) -> LogEntry | None:
        """The last move that wasn't taken back. ``None`` before the first."""
        return self.history.newest() if self.history else newest_move(self.log)

    def turns_of(
        self,
        entries: Sequence[LogEntry],
        *,
        current: int | None = None,
        comments: Mapping[int, int] = NO_COMMENTS,
        moves_before: int | None = None,
    ) -> Sequence[LogTurn]:
        """Return entries of the log by turns, the newest first.

        ``current`` is the number of the entry that is being shown, ``comments`` the number of
        comments by position, ``moves_before`` the number of valid moves before the first entry, if
        moves are to be numbered.
        """
        since = self.own.since if self.own else 0
        numbers = {} if moves_before is None else move_numbers(entries, moves_before)
        writer = LogWriter(self.meta, self.viewer, self.address, current, comments, since, numbers)
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
                lines = [self._line(entry, *states[entry.number][1:], entries) for entry in turn]
                player = None if seat is None else self.players[seat]
                made = self.turns_made[key] = writer.turn(lines, player)
            log.append(made)
        return log[::-1]

    def _line(
        self,
        entry: LogEntry,
        text: str,
        taken_back: bool,  # noqa: FBT001
        entries: Sequence[LogEntry],
    ) -> LogLine:
        undone = _undone_by(entry, entries)
        if entry.undoes and not undone and self.history:
            (undone,) = self.history.entries(after=entry.undoes - 1, upto=entry.undoes)
        return line(self.table, entry, self.viewer, text, taken_back=taken_back, undone=undone)

    @cached_property
    def setup(self) -> str:
        """The random part of the setup, in sentences. Empty without one, or if unreadable."""
        try:
            with reading(self.match, LOG):
                first = self.table.setup().state
        except Unreadable:
            return ""
        viewer = self.table.viewer_at(self.viewer, 0)
        return self.table.title.describe_setup(self.table.view(viewer, first), viewer)

    @cached_property
    def latest(self) -> str:
        """The effects of the last entry, in a line. Empty before the first, or if unreadable."""
        try:
            if not self.log:
                return ""
            last = self.log[-1]
            return summary(self.table, last, self.viewer, _undone_by(last, self.log))
        except Unreadable:
            return ""

    @property
    def news(self) -> str:
        """What happened to the viewer since their last move, and what else others did since.

        Without either, and after a take-back, the effects of the last entry. The move or the offer
        that the viewer has to answer is left out: the question or a note says it.
        """
        if not self.latest or self.log[-1].kind == LogEntry.Kind.TAKE_BACK:
            return self.latest
        taken_back = undone(self.log)
        standing = [e for e in self.log if e.kind == PLAY and e.number not in taken_back]
        since = standing[-1:] if self.viewer is None else since_move(standing, self.viewer)
        if self.pending_question:
            since = since[:-1]
        elif not since and self.log[-1].kind != LogEntry.Kind.OFFER:
            since = self.log[-1:]
        try:
            return news(self.table, since, self.viewer)
        except Unreadable:
            return ""


def _undone_by(entry: LogEntry, entries: Sequence[LogEntry]) -> LogEntry | None:
    """Return the move that an entry takes back. ``None`` if it isn't one of ``entries``."""
    return next((one for one in entries if one.number == entry.undoes), None)
