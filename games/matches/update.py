"""The one way in which a match changes: load, check, play, commit.

A change is computed from a snapshot, without holding a lock, however long the rules take. Then one
short transaction compares and swaps the version and writes log entries, position, clocks, result
and notifications. If another change was committed first, it writes nothing, and the change is
computed again from a new snapshot (:func:`retry`).
"""

from collections.abc import AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from accounts.models import User
from games.kernel.contract import Ended, Event, Ranks, Seat
from games.kernel.dice import Dice, rolled
from games.matches import clock as clocks
from games.matches import listing, pauses, selectors, store
from games.matches.deadlines import run_clock
from games.matches.errors import Busy, Refused
from games.matches.log.log_entries import turns_ended
from games.matches.models import Checkpoint, LogEntry, Match, Player
from games.matches.notify import notifications, push, watching
from games.matches.player_lock import player_lock
from games.matches.signals import bots_may_act, match_over, plans_may_run
from games.matches.store import (
    PLAYER_FIELDS,
    NotPermitted,
    PendingChange,
    Permit,
    Statement,
    at_once,
)

Result = TypeVar("Result")

ATTEMPTS = 5
"""How many times a change is tried before it is refused as :exc:`Busy`."""

TOO_FAST = gettext_noop("This match is changing too fast just now. Please try again.")


@dataclass(frozen=True)
class Outcome:
    """The result of a change: the version of the match after it.

    ``repeated`` is true if the change had been made before, under the same submission id.
    """

    version: int
    repeated: bool = False


