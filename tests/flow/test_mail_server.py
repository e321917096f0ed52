"""The SMTP server for moves by mail, spoken with as relays and others would: by real SMTP."""

import logging
import smtplib
import socket
import time
from contextlib import closing, suppress

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.utils import timezone

from accounts.models import Notification
from games.mail import replies, server
from games.mail.server import MailServer
from games.matches import selectors
from games.matches.models import Player
from games.matches.notify import notifications, reply_addresses
from tests.concurrency import run_concurrently
from tests.deployment.programs import eventually, free_port
from tests.mails import mail, two, use

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

HOST = "127.0.0.1"


@pytest.fixture(autouse=True)
def _on(settings):
    use(settings)
    cache.clear()


@pytest.fixture
def mail_server():
    """The server; how it is reached stands in ``port``."""
    opened = MailServer(HOST, free_port())
    opened.start()
    yield opened
    opened.stop(no_assert=True)


@pytest.fixture
def match():
    return two()


def address(match, seat=0):
    player = Player.objects.get(match=match.id, seat=seat)
    return reply_addresses.make(player, match.match.version, now=timezone.now())


def client(mail_server):
    return smtplib.SMTP(HOST, mail_server.port, timeout=20)


def send(mail_server, to, content, sender="ada@example.org"):
    """Send a mail; return the code of the last answer, and what it said."""
    with client(mail_server) as smtp:
        smtp.ehlo()
        for code, said in (smtp.mail(sender), smtp.rcpt(to)):
            if code >= 400:
                return code, said.decode()
        code, said = smtp.data(content)
        return code, said.decode()


def texts(match):
    return [entry.text for entry in selectors.log(match.match)]


def answers():
    return Notification.objects.filter(kind=notifications.MOVE_ANSWERED)


def test_a_move_is_taken(mail_server, match):
    assert send(mail_server, address(match), mail("a1"))[0] == 250
    assert texts(match) == ["a1"]
    assert answers().count() == 1


@pytest.mark.parametrize(
    "to", ["play+abc@play.example.org", "postmaster@play.example.org", "ada@example.org", "x@y"]
)
def test_an_address_that_is_none_is_refused_before_the_mail(mail_server, match, to):
    code, said = send(mail_server, to, mail("a1"))
    assert (code, said.split()[0]) == (550, "5.1.1")


def test_a_sender_who_is_not_vouched_for_is_refused_in_the_dialogue(mail_server, match):
    code, _ = send(mail_server, address(match), mail("a1", verdict="X: none"))
    assert code == 550
    assert texts(match) == []
    assert not answers().exists()


