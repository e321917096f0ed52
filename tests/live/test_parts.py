"""The parts of a match that are pushed to pages: to each reader the own seat's, and no more."""

import asyncio
import contextlib
import gc
import json
import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from accounts import notifications
from accounts.models import User
from games.live import consumers, parts, rooms, sessions
from games.live.parts import PageParts
from games.live.rooms import Room
from games.matches import services
from games.matches.models import Match, Player
from games.matches.notify.notifications import page_key
from games.moderation.notifications import DECISION
from games.screen import match_parts
from games.screen.parts import compose
from tests.live.test_live import Socket
from tests.match_driver import begin, fresh_cache, match_driver
from tests.patched_page import Shown, rendered, without_links

__all__ = ["fresh_cache", "match_driver"]

pytestmark = pytest.mark.django_db(transaction=True)

later = sync_to_async
play = later(lambda match_driver, *texts: match_driver.play(*texts))
REGION = re.compile(r'<(?:\w+)[^>]* id="([\w-]+)"[^>]*? data-region')


def showing(match_driver, user=None):
    return Socket(user, f"match={match_driver.id}&parts=3")


async def next_match(page):
    """The next message about the match that is no heartbeat."""
    while (heard := await page.hear())["type"] != "match":
        pass
    return heard


@pytest.mark.parametrize("seat", [0, 1, 2, None])
async def test_a_page_that_asks_is_given_what_its_reader_would_fetch(match_driver, seat):
    user = AnonymousUser() if seat is None else match_driver.people[seat]
    async with showing(match_driver, user) as page:
        await page.hear()
        await play(match_driver, "c3")
        heard = await next_match(page)
    assert (heard["version"], heard["epoch"]) == (1, 0)
    page = await fetched(match_driver, seat)
    assert regions(Shown().take(heard)) == regions(page)
    assert heard["targets"] == without_links(page)[1]
    assert bool(heard["targets"]) == (seat == 1)


fetched = later(
    lambda match_driver, seat: (
        match_driver.client(seat).get(f"{match_driver.page}?part=live").content.decode()
    )
)


def regions(html):
    """The parts of a page that change, without what each page adds itself."""
    plain, _targets = without_links(html)
    own = "csrfmiddlewaretoken|submission|version"
    plain = re.sub(rf'(name="(?:{own})" value=")[^"]*', r"\1", plain)
    plain = re.sub(r"(until [^<>]*>)[^<]*", r"\1", plain)
    starts = [match.start() for match in REGION.finditer(plain)]
    assert len(starts) == len(set(REGION.findall(plain)))
    ends = {
        name: re.search(r"^.*?</(?:header|ol|figure|section|div)>\n", plain[start:], re.DOTALL)[0]
        for name, start in zip(REGION.findall(plain), starts, strict=True)
    }
    return {name: text.strip() for name, text in ends.items() if name != "match-commitment"}


@pytest.mark.slow
@pytest.mark.parametrize("seat", [0, None])
async def test_a_page_is_sent_what_differs_from_what_it_was_sent(people, seat):
    match_driver = await later(begin)("die", people)
    user = AnonymousUser() if seat is None else match_driver.people[seat]
    async with showing(match_driver, user) as page:
        await page.hear()
        shown, sizes = Shown(), []
        for seed in range(6):
            await later(match_driver.play_on)(1, seed=seed)
            message = await next_match(page)
            sizes.append(len(json.dumps(message)))
            assert regions(shown.take(message)) == regions(await fetched(match_driver, seat))
    assert sizes[-1] < sizes[0] / 2


@pytest.mark.parametrize("slug", ["die", "grim-reaper", "dice-is-health", "simple-life-or-death"])
async def test_a_page_that_is_behind_gets_a_patch_for_each_entry(people, slug):
    match_driver = await later(begin)(slug, people)
    for viewer in (people[0], people[1], AnonymousUser()):
        page = PageParts(Room(match_driver.id), viewer)
        await page.open()
        version = await later(lambda: match_driver.match.version)()
        shown, expected = Shown(), []
        shown.take(await page.since(version))
        for seed in range(4):
            await later(match_driver.play_on)(1, seed=seed)
            expected.append(await later(rendered)(match_driver.id, viewer.pk))
        message = await page.since(version + 4)
        assert len(message["steps"]) == 3
        for patch, there in zip((*message["steps"], message["patch"]), expected, strict=True):
            shown.take({"patch": patch, "targets": {}})
            assert told(shown.parts) == told(there.parts)
        assert shown.parts["actions"] == there.parts["actions"]


def told(parts):
    """Parts without clocks and actions, which are those of the last entry in each step."""
    clocks = re.compile(r'<(time|span) class="clock.*?</\1>|class="[^"]*seat-turn[^"]*"')
    return {name: clocks.sub("", text) for name, text in parts.items() if name != "actions"}


