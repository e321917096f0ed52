"""Simulated players: their habits, and their actions on the site, all through its services."""

import random
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from typing import Any
from uuid import uuid4
from zoneinfo import ZoneInfo

from django.core.cache import cache

from accounts import notifications, presence
from accounts.delivery import muting
from accounts.delivery.models import DeliverySettings
from accounts.models import User
from accounts.services import create_user
from bench.year.world import DAY, REPLIES, Posted, World
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.lobby import services as lobby
from games.lobby.models import Challenge, Invitation
from games.mail import replies
from games.matches import selectors, services
from games.matches.clock import PRESETS, Clock
from games.matches.clocks import vacations
from games.matches.models import Player
from games.matches.notify.notifications import page_key
from games.matches.pauses import Reason, of_player
from games.matches.play.offers import agreed_by

ZONES = (
    "Europe/Berlin",
    "America/New_York",
    "America/Santiago",
    "Asia/Kolkata",
    "Asia/Tokyo",
    "Australia/Lord_Howe",
    "Africa/Cairo",
    "Pacific/Auckland",
)
"""Summer time north and south, half hours of it, missing midnights, and no summer time."""

SATURDAY = 5
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

MOST_FRIENDS = 36
FIRST_EVENING, EVENINGS = 9 * DAY, 30 * DAY
EVENING = timedelta(minutes=50)
"""On some evenings many friends challenge one player, the host, and come again the next day to
move: more events within an hour than mails are allowed."""

LATER = timedelta(hours=2)
"""When the host comes: by then delayed mails have been sent."""

ANSWER = """\
Authentication-Results: {authserv}; dkim=pass header.d=example.org\r
From: {sender}\r
To: {to}\r
Subject: Re: Your turn\r
Content-Type: text/plain; charset=utf-8\r
\r
{line}\r
\r
On Monday Turnstone wrote:\r
> It is your turn.\r
"""


