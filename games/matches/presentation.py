"""A match as one viewer may see it: board, log, heading, outcome, preview of a move.

Pages, record, lists, mails, exports and the API are all filled from :class:`MatchPresentation`.
Drawings are made from views, never from states: :func:`view_of` is the only way from one to the
other.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.kernel import svg
from games.kernel.contract import ENDED, AnyTitle, Colour, Event, Meta, Seat, Tally
from games.kernel.dice import no_dice
from games.kernel.errors import ChanceError
from games.kernel.svg import Drawing
from games.kernel.views import View
from games.matches import formatting, positions
from games.matches.commitment import Commitment, commitment_of
from games.matches.errors import LOG, Unreadable
from games.matches.log_entries import PLAY, last_event_entry, newest_move, undone
from games.matches.log_lines import Line, events_of, line, sentences
from games.matches.log_turns import Turn, turns
from games.matches.models import FormerPlayer, LogEntry, Match, Player
from games.matches.selectors import MatchSnapshot, reading, setup

TWO = 2


@dataclass(frozen=True)
class MatchPresentation:
    """A match as one viewer may see it.

    ``viewer`` is a seat, or ``None`` for a spectator. ``log`` holds the last entries of the log in
    order (:func:`~games.matches.log_entries.recent`), or all, or none where no log is shown.
    """

    snapshot: MatchSnapshot
    viewer: Seat | None
    log: Sequence[LogEntry]

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
        return self.match.get_absolute_url()

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
        """The players for whom the match waits."""
        return [self.players[seat] for seat in self.snapshot.actors]

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

    def tallies_of(self, player: Player) -> Sequence[Tally]:
        """Return the numbers that decide how a player stands."""
        return self.snapshot.title.tallies(self.view, Seat(player.seat))

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
        return formatting.parameters_short(self.meta, self.match.params)

    @property
    def outcome(self) -> str:
        """How the match came out: ``ada won``, ``draw``; empty while it runs."""
        return formatting.outcome(self.snapshot)

    @property
    def outcome_heading(self) -> str:
        """The outcome as a heading: ``ada won``, ``Draw``; empty while the match runs."""
        return self.outcome if self._has_winner else self.outcome.capitalize()

    @property
    def result_heading(self) -> str:
        """The outcome to its reader, and why: ``You won: Red has no stones left``."""
        own, over = self.own, self.match.status == Match.Status.OVER
        verdict = formatting.verdict(own, self.players) if own and over else self.outcome_heading
        if self.ending:
            return f"{verdict} {self.ending.lower()}"
        return f"{verdict}: {self.reason}" if self.reason else verdict

    @cached_property
    def reason(self) -> str:
        """Why the match ended by the rules of its game, as a clause; empty where it did not."""
        events = events_of(self.snapshot, self.log[-1], self.viewer) if self.log else ()
        ended = (event for event in events if event.type == ENDED)
        return "".join(self.snapshot.title.reason(event, self.viewer) for event in ended)

    @property
    def meaning(self) -> str:
        """How the game's own rules end a match in this way, in a sentence; else empty."""
        return self.meta.endings.get(self.match.ending, "")

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
    def view(self) -> View:
        """The position as the viewer may see it."""
        return view_of(self.snapshot, self.viewer)

    @cached_property
    def drawing(self) -> Drawing:
        """The board as it stands, with what the last entry did highlighted."""
        return self.drawing_at(self.match.version)

    def drawing_at(self, number: int) -> Drawing:
        """Return the board after entry ``number``, 0 for the start.

        :raises Unreadable: the position cannot be read, or the log does not replay.
        """
        is_last = number == self.match.version
        last = last_event_entry([entry for entry in self.log if entry.number <= number])
        view = self.view if is_last else self._view_after(number)
        recent = events_of(self.snapshot, last, self.viewer) if last else ()
        return self.snapshot.title.draw(view, recent)

    def _view_after(self, number: int) -> View:
        state = positions.state_after(self.snapshot, number)
        return view_of(self.snapshot, self.snapshot.viewer_at(self.viewer, number), state)

    @property
    def board_labels(self) -> list[str]:
        """What stands on the board, in words and in reading order."""
        return [label for _, label in svg.marks_of(self.drawing, hidden=False)]

    # --- Log ------------------------------------------------------------------------------------

    @cached_property
    def lines(self) -> list[Line]:
        """The log in words, in order."""
        return self.lines_of(self.log)

    def lines_of(self, entries: Sequence[LogEntry]) -> list[Line]:
        """Return entries of the log in words."""
        taken_back, texts = self.undone_among(entries), self.texts_of(entries)
        return [
            line(self.snapshot, entry, self.viewer, text, taken_back=entry.number in taken_back)
            for entry, text in zip(entries, texts, strict=True)
        ]

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
        return self.snapshot.title.redact(entry.text, self.view) if is_newest else entry.text

    @cached_property
    def newest(self) -> LogEntry | None:
        """The last move that was not taken back; ``None`` before the first."""
        return newest_move(self.log)

    def undone_among(self, entries: Sequence[LogEntry]) -> Collection[int | None]:
        """Return at least the numbers of those entries of the log that were taken back."""
        return undone(self.log)

    @cached_property
    def turns(self) -> list[Turn]:
        """The log in words, by turns."""
        return turns(self.lines, self.players, self.meta.colours)

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
        """What the last entry did, in words; empty before the first."""
        return " ".join(sentences(self.snapshot, self.log[-1], self.viewer)) if self.log else ""


