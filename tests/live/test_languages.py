"""Readers of one match get its parts in their own languages, however much the parts are shared."""

import re

import pytest
from asgiref.sync import sync_to_async
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from games.live.rooms import Room
from games.screen.entry import Typed
from games.screen.parts import compose
from tests import pseudo
from tests.live.test_live import Socket
from tests.live.test_parts import next_match
from tests.match_driver import fresh_cache, match_driver
from tests.patched_page import Shown, rendered

__all__ = ["fresh_cache", "match_driver"]

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("pseudo_languages")]

later = sync_to_async
play = later(lambda match_driver, *texts: match_driver.play(*texts))

HEADING = re.compile(r'id="action-head">(.*?)</h2>')


def showing(match_driver, user, more=""):
    return Socket(user, f"match={match_driver.id}&parts=3{more}")


def speaks(html):
    """The language of the heading of the action area."""
    heading = HEADING.search(html)[1]
    assert heading
    return "other" if "⟦" in heading else "English"


@pytest.mark.parametrize("seat", [None, 0])
async def test_two_pages_of_a_seat_are_sent_their_own_languages(match_driver, seat):
    user = AnonymousUser() if seat is None else match_driver.people[seat]
    asked = f"&lang={pseudo.CODE}"
    async with showing(match_driver, user) as one, showing(match_driver, user, asked) as two:
        pages = [(one, Shown()), (two, Shown())]
        for page, _shown in pages:
            await page.hear()
        for text in ("c3", "b2"):
            await play(match_driver, text)
            english, other = [shown.take(await next_match(page)) for page, shown in pages]
            assert speaks(english) == "English"
            assert speaks(other) == "other"


async def test_a_page_that_names_no_language_gets_that_of_its_reader(match_driver):
    reader = match_driver.people[0]
    reader.language = pseudo.CODE
    async with showing(match_driver, reader) as page, showing(match_driver, None, "&lang=xx") as xx:
        for one in (page, xx):
            await one.hear()
        await play(match_driver, "c3")
        assert speaks(Shown().take(await next_match(page))) == "other"
        assert speaks(Shown().take(await next_match(xx))) == "English"


def test_parts_of_a_view_are_kept_by_language(match_driver):
    match_driver.play("c3")
    for seat in (0, 1, None):
        user_id = None if seat is None else match_driver.people[seat].pk
        with translation.override(pseudo.CODE):
            other = rendered(match_driver.id, user_id).parts
        english = rendered(match_driver.id, user_id).parts
        with translation.override(pseudo.CODE):
            assert rendered(match_driver.id, user_id).parts == other
        assert other.keys() == english.keys()
        assert "⟦" not in compose(english)
        different = {name for name in english if english[name] != other[name]}
        assert {"actions", "entry", "board_text", "turn 1"} <= different


async def test_what_takes_long_is_in_the_language_of_its_page(match_driver):
    room, user_id = Room(match_driver.id), match_driver.people[0].pk
    typed = Typed(wants_all=True)
    with translation.override(pseudo.CODE):
        parts = await room.entered(user_id, typed, 0, lambda _seconds: None)
    assert pseudo.accented("Type a move") in compose(parts.parts)