async def test_what_was_taken_back_is_shown_by_one_patch(match_driver):
    page = PageParts(Room(match_driver.id), match_driver.people[1])
    await page.open()
    await page.since(0)
    await play(match_driver, "c3")
    await later(match_driver.act)(services.take_back, 0)
    await play(match_driver, "b2")
    message = await page.since(3)
    assert "steps" not in message
    assert regions(compose(page._sent)) == regions(await fetched(match_driver, 1))


async def test_a_page_that_comes_later_is_sent_all(match_driver):
    async with showing(match_driver) as page:
        await page.hear()
        await play(match_driver, "c3")
        whole = await next_match(page)
        async with showing(match_driver) as late:
            await late.hear()
            await play(match_driver, "b2")
            assert set(whole["patch"]) <= set((await next_match(late))["patch"])
        assert len((await next_match(page))["patch"]) < len(whole["patch"]) / 2


async def test_every_part_of_the_page_that_a_move_changes_is_pushed(match_driver):
    await play(match_driver, "c3")
    found = await later(rendered)(match_driver.id, match_driver.people[1].pk)
    page = await fetched(match_driver, 1)
    assert set(REGION.findall(compose(found.parts))) == set(REGION.findall(page)) - {
        "match-commitment"
    }


async def test_no_token_and_no_new_id_of_a_submission_is_for_several_pages(match_driver):
    ada = match_driver.people[0]
    await later(User.objects.filter(pk=ada.pk).update)(confirm_moves=False)
    found = await later(rendered)(match_driver.id, ada.pk)
    tokens = re.findall(r'name="csrfmiddlewaretoken" value="([^"]*)"', compose(found.parts))
    assert set(tokens) == {match_parts.TOKEN}


async def test_players_get_the_view_of_their_own_seat(people):
    match = await later(begin)("simple-life-or-death", people, seats=2)
    found = [
        await later(rendered)(match.id, user_id)
        for user_id in (people[0].pk, people[1].pk, people[2].pk, None)
    ]
    assert found[0].parts != found[1].parts
    assert found[2] == found[3], "who has no seat is a spectator"


async def test_all_pages_of_a_seat_share_what_is_rendered_once(match_driver, monkeypatch):
    rendered = []
    render = match_parts.render
    monkeypatch.setattr(match_parts, "render", lambda page: rendered.append(page) or render(page))
    user = match_driver.people[1]
    async with showing(match_driver, user) as one, showing(match_driver, user) as other:
        await one.hear()
        await other.hear()
        await play(match_driver, "c3")
        assert (await next_match(one))["patch"] == (await next_match(other))["patch"]
    assert len(rendered) == 1


async def test_spectators_of_all_zones_share_what_is_rendered_once(match_driver, monkeypatch):
    """Watching from many zones makes nobody wait: pages write times in their own zone."""
    rendered = []
    render = match_parts.render
    monkeypatch.setattr(match_parts, "render", lambda page: rendered.append(page) or render(page))
    zones = ("Asia/Kolkata", "America/New_York", "UTC", "Europe/Berlin")
    watchers = [User(pk=900 + number, time_zone=zone) for number, zone in enumerate(zones)]
    async with contextlib.AsyncExitStack() as stack:
        pages = [await stack.enter_async_context(showing(match_driver, one)) for one in watchers]
        for page in pages:
            await page.hear()
        await play(match_driver, "c3")
        patches = [(await next_match(page))["patch"] for page in pages]
    assert all(patch == patches[0] for patch in patches)
    assert len(rendered) == 1


async def test_a_player_is_sent_the_same_times_as_a_spectator(match_driver):
    await play(match_driver, "c3")
    ada = match_driver.people[0]
    await later(User.objects.filter(pk=ada.pk).update)(time_zone="Asia/Kolkata")
    found = [await later(rendered)(match_driver.id, pk) for pk in (ada.pk, None)]
    own, others = (re.findall('<time.*?</time>|[^"]*UTC', compose(one.parts)) for one in found)
    assert own == others
    assert len(own) == 3


async def test_an_ended_match_and_one_with_plans_are_fetched(match_driver):
    ada = Player.objects.filter(match=match_driver.id, seat=0)
    async with showing(match_driver, match_driver.people[0]) as page:
        await page.hear()
        await later(ada.update)(plans=True)
        await later(match_driver.act)(services.offer_close, 1)
        assert await next_match(page) == {"type": "match", "version": 1}
        await later(ada.update)(plans=False)
        await later(match_driver.act)(services.accept_offer, 0)
        assert await next_match(page) == {"type": "match", "version": 2}


async def test_a_match_that_cannot_be_read_is_fetched(match_driver):
    await later(Match.objects.filter(pk=match_driver.id).update)(position={}, version=1)
    assert not (await later(rendered)(match_driver.id)).parts


