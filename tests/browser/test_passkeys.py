"""A passkey in a real browser: made, asked for at sign-in, and all there is to sign in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD

pytestmark = pytest.mark.browser


@pytest.fixture
def owner(people, fresh_name):
    """Somebody who has just joined, at a browser that keeps passkeys."""
    person = people(fresh_name("keyholder"))
    person.join()
    devtools = person.context.new_cdp_session(person.page)
    devtools.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "internal",
        "hasResidentKey": True,
        "hasUserVerification": True,
        "isUserVerified": True,
        "automaticPresenceSimulation": True,
    }
    person.authenticator = devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})[
        "authenticatorId"
    ]
    person.devtools = devtools
    return person


def sign_in(person):
    person.go("/account/login/")
    person.page.locator("[name=login]").fill(person.name)
    person.page.locator("[name=password]").fill(PASSWORD)
    person.press("Sign in")


def add_passkey(person):
    person.go("/account/2fa/webauthn/add/")
    person.page.locator("[name=password]").fill(PASSWORD)
    person.press("Continue")
    person.page.locator("[name=name]").fill("Laptop")
    person.press("Add")
    person.page.wait_for_url("**/account/2fa/recovery-codes/")


def sign_out(person):
    person.page.locator("summary").first.click()
    person.press("Sign out")


def test_it_is_added_and_signs_in_alone(owner):
    add_passkey(owner)
    owner.shoot("recovery-codes")
    owner.go("/account/2fa/")
    owner.sees("Laptop")
    owner.shoot("second-factor")
    sign_out(owner)
    owner.go("/account/login/")
    owner.press("Sign in with a passkey")
    owner.page.wait_for_url("**/home/")
    expect(owner.page.locator(".site-me-name")).to_have_text(owner.name)


def test_a_password_alone_does_not_do_any_more(owner):
    add_passkey(owner)
    sign_out(owner)
    sign_in(owner)
    owner.page.wait_for_url("**/account/2fa/authenticate/")
    owner.shoot("second-factor-asked")
    owner.press("Use a passkey")
    owner.page.wait_for_url("**/home/")


def test_a_device_that_does_not_know_its_owner_is_refused(owner):
    add_passkey(owner)
    sign_out(owner)
    how = {"authenticatorId": owner.authenticator, "isUserVerified": False}
    owner.devtools.send("WebAuthn.setUserVerified", how)
    owner.go("/account/login/")
    owner.press("Sign in with a passkey")
    owner.sees("The passkey could not be used.")
    expect(owner.page).to_have_url(re.compile("/account/login/$"))


def test_at_an_address_without_a_name_the_page_says_where_to_go(owner, site):
    number = site.url.replace("localhost", "127.0.0.1")
    owner.go(f"{number}/account/login/")
    owner.press("Sign in with a passkey")
    owner.sees("Passkeys work only at the site’s name")
    owner.page.locator("[name=login]").fill(owner.name)
    owner.page.locator("[name=password]").fill(PASSWORD)
    owner.press("Sign in")
    owner.page.wait_for_url("**/home/")
    owner.go(f"{number}/account/2fa/webauthn/add/")
    owner.page.locator("[name=password]").fill(PASSWORD)
    owner.press("Continue")
    owner.sees("Browsers make passkeys only for a site that has a name")
    owner.shoot("passkey-at-a-number")
    link = owner.page.get_by_role("link", name=f"{site.url}/account/2fa/webauthn/add/")
    expect(link).to_be_visible()


def test_removing_it_leads_back_to_the_second_factors(owner):
    add_passkey(owner)
    owner.go("/account/2fa/")
    owner.page.get_by_role("link", name="Remove Laptop").click()
    owner.press("Remove")
    owner.page.wait_for_url("**/account/2fa/")
    owner.sees("Add a passkey")
    owner.shoot("passkey-removed")
    owner.go("/account/sessions/")
    owner.sees("Second factor removed: passkey “Laptop”")
    owner.shoot("event-log")
