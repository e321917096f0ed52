"""A move over the socket: the same service, checks and counts as by a form."""

import asyncio
import json
from datetime import timedelta
from itertools import chain, repeat
from types import SimpleNamespace
from uuid import uuid4

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.http import HttpRequest
from django.utils import timezone
from django_ratelimit.core import get_usage

from accounts.models import User
from config.asgi import application
from games.live import allowance, consumers, rooms
from games.live.allowance import AccountLimit
from games.live.consumers import MALFORMED, RATE_LIMITED, SESSION_ENDED
from games.live.moves import SentMove
from games.matches import selectors, services
from games.matches.models import LogEntry, Outage, Player, Sweep
from games.screen import match_parts
from tests.match_driver import fresh_cache, match_driver
from tests.sockets import Communicator

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

later = sync_to_async


class Page(Communicator):
    """The page of a match in a browser that is signed in."""

    def __init__(self, match_driver, client, more=""):
        cookies = "; ".join(f"{key}={value.value}" for key, value in client.cookies.items())
        headers = [(b"origin", b"http://testserver"), (b"host", b"testserver")]
        headers.append((b"cookie", cookies.encode()))
        super().__init__(application, f"/ws/?match={match_driver.id}{more}", headers=headers)

    @classmethod
    async def open(cls, match_driver, seat, more=""):
        page = cls(match_driver, await later(match_driver.client)(seat), more)
        assert (await page.connect())[0]
        await page.receive_json_from(timeout=30)
        return page

    async def play(self, *texts, version=0, submission=None):
        """Send a move; return what the site answers."""
        submission = str(submission or uuid4())
        sent = {"type": "play", "version": version, "submission": submission, "texts": texts}
        await self.send_json_to(sent)
        while True:
            heard = await self.receive_json_from(timeout=30)
            if heard.get("submission") == submission:
                return heard


@pytest.fixture
async def page(match_driver):
    page = await Page.open(match_driver, 0)
    yield page
    await page.disconnect()


def played(match_driver):
    return list(LogEntry.objects.filter(match=match_driver.id).values_list("text", flat=True))


async def test_a_move_is_played_and_the_version_told(match_driver, page):
    heard = await page.play("c3")
    assert (heard["type"], heard["version"]) == ("played", 1)
    assert await later(played)(match_driver) == ["c3"]


async def test_the_movers_page_is_rendered_with_the_move(match_driver, monkeypatch):
    rendered, render = [], match_parts.render
    monkeypatch.setattr(match_parts, "render", lambda page: rendered.append(page) or render(page))
    page = await Page.open(match_driver, 0, "&parts=3")
    heard = await page.play("c3")
    assert (heard["type"], heard["version"]) == ("played", 1)
    assert "seat-own" in heard["patch"]["seat 0"]
    assert len(rendered) == 1
    await page.disconnect()


async def test_a_move_is_played_though_its_page_cannot_be_rendered(match_driver, monkeypatch):
    monkeypatch.setattr(match_parts, "render", lambda *_: 1 / 0)
    page = await Page.open(match_driver, 0, "&parts=3")
    heard = await page.play("c3")
    assert (heard["type"], heard["version"]) == ("played", 1)
    assert "patch" not in heard, "the page fetches it"
    assert await later(played)(match_driver) == ["c3"]
    await page.disconnect()


async def test_the_same_submission_is_played_once_by_whichever_way(match_driver, page):
    submission = uuid4()
    await later(match_driver.act)(services.play_move, 0, texts=["c3"], submission=submission)
    for _ in range(2):
        heard = await page.play("c3", submission=submission)
        assert (heard["type"], heard["version"]) == ("played", 1)
    assert await later(played)(match_driver) == ["c3"]


@pytest.mark.parametrize("is_missing", [True, False])
async def test_the_clock_stands_still_from_the_last_heartbeat(
    match_driver, page, is_missing, monkeypatch
):
    """The room has read the outages with the first move, and a heartbeat is missing since."""
    other = await Page.open(match_driver, 1)
    began = timezone.now()
    for name in selectors.GAPS:
        await Sweep.objects.aupdate_or_create(name=name, defaults={"ran": began})
    await page.play("c3")
    moment = began + timedelta(hours=1)
    monkeypatch.setattr(rooms, "timezone", SimpleNamespace(now=lambda: moment))
    if not is_missing:
        await Sweep.objects.aupdate(ran=moment)
    await other.play("c4", version=1)
    entry = await LogEntry.objects.aget(match=match_driver.id, number=2)
    assert (entry.thinking < timedelta(minutes=1)) == is_missing
    await other.disconnect()


