"""A challenge on a ladder, from joining to the new places."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE
from tests.deployment.programs import eventually

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

LADDER = "/games/grim-reaper/ladder/"


def place(person, name):
    person.go(LADDER)
    rows = person.page.locator(".ladder tbody tr").filter(has_text=name)
    return int(rows.first.locator("td").first.inner_text())


@pytest.mark.thorough
def test_a_player_takes_the_place_of_another(people):
    ada = people("sample-ada")
    bruno = people("sample-bruno", size=PHONE, script=False)
    for person in (ada, bruno):
        person.go(LADDER)
        person.press("Join the ladder")
        person.sees("You are on the ladder.")
    above, below = place(bruno, "sample-ada"), place(bruno, "sample-bruno")
    assert below == above + 1
    bruno.page.get_by_role("button", name="Challenge sample-ada").click()
    bruno.sees("This is a challenge on the ladder")
    bruno.go(LADDER)
    expect(bruno.page.get_by_role("button", name="Challenge sample-ada")).to_be_disabled()
    bruno.sees("You two have a ladder challenge or match already.")
    ada.go(LADDER)
    ada.page.get_by_role("link", name="challenged by sample-bruno: answer").click()
    ada.press("Accept and begin")
    ada.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    ada.go(f"{ada.page.url}?ask=resign")
    ada.press("Resign")
    ada.sees("You lost by resignation")
    eventually(lambda: place(bruno, "sample-bruno") == above)
    assert place(bruno, "sample-ada") == below
