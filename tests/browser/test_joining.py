"""Joining in a real browser, which proves its work, and in one without JavaScript."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD

pytestmark = pytest.mark.browser


def fill_in(person):
    person.go("/account/signup/")
    person.page.locator("[name=username]").fill(person.name)
    person.page.locator("[name=email]").fill(f"{person.name}@example.org")
    person.page.locator("[name=password1]").fill(PASSWORD)


def join(person):
    person.page.locator("main").get_by_role("button", name="Join").click()


def test_a_browser_proves_its_work_and_joins(people, fresh_name):
    person = people(fresh_name("worker"))
    fill_in(person)
    person.shoot("join")
    join(person)
    person.page.wait_for_url("**/home/")


def test_a_form_that_is_sent_before_the_work_is_done_waits_for_it(people, fresh_name):
    """The work begins here only after Join was pressed twice."""
    person = people(fresh_name("hasty"))
    person.context.add_init_script(
        """{
  const { importKey } = SubtleCrypto.prototype;
  SubtleCrypto.prototype.importKey = async function (...how) {
    await new Promise((resolve) => { window.startWork = resolve; });
    return importKey.apply(this, how);
  };
}"""
    )
    posts = []
    person.page.on("request", lambda sent: sent.method == "POST" and posts.append(sent.url))
    fill_in(person)
    join(person)
    join(person)
    assert posts == []
    person.page.evaluate("startWork()")
    person.page.wait_for_url("**/home/")
    assert len([url for url in posts if "signup" in url]) == 1


@pytest.mark.thorough
def test_without_javascript_one_is_asked_to_wait(people, fresh_name):
    person = people(fresh_name("plain"), script=False)
    fill_in(person)
    join(person)
    refused = person.page.get_by_role("alert")
    expect(refused).to_have_text(re.compile(r"Please press Join again in \d+ seconds?\."))
    person.shoot("join-refused")


def test_without_web_crypto_the_form_is_sent_as_without_javascript(people, fresh_name):
    """As on a site without HTTPS that is not on this machine."""
    person = people(fresh_name("bare"))
    person.context.add_init_script("Object.defineProperty(crypto, 'subtle', { value: undefined });")
    fill_in(person)
    join(person)
    expect(person.page.get_by_role("alert")).to_have_text(re.compile("press Join again in"))
