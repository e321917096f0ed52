"""What the server does when the site fails: it answers, and goes on watching all others."""

import textwrap

import pytest

from tests.deployment.programs import eventually, free_port, running
from tests.deployment.test_server_bounds import answer_of, asked, first_line, read_all

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("failures")]

SERVER = """
    from config.server.server import SiteServer

    async def application(scope, receive, send):
        if scope["path"] == "/halfway":
            await send({{"type": "http.response.start", "status": 200, "headers": []}})
            await send({{"type": "http.response.body", "body": b"half", "more_body": True}})
        if scope["path"] in ("/halfway", "/fails"):
            raise ValueError("it")
        await send({{"type": "http.response.start", "status": 200, "headers": []}})
        await send({{"type": "http.response.body", "body": b"well"}})

    endpoint = "tcp:port={port}:interface=127.0.0.1"
    SiteServer(application, endpoints=[endpoint], proxies=0, most=9).run()
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory):
    port = free_port()
    program = textwrap.dedent(SERVER.format(port=port))
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