@dataclass(frozen=True)
class Preview:
    """What a move would do: its canonical text, the same in words, and the board after it.

    ``sentences`` tell its events, ``consequences`` those beyond the move itself. Where chance or
    hidden information decides what it does, or it ends a match with hidden information,
    ``drawing`` is the board before it and ``state`` is ``None``. ``is_drawn`` says that chance has
    a say, where that may be known.
    """

    text: str
    phrase: str
    drawing: Drawing
    sentences: tuple[str, ...] = ()
    consequences: tuple[str, ...] = ()
    state: Any = None
    is_drawn: bool = False


def view_of(snapshot: MatchSnapshot, viewer: Seat | None, state: Any = None) -> View:
    """Return a position as a viewer may see it; after the end everything is shown.

    ``state`` is the position, ``None`` for the one after the last entry.
    """
    state = snapshot.state if state is None else state
    is_hidden = snapshot.match.is_running
    view: View = (
        snapshot.title.rules.view(state, viewer) if is_hidden else snapshot.title.open_view(state)
    )
    return view


def preview(snapshot: MatchSnapshot, seat: Seat, text: str, state: Any = None) -> Preview:
    """Return what a move would do, as far as its mover may know beforehand.

    ``state`` is the position that earlier moves of the same submission lead to.

    :raises RulesError: the move is not legal.
    """
    title = snapshot.title
    move, before = title.parse(text), snapshot.state if state is None else state
    is_hidden = title.outcome_hidden(move)
    try:
        after, events = title.rules.play(before, seat, move, no_dice())
    except ChanceError:
        return _undecided(title, seat, move, before, is_drawn=not is_hidden)
    if is_hidden or (title.meta.has_secrets and title.rules.result(after)):
        return _undecided(title, seat, move, before)
    seen = tuple(event.seen_by(seat) for event in events)
    return Preview(
        str(move),
        title.phrase(move, title.rules.view(before, seat), seat),
        title.draw(title.rules.view(after, seat), seen),
        _told(title, seen, seat),
        _told(title, [event for event in seen if event.type != seen[0].type], seat),
        after,
    )


def _undecided(
    title: AnyTitle, seat: Seat, move: Any, before: Any, *, is_drawn: bool = False
) -> Preview:
    """Return the preview of a move whose outcome its mover may not know yet."""
    view = title.rules.view(before, seat)
    phrase = title.phrase(move, view, seat)
    return Preview(str(move), phrase, title.draw(view, ()), is_drawn=is_drawn)


def _told(title: AnyTitle, events: Sequence[Event], seat: Seat) -> tuple[str, ...]:
    return tuple(filter(None, (title.describe(event, seat) for event in events)))


def pending_question(snapshot: MatchSnapshot, seat: Seat | None) -> str:
    """Return what a seat is asked in another's turn, as a sentence; empty if nothing is."""
    if seat is None or seat not in snapshot.actors:
        return ""
    return snapshot.title.pending_question(view_of(snapshot, seat), seat)
