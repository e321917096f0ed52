"""The server's bounds on what clients may send and hold, on raw sockets."""

import contextlib
import itertools
import socket
import textwrap
import time
from pathlib import Path

import pytest

from config.server.clients import Slots, client_address
from tests.deployment.programs import eventually, free_port, running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bounds")]

MOST = 5
ARRIVAL = 1.5
MEGABYTE = 1024 * 1024

SERVER = """
    import sys
    from config.server.server import SiteServer
    from config.server import http
    from config.server.access_log import AccessLog

    http.ARRIVAL = {arrival}

    async def application(scope, receive, send):
        if scope["type"] == "websocket":
            await send({{"type": "websocket.accept"}})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        size = 0
        while True:
            message = await receive()
            size += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        text = f"{{scope['client'][0]}} sent {{size}}{{scope['root_path']}}".encode()
        headers = [(b"content-length", str(len(text)).encode())]
        await send({{"type": "http.response.start", "status": 200, "headers": headers}})
        await send({{"type": "http.response.body", "body": text}})

    SiteServer(
        application,
        endpoints=["tcp:port={port}:interface=127.0.0.1"],
        proxies={proxies},
        most={most},
        too_large=lambda: b"<h1>Too large</h1>",
        action_logger=AccessLog(sys.stdout),
    ).run()
"""


@contextlib.contextmanager
def serving(folder, proxies=0):
    """A server of an application that counts; the port at which it answers."""
    port = free_port()
    program = SERVER.format(port=port, proxies=proxies, most=MOST, arrival=ARRIVAL)
    command = ("python", "-c", textwrap.dedent(program))
    variables = {"DJANGO_SETTINGS_MODULE": "config.settings.test", "TMPDIR": str(folder)}
    with running(*command, log=folder / "log", **variables) as process:
        process.port = port
        eventually(lambda: answer_of(port, b"GET / HTTP/1.0\r\n\r\n"))
        yield process


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("bounds")) as process:
        yield process


@pytest.fixture(scope="module")
def proxied(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("proxied"), proxies=1) as process:
        yield process


def read_all(connection, seconds=10):
    """What the server says until it closes, or says nothing for so long."""
    connection.settimeout(seconds)
    said = b""
    with contextlib.suppress(TimeoutError, ConnectionError):
        while piece := connection.recv(65536):
            said += piece
    return said


def answer_of(port, request):
    """The answer to a request of a client that closes after it."""
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=5) as connection:
            connection.sendall(request)
            return read_all(connection)
    except OSError:
        return b""


