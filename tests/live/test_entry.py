"""Entering a move over the socket: the same parts as by the link, of the own seat, in order."""

import asyncio
import json
import re
import threading

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser

from accounts import limits
from accounts.models import User
from games.live import allowance, consumers, entry, rooms
from games.live.allowance import AccountLimit
from games.live.consumers import MALFORMED, RATE_LIMITED
from games.live.entry import SentStep
from games.live.rooms import Room
from games.matches.models import LogEntry, Player
from games.screen.parts import apply, compose
from tests.live.test_live import watching
from tests.live.test_parts import regions, showing
from tests.match_driver import begin, fresh_cache, match_driver
from tests.patched_page import without_links

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

later = sync_to_async
play = later(lambda match_driver, *texts: match_driver.play(*texts))


async def enter(page, query, *, step=1, version=0, **more):
    """Send a step; return the answer to it."""
    await send(page, query, step=step, version=version, **more)
    return await answer(page, step)


async def send(page, query, *, step=1, version=0, **more):
    sent = {"type": "enter", "step": step, "version": version, "query": query, **more}
    await page.send_json_to(sent)


async def answer(page, step):
    while (heard := await page.hear()).get("step") != step:
        pass
    assert heard["type"] == "entered"
    return heard


fetched = later(
    lambda match_driver, seat, query: (
        match_driver.client(seat).get(f"{match_driver.page}?{query}&part=live").content.decode()
    )
)


def linked(html):
    """What ``without_links`` does, for marks that lead back too; their labels say so."""
    html = html.replace('class="mark mark-aside"', 'class="mark"')
    to_the_beginning = re.sub(r'(<a class="mark"[^>]* href="[^"?]*)(?=")', r"\1?", html)
    return without_links(to_the_beginning)


@pytest.mark.parametrize(
    ("slug", "queries"),
    [
        ("die", ["word=c3", "typed=zz", "list=all", "ask=resign", ""]),
        ("simple-life-or-death", ["word=place+S+", "word=place+S+&word=c7", "kind=place"]),
        ("grim-reaper", ["word=a1%3A", "word=M", "word=a1%3A&row=0&blank-0=M&blank-1=3"]),
        ("precary-ice", ["word=place+", "word=place+&row=0&blank-0=1.5"]),
        ("dice-is-health", ["typed=nothing", ""]),
    ],
)
async def test_a_step_shows_what_its_link_would(people, slug, queries):
    match_driver = await later(begin)(slug, people)
    seat = await later(lambda: match_driver.turn)()
    async with showing(match_driver, match_driver.people[seat]) as page:
        shown = {}
        for step, query in enumerate(queries):
            heard = await enter(page, query, step=step)
            shown = apply(shown, heard["patch"])
            there = await fetched(match_driver, seat, query)
            assert heard["version"] == 0
            plain, targets = linked(there)
            assert regions(linked(compose(shown))[0]) == regions(plain)
            assert heard["targets"] == targets


async def test_a_step_after_a_step_weighs_little(people):
    match_driver = await later(begin)("die", people)
    async with showing(match_driver, people[0]) as page:
        sizes = [
            len(json.dumps(await enter(page, f"word={cell}", step=step)))
            for step, cell in enumerate(("c3", "b3", "b2"))
        ]
    assert max(sizes[1:]) < sizes[0] / 3


async def test_a_refusal_is_on_the_page(match_driver):
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "typed=zz")
    assert 'role="alert"' in heard["patch"]["entry"]
    assert "zz" in heard["patch"]["entry"]


async def test_nothing_is_played_by_entering(match_driver):
    async with showing(match_driver, match_driver.people[0]) as page:
        assert "data-confirm" in (await enter(page, "word=c3"))["patch"]["entry"]
    assert not await later(LogEntry.objects.filter(match=match_driver.id).exists)()


@pytest.mark.parametrize("seat", [2, None])
async def test_a_spectator_enters_nothing(match_driver, seat, monkeypatch):
    monkeypatch.setattr(Room, "entered", lambda *_: 1 / 0)
    user = AnonymousUser() if seat is None else match_driver.people[seat]
    async with showing(match_driver, user) as page:
        for step, more in enumerate(({}, {"mark": "c3"})):
            heard = await enter(page, "word=c3", step=step, **more)
            assert heard == {"type": "entered", "step": step}


async def test_nobody_enters_for_another(match_driver):
    async with showing(match_driver, match_driver.people[1]) as page:
        heard = await enter(page, "word=c3")
        said = await enter(page, "", step=2, mark="c3")
    assert "data-confirm" not in heard["patch"]["entry"]
    assert not heard["targets"]
    assert said["said"] == "It is not your turn."


