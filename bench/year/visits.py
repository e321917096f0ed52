"""Actions of simulated players on the site, all through its services."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any
from uuid import uuid4

from django.core.cache import cache

from accounts import notifications, presence
from accounts.delivery import muting
from accounts.models import User
from bench.year.habits import Habits
from bench.year.plain import DAY
from bench.year.world import World
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.lobby import services as lobby
from games.lobby.models import Challenge, Invitation
from games.matches import selectors, services
from games.matches.clock import PRESETS, Clock
from games.matches.clocks import vacations
from games.matches.models import Player
from games.matches.notify.notifications import page_key
from games.matches.pauses import Reason, of_player
from games.matches.play.offers import agreed_by

CLOCKS = (*PRESETS.values(), PRESETS["standard"], Clock.per_move(3))
GAMES: tuple[tuple[str, dict[str, int], int], ...] = (
    ("die", {"size": 3}, 2),
    ("die", {"size": 3}, 2),
    ("dice-is-health", {}, 3),
)
"""Slug, parameters and seats: a game with take-backs, and one for several players."""

ABSENT = (4, 20)
"""Minimum and maximum days of an unannounced absence."""

MOST_MOVES = 40
"""Number of moves from which a player chooses."""


SELDOM = (
    (0.4, "resign"),
    (1.2, "offer_close"),
    (2.4, "offer_pause"),
    (2.7, "offer_cancel"),
)
"""Of a hundred turns, up to how many a player does this instead of moving."""

TAKING_BACK = ("take_back", "offer_take_back")


@dataclass
class Diary:
    """Actions of players that no log of a match contains.

    ``vacations`` are (user, known from, known until or ``None``, begin, end), ``mutes`` (user,
    page, from, until or ``None``), ``told`` (recipient, kind, id of its subject).
    """

    vacations: list[list[Any]] = field(default_factory=list)
    mutes: list[list[Any]] = field(default_factory=list)
    told: list[tuple[int, str, int]] = field(default_factory=list)
    joined_last: dict[int, int] = field(default_factory=dict)


@dataclass
class Person:
    """A simulated player."""

    user: User
    habits: Habits
    chance: random.Random
    world: World
    diary: Diary
    everybody: list["Person"]
    absent_until: datetime | None = None

    @property
    def is_away(self) -> bool:
        """Whether the player is on vacation, or absent without notice."""
        now = self.world.now
        is_absent = self.absent_until is not None and now < self.absent_until
        return is_absent or bool(vacations.away([self.user.pk], now))

    def plan_visit(self, after: datetime) -> None:
        """Plan the next visit."""
        self.world.plan(self.habits.next_visit(after, self.chance), self.visit)

    def visit(self) -> bool:
        """Do everything that the player wants to, and plan the next visit."""
        world, per_cent = self.world, 100 * self.chance.random()
        world.done["visits"] += 1
        if not self.is_away or self._sometimes(0.1):
            self.look_after_all()
        if per_cent < self.habits.forgets:
            self.absent_until = world.now + self.chance.randint(*ABSENT) * DAY
            self.plan_visit(self.absent_until)
            world.done["absences"] += 1
        else:
            self.plan_visit(world.now)
        return True

    def look_after_all(self) -> None:
        """Answer challenges, visit matches, and make sure that there are enough."""
        self._answer_challenges()
        mine = Player.objects.filter(user=self.user, ended=None, dropped="")
        for match_id in list(mine.values_list("match_id", flat=True)):
            if self.chance.random() < self.habits.answers:
                self._look_at(match_id)
        if mine.count() < self.habits.matches:
            self._look_for_a_match()
        if self._sometimes(0.025):
            self._plan_vacation()
        elif self._sometimes(0.05):
            self._end_vacation()

    def _look_at(self, match_id: int) -> None:
        """Open the page of a match, act there, and leave it after a while."""
        key, now = page_key(match_id), self.world.now
        presence.touch(self.user.pk, key, now=now)
        self.world.plan(now + presence.PAGE_TIMEOUT, lambda: self._leave(key))
        notifications.mark_seen(recipient=self.user, now=now, page_keys=[key])
        snapshot = selectors.snapshot(match_id)
        seat = snapshot.seat_for(self.user)
        if self._answer_offer(snapshot, seat) or self._go_on(snapshot, seat):
            return
        if self._sometimes(0.01):
            self._mute(key)
        if seat not in snapshot.actors:
            if self._sometimes(0.06):
                self._act(self.chance.choice(TAKING_BACK), snapshot)
            return
        self._act(*self._choice(snapshot, seat))

    def _choice(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> tuple[Any, ...]:
        """Return the name of a service, the match, and further arguments."""
        per_cent = 100 * self.chance.random()
        for most, service in SELDOM:
            if per_cent < most:
                return service, snapshot
        return "play_move", snapshot, {"texts": [self.a_move(snapshot, seat)]}

    def a_move(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> str:
        """Return a possible move."""
        moves = list(islice(snapshot.title.moves(snapshot.state, seat), MOST_MOVES))
        return str(self.chance.choice(moves))

    def _answer_offer(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> bool:
        offered = any(agreed_by(p) for p in snapshot.players if p.seat != seat)
        if not offered or agreed_by(snapshot.players[seat]):
            return False
        answers = ("accept_offer", "decline_offer")
        return self._act(self.chance.choice(answers), snapshot)

    def _go_on(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> bool:
        """Leave a paused match alone, or end the pause."""
        paused = any(
            pause.reason == Reason.AGREEMENT and pause.goes_on(self.world.now)
            for pause in of_player(snapshot.players[seat])
        )
        if paused and self._sometimes(0.2):
            self._act("end_pause", snapshot)
        return paused

    def _sometimes(self, part: float) -> bool:
        return self.chance.random() < part

    def _leave(self, key: str) -> bool:
        cache.delete(presence._key(self.user.pk, key))
        return False

    def _act(
        self, name: str, snapshot: selectors.MatchSnapshot, more: dict[str, Any] | None = None
    ) -> bool:
        """Call a service of matches by its name, and return whether it succeeded."""
        match = snapshot.match
        given = {"version": match.version, "submission": uuid4(), **(more or {})}
        done = self._try(name, getattr(services, name), match_id=match.pk, user=self.user, **given)
        return done is not None

    def _try(self, name: str, service: Callable[..., Any], **given: Any) -> Any:
        """Call a service. ``None`` if it refuses."""
        try:
            done = service(**given, now=self.world.now)
        except GameError as refusal:
            self.world.refused[f"{name}: {type(refusal).__name__}"] += 1
            return None
        self.world.done[name] += 1
        return done

    def _answer_challenges(self) -> None:
        state, open_ = Invitation.State.INVITED, Challenge.Status.OPEN
        for one in Invitation.objects.filter(user=self.user, state=state, challenge__status=open_):
            if self._sometimes(0.8):
                self._accept(one.challenge_id)
            elif self._try("decline", lobby.decline, challenge_id=one.challenge_id, user=self.user):
                told = (one.challenge.creator_id, "challenge-declined", one.challenge_id)
                self.diary.told.append(told)

    def _accept(self, challenge_id: int) -> None:
        found = self._try("accept", lobby.accept, challenge_id=challenge_id, user=self.user)
        if found and found.match_id:
            self.diary.joined_last[found.match_id] = self.user.pk
        elif found:
            self.diary.told.append((found.creator_id, "challenge-accepted", found.pk))

    def _look_for_a_match(self) -> None:
        """Take a seat in an open challenge, or make one, open or to a named player."""
        found = Challenge.objects.filter(status=Challenge.Status.OPEN, audience="open")
        found = found.exclude(invitations__user=self.user)
        if (open_to_all := found.order_by("pk").first()) and self._sometimes(0.8):
            self._accept(open_to_all.pk)
        else:
            self._challenge()

    def _challenge(self) -> None:
        title, params, seats = self.chance.choice(GAMES)
        clock, zone = self.chance.choice(CLOCKS), self.chance.choice(("", self.habits.zone))
        others = [person.user for person in self.everybody if person is not self]
        named = self._sometimes(0.4)
        invited = self.chance.sample(others, seats - 1) if named else []
        terms = {"title": title, "params": params, "seats": seats}
        self.offer(Clock(clock.start, clock.increment, clock.cap, zone), invited, **terms)

    def offer(self, clock: Clock, invited: Sequence[User], **terms: Any) -> None:
        """Challenge players by name, or post an open challenge."""
        named = Challenge.Audience.NAMED if invited else Challenge.Audience.OPEN
        made = self._try(
            "challenge",
            lobby.challenge,
            creator=self.user,
            clock=clock,
            audience=named,
            invited=invited,
            **terms,
        )
        if made:
            told = [(user.pk, "challenge-received", made.pk) for user in invited]
            self.diary.told.extend(told)

    def _mute(self, key: str) -> None:
        now, mine = self.world.now, (self.user.pk, key)
        if muting.is_muted(self.user, key):
            muting.unmute(self.user, key)
            next(m for m in reversed(self.diary.mutes) if tuple(m[:2]) == mine)[3] = now
        else:
            muting.mute(self.user, key, now=now)
            self.diary.mutes.append([*mine, now, None])

    def _plan_vacation(self) -> None:
        begin = self.world.now + self.chance.choice((0, 0, 3, 10, 25)) * DAY
        span = timedelta(hours=self.chance.randint(20, 15 * 24))
        shown = {"begin": begin, "end": begin + span, "shows_end": self._sometimes(0.7)}
        made = self._try("plan", vacations.plan, user=self.user, **shown)
        if made:
            known = [self.user.pk, self.world.now, None, made.begin, made.end]
            self.diary.vacations.append(known)

    def _end_vacation(self) -> None:
        before = next(iter(vacations.upcoming(self.user, self.world.now)), None)
        if before is None or not (before.begin <= self.world.now or self._sometimes(0.2)):
            return
        ended = vacations.end(user=self.user, now=self.world.now)
        self.world.done["end of a vacation"] += 1
        mine = [v for v in self.diary.vacations if v[0] == self.user.pk and v[2] is None]
        known = next((v for v in mine if v[3] == before.begin), None)
        if known is None:
            # An automatic one, which the site began.
            known = [self.user.pk, before.begin, None, before.begin, before.end]
            self.diary.vacations.append(known)
        known[2] = self.world.now
        if ended:
            later = [self.user.pk, self.world.now, None, ended.begin, ended.end]
            self.diary.vacations.append(later)
