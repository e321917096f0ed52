"""Pushed notifications in a browser: turning them on, and what the service worker shows.

No push service can be reached from here, so what the browser says of one is put in its place, and
messages are handed to the service worker by the browser's own tools.
"""

import json

import pytest
from playwright.sync_api import expect

from tests.deployment.programs import eventually

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
OTHER_KEY = """
(() => {
  const { subscribe } = PushManager.prototype;
  let isSubscribed = true;
  PushManager.prototype.getSubscription = async () => isSubscribed ? {
    options: { applicationServerKey: new Uint8Array(65).buffer },
    unsubscribe: async () => { isSubscribed = false; return true; },
  } : null;
  PushManager.prototype.subscribe = async (options) => {
    if (isSubscribed) throw new DOMException("another key", "InvalidStateError");
    return subscribe(options);
  };
})();
"""
SOON = 500
"""Milliseconds."""

SHOWN = """async () => {
  const registration = await navigator.serviceWorker.getRegistration("/static/js/");
  const shown = await registration.getNotifications();
  return Object.fromEntries(shown.map(({ title, tag }) => [title, tag]));
}"""


@pytest.fixture
def ada(people, site):
    person = people("sample-ada")
    person.page.context.grant_permissions(["notifications"], origin=site.url)
    person.page.add_init_script(SUBSCRIBED % POINT)
    person.page.goto(f"{site.url}{SETTINGS}")
    return person


class PushService:
    """The push service of a browser, as far as its pages are concerned."""

    def __init__(self, page, site):
        self._page, self._site = page, site
        self._workers = []
        self._devtools = page.context.new_cdp_session(page)
        self._devtools.on("ServiceWorker.workerRegistrationUpdated", self._note)
        self._devtools.send("ServiceWorker.enable")

    def _note(self, said):
        self._workers.extend(said["registrations"])

    def push(self, title, tag, *, shown):
        """Push a title, and wait until just these titles are shown with their tags."""
        data = json.dumps({"title": title, "url": "/matches/1/", "tag": tag})
        worker = self._workers[-1]["registrationId"]
        given = {"origin": self._site.url, "registrationId": worker, "data": data}
        eventually(lambda: self._delivers(given, shown))

    def _delivers(self, given, shown):
        """Push, and look a moment later: what is pushed by these tools once may never arrive."""
        self._devtools.send("ServiceWorker.deliverPushMessage", given)
        self._page.wait_for_timeout(SOON)
        # Pages take a promise for a yes where they are asked to wait.
        return self._page.evaluate(SHOWN) == shown


def test_a_browser_is_turned_on_and_shows_one_notification_a_match(ada, site):
    page, service = ada.page, PushService(ada.page, site)
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_text("This browser now shows your notifications.")).to_be_visible()
    expect(page.get_by_role("button", name="Test push")).to_be_visible()
    service.push("First", "match:1", shown={"First": "match:1"})
    service.push("Second", "match:1", shown={"Second": "match:1"})
    service.push("Third", "match:2", shown={"Second": "match:1", "Third": "match:2"})
    page.get_by_role("button", name="Remove").click()
    expect(page.get_by_text("That browser no longer shows notifications.")).to_be_visible()


def test_a_browser_that_knows_an_older_key_of_the_site_takes_the_new_one(ada, site):
    page = ada.page
    page.add_init_script(OTHER_KEY)
    page.reload()
    page.get_by_role("button", name="Turn on in this browser").click()
    expect(page.get_by_text("This browser now shows your notifications.")).to_be_visible()
    page.get_by_role("button", name="Remove").click()
