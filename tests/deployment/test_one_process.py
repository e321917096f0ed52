"""`make run`: the whole site in one process, started and stopped."""

import contextlib
import re
import socket
import sqlite3

import pytest

from tests.deployment.programs import (
    Visitor,
    answers,
    eventually,
    free_port,
    heard,
    run,
    running,
    start_match,
    stop,
)
from tests.proof_of_work import solved
from tests.samples import migrate_var

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("one process")]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("one")


@pytest.fixture(scope="module")
def port():
    return free_port()


@pytest.fixture(scope="module")
def variables(folder, port, fill_var):
    return {
        "DJANGO_SETTINGS_MODULE": "config.settings.local",
        "VAR": str(fill_var(folder / "var")),
        "PORT": str(port),
        "REPLY_PORT": str(free_port()),
    }


@pytest.fixture(scope="module")
def process(folder, port, variables):
    with running("manage.py", "serve", log=folder / "log", **variables) as process:
        eventually(lambda: answers(f"http://127.0.0.1:{port}/readyz"))
        yield process


@pytest.fixture
def site(process, port):
    return f"http://127.0.0.1:{port}"


def test_it_says_where_everything_is(site, port, folder):
    said = (folder / "log").read_text()
    # Browsers make passkeys for names only.
    site = f"http://localhost:{port}"
    assert f"{site}/" in said
    assert "make admin" in said
    assert "sample-ada" in said
    assert str(folder / "var" / "mails") in said
    assert f"{site}/mails/" in said
    assert "WARNING" not in said
    assert "ERROR" not in said


def test_it_notes_that_it_answers(site, folder):
    noted = "SELECT ran FROM match_sweep WHERE name = 'web'"
    with contextlib.closing(sqlite3.connect(folder / "var" / "turnstone.sqlite3")) as database:
        assert eventually(lambda: database.execute(noted).fetchone())


def test_first_start_makes_samples(site):
    assert "sample-ada" in Visitor(site).get("/players/sample-ada/").text


def test_it_takes_no_moves_by_mail_unless_it_is_asked_to(site, variables):
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", int(variables["REPLY_PORT"])), 5)


def test_pages_find_their_files(site):
    page = Visitor(site).get("/").text
    assert "/static/css/site.css" in page
    assert Visitor(site).get("/static/css/site.css").headers["Content-Type"].startswith("text/css")


def test_clockwork_ends_an_overdue_match_and_the_page_hears_it(site, folder):
    ada = Visitor(site, "sample-ada", "turnstone-sample")
    bruno = Visitor(site, "sample-bruno", "turnstone-sample")
    match = start_match(ada, bruno, name="sample-bruno")
    with bruno.watch(match) as socket:
        heard(socket, type="beat")
        with contextlib.closing(sqlite3.connect(folder / "var" / "turnstone.sqlite3")) as database:
            database.execute(
                "UPDATE match_player SET clock_since = datetime(clock_since, '-30 days'),"
                " deadline = datetime(deadline, '-30 days') WHERE match_id = ? AND to_move",
                [match],
            )
            database.commit()
        heard(socket, type="match", version=1)
    assert bruno.record(match)["result"] == [2, 1]


def test_clockwork_sends_mails_into_the_folder(site, folder):
    def mails():
        return list((folder / "var" / "mails").glob("*.eml"))

    edith = Visitor(site)
    registered = {"username": "edith-wharton", "email": "edith@example.org"}
    work = solved(edith.get("/account/signup/").text)
    edith.post("/account/signup/", **registered, **work, password1=PASSWORD)
    (confirmation,) = eventually(mails)
    link = re.search(rb"/account/confirm-email/[^/]+/", confirmation.read_bytes())[0].decode()
    edith.post(link)
    start_match(edith, Visitor(site, "sample-clara", "turnstone-sample"), name="sample-clara")
    eventually(lambda: len(mails()) > 1)
    assert confirmation.stem in edith.get("/mails/").text


def test_second_one_at_the_same_port_is_told_so(site, port, variables):
    done = run("manage.py", "serve", **variables)
    assert done.returncode == 1
    assert f"Port {port} is in use" in done.stderr
    assert f"make run PORT={port + 1}" in done.stderr
    assert "Traceback" not in done.stderr


def test_it_ends_when_told_and_starts_again_where_it_was(folder, variables):
    port = free_port()
    migrate_var(folder / "again")
    for log in ("second", "third"):
        again = {**variables, "VAR": str(folder / "again"), "PORT": str(port)}
        with running("manage.py", "serve", log=folder / log, **again) as process:
            page = f"http://127.0.0.1:{port}/players/sample-ada/"
            # The first one makes its samples, beside all else that is tested.
            eventually(lambda page=page: answers(page), patience=240)
            assert stop(process) == 0
        assert "Turnstone has stopped." in (folder / log).read_text()
        assert "Traceback" not in (folder / log).read_text()
    assert "first start" in (folder / "second").read_text()
    assert "first start" not in (folder / "third").read_text()


PASSWORD = "correct-horse-battery"
