"""The ways of a newcomer in a real browser: to a board in two clicks, and to a person."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.sampling import rest_thorough

pytestmark = pytest.mark.browser

BOARD = "#match-board a.mark"

SECONDS = 3.0
"""From the first click to a board that can be clicked."""

TRIES = 3
"""The quickest of so many ways counts: what the site takes, and not what else the machine does."""


def play_now(person, game="DIE", level="Beginner"):
    """From the home page to a board; return the addresses that were asked for on the way."""
    person.go("/")
    asked = pages_asked_for(person)
    to_a_bot(person, game, level)
    return asked


def to_a_bot(person, game="DIE", level="Beginner"):
    """Click from the home page to a board."""
    main = person.page.locator("main")
    main.get_by_role("link", name="Play now", exact=True).click()
    pick = main.get_by_role("navigation", name="Games").get_by_role("link", name=game, exact=True)
    if pick.get_attribute("aria-current") is None:
        pick.click()
    form = main.get_by_role("form", name=f"Play {game} against a bot")
    form.get_by_label(level).check()
    form.get_by_role("button", name=f"Play {game}").click()
    person.page.locator(BOARD).first.wait_for()


def pages_asked_for(person):
    """A list that gets the address of every page which somebody's browser asks for from now on."""
    asked = []

    def note(request):
        if request.is_navigation_request():
            asked.append(request.url.removeprefix(person.site.url))

    person.page.on("request", note)
    return asked


@pytest.mark.parametrize("script", rest_thorough([True, False]))
def test_one_page_of_choices_and_no_field_to_fill_in_leads_to_a_board(people, script):
    visitor = people(script=script)
    play_now(visitor)
    again = people(script=script)
    *clicked, match = play_now(again)
    assert clicked in (
        ["/play/", "/games/die/bots/"],
        ["/play/", "/play/?game=die", "/games/die/bots/"],
    )
    assert re.fullmatch(r"/matches/\d+/", match)
    assert again.page.locator("main input:visible:not([type=hidden])").count() <= 1
    again.shoot("guest-board")


@pytest.mark.parametrize("script", rest_thorough([True, False]))
def test_the_browser_of_a_guest_draws_its_number(people, script):
    visitor = people(script=script)
    game = "Dice Is Health, Strength, and Money"
    play_now(visitor, game)
    is_drawn_by_server = "no browser with JavaScript" in visitor.page.content()
    assert is_drawn_by_server is not script
    nonces = visitor.page.locator("#match-commitment .hash").all_text_contents()[1:]
    if script:
        own = visitor.page.evaluate("JSON.parse(localStorage.getItem('nonces'))")
        assert set(own) & set(nonces)
        visitor.page.go_back()
        to_another = visitor.page.get_by_role("form", name=f"Play {game} against a bot")
        to_another.get_by_label("Casual").check()
        to_another.get_by_role("button", name=f"Play {game}").click()
        visitor.page.locator(BOARD).first.wait_for()
        assert "no browser with JavaScript" not in visitor.page.content()


@pytest.mark.thorough
def test_it_takes_a_guest_no_time(people):
    taken = []
    for _ in range(TRIES):
        visitor = people()
        visitor.go("/")
        taken.append(seconds_of(to_a_bot, visitor))
    assert min(taken) < SECONDS


def seconds_of(way, *args):
    """How long it takes to go a way."""
    begun = time.monotonic()
    way(*args)
    return time.monotonic() - begun


@pytest.mark.thorough
def test_a_bot_answers_a_guest(people):
    guest = people()
    play_now(guest)
    guest.waits_for_turn()
    guest.click(guest.legal[0])
    guest.confirm()
    expect(guest.page.locator("#match-head")).not_to_have_attribute("data-version", "0")
    guest.waits_for_turn()
    assert guest.version >= 2


def test_pressed_twice_it_makes_one_match(people):
    guest = people()
    guest.go("/games/die/")
    guest.page.get_by_role("button", name="Casual").dblclick()
    guest.page.locator(BOARD).first.wait_for()
    guest.go("/home/")
    assert guest.page.locator(".match-row").count() == 1