async def test_a_page_that_asked_for_no_parts_follows_the_link(match_driver):
    async with watching(match_driver, match_driver.people[0]) as page:
        assert await enter(page, "word=c3") == {"type": "entered", "step": 1}


async def test_a_match_that_pages_fetch_is_left_to_the_link(match_driver):
    await later(Player.objects.filter(match=match_driver.id, seat=0).update)(plans=True)
    async with showing(match_driver, match_driver.people[0]) as page:
        assert await enter(page, "word=c3") == {"type": "entered", "step": 1}


async def test_a_step_that_fails_is_left_to_the_link(match_driver, monkeypatch):
    async def fail(*_):
        raise ConnectionError

    async with showing(match_driver, match_driver.people[0]) as page:
        with monkeypatch.context() as patch:
            patch.setattr(Room, "entered", fail)
            assert await enter(page, "word=c3") == {"type": "entered", "step": 1}
        assert "patch" in await enter(page, "word=c3", step=2)


async def test_only_the_newest_of_several_steps_is_answered(match_driver, monkeypatch):
    begun, go_on, worked_out, enter_one = asyncio.Event(), asyncio.Event(), [], Room.entered

    async def slowly(*what):
        worked_out.append(what[2].words)
        begun.set()
        await go_on.wait()
        return await enter_one(*what)

    monkeypatch.setattr(Room, "entered", slowly)
    async with showing(match_driver, match_driver.people[0]) as page:
        await send(page, "word=a1", step=1)
        await begun.wait()
        await send(page, "word=b2", step=2)
        await send(page, "word=c3", step=3)
        await page.say("ask")
        while (await page.hear())["type"] != "beat":
            pass
        go_on.set()
        heard = await page.hear()
        while heard["type"] != "entered":
            heard = await page.hear()
    assert heard["step"] == 3
    assert worked_out == [("a1",), ("c3",)]


async def test_a_step_for_an_older_version_is_entered_in_the_newest(match_driver):
    await play(match_driver, "c3", "b2")
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "word=c3", version=0)
    assert heard["version"] == 2
    assert 'role="alert"' in heard["patch"]["entry"], "the cell is taken"


async def test_no_step_goes_back_behind_what_the_page_was_sent(match_driver, monkeypatch):
    """A move of the other's is pushed while a step for the version before it is worked out."""
    begun, go_on, enter_one = asyncio.Event(), asyncio.Event(), Room.entered

    async def slowly(*what):
        found = await enter_one(*what)
        begun.set()
        await go_on.wait()
        return found

    monkeypatch.setattr(Room, "entered", slowly)
    shown = {}
    async with showing(match_driver, match_driver.people[1]) as page:
        await page.hear()
        await send(page, "word=c3", version=0)
        await begun.wait()
        await play(match_driver, "c3")
        while (heard := await page.hear())["type"] != "match":
            pass
        shown = apply(shown, heard["patch"])
        go_on.set()
        heard = await answer(page, 1)
        shown = apply(shown, heard["patch"])
    assert heard["version"] == 1
    assert 'data-version="1"' in compose(shown)


async def test_a_version_that_there_is_not_is_no_trap(match_driver):
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "word=c3", version=10**18)
    assert heard["version"] == 0


async def test_a_move_after_a_step_is_pushed_as_what_changed(match_driver):
    async with showing(match_driver, match_driver.people[0]) as page:
        await page.hear()
        shown = apply({}, (await enter(page, "word=c3"))["patch"])
        await play(match_driver, "c3")
        while (heard := await page.hear())["type"] != "match":
            pass
        shown = apply(shown, heard["patch"])
    there = await fetched(match_driver, 0, "")
    assert regions(compose(shown)) == regions(there)


# --- Limits -----------------------------------------------------------------------------------


async def test_steps_count_in_the_limit_of_the_account(match_driver, settings, monkeypatch):
    """No answer waits for the count, so a few more may go through before it tells."""
    monkeypatch.setattr(allowance, "COUNT_PERIOD", 0)
    monkeypatch.setattr(consumers, "BURST", 10_000)
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "preview": {"account": ["3/h"]}}
    client = await later(match_driver.client)(0)
    await later(client.get)(f"{match_driver.page}?word=c3")
    async with showing(match_driver, match_driver.people[0]) as page:
        for step in range(2):
            assert "patch" in await enter(page, "word=c3", step=step)
        while "patch" in await enter(page, "word=c3", step=step):
            step += 1
    there = await later(client.get)(f"{match_driver.page}?word=c3&part=entry")
    assert there.status_code == 429


