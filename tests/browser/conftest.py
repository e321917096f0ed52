"""What tests in a real browser share: the site as a process, Chromium, people at their machines.

Chromium ends with this folder: Playwright's loop must not outlive the tests that need it.
"""

import contextlib
import os
import re
from email import message_from_bytes, policy
from itertools import count

import pytest
import requests
from playwright.sync_api import expect, sync_playwright

from tests import pseudo
from tests.browser.people import Person
from tests.deployment.programs import PATIENCE, answers, eventually, free_port, run, running

FLAGS = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    # Of several such lists Chromium heeds the last: that of Playwright, and three more. Two start a
    # process for the address bar of each context, though nobody sees one. The third starts one for
    # a page that might come next: a third of all processes.
    (
        "--disable-features=AvoidUnnecessaryBeforeUnloadCheckSync,DestroyProfileOnBrowserClose,"
        "HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,LensOverlay,MediaRouter,PaintHolding,"
        "ThirdPartyStoragePartitioning,AvoidCorsURLLoaderRestartOnRedirect,OptimizationHints,"
        "NetworkTimeServiceQuerying,AimEnabled,PreconnectToSearch,"
        "WebUIOmniboxPopup,WebUIOmniboxAimPopup,SpareRendererForSitePerProcess"
    ),
)

expect.set_options(timeout=30_000)


class Site:
    """The running site: its address, and the mails that it has sent."""

    def __init__(self, url, folder):
        self.url = url
        self.folder = folder

    def mails_to(self, address):
        """The mails to an address, the oldest first."""
        found = sorted((self.folder / "mails").glob("*.eml"))
        mails = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in found]
        return [mail for mail in mails if mail["To"] == address]

    def link_in_mail(self, address, part):
        """The address with `part` in it that the first mail to somebody holds, once it is there."""
        mail = eventually(lambda: self.mails_to(address))[0]
        text = mail.get_body(("plain",)).get_content()
        return re.search(rf"https?://\S*{part}\S*", text)[0]

    def begin(self, *players, game, moves=(), seed=0, **params):
        """Begin a match by services; return its path.

        The players are in seat order. The dice depend on the seed alone. ``moves`` are the texts of
        the first moves; ``""`` stands for the first legal one.
        """
        asked = {"players": players, "game": game, "moves": moves, "seed": seed, "params": params}
        answer = requests.post(f"{self.url}/doors/begin/", json=asked, timeout=PATIENCE)
        assert answer.ok, answer.text
        return f"/matches/{answer.json()['match']}/"

    def play(self, path):
        """Play the first legal move in a match, for the player to move."""
        asked = {"match": int(path.strip("/").split("/")[1])}
        answer = requests.post(f"{self.url}/doors/play/", json=asked, timeout=PATIENCE)
        assert answer.ok, answer.text


@pytest.fixture(scope="session")
def site(tmp_path_factory, fill_var):
    """The whole site from one process, with its sample players."""
    folder = tmp_path_factory.mktemp("site")
    fill_var(folder / "var")
    pseudo.write(folder / "var" / "locale")
    port = free_port()
    variables = {
        "DJANGO_SETTINGS_MODULE": "tests.browser.settings",
        "VAR": str(folder / "var"),
        "PORT": str(port),
    }
    url = f"http://localhost:{port}"
    collected = run("manage.py", "collectstatic", "--no-input", **variables)
    assert collected.returncode == 0, collected.stderr
    with running("manage.py", "serve", log=folder / "log", **variables):
        # On a busy machine a first start takes minutes.
        eventually(lambda: answers(f"{url}/readyz"), patience=5 * PATIENCE)
        yield Site(url, folder / "var")


@pytest.fixture(scope="package")
def chromium():
    """A browser without a past."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=os.environ["CHROMIUM"], args=list(FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture
def people(chromium, site, request):
    """Sit people down: ``people("sample-ada", width=…, script=…, dark=…)``.

    Pages show moves step by step only in tests that are marked with ``steps``: drawing them takes a
    tenth of all processor time.

    At the end no page of theirs may have complained in the console.
    """
    has_steps = request.node.get_closest_marker("steps") is not None
    with contextlib.ExitStack() as stack:
        made = []

        def sit_down(name="", **how):
            person = Person(chromium, site, name, **{"steps": has_steps, **how})
            stack.callback(person.leave)
            made.append(person)
            if name.startswith("sample-"):
                person.be_signed_in()
            return person

        yield sit_down
        complaints = [complaint for person in made for complaint in person.complaints]
        assert not complaints, complaints


names = count(1)


@pytest.fixture
def fresh_name():
    """Names that nobody has taken yet."""
    return lambda start: f"{start}{next(names)}"
