"""Two people who write to each other beside the board, in browsers with scripts and without."""

import pytest
from playwright.sync_api import expect

from tests.browser.people import PHONE, start

pytestmark = pytest.mark.browser


def lines(person):
    return person.page.locator("#match-chat .chat-text")


def counts(person):
    return person.page.locator(".drawer-tabs [data-chat-count]")


def here(person):
    return person.page.locator("#match-players [data-here]:not([hidden])")


def write(person, text):
    person.page.locator("#chat-text").fill(text)
    person.page.locator("#chat-text").press("Enter")
    expect(person.page.locator("#chat-text")).to_have_value("")


def opens(person):
    person.page.get_by_role("tab", name="Chat").click()


def test_two_people_chat(people):
    ada, bruno = people("sample-ada"), people("sample-bruno")
    path = start(ada, bruno)
    ada.click("c3")
    ada.confirm()
    bruno.sees_version(1)
    expect(here(ada)).to_be_visible()
    expect(here(bruno)).to_be_visible()
    opens(ada)
    write(ada, "Good luck! Why not 1. c3?")
    expect(lines(ada)).to_have_text(["Good luck! Why not 1. c3?"])
    expect(counts(bruno)).to_have_text("1 new")
    ada.shoot("chat-wide")

    opens(bruno)
    expect(lines(bruno)).to_have_text(["Good luck! Why not 1. c3?"])
    expect(counts(bruno)).to_be_hidden()
    draft = bruno.page.locator("#chat-text")
    draft.fill("A draft that lines of others leave alone")
    write(ada, "And <b>this</b>")
    expect(lines(bruno).last).to_have_text("And <b>this</b>")
    expect(draft).to_have_value("A draft that lines of others leave alone")
    expect(counts(bruno)).to_be_hidden()

    write(bruno, "Thanks")
    expect(lines(ada).last).to_have_text("Thanks")
    ada.page.get_by_role("link", name="1. c3").click()
    ada.page.wait_for_url(f"**{path}1/")


@pytest.mark.thorough
def test_without_script_and_on_a_phone(people):
    plain, phone = people("sample-ada", script=False), people("sample-bruno", size=PHONE)
    path = plain.accept(phone.challenge(plain))
    phone.follow(path)
    plain.page.locator("#chat-text").fill("Hello from 1990")
    plain.press("Send")
    expect(lines(plain)).to_have_text(["Hello from 1990"])
    expect(phone.page.locator(".match-talk [data-chat-count]")).to_have_text("1 new")
    phone.page.locator(".match-talk").click()
    expect(lines(phone)).to_have_text(["Hello from 1990"])
    phone.page.locator(".chat-menu summary").click()
    phone.shoot("chat-phone")
    phone.press("Report as abuse")
    phone.sees("Thank you. We’ll let you know the outcome.")