def settled(world: World, count: int, seed: str) -> list["Person"]:
    """Create players, who have been members for some time, and let them come."""
    people: list[Person] = []
    for number in range(count):
        people.append(Person(number, world, people, seed))
        people[-1].plan_visit(world.now)
    host, *others = people
    friends = others[: min(MOST_FRIENDS, count // 2)]
    world.plan(world.now + FIRST_EVENING, partial(_evening, host, friends))
    return people


def _evening(host: "Person", friends: Sequence["Person"]) -> None:
    world = host.world
    world.done["evenings"] += 1
    for since, act in (
        (world.now, lambda friend: friend.offer(GAMES[0], PRESETS["standard"], [host.user])),
        (world.now + DAY, Person.look_after_all),
    ):
        for friend in friends:
            world.plan(since + host.chance.random() * EVENING, partial(friend.unless_away, act))
        world.plan(since + LATER, partial(host.unless_away, Person.look_after_all))
    world.plan(world.now + EVENINGS, partial(_evening, host, friends))


class Person:
    """A simulated player. The first one, the host, gets all mails at once and answers no mails.

    Hours are those of the player's own clocks. ``visits`` is the number of visits on a working day,
    ``weekend`` the fraction of that on other days. Of a hundred visits ``forgets`` are followed by
    days of unannounced absence. ``by_mail`` is the fraction of mails about turns that is answered
    with a move. ``muted`` are the pages that the player has muted for some time.
    """

    def __init__(self, number: int, world: World, everybody: Sequence["Person"], seed: str) -> None:
        self.world, self.everybody, is_host = world, everybody, number == 0
        self.chance = random.Random(f"{seed} {number}")
        choice = self.chance.choice
        self.zone = choice(ZONES)
        self.wakes = self.chance.randint(6, 10)
        self.sleeps = self.wakes + self.chance.randint(8, 13)
        self.visits = choice((0.7, 1, 1, 2))
        self.weekend = choice((0.1, 0.5, 1, 1.5))
        self.forgets = 0 if is_host else choice((0, 0.5, 0.5, 2))
        self.matches = choice((1, 2, 2, 3))
        self.answers = choice((0.7, 0.9, 1))
        self.by_mail = 0 if is_host else choice((0, 0, 0.3, 0.8))
        off: tuple[tuple[str, ...], ...] = ((), (), ("offer-made",), ("your-turn", "match-ended"))
        daily: tuple[tuple[str, ...], ...] = ((), (), ("your-turn",), ("match-ended", "your-turn"))
        self.mail_off = () if is_host else choice(off)
        self.daily = () if is_host else choice(daily)
        self.quiet = None if is_host else choice((None, None, (22, 7), (0, 6), (13, 15)))
        self.absent_until = world.now
        self.muted: set[str] = set()
        self.answered: set[str] = set()
        self.user = self._member(number)
        world.inboxes[self.user.email] = self.read

    def _member(self, number: int) -> User:
        name = f"player-{number}"
        user = create_user(
            username=name,
            email=f"{name}@example.org",
            password=None,
            confirmed=True,
            date_joined=self.world.now - number * DAY,
            time_zone=self.zone,
            auto_vacation=self.chance.choice((True, True, False, False, False)),
            mail_off=list(self.mail_off),
        )
        quiet = self.quiet or (None, None)
        DeliverySettings.objects.create(
            user=user,
            mail_daily=list(self.daily),
            daily_hour=self.chance.randint(0, 23),
            quiet_from=quiet[0],
            quiet_until=quiet[1],
        )
        return user

    @property
    def is_away(self) -> bool:
        """Whether the player is on vacation, or absent without notice."""
        now = self.world.now
        return now < self.absent_until or bool(vacations.away([self.user.pk], now))

    def unless_away(self, act: Callable[["Person"], object]) -> None:
        if not self.is_away:
            act(self)

    def _sometimes(self, part: float) -> bool:
        return self.chance.random() < part

    # --- Visits -------------------------------------------------------------------------------

    def plan_visit(self, after: datetime) -> None:
        """Plan the next visit, at an hour at which the player is awake."""
        day = after.astimezone(ZoneInfo(self.zone))
        often = self.visits * (self.weekend if day.weekday() >= SATURDAY else 1)
        at = after + timedelta(days=self.chance.expovariate(often), minutes=5)
        self.world.plan(self._awake(at), self.visit)

    def _awake(self, at: datetime) -> datetime:
        """Return a time from ``at`` on at which the player is awake."""
        while not self.wakes <= at.astimezone(ZoneInfo(self.zone)).hour < self.sleeps:
            at += timedelta(minutes=self.chance.randint(20, 90))
        return at

    def visit(self) -> None:
        """Do everything that the player wants to, and plan the next visit."""
        world, per_cent = self.world, 100 * self.chance.random()
        world.done["visits"] += 1
        if not self.is_away or self._sometimes(0.1):
            self.look_after_all()
        if per_cent < self.forgets:
            self.absent_until = world.now + self.chance.randint(*ABSENT) * DAY
            world.done["absences"] += 1
        self.plan_visit(max(world.now, self.absent_until))

    def look_after_all(self) -> None:
        """Answer challenges, visit matches, and make sure that there are enough."""
        self._answer_challenges()
        mine = Player.objects.filter(user=self.user, ended=None, dropped="")
        for match_id in list(mine.values_list("match_id", flat=True)):
            if self._sometimes(self.answers):
                self._look_at(match_id)
        if mine.count() < self.matches:
            self._look_for_a_match()
        if self._sometimes(0.025):
            self._plan_vacation()
        elif self._sometimes(0.05):
            self._end_vacation()

    def _try(self, name: str, service: Callable[..., Any], **given: Any) -> Any:
        """Call a service. ``None`` if it refuses."""
        try:
            done = service(**given, now=self.world.now)
        except GameError:
            return None
        self.world.done[name] += 1
        return done

    # --- Matches ------------------------------------------------------------------------------

    def _look_at(self, match_id: int) -> None:
        """Open the page of a match, act there, and leave it after a while."""
        key, now = page_key(match_id), self.world.now
        presence.touch(self.user.pk, key, now=now)
        gone = partial(cache.delete, presence._key(self.user.pk, key))
        self.world.plan(now + presence.PAGE_TIMEOUT, gone)
        notifications.mark_seen(recipient=self.user, now=now, page_keys=[key])
        snapshot = selectors.snapshot(match_id)
        seat = snapshot.seat_for(self.user)
        if self._answer_offer(snapshot, seat) or self._stay_paused(snapshot, seat):
            return
        if self._sometimes(0.01):
            self._mute(key)
        if seat in snapshot.actors:
            self._take_turn(snapshot, seat)
        elif self._sometimes(0.06):
            self._act(self.chance.choice(TAKING_BACK), snapshot)

    def _take_turn(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> None:
        per_cent = 100 * self.chance.random()
        for most, service in SELDOM:
            if per_cent < most:
                self._act(service, snapshot)
                return
        moves = list(islice(snapshot.title.moves(snapshot.state, seat), MOST_MOVES))
        self._act("play_move", snapshot, texts=[str(self.chance.choice(moves))])

    def _act(self, name: str, snapshot: selectors.MatchSnapshot, **more: Any) -> bool:
        """Call a service of matches by its name, and return whether it succeeded."""
        match = snapshot.match
        given = {"version": match.version, "submission": uuid4(), **more}
        done = self._try(name, getattr(services, name), match_id=match.pk, user=self.user, **given)
        return done is not None

    def _answer_offer(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> bool:
        offered = any(agreed_by(p) for p in snapshot.players if p.seat != seat)
        if not offered or agreed_by(snapshot.players[seat]):
            return False
        return self._act(self.chance.choice(("accept_offer", "decline_offer")), snapshot)

    def _stay_paused(self, snapshot: selectors.MatchSnapshot, seat: Seat) -> bool:
        """Leave a paused match alone, or end the pause."""
        paused = any(
            pause.reason == Reason.AGREEMENT and pause.goes_on(self.world.now)
            for pause in of_player(snapshot.players[seat])
        )
        if paused and self._sometimes(0.2):
            self._act("end_pause", snapshot)
        return paused

    def _mute(self, key: str) -> None:
        if muting.is_muted(self.user, key):
            muting.unmute(self.user, key)
        else:
            muting.mute(self.user, key, now=self.world.now)
            self.muted.add(key)

    # --- Mails --------------------------------------------------------------------------------

    def read(self, mail: Posted) -> None:
        """Answer a mail later with the move of its example, once an address and sometimes twice."""
        if mail.reply_to and mail.reply_to not in self.answered and self._sometimes(self.by_mail):
            self.answered.add(mail.reply_to)
            later = self.world.now + timedelta(minutes=self.chance.randint(5, 20 * 60))
            answer = partial(self._answer, mail, 1 + self._sometimes(0.1))
            self.world.plan(self._awake(later), partial(self.unless_away, lambda _: answer()))

    def _answer(self, mail: Posted, times: int) -> None:
        """Hand the site an answer as its SMTP server would, twice if a relay repeats it."""
        now, to, authserv = self.world.now, mail.reply_to, REPLIES["REPLY_AUTHSERV"]
        text = ANSWER.format(authserv=authserv, sender=mail.to, to=to, line=mail.example)
        for _ in range(times):
            replies.recipient(to, now=now)
            said = replies.receive(text.encode(), mail.to, to, now=now)
            self.world.done["answers by mail"] += 1
            if said != replies.SmtpReply.TAKEN:
                self.world.troubles.append(f"{mail.example} by mail to {to}: {said}")

    # --- Challenges ---------------------------------------------------------------------------

    def _answer_challenges(self) -> None:
        state, open_ = Invitation.State.INVITED, Challenge.Status.OPEN
        for one in Invitation.objects.filter(user=self.user, state=state, challenge__status=open_):
            if self._sometimes(0.8):
                self._accept(one.challenge_id)
            else:
                self._try("decline", lobby.decline, challenge_id=one.challenge_id, user=self.user)

    def _accept(self, challenge_id: int) -> None:
        self._try("accept", lobby.accept, challenge_id=challenge_id, user=self.user)

    def _look_for_a_match(self) -> None:
        """Take a seat in an open challenge, or make one, open or to named players."""
        found = Challenge.objects.filter(status=Challenge.Status.OPEN, audience="open")
        found = found.exclude(invitations__user=self.user)
        if (open_to_all := found.order_by("pk").first()) and self._sometimes(0.8):
            self._accept(open_to_all.pk)
            return
        game, clock = self.chance.choice(GAMES), self.chance.choice(CLOCKS)
        zone = self.chance.choice(("", self.zone))
        others = [person.user for person in self.everybody if person is not self]
        invited = self.chance.sample(others, game[2] - 1) if self._sometimes(0.4) else []
        self.offer(game, Clock(clock.start, clock.increment, clock.cap, zone), invited)

    def offer(
        self, game: tuple[str, dict[str, int], int], clock: Clock, invited: Sequence[User]
    ) -> None:
        """Challenge players by name, or post an open challenge."""
        title, params, seats = game
        audience = Challenge.Audience.NAMED if invited else Challenge.Audience.OPEN
        terms = {"title": title, "params": params, "seats": seats, "clock": clock}
        of_whom = {"creator": self.user, "audience": audience, "invited": invited}
        self._try("challenge", lobby.challenge, **terms, **of_whom)

    # --- Vacations ----------------------------------------------------------------------------

    def _plan_vacation(self) -> None:
        begin = self.world.now + self.chance.choice((0, 0, 3, 10, 25)) * DAY
        end = begin + timedelta(hours=self.chance.randint(20, 15 * 24))
        shown = {"begin": begin, "end": end, "shows_end": self._sometimes(0.7)}
        self._try("plan", vacations.plan, user=self.user, **shown)

    def _end_vacation(self) -> None:
        now = self.world.now
        first = next(iter(vacations.upcoming(self.user, now)), None)
        if first and (first.begin <= now or self._sometimes(0.2)):
            vacations.end(user=self.user, now=now)
            self.world.done["end of a vacation"] += 1