def test_what_was_played_is_kept_by_joining(people, fresh_name):
    guest = people(fresh_name("joiner"))
    play_now(guest)
    match = guest.page.url
    guest.go("/home/")
    guest.sees("Only this browser can open your match")
    guest.shoot("guest-home")
    guest.page.locator("main").get_by_role("link", name="Join").click()
    guest.sees("You keep what you have played")
    guest.page.locator("[name=username]").fill(guest.name)
    guest.page.locator("[name=email]").fill(f"{guest.name}@example.org")
    guest.page.locator("[name=password1]").fill("correct-horse-battery")
    guest.page.locator("main").get_by_role("button", name="Join").click()
    guest.page.wait_for_url("**/home/")
    guest.sees("Check your email")
    guest.page.goto(match)
    expect(guest.page.locator(".seat-own")).to_contain_text(guest.name)


def invitation(host):
    """Where somebody is invited to, who moves first then."""
    host.go("/games/die/challenge/?settings=open")
    host.page.locator("[name=audience][value=link]").check()
    host.page.locator("[name=seating][value=last]").check()
    host.press("Send the challenge")
    return host.page.locator("#share").input_value().removeprefix(host.site.url)


def accept(newcomer):
    """Click from an invitation to a board."""
    newcomer.press("Accept and begin")
    newcomer.page.locator(BOARD).first.wait_for()


@pytest.mark.thorough
def test_it_takes_a_newcomer_no_time(people):
    host, taken = people("sample-clara"), []
    for _ in range(TRIES):
        newcomer = people()
        newcomer.go(invitation(host))
        taken.append(seconds_of(accept, newcomer))
    assert min(taken) < SECONDS


@pytest.mark.thorough
def test_a_newcomer_comes_to_a_match_with_a_person(people):
    """By the link that somebody has sent: a click to accept, and another on the board."""
    host, newcomer = people("sample-clara"), people()
    newcomer.go(invitation(host))
    newcomer.shoot("guest-invited")
    asked = pages_asked_for(newcomer)
    accept(newcomer)
    assert len(asked) == 2, "the answer to the form, and the match to which it leads"
    # Who waits on the page of the challenge is brought along.
    host.page.wait_for_url(re.compile(r"/matches/\d+/$"))
    newcomer.click(newcomer.legal[0])
    newcomer.confirm()
    host.sees_version(1)
    newcomer.sees("Or get an email when it’s your turn")
    newcomer.shoot("guest-asked")
    newcomer.page.locator("#action-mail").fill("newcomer@example.org")
    newcomer.page.locator(".action-mail button").click()
    expect(newcomer.page.locator("[name=email]")).to_have_value("newcomer@example.org")
    newcomer.shoot("guest-joins")


@pytest.mark.thorough
def test_one_click_posts_a_challenge(people, fresh_name):
    host = people("sample-bruno")
    host.go("/games/grim-reaper/challenge/")
    expect(host.page.locator("[name=clock]").first).to_be_hidden()
    host.shoot("challenge-new")
    host.page.locator("summary", has_text="Change the settings").click()
    host.page.locator("[name=clock][value=none]").check()
    expect(host.page.locator("[data-sentence]")).to_contain_text("There is no clock.")
    host.press("Send the challenge")
    host.page.wait_for_url(re.compile(r"/challenges/\d+/$"))
    host.sees("Your challenge is in the lobby")
    host.go("/home/")
    host.sees("Your open challenges")


def test_errors_of_a_form_have_the_focus(people):
    visitor = people()
    visitor.go("/account/signup/")
    visitor.page.locator("[name=username]").fill("somebody")
    visitor.page.locator("[name=email]").fill("nobody")
    visitor.page.locator("main").get_by_role("button", name="Join").click()
    expect(visitor.page.locator("[name=email]")).to_be_focused()


def test_a_page_from_before_plays_as_the_guest_of_another_tab(people):
    """The form was drawn for a visitor, who has become a guest meanwhile."""
    guest = people()
    guest.go("/games/die/")
    tab = guest.page.context.new_page()
    tab.goto(guest.page.url.replace("/die/", "/grim-reaper/"))
    guest.page.get_by_role("button", name="Beginner").click()
    guest.page.locator(BOARD).first.wait_for()
    tab.get_by_role("button", name="Beginner").click()
    tab.wait_for_url(re.compile(r"/matches/\d+/$"))
    guest.go("/home/")
    assert guest.page.locator(".match-row").count() == 2
