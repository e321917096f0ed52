"""Streams: the whole state first, then what happens, each event complete."""

import asyncio
import json
from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from channels.layers import get_channel_layer
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.models import Session
from django.db import OperationalError
from django.test import Client
from django.utils import timezone
from rest_framework.exceptions import Throttled

from accounts import tokens
from accounts.models import ApiToken
from config.asgi import application
from config.server.clients import Slots
from games.api import open_streams, streams
from games.api.news import MatchNews, OwnNews, SignIn
from games.matches import services
from games.records import record
from tests.match_driver import begin, fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

play = sync_to_async(lambda driver, *texts: driver.play(*texts))
act = sync_to_async(lambda driver, service, seat: driver.act(service, seat))


def token_of(user):
    token = tokens.make(user=user, name=str(uuid4()), scopes=["read"], now=timezone.now())
    return SignIn(user, tokens.find(token, now=timezone.now()), None)


async def opened(news):
    """The lines of a stream after the first, which is a beat."""
    stream = streams.lines(news, open_streams.Turn())
    assert await hear(stream) == {"type": "beat"}
    return stream


async def own(user):
    return await opened(OwnNews(await sync_to_async(token_of)(user), user))


async def watched(driver, seat=None, since=0):
    sign_in = SignIn(AnonymousUser(), None, None)
    if seat is not None:
        sign_in = await sync_to_async(token_of)(driver.people[seat])
    return await opened(MatchNews(sign_in, driver.id, since))


async def hear(stream):
    return json.loads(await anext(stream))


async def test_the_first_line_waits_for_nothing(match_driver, monkeypatch):
    """Not even for the channel layer, nor for what the stream reads: the headers go with it."""

    async def hang(*_):
        await asyncio.Event().wait()

    monkeypatch.setattr(get_channel_layer(), "new_channel", hang)
    news = OwnNews(await sync_to_async(token_of)(match_driver.people[0]), match_driver.people[0])
    stream = streams.lines(news, open_streams.Turn())
    assert await asyncio.wait_for(hear(stream), timeout=30) == {"type": "beat"}


async def test_what_waits_comes_first_and_then_what_happens(match_driver):
    ada = await own(match_driver.people[0])
    first = await hear(ada)
    assert (first["type"], first["match"]["id"]) == ("turn", match_driver.id)
    assert "c3" in first["moves"]
    assert (first["match"]["seat"], first["more"]) == (0, False)
    assert await hear(ada) == {"type": "ready"}
    await play(match_driver, "c3")
    changed = await hear(ada)
    assert (changed["type"], changed["match"]["version"]) == ("changed", 1)
    assert "moves" not in changed
    await play(match_driver, "a1")
    turn = await hear(ada)
    assert (turn["type"], turn["match"]["version"]) == ("turn", 2)
    assert "a1" not in turn["moves"]
    await act(match_driver, services.resign, 1)
    ended = await hear(ada)
    assert (ended["type"], ended["match"]["result"]) == ("ended", [1, 2])
    await ada.aclose()


async def test_challenges_and_matches_that_start(match_driver):
    ada, bruno = [await own(user) for user in match_driver.people[:2]]
    assert [(await hear(bruno))["type"] for _ in range(2)] == ["match", "ready"]
    assert [(await hear(ada))["type"] for _ in range(2)] == ["turn", "ready"]
    waiting = anext(bruno)
    client = await sync_to_async(match_driver.client)(0)
    sent = {
        "title": "die",
        "audience": "named",
        "players": ["bruno"],
        "submission": str(uuid4()),
        "seating": "last",
    }
    post = sync_to_async(client.post)
    made = (await post("/api/v1/challenges/", sent, "application/json")).json()
    event = json.loads(await waiting)
    assert (event["type"], event["challenge"]["id"]) == ("challenge", made["id"])
    own_event = await hear(ada)
    assert (own_event["type"], own_event["challenge"]["id"]) == ("challenge-open", made["id"])
    accept = f"/api/v1/challenges/{made['id']}/accept/"
    other = await sync_to_async(match_driver.client)(1)
    await sync_to_async(other.post)(accept, {}, "application/json")
    kinds = [(await hear(bruno))["type"] for _ in range(3)]
    assert kinds == ["challenge-accepted", "started", "turn"]
    events = [await hear(ada) for _ in range(2)]
    assert [event["type"] for event in events] == ["challenge-accepted", "started"]
    assert events[1]["challenge"]["match"] == events[1]["match"]["id"]
    await ada.aclose()
    await bruno.aclose()