async def test_no_answer_waits_for_the_count(match_driver, monkeypatch):
    release = asyncio.Event()
    loop = asyncio.get_running_loop()

    def spend(*_):
        asyncio.run_coroutine_threadsafe(release.wait(), loop).result(30)

    monkeypatch.setattr(limits, "spend", spend)
    async with showing(match_driver, match_driver.people[0]) as page:
        assert "patch" in await enter(page, "word=c3")
        release.set()


async def test_who_enters_without_end_is_hung_up_on(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "REFILL_PER_SECOND", 0)
    async with showing(match_driver, match_driver.people[0]) as page:
        await page.hear()
        for step in range(consumers.BURST + 1):
            await send(page, "word=c3", step=step)
        assert await page.closed() == RATE_LIMITED


@pytest.fixture
def steps_take(monkeypatch):
    """Set how long each step takes, and return the threads in which they are worked out."""
    threads, seconds = [], 0.0

    def measured(work):
        threads.append(threading.current_thread().name.partition("_")[0])
        return work(), seconds

    def take(longer):
        nonlocal seconds
        seconds = longer
        return threads

    monkeypatch.setattr(rooms, "_long", {})
    monkeypatch.setattr(rooms, "_measured", measured)
    return take


@pytest.mark.parametrize(("other", "params"), [("grim-reaper", {}), ("die", {"size": 7})])
async def test_after_two_long_steps_those_of_their_kind_leave_the_loop(
    match_driver, people, steps_take, other, params
):
    """Of their game and parameters: what is slow on one board is fast on a smaller one."""
    different = await later(begin)(other, people, **params)
    loop, threads = threading.current_thread().name, steps_take(rooms.LONG)
    async with showing(match_driver, people[0]) as page, showing(different, people[0]) as elsewhere:
        await enter(page, "word=c3")
        steps_take(rooms.LONG * 1.01)
        for step in (2, 3):
            await enter(page, "word=c3", step=step)
        assert "patch" in await enter(page, "word=c3", step=4)
        assert (await enter(page, "", step=5, mark="c3"))["said"]
        steps_take(0)
        await enter(elsewhere, "", version=0)
        assert threads == [loop, loop, loop, "steps", "steps", loop]


def test_earlier_long_steps_count_no_more(monkeypatch):
    monkeypatch.setattr(rooms, "_long", {})
    small, large = ("die", "5"), ("die", "6")
    for kind, at in ((small, 0.0), (small, 1.0), (large, 1.0 + rooms.LONG_FOR)):
        rooms._note_long(kind, at)
    assert rooms._long.keys() == {large}
    assert not rooms._are_long(large, 2.0 + rooms.LONG_FOR)


async def test_a_list_of_all_moves_leaves_the_loop_alone(match_driver, steps_take):
    loop, threads = threading.current_thread().name, steps_take(rooms.LONG * 2)
    async with showing(match_driver, match_driver.people[0]) as page:
        await enter(page, "list=all")
        await enter(page, "list=all", step=2)
        await enter(page, "word=c3", step=3)
    assert threads == ["steps", "steps", loop]


async def test_steps_leave_the_loop_for_a_while_only(match_driver, steps_take, monkeypatch):
    monkeypatch.setattr(rooms, "LONG_FOR", 0)
    loop, threads = threading.current_thread().name, steps_take(rooms.LONG * 2)
    async with showing(match_driver, match_driver.people[0]) as page:
        for step in range(3):
            await enter(page, "word=c3", step=step)
    assert threads == [loop, loop, loop]


async def test_the_pages_of_an_account_take_turns(match_driver, monkeypatch):
    begun, go_on, entering, enter_one = asyncio.Event(), asyncio.Event(), [], Room.entered

    async def slowly(room, user_id, *what):
        entering.append(user_id)
        begun.set()
        await go_on.wait()
        return await enter_one(room, user_id, *what)

    monkeypatch.setattr(Room, "entered", slowly)
    ada, bruno = match_driver.people[:2]
    async with (
        showing(match_driver, ada) as one,
        showing(match_driver, ada) as another,
        showing(match_driver, bruno) as others,
    ):
        await send(one, "word=c3")
        await begun.wait()
        await send(another, "word=c3")
        await send(others, "word=c3")
        for page in (another, others):
            await page.say("ask")
            while (await page.hear())["type"] != "beat":
                pass
        assert entering == [ada.pk, bruno.pk]
        go_on.set()
        for page in (one, another, others):
            assert "patch" in await answer(page, 1)