async def test_an_outage_that_is_stored_while_a_move_waits_counts(match_driver, page, monkeypatch):
    """The room has read the outages with the first move, and the second waits for the database."""
    other = await Page.open(match_driver, 1)
    began = timezone.now()
    for name in selectors.GAPS:
        await Sweep.objects.aupdate_or_create(name=name, defaults={"ran": began})
    await page.play("c3")
    ended = began + 2 * selectors.UNANSWERED
    await Outage.objects.acreate(cause=selectors.WEB, began=began, ended=ended)
    await Sweep.objects.aupdate(ran=ended)
    moments = chain([began + selectors.UNANSWERED], repeat(ended))
    monkeypatch.setattr(rooms, "timezone", SimpleNamespace(now=lambda: next(moments)))
    await other.play("c4", version=1)
    entry = await LogEntry.objects.aget(match=match_driver.id, number=2)
    assert entry.thinking < timedelta(seconds=1)
    await other.disconnect()


REFUSED = [
    (["z9"], 0, "z9"),
    (["c3"], 1, "The match has changed since"),
    (["c3"] * 21, 0, "cannot be sent at once"),
    (["c" * 1001], 0, "A move is not longer"),
]


@pytest.mark.parametrize(("texts", "version", "reason"), REFUSED)
async def test_what_is_refused_changes_nothing_and_the_page_says_why(
    match_driver, texts, version, reason
):
    page = await Page.open(match_driver, 0, "&parts=3")
    heard = await page.play(*texts, version=version)
    assert (heard["type"], heard["version"]) == ("refused", 0)
    assert 'class="action-error"' in heard["patch"]["entry"]
    assert reason in heard["patch"]["entry"]
    assert await later(played)(match_driver) == []
    assert (await page.play("c3"))["type"] == "played"
    await page.disconnect()


async def test_a_page_without_parts_hears_only_that_its_move_is_refused(match_driver, page):
    heard = await page.play("z9")
    assert heard["type"] == "refused"
    assert set(heard) == {"type", "submission"}, "the form tells why"


async def test_the_beginning_of_a_move_is_left_to_the_form(match_driver):
    page = await Page.open(match_driver, 0, "&parts=3")
    assert set(await page.play("c")) == {"type", "submission"}
    await page.disconnect()


async def test_out_of_time_the_match_ends_by_the_socket_as_by_a_form(match_driver):
    long_ago = timezone.now() - timedelta(days=400)
    await Player.objects.filter(match=match_driver.id, to_move=True).aupdate(
        clock_since=long_ago, deadline=long_ago, time_left=timedelta(days=1)
    )
    page = await Page.open(match_driver, 0, "&parts=3")
    assert set(await page.play("c3")) == {"type", "submission"}, "the page fetches the end"
    assert [entry.kind async for entry in LogEntry.objects.filter(match=match_driver.id)] == [
        "timeout"
    ]
    await page.disconnect()


@pytest.mark.parametrize("seat", [1, 2])
async def test_nobody_plays_for_another(match_driver, seat):
    page = await Page.open(match_driver, seat)
    assert (await page.play("c3"))["type"] == "refused"
    assert await later(played)(match_driver) == []
    await page.disconnect()


async def test_who_is_not_signed_in_plays_nothing(match_driver):
    page = await Page.open(match_driver, None)
    assert (await page.play("c3"))["type"] == "refused"
    assert await later(played)(match_driver) == []
    await page.disconnect()


@pytest.mark.parametrize(
    "end",
    [
        lambda user: User.objects.filter(pk=user.pk).update(is_active=False),
        lambda user: User.objects.filter(pk=user.pk).update(password="other"),
        lambda user: Session.objects.all()._raw_delete("default"),
    ],
    ids=["account closed", "password changed", "session deleted"],
)
@pytest.mark.parametrize("before", [[], ["c3", "b2"]], ids=["at first", "after a move"])
async def test_a_session_that_has_ended_plays_nothing_more(match_driver, page, end, before):
    """At once, not with the next heartbeat, and whatever is known from an earlier move."""
    if before:
        assert (await page.play(before[0]))["type"] == "played"
        await later(match_driver.play)(before[1])
    await later(end)(match_driver.people[0])
    version, text = len(before), "a1" if before else "c3"
    sent = {"type": "play", "version": version, "submission": str(uuid4()), "texts": [text]}
    await page.send_json_to(sent)
    assert await page.closed() == SESSION_ENDED
    assert await later(played)(match_driver) == before