def test_a_mail_that_is_too_big_is_refused(mail_server, match):
    to = address(match)
    with client(mail_server) as smtp:
        smtp.ehlo()
        assert smtp.esmtp_features["size"] == str(server.MAX_MAIL_SIZE)
        assert smtp.mail("ada@example.org", [f"SIZE={server.MAX_MAIL_SIZE + 1}"])[0] == 552
    big = mail("a1\n" + ("x" * 70 + "\n") * (server.MAX_MAIL_SIZE // 70))
    assert send(mail_server, to, big)[0] == 552
    assert send(mail_server, to, mail("a1"))[0] == 250, "the next one is taken"


def test_a_line_without_end_is_cut_off(mail_server, match):
    to = address(match)
    with client(mail_server) as smtp:
        smtp.ehlo()
        smtp.mail("ada@example.org")
        smtp.rcpt(to)
        smtp.putcmd("data")
        assert smtp.getreply()[0] == 354
        with pytest.raises((ConnectionError, TimeoutError)):
            smtp.sock.sendall(b"x" * 20 * server.MAX_CONNECTION_BYTES)
    assert send(mail_server, to, mail("a1"))[0] == 250


def test_one_recipient_at_a_time(mail_server, match):
    with client(mail_server) as smtp:
        smtp.ehlo()
        smtp.mail("ada@example.org")
        assert smtp.rcpt(address(match))[0] == 250
        assert smtp.rcpt(address(match, 1))[0] == 452
        assert smtp.data(mail("a1"))[0] == 250
    assert texts(match) == ["a1"]


def test_bounces_are_taken_and_dropped(mail_server, match):
    with client(mail_server) as smtp:
        smtp.ehlo()
        assert smtp.mail("")[0] == 250
        assert smtp.rcpt(address(match))[0] == 250
        assert smtp.data(mail("a1"))[0] == 250
    assert texts(match) == []
    assert not answers().exists()


def test_strangers_are_turned_away(mail_server, match, settings):
    settings.REPLY_RELAYS = ["192.0.2.0/24"]
    with closing(socket.create_connection((HOST, mail_server.port), 10)) as sock:
        assert sock.recv(100).startswith(b"554 5.7.1")
        assert sock.recv(100) == b""


def test_while_the_database_is_away_the_relay_comes_again(mail_server, match, monkeypatch):
    to = address(match)

    def away(*_, **__):
        raise OperationalError("secret")

    with monkeypatch.context() as patched:
        patched.setattr(replies, "recipient", away)
        code, said = send(mail_server, to, mail("a1"))
        assert (code, "secret" in said) == (450, False)
        patched.undo()
        patched.setattr(replies, "_receive", away)
        assert send(mail_server, to, mail("a1"))[0] == 450
    assert send(mail_server, to, mail("a1"))[0] == 250
    assert texts(match) == ["a1"]


def test_the_same_mail_twice_at_once_has_one_effect(mail_server, match):
    to = address(match)
    said = run_concurrently(*[lambda: send(mail_server, to, mail("a1"))[0] for _ in range(6)])
    assert set(said) <= {250, 450}
    assert 250 in said
    assert texts(match) == ["a1"]
    assert answers().count() == 1


def test_two_moves_to_one_address_at_once(mail_server, match):
    to = address(match)
    said = run_concurrently(
        *[lambda text=text: send(mail_server, to, mail(text))[0] for text in ("a1", "b1")]
    )
    assert len(texts(match)) == 1
    assert sorted(said) in ([250, 250], [250, 550], [250, 450])
    refusals = [answer.payload["refusal"] for answer in answers()]
    assert refusals.count("") == 1


def test_a_mail_and_a_hand_on_the_site_at_once(mail_server, match):
    to = address(match)
    run_concurrently(
        lambda: send(mail_server, to, mail("a1")), lambda: _or_nothing(match.play, "b1")
    )
    assert len(texts(match)) == 1


def _or_nothing(call, *args):
    try:
        call(*args)
    except Exception as error:  # noqa: BLE001 - the second one
        return error
    return None


def test_killed_after_the_move_and_before_its_answer(mail_server, match, monkeypatch):
    """What the relay was not told is sent again: one move, one answer."""
    to = address(match)

    def killed(*_, **__):
        raise SystemError

    with monkeypatch.context() as patched:
        patched.setattr(replies, "_answer", killed)
        assert send(mail_server, to, mail("a1"))[0] == 450
    assert texts(match) == ["a1"]
    assert not answers().exists()
    assert send(mail_server, to, mail("a1"))[0] == 250
    assert texts(match) == ["a1"]
    assert answers().get().payload["refusal"] == ""


def test_who_hangs_up_before_the_answer_sends_again(mail_server, match):
    to = address(match)
    smtp = client(mail_server)
    smtp.ehlo()
    smtp.mail("ada@example.org")
    smtp.rcpt(to)
    smtp.putcmd("data")
    smtp.getreply()
    smtp.send(mail("a1") + b".\r\n")
    smtp.sock.close()
    eventually(lambda: texts(match))
    assert send(mail_server, to, mail("a1"))[0] == 250
    assert texts(match) == ["a1"]
    assert answers().count() == 1


def test_junk_in_a_heap_is_refused(mail_server, match):
    with closing(socket.create_connection((HOST, mail_server.port), 10)) as sock:
        sock.sendall(b"\0\xff" * 2000 + b"\r\n" + b"GET / HTTP/1.1\r\nHost: x\r\n\r\n" * 20)
        said = b""
        sock.settimeout(10)
        try:
            while part := sock.recv(4096):
                said += part
        except ConnectionResetError:
            pass
    assert b"500" in said
    assert b"502 5.5.1" in said, "and hung up on"
    assert send(mail_server, address(match), mail("a1"))[0] == 250


def test_a_heap_of_commands_is_answered_one_by_one(mail_server, match):
    to = address(match)
    with closing(socket.create_connection((HOST, mail_server.port), 10)) as sock:
        sock.settimeout(10)
        lines = ["EHLO relay", "MAIL FROM:<ada@example.org>", f"RCPT TO:<{to}>", "DATA"]
        sock.sendall("".join(f"{line}\r\n" for line in lines).encode())
        # One that ends without a line break of its own is none: what follows is still the mail.
        sock.sendall(mail("a1") + b"\n.\nMAIL FROM:<x@example.org>\r\n.\r\nQUIT\r\n")
        said = b""
        while part := sock.recv(4096):
            said += part
    assert said.count(b"\r\n250 ") + said.startswith(b"250 ") <= 4
    assert b"354" in said
    assert texts(match) == ["a1"]


def test_a_slow_client_is_hung_up_on(mail_server, match, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(server, "COMMAND", 0.5)
        sock = socket.create_connection((HOST, mail_server.port), 10)
        sock.settimeout(10)
        sock.recv(100)
    with closing(sock), suppress(ConnectionError):
        for sign in b"EHLO a-very-slow-relay":
            time.sleep(0.05)
            sock.sendall(bytes([sign]))
        while sock.recv(100):
            pass
    assert send(mail_server, address(match), mail("a1"))[0] == 250


def test_a_connection_has_an_end(mail_server, match, monkeypatch):
    monkeypatch.setattr(server, "CONNECTION", 0.5)
    monkeypatch.setattr(server, "MAX_COMMANDS", 10_000)
    began = time.monotonic()
    with closing(socket.create_connection((HOST, mail_server.port), 10)) as sock:
        sock.settimeout(10)
        with suppress(ConnectionError):
            while sock.recv(1000):
                assert time.monotonic() - began < server.COMMAND
                sock.sendall(b"NOOP\r\n")
                time.sleep(0.02)
    assert time.monotonic() - began >= 0.5


def test_fifty_connections(mail_server, match):
    """So many are served; the others are asked to come later, and can when some have gone."""
    socks = [socket.create_connection((HOST, mail_server.port), 10) for _ in range(50)]
    greetings = []
    for sock in socks:
        sock.settimeout(10)
        greetings.append(sock.recv(100)[:3])
    assert greetings.count(b"220") == server.MAX_CONNECTIONS
    assert greetings.count(b"421") == 50 - server.MAX_CONNECTIONS
    for sock in socks:
        sock.close()
    eventually(lambda: not mail_server.handler.connections)
    assert send(mail_server, address(match), mail("a1"))[0] == 250


def test_no_log_holds_an_address(mail_server, match, caplog):
    to = address(match)
    logging.getLogger("mail.log").setLevel(logging.CRITICAL)
    caplog.set_level(logging.INFO)
    send(mail_server, to, mail("a1"))
    send(mail_server, f"x{to}", mail("a1"))
    assert to.partition("@")[0].removeprefix("play+") not in caplog.text
