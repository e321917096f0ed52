"""Strict dice between two browsers, from the commitment to the record; and a browser too many."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import LOOKS, examine
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

GAME = "dice-is-health"
KEPT = "JSON.parse(localStorage.getItem('strict-dice'))"


def offer(person, other):
    """Challenge somebody to a match with strict dice; return the path of the challenge."""
    person.go(f"/games/{GAME}/challenge/?settings=open")
    person.page.locator("[name=audience][value=named]").check()
    person.page.locator("[name=players]").fill(other)
    person.page.locator("[name=strict_dice]").check()
    person.press("Send the challenge")
    person.page.wait_for_url(re.compile(r"/challenges/\d+/$"))
    return person.page.url.removeprefix(person.site.url)


def take(person, path):
    person.go(path)
    person.press("Accept")


def said(person):
    return person.page.locator("[data-reveal]")


def forge_witness(person):
    """Have the browser remember the commitments in another order."""
    person.page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("strict-dice"));
          kept.at(-1).seen.reverse();
          localStorage.setItem("strict-dice", JSON.stringify(kept));
        }"""
    )


def play(ada, bruno):
    """Have two commit and reveal; return the path of the match and what ada's browser keeps."""
    path = offer(ada, bruno.name)
    expect(ada.page.locator("#challenge-state")).to_contain_text("come back with this browser")
    kept = ada.page.evaluate(KEPT)[-1]
    for shown in ("shown", "commitment"):
        expect(ada.page.get_by_text(kept[shown])).to_be_visible()
    assert kept["nonce"] not in ada.page.content()
    ada.page.goto("about:blank")
    take(bruno, path)
    state = bruno.page.locator("#challenge-state")
    expect(state).to_contain_text(f"Missing: {ada.name}.")
    ada.go("/games/")
    expect(ada.page.locator("#messages")).to_contain_text("Your match with strict dice has begun.")
    bruno.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    ada.page.get_by_role("link", name="To the match").click()
    ada.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    return ada.page.url.removeprefix(ada.site.url), kept


def check(person, match):
    """Have the browser check the record; return what it says."""
    person.go(f"{match}0/")
    person.press("Check every roll in this browser")
    return person.page.locator("[data-dice-said]")


def test_two_browsers_commit_reveal_and_check(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    match, kept = play(ada, bruno)
    ada.open_drawer()
    ada.page.locator(".match-commitment summary").click()
    expect(ada.page.locator(".match-commitment")).to_contain_text(kept["nonce"])
    bruno.go(f"{match}?ask=resign")
    bruno.press("Resign")
    bruno.sees("You lost by resignation")
    said = check(ada, match)
    expect(said).to_contain_text("So is every player’s number.")
    expect(said).to_contain_text("They are what this browser saw before it showed its own number.")
    expect(said).to_have_class("dice-good")
    forge_witness(ada)
    said = check(ada, match)
    expect(said).to_contain_text("They are not what this browser saw")
    expect(said).to_have_class("dice-wrong")


def test_another_device_cannot_reveal_and_says_so(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = offer(ada, bruno.name)
    ada.leave()
    take(bruno, path)
    expect(bruno.page.locator("#challenge-state")).to_contain_text(f"Missing: {ada.name}.")
    elsewhere = people("sample-ada")
    elsewhere.go(path)
    expect(said(elsewhere)).to_contain_text("This browser does not have your number.")


def test_what_fails_on_its_way_is_tried_again(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = offer(ada, bruno.name)
    ada.page.goto("about:blank")
    take(bruno, path)
    expect(bruno.page.locator("#challenge-state")).to_contain_text(f"Missing: {ada.name}.")
    failed = []
    ada.page.route(
        "**/reveal/",
        lambda route: failed.append(route.abort()) if not failed else route.continue_(),
    )
    ada.page.on("console", lambda _: ada.complaints.clear())
    ada.go("/games/")
    expect(ada.page.locator("#messages")).to_contain_text("Your match with strict dice has begun.")
    assert failed
    ada.complaints.clear()


def test_a_browser_keeps_its_number_when_the_commitment_was_changed(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = offer(ada, bruno.name)
    ada.page.evaluate(
        """() => {
          const kept = JSON.parse(localStorage.getItem("strict-dice"));
          kept.at(-1).shown = "00".repeat(32);
          localStorage.setItem("strict-dice", JSON.stringify(kept));
        }"""
    )
    sent = []
    ada.page.on("request", lambda request: sent.append(request.url))
    take(bruno, path)
    expect(bruno.page.locator("#challenge-state")).to_contain_text(f"Missing: {ada.name}.")
    ada.go(path)
    expect(said(ada)).to_contain_text("so it keeps your number")
    assert not [url for url in sent if url.endswith("/reveal/")]


@pytest.mark.thorough
def test_without_script_strict_dice_are_refused(people):
    ada = people("sample-ada")
    path = offer(ada, "sample-bruno")
    bruno = people("sample-bruno", script=False)
    take(bruno, path)
    bruno.sees("turn JavaScript on")


@pytest.mark.parametrize("look", rest_thorough(LOOKS))
def test_pages_on_strict_dice(people, look):
    ada, bruno = people("sample-ada", **LOOKS[look]), people("sample-bruno", **LOOKS[look])
    ada.go(f"/games/{GAME}/challenge/?settings=open")
    ada.page.locator("[name=strict_dice]").check()
    # At the end of the page the bar with the button covers no field.
    ada.page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    examine(ada, "strict-dice-form", look)
    path = offer(ada, bruno.name)
    examine(ada, "strict-dice-challenge", look)
    bruno.go(path)
    examine(bruno, "strict-dice-answer", look)
    kept = ada.page.evaluate("localStorage.getItem('strict-dice')")
    ada.page.evaluate("localStorage.removeItem('strict-dice')")
    bruno.press("Accept")
    bruno.sees("Missing:")
    examine(bruno, "strict-dice-waiting", look)
    ada.go(path)
    expect(said(ada)).to_contain_text("This browser does not have your number.")
    examine(ada, "strict-dice-elsewhere", look)
    # From another page: this one would send the number itself, and reload meanwhile.
    ada.go("/games/")
    ada.page.evaluate("kept => localStorage.setItem('strict-dice', kept)", kept)
    ada.page.goto(path, wait_until="commit")
    ada.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    ada.open_drawer()
    ada.page.locator(".match-commitment summary").click()
    examine(ada, "strict-dice-match", look)
    ada.go(f"{ada.page.url}0/")
    examine(ada, "strict-dice-record", look)