async def test_a_match_is_told_whole_and_then_from_version_to_version(match_driver):
    await play(match_driver, "c3", "a1")
    stream = await watched(match_driver)
    first = await hear(stream)
    assert [line["number"] for line in first["log"]] == [1, 2]
    assert first["match"]["view"]["rows"]
    await play(match_driver, "b1")
    second = await hear(stream)
    assert [line["number"] for line in second["log"]] == [3]
    await act(match_driver, services.resign, 0)
    last = await hear(stream)
    assert last["match"]["status"] == "over"
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_a_stream_goes_on_where_it_was_cut(match_driver):
    await play(match_driver, "c3", "a1", "b1")
    stream = await watched(match_driver, 0, since=2)
    first = await hear(stream)
    assert (first["match"]["version"], [line["number"] for line in first["log"]]) == (3, [3])
    await stream.aclose()


async def test_a_silent_stream_beats_and_heals_a_push_that_was_lost(match_driver, monkeypatch):
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.05)
    stream = await watched(match_driver)
    await hear(stream)
    assert await hear(stream) == {"type": "beat"}
    await get_channel_layer().flush()
    await play(match_driver, "c3")
    while (event := await hear(stream))["type"] == "beat":
        pass
    assert event["match"]["version"] == 1
    await stream.aclose()


async def test_beats_leave_the_channel_alone(match_driver, monkeypatch):
    """A layer by publish and subscribe forgets a channel when who waits there is cancelled."""
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.02)
    layer, cancelled = get_channel_layer(), []
    receive = layer.receive

    async def noted(channel):
        try:
            return await receive(channel)
        except asyncio.CancelledError:
            cancelled.append(channel)
            raise

    monkeypatch.setattr(layer, "receive", noted)
    stream = await watched(match_driver)
    heard = [(await hear(stream))["type"] for _ in range(4)]
    assert heard == ["match", "beat", "beat", "beat"]
    assert not cancelled
    await stream.aclose()
    assert len(cancelled) == 1


async def test_a_revoked_token_ends_its_streams(match_driver, monkeypatch):
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.05)
    stream = await own(match_driver.people[1])
    assert [(await hear(stream))["type"] for _ in range(2)] == ["match", "ready"]
    await ApiToken.objects.all().adelete()
    while (event := await hear(stream))["type"] == "beat":
        pass
    assert event == {"type": "signed-out"}
    with pytest.raises(StopAsyncIteration):
        await anext(stream)


async def test_the_groups_are_left_when_nobody_listens(match_driver):
    stream = await watched(match_driver)
    await hear(stream)
    assert get_channel_layer().groups
    await stream.aclose()
    assert not any(get_channel_layer().groups.values())


async def test_nobody_hears_more_than_a_page_of_theirs_shows(play):
    await sync_to_async(play.move)(0, "peek")
    for seat, seen in ((0, None), (1, ["??", 0]), (None, ["??", 0])):
        stream = await watched(play, seat)
        event = await hear(stream)
        assert (event["match"]["view"]["peeked"] == seen) is (seen is not None)
        assert (event["log"][0]["text"] == "??") is (seat != 0)
        await stream.aclose()


async def test_another_match_is_not_heard(match_driver, monkeypatch):
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.3)
    elsewhere = await sync_to_async(begin)("die", match_driver.people, size=3)
    stream = await watched(elsewhere)
    await hear(stream)
    await play(match_driver, "c3")
    assert await hear(stream) == {"type": "beat"}
    await stream.aclose()


# --- All records --------------------------------------------------------------------------------


async def test_all_matches_of_a_player_are_one_file(match_driver):
    other = await sync_to_async(begin)("precary-ice", match_driver.people[:2])
    await sync_to_async(begin)("die", match_driver.people[2:], size=3)
    await act(match_driver, services.resign, 0)
    client = await sync_to_async(match_driver.client)(0)
    status, kind, first, line = await asked("/api/v1/me/records/", client)
    second = json.loads((await line.receive_output(timeout=30))["body"])
    last = await line.receive_output(timeout=30)
    assert (status, kind) == (200, "application/x-ndjson")
    assert [first["match"], second["match"]] == [match_driver.id, other.id]
    assert (first["status"], second["status"]) == ("over", "running")
    assert (last.get("body", b""), last.get("more_body", False)) == (b"", False)


