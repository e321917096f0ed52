"""Reading a match: a snapshot of it, its log, and the outages."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import cached_property, partial
from operator import attrgetter
from typing import Any, TypeAlias

from django.db import models
from django.utils.translation import gettext as _

from accounts.models import User
from games.kernel.contract import AnyGame, Seat
from games.kernel.dice import CommittedDice, Dice, match_key, no_dice
from games.kernel.views import Json
from games.matches import store
from games.matches.clock import Pause, union
from games.matches.errors import (
    NoSuchMatch,
    NotAPlayer,
    SecretMissing,
)
from games.matches.models import FormerPlayer, LogEntry, Match, Outage, Player
from games.matches.table import Account, Facts, Former, Participant, Table

AnyPlayer: TypeAlias = Player | Participant

DEADLINES = "deadlines"
"""The name of the sweep whose heartbeat shows that the site is up."""

OUTAGE = timedelta(minutes=5)
"""Maximum gap between two sweeps that isn't an outage."""

WEB = "web"
"""The name of the heartbeat of all web processes together."""

UNANSWERED = timedelta(minutes=1)
"""Maximum time without an answer of any web process that isn't an outage."""

GAPS = {DEADLINES: OUTAGE, WEB: UNANSWERED}
"""Maximum gap of each heartbeat that isn't an outage."""


@dataclass(frozen=True)
class MatchSnapshot:
    """The rows of a match and its players, as read at one time.

    :param reached: the position, if it is known already.
    :param former: the players who left seats to substitutes; read on first use if ``None``.
    :param secret: that of the dice, if the row was read without it.
    """

    match: Match
    players: Sequence[Player]
    reached: Any = None
    former: Sequence[Former] | None = None
    secret: bytes | None = field(default=None, repr=False)

    @cached_property
    def table(self) -> Table:
        """The match as it was when this was first used."""
        facts = Facts(*_FACTS(self.match))
        players = [
            Participant(facts, _account(player.user), *_SEAT(player)) for player in self.players
        ]
        # Not a method of this snapshot: a cycle would be left to the garbage collector.
        read_former = partial(_former, self.match, self.players, self.former)
        return Table(facts, players, self.reached, read_former=read_former)

    @property
    def title(self) -> AnyGame:
        """See :attr:`Table.title`.

        :raises Unreadable: the game or its version isn't installed.
        """
        return self.table.title

    @property
    def params(self) -> dict[str, Json]:
        """See :attr:`Table.params`.

        :raises Unreadable: the game or its version isn't installed.
        """
        return self.table.params

    @property
    def state(self) -> Any:
        """See :attr:`Table.state`.

        :raises Unreadable: the rules can't load it.
        """
        return self.table.state

    @property
    def actors(self) -> tuple[Seat, ...]:
        """The seats to move. Empty if the match isn't running."""
        return self.table.actors

    def seats_still_in(self) -> list[Player]:
        """Return the players who have neither dropped out nor been eliminated by the rules."""
        out = self.title.eliminated(self.state)
        return [player for player in self.players if not player.dropped and player.seat not in out]

    def copy(self, secret: bytes | None = None) -> "MatchSnapshot":
        """Return a snapshot with independent rows."""
        match: Match = copy(self.match)
        players: list[Player] = [copy(player) for player in self.players]
        for player in players:
            player.match = match
        return MatchSnapshot(match, players, self.state, self.former_players, secret)

    def seat_of(self, user: Any) -> Seat | None:
        """Return the seat of a user. ``None`` for a spectator."""
        seats = (Seat(p.seat) for p in self.players if p.user_id == user.pk)
        return next(seats, None) if user.pk is not None else None

    @property
    def former_players(self) -> Sequence[Former]:
        """The players who left seats to substitutes, in that order."""
        return self.table.former_players

    def seat_for(self, user: Any) -> Seat:
        """:raises NotAPlayer: the user has no seat."""
        seat = self.seat_of(user)
        if seat is None:
            raise NotAPlayer(_("You don’t play in match {number}.").format(number=self.match.pk))
        return seat

    def dice(self) -> Dice:
        """Return the committed dice of the match, ready for its next roll.

        :raises SecretMissing: the match was loaded from a fixture, which holds no secrets.
        """
        if not self.title.meta.has_chance:
            return no_dice()
        secret = self.secret
        if secret is None:
            is_read = "secret" not in self.match.get_deferred_fields()
            secret = self.match.secret if is_read else store.run(store.secret(self.match.pk))
        if not secret:
            raise SecretMissing(f"The secret of {self.match} is missing: no roll can be made.")
        key = match_key(secret, [player.nonce for player in self.players])
        return CommittedDice(key, self.match.rolls)