async def test_a_page_that_is_not_heard_of_is_given_versions_alone(match_driver, monkeypatch):
    monkeypatch.setattr(parts, "MAX_UNANSWERED", 1)
    async with showing(match_driver) as page:
        await page.hear()
        await play(match_driver, "c3")
        assert "patch" in await next_match(page)
        await play(match_driver, "b2")
        assert await next_match(page) == {"type": "match", "version": 2}
        await page.say("here")
        await page.say("ask")
        await page.hear()
        await play(match_driver, "a1")
        assert "patch" in await next_match(page)


async def test_a_crowd_of_spectators_takes_nothing_from_the_players(match_driver, monkeypatch):
    monkeypatch.setattr(parts, "MAX_SPECTATORS", 1)
    bruno = match_driver.people[1]
    async with (
        showing(match_driver) as first,
        showing(match_driver) as second,
        showing(match_driver, bruno) as player,
    ):
        for page in (first, second, player):
            await page.hear()
        await play(match_driver, "c3")
        assert "patch" in await next_match(first)
        assert await next_match(second) == {"type": "match", "version": 1, "crowd": True}
        assert "patch" in await next_match(player)
    gc.collect()
    assert match_driver.id not in rooms._rooms, "the last page closes the room"


async def test_spectators_wait_for_their_turn_and_hear_of_the_last_move(match_driver, monkeypatch):
    turn, tell_later = asyncio.Event(), consumers.PageConsumer._send_later

    async def wait_for_turn(page, wait):
        assert 0 < wait <= parts.TURN
        await turn.wait()
        await tell_later(page, wait)

    monkeypatch.setattr(consumers.PageConsumer, "_send_later", wait_for_turn)
    bruno = match_driver.people[1]
    async with showing(match_driver) as spectator, showing(match_driver, bruno) as player:
        for page in (spectator, player):
            await page.hear()
        for version, text in enumerate(("c3", "c4"), start=1):
            await play(match_driver, text)
            assert (await next_match(player))["version"] == version
        turn.set()
        heard = await next_match(spectator)
    assert heard["version"] == 2
    assert regions(Shown().take(heard)) == regions(await fetched(match_driver, None))


async def test_parts_that_fail_are_fetched(match_driver, monkeypatch):
    async def fail(*_):
        raise ConnectionError

    monkeypatch.setattr(Room, "parts", fail)
    async with showing(match_driver) as page:
        await page.hear()
        await play(match_driver, "c3")
        assert await next_match(page) == {"type": "match", "version": 1}


async def test_the_number_of_waiting_matches_comes_with_the_parts(match_driver, monkeypatch):
    monkeypatch.setattr(consumers, "COUNT_INTERVAL", 0.2)
    async with showing(match_driver, match_driver.people[1]) as page:
        heard, told = [await page.hear()], []
        await play(match_driver, "c3", "b2", "a1")
        while not (
            [message for message in heard if message.get("version") == 3] and told[-1:] == [1]
        ):
            heard.append(await page.hear())
            told = [message["waiting"] for message in heard if message["type"] == "me"]
    assert len(told) <= 2, "frequent changes are sent at intervals"


async def test_new_notifications_are_counted_except_those_about_the_open_page(
    match_driver, monkeypatch
):
    monkeypatch.setattr(consumers, "COUNT_INTERVAL", 0)
    bruno = match_driver.people[1]

    @sync_to_async
    def notify(place):
        about = {"place": place, "subject": "News", "text": "News."}
        now = timezone.now()
        notifications.notify(recipient=bruno, kind=DECISION, payload=about, now=now)

    async with showing(match_driver, bruno) as page:
        await page.hear()
        await notify("")
        assert await page.hear() == {"type": "me", "waiting": 0, "unseen": 1}
        await notify(page_key(match_driver.id))
        assert await page.hear() == {"type": "me", "waiting": 0, "unseen": 1}


async def test_a_player_without_a_seat_gets_no_seat_by_asking(match_driver):
    """The reader of a page is whom the session signs in, and nobody else."""
    carla = match_driver.people[2]
    async with showing(match_driver, carla) as page:
        await page.hear()
        await play(match_driver, "c3")
        html = Shown().take(await next_match(page))
    assert "data-confirm" not in html
    assert "seat-you" not in html


async def test_what_a_player_chose_meanwhile_holds_for_the_next_part(match_driver):
    bruno = match_driver.people[1]
    async with showing(match_driver, bruno) as page:
        await page.hear()
        await play(match_driver, "c3")
        shown = Shown()
        shown.take(await next_match(page))
        assert 'method="post"' not in shown.parts["type"]
        bruno.confirm_moves = False
        await later(bruno.save)()
        await later(sessions.waiting.wait)(30)
        await play(match_driver, "b2", "a1")
        while (heard := await next_match(page))["version"] < 3:
            shown.take(heard)
        shown.take(heard)
        assert 'method="post"' in shown.parts["type"]