async def test_all_matches_of_any_player_are_one_file_of_what_spectators_see(play):
    await sync_to_async(play.move)(0, "peek")
    status, kind, record, line = await asked("/api/v1/players/ADA/records/")
    last = await line.receive_output(timeout=30)
    assert (status, kind) == (200, "application/x-ndjson")
    assert (record["match"], record["log"][0]["text"]) == (play.id, "??")
    assert record["setup_chance"] is None
    assert (last.get("body", b""), last.get("more_body", False)) == (b"", False)


def test_records_of_a_player_have_a_file_name_and_a_limit(match_driver, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "records": {"account": ["1/h"]}}
    first, second = (Client().get("/api/v1/players/ada/records/") for _ in range(2))
    assert first.headers["Content-Disposition"] == 'attachment; filename="turnstone-ada.ndjson"'
    assert (second.status_code, second.json()["code"]) == (429, "throttled")
    assert Client().get("/api/v1/players/nobody/records/").status_code == 404


# --- What streams may take ----------------------------------------------------------------------


@pytest.fixture
def places(monkeypatch):
    """Let an account have two streams open, and a network three; the counts of both."""
    counts = Slots(2), Slots(3)
    for name, slots in zip(("by_account", "by_network"), counts, strict=True):
        monkeypatch.setattr(open_streams, name, slots)
    return counts


def taken(places):
    return [sum(slots._taken.values()) for slots in places]


def asking(user, address="192.0.2.1"):
    return SimpleNamespace(user=user, META={"REMOTE_ADDR": address}, headers={})


def test_an_account_and_a_network_have_few_streams_open(people, places):
    ada, bruno, clara = people[:3]
    visitor = AnonymousUser()
    held = [open_streams.take(asking(ada)) for _ in range(2)]
    with pytest.raises(Throttled, match="Too many streams are open"):
        open_streams.take(asking(ada, "192.0.2.2"))
    held.append(open_streams.take(asking(bruno)))
    for refused in (clara, visitor):
        with pytest.raises(Throttled):
            open_streams.take(asking(refused))
    open_streams.take(asking(visitor, "192.0.2.2"))
    held[0].free()
    held[0].free()
    held.append(open_streams.take(asking(ada)))
    assert taken(places) == [3, 3]
    held.clear()
    assert taken(places) == [0, 0]


async def test_who_has_too_many_streams_open_is_refused_until_one_ends(match_driver, places):
    path = f"/api/v1/matches/{match_driver.id}/stream/"
    held = [(await asked(path))[3] for _ in range(3)]
    status, kind, problem, _ = await asked(path)
    assert (status, kind, problem["code"]) == (429, "application/problem+json", "throttled")
    records, *_ = await asked("/api/v1/players/ada/records/")
    assert records == 429
    await held[0].send_input({"type": "http.disconnect"})
    await held[0].wait(timeout=30)
    again = await asked(path)
    assert again[0] == 200
    for line in (*held[1:], again[3]):
        await line.send_input({"type": "http.disconnect"})
        await line.wait(timeout=30)
    assert taken(places) == [0, 0]


async def test_a_stream_that_fails_is_logged_and_ends(match_driver, places, monkeypatch, caplog):
    def fail(self):
        raise OperationalError("couldn't get a connection")
        yield

    monkeypatch.setattr(MatchNews, "_events", fail)
    *_, line = await asked(f"/api/v1/matches/{match_driver.id}/stream/")
    last = await line.receive_output(timeout=30)
    assert (last.get("body", b""), last.get("more_body", False)) == (b"", False)
    await line.wait(timeout=30)
    assert "A stream failed." in caplog.text
    assert taken(places) == [0, 0]
    assert not any(get_channel_layer().groups.values())


async def test_an_export_names_each_match_whose_record_fails(match_driver, monkeypatch, caplog):
    """It would look complete if it ended there."""
    other = await sync_to_async(begin)("die", match_driver.people[:2], size=3)
    export = record.export

    def fail(snapshot, log):
        if snapshot.match.pk == match_driver.id:
            raise OperationalError("couldn't get a connection")
        return export(snapshot, log)

    monkeypatch.setattr(record, "export", fail)
    _, _, first, line = await asked("/api/v1/players/ada/records/")
    second = json.loads((await line.receive_output(timeout=30))["body"])
    assert first == {"match": match_driver.id, "unreadable": True}
    assert second["match"] == other.id
    assert f"The record of match {match_driver.id} failed." in caplog.text


