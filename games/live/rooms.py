"""Rooms: the matches that a web process has open for its pages.

A room holds the match as last read or written, the end of its log, and the parts last sent to each
viewer in each language. Moves go to the service that forms use
(:func:`games.matches.services.submit`); the room gives it the match that it knows, and runs its
statements in the loop.

Everything runs in the loop that serves sockets, except games with physics, what follows the end of
a match, reads of old log entries, and steps of move entry that take long.
"""

import asyncio
import json
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from django.utils import timezone, translation

from accounts.models import User
from games.bots import queue_length
from games.kernel import language
from games.kernel.errors import GameError
from games.live import steps
from games.live.allowance import AccountLimit
from games.live.moves import SentMove
from games.matches import selectors, services, store
from games.matches.clock import Pause
from games.matches.log import log_entries
from games.matches.log.log_entries import MIN_RECENT
from games.matches.models import LogEntry
from games.matches.play import move_input
from games.matches.selectors import MatchSnapshot, Outages
from games.matches.store import Permit, Statement, in_thread
from games.matches.table import Table
from games.matches.update import Access, MatchUpdate
from games.matches.view.parts import LogTurn
from games.screen import match_parts
from games.screen.entry import NOTHING_TYPED, Typed
from games.screen.match_parts import MatchParts

STEPS_KEPT = 10.0
"""Seconds for which a room keeps the steps of changes made by other processes."""

LONG = 0.02
"""Seconds of processor time that a step may take in the loop."""

LONG_FOR = 60.0
"""Seconds for which a thread computes the steps of a kind of match after some took longer."""

OFTEN = 2
"""How many steps that take longer are no chance: the first of a process reads what it needs."""

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


Reader: TypeAlias = tuple[int | None, str]
"""The id of a player, ``None`` for spectators, and the code of a language."""


def _reader(user_id: int | None) -> Reader:
    """Return a viewer who reads the active language, as the socket has set it."""
    return user_id, language.code()