def post(*headers):
    return "\r\n".join(["POST / HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def resident(process):
    """Bytes of memory that the server holds."""
    return int(Path(f"/proc/{process.pid}/statm").read_text().split()[1]) * 4096


def sent_until_refused(connection, pieces):
    """Send pieces until the server hangs up; answer with how many bytes went out."""
    count = 0
    with contextlib.suppress(ConnectionError, TimeoutError):
        for piece in pieces:
            connection.sendall(piece)
            count += len(piece)
    return count


def test_a_body_of_a_megabyte_is_taken(server):
    body = bytes(MEGABYTE)
    head = post(f"Content-Length: {MEGABYTE}", "Connection: close")
    assert answer_of(server.port, head + body).endswith(f"sent {MEGABYTE}".encode())


def test_a_larger_body_is_refused_before_any_of_it_is_sent(server):
    head = post(f"Content-Length: {MEGABYTE + 1}", "Expect: 100-continue")
    assert answer_of(server.port, head).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("size", [MEGABYTE + 1, 2 * MEGABYTE])
def test_who_sends_a_larger_body_gets_a_page(server, size):
    body = bytes(size)
    answer = answer_of(server.port, post(f"Content-Length: {size}") + body)
    head, _, page = answer.partition(b"\r\n\r\n")
    assert page == b"<h1>Too large</h1>"
    assert b"Content-Length: 18\r\n" in head
    assert b"Content-Type: text/html" in head
    assert b"Content-Security-Policy: default-src 'self'" in head


def test_a_program_gets_the_status_alone(server):
    head = post(f"Content-Length: {MEGABYTE + 1}").replace(b"POST /", b"POST /api/v1/me/")
    answer = answer_of(server.port, head)
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert answer.endswith(b"Content-Length: 0\r\n\r\n")


def test_a_larger_body_is_refused_while_the_client_sends(server):
    before = resident(server)
    head = post(f"Content-Length: {200 * MEGABYTE}")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        sent_until_refused(connection, [head, *itertools.repeat(bytes(65536), 800)])
        assert read_all(connection, 0.2)[:13] in {b"HTTP/1.1 413 ", b""}
    assert resident(server) - before < 10 * MEGABYTE


def test_chunks_are_refused_as_soon_as_they_are_too_many(server):
    chunk = b"10000\r\n" + bytes(65536) + b"\r\n"
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(post("Transfer-Encoding: chunked"))
        for _ in range(17):
            connection.sendall(chunk)
        assert read_all(connection, 5).startswith(b"HTTP/1.1 413 ")


def test_chunks_of_a_megabyte_are_taken(server):
    chunk = b"10000\r\n" + bytes(65536) + b"\r\n"
    head = post("Transfer-Encoding: chunked", "Connection: close")
    answer = answer_of(server.port, head + chunk * 16 + b"0\r\n\r\n")
    assert answer.endswith(f"sent {MEGABYTE}".encode())


@pytest.mark.parametrize(
    "headers",
    [
        ["Content-Length: 5", "Content-Length: 6"],
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Content-Length: -5"],
        ["Content-Length: 5, 5"],
        ["Content-Length: 0x5"],
        ["Content-Length: " + "9" * 5000],
        ["Transfer-Encoding: gzip, chunked"],
    ],
)
def test_lengths_that_contradict_each_other_are_no_request(server, headers):
    answer = answer_of(server.port, post(*headers) + b"hello!")
    assert b"200 OK" not in answer


def test_more_than_the_length_says_is_another_request_and_none(server):
    answer = answer_of(server.port, post("Content-Length: 2") + b"hello\r\n\r\n")
    assert answer.count(b"200 OK") == 1
    assert b" sent 2" in answer
    assert b"400 Bad Request" in answer


@pytest.mark.parametrize("begun", [b"GET / HTTP/1.1\r\nHost: x\r\nX: ", post("Content-Length: 99")])
def test_a_request_that_trickles_in_is_given_up(server, begun):
    """It ends before the hundred bytes that it promises, though there is always one under way."""
    said, sent = b"", 0
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        connection.sendall(begun)
        connection.settimeout(0.1)
        while not said and sent < 90:
            with contextlib.suppress(TimeoutError):
                said += connection.recv(1000)
            with contextlib.suppress(ConnectionError):
                connection.sendall(b"x")
            sent += 1
    assert said.startswith(b"HTTP/1.1 408 ")


def test_a_connection_that_says_nothing_is_closed(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        assert read_all(connection, 3 * ARRIVAL) == b""
        assert connection.recv(1) == b""


def test_a_connection_is_kept_for_the_next_request(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        began = time.monotonic()
        while time.monotonic() - began < 1.5 * ARRIVAL:
            connection.sendall(post("Content-Length: 2") + b"ok")
            said = b""
            while not said.endswith(b" sent 2"):
                piece = connection.recv(65536)
                assert piece, "the server has hung up"
                said += piece
            time.sleep(0.1)


@contextlib.contextmanager
def many(count, port, *headers, head=b""):
    """So many connections of one client, each with a request."""
    with contextlib.ExitStack() as stack:
        yield [
            stack.enter_context(asked(port, head or post("Content-Length: 0", *headers)))
            for _ in range(count)
        ]


@contextlib.contextmanager
def asked(port, request):
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(request)
        yield connection


def first_line(connection):
    """The first line of an answer, once there is one."""
    with connection.makefile("rb") as said:
        return said.readline().rstrip()


def first_lines(connections):
    return [first_line(connection) for connection in connections]


def handshake(*headers):
    lines = ["GET /ws/ HTTP/1.1", "Host: x", "Upgrade: websocket", "Connection: Upgrade"]
    lines += ["Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    return "\r\n".join([*lines, *headers, "", ""]).encode()


def test_connections_of_one_client_are_bounded_and_free_again(server):
    def lines():
        with many(MOST + 3, server.port) as connections:
            return first_lines(connections)

    bounded = [b"HTTP/1.1 200 OK"] * MOST + [b"HTTP/1.1 429 Too Many Requests"] * 3
    for _ in range(2):
        eventually(lambda: lines() == bounded)


def test_sockets_of_one_client_are_bounded_and_free_again(server):
    def codes():
        with many(MOST + 3, server.port, head=handshake()) as connections:
            return [line.split()[1] for line in first_lines(connections)]

    for _ in range(2):
        eventually(lambda: codes() == [b"101"] * MOST + [b"429"] * 3)


def test_behind_a_proxy_each_client_is_counted(proxied):
    def forwarded(client):
        return handshake(f"X-Forwarded-For: 192.0.2.1, {client}")

    with (
        many(MOST + 2, proxied.port, head=forwarded("198.51.100.1")) as first,
        many(MOST, proxied.port, head=forwarded("198.51.100.2")) as second,
        contextlib.ExitStack() as idle,
    ):
        assert [line.split()[1] for line in first_lines(first)] == [b"101"] * MOST + [b"429"] * 2
        assert [line.split()[1] for line in first_lines(second)] == [b"101"] * MOST
        for _ in range(2 * MOST):
            one = asked(proxied.port, post("X-Forwarded-For: 198.51.100.3"))
            assert first_lines([idle.enter_context(one)]) == [b"HTTP/1.1 200 OK"]


def test_a_client_behind_a_proxy_is_told_to_the_site_and_the_log(proxied):
    head = post("Content-Length: 0", "X-Forwarded-For: 1.2.3.4, 198.51.100.9", "Connection: close")
    assert b"198.51.100.9 sent 0" in answer_of(proxied.port, head)


def test_requests_under_way_of_one_client_behind_a_proxy_are_bounded(proxied):
    head = post("Content-Length: 10", "X-Forwarded-For: 198.51.100.4")
    with many(MOST + 2, proxied.port, head=head) as connections:
        *last, refused, again = connections[MOST - 1 :]
        assert first_lines([again, refused]) == [b"HTTP/1.1 429 Too Many Requests"] * 2
        assert not any(b" 429 " in read_all(connection, 0.3) for connection in last)


def test_nobody_chooses_where_links_lead(server):
    head = post("Content-Length: 2", "Daphne-Root-Path: /evil", "Connection: close")
    assert answer_of(server.port, head + b"ok").endswith(b" sent 2")


@pytest.mark.parametrize(
    ("forwarded", "proxies", "client"),
    [
        (["9.9.9.9"], 0, "10.0.0.1"),
        ([], 1, "10.0.0.1"),
        (["9.9.9.9"], 1, "9.9.9.9"),
        (["1.1.1.1, 9.9.9.9"], 1, "9.9.9.9"),
        (["1.1.1.1", "9.9.9.9,8.8.8.8"], 2, "9.9.9.9"),
        (["9.9.9.9"], 2, "10.0.0.1"),
        (["9.9.9.9:4321"], 1, "9.9.9.9"),
        (["[2001:db8::1]:4321"], 1, "2001:db8::1"),
        (["::ffff:9.9.9.9"], 1, "9.9.9.9"),
        (["[::ffff:9.9.9.9]:4321"], 1, "9.9.9.9"),
        (["evil\nline"], 1, "10.0.0.1"),
        ([""], 1, "10.0.0.1"),
    ],
)
def test_only_our_proxies_are_believed(forwarded, proxies, client):
    headers = [(b"x-forwarded-for", value.encode()) for value in forwarded]
    assert client_address(headers, "10.0.0.1", proxies) == client


def test_an_ipv4_client_at_an_ipv6_socket_is_told_as_ipv4():
    assert client_address([], "::ffff:192.0.2.1", 0) == "192.0.2.1"
    assert client_address([], "2001:db8::1", 0) == "2001:db8::1"


def test_addresses_of_one_home_are_one_client():
    slots = Slots(2)
    assert slots.take("2001:db8:1:2::1")
    assert slots.take("2001:db8:1:2:ffff::1")
    assert not slots.take("2001:db8:1:2::3")
    assert slots.take("2001:db8:1:3::1")
    slots.give_back("2001:db8:1:2::1")
    assert slots.take("2001:db8:1:2::3")
    assert slots.take("::ffff:192.0.2.1")
    assert slots.take("192.0.2.1")
    assert not slots.take("192.0.2.1")