def _former(
    match: Match, players: Sequence[Player], known: Sequence[Former] | None
) -> Sequence[Former]:
    """Return the players who left seats to substitutes, in that order."""
    if known is not None:
        return known
    if not any(player.since for player in players):
        return ()
    rows = FormerPlayer.objects.filter(match=match).select_related("user")
    return [Former(row.seat, _account(row.user), row.until) for row in rows.order_by("until")]


def _account(user: User) -> Account:
    return Account(
        user.shown_name, user.username, user.pk, user.is_active, user.is_guest, user.is_program
    )


_FACTS = attrgetter(*Facts.__struct_fields__)
_SEAT = attrgetter(*Participant.__struct_fields__[2:])


def snapshot(match_id: int) -> MatchSnapshot:
    """Read a match with its players and their names.

    :raises NoSuchMatch: it does not exist.
    """
    return found(match_id, store.run(store.match_with_players(match_id)))


def found(match_id: int, match_with_players: store.MatchWithPlayers) -> MatchSnapshot:
    """:raises NoSuchMatch: the match wasn't found."""
    if match_with_players is None:
        raise NoSuchMatch(_("There is no match {number}.").format(number=match_id))
    return MatchSnapshot(*match_with_players)


def snapshot_of(match: Match) -> MatchSnapshot:
    """Return the snapshot of a match. Its players are read unless they were prefetched."""
    players = sorted(match.players.all(), key=lambda player: player.seat)
    return MatchSnapshot(match, players)


def log(match: Match | Facts, *, after: int = 0, upto: int | None = None) -> list[LogEntry]:
    """Return the log entries of a match in order, from ``after`` (exclusive) to ``upto``."""
    entries = LogEntry.objects.filter(match=match.pk, number__gt=after).order_by("number")
    return list(entries if upto is None else entries.filter(number__lte=upto))


@dataclass(frozen=True)
class Outages:
    """The past outages, and the last time of each heartbeat, as read at one time."""

    over: Sequence[Pause]
    beats: Mapping[str, datetime]
    read: datetime

    def upto(self, now: datetime) -> list[Pause]:
        """Return the outages up to ``now``, during which every clock is stopped.

        An outage is in progress while a heartbeat is missing for longer than its gap in ``GAPS``.
        The pauses are sorted and don't overlap.
        """
        missing = ((ran, now) for name, ran in self.beats.items() if ran < now - GAPS[name])
        return union([*self.over, *missing])

    def are_all(self, now: datetime) -> bool:
        """Whether no outage can have been stored since they were read.

        One is stored when a heartbeat has been missing for longer than its gap.
        """
        return all(now <= self.beats.get(name, self.read) + gap for name, gap in GAPS.items())


def outages_until(now: datetime) -> list[Pause]:
    """Read the outages up to ``now``. See :meth:`Outages.upto`."""
    return Outages(*store.run(store.outages(tuple(GAPS))), now).upto(now)


def past_outages() -> list[Pause]:
    """Return the past outages, sorted and without overlaps."""
    return union(Outage.objects.order_by().values_list("began", "ended"))


def opponents(match_id: int, user_id: int | None) -> "models.QuerySet[Player, int]":
    """Return the user ids of a user's opponents in a match. Empty if the user has no seat."""
    players = Player.objects.filter(match_id=match_id, match__players__user=user_id)
    return players.exclude(user=user_id).values_list("user_id", flat=True)
