"""Races on PostgreSQL, with real threads that have all decided before the first one writes."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection

from accounts.models import Notification, OutgoingMail, User
from games.kernel import registry
from games.kernel.dice import commitment
from games.kernel.errors import GameError, MatchOver
from games.kernel.params import complete
from games.lobby import changes, commitments
from games.lobby import services as lobby
from games.lobby.commitments import CommitmentRefused
from games.lobby.errors import ChallengeClosed
from games.lobby.models import Challenge
from games.matches import selectors, services, store, update
from games.matches.clock import DAY, PRESETS
from games.matches.clocks import outages, sweeps, vacations
from games.matches.errors import Busy, OutOfTime, Refused, StaleMove
from games.matches.log.verify import verify
from games.matches.models import LogEntry, Match, Outage, SetAside, Sweep, Vacation
from games.matches.play import unreadable
from games.matches.services import Participant
from games.matches.update import MatchUpdate
from tests.fixtures import NOW, Play

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

LATE = NOW + 3 * DAY
PATIENCE = 20
COMMIT = ((store, "write"),)
"""Where a change of one match is held, just before it is written."""

DECIDED = ((MatchUpdate, "change"),)
"""Where a change is held, of one match or of many, that is decided and not written yet."""


@pytest.fixture
def people(transactional_db, people):
    return people


class Line:
    """A line at which every thread waits once, until all have come."""

    def __init__(self, count: int) -> None:
        self.barrier = threading.Barrier(count)
        self.crossed = threading.local()

    def wait(self) -> None:
        if not getattr(self.crossed, "once", False):
            self.crossed.once = True
            self.barrier.wait(PATIENCE)


@pytest.fixture
def race(monkeypatch):
    """Run calls at once, each stopped before its first write until all have come there.

    They are stopped where they call one of the functions ``hold``. Returns what each returned or
    raised.
    """

    def _race(*calls: Callable[[], Any], hold: Sequence[tuple[Any, str]] = COMMIT) -> list[Any]:
        line = Line(len(calls))
        with monkeypatch.context() as patch, ThreadPoolExecutor(len(calls)) as pool:
            for owner, name in hold:
                patch.setattr(owner, name, _held(getattr(owner, name), line))
            done = list(pool.map(_run, calls))
        assert not line.barrier.broken, "Not all calls came to the line: they did not race."
        return done

    return _race


def _held(function: Callable[..., Any], line: Line) -> Callable[..., Any]:
    def held(*args, **kwargs):
        line.wait()
        return function(*args, **kwargs)

    return held


def _run(call: Callable[[], Any]) -> Any:
    try:
        return call()
    except GameError as error:
        return error
    finally:
        connection.close()


def errors(results):
    return [type(result) for result in results if isinstance(result, Exception)]


def test_two_tabs_play_two_moves(play, race):
    results = race(lambda: play.move(0, "1", version=0), lambda: play.move(0, "2", version=0))
    assert errors(results) == [StaleMove]
    assert LogEntry.objects.count() == play.match.version == 1
    assert Notification.objects.filter(kind="your-turn").count() == 1
    assert verify(play.id) == []


def test_a_double_click_plays_once(play, race):
    submission = uuid4()
    results = race(*[lambda: play.move(0, "1", version=0, submission=submission)] * 3)
    assert [result.version for result in results] == [1, 1, 1]
    assert sorted(result.repeated for result in results) == [False, True, True]
    assert LogEntry.objects.count() == 1


def test_a_move_against_the_timeout(play, race):
    results = race(
        lambda: play.move(0, "1", version=0, now=LATE - timedelta(seconds=1)),
        lambda: services.time_out(match_id=play.id, now=LATE),
    )
    assert LogEntry.objects.count() == 1
    if play.match.is_running:
        assert results[1] is None
    else:
        assert errors(results) == [MatchOver]
        assert play.match.ending == "timeout"
    assert verify(play.id) == []


def test_a_move_against_a_resignation(play, race):
    results = race(
        lambda: play.move(0, "1", version=0),
        lambda: play.act(services.resign, 1, version=0),
    )
    assert len(errors(results)) == 1
    assert errors(results)[0] in (MatchOver, StaleMove)
    assert LogEntry.objects.count() == play.match.version == 1
    assert verify(play.id) == []


def test_two_resignations(play, race):
    results = race(*(lambda s=s: play.act(services.resign, s, version=0) for s in (0, 1)))
    assert errors(results) == [MatchOver]
    assert sorted(player.rank for player in play.snapshot.players) == [1, 2]


def test_where_all_may_move_all_get_through(start, race):
    play = start(seats=4, free=True)
    results = race(*(lambda s=s: play.move(s, "1", version=0) for s in range(4)))
    assert errors(results) == []
    assert play.match.position["heap"] == 6
    assert sorted(entry.seat for entry in selectors.log(play.match)) == [0, 1, 2, 3]
    assert verify(play.id) == []


@pytest.fixture
def towers(people):
    """A match of two who build at their own speed, decided by physics."""
    game = registry.get("precary-ice")
    match = services.start(
        title="precary-ice",
        params=complete(game.meta, {"pace": "free"}),
        clock=None,
        secret=b"s" * 32,
        participants=[Participant(user, bytes(32)) for user in people[:2]],
        last_joiner=people[0],
        now=NOW,
    )
    return Play(match, people)


def test_two_who_place_a_piece_at_the_same_moment_both_get_through(towers, race):
    results = race(*(lambda s=s: towers.move(s, "place +0.2 +0", version=0) for s in (0, 1)))
    assert errors(results) == []
    assert sorted(result.version for result in results) == [1, 2]
    assert [len(tower["pieces"]) for tower in towers.match.position["towers"]] == [4, 4]
    assert verify(towers.id) == []


def test_a_piece_let_go_twice_falls_once(towers, race):
    submission = uuid4()
    places = [lambda: towers.move(0, "place +0.2 +0", version=0, submission=submission)] * 2
    results = race(*places, hold=((update, "player_lock"),))
    assert [result.version for result in results] == [1, 1]
    assert sorted(result.repeated for result in results) == [False, True]
    assert len(towers.match.position["towers"][0]["pieces"]) == 4


def test_two_sweeps_end_a_match_once(play, race):
    Sweep.objects.create(name=selectors.DEADLINES, ran=LATE - timedelta(minutes=1))
    results = race(*[lambda: sweeps.sweep_deadlines(now=LATE)] * 2, hold=DECIDED)
    assert sorted(results) == [0, 1]
    assert [entry.kind for entry in selectors.log(play.match)] == ["timeout"]
    assert Notification.objects.filter(kind="match-ended").count() == 2


def test_two_sweeps_end_many_matches_once_each(start, race):
    plays = [start() for _ in range(sweeps.TOGETHER + 10)]
    Sweep.objects.create(name=selectors.DEADLINES, ran=LATE - timedelta(minutes=1))
    results = race(*[lambda: sweeps.sweep_deadlines(now=LATE)] * 2, hold=DECIDED)
    assert sum(results) == len(plays)
    assert LogEntry.objects.count() == len(plays)
    assert Notification.objects.filter(kind="match-ended").count() == 2 * len(plays)
    assert all(verify(play.id) == [] for play in plays[:3])


def test_a_move_against_the_sweep_of_many(start, race):
    """One match is moved in before its deadline; the others are ended all the same."""
    first, *others = plays = [start() for _ in range(3)]
    Sweep.objects.create(name=selectors.DEADLINES, ran=LATE - timedelta(minutes=1))
    results = race(
        lambda: first.move(0, "1", version=0, now=LATE - timedelta(seconds=1)),
        lambda: sweeps.sweep_deadlines(now=LATE),
        hold=DECIDED,
    )
    assert [play.match.ending for play in others] == ["timeout", "timeout"]
    assert results[1] == len(others) + (not first.match.is_running)
    assert LogEntry.objects.count() == len(plays)
    assert all(verify(play.id) == [] for play in plays)


def test_two_sweeps_find_one_outage(play, race):
    Sweep.objects.create(name=selectors.DEADLINES, ran=NOW)
    hold = ((outages, "finalize"),)
    race(*[lambda: sweeps.sweep_deadlines(now=NOW + DAY)] * 2, hold=hold)
    assert Outage.objects.count() == 1
    assert play.player(0).deadline == LATE + DAY


def test_two_sweeps_remind_once(play, race):
    hold = ((sweeps.deadlines, "reminders"),)
    race(*[lambda: sweeps.remind(now=LATE - DAY)] * 2, hold=hold)
    assert Notification.objects.filter(kind="time-short").count() == 1


def test_two_vacations_planned_at_once_are_one(people, race):
    User.objects.update(date_joined=NOW - 1000 * DAY)
    people[0].refresh_from_db()
    plan = partial(vacations.plan, user=people[0], begin=None, end=LATE, shows_end=True, now=NOW)
    assert errors(race(plan, plan, hold=((User, "lock"),))) == [Refused]
    assert Vacation.objects.count() == 1


def test_a_late_move_against_the_sweep(play, race):
    Sweep.objects.create(name=selectors.DEADLINES, ran=LATE - timedelta(minutes=1))
    results = race(
        lambda: play.move(0, "1", version=0, now=LATE),
        lambda: sweeps.sweep_deadlines(now=LATE),
        hold=DECIDED,
    )
    assert errors(results) == [OutOfTime]
    assert [entry.kind for entry in selectors.log(play.match)] == ["timeout"]


@pytest.fixture
def offer(toy, people):
    return lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
    )


def accept(offer, user):
    return lobby.accept(challenge_id=offer.pk, user=user, now=NOW)


def test_two_people_take_the_last_seat(offer, people, race):
    calls = [lambda u=u: accept(offer, u) for u in people[1:3]]
    results = race(*calls, hold=((changes, "compare_and_swap"),))
    assert errors(results) == [ChallengeClosed]
    match = Match.objects.get()
    assert match.players.count() == 2
    assert offer.invitations.filter(state="taken").count() == 2


def test_one_person_accepts_twice(offer, people, race):
    results = race(*[lambda: accept(offer, people[1])] * 2, hold=((changes, "compare_and_swap"),))
    assert errors(results) == []
    assert Match.objects.count() == 1


def test_accepting_against_withdrawing(offer, people, race):
    results = race(
        lambda: accept(offer, people[1]),
        lambda: lobby.withdraw(challenge_id=offer.pk, user=people[0], now=NOW),
        hold=((changes, "compare_and_swap"),),
    )
    assert errors(results) == [ChallengeClosed]
    offer.refresh_from_db()
    assert Match.objects.count() == (offer.status == "started")


def test_accepting_against_expiry(offer, people, race):
    """Both have read it open: one of them closes it, the other finds it closed."""
    late = offer.expires
    results = race(
        lambda: lobby.accept(
            challenge_id=offer.pk, user=people[1], now=late - timedelta(seconds=1)
        ),
        lambda: lobby.expire(now=late),
        hold=((lobby.transaction, "atomic"),),
    )
    offer.refresh_from_db()
    if offer.status == "started":
        assert results[1] == 0
        assert Match.objects.count() == 1
    else:
        assert errors(results) == [ChallengeClosed]
        assert offer.status == "expired"
        assert not Match.objects.exists()


NONCES = {name: name.encode().ljust(32, b".") for name in ("ada", "bruno", "clara", "daniel")}


@pytest.fixture
def strict(toy, people):
    """A challenge with strict dice in which both seats are taken."""
    committed = {name: commitment(nonce).hex() for name, nonce in NONCES.items()}
    made = lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
        strict_dice=True,
        pending=commitments.make(people[0]),
        nonce_commitment=committed["ada"],
    )
    return lobby.accept(
        challenge_id=made.pk, user=people[1], now=NOW, nonce_commitment=committed["bruno"]
    )


def reveal(strict, user, now=NOW):
    nonce = NONCES[user.username]
    return lobby.reveal(challenge_id=strict.pk, user=user, nonce=nonce, now=now)


def test_the_last_two_reveal_at_once(strict, people, race):
    calls = [lambda u=u: reveal(strict, u) for u in people[:2]]
    results = race(*calls, hold=((changes, "compare_and_swap"),))
    assert errors(results) == []
    match = Match.objects.get()
    assert {bytes(player.nonce) for player in match.players.all()} == {
        NONCES["ada"],
        NONCES["bruno"],
    }


def test_one_person_reveals_in_two_tabs(strict, people, race):
    reveal(strict, people[0])
    results = race(*[lambda: reveal(strict, people[1])] * 2, hold=((changes, "compare_and_swap"),))
    assert errors(results) == []
    assert Match.objects.count() == 1


def test_revealing_against_expiry(strict, people, race):
    reveal(strict, people[0])
    late = strict.expires
    results = race(
        lambda: reveal(strict, people[1], now=late - timedelta(seconds=1)),
        lambda: lobby.expire(now=late),
        hold=((lobby.transaction, "atomic"),),
    )
    strict.refresh_from_db()
    if strict.status == "started":
        assert results[1] == 0
        assert Match.objects.count() == 1
        assert not Notification.objects.filter(kind="reveal-missed").exists()
    else:
        assert errors(results) == [ChallengeClosed]
        assert strict.status == "expired"
        assert not Match.objects.exists()


def test_revealing_against_leaving(strict, people, race):
    reveal(strict, people[0])
    results = race(
        lambda: reveal(strict, people[1]),
        lambda: lobby.decline(challenge_id=strict.pk, user=people[1], now=NOW),
        hold=((changes, "compare_and_swap"),),
    )
    assert errors(results) == [ChallengeClosed]
    strict.refresh_from_db()
    assert Match.objects.count() == (strict.status == "started")


def test_two_make_the_last_commitment(toy, people, race):
    made = lobby.challenge(
        creator=people[0],
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
        strict_dice=True,
        pending=commitments.make(people[0]),
        nonce_commitment=commitment(NONCES["ada"]).hex(),
    )

    def sit(user):
        given = commitment(NONCES[user.username]).hex()
        return lobby.accept(challenge_id=made.pk, user=user, now=NOW, nonce_commitment=given)

    results = race(
        *(lambda u=u: sit(u) for u in people[1:3]), hold=((changes, "compare_and_swap"),)
    )
    assert errors(results) == [ChallengeClosed]
    seats = made.invitations.filter(state="taken").order_by("seat").values_list("seat", flat=True)
    assert list(seats) == [0, 1]


def test_a_form_is_sent_twice_at_once(toy, people, race):
    pending = commitments.make(people[0])

    def send():
        return lobby.challenge(
            creator=people[0],
            title="heap",
            params={},
            clock=None,
            seats=2,
            audience=Challenge.Audience.OPEN,
            now=NOW,
            pending=pending,
            nonce=NONCES["ada"],
        )

    results = race(send, send, hold=((lobby.secrets, "token_urlsafe"),))
    assert errors(results) == [CommitmentRefused]
    assert Challenge.objects.count() == 1


def test_both_ask_for_a_rematch(start, people, race):
    play = start(heap=3)
    play.move(0, "3")
    results = race(
        *(lambda u=u: lobby.rematch(match=play.match, user=u, now=NOW) for u in people[:2]),
        hold=((lobby, "_challenge_again"),),
    )
    assert errors(results) == []
    assert Match.objects.count() == 2, "the one that ended and the one that they play now"


def test_a_crowd_at_one_table_loses_nothing_and_locks_nothing(start):
    """Four players and two sweeps at one match, each as fast as it can."""
    play = start(seats=4, free=True, heap=100)

    def hammer(seat: int) -> int:
        done = 0
        for _ in range(12):
            result = _run(lambda: play.move(seat, "1"))
            done += not isinstance(result, Exception)
            assert not isinstance(result, Exception) or type(result) in (StaleMove, Busy)
        return done

    def sweep(_: int) -> int:
        for _ in range(12):
            _run(lambda: sweeps.sweep_deadlines(now=NOW))
        return 0

    with ThreadPoolExecutor(6) as pool:
        moves = sum(pool.map(lambda n: hammer(n) if n < 4 else sweep(n), range(6)))
    assert play.match.position["heap"] == 100 - moves
    assert play.match.version == LogEntry.objects.count() == moves
    assert verify(play.id) == []


def test_two_sweeps_set_a_match_aside_once(play, race, settings):
    settings.ADMINS = [("Root", "root@example.org")]
    Match.objects.filter(pk=play.id).update(position={"nonsense": True})
    results = race(*[lambda: sweeps._time_out(play.id, LATE)] * 2, hold=((unreadable, "_locked"),))
    assert results == [False, False]
    assert SetAside.objects.count() == OutgoingMail.objects.count() == 1
    assert play.player(0).deadline is None


def test_setting_aside_against_annulling(play, race, people, settings):
    """Both have read it: it is annulled, and set aside at most until the next sweep."""
    Match.objects.filter(pk=play.id).update(position={"nonsense": True})
    results = race(
        lambda: sweeps._time_out(play.id, LATE),
        lambda: services.annul(match_id=play.id, moderator=people[3], reason="Broken.", now=LATE),
        hold=((unreadable, "set_aside"), (store, "write")),
    )
    assert errors(results) == []
    assert Match.objects.get(pk=play.id).status == "annulled"
    unreadable.look_again(now=LATE)
    assert not SetAside.objects.exists()
