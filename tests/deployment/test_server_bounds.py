"""What the server takes from clients, and how much each may have in progress, on raw sockets."""

import asyncio
import contextlib
import socket
import textwrap

import pytest

from config.server import turns
from config.server.application import SHARE, ServedApplication
from config.server.clients import Slots, client_address
from tests.deployment.programs import eventually, free_port, running

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bounds")]

MOST = 5
MEGABYTE = 1024 * 1024

SERVER = """
    import sys
    from config.server.server import SiteServer

    async def application(scope, receive, send):
        if scope["type"] == "websocket":
            await send({{"type": "websocket.accept"}})
            while (await receive())["type"] != "websocket.disconnect":
                pass
            return
        if scope["path"] == "/hold":
            await send({{"type": "http.response.start", "status": 200, "headers": []}})
            await send({{"type": "http.response.body", "body": b"Wait", "more_body": True}})
            while (await receive())["type"] != "http.disconnect":
                pass
            return
        size = 0
        while True:
            message = await receive()
            size += len(message.get("body", b""))
            if not message.get("more_body"):
                break
        text = f"{{scope['client'][0]}} sent {{size}}{{scope['root_path']}}".encode()
        if scope["path"] == "/interval":
            text = str(sys.getswitchinterval()).encode()
        headers = [(b"content-length", str(len(text)).encode())]
        await send({{"type": "http.response.start", "status": 200, "headers": headers}})
        await send({{"type": "http.response.body", "body": text}})

    SiteServer(
        application,
        endpoints=["tcp:port={port}:interface=127.0.0.1"],
        proxies={proxies},
        most={most},
        access_log=sys.stdout,
    ).run()
"""


@contextlib.contextmanager
def serving(folder, proxies=0):
    """A server of an application that counts; the port at which it answers."""
    port = free_port()
    program = SERVER.format(port=port, proxies=proxies, most=MOST)
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


def test_a_busy_thread_lets_the_loop_in_soon(server):
    answer = answer_of(server.port, b"GET /interval HTTP/1.0\r\n\r\n")
    assert float(answer.rpartition(b"\r\n")[2]) == pytest.approx(0.001)


def test_a_body_of_a_megabyte_is_taken(server):
    body = bytes(MEGABYTE)
    head = post(f"Content-Length: {MEGABYTE}", "Connection: close")
    assert answer_of(server.port, head + body).endswith(f"sent {MEGABYTE}".encode())


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


def test_a_connection_is_kept_for_the_next_request(server):
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as connection:
        for _ in range(3):
            connection.sendall(post("Content-Length: 2") + b"ok")
            said = b""
            while not said.endswith(b" sent 2"):
                piece = connection.recv(65536)
                assert piece, "the server has hung up"
                said += piece


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


def hold(*headers):
    return "\r\n".join(["GET /hold HTTP/1.1", "Host: x", *headers, "", ""]).encode()


def codes(connections):
    """The status codes of answers, in ascending order."""
    return sorted(line.split()[1] for line in first_lines(connections))


def test_requests_of_one_client_are_bounded_and_free_again(server):
    def answered():
        with many(MOST + 3, server.port, head=hold()) as connections:
            return codes(connections)

    for _ in range(2):
        eventually(lambda: answered() == [b"200"] * MOST + [b"429"] * 3)


def test_sockets_of_one_client_are_bounded_and_free_again(server):
    def answered():
        with many(MOST + 3, server.port, head=handshake()) as connections:
            return codes(connections)

    for _ in range(2):
        eventually(lambda: answered() == [b"101"] * MOST + [b"403"] * 3)


def test_behind_a_proxy_each_client_is_counted(proxied):
    def forwarded(client):
        return handshake(f"X-Forwarded-For: 192.0.2.1, {client}")

    with (
        many(MOST + 2, proxied.port, head=forwarded("198.51.100.1")) as first,
        many(MOST, proxied.port, head=forwarded("198.51.100.2")) as second,
        contextlib.ExitStack() as idle,
    ):
        assert codes(first) == [b"101"] * MOST + [b"403"] * 2
        assert codes(second) == [b"101"] * MOST
        for _ in range(2 * MOST):
            one = asked(proxied.port, post("X-Forwarded-For: 198.51.100.3"))
            assert first_lines([idle.enter_context(one)]) == [b"HTTP/1.1 200 OK"]


def test_a_client_behind_a_proxy_is_told_to_the_site_and_the_log(proxied):
    head = post("Content-Length: 0", "X-Forwarded-For: 1.2.3.4, 198.51.100.9", "Connection: close")
    assert b"198.51.100.9 sent 0" in answer_of(proxied.port, head)


def test_requests_of_one_client_behind_a_proxy_are_bounded(proxied):
    head = hold("X-Forwarded-For: 198.51.100.4")
    other = post("X-Forwarded-For: 198.51.100.5", "Connection: close")
    with many(MOST + 2, proxied.port, head=head) as connections:
        assert codes(connections) == [b"200"] * MOST + [b"429"] * 2
        assert answer_of(proxied.port, other).startswith(b"HTTP/1.1 200 OK")


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


