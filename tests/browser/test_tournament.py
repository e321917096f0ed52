"""A tournament of eight, from the announcement and the sign-up to the crosstable."""

import re
from datetime import timedelta
from uuid import uuid4

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from tests.browser.people import PHONE
from tests.browser.test_pages import examine

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser"), pytest.mark.slow]


def whole(person, event):
    return person.context.request.get(f"/api/v1/events/{event}/").json()


def play_round(people, event, number):
    """In each match of a round, the second seat resigns."""
    by_name = {person.name: person for person in people}
    for table in whole(people[0], event)["tables"]:
        if table["round"] == number:
            loser = by_name[table["seats"][1]["name"]]
            page = f"/matches/{table['match']}/"
            loser.post(f"{page}resign/", page=page, version=0, submission=uuid4())


def test_eight_play_three_rounds(people, fresh_name):
    eight = [people(fresh_name(f"p{number}x")) for number in range(8)]
    for person in eight:
        person.join()
    soon = timezone.now().date() + timedelta(days=9)
    host, phone = eight[0], people(size=PHONE)
    host.go("/events/")
    host.page.get_by_text("Organise a tournament", exact=True).click()
    host.page.locator(".menu-list").get_by_role("link", name="DIE", exact=True).click()
    host.page.locator("[name=name]").fill("Shingle Cup")
    host.page.locator("[name=format][value=swiss]").check()
    host.page.locator("[name=rounds]").fill("3")
    host.page.locator("[name=starts]").fill(soon.isoformat())
    host.page.locator("[name=param-size]").fill("3")
    examine(host, "event-new", "wide")
    host.press("Announce the tournament")
    host.page.wait_for_url(re.compile(r"/events/\d+/$"))
    path = host.page.url.removeprefix(host.site.url)
    event = int(path.split("/")[2])
    phone.go(path)
    phone.sees("players you have blocked")
    examine(phone, "event-open", "phone")
    for person in eight:
        person.go(path)
        person.press("Enter")
    host.sees("You have entered.")
    phone.go(path)
    for number in range(1, 4):
        # A visitor's page follows the draw and the results by itself.
        phone.sees(f"Round {number} of 3")
        play_round(eight, event, number)
    phone.sees("Final standings")
    expect(phone.page.locator(".events-standings tbody tr")).to_have_count(8)
    winner = phone.page.locator(".events-standings tbody tr").first
    expect(winner.locator("td").nth(1)).to_have_text("3")
    examine(phone, "event-over", "phone")
    phone.go("/events/")
    phone.sees("Shingle Cup")
    examine(phone, "events", "phone")
    picture = phone.context.request.get(f"{path}crosstable.svg").text()
    assert all(person.name in picture for person in eight)
    first = next(one["name"] for one in whole(host, event)["standings"])
    phone.go(f"/players/{first}/")
    phone.sees("Winner of")
