"""What the server does when the site fails: it answers, and goes on watching all others."""

import textwrap
import time

import pytest

from tests.deployment.programs import eventually, free_port, running
from tests.deployment.test_server_bounds import answer_of, asked, first_line, read_all

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("failures")]

SERVER = """
    from config.server.server import SiteServer

    sent = []

    async def application(scope, receive, send):
        if scope["path"] == "/halfway":
            await send({{"type": "http.response.start", "status": 200, "headers": []}})
            await send({{"type": "http.response.body", "body": b"half", "more_body": True}})
        if scope["path"] in ("/halfway", "/fails"):
            raise ValueError("it")
        await send({{"type": "http.response.start", "status": 200, "headers": []}})
        for part in range({parts} if scope["path"] == "/much" else 0):
            sent.append(part)
            await send({{"type": "http.response.body", "body": bytes({size}), "more_body": True}})
        await send({{"type": "http.response.body", "body": str(len(sent)).encode()}})

    endpoint = "tcp:port={port}:interface=127.0.0.1"
    SiteServer(application, endpoints=[endpoint], proxies=0, most=9).run()
"""


PARTS, SIZE = 512, 2**16
"""A response of 32 MB: far more than the sockets of both sides hold."""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    port = free_port()
    program = textwrap.dedent(SERVER.format(port=port, parts=PARTS, size=SIZE))
    log = tmp_path_factory.mktemp("failures") / "log"
    variables = {"DJANGO_SETTINGS_MODULE": "config.settings.test"}
    with running("python", "-c", program, log=log, **variables):
        eventually(lambda: answer_of(port, head("/")))
        yield port


def head(path):
    return f"GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode()


def test_a_response_that_fails_halfway_is_cut_off_and_later_failures_are_answered(port):
    for _ in range(2):
        with asked(port, head("/halfway")) as connection:
            said = read_all(connection)
        assert b"half" in said
        assert b"\r\n0\r\n" not in said, "an end would make it look complete"
    for _ in range(2):
        with asked(port, head("/fails")) as connection:
            assert first_line(connection) == b"HTTP/1.1 500 Internal Server Error"


def parts_sent(port):
    return int(answer_of(port, head("/count")).split(b"\r\n")[-4])


def bytes_read(connection):
    """How much the server sends until it closes."""
    return sum(iter(lambda: len(connection.recv(SIZE)), 0))


def test_a_client_that_does_not_read_is_not_sent_more(port):
    """Otherwise all of it would wait in the memory of the server."""
    with asked(port, head("/much")) as connection:
        eventually(lambda: parts_sent(port))
        eventually(lambda: parts_sent(port) == (time.sleep(0.5), parts_sent(port))[1])
        assert parts_sent(port) < PARTS
        assert bytes_read(connection) > PARTS * SIZE
    assert parts_sent(port) == PARTS


def test_a_client_that_leaves_without_reading_holds_nothing_up(port):
    before = parts_sent(port)
    with asked(port, head("/much")):
        eventually(lambda: parts_sent(port) > before)
    eventually(lambda: parts_sent(port) == before + PARTS)
