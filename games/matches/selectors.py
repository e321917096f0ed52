"""Reading a match: a snapshot of it, its log, what the log leads to, and the outages."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any

from django.db import models

from games.kernel import registry
from games.kernel.contract import AnyGame, Event, Seat
from games.kernel.dice import CommittedDice, Dice, RecordedDice, match_key, no_dice
from games.kernel.errors import GameError, UnknownRules, UnknownTitle
from games.kernel.params import with_defaults
from games.kernel.views import Json
from games.matches import store
from games.matches.clocks.clock import Pause, union
from games.matches.errors import (
    POSITION,
    RULES,
    NoSuchMatch,
    NotAPlayer,
    SecretMissing,
    Unreadable,
)
from games.matches.models import FormerPlayer, LogEntry, Match, Outage, Player

DEADLINES = "deadlines"
"""The name of the sweep by which the site is known to be up."""

OUTAGE = timedelta(minutes=5)
"""The longest gap between two sweeps that is not an outage."""

WEB = "web"
"""The name of the heartbeat of all web processes together."""

UNANSWERED = timedelta(minutes=1)
"""The longest time without an answer of any web process that is not an outage."""

GAPS = {DEADLINES: OUTAGE, WEB: UNANSWERED}
"""The longest gap of each heartbeat that is not an outage."""


NOT_READABLE = (GameError, KeyError, TypeError, ValueError, IndexError, AttributeError)
"""What rules raise when they are given a position or a log that is not theirs."""


@contextmanager
def reading(match: Match, part: str) -> Iterator[None]:
    """Turn whatever rules raise on stored data into :exc:`Unreadable`.

    The original error is not kept, since it may quote hidden cards.

    :param part: what is being read, as of :class:`Unreadable`.
    """
    try:
        yield
    except Unreadable:
        raise
    except NOT_READABLE:
        raise Unreadable(match, part) from None


@dataclass(frozen=True)
class MatchSnapshot:
    """A match with its players, as read at one moment.

    Its rules and its position are looked up only when they are asked for, so that a match that
    cannot be read can still be shown in part, annulled and cancelled.
    """

    match: Match
    players: Sequence[Player]

    @cached_property
    def title(self) -> AnyGame:
        """The game, with the version of its rules under which the match was begun.

        :raises Unreadable: the game or that version is not installed.
        """
        try:
            return registry.get(self.match.title, self.match.rules_version)
        except (UnknownTitle, UnknownRules):
            raise Unreadable(self.match, RULES) from None

    @property
    def params(self) -> dict[str, Json]:
        """The parameters of the match; one that its game got later has its default.

        :raises Unreadable: the game or that version is not installed.
        """
        return with_defaults(self.title.meta, self.match.params)

    @property
    def known_title(self) -> AnyGame | None:
        """The same, or ``None`` if it is not installed."""
        try:
            return self.title
        except Unreadable:
            return None

    @cached_property
    def state(self) -> Any:
        """The position after the last entry, as the rules know it.

        :raises Unreadable: the rules cannot load it.
        """
        return self.load(self.match.position)

    @cached_property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that are to move; empty when the match is not running."""
        return self.title.actors(self.state) if self.match.is_running else ()

    def load(self, position: Any) -> Any:
        """Return the state that a stored position describes.

        :raises Unreadable: the rules cannot load it.
        """
        with reading(self.match, POSITION):
            return self.title.load(position, len(self.players), self.params)

    def copy(self) -> "MatchSnapshot":
        """Return a snapshot whose rows may be changed, while those of this one stay as they are."""
        match: Match = copy(self.match)
        match.__dict__.pop("_prefetched_objects_cache", None)
        players: list[Player] = [copy(player) for player in self.players]
        for player in players:
            player._state.fields_cache["match"] = match
        copied = MatchSnapshot(match, players)
        # States are frozen, and so can be shared.
        shared = {"title", "state", "former_players"} & self.__dict__.keys()
        copied.__dict__.update((name, self.__dict__[name]) for name in shared)
        return copied

    @property
    def has_chance(self) -> bool:
        """Whether dice may be rolled; assumed where the rules are not installed."""
        title = self.known_title
        return title is None or title.meta.has_chance

    def seat_of(self, user: Any) -> Seat | None:
        """Return the seat of a user; ``None`` for a spectator."""
        seats = (Seat(p.seat) for p in self.players if p.user_id == user.pk)
        return next(seats, None) if user.pk is not None else None

    def viewer_at(self, viewer: Seat | None, number: int) -> Seat | None:
        """Return the viewer of an entry: a substitute sees earlier ones as a spectator.

        ``number`` is that of the entry.
        """
        if viewer is None or number >= self.players[viewer].since:
            return viewer
        return None

    @cached_property
    def former_players(self) -> Sequence[FormerPlayer]:
        """Who left seats to substitutes, in the order in which they did."""
        if not any(player.since for player in self.players):
            return ()
        former = FormerPlayer.objects.filter(match=self.match).select_related("user")
        return tuple(former.order_by("until"))

    def seat_for(self, user: Any) -> Seat:
        """Return the seat of a user who must have one.

        :raises NotAPlayer: there is none.
        """
        seat = self.seat_of(user)
        if seat is None:
            raise NotAPlayer(f"You don’t play in match {self.match.pk}.")
        return seat

    def seats_still_in(self) -> list[Player]:
        """Return the players who have neither dropped out nor been put out by the rules."""
        out = self.title.eliminated(self.state)
        return [player for player in self.players if not player.dropped and player.seat not in out]

    def dice(self) -> Dice:
        """Return the committed dice of the match, ready for its next roll.

        :raises SecretMissing: the match was loaded from a fixture, which holds no secrets.
        """
        if not self.title.meta.has_chance:
            return no_dice()
        is_read = "secret" not in self.match.get_deferred_fields()
        secret = self.match.secret if is_read else store.run(store.secret(self.match.pk))
        if not secret:
            raise SecretMissing(f"The secret of {self.match} is missing: no roll can be made.")
        key = match_key(secret, [player.nonce for player in self.players])
        return CommittedDice(key, self.match.rolls)