class Asked:
    """Requests of an application that answers once the test sets an event."""

    def __init__(self, most):
        self.begun = []
        self.answers = {}
        self.served = ServedApplication(self.application, proxies=0, most=most, access_log=None)

    async def application(self, scope, receive, send):
        self.begun.append(scope["path"])
        if scope["path"].startswith("/stream"):
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b"{}", "more_body": True})
        await self.answers.setdefault(scope["path"], asyncio.Event()).wait()
        if scope["type"] == "websocket":
            while (await receive())["type"] != "websocket.disconnect":
                pass

    def ask(self, path, client="192.0.2.1", kind="http"):
        scope = {"type": kind, "path": path, "headers": [], "client": [client, 1]}
        return asyncio.create_task(self.served(scope, _said(), _taken))


def _said():
    """What a client says: it asks for a socket, and then nothing for as long as it is open."""
    messages = asyncio.Queue()
    messages.put_nowait({"type": "websocket.connect"})
    return messages.get


async def _taken(message):
    """Take a part of an answer."""


async def _rest():
    """Let all tasks go as far as they can."""
    for _ in range(20):
        await asyncio.sleep(0)


def test_few_requests_of_a_client_are_worked_on_at_once_and_in_order():
    async def scene():
        asked = Asked(2 * SHARE)
        tasks = [asked.ask(f"/{number}") for number in range(5)]
        await _rest()
        assert asked.begun == ["/0", "/1"]
        others = [asked.ask("/other", client="192.0.2.2")]
        await _rest()
        assert asked.begun == ["/0", "/1", "/other"], "who comes from elsewhere does not wait"
        for number in range(5):
            asked.answers[f"/{number}"].set()
            await tasks[number]
            await _rest()
        assert asked.begun == ["/0", "/1", "/other", "/2", "/3", "/4"]
        asked.answers["/other"].set()
        await asyncio.gather(*others)

    asyncio.run(scene())


def test_a_request_that_is_given_up_in_the_queue_lets_the_next_one_pass():
    async def scene():
        asked = Asked(SHARE)
        first, second, third = (asked.ask(f"/{number}") for number in range(3))
        await _rest()
        second.cancel()
        asked.answers["/0"].set()
        await first
        await _rest()
        assert asked.begun == ["/0", "/2"]
        asked.answers["/2"].set()
        await third
        assert asked.served.in_progress == 0

    asyncio.run(scene())


def test_checks_of_health_never_wait():
    async def scene():
        asked = Asked(SHARE)
        tasks = [asked.ask(path) for path in ("/page", "/healthz", "/readyz")]
        await _rest()
        assert {*asked.begun} == {"/page", "/healthz", "/readyz"}
        for answer in asked.answers.values():
            answer.set()
        await asyncio.gather(*tasks)

    asyncio.run(scene())


def test_responses_that_go_on_hold_nobody_up():
    async def scene():
        asked = Asked(SHARE)
        streams = [asked.ask(f"/stream{number}") for number in range(4)]
        page = asked.ask("/page")
        await _rest()
        assert asked.begun == ["/stream0", "/stream1", "/stream2", "/stream3", "/page"]
        for answer in asked.answers.values():
            answer.set()
        await asyncio.gather(page, *streams)

    asyncio.run(scene())


def test_a_socket_has_its_turn_until_it_is_open():
    async def scene():
        asked = Asked(SHARE)
        sockets = [asked.ask(f"/ws/{number}", kind="websocket") for number in range(2)]
        page = asked.ask("/page")
        await _rest()
        assert asked.begun == ["/ws/0"]
        asked.answers["/ws/0"].set()
        await _rest()
        assert asked.begun == ["/ws/0", "/ws/1"]
        asked.answers["/ws/1"].set()
        await _rest()
        assert asked.begun == ["/ws/0", "/ws/1", "/page"]
        asked.answers["/page"].set()
        await page
        for opened in sockets:
            opened.cancel()

    asyncio.run(scene())


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still but for waits: the list of its time and of the waits."""
    times, waits, sleep = [1000.0], [], asyncio.sleep

    async def wait(seconds):
        if seconds > 0:
            waits.append(seconds)
            times[0] += seconds
        await sleep(0)

    monkeypatch.setattr(turns, "_now", lambda: times[0])
    monkeypatch.setattr(asyncio, "sleep", wait)
    return times, waits


def test_who_has_worked_for_long_waits_for_the_share(clock):
    times, waits = clock

    async def spend(asked, seconds, path, client="192.0.2.1"):
        task = asked.ask(path, client)
        await _rest()
        times[0] += seconds
        asked.answers[path].set()
        await task

    async def scene():
        asked = Asked(SHARE)
        await spend(asked, turns.BURST / 2, "/1")
        await spend(asked, turns.BURST / 2, "/2")
        assert waits == [], "a burst is free"
        await spend(asked, 8.0, "/3")
        await spend(asked, 1.0, "/other", client="192.0.2.2")
        assert waits == [], "others are not concerned"
        await spend(asked, 1.0, "/4")
        begun = times[0] - 1.0
        assert waits == [pytest.approx(2.0)]
        assert turns.BURST + turns.SHARE * (begun - 1000.0) == turns.BURST + 8.0

    asyncio.run(scene())


def test_a_client_is_forgotten_once_its_work_is_within_its_share(clock):
    times, _ = clock

    async def scene():
        asked = Asked(SHARE)
        task = asked.ask("/page")
        await _rest()
        times[0] += 2.0
        asked.answers["/page"].set()
        await task
        clients = asked.served._application
        clients._forget("192.0.2.1")
        assert clients._clients
        times[0] += 10.0
        clients._forget("192.0.2.1")
        assert not clients._clients

    asyncio.run(scene())
