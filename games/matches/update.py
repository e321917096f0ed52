"""The one way in which a match changes: read, decide, compare and swap.

A change is decided on what was read, without holding a lock, however long the rules think.
Then one short transaction swaps the version and writes log, snapshot, clocks, result and
notices, or finds that another change came first and writes nothing.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction

from games.kernel.contract import ENDED, Event, Ranks, Seat
from games.kernel.dice import Dice, rolled
from games.matches import clock as clocks
from games.matches import notifications, push, selectors
from games.matches.errors import Busy, Refused
from games.matches.models import LogEntry, Match, Player
from games.matches.presentation import turns_ended

ATTEMPTS = 5
"""How often a change that lost the swap is decided anew before it gives up."""

MATCH_FIELDS = ("position", "version", "rolls", "status", "ending", "changed", "ended")
PLAYER_FIELDS = (
    "version",
    "to_move",
    "time_left",
    "clock_since",
    "deadline",
    "remind_at",
    "agrees_to_close",
    "dropped",
    "rank",
)


@dataclass(frozen=True)
class Outcome:
    """What a change came to: the version after it.

    ``repeated`` says that it had been made before, under the same submission.
    """

    version: int
    repeated: bool = False


class MatchUpdate:
    """A change being decided on: what was read, and what will be written."""

    def __init__(
        self, snapshot: selectors.MatchSnapshot, now: datetime, submission: UUID | None = None
    ) -> None:
        self.snapshot = snapshot
        self.now = now
        self.state = snapshot.state
        self.entries: list[LogEntry] = []
        self.events: list[Event] = []
        self._submission = submission
        self._read = (snapshot.match.version, snapshot.match.clock_epoch)
        self._stored = [_stored(player) for player in snapshot.players]
        self._called: set[Seat] = set()
        self._resumes: set[Seat] = set()
        self._pauses = selectors.pauses(now)

    def player(self, seat: Seat) -> Player:
        """Return who sits there."""
        return self.snapshot.players[seat]

    def late(self, seat: Seat) -> bool:
        """Whether the time of a seat has run out."""
        player = self.player(seat)
        if player.clock_since is None or player.time_left is None:
            return False
        return self.now >= clocks.deadline(player.time_left, player.clock_since, self._pauses)

    def thought(self, seat: Seat) -> timedelta | None:
        """Return how long a seat's clock has been running; ``None`` if it stands."""
        since = self.player(seat).clock_since
        return clocks.running(since, self.now, self._pauses) if since else None

    def add(self, kind: LogEntry.Kind, seat: Seat | None, **fields: Any) -> LogEntry:
        """Append an entry to the log."""
        match = self.snapshot.match
        match.version += 1
        entry = LogEntry(
            match=match,
            number=match.version,
            kind=kind,
            seat=seat,
            at=self.now,
            submission=self._submission,
            part=len(self.entries),
            **fields,
        )
        if seat is not None:
            self.player(seat).version = entry.number
        self.entries.append(entry)
        return entry

    def play(self, seat: Seat, text: str) -> None:
        """Play one move by the rules.

        :raises RulesError: it is not legal here.
        """
        snapshot = self.snapshot
        move = snapshot.title.parse(text)
        dice = snapshot.dice()
        state, events = snapshot.title.rules.play(self.state, seat, move, dice)
        thought = self.thought(seat) if not self.entries else timedelta()
        entry = self.add(LogEntry.Kind.PLAY, seat, text=str(move), thinking=thought)
        entry.time_left = self._left_after(seat)
        self._record_rolls(entry, dice)
        self._record_events(entry, state, events)
        for player in snapshot.players:
            player.agrees_to_close = player.agrees_to_close and player.seat == seat

    def drop(self, seat: Seat, kind: LogEntry.Kind, dropped: Player.Dropped, **fields: Any) -> None:
        """Take a seat out of the match."""
        dice = self.snapshot.dice()
        state, events = self.snapshot.title.rules.drop(self.state, seat, dice)
        entry = self.add(kind, seat, thinking=self.thought(seat), **fields)
        entry.time_left = self._left_after(seat)
        self._record_rolls(entry, dice)
        self._record_events(entry, state, events)
        self.player(seat).dropped = dropped
        self.forget_offers()

    def close(self, seat: Seat | None, **fields: Any) -> None:
        """End the match here, ranked as its rules say."""
        state, events = self.snapshot.title.rules.close(self.state)
        self._record_events(self.add(LogEntry.Kind.CLOSE, seat, **fields), state, events)

    def take_back(self, seat: Seat, target: LogEntry, state: Any) -> None:
        """Go back to the position before a seat's own last move, and to its clock then.

        The clock of the seat runs on as if the move had not been made; the others are not charged
        for the time they thought about it, and offers made after it are void.

        :raises Refused: the seat has no time left for another move.
        """
        self.add(LogEntry.Kind.TAKE_BACK, seat, undoes=target.number)
        self.state = state
        self.forget_offers()
        for player in self.snapshot.players:
            if player.seat == seat:
                self._rewind(player, target)
            elif player.clock_since is not None:
                player.clock_since = self.now

    def _rewind(self, player: Player, target: LogEntry) -> None:
        """Undo what a move earned, and let the clock run on with the time that is left."""
        clock, since = self.snapshot.match.time_control, player.clock_since or target.at
        if clock is None or player.time_left is None or target.time_left is None:
            return
        turns = turns_ended(map(Event.load, target.events), Seat(player.seat))
        gain = clock.earned(target.time_left, turns) - target.time_left
        if player.clock_since is not None and not gain:
            return
        player.time_left -= gain
        self._resumes.add(Seat(player.seat))
        if clocks.deadline(player.time_left, since, self._pauses) <= self.now:
            raise Refused("There would be no time left for another move.")
        run_clock(player, since, self._pauses)

    def forget_offers(self) -> None:
        """Withdraw every offer to end the match."""
        for player in self.snapshot.players:
            player.agrees_to_close = False

    def _record_events(self, entry: LogEntry, state: Any, events: Sequence[Event]) -> None:
        self.state = state
        self.events.extend(events)
        entry.events = [event.dump() for event in events]

    def _record_rolls(self, entry: LogEntry, dice: Dice) -> None:
        entry.chance, entry.sides = dice.drawn, dice.sides
        entry.trace = next(iter(dice.traces), None)
        self.snapshot.match.rolls += rolled(dice.sides)

    def _left_after(self, seat: Seat) -> timedelta | None:
        """Return the time a seat has, less what it thought, with what this change earned it."""
        clock, left = self.snapshot.match.time_control, self.player(seat).time_left
        if clock is None or left is None:
            return None
        thought = self.thought(seat) or timedelta()
        return clock.earned(max(left - thought, timedelta()), turns_ended(self.events, seat))

    def finish(self, status: Match.Status, ending: str, ranks: Ranks | None = None) -> None:
        """End the match."""
        match = self.snapshot.match
        match.status, match.ending, match.ended = status, ending, self.now
        for player in self.snapshot.players:
            player.rank = ranks[player.seat] if ranks else None

    def finalize(self, ending: str = "") -> None:
        """Work out result, clocks and who is to move, once all entries are in.

        ``ending`` names the way the match ended where the rules' own name is too general.
        """
        match, rules = self.snapshot.match, self.snapshot.title.rules
        match.position, match.changed = rules.dump(self.state), self.now
        ranks = rules.result(self.state)
        if ranks is not None and match.is_running:
            ends = (str(e.data["ending"]) for e in self.events if e.type == ENDED)
            self.finish(Match.Status.OVER, ending or next(ends), ranks)
        actors = rules.actors(self.state) if match.is_running else ()
        for player in self.snapshot.players:
            self._turn(player, Seat(player.seat) in actors)

    def _turn(self, player: Player, to_move: bool) -> None:  # noqa: FBT001
        earned = turns_ended(self.events, Seat(player.seat))
        was, player.to_move = player.to_move, to_move
        if was and (earned or not to_move):
            self._stop_clock(player)
        clock = self.snapshot.match.time_control
        if earned and clock and player.time_left is not None:
            player.time_left = clock.earned(player.time_left, earned)
        if to_move and not was:
            self._called.add(Seat(player.seat))
        if to_move and (earned or not was) and Seat(player.seat) not in self._resumes:
            self._start_clock(player)

    def _stop_clock(self, player: Player) -> None:
        """Charge a player for the time the clock ran."""
        spent = self.thought(Seat(player.seat))
        if spent is not None and player.time_left is not None:
            player.time_left = max(player.time_left - spent, timedelta())
        player.clock_since = player.deadline = player.remind_at = None

    def _start_clock(self, player: Player) -> None:
        """Let a player's clock run from now."""
        clock = self.snapshot.match.time_control
        if clock is None or player.time_left is None:
            return
        player.time_left = clock.opening(player.time_left)
        run_clock(player, self.now, self._pauses)

    def commit(self) -> bool:
        """Write the change; ``False`` if another one came first, and nothing was written."""
        match = self.snapshot.match
        version, epoch = self._read
        fields = {name: getattr(match, name) for name in MATCH_FIELDS}
        with transaction.atomic():
            found = Match.objects.filter(pk=match.pk, version=version, clock_epoch=epoch)
            if not found.update(**fields):
                return False
            LogEntry.objects.bulk_create(self.entries)
            self._write_players()
            notifications.tell(self.snapshot, self.entries, self._called, self.now)
            push.match_changed(match.pk, match.version, (p.user_id for p in self.snapshot.players))
            if self.snapshot.title.meta.has_queue:
                # Whether there is a queue or not: nobody's move takes longer for another's.
                push.queues_wait(match.pk)
        return True

    def _write_players(self) -> None:
        """Write the players of whom something has changed, in one query."""
        seats = zip(self.snapshot.players, self._stored, strict=True)
        # All rows exist; to insert them over themselves costs a tenth of bulk_update.
        Player.objects.bulk_create(
            [player for player, stored in seats if _stored(player) != stored],
            update_conflicts=True,
            unique_fields=["pk"],
            update_fields=PLAYER_FIELDS,
        )


def _stored(player: Player) -> dict[str, Any]:
    """Return what a change may change of a player."""
    return {name: getattr(player, name) for name in PLAYER_FIELDS}


def run_clock(player: Player, since: datetime, pauses: Sequence[clocks.Pause]) -> None:
    """Let a clock run with the time the player has left, and set the dates that follow."""
    if player.time_left is None:
        return
    player.clock_since = since
    player.deadline = clocks.deadline(player.time_left, since, pauses)
    player.remind_at = next(iter(clocks.reminders(player.time_left, since, pauses)), None)


def change(
    match_id: int,
    decide: Callable[[MatchUpdate], str | None],
    *,
    now: datetime,
    submission: UUID | None = None,
) -> Outcome:
    """Change a match, deciding anew whenever another change came first.

    ``decide`` adds entries to the draft, and may name the ending; it refuses by raising.

    :raises Busy: every attempt lost against another change.
    """
    for _ in range(ATTEMPTS):
        draft = MatchUpdate(selectors.snapshot(match_id), now, submission)
        ending = decide(draft)
        draft.finalize(ending or "")
        if draft.commit():
            return Outcome(draft.snapshot.match.version)
    raise Busy(f"Match {match_id} changes too fast just now. Please try again.")
