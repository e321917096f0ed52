"""Every change of a match, with every kind of clock, between people and against bots.

Each is either made or refused with a reason, as :data:`CHANGES` says. Afterwards the match is as
its log says, exactly the clocks of those to move run, everybody can read it, and it goes on.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from itertools import product

import pytest

from accounts import notifications
from accounts.models import Notification, User
from games.bots import services as bots
from games.bots.questions import Answer
from games.kernel.contract import Seat
from games.kernel.errors import GameError
from games.matches import clock as clocks
from games.matches import pauses, selectors, services
from games.matches.clock import DAY, PRESETS, Clock
from games.matches.clocks import standstill, sweeps, time_given, timeouts, vacations
from games.matches.errors import RULES, OutOfTime, Unreadable
from games.matches.log.verify import verify
from games.matches.models import Match, Outage, SetAside
from games.matches.plans import conditional
from games.matches.play import substitutes, unreadable
from games.matches.view import pictures
from games.matches.view.match_view import MatchView
from tests.fixtures import NOW, Play

HOUR = timedelta(hours=1)
THEN = NOW + HOUR
"""When the change is made."""

CLOCKS = {
    "no clock": None,
    "capped increments": PRESETS["standard"],
    "days per move": Clock.per_move(3),
    "no weekends": Clock(DAY, DAY, 3 * DAY, "UTC"),
    "paused": PRESETS["standard"],
    "stopped by a moderator": Clock.per_move(3),
    "on vacation": PRESETS["brisk"],
}

TABLES = {
    "two people": {"seats": 2},
    "a person and a bot": {"seats": 2, "bots": 1},
    "three people": {"seats": 3},
    "two people and a bot": {"seats": 3, "bots": 1},
    "three people at once": {"seats": 3, "free": True},
}


@dataclass(frozen=True)
class Case:
    """A match in which each seat has moved ``rounds`` times, and what is said of it."""

    play: Play
    clock: str
    table: str
    moderator: User
    substitute: User

    @property
    def has_clock(self) -> bool:
        return self.clock != "no clock"

    @property
    def of_two(self) -> bool:
        return len(self.play.snapshot.players) == 2

    @property
    def seats(self) -> range:
        return range(len(self.play.snapshot.players))

    @property
    def has_bot(self) -> bool:
        return any(player.is_bot for player in self.play.snapshot.players)

    def act(self, service, seat=0, **how) -> None:
        self.play.act(service, seat, now=THEN, **how)

    def decide(self, service) -> None:
        how = {"moderator": self.moderator, "reason": "A test.", "now": THEN}
        service(match_id=self.play.id, **how)

    def answer(self, service, seats=None) -> None:
        """Let the others answer the offer of seat 0, the bots by themselves."""
        for seat in seats or self.seats[1:]:
            if self.play.match.is_running:
                if self.play.player(seat).is_bot and service is services.accept_offer:
                    bots.act(self.play.id, now=THEN)
                else:
                    self.act(service, seat)


def offered(offer, answer=None):
    def _change(case: Case) -> None:
        case.act(offer)
        if answer:
            case.answer(answer, None if answer is services.accept_offer else [1])

    return _change


def offered_and(offer, what):
    def _change(case: Case) -> None:
        case.act(offer)
        what(case)

    return _change


def moved(*texts):
    return lambda case: case.play.move(0, *texts, now=THEN)


def moved_and_taken_back(case: Case) -> None:
    case.play.move(0, "1", now=THEN)
    case.act(services.take_back)


def taken_back_twice(case: Case) -> None:
    """Two agreements after each other, the second back to a move before the first."""
    for _ in range(2):
        case.act(services.offer_take_back)
        case.answer(services.accept_offer)
        if _ == 0:
            for seat in case.seats:
                case.play.move(seat, "2", now=THEN)


def timed_out(case: Case) -> None:
    if timeouts.time_out(match_id=case.play.id, now=NOW + 99 * DAY) is None:
        raise OutOfTime("Nobody was late.")


def ended_late(case: Case) -> None:
    timeouts.end_late_match(match_id=case.play.id, now=THEN)


def stopped_and_resumed(case: Case) -> None:
    case.decide(standstill.stop_clocks)
    case.decide(standstill.resume_clocks)


def substituted(case: Case) -> None:
    case.decide(partial(substitutes.swap_in, seat=Seat(0), user=case.substitute))
    case.play.people = [case.substitute, *case.play.people[1:]]


def set_aside_and_read_again(case: Case) -> None:
    unreadable.set_aside(case.play.id, Unreadable(case.play.match, RULES), now=THEN)
    assert SetAside.objects.exists()
    unreadable.look_again(now=THEN + HOUR)


def sent_on_vacation(case: Case) -> None:
    user = case.play.people[0]
    vacations.plan(user=user, begin=None, end=THEN + 3 * DAY, shows_end=False, now=THEN)
    vacations.end(user=user, now=THEN + 2 * DAY)


def rescued(case: Case) -> None:
    player = case.play.player(0)
    if player.deadline is None:
        raise OutOfTime("There is no deadline.")
    assert vacations.rescue(now=player.deadline - timedelta(minutes=5)) == 1


def out_of_service(case: Case) -> None:
    Outage.objects.create(began=THEN, ended=THEN + HOUR)
    sweeps.sweep_deadlines(now=THEN + HOUR)


def planned(case: Case) -> None:
    case.play.move(0, "1", now=THEN)
    plan = {"match_id": case.play.id, "user": case.play.people[0], "texts": ["*", "2"]}
    conditional.add_line(**plan, version=case.play.match.version)
    for seat in case.seats[1:]:
        case.play.move(seat, "1", now=THEN)
    # where all move at once, the plan waits for a move by hand
    assert conditional.run(case.play.id, now=THEN) == (case.table != "three people at once")


def always(case: Case) -> bool:
    return True


def may_pause(case: Case) -> bool:
    return case.has_clock and case.clock != "paused"


def may_give_time(case: Case) -> bool:
    return case.has_clock and case.of_two and not has_full_time(case)


def has_full_time(case: Case) -> bool:
    """Whether the clock of the seat to move has not run since its turn began, or hardly."""
    stands = case.clock in ("stopped by a moderator", "on vacation")
    player = case.play.player(0)
    return stands and player.time_left == case.play.match.time_control.cap


@dataclass(frozen=True)
class Change:
    make: Callable[[Case], None]
    is_possible: Callable[[Case], bool] = always
    rounds: int = 1


def _offers():
    makes = {
        "to end": services.offer_close,
        "to cancel": services.offer_cancel,
        "to pause": services.offer_pause,
        "to take back": services.offer_take_back,
    }
    for name, make in makes.items():
        possible = may_pause if name == "to pause" else always
        yield f"offer {name}", Change(offered(make), possible)
        yield f"offer {name}, accepted", Change(offered(make, services.accept_offer), possible)
        yield f"offer {name}, declined", Change(offered(make, services.decline_offer), possible)
        withdrawn = offered_and(make, lambda case: case.act(services.decline_offer))
        yield f"offer {name}, withdrawn", Change(withdrawn, possible)
        yield f"offer {name}, and a move", Change(offered_and(make, moved("1")), possible)


CHANGES = {
    "a move": Change(moved("1")),
    "a roll": Change(moved("roll")),
    "a hidden card": Change(moved("peek")),
    "a first move": Change(moved("1"), rounds=0),
    "planned moves": Change(planned),
    "resigning": Change(lambda case: case.act(services.resign)),
    "resigning in another's turn": Change(lambda case: case.act(services.resign, 1)),
    **dict(_offers()),
    "taking back": Change(moved_and_taken_back),
    "taking back by agreement, twice": Change(taken_back_twice),
    "cancelling alone": Change(lambda case: case.act(services.cancel), rounds=0),
    "cancelling alone, late": Change(lambda case: case.act(services.cancel), lambda _: False),
    "the end of a pause": Change(
        lambda case: case.act(services.end_pause), lambda case: case.clock == "paused"
    ),
    "time given": Change(lambda case: case.act(services.give_time, 1), may_give_time),
    "time given by a moderator": Change(
        lambda case: time_given.give(case.play.id, spare=Seat(1), span=DAY, now=THEN),
        lambda case: case.has_clock,
    ),
    "a match annulled": Change(lambda case: case.decide(services.annul)),
    "a match closed": Change(lambda case: case.decide(services.close)),
    "a player removed": Change(
        lambda case: case.decide(partial(services.remove, seat=Seat(0))),
    ),
    "another player removed": Change(
        lambda case: case.decide(partial(services.remove, seat=Seat(1))),
    ),
    "clocks stopped": Change(
        lambda case: case.decide(standstill.stop_clocks),
        lambda case: case.clock != "stopped by a moderator",
    ),
    "clocks stopped and resumed": Change(
        stopped_and_resumed, lambda case: case.clock != "stopped by a moderator"
    ),
    "clocks resumed": Change(
        lambda case: case.decide(standstill.resume_clocks),
        lambda case: case.clock == "stopped by a moderator",
    ),
    "a substitute": Change(substituted),
    "out of time": Change(
        timed_out, lambda case: case.clock not in ("no clock", "stopped by a moderator")
    ),
    "ended late": Change(ended_late),
    "set aside and read again": Change(set_aside_and_read_again),
    "a vacation": Change(sent_on_vacation, lambda case: case.clock != "on vacation"),
    "an automatic vacation": Change(
        rescued,
        lambda case: case.clock not in ("no clock", "stopped by a moderator"),
    ),
    "an outage": Change(out_of_service),
}


class Thinker:
    """Answers at once: takes one, and agrees to what is offered."""

    def ask(self, question, *, beat):
        return Answer("1", 0.3)


@pytest.fixture
def begin(start, people, monkeypatch):
    monkeypatch.setattr(bots, "own_thinker", Thinker)
    monkeypatch.setattr(pictures, "png", lambda *_, **__: b"")
    User.objects.update(date_joined=NOW - 300 * DAY)

    def _begin(clock: str, table: str, rounds: int) -> Case:
        substitute = User.objects.create(username="emil", date_joined=NOW - 300 * DAY)
        play = start(clock=CLOCKS[clock], heap=60, **TABLES[table])
        play.people = [User.objects.get(pk=user.pk) for user in play.people]
        User.objects.filter(pk=play.people[0].pk).update(auto_vacation=True)
        case = Case(play, clock, table, moderator=people[3], substitute=substitute)
        for _ in range(rounds):
            for seat in case.seats:
                play.move(seat, "1")
        _stop(case)
        Notification.objects.all().delete()
        return case

    return _begin


def _stop(case: Case) -> None:
    """Let the clocks stand still as the kind of clock says."""
    play = case.play
    if case.clock == "paused":
        play.act(services.offer_pause, 0)
        for seat in case.seats[1:]:
            play.act(services.accept_offer, seat)
    elif case.clock == "stopped by a moderator":
        how = {"moderator": case.moderator, "reason": "A test."}
        standstill.stop_clocks(match_id=play.id, now=NOW, **how)
    elif case.clock == "on vacation":
        user = play.people[0]
        vacations.plan(user=user, begin=None, end=NOW + 5 * DAY, shows_end=True, now=NOW)


def check_clocks(match: Match) -> None:
    """Check that the clocks of those to move run, and stored deadlines are those of the clocks."""
    snapshot = selectors.snapshot(match.pk)
    for player in snapshot.players:
        assert player.to_move == (player.seat in snapshot.actors)
        assert (player.time_left is None) == (match.clock is None or player.is_bot)
        runs = player.to_move and player.time_left is not None
        assert (player.clock_since is not None) == runs
        if player.clock_since is None:
            assert (player.deadline, player.remind_at) == (None, None)
        else:
            since = player.clock_since
            calendar = pauses.calendar(player, selectors.past_outages(), since)
            assert player.deadline == clocks.deadline(player.time_left, since, calendar)
            assert player.remind_at is None or player.remind_at <= player.deadline


def check_readable(match: Match) -> None:
    """Check that every viewer can read the match, and every recipient the notifications."""
    assert verify(match.pk) == []
    snapshot = selectors.snapshot(match.pk)
    log = selectors.log(match)
    for viewer in (None, *(Seat(player.seat) for player in snapshot.players)):
        assert len(MatchView(snapshot.table, viewer, log).lines) == len(log)
    told = list(Notification.objects.select_related("recipient"))
    assert not any(one.recipient.is_bot for one in told)
    for one in told:
        assert notifications.render(one).subject


def go_on(play: Play) -> None:
    """Check that the players to move, or to answer, can go on."""
    for _ in play.snapshot.players:
        match = play.match
        if not match.is_running:
            return
        if match.pk in bots.waiting(now=THEN):
            bots.act(match.pk, now=THEN)
        else:
            play.move(play.snapshot.actors[0], "1", now=max(THEN, match.changed))
        assert play.match.version > match.version


def state(match: Match):
    """Return what a refusal leaves as it was."""
    fresh = Match.objects.filter(pk=match.pk).values().get()
    return fresh, list(match.players.order_by("seat").values()), match.log.count()


def cases():
    """Return all combinations; `make test` tries each change with each clock and at each table."""
    numbered = product(enumerate(CHANGES), enumerate(CLOCKS), enumerate(TABLES))
    rest = pytest.mark.thorough
    return [
        pytest.param(change, clock, table, marks=rest if (i + j + k) % len(TABLES) else ())
        for (i, change), (j, clock), (k, table) in numbered
    ]


@pytest.mark.parametrize(("name", "clock", "table"), cases())
def test_every_change_is_made_or_refused(begin, caplog, name, clock, table):
    change = CHANGES[name]
    case = begin(clock, table, change.rounds)
    match = case.play.match
    if not change.is_possible(case):
        before = state(match)
        with pytest.raises(GameError):
            change.make(case)
        assert state(match) == before
        return
    change.make(case)
    check_clocks(match)
    go_on(case.play)
    check_clocks(match)
    check_readable(case.play.match)
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]
