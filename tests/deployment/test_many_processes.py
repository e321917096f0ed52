"""The site on PostgreSQL and Redis: two web processes, a worker, a beat."""

import contextlib
import email
import itertools
import json
import re
from collections import Counter
from email.policy import default
from urllib.parse import urlsplit

import psycopg
import pytest
import requests

from config.settings.base import WORK_QUEUES
from tests.deployment.programs import (
    MAKE_PEOPLE,
    PASSWORD,
    Visitor,
    answers,
    eventually,
    forget_counts,
    free_port,
    get_in_background,
    heard,
    play,
    run,
    running,
    start_match,
)

pytestmark = pytest.mark.postgres

POOL = 4


@pytest.fixture(scope="module")
def database(production):
    with production.database() as address:
        yield address


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("many")


@pytest.fixture(scope="module")
def variables(folder, database, production):
    """Production's settings but for HTTPS, and with mails into a folder."""
    return {
        **production.variables,
        "DATABASE_URL": database,
        "DATABASE_POOL": str(POOL),
        # All visitors come from one address.
        "CLIENT_CONNECTIONS": "10000",
        "EMAIL_URL": f"filemail:///{folder / 'mails'}",
    }


@pytest.fixture(scope="module")
def prepared(variables):
    """Let people of this test have done nothing yet."""
    forget_counts(variables["REDIS_URL"])
    done = run("manage.py", "shell", "--command", MAKE_PEOPLE, **variables)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def metrics():
    """The ports at which the two web processes answer Prometheus."""
    return [free_port(), free_port()]


@pytest.fixture(scope="module")
def sites(folder, variables, prepared, metrics):
    """Addresses of the two web processes, with a worker and a beat behind them."""
    ports = [free_port(), free_port()]
    with contextlib.ExitStack() as stack:
        for port, own in zip(ports, metrics, strict=True):
            web = ("python", "-m", "config.server", "--port", port, "--notice", "0")
            web = (*web, "--metrics", own)
            stack.enter_context(running(*web, log=folder / f"web-{port}", **variables))
        celery = ("celery", "--quiet", "-A", "config")
        queues = ("--queues", ",".join(WORK_QUEUES))
        worker = (*celery, "worker", *queues, "--without-gossip", "--without-mingle")
        beat = (*celery, "beat", "--schedule", folder / "schedule", "--pidfile=")
        for name, command in (("worker", worker), ("beat", beat)):
            stack.enter_context(running(*command, log=folder / name, **variables))
        found = [f"http://127.0.0.1:{port}" for port in ports]
        for site in found:
            eventually(lambda site=site: answers(f"{site}/readyz"), patience=240)
        yield found


def test_every_part_answers_in_every_process(sites):
    for site in sites:
        assert Visitor(site).get("/readyz").json()["ready"] is True


def test_web_processes_note_that_they_answer(sites, database):
    with psycopg.connect(database, autocommit=True) as connection:
        noted = "SELECT ran FROM match_sweep WHERE name = 'web'"
        first = eventually(lambda: connection.execute(noted).fetchone())
        assert eventually(lambda: connection.execute(noted).fetchone() > first)


def test_static_files_have_hashed_names_and_are_kept_for_long(sites):
    page = Visitor(sites[0]).get("/").text
    (address,) = re.findall(r'href="(/static/css/site\.[0-9a-f]{12}\.css)"', page)
    styles = Visitor(sites[1]).get(address)
    assert "immutable" in styles.headers["Cache-Control"]


def test_signed_in_at_one_process_is_signed_in_at_the_other(sites):
    ada = Visitor(sites[0], "ada", PASSWORD)
    ada.site = sites[1]
    assert ada.get("/home/").url == f"{sites[1]}/home/"


@pytest.fixture
def table(sites):
    """Two players who sit at different processes, and a match of the two."""
    ada, bruno = Visitor(sites[0], "ada", PASSWORD), Visitor(sites[1], "bruno", PASSWORD)
    return ada, bruno, start_match(ada, bruno, name="bruno")


def test_match_across_processes(table):
    ada, bruno, match = table
    with ada.watch(match) as at_ada, bruno.watch(match) as at_bruno:
        for socket in (at_ada, at_bruno):
            assert heard(socket, type="beat")["version"] == 0
        players = itertools.cycle([(ada, at_bruno), (bruno, at_ada)])
        while ada.record(match)["status"] == "running":
            mover, other = next(players)
            heard(other, type="match", version=play(mover, match))
    ended = ada.record(match)
    assert ended == bruno.record(match)
    assert ended["ending"] == "no-stones"
    assert sorted(ended["result"]) == [1, 2]


def test_clockwork_ends_an_overdue_match_and_every_process_hears_it(table, database):
    ada, bruno, match = table
    with ada.watch(match) as at_ada, bruno.watch(match) as at_bruno:
        with psycopg.connect(database) as connection:
            connection.execute(
                "UPDATE match_player SET clock_since = clock_since - interval '30 days',"
                " deadline = deadline - interval '30 days' WHERE match_id = %s AND to_move",
                [match],
            )
        for socket in (at_ada, at_bruno):
            heard(socket, type="match", version=1)
    assert bruno.record(match)["result"] == [2, 1]


def test_mails_of_a_match_are_sent_once(table, folder):
    _, _, match = table

    def mails():
        """What was sent about the match; a file holds all the mails of one run."""
        runs = (file.read_bytes() for file in (folder / "mails").glob("*"))
        texts = (text.strip() for run in runs for text in run.split(b"-" * 79) if text.strip())
        found = [email.message_from_bytes(text, policy=default) for text in texts]
        return [
            (mail["To"], mail["Subject"])
            for mail in found
            if f"/matches/{match}/" in mail.get_body(("plain",)).get_content()
        ]

    sent = eventually(mails)
    assert len(sent) == len(set(sent))


