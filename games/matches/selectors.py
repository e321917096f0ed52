"""Reading a match: the table as it stands, as it stood, and as a viewer may see it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, reduce
from operator import or_
from typing import Any

from django.db import models
from django.db.models import Q, Value

from games.kernel import registry
from games.kernel.contract import AnyTitle, Event, Seat
from games.kernel.dice import CommittedDice, Dice, RecordedDice, match_key, no_dice
from games.kernel.errors import BrokenPosition
from games.matches.clock import Pause, union
from games.matches.errors import NoSuchMatch, NotAPlayer, SecretMissing
from games.matches.models import LogEntry, Match, Outage, Player, Sweep

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


@dataclass(frozen=True)
class MatchSnapshot:
    """A match with its players and its position, as read at one moment."""

    match: Match
    players: Sequence[Player]
    title: AnyTitle

    @cached_property
    def state(self) -> Any:
        """The position after the last entry, as the rules know it."""
        return self.load(self.match.position)

    @cached_property
    def actors(self) -> tuple[Seat, ...]:
        """The seats that are to move; none when the match does not run."""
        return self.title.rules.actors(self.state) if self.match.is_running else ()

    def load(self, position: Any) -> Any:
        """Return the state that a stored position describes.

        :raises BrokenPosition: today's rules cannot read it; what it holds is not repeated, for
            the sentence goes where hidden cards must not.
        """
        try:
            return self.title.rules.load(position, len(self.players), self.match.params)
        except BrokenPosition:
            raise BrokenPosition(f"The position of {self.match} cannot be read.") from None

    @property
    def has_chance(self) -> bool:
        """Whether dice may be rolled in this match."""
        return self.title.meta.has_chance

    def seat_of(self, user: Any) -> Seat | None:
        """Return the seat of a user; ``None`` for whoever only watches."""
        found = (Seat(p.seat) for p in self.players if p.user_id == user.pk)
        return next(found, None) if user.pk is not None else None

    def seat_for(self, user: Any) -> Seat:
        """Return the seat of a user who must have one.

        :raises NotAPlayer: there is none.
        """
        seat = self.seat_of(user)
        if seat is None:
            raise NotAPlayer(f"{user} does not play in match {self.match.pk}.")
        return seat

    def seats_still_in(self) -> list[Player]:
        """Return the players who have neither dropped out nor been put out by the rules."""
        out = self.title.eliminated(self.state)
        return [player for player in self.players if not player.dropped and player.seat not in out]

    def dice(self) -> Dice:
        """Return the sealed dice of the match, ready for its next roll; none without chance.

        :raises SecretMissing: the match was read in from where secrets are not written.
        """
        if not self.title.meta.has_chance:
            return no_dice()
        if not self.match.secret:
            raise SecretMissing(f"The secret of {self.match} is missing: no roll can be made.")
        key = match_key(self.match.secret, [player.nonce for player in self.players])
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
    """Read the rest of a match that was read already; prefetched players are used."""
    players = sorted(match.players.all(), key=lambda player: player.seat)
    return MatchSnapshot(match, players, registry.get(match.title))


def log(match: Match, upto: int | None = None) -> list[LogEntry]:
    """Return the entries of a match in order, up to number ``upto``."""
    entries = LogEntry.objects.filter(match=match).order_by("number")
    return list(entries if upto is None else entries.filter(number__lte=upto))


def pauses(now: datetime) -> list[Pause]:
    """Return the stretches of time up to ``now`` during which every clock stood still.

    While a heartbeat is missing for longer than it may, an outage is going on. The stretches are
    sorted and do not overlap.
    """
    over = Outage.objects.order_by().values_list("began", "ended")
    overdue = (Q(name=name, ran__lt=now - gap) for name, gap in GAPS.items())
    missed = Sweep.objects.filter(reduce(or_, overdue))
    until_now = Value(now, models.DateTimeField())
    return union(over.union(missed.values_list("ran", until_now), all=True))


def past_outages() -> list[Pause]:
    """Return the outages that are over; sorted, and none overlaps another."""
    return union(Outage.objects.order_by().values_list("began", "ended"))


DROPS = {LogEntry.Kind.RESIGN, LogEntry.Kind.TIMEOUT, LogEntry.Kind.REMOVE}


@dataclass(frozen=True)
class Step:
    """What an entry led to when the log was replayed, and the dice that were rolled for it."""

    state: Any
    events: tuple[Event, ...] = ()
    sides: tuple[int | None, ...] = ()


def replay(snapshot: MatchSnapshot, entries: Iterable[LogEntry]) -> list[Step]:
    """Return what setup and each entry led to, replayed from the log alone.

    The position after entry n is at index n.

    :raises GameError: the log does not replay by today's rules.
    """
    dice = RecordedDice(snapshot.match.setup_chance)
    first = snapshot.title.rules.setup(len(snapshot.players), snapshot.match.params, dice)
    dice.finish()
    found = [Step(first, sides=tuple(dice.sides))]
    for entry in entries:
        before = found[entry.undoes - 1] if entry.undoes else found[-1]
        found.append(after(snapshot, before.state, entry, RecordedDice(entry.chance)))
    return found


def after(snapshot: MatchSnapshot, state: Any, entry: LogEntry, dice: RecordedDice) -> Step:
    """Return what an entry leads to from a position, with the outcomes that were recorded.

    :raises GameError: today's rules refuse it.
    """
    rules = snapshot.title.rules
    seat = Seat(entry.seat or 0)
    events: tuple[Event, ...] = ()
    if entry.kind == LogEntry.Kind.PLAY:
        state, events = rules.play(state, seat, snapshot.title.parse(entry.text), dice)
    elif entry.kind in DROPS:
        state, events = rules.drop(state, seat, dice)
    elif entry.kind == LogEntry.Kind.CLOSE:
        state, events = rules.close(state)
    dice.finish()
    return Step(state, events, tuple(dice.sides))


def opponents(match_id: int, user_id: int | None) -> "models.QuerySet[Player, int]":
    """Return the ids of those with whom a user plays a match; empty for who does not play."""
    players = Player.objects.filter(match_id=match_id, match__players__user=user_id)
    return players.exclude(user=user_id).values_list("user_id", flat=True)