async def test_who_is_restricted_meanwhile_sends_forms(match_driver, page):
    """Whatever is known from an earlier move."""
    assert (await page.play("c3"))["type"] == "played"
    await later(match_driver.play)("b2")
    ada = User.objects.filter(pk=match_driver.people[0].pk)
    await later(ada.update)(is_restricted=True)
    assert (await page.play("a1", version=2))["type"] == "refused"
    await later(ada.update)(is_restricted=False)
    assert (await page.play("a1", version=2))["type"] == "played"


async def test_moves_over_the_socket_and_by_forms_are_counted_together(
    match_driver, page, settings
):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "move": {"account": ["2/h"]}}
    client = await later(match_driver.client)(0)
    form = await later(match_driver.form)(typed="z9")
    await later(client.post)(f"{match_driver.page}moves/", form)
    assert (await page.play("c3"))["type"] == "played"
    # No answer waits for the count, so that the page is stopped only once it is done.
    await page.play("z9", version=1)
    while not await later(is_spent)(match_driver.people[0]):
        pass
    await later(match_driver.play)("b2")
    assert (await page.play("a1", version=2))["type"] == "refused"
    assert await later(played)(match_driver) == ["c3", "b2"]


def is_spent(user):
    request = HttpRequest()
    request.user = user
    return get_usage(request, group="form:move", key="user_or_ip", rate="2/h")["count"] > 2


async def test_moves_are_counted_though_their_page_is_closed(match_driver, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "move": {"account": ["2/h"]}}
    page = await Page.open(match_driver, 0)
    for text in ("c3", "z9", "z9"):
        await page.play(text)
    await page.disconnect()
    async with asyncio.timeout(30):
        while not await later(is_spent)(match_driver.people[0]):
            pass


async def test_an_error_leaves_the_actions_of_others_to_be_counted(match_driver, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "move": {"account": ["2/h"]}}

    class Broken(AccountLimit):
        def spend(self):
            raise OSError

    ada, bruno = match_driver.people[:2]
    await later(allowance._spend_all)([Broken(bruno, "move"), *[AccountLimit(ada, "move")] * 3])
    assert await later(is_spent)(ada)


async def test_who_goes_on_after_refusals_is_hung_up_on(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "REFILL_PER_SECOND", 0)
    page = await Page.open(match_driver, 0)
    sent = {"type": "play", "version": 0, "submission": str(uuid4()), "texts": ["z9"]}
    for _ in range(consumers.BURST + 2):
        await page.send_json_to(sent)
    assert await page.closed() == RATE_LIMITED


async def test_a_move_that_fails_is_left_to_the_form(match_driver, page, monkeypatch):
    def fail(*_):
        raise ConnectionError

    with monkeypatch.context() as patch:
        patch.setattr(services, "submit_moves", fail)
        assert (await page.play("c3"))["type"] == "refused"
    assert (await page.play("c3"))["type"] == "played"


SENT = {"type": "play", "version": 0, "submission": str(uuid4()), "texts": ["c3"]}


@pytest.mark.parametrize(
    "wrong",
    [
        {"version": -1},
        {"version": "0"},
        {"version": None},
        {"submission": "x"},
        {"submission": None},
        {"texts": "c3"},
        {"texts": [1]},
        {"texts": None},
        {"texts": []},
        {"texts": ["x" * consumers.MAX_MOVE_MESSAGE_LENGTH]},
    ],
)
async def test_what_is_no_move_by_its_form_is_hung_up_on(match_driver, page, wrong):
    await page.send_to(text_data=json.dumps({**SENT, **wrong}))
    assert await page.closed() == MALFORMED
    assert await later(played)(match_driver) == []


def test_a_move_is_read_as_it_was_sent():
    found = SentMove.read(SENT)
    assert (found.version, str(found.submission), found.texts) == (0, SENT["submission"], ("c3",))
