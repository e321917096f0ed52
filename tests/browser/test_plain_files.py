"""The site of `make run`, which serves every module and every sheet as the file that it is.

It offers two languages.
"""

import re

import pytest
from playwright.sync_api import expect

from tests import pseudo
from tests.browser.conftest import Site
from tests.browser.people import SAMPLE_PASSWORD, Person, start_by_hand
from tests.deployment.programs import answers, eventually, free_port, running

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]


@pytest.fixture(scope="module")
def plain(tmp_path_factory, fill_var):
    """That site with its sample players."""
    folder = tmp_path_factory.mktemp("plain")
    var, port = fill_var(folder / "var"), free_port()
    pseudo.write(folder / "locale")
    variables = {
        "DJANGO_SETTINGS_MODULE": "tests.browser.two_languages",
        "LOCALE": str(folder / "locale"),
        "VAR": str(var),
        "PORT": str(port),
    }
    url = f"http://127.0.0.1:{port}"
    with running("manage.py", "serve", log=folder / "log", **variables):
        eventually(lambda: answers(f"{url}/readyz"))
        yield Site(url, var)


def test_a_move_and_its_record_with_modules_one_by_one(chromium, plain):
    ada, bruno = (Person(chromium, plain, f"sample-{name}") for name in ("ada", "bruno"))
    asked = []
    ada.page.on("request", lambda request: asked.append(request.url))
    for person in (ada, bruno):
        person.sign_in(SAMPLE_PASSWORD)
    path = start_by_hand(ada, bruno)
    assert any(url.endswith("/static/js/board/marks.js") for url in asked)
    ada.click("c3")
    ada.sees("not played yet")
    ada.confirm()
    bruno.sees_version(1)
    for page in ("/", "/lobby/", "/archive/", "/dice/", "/home/", f"{path}1/"):
        ada.go(page)
        ada.page.wait_for_load_state("networkidle")
    expect(ada.page.locator(".stepper-count")).to_have_text(re.compile("^1 of 1"))
    for person in (ada, bruno):
        person.leave()
        assert not person.complaints


def test_scripts_speak_the_language_of_the_page(chromium, plain):
    ada = Person(chromium, plain, "sample-ada")
    ada.sign_in(SAMPLE_PASSWORD)
    ada.go(f"/home/?lang={pseudo.CODE}")
    ada.context.set_offline(True)
    said = ada.page.locator("#connection-lost")
    expect(said).to_have_text(pseudo.accented("You are offline."))
    ada.context.set_offline(False)
    expect(said).to_be_hidden()
    ada.go("/home/?lang=en-gb")
    ada.context.set_offline(True)
    expect(said).to_have_text("You are offline.")
    ada.leave()