def snapshot(match_id: int) -> MatchSnapshot:
    """Read a match.

    :raises NoSuchMatch: there is none with this id.
    """
    match = Match.objects.filter(pk=match_id).first()
    if match is None:
        raise NoSuchMatch(f"There is no match {match_id}.")
    return snapshot_of(match)


def snapshot_of(match: Match) -> MatchSnapshot:
    """Return the snapshot of a match; its players are read unless they were prefetched."""
    players = sorted(match.players.all(), key=lambda player: player.seat)
    return MatchSnapshot(match, players)


def log(match: Match, *, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the log entries of a match in order: those after a number, up to another."""
    entries = LogEntry.objects.filter(match=match, number__gt=after).order_by("number")
    return list(entries if upto is None else entries.filter(number__lte=upto))


@dataclass(frozen=True)
class Outages:
    """The outages that are over, and the last time of each heartbeat, as read at a moment."""

    over: Sequence[Pause]
    beats: Mapping[str, datetime]
    read: datetime

    def upto(self, now: datetime) -> list[Pause]:
        """Return the outages up to ``now``, during which every clock stands still.

        An outage is going on while a heartbeat is missing for longer than its gap in ``GAPS``. The
        pauses are sorted and do not overlap.
        """
        missing = ((ran, now) for name, ran in self.beats.items() if ran < now - GAPS[name])
        return union([*self.over, *missing])

    def are_all(self, now: datetime) -> bool:
        """Whether no outage can have been stored since they were read.

        One is stored when a heartbeat has been missing for longer than its gap.
        """
        return all(now <= self.beats.get(name, self.read) + gap for name, gap in GAPS.items())


def pauses(now: datetime) -> list[Pause]:
    """Read the outages up to ``now``, as of :meth:`Outages.upto`."""
    return Outages(*store.run(store.outages(tuple(GAPS))), now).upto(now)


def past_outages() -> list[Pause]:
    """Return the outages that are over; they are sorted and do not overlap."""
    return union(Outage.objects.order_by().values_list("began", "ended"))


DROPS = {LogEntry.Kind.RESIGN, LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE}


@dataclass(frozen=True)
class Step:
    """What an entry led to when the log was replayed, and the dice that were rolled for it."""

    state: Any
    events: tuple[Event, ...] = ()
    sides: tuple[int | None, ...] = ()


def replay(snapshot: MatchSnapshot, log: Iterable[LogEntry]) -> list[Step]:
    """Return what setup and each entry led to, replayed from the log alone.

    The position after entry n is at index n.

    :raises GameError: the log does not replay by the rules of the match.
    """
    moments = [setup(snapshot)]
    for entry in log:
        before = moments[entry.undoes - 1] if entry.undoes else moments[-1]
        moments.append(after(snapshot, before.state, entry, RecordedDice(entry.chance)))
    return moments


def setup(snapshot: MatchSnapshot) -> Step:
    """Return the first position, with the outcomes that were recorded.

    :raises GameError: they are not those of the setup.
    """
    dice = RecordedDice(snapshot.match.setup_chance)
    first = snapshot.title.setup(len(snapshot.players), snapshot.params, dice)
    dice.finish()
    return Step(first, sides=tuple(dice.sides))


def after(snapshot: MatchSnapshot, state: Any, entry: LogEntry, dice: RecordedDice) -> Step:
    """Return what an entry leads to from a position, with the outcomes that were recorded.

    :raises GameError: the rules refuse it.
    """
    title = snapshot.title
    seat = Seat(entry.seat or 0)
    events: tuple[Event, ...] = ()
    if entry.kind == LogEntry.Kind.PLAY:
        state, events = title.play(state, seat, title.parse(entry.text), dice)
    elif entry.kind in DROPS:
        state, events = title.drop(state, seat, dice)
    elif entry.kind == LogEntry.Kind.CLOSE:
        state, events = title.close(state)
    dice.finish()
    return Step(state, events, tuple(dice.sides))


def opponents(match_id: int, user_id: int | None) -> "models.QuerySet[Player, int]":
    """Return the user ids of a user's opponents in a match; empty if the user has no seat."""
    players = Player.objects.filter(match_id=match_id, match__players__user=user_id)
    return players.exclude(user=user_id).values_list("user_id", flat=True)