async def test_the_work_of_steps_counts_whichever_way_they_are_asked_for(
    match_driver, settings, monkeypatch, steps_take
):
    monkeypatch.setattr(allowance, "COUNT_PERIOD", 0)
    settings.WORK_LIMITS = {"account": ["3/h"], "guests": []}
    steps_take(2 * limits.UNIT)
    async with showing(match_driver, match_driver.people[0]) as page:
        step = 0
        while "patch" in await enter(page, "word=c3", step=step):
            step += 1
    clients = [await later(match_driver.client)(seat) for seat in (0, 1)]
    address = f"{match_driver.page}?word=c3&part=entry"
    assert [(await later(one.get)(address)).status_code for one in clients] == [429, 200]
    plain = await later(clients[0].get)(match_driver.page)
    assert plain.status_code == 200, "the page itself is no work"


async def test_guests_of_an_address_share_what_they_may_work(match_driver, settings, steps_take):
    settings.WORK_LIMITS = {"account": [], "guests": ["3/h"]}
    guests = [User(pk=pk, is_guest=True) for pk in (901, 902)]
    here, too, there = (
        AccountLimit(guest, "preview", address)
        for guest, address in zip(
            (*guests, guests[1]), ("192.0.2.1", "192.0.2.1", "192.0.2.2"), strict=True
        )
    )
    here.measure(3.5 * limits.UNIT)
    for limit in (here, too):
        await later(limit.spend)()
        assert not limit.is_reached
    too.measure(limits.UNIT)
    for limit in (too, here, there):
        await later(limit.spend)()
    assert [limit.is_reached for limit in (here, too, there)] == [True, True, False]


SENT = {"type": "enter", "step": 1, "version": 0, "query": "word=c3", "mark": "c3"}


@pytest.mark.parametrize(
    "wrong",
    [
        {"step": -1},
        {"step": "1"},
        {"step": None},
        {"version": 1.5},
        {"version": None},
        {"query": None},
        {"query": ["word"]},
        {"query": "x" * consumers.MAX_MOVE_MESSAGE_LENGTH},
        {"query": "&".join(["word=a"] * 10_000)},
        {"mark": 1},
        {"mark": "x" * (entry.MAX_MARK_LENGTH + 1)},
    ],
)
async def test_what_is_no_step_by_its_form_is_hung_up_on(match_driver, wrong):
    async with showing(match_driver, match_driver.people[0]) as page:
        await page.hear()
        await page.send_to(text_data=json.dumps({**SENT, **wrong}))
        assert await page.closed() == MALFORMED


def test_a_step_has_no_more_fields_than_a_form(settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 10
    assert SentStep.read({**SENT, "query": "&".join(["word=a"] * 10)})
    assert SentStep.read({**SENT, "query": "&".join(["word=a"] * 11)}) is None


@pytest.mark.parametrize(
    "query",
    [
        "&".join(["move=c3"] * 25),
        "word=" + "c" * 1500,
        "at=%00&kind=%00&word=%00",
        "row=999999999999&blank-0=x",
        "word=%ff%fe",
        "typed=<!--part entry-->",
    ],
)
async def test_a_hostile_step_is_refused_as_by_the_link(match_driver, query):
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, query)
        assert (await enter(page, query, step=2, mark="<b>"))["said"] is not None
    there = regions(linked(await fetched(match_driver, 0, query))[0])
    assert regions(linked(compose(heard["patch"]))[0]) == there


# --- Why a mark leads nowhere -----------------------------------------------------------------


async def test_a_mark_that_leads_nowhere_is_explained(match_driver):
    await play(match_driver, "c3", "b2")
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "", mark="c3", version=2)
    assert heard == {"type": "entered", "step": 1, "said": "c3 is taken."}


async def test_a_mark_is_explained_that_would_replace_a_final_word(match_driver):
    await play(match_driver, "c3", "b2")
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "word=a1", mark="c3", version=2)
    assert heard["said"] == "c3 is taken."


async def test_what_is_entered_before_it_counts(people):
    match_driver = await later(begin)("grim-reaper", people)
    async with showing(match_driver, people[0]) as page:
        heard = await enter(page, "move=M3a1&word=b1%3A", mark="a1")
    assert re.fullmatch(r"[^<>]+[.?]", heard["said"])


async def test_an_explanation_does_not_repeat_what_is_long(match_driver):
    async with showing(match_driver, match_driver.people[0]) as page:
        heard = await enter(page, "word=" + "c" * 900, mark="c3")
    assert len(heard["said"]) < 200
