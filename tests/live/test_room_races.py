"""Moves in a room while another process changes the match, just before the room writes."""

import asyncio
from datetime import timedelta
from uuid import uuid4

import pytest
from channels.db import database_sync_to_async
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from accounts.sessions import SessionStore
from games.kernel.errors import GameError, MatchOver
from games.live.allowance import AccountLimit
from games.live.moves import SentMove
from games.live.rooms import Mover, Room
from games.matches import selectors, services, store
from games.matches.errors import Busy, StaleMove
from games.matches.log.verify import verify
from games.matches.models import Match
from games.matches.notify import push
from games.matches.store import NotPermitted, Permit
from games.matches.update import ATTEMPTS

pytestmark = pytest.mark.django_db(transaction=True)

later = database_sync_to_async


@pytest.fixture(autouse=True)
async def _serving():
    """Serve sockets in the loop of the test, as the process of a room does."""
    push.serve_in(asyncio.get_running_loop())


@pytest.fixture
def begin(start):
    """Start a match of the toy game today."""
    return lambda **chosen: start(now=timezone.now(), **chosen)


@pytest.fixture
def match(begin):
    return begin()


@pytest.fixture
def meanwhile(monkeypatch):
    """Lets calls happen in threads, one before each of the next changes that a room writes."""

    def arrange(*calls):
        run_in_loop, left = store.run_in_loop, list(calls)

        async def held(statement):
            if left and not statement.is_read:
                await later(left.pop(0))()
            return await run_in_loop(statement)

        monkeypatch.setattr(store, "run_in_loop", held)

    return arrange


def room_of(match):
    """The room of another process."""
    return Room(match.id)


@later
def mover_of(match, seat):
    session, user = SessionStore(), match.people[seat]
    session.create()
    permit = Permit(session.session_key, user.pk, user.password)
    return Mover(user, permit, AccountLimit(user, "move"))


def sent(version, *texts, submission=None):
    return SentMove(version, submission or uuid4(), texts or ("1",))


@later
def entries(match):
    """What the log says: kind, seat and text of each entry. Everything else must agree with it."""
    log = selectors.log(match.match)
    assert [entry.number for entry in log] == list(range(1, match.match.version + 1))
    assert verify(match.id) == []
    return [(str(entry.kind), entry.seat, entry.text) for entry in log]


def played(*seats, text="1"):
    return [("play", seat, text) for seat in seats]


async def refused(room, move, mover):
    with pytest.raises(GameError) as refusal:
        await room.play(move, mover)
    return type(refusal.value)


async def test_two_tabs_at_two_processes_play_two_moves(match):
    mover = await mover_of(match, 0)
    both = (room_of(match).play(sent(0, text), mover) for text in ("1", "2"))
    found = await asyncio.gather(*both, return_exceptions=True)
    assert sorted(type(one).__name__ for one in found) == ["StaleMove", "int"]
    assert len(await entries(match)) == 1


async def test_a_submission_that_reaches_two_processes_is_played_once(match):
    mover, move = await mover_of(match, 0), sent(0)
    found = await asyncio.gather(*(room_of(match).play(move, mover) for _ in range(3)))
    assert found == [1, 1, 1]
    assert await entries(match) == played(0)


async def test_two_who_may_act_at_once_both_do(begin):
    match = await later(begin)(free=True)
    movers = [await mover_of(match, seat) for seat in (0, 1)]
    rooms = [room_of(match) for _ in movers]
    for room in rooms:
        await room.at(0)
    calls = (room.play(sent(0), mover) for room, mover in zip(rooms, movers, strict=True))
    assert sorted(await asyncio.gather(*calls)) == [1, 2]
    assert sorted(await entries(match)) == played(0, 1)


async def test_two_rooms_play_a_match_by_turns(match):
    movers = [await mover_of(match, seat) for seat in (0, 1)]
    rooms = [room_of(match) for _ in movers]
    for version in range(6):
        at = version % 2
        assert await rooms[at].play(sent(version), movers[at]) == version + 1
    assert await entries(match) == played(0, 1, 0, 1, 0, 1)


async def test_a_room_that_is_behind_refuses_what_the_page_has_not_seen(match):
    room, mover = room_of(match), await mover_of(match, 0)
    await room.at(0)
    await later(match.move)(0, "2", now=timezone.now())
    assert await refused(room, sent(0), mover) is StaleMove
    assert (await room.at(0)).match.version == 1
    assert await entries(match) == played(0, text="2")


async def test_a_clock_that_changes_without_a_version_stops_no_move(match, meanwhile):
    def shift():
        Match.objects.filter(pk=match.id).update(clock_epoch=F("clock_epoch") + 1)

    meanwhile(shift)
    assert await room_of(match).play(sent(0), await mover_of(match, 0)) == 1
    assert await entries(match) == played(0)


async def test_a_room_that_is_overtaken_again_and_again_gives_up(match, meanwhile):
    def shift():
        Match.objects.filter(pk=match.id).update(clock_epoch=F("clock_epoch") + 1)

    room, mover = room_of(match), await mover_of(match, 0)
    meanwhile(*[shift] * ATTEMPTS)
    assert await refused(room, sent(0), mover) is Busy
    assert await entries(match) == []
    assert await room.play(sent(0), mover) == 1


async def test_a_take_back_by_form_comes_first(begin, meanwhile):
    match = await later(begin)(free=True)
    await later(match.move)(0, "2", now=timezone.now())
    meanwhile(lambda: match.act(services.take_back, 0, now=timezone.now()))
    room, mover = room_of(match), await mover_of(match, 0)
    assert await refused(room, sent(1), mover) is StaleMove
    assert [kind for kind, _, _ in await entries(match)] == ["play", "take-back"]


async def test_a_resignation_by_form_comes_first(match, meanwhile):
    meanwhile(lambda: match.act(services.resign, 1, now=timezone.now()))
    assert await refused(room_of(match), sent(0), await mover_of(match, 0)) is MatchOver
    assert [kind for kind, _, _ in await entries(match)] == ["resign"]


async def test_a_timeout_comes_first(match, meanwhile):
    late = timezone.now() + timedelta(days=30)
    meanwhile(lambda: services.time_out(match_id=match.id, now=late))
    assert await refused(room_of(match), sent(0), await mover_of(match, 0)) is MatchOver
    assert [kind for kind, _, _ in await entries(match)] == ["timeout"]


async def test_a_moderators_annulment_comes_first(match, meanwhile):
    how = {"moderator": match.people[3], "reason": "a bug", "now": timezone.now()}
    meanwhile(lambda: services.annul(match_id=match.id, **how))
    assert await refused(room_of(match), sent(0), await mover_of(match, 0)) is MatchOver
    assert [kind for kind, _, _ in await entries(match)] == ["annul"]


def sign_out(user):
    Session.objects.all().delete()


def suspend(user):
    User.objects.filter(pk=user.pk).update(is_restricted=True)


def change_password(user):
    User.objects.filter(pk=user.pk).update(password="another")


@pytest.mark.parametrize("lose", [sign_out, suspend, change_password])
async def test_a_permit_that_is_lost_comes_first(match, meanwhile, lose):
    meanwhile(lambda: lose(match.people[0]))
    with pytest.raises(NotPermitted):
        await room_of(match).play(sent(0), await mover_of(match, 0))
    assert await entries(match) == []