async def test_the_state_is_worked_out_match_by_match_while_somebody_listens(
    match_driver, monkeypatch
):
    for _ in range(3):
        await sync_to_async(begin)("die", match_driver.people[:2], size=3)
    read = []
    monkeypatch.setattr(OwnNews, "_about", lambda self, kind, pk: read.append(pk) or {"type": kind})
    stream = await own(match_driver.people[0])
    await hear(stream)
    await hear(stream)
    await stream.aclose()
    assert len(read) == 2


async def test_the_streams_of_a_caller_work_one_at_a_time_for_a_share_of_a_core(
    monkeypatch, settings
):
    settings.STREAM_WORK = {"share": 0.25, "burst": 2.0}
    now, slept, at_work = 1000.0, [], 0

    async def sleep(seconds):
        nonlocal now
        slept.append(max(0.0, seconds))
        now += slept[-1]

    async def step():
        nonlocal now, at_work
        at_work += 1
        now += 1.0
        assert at_work == 1
        at_work -= 1
        return b"line", 1.0

    monkeypatch.setattr(open_streams, "time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr(open_streams.asyncio, "sleep", sleep)
    turn = open_streams.Turn()
    await asyncio.gather(*(turn.work(step) for _ in range(6)))
    assert slept == [0, 0, 0, 1, 3, 3], "a second of work in four"


def test_guests_of_one_network_share_their_turn(people):
    ada, bruno = people[:2]
    assert open_streams.take(asking(ada)).turn is not open_streams.take(asking(bruno)).turn
    held = open_streams.take(asking(ada))
    assert open_streams.take(asking(ada, "192.0.2.2")).turn is held.turn
    ada.is_guest = bruno.is_guest = True
    held = open_streams.take(asking(ada))
    assert open_streams.take(asking(bruno)).turn is held.turn
    assert open_streams.take(asking(bruno, "192.0.2.2")).turn is not held.turn


# --- The whole way in ---------------------------------------------------------------------------


async def asked(path, client=None):
    """The status, the type and the first event of an answer, and what it comes from."""
    headers = [(b"host", b"testserver")]
    if client:
        cookies = "; ".join(f"{key}={value.value}" for key, value in client.cookies.items())
        headers.append((b"cookie", cookies.encode()))
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b""}
    scope["client"] = ("192.0.2.1", 50_000)
    line = ApplicationCommunicator(application, {**scope, "headers": headers})
    await line.send_input({"type": "http.request"})
    start = await line.receive_output(timeout=30)
    kind = dict(start["headers"])[b"Content-Type"].decode()
    body = (await line.receive_output(timeout=30))["body"]
    return start["status"], kind, json.loads(body), line


async def test_the_session_of_a_browser_opens_a_stream(match_driver, monkeypatch):
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.05)
    client = await sync_to_async(match_driver.client)(0)
    status, kind, event, line = await asked("/api/v1/stream/", client)
    assert (status, kind, event["type"]) == (200, "application/x-ndjson", "beat")
    await Session.objects.all().adelete()
    while body := (await line.receive_output(timeout=30)).get("body"):
        last = json.loads(body)
    assert last == {"type": "signed-out"}


async def test_a_listener_who_leaves_ends_the_stream(match_driver):
    *_, line = await asked(f"/api/v1/matches/{match_driver.id}/stream/")
    await line.send_input({"type": "http.disconnect"})
    await line.wait(timeout=30)
    assert not any(get_channel_layer().groups.values())


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("/api/v1/stream/", 401, "not_authenticated"),
        ("/api/v1/me/records/", 401, "not_authenticated"),
        ("/api/v1/matches/77/stream/", 404, "no-such-match"),
        ("/api/v1/matches/77/stream/?version=-1", 400, "invalid"),
    ],
)
def test_a_stream_that_there_is_not_is_a_problem(path, status, code, db):
    refused = Client().get(path)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.headers["Content-Type"] == "application/problem+json"


def test_a_stream_has_no_head(match_driver):
    client = match_driver.client(0)
    for path in ("stream/", f"matches/{match_driver.id}/stream/"):
        assert client.head(f"/api/v1/{path}").status_code == 405


async def test_a_new_password_ends_the_streams_of_all_sessions(match_driver, monkeypatch):
    monkeypatch.setattr(streams, "KEEPALIVE_PERIOD", 0.05)
    client = await sync_to_async(match_driver.client)(0)
    *_, line = await asked("/api/v1/stream/", client)
    ada = match_driver.people[0]
    ada.set_password("another-horse-battery")
    await ada.asave()
    while body := (await line.receive_output(timeout=30)).get("body"):
        last = json.loads(body)
    assert last == {"type": "signed-out"}