def test_connections_that_the_database_has_dropped_are_replaced(sites, database):
    pages = [f"{site}/players/ada/" for site in sites]
    assert all(answers(page) for page in pages)
    with psycopg.connect(database) as connection:
        dropped = connection.execute(
            "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        ).fetchone()
    assert dropped[0] >= len(sites)
    assert all(answers(page) for page in pages)


def test_who_finds_all_connections_in_use_is_told_to_ask_again(sites, database):
    """Those who have one wait for the lock as long as they may; nobody waits without end."""
    with psycopg.connect(database) as holder:
        holder.execute("LOCK TABLE accounts_user IN ACCESS EXCLUSIVE MODE")
        asked = [get_in_background(f"{sites[0]}/players/ada/") for _ in range(10)]
        refused = [503]
        eventually(lambda: [found for _, found in asked].count(refused) >= 10 - POOL)
        assert [] in [found for _, found in asked], "long before those who have one give up"
        for thread, _ in asked:
            thread.join()
    found = Counter(status for _, (status,) in asked)
    assert found.keys() <= {500, 503}
    assert found[503] >= 10 - POOL
    assert answers(f"{sites[0]}/players/ada/")


@pytest.fixture
def broken_plan(table, database):
    """A plan of bruno's that no worker can read, so that it says so when ada has moved."""
    _, _, match = table
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute(
            "INSERT INTO match_conditionalmoves"
            " (player_id, nodes, at, after, waits, one_turn, submission, halted)"
            " SELECT id, '{}', 0, 0, false, false, gen_random_uuid(), '' FROM match_player"
            " WHERE match_id = %s AND seat = 1",
            [match],
        )
        connection.execute("UPDATE match_player SET plans = true WHERE match_id = %s", [match])
        yield
        connection.execute("DELETE FROM match_conditionalmoves")


def objects(log):
    """What a process has written, but for what is no JSON: a worker's greeting, the access log."""
    found = []
    for line in log.read_text().splitlines():
        with contextlib.suppress(ValueError):
            found.append(json.loads(line))
    return [one for one in found if isinstance(one, dict)]


def test_a_move_is_known_by_its_id_in_the_process_that_goes_on_with_it(table, broken_plan, folder):
    ada, _, match = table
    asked = []
    ada.session.hooks["response"].append(lambda answer, **_: asked.append(answer))
    play(ada, match)
    (move,) = [answer for answer in asked if answer.request.method == "POST"]
    request_id = move.headers["X-Request-ID"]
    lines = eventually(
        lambda: [one for one in objects(folder / "worker") if one.get("request_id") == request_id]
    )
    assert all(line["task_id"] for line in lines), "a task may run twice"
    assert any(
        line["event"].startswith("Conditional moves ") and line["level"] == "error"
        for line in lines
    )


def test_the_access_log_names_requests_and_sockets_by_their_ids(table, folder, sites):
    ada, _, match = table
    with ada.watch(match) as page:
        heard(page, type="beat")
    known = ada.get(f"/matches/{match}/?from=hidden").headers["X-Request-ID"]
    log = folder / f"web-{urlsplit(sites[0]).port}"

    def whole():
        """What is logged, once it names the request and the end of every socket."""
        text = log.read_text()
        begun, ended = (text.count(f'"{word} /ws/"') for word in ("WSCONNECTING", "WSDISCONNECT"))
        return known in text and 0 < begun == ended and text

    said = eventually(whole)
    (line,) = [line for line in said.splitlines() if line.endswith(known)]
    assert f'"GET /matches/{match}/" 200 ' in line
    ids = [
        [line.split()[-1] for line in said.splitlines() if f'"{word} /ws/"' in line]
        for word in ("WSCONNECTING", "WSCONNECT", "WSDISCONNECT")
    ]
    assert all(set(found) == set(ids[0]) for found in ids)
    assert len(set(ids[0])) == len(ids[0]), "each socket has its own"
    assert "?" not in said
    assert "hidden" not in said


def test_each_web_process_answers_prometheus_at_a_port_of_its_own(sites, metrics, table):
    ada, _, match = table

    def one_socket():
        """The metrics, once sockets of earlier tests have closed."""
        text = requests.get(f"http://127.0.0.1:{metrics[0]}/metrics", timeout=30).text
        return "turnstone_sockets 1.0" in text and text

    with ada.watch(match) as page:
        heard(page, type="beat")
        told = eventually(one_socket)
    assert f"turnstone_database_max {POOL}.0" in told
    assert 'turnstone_requests_total{code="200",page="account_login"}' in told
    assert requests.get(f"{sites[0]}/metrics", timeout=30).status_code == 404


def test_process_without_redis_says_so_and_lives(folder, variables, prepared):
    port = free_port()
    web = ("python", "-m", "config.server", "--port", port, "--notice", "0")
    closed = {**variables, "REDIS_URL": f"redis://127.0.0.1:{free_port()}/0"}
    with running(*web, log=folder / "lonely", **closed):
        eventually(lambda: answers(f"http://127.0.0.1:{port}/healthz"))
        answer = requests.get(f"http://127.0.0.1:{port}/readyz", timeout=30)
    assert answer.status_code == 200, "a proxy goes on sending people: the site plays without it"
    parts = answer.json()["parts"]
    assert {name for name, part in parts.items() if part["ok"]} == {"database", "writing"}