class MatchUpdate:
    """A change of a match in progress: its snapshot, and what it writes.

    ``log`` holds the new entries and ``events`` their events, in order. ``run_on`` are the seats
    whose clocks resume after a pause.
    """

    def __init__(
        self,
        snapshot: selectors.MatchSnapshot,
        now: datetime,
        submission: UUID | None = None,
        outages: Sequence[clocks.Pause] | None = None,
    ) -> None:
        """Begin a change.

        :param outages: those up to now; read from the database if ``None``.
        """
        self.snapshot = snapshot
        self.now = now
        self.log: list[LogEntry] = []
        self.events: list[Event] = []
        self._new_state: Any = None
        self._submission = submission
        self._old_version = snapshot.match.version
        self._old_epoch = snapshot.match.clock_epoch
        self._old_seats = [_seat_fields(player) for player in snapshot.players]
        self._newly_to_move: set[Seat] = set()
        self._resumed: set[Seat] = set()
        self.run_on: set[Seat] = set()
        self.outages = selectors.outages_until(now) if outages is None else outages

    @classmethod
    def load_all(cls, match_ids: Collection[int], now: datetime) -> "list[MatchUpdate]":
        """Read several matches in order to change them, in as many queries as one."""
        matches = Match.objects.defer(None).filter(pk__in=match_ids).order_by("pk")
        outages = selectors.outages_until(now)
        return [cls(each, now, outages=outages) for each in listing.snapshots(list(matches))]

    @classmethod
    def load(cls, match_id: int, now: datetime, submission: UUID | None = None) -> "MatchUpdate":
        """Read a match in order to change it.

        :raises NoSuchMatch: there is none with this id.
        """
        return cls(selectors.snapshot(match_id), now, submission)

    @property
    def state(self) -> Any:
        """The position after the entries so far.

        :raises Unreadable: the stored position can't be loaded.
        """
        return self.snapshot.state if self._new_state is None else self._new_state

    def player(self, seat: Seat) -> Player:
        return self.snapshot.players[seat]

    def late(self, seat: Seat) -> bool:
        """Whether the time of a seat has run out."""
        player = self.player(seat)
        if player.clock_since is None or player.time_left is None:
            return False
        since = player.clock_since
        end = clocks.deadline(player.time_left, since, self._calendar(player, since))
        return end is not None and self.now >= end

    def _calendar(self, player: Player, since: datetime) -> clocks.PauseCalendar:
        return pauses.calendar(player, self.outages, since)

    def thought(self, seat: Seat) -> timedelta | None:
        """Return how long a seat's clock has been running. ``None`` if it is stopped."""
        player = self.player(seat)
        since = player.clock_since
        return clocks.running(since, self.now, self._calendar(player, since)) if since else None

    def reset_deadline(self, seat: Seat) -> None:
        """Recompute the deadline of a seat after a change of its pauses."""
        player = self.player(seat)
        if player.clock_since is not None:
            run_clock(player, player.clock_since, self.outages)

    def add(self, kind: LogEntry.Kind, seat: Seat | None, **fields: Any) -> LogEntry:
        match = self.snapshot.match
        match.version += 1
        entry = LogEntry(
            match=match,
            number=match.version,
            kind=kind,
            seat=seat,
            at=self.now,
            submission=self._submission,
            part=len(self.log),
            **fields,
        )
        if seat is not None:
            self.player(seat).version = entry.number
        self.log.append(entry)
        return entry

    def play(self, seat: Seat, text: str) -> None:
        """Play one move by the rules.

        :raises RulesError: it isn't legal here.
        """
        snapshot = self.snapshot
        move = snapshot.title.parse(text)
        dice = snapshot.dice()
        state, events = snapshot.title.play(self.state, seat, move, dice)
        thought = self.thought(seat) if not self.log else timedelta()
        entry = self.add(LogEntry.Kind.PLAY, seat, text=str(move), thinking=thought)
        entry.time_left = self._left_after(seat)
        self.record_rolls(entry, dice)
        self.record_events(entry, state, events)
        for player in snapshot.players:
            player.agrees_to_close = player.agrees_to_close and player.seat == seat
            player.agrees_to = ""

    def drop(self, seat: Seat, kind: LogEntry.Kind, dropped: Player.Dropped, **fields: Any) -> None:
        """Remove a seat from the match."""
        dice = self.snapshot.dice()
        state, events = self.snapshot.title.drop(self.state, seat, dice)
        entry = self.add(kind, seat, thinking=self.thought(seat), **fields)
        entry.time_left = self._left_after(seat)
        self.record_rolls(entry, dice)
        self.record_events(entry, state, events)
        self.player(seat).dropped = dropped
        self.forget_offers()

    def close(self, seat: Seat | None, **fields: Any) -> None:
        """End the match here, ranked by its rules."""
        state, events = self.snapshot.title.close(self.state)
        self.record_events(self.add(LogEntry.Kind.CLOSE, seat, **fields), state, events)

    def take_back(self, seat: Seat, target: LogEntry, state: Any, *, agreed: bool = False) -> None:
        """Restore ``state``, the position before a seat's own last move, and its clock then.

        The clock of the seat continues as if the move had not been made, if it was ``agreed`` from
        now on. The others aren't charged for the time since the move if it started their clocks,
        and offers made after it are void.

        :raises Refused: the seat has no time left for another move.
        """
        self.add(LogEntry.Kind.TAKE_BACK, seat, undoes=target.number)
        self._new_state = state
        self.forget_offers()
        for player in self.snapshot.players:
            if player.seat == seat:
                self._rewind(player, target, agreed=agreed)
            elif player.clock_since is not None and player.clock_since >= target.at:
                run_clock(player, self.now, self.outages)

    def _rewind(self, player: Player, target: LogEntry, *, agreed: bool) -> None:
        """Subtract the increment of a move, and let the clock continue."""
        clock = self.snapshot.match.time_control
        if clock is None or player.time_left is None or target.time_left is None:
            return
        turns = target.turns_ended.count(player.seat)
        gain = clock.earned(target.time_left, turns) - target.time_left
        if player.clock_since is not None and not gain and not agreed:
            return
        player.time_left -= gain
        self._resumed.add(Seat(player.seat))
        run_clock(player, self.now if agreed else player.clock_since or target.at, self.outages)
        if self.late(Seat(player.seat)):
            raise Refused(_("There would be no time left for another move."))

    def forget_offers(self) -> None:
        """Withdraw the open offer."""
        for player in self.snapshot.players:
            player.agrees_to_close = False
            player.agrees_to = ""

    def record_events(self, entry: LogEntry, state: Any, events: Sequence[Event]) -> None:
        """Store the position after an entry and its events."""
        self._new_state = state
        self.events.extend(events)
        entry.events = [event.dump() for event in events]

    def record_rolls(self, entry: LogEntry, dice: Dice) -> None:
        """Store the rolls and observations of an entry, and count the rolls."""
        entry.chance = dice.drawn
        entry.sides = dice.sides
        entry.trace = next(iter(dice.traces), None)
        self.snapshot.match.rolls += rolled(dice.sides)

    def _left_after(self, seat: Seat) -> timedelta | None:
        """Return the time a seat has left after this change. ``None`` without a clock.

        The thinking time is subtracted and the increments of ended turns are added.
        """
        clock = self.snapshot.match.time_control
        left = self.player(seat).time_left
        if clock is None or left is None:
            return None
        thought = self.thought(seat) or timedelta()
        return clock.earned(max(left - thought, timedelta()), turns_ended(self.events, seat))

    def finish(self, status: Match.Status, ending: str, ranks: Ranks | None = None) -> None:
        """End the match. ``ranks`` is ``None`` if it has no result."""
        match = self.snapshot.match
        match.status = status
        match.ending = ending
        match.ended = self.now
        for player in self.snapshot.players:
            player.rank = ranks[player.seat] if ranks else None
            player.ended = self.now
            player.result = Player.Result.of(player.rank, ranks or ())

    def finalize(self, ending: str = "") -> None:
        """Compute position, result, clocks and the seats to move, once all entries are added.

        ``ending`` replaces the general ending that the rules give, if the match ended. The rules
        aren't used if the match was cancelled or annulled.
        """
        match = self.snapshot.match
        match.changed = self.now
        if self._new_state is not None:
            match.position = self.snapshot.title.dump(self._new_state)
        if match.is_running:
            ranks = self.snapshot.title.result(self.state)
            if ranks is not None:
                ends = (event.ending for event in self.events if isinstance(event, Ended))
                self.finish(Match.Status.OVER, ending or next(ends), ranks)
        actors = self.snapshot.title.actors(self.state) if match.is_running else ()
        for player in self.snapshot.players:
            self._turn(player, Seat(player.seat) in actors)

    def _turn(self, player: Player, to_move: bool) -> None:  # noqa: FBT001
        """Set whether a player is to move.

        At the end of a turn its time is charged, and the increment is added. At the beginning of
        one the clock starts.
        """
        earned = turns_ended(self.events, Seat(player.seat))
        was = player.to_move
        player.to_move = to_move
        if (was or player.clock_since is not None) and (earned or not to_move):
            self._stop_clock(player)
        clock = self.snapshot.match.time_control
        if earned and clock and player.time_left is not None:
            player.time_left = clock.earned(player.time_left, earned)
        if to_move and not was:
            self._newly_to_move.add(Seat(player.seat))
        if to_move and (earned or not was) and Seat(player.seat) not in self._resumed:
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
        run_clock(player, self.now, self.outages)

    def commit(self, ending: str | None = None) -> Outcome | None:
        """Commit the change in this thread, as :meth:`commit_by`."""
        return at_once(self.commit_by(IN_THREAD, ending))

    async def commit_by(
        self, access: "Access", ending: str | None = None, permit: Permit | None = None
    ) -> Outcome | None:
        """Finalize the change and write it in one transaction, then announce it.

        Returns ``None``, with nothing written, if the version or clock epoch of the match is no
        longer the one that was read.

        :param ending: see :meth:`finalize`.
        :raises NotPermitted: the ``permit`` does not hold.
        """
        self.finalize(ending or "")
        match = self.snapshot.match
        watchers: Collection[int] = ()
        if not match.is_running:
            watchers = (await access.call(lambda: watching.told_of_ends([match.pk])))[match.pk]
        plans = await access.run(store.write(self.change(watchers), permit))
        if plans is not None:
            await access.committed(self, plans)
            return Outcome(match.version)
        if permit is not None and not await access.run(store.is_permitted(permit, match.pk)):
            raise NotPermitted
        return None

    def announce_on_commit(self, plans: Sequence[bool], *, later: bool = False) -> None:
        transaction.on_commit(lambda: self.announce(plans, later=later), robust=True)

    def announce(self, plans: Sequence[bool], *, later: bool = False) -> None:
        """Notify pages, plans and bots of a committed change.

        :param plans: for each seat whether its player has plans.
        :param later: see :func:`push.send_match_changed`.
        """
        match = self.snapshot.match
        players = self.snapshot.players
        users = (player.user_id for player in players)
        push.send_match_changed(match.pk, match.version, users, later=later)
        plans_may_run.send(Match, match_id=match.pk, exist=match.is_running and any(plans))
        if not match.is_running:
            match_over.send(Match, match=match)
        elif any(player.is_bot for player in players):
            bots_may_act.send(Match, match_id=match.pk)

    def snapshot_after(self, plans: Sequence[bool]) -> selectors.MatchSnapshot:
        """Return the match after the change. ``plans`` are those of :meth:`announce`."""
        before = self.snapshot
        snapshot = selectors.MatchSnapshot(
            before.match, before.players, self._new_state, before.former
        )
        for player, has_plans in zip(snapshot.players, plans, strict=True):
            player.plans = has_plans
        return snapshot

    def change(self, watchers: Collection[int] = ()) -> PendingChange:
        """Return the rows to write. ``watchers`` are those of :func:`notifications.of_change`."""
        match = self.snapshot.match
        seats = zip(self.snapshot.players, self._old_seats, strict=True)
        is_due = match.version // Checkpoint.EVERY > self._old_version // Checkpoint.EVERY
        point = Checkpoint(match=match, number=match.version, position=match.position)
        return PendingChange(
            match,
            self._old_version,
            self._old_epoch,
            self.log,
            [player for player, old in seats if _seat_fields(player) != old],
            notifications.of_change(
                self.snapshot,
                self.log,
                self.now,
                called=self._newly_to_move,
                run_on=self.run_on,
                agreed=[seat for seat, old in enumerate(self._old_seats) if _agreed(old)],
                watchers=watchers,
            ),
            [point] if is_due else [],
        )


