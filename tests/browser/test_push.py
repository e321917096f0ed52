"""Pushed notifications in a browser: turning them on, and what the service worker shows.

No push service can be reached from here, so what the browser says of one is put in its place, and
messages are handed to the service worker by the browser's own tools.
"""

import json

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SETTINGS = "/account/notices/settings/"
POINT = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
SUBSCRIBED = """
PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
  if (!userVisibleOnly || applicationServerKey.length !== 65) {
    throw new Error("not as the site subscribes");
  }
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.codePointAt(0)).buffer;
  const keys = { p256dh: bytes("%s"), auth: bytes("BTBZMqHH6r4Tts7J_aSIgg") };
  return { endpoint: "https://push.example.org/browser", getKey: (name) => keys[name] };
};
"""
SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration("/static/js/");
  const shown = await registration.getNotifications();
  return shown.map(({ title, tag, data }) => ({ title, tag, url: data.url }));
}"""


@pytest.fixture
def ada(people, site):
    person = people("sample-ada")
    person.page.context.grant_permissions(["notifications"], origin=site.url)
    person.page.add_init_script(SUBSCRIBED % POINT)
    person.page.goto(f"{site.url}{SETTINGS}")
    return person


def test_a_browser_is_turned_on_and_shows_one_notification_a_match(ada, site):
    page = ada.page
    devtools = page.context.new_cdp_session(page)
    versions = []
    devtools.on("ServiceWorker.workerRegistrationUpdated", lambda said: versions.append(said))  # noqa: PLW0108 - Playwright marks what it calls
    devtools.send("ServiceWorker.enable")
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_text("This browser now shows your notifications.")).to_be_visible()
    expect(page.get_by_role("button", name="Test push")).to_be_visible()
    registration = versions[-1]["registrations"][-1]["registrationId"]

    def push(title, tag):
        data = json.dumps({"title": title, "url": "/matches/1/", "tag": tag})
        given = {"origin": site.url, "registrationId": registration, "data": data}
        devtools.send("ServiceWorker.deliverPushMessage", given)

    push("First", "match:1")
    push("Second", "match:1")
    push("Third", "match:2")
    page.wait_for_function(
        f"() => ({SHOWN})().then((all) => all.some((one) => one.title === 'Third'))"
    )
    shown = {(one["title"], one["tag"]) for one in page.evaluate(SHOWN)}
    assert shown == {("Second", "match:1"), ("Third", "match:2")}
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("That browser shows no more notifications.")).to_be_visible()
