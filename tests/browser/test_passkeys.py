"""A passkey in a real browser: made, asked for at sign-in, and all there is to sign in."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD

pytestmark = pytest.mark.browser


@pytest.fixture
def owner(people, site, fresh_name):
    """Somebody who has just joined, at a browser that keeps passkeys."""
    person = people(fresh_name("keyholder"))
    person.register()
    person.site_url = site.url.replace("127.0.0.1", "localhost")
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
    person.go(f"{person.site_url}/account/login/")
    person.page.locator("[name=login]").fill(person.name)
    person.page.locator("[name=password]").fill(PASSWORD)
    person.press("Sign in")


def add_passkey(person):
    person.go(f"{person.site_url}/account/2fa/webauthn/add/")
    person.page.locator("[name=password]").fill(PASSWORD)
    person.press("Continue")
    person.page.locator("[name=name]").fill("Laptop")
    person.press("Add")
    person.page.wait_for_url("**/account/2fa/recovery-codes/")


def sign_out(person):
    person.page.locator("summary").first.click()
    person.press("Sign out")


def test_it_is_added_and_signs_in_alone(owner):
    sign_in(owner)
    add_passkey(owner)
    owner.shoot("recovery-codes")
    owner.go(f"{owner.site_url}/account/2fa/")
    owner.sees("Laptop")
    owner.shoot("second-factor")
    sign_out(owner)
    owner.go(f"{owner.site_url}/account/login/")
    owner.press("Sign in with a passkey")
    owner.page.wait_for_url("**/home/")
    expect(owner.page.locator(".site-me-name")).to_have_text(owner.name)


def test_a_password_alone_does_not_do_any_more(owner):
    sign_in(owner)
    add_passkey(owner)
    sign_out(owner)
    sign_in(owner)
    owner.page.wait_for_url("**/account/2fa/authenticate/")
    owner.shoot("second-factor-asked")
    owner.press("Use a passkey")
    owner.page.wait_for_url("**/home/")


def test_a_device_that_does_not_know_its_owner_is_refused(owner):
    sign_in(owner)
    add_passkey(owner)
    sign_out(owner)
    how = {"authenticatorId": owner.authenticator, "isUserVerified": False}
    owner.devtools.send("WebAuthn.setUserVerified", how)
    owner.go(f"{owner.site_url}/account/login/")
    owner.press("Sign in with a passkey")
    owner.sees("The passkey could not be used.")
    expect(owner.page).to_have_url(re.compile("/account/login/$"))