class Access(Protocol):
    """How a change reaches the database: at once in a thread, or awaited in an event loop."""

    def changing(self, match_id: int, user: User) -> AbstractAsyncContextManager[None]:
        """Hold whatever keeps a user's changes of a match apart."""

    async def match(self, match_id: int, *, again: bool) -> selectors.MatchSnapshot:
        """Return a match to be changed. It is read ``again`` after another change was first."""

    async def outages(self, now: datetime) -> Sequence[clocks.Pause]:
        """Return the outages until now."""

    async def run(self, statement: Statement[Result]) -> Result:
        """Run a statement."""

    async def call(self, work: Callable[[], Result]) -> Result:
        """Call a function that uses the ORM."""

    async def committed(self, update: MatchUpdate, plans: Sequence[bool]) -> None:
        """Announce a change that was written; ``plans`` as of :meth:`MatchUpdate.announce`."""


class InThread(Access):
    """Does all at once, in the thread and the transaction of the caller."""

    @asynccontextmanager
    async def changing(self, match_id: int, user: User) -> AsyncIterator[None]:
        with player_lock(match_id, user):
            yield

    async def match(self, match_id: int, *, again: bool) -> selectors.MatchSnapshot:
        return selectors.snapshot(match_id)

    async def outages(self, now: datetime) -> Sequence[clocks.Pause]:
        return selectors.outages_until(now)

    async def run(self, statement: Statement[Result]) -> Result:
        return store.run(statement)

    async def call(self, work: Callable[[], Result]) -> Result:
        return work()

    async def committed(self, update: MatchUpdate, plans: Sequence[bool]) -> None:
        update.announce_on_commit(plans)


IN_THREAD = InThread()


def _agreed(fields: Mapping[str, Any]) -> bool:
    """Whether a seat had made or accepted an offer, from its fields."""
    return bool(fields["agrees_to_close"] or fields["agrees_to"])


def _seat_fields(player: Player) -> dict[str, Any]:
    """Return the fields of a player that a change may write."""
    return {name: getattr(player, name) for name in PLAYER_FIELDS}


def retry(attempt: Callable[[], Outcome | None]) -> Outcome:
    """Call ``attempt`` until its change is committed.

    ``attempt`` loads the match, changes it and returns the result of :meth:`MatchUpdate.commit`.

    :raises Busy: another change was committed first every time.
    """
    for _attempt in range(ATTEMPTS):
        if outcome := attempt():
            return outcome
    raise Busy(_(TOO_FAST))
