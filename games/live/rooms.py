"""Rooms: the matches that a web process has open for its pages.

A room holds the match as last read or written, the end of its log, and the parts last sent to each
viewer. A move is computed in the room and committed by one statement, which compares and swaps the
version. A room that has fallen behind writes nothing, reads the match and tries again.

Everything runs in the loop that serves sockets, except games with physics, moves that end a match,
reads of old log entries, and steps of move entry that take long.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from django.db import IntegrityError
from django.utils import timezone

from accounts.models import User
from games.bots import queue_length
from games.kernel.errors import GameError
from games.live import steps
from games.live.allowance import AccountLimit
from games.live.moves import SentMove
from games.matches import listing, selectors, services, store
from games.matches.log import log_entries
from games.matches.log.log_entries import MIN_RECENT
from games.matches.models import LogEntry
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot, Outages
from games.matches.store import NotPermitted, Permit, in_thread
from games.matches.update import MatchUpdate
from games.matches.view.parts import LogTurn
from games.web.match import match_parts
from games.web.match.entry import NOTHING_TYPED, Typed
from games.web.match.match_parts import MatchParts

ATTEMPTS = 3
"""Attempts to commit a move before its page has to send it as a form."""

STEPS_KEPT = 10.0
"""Seconds for which a room keeps the steps of changes made by other processes."""

LONG = 0.01
"""Seconds of processor time that a step may take in the loop."""

LONG_FOR = 60.0
"""Seconds for which the steps of a game are worked out in a thread after one took longer."""

Result = TypeVar("Result")

Measure: TypeAlias = Callable[[float], None]


class Mover(NamedTuple):
    """A user who may move over a socket.

    ``permit`` is checked by the statement that writes a move, ``limit`` is the rate limit of the
    account.
    """

    user: User
    permit: Permit
    limit: AccountLimit


class Room:
    """A match in this process.

    ``spectators`` counts the pages that get its parts without a seat.
    """

    def __init__(self, match_id: int) -> None:
        self.match_id = match_id
        self.spectators = 0
        self._snapshot: MatchSnapshot | None = None
        self._tail: list[LogEntry] = []
        self._log: list[LogEntry] = []
        self._secret: Any = None
        self._outages: Outages | None = None
        self._steps: dict[int, MatchSnapshot] = {}
        self._parts: dict[int | None, MatchParts] = {}
        self._turns: dict[int | None, dict[Any, LogTurn]] = {}
        self._changing = asyncio.Lock()

    async def at(self, version: int) -> MatchSnapshot:
        """Return the match at a version or a later one. Do not change this snapshot.

        :raises NoSuchMatch: there is no such match.
        """
        snapshot = self._snapshot
        if snapshot is None or snapshot.match.version < version:
            async with self._changing:
                snapshot = self._snapshot
                if snapshot is None or snapshot.match.version < version:
                    snapshot = await self._read()
        return snapshot

    def forget(self) -> None:
        """Drop the cached match, for example after a change of an account."""
        self._snapshot = None
        self._parts.clear()
        self._turns.clear()

    async def _read(self) -> MatchSnapshot:
        """Read the match and its new log entries.

        :raises NoSuchMatch: there is no such match.
        """
        statement = store.match_with_log(self.match_id, self._known, MIN_RECENT)
        read, entries = await store.run_in_loop(statement)
        snapshot = listing.found(self.match_id, read)
        await self._take(snapshot, entries)
        return snapshot

    @property
    def _known(self) -> int:
        """The number of the last log entry in the room."""
        return self._tail[-1].number if self._tail else 0

    async def _take(self, snapshot: MatchSnapshot, entries: list[LogEntry]) -> None:
        """Replace the snapshot, and add the entries that led to it."""
        follows = entries and entries[0].number == self._known + 1
        tail = [*self._tail, *entries] if follows or not entries else entries
        tail = log = tail[-MIN_RECENT:]
        if not log_entries.is_complete(tail):
            log = await in_thread(log_entries.with_earlier)(snapshot.match, tail)
        if any(player.since for player in snapshot.players):
            await in_thread(lambda: snapshot.former_players)()
        if follows and self._snapshot is not None and len(entries) > 1:
            self._keep_steps(steps.between(self._snapshot, snapshot, entries))
        self._snapshot = snapshot
        self._tail = tail
        self._log = log

    def _keep_steps(self, snapshots: Iterable[MatchSnapshot]) -> None:
        """Keep the steps to the current version until all pages have got them."""
        self._steps = {snapshot.match.version: snapshot for snapshot in snapshots}
        asyncio.get_running_loop().call_later(STEPS_KEPT, self._steps.clear)

    # --- Parts of pages -------------------------------------------------------------------------

    async def parts(self, user_id: int | None, version: int) -> MatchParts:
        """Return the parts for a player, or for spectators, at a version or a later one.

        :raises NoSuchMatch: there is no such match.
        """
        parts = self._parts.get(user_id)
        if parts is None or parts.version < version:
            render = await self._renderer(user_id, NOTHING_TYPED, version)
            parts = self._parts.get(user_id)
            # another page of this viewer may have been served meanwhile
            if parts is None or parts.version < version:
                parts = self._parts[user_id] = render()
        return parts

    def steps(self, user_id: int | None, after: int, upto: int) -> list[MatchParts]:
        """Return the parts for such a viewer after each entry between two versions.

        Empty if the room lacks one of them. One patch then shows all entries at once.
        """
        snapshots = [
            self._steps[number] for number in range(after + 1, upto) if number in self._steps
        ]
        if len(snapshots) < upto - after - 1:
            return []
        made = self._turns.setdefault(user_id, {})
        logs = ([e for e in self._log if e.number <= one.match.version] for one in snapshots)
        return [
            match_parts.parts_of(one, log, user_id, is_queue_long=False, turns_made=made)
            for one, log in zip(snapshots, logs, strict=True)
        ]

    async def entered(
        self, user_id: int, typed: Typed, version: int, measure: Measure
    ) -> MatchParts:
        """Return the parts with the moves that a player has typed.

        :raises NoSuchMatch: there is no such match.
        """
        render = await self._renderer(user_id, typed, version)
        return await self._work(render, measure, is_long=typed.wants_all)

    async def _renderer(
        self, user_id: int | None, typed: Typed, version: int
    ) -> Callable[[], MatchParts]:
        """Return the renderer of the match for such a viewer, at a version or a later one.

        :raises NoSuchMatch: there is no such match.
        """
        is_long = await _is_queue_long(await self.at(version))
        snapshot = await self.at(version)  # the room may have changed meanwhile
        made = self._turns.setdefault(user_id, {})
        for old in list(made)[: -2 * MIN_RECENT]:
            del made[old]
        return partial(
            match_parts.parts_of,
            *(snapshot, self._log, user_id, typed),
            is_queue_long=is_long,
            turns_made=made,
        )

    async def explained(
        self, user_id: int, typed: Typed, version: int, mark: str, measure: Measure
    ) -> str:
        """Return why a click on a mark does nothing after the typed moves.

        :raises NoSuchMatch: there is no such match.
        """
        snapshot = await self.at(version)
        explain = partial(match_parts.explain, snapshot, user_id, typed, mark)
        return await self._work(explain, measure)

    async def _work(
        self, work: Callable[[], Result], measure: Measure, *, is_long: bool = False
    ) -> Result:
        """Do what a page asked for, and call ``measure`` with the processor time it took.

        It is done in a thread if ``is_long``, or if a step of the same game took long lately.
        """
        slug = self._snapshot.match.title if self._snapshot else ""
        loop = asyncio.get_running_loop()
        measured = partial(_measured, work)
        if is_long or _long_until.get(slug, 0.0) > loop.time():
            result, seconds = await loop.run_in_executor(_thread, measured)
        else:
            result, seconds = measured()
        if seconds > LONG and not is_long:
            _long_until[slug] = loop.time() + LONG_FOR
        measure(seconds)
        return result

    # --- Moves ----------------------------------------------------------------------------------

    async def play(self, move: SentMove, mover: Mover) -> int | None:
        """Play moves and return the version after it.

        ``None`` if the page has to send it as a form, whose answer gives the reason.

        :raises NotPermitted: the mover's session or seat is no longer valid.
        :raises GameError: the move is refused.
        """
        move_input.check(move.texts)
        submission = services.Submission(
            self.match_id, mover.user, move.version, move.submission, timezone.now(), mover.permit
        )
        try:
            return await self._play(submission, move.texts, mover.permit)
        except (GameError, IntegrityError):
            # it may be refused because it was played before
            if done := await in_thread(services.earlier_outcome)(submission):
                return done.version
            raise

    async def _play(
        self, submission: services.Submission, texts: Sequence[str], permit: Permit
    ) -> int | None:
        snapshot = await self.at(submission.version)
        if snapshot.title.meta.observes:
            return await _play_in_thread(submission, texts)
        async with self._changing:
            for _ in range(ATTEMPTS):
                if version := await self._try(submission, texts, permit):
                    return version
                await self._read()
        return None

    async def _try(
        self, submission: services.Submission, texts: Sequence[str], permit: Permit
    ) -> int | None:
        """Play moves on the cached match; ``None`` if the match has changed since.

        :raises NotPermitted: as of :meth:`play`.
        :raises GameError: as of :meth:`play`.
        """
        update = await self._begin(submission)
        ending = services.play_on(update, submission, texts)
        update.finalize(ending or "")
        if not update.snapshot.match.is_running:
            return await _play_in_thread(submission, texts)
        plans = await store.run_in_loop(store.write(update.change(watchers=()), permit))
        if plans is None:
            if not await store.run_in_loop(store.is_permitted(permit, self.match_id)):
                raise NotPermitted
            return None
        update.announce(plans)
        snapshot = update.snapshot_after(plans)
        snapshot.match.__dict__.pop("secret", None)
        await self._take(snapshot, list(map(_as_read, update.log)))
        return snapshot.match.version

    async def _begin(self, submission: services.Submission) -> MatchUpdate:
        """Begin an update with all data that it needs from the database.

        :raises NotAPlayer: the mover has no seat.
        """
        snapshot = (self._snapshot or await self._read()).copy()
        now = submission.now
        is_sent = False
        seat = snapshot.seat_for(submission.user)
        # A move may have waited for the database, and an outage have been stored meanwhile.
        read = timezone.now()
        if self._outages is None or not self._outages.are_all(read):
            gaps = await store.run_in_loop(store.outages(tuple(selectors.GAPS)))
            self._outages = Outages(*gaps, read)
        if snapshot.title.meta.has_chance:
            is_sent = await store.run_in_loop(store.was_sent(self.match_id, seat, submission.id))
            if self._secret is None:
                self._secret = await store.run_in_loop(store.secret(self.match_id))
            snapshot.match.secret = self._secret
        outages = self._outages.upto(now)
        return MatchUpdate(snapshot, now, submission.id, outages, is_sent=is_sent)


async def _play_in_thread(submission: services.Submission, texts: Sequence[str]) -> int:
    """Play moves by the service that forms use, in a thread."""
    return (await in_thread(services.submit_moves)(submission, texts)).version


async def _is_queue_long(snapshot: MatchSnapshot) -> bool:
    """Return whether a match waits for bots and their queue is long."""
    awaited = [player for player in snapshot.players if player.to_move]
    if not awaited or not all(player.is_bot for player in awaited):
        return False
    return await asyncio.to_thread(queue_length.is_long)


def _measured(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return a result and the processor time that it took, in seconds."""
    began = time.thread_time()
    return work(), time.thread_time() - began


def _as_read(entry: LogEntry) -> LogEntry:
    """Return a written entry as it would be read: with lists for tuples."""
    for name in ("chance", "sides", "events"):
        setattr(entry, name, json.loads(json.dumps(getattr(entry, name))))
    return entry


_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="steps")
"""Works out long steps, one after the other: each thread at work slows the loop."""

_long_until: dict[str, float] = {}
"""Until when the steps of a game are worked out in the thread, by its slug."""

_rooms: "WeakValueDictionary[int, Room]" = WeakValueDictionary()


def room_of(match_id: int) -> Room:
    """Return the room of a match. It lives as long as a page refers to it."""
    return _rooms.setdefault(match_id, Room(match_id))