class Room(Access):
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
        self._steps: dict[int, Table] = {}
        self._parts: dict[Reader, MatchParts] = {}
        self._turns: dict[Reader, dict[Any, LogTurn]] = {}
        self._changing = asyncio.Lock()

    async def at(self, version: int) -> MatchSnapshot:
        """Return the match at a version or a later one. Don't change this snapshot.

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
        snapshot = selectors.found(self.match_id, read)
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
            self._keep_steps(steps.between(self._snapshot.table, snapshot.table, entries))
        self._snapshot = snapshot
        self._tail = tail
        self._log = log

    def _keep_steps(self, tables: Iterable[Table]) -> None:
        """Keep the steps to the current version until all pages have got them."""
        self._steps = {table.match.version: table for table in tables}
        asyncio.get_running_loop().call_later(STEPS_KEPT, self._steps.clear)

    # --- Parts of pages -------------------------------------------------------------------------

    async def parts(self, user_id: int | None, version: int) -> MatchParts:
        """Return the parts for a player, or for spectators, at a version or a later one.

        They are in the active language.

        :raises NoSuchMatch: there is no such match.
        """
        reader = _reader(user_id)
        parts = self._parts.get(reader)
        if parts is None or parts.version < version:
            render = await self._renderer(user_id, NOTHING_TYPED, version)
            parts = self._parts.get(reader)
            # another page of this viewer may have been served meanwhile
            if parts is None or parts.version < version:
                parts = self._parts[reader] = render()
        return parts

    def steps(self, user_id: int | None, after: int, upto: int) -> list[MatchParts]:
        """Return the parts for such a viewer after each entry between two versions.

        Empty if the room lacks one of them. One patch then shows all entries at once.
        """
        snapshot = self._snapshot
        tables = [self._steps[number] for number in range(after + 1, upto) if number in self._steps]
        if snapshot is None or len(tables) < upto - after - 1:
            return []
        made = self._turns.setdefault(_reader(user_id), {})
        logs = ([e for e in self._log if e.number <= one.match.version] for one in tables)
        return [
            match_parts.parts_of(
                snapshot, log, user_id, table=one, is_queue_long=False, turns_made=made
            )
            for one, log in zip(tables, logs, strict=True)
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
        made = self._turns.setdefault(_reader(user_id), {})
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
        """Do a page's work, and call ``measure`` with its processor time.

        It is done in a thread if ``is_long``, or if a step of the same game with the same
        parameters took long twice recently. The thread makes each step slower.
        """
        match = self._snapshot and self._snapshot.match
        kind = (match.title, str(match.params)) if match else ("", "")
        loop = asyncio.get_running_loop()
        measured = partial(_measured, work)
        if is_long or _are_long(kind, loop.time()):
            spoken = partial(_in_language, language.code(), measured)
            result, seconds = await loop.run_in_executor(_thread, spoken)
        else:
            result, seconds = measured()
        if seconds > LONG and not is_long:
            _note_long(kind, loop.time())
        measure(seconds)
        return result

    # --- Moves ----------------------------------------------------------------------------------

    async def play(self, move: SentMove, mover: Mover) -> int:
        """Play moves and return the version after it.

        :raises NotPermitted: the mover's session or seat is no longer valid.
        :raises GameError: the move is refused.
        """
        move_input.check(move.texts)
        submission = services.Submission(
            self.match_id, mover.user, move.version, move.submission, timezone.now(), mover.permit
        )
        if (await self.at(move.version)).title.meta.observes:
            return (await in_thread(services.play)(submission, move.texts)).version
        return (await services.submit_moves(submission, move.texts, self)).version

    async def refused(self, move: SentMove, mover: Mover, refusal: GameError) -> MatchParts:
        """Return the parts with a refused move, and why it is refused.

        :raises NoSuchMatch: there is no such match.
        """
        async with self._changing:
            snapshot = await self._read()
        typed = Typed(moves=move.texts[:-1], words=move.texts[-1:])
        render = partial(
            match_parts.refused,
            *(snapshot, self._log, mover.user.pk, typed, refusal),
            is_queue_long=await _is_queue_long(snapshot),
        )
        return await self._work(render, mover.limit.measure)

    # --- Access of a change to the database, in the loop: what the room knows is not read again ---

    def changing(self, match_id: int, user: User) -> AbstractAsyncContextManager[None]:
        return self._changing

    async def match(self, match_id: int, *, again: bool) -> MatchSnapshot:
        snapshot = None if again else self._snapshot
        snapshot = snapshot or await self._read()
        if snapshot.table.has_chance and self._secret is None:
            self._secret = await self.run(store.secret(match_id))
        return snapshot.copy(self._secret)

    async def outages(self, now: datetime) -> Sequence[Pause]:
        # A move may have waited for the database, and an outage have been stored meanwhile.
        read = timezone.now()
        if self._outages is None or not self._outages.are_all(read):
            gaps = await self.run(store.outages(tuple(selectors.GAPS)))
            self._outages = Outages(*gaps, read)
        return self._outages.upto(now)

    async def run(self, statement: Statement[Result]) -> Result:
        return await store.run_in_loop(statement)

    async def call(self, work: Callable[[], Result]) -> Result:
        return await in_thread(work)()

    async def committed(self, update: MatchUpdate, plans: Sequence[bool]) -> None:
        snapshot = update.snapshot_after(plans)
        if snapshot.match.is_running:
            update.announce(plans)
        else:
            await in_thread(update.announce)(plans)
        await self._take(snapshot, list(map(_as_read, update.log)))


async def _is_queue_long(snapshot: MatchSnapshot) -> bool:
    """Whether a match waits for bots and their queue is long."""
    awaited = [player for player in snapshot.players if player.to_move]
    if not awaited or not all(player.is_bot for player in awaited):
        return False
    return await asyncio.to_thread(queue_length.is_long)


def _measured(work: Callable[[], Result]) -> tuple[Result, float]:
    """Return a result and the processor time that it took, in seconds."""
    began = time.thread_time()
    return work(), time.thread_time() - began


def _in_language(code: str, work: Callable[[], Result]) -> Result:
    """Do work in a thread, which has no language of its own."""
    with translation.override(code):
        return work()


def _as_read(entry: LogEntry) -> LogEntry:
    """Return a written entry as it would be read: with lists for tuples."""
    for name in ("chance", "sides", "events"):
        setattr(entry, name, json.loads(json.dumps(getattr(entry, name))))
    return entry


_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="steps")
"""Computes long steps, one after the other: each busy thread slows the loop."""

Kind: TypeAlias = tuple[str, str]
"""A game and its parameters."""

_long: dict[Kind, tuple[int, float]] = {}
"""How many steps of each kind of match took long, and until when that counts."""


def _are_long(kind: Kind, now: float) -> bool:
    """Whether the thread computes the steps of a kind of match."""
    count, until = _long.get(kind, (0, 0.0))
    return count >= OFTEN and until > now


def _note_long(kind: Kind, now: float) -> None:
    """Count a step that took long, and forget kinds whose steps no longer count."""
    for other in [other for other, (_, until) in _long.items() if until <= now]:
        del _long[other]
    count, _ = _long.get(kind, (0, 0.0))
    _long[kind] = (count + 1, now + LONG_FOR)


_rooms: "WeakValueDictionary[int, Room]" = WeakValueDictionary()


def room_of(match_id: int) -> Room:
    """Return the room of a match. It lives as long as a page refers to it."""
    return _rooms.setdefault(match_id, Room(match_id))
