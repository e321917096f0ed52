"""A match in production's settings: few requests, all compressed, none for a file of no release."""

import re
from types import SimpleNamespace

import pytest
from playwright.sync_api import expect

from tests.browser.people import PASSWORD, Person
from tests.deployment.programs import answers, eventually, free_port, run, running

pytestmark = [
    pytest.mark.browser,
    pytest.mark.postgres,
    pytest.mark.xdist_group("browser"),
]

MOST_REQUESTS = 15
FILL = f"""
from django.utils import timezone
from accounts.services import create_user
from games.kernel import params, registry
from games.lobby import services
from games.matches.clock import PRESETS
people = [
    create_user(username=name, email=name + "@example.org", password="{PASSWORD}", confirmed=True)
    for name in ("ada", "bruno")
]
for slug, title in registry.titles().items():
    challenge = services.challenge(
        creator=people[0], title=slug, params=params.complete(title.meta, {{}}),
        clock=PRESETS["standard"], seats=2, audience="open", seating="first", message="",
        now=timezone.now(),
    )
    services.accept(challenge_id=challenge.pk, user=people[1], now=timezone.now())
    print(slug, challenge.__class__.objects.get(pk=challenge.pk).match_id)
"""


@pytest.fixture(scope="module")
def site(tmp_path_factory, production):
    """A web process in production's settings but for HTTPS, with a match of each game."""
    folder, port = tmp_path_factory.mktemp("site"), free_port()
    with production.database() as database:
        variables = {
            **production.variables,
            "SITE_URL": f"http://127.0.0.1:{port}",
            "DATABASE_URL": database,
            "DATABASE_POOL": "4",
            "EMAIL_URL": f"filemail:///{folder / 'mails'}",
        }
        yield from serving(folder, port, variables)


def serving(folder, port, variables):
    """Yield the address of the site while it runs, and the matches."""
    url = variables["SITE_URL"]
    filled = run("manage.py", "shell", "--command", FILL, **variables)
    assert filled.returncode == 0, filled.stderr
    matches = dict(re.findall(r"^([\w-]+) (\d+)$", filled.stdout, re.MULTILINE))
    web = ("python", "-m", "config.server", "--port", port, "--notice", "0")
    with running(*web, log=folder / "log", **variables):
        eventually(lambda: answers(f"{url}/readyz"))
        yield SimpleNamespace(url=url, matches=matches)


@pytest.fixture
def ada(chromium, site):
    """A player with an empty cache who is signed in."""
    before = Person(chromium, site, "ada")
    before.sign_in()
    state = before.context.storage_state()
    before.leave()
    person = Person(chromium, site, "ada")
    person.context.add_cookies(state["cookies"])
    yield person
    person.leave()
    assert not person.complaints


def asked_for(person, path):
    """Open a page; return the answers that it takes, and the addresses of its sockets."""
    responses, sockets = [], []

    def note(response):
        responses.append(response)

    person.page.on("response", note)
    person.page.on("websocket", lambda socket: sockets.append(socket.url))
    person.go(path)
    person.page.wait_for_load_state("networkidle")
    return responses, sockets


@pytest.mark.parametrize("slug", ["die", "precary-ice"])
def test_the_page_of_a_match_takes_few_requests_and_all_are_compressed(ada, site, slug):
    responses, sockets = asked_for(ada, f"/matches/{site.matches[slug]}/")
    addresses = [response.url.removeprefix(site.url) for response in responses]
    # The icon of the tab is fetched aside from the page.
    assert len(addresses) + len(sockets) + 1 <= MOST_REQUESTS, addresses
    files = [response for response in responses if "/static/" in response.url]
    for response in files:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", response.url), response.url
        assert "immutable" in response.headers["cache-control"]
        if re.search(r"\.(css|js|svg)$", response.url):
            assert response.headers["content-encoding"] == "gzip", response.url
    scripts = [address for address in addresses if address.endswith(".js")]
    assert len(scripts) == (2 if slug == "precary-ice" else 1)


def test_a_move_is_made_with_the_joined_script(ada, site):
    ada.go(f"/matches/{site.matches['die']}/")
    ada.click("c3")
    ada.sees("not played yet")
    ada.confirm()
    ada.sees_version(1)
    expect(ada.page.locator("#action-head")).to_contain_text("bruno to move")


@pytest.mark.parametrize("path", ["/", "/home/", "/lobby/", "/archive/", "/dice/", "/games/"])
def test_every_page_has_one_script_and_one_sheet(ada, path):
    responses, _ = asked_for(ada, path)
    names = [response.url.rpartition("/")[2] for response in responses]
    assert sum(name.endswith(".js") for name in names) == 1, names
    assert sum(name.endswith(".css") for name in names) == 1, names
