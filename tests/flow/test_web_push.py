"""Web push against a receiver on this machine: what arrives, what does not, what goes nowhere."""

import json
import socket
import threading
import time
from datetime import UTC, datetime, timedelta

import pytest
from celery.exceptions import SoftTimeLimitExceeded
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.cache import cache

from accounts import notifications, outbox, presence
from accounts.delivery import encryption, endpoints, muting, push, readers, trial
from accounts.delivery.models import DeliverySettings, PushDevice, PushMessage, SiteKey
from accounts.models import Notification
from accounts.notifications import Summary
from tests.people import confirmed
from tests.push_receiver import Browser, PushService, check_vapid, unb64

pytestmark = pytest.mark.slow

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


class Watch:
    now = NOW

    def __call__(self):
        return self.now


@pytest.fixture
def service(settings):
    with PushService() as running:
        settings.PUSH_TEST_RECEIVER = running.url
        yield running


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    cache.clear()
    monkeypatch.setattr(notifications, "_kinds", {})
    for name, more in (("turn", {"group": "match"}), ("offer", {})):
        notifications.register(
            name,
            title=name,
            render=lambda told: 1 / 0,
            summary=lambda told: Summary(f"Move {told.payload['n']} – é", "/m/"),
            **more,
        )
    push.register()
    trial.register()


@pytest.fixture
def watch():
    return Watch()


@pytest.fixture
def browser(alice, service):
    return subscribed(alice, f"{service.url}/one?a=b")


def subscribed(user, endpoint):
    found = Browser(endpoint)
    assert push.subscribe(user, **found.given, browser="Chromium", now=NOW)
    return found


def tell(user, n=1, kind="turn", now=NOW, place="match:7"):
    payload = {"n": n, "place": place}
    notifications.notify(recipient=user, kind=kind, payload=payload, now=now)


def test_the_example_of_the_standard():
    """RFC 8291, appendix A."""
    sender = int.from_bytes(unb64("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"), "big")
    body = encryption.encrypt(
        b"When I grow up, I want to be a watermelon",
        unb64(
            "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
        ),
        unb64("BTBZMqHH6r4Tts7J_aSIgg"),
        sender=ec.derive_private_key(sender, ec.SECP256R1()),
        salt=unb64("DGv6ra1nlYgDCS1FRnbzlw"),
    )
    assert encryption.encode(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAm"
        "S6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_"
        "Qulcy4a-fN"
    )


def test_a_browser_reads_what_is_pushed(alice, browser, service, watch):
    tell(alice)
    assert push.send_due(clock=watch) == {"sent": 1}
    ((path, headers, body),) = service.requests
    assert path == "/one?a=b"
    shown = json.loads(browser.decrypt(body))
    assert shown == {"title": "Move 1 – é", "url": "/m/", "tag": "match:7"}
    assert headers["Content-Encoding"] == "aes128gcm"
    claims = check_vapid(headers["Authorization"], service.url, push.public_key())
    assert NOW.timestamp() < claims["exp"] <= (NOW + timedelta(hours=24)).timestamp()
    assert claims["sub"].startswith("mailto:")
    assert b"Move" not in body
    assert not PushMessage.objects.exists()
    assert push.send_due(clock=watch) == {}


def test_each_of_ones_browsers_gets_it_and_nobody_elses(alice, browser, service, watch):
    subscribed(alice, f"{service.url}/two")
    subscribed(confirmed("bruno"), f"{service.url}/bruno")
    tell(alice)
    push.send_due(clock=watch)
    assert sorted(path for path, _, _ in service.requests) == ["/one?a=b", "/two"]


def test_a_later_one_about_a_match_takes_the_place(alice, browser, service, watch):
    for number in range(5):
        tell(alice, number)
    tell(alice, 9, place="match:8")
    push.send_due(clock=watch)
    tell(alice, 6)
    push.send_due(clock=watch)
    shown = [json.loads(browser.decrypt(body)) for _, _, body in service.requests]
    assert [one["title"] for one in shown] == ["Move 4 – é", "Move 9 – é", "Move 6 – é"]
    topics = [headers["Topic"] for _, headers, _ in service.requests]
    assert topics[0] == topics[2] != topics[1]


def test_two_workers_at_once_send_a_message_once(alice, browser, service, watch, monkeypatch):
    """The other one sends it after this one has read it, and before it takes the device up."""
    read = readers.read

    def read_and_be_overtaken(*arguments):
        monkeypatch.setattr(readers, "read", read)
        assert push.send_due(clock=watch) == {"sent": 1}
        return read(*arguments)

    monkeypatch.setattr(readers, "read", read_and_be_overtaken)
    tell(alice)
    assert push.send_due(clock=watch) == {}
    assert len(service.requests) == 1
    device = PushDevice.objects.get()
    assert (device.refusals, device.next_try) == (0, None)


class TestNotPushed:
    def nothing(self, service, watch):
        push.send_due(clock=watch)
        return service.requests == [] and not PushMessage.objects.exists()

    def test_what_is_not_wanted(self, alice, browser, service, watch):
        DeliverySettings.objects.create(user=alice, push_off=["turn"])
        tell(alice)
        assert self.nothing(service, watch)

    def test_what_is_not_mailed_may_be_pushed(self, alice, browser, service, watch):
        alice.mail_off = ["turn"]
        alice.save()
        alice.emailaddress_set.all().delete()
        tell(alice)
        push.send_due(clock=watch)
        assert len(service.requests) == 1

    def test_what_was_seen(self, alice, browser, service, watch):
        tell(alice)
        notifications.mark_seen(recipient=alice, now=NOW)
        assert self.nothing(service, watch)

    def test_a_page_that_is_open(self, alice, browser, service, watch):
        presence.touch(alice.pk, "match:7", now=NOW - MINUTE / 4)
        tell(alice)
        push.send_due(clock=watch)
        assert service.requests == []
        presence.touch(alice.pk, "match:7", now=NOW + MINUTE / 4)
        watch.now += MINUTE
        assert self.nothing(service, watch)

    def test_a_muted_match(self, alice, browser, service, watch):
        muting.mute(alice, "match:7", now=NOW)
        tell(alice)
        assert self.nothing(service, watch)

    def test_the_past(self, alice, browser, service, watch):
        tell(alice, now=NOW - push.MAX_AGE)
        assert self.nothing(service, watch)

    def test_a_closed_account(self, alice, browser, service, watch):
        tell(alice)
        alice.is_active = False
        alice.save()
        assert self.nothing(service, watch)

    def test_in_quiet_hours_it_waits(self, alice, browser, service, watch):
        DeliverySettings.objects.create(user=alice, quiet_from=11, quiet_until=13)
        tell(alice)
        push.send_due(clock=watch)
        assert service.requests == []
        watch.now += timedelta(hours=1)
        push.send_due(clock=watch)
        assert len(service.requests) == 1

    def test_a_test_of_another_channel(self, alice, browser, service, watch):
        trial.send(alice, trial.SITE, now=NOW)
        assert self.nothing(service, watch)
        trial.send(alice, trial.PUSH, now=NOW)
        push.send_due(clock=watch)
        assert len(service.requests) == 1


class TestTrouble:
    @pytest.mark.parametrize("status", [404, 410])
    def test_a_browser_that_is_gone_is_forgotten(self, alice, browser, service, watch, status):
        service.answers = [status]
        tell(alice)
        push.send_due(clock=watch)
        assert not PushDevice.objects.exists()
        assert not PushMessage.objects.exists()

    @pytest.mark.parametrize("trouble", [500, 503, 429, None])
    def test_an_ill_service_is_asked_again_later(self, alice, browser, service, watch, trouble):
        service.answers = [trouble]
        tell(alice)
        assert push.send_due(clock=watch) == {"failed": 1}
        assert push.send_due(clock=watch) == {}
        watch.now += MINUTE
        assert push.send_due(clock=watch) == {"sent": 1}
        assert len(service.requests) == 2

    @pytest.mark.parametrize("status", [500, 403])
    def test_a_browser_is_forgotten_after_the_most_attempts(
        self, alice, browser, service, watch, status
    ):
        """Whatever the messages are, and however many; its owner is notified."""
        service.answers = [status] * 20
        for number in range(200):
            tell(alice, number, kind="offer", place=f"match:{number}", now=watch.now)
            push.send_due(clock=watch)
            watch.now += 5 * MINUTE
        assert len(service.requests) == push.MAX_FAILURES
        assert not PushDevice.objects.exists()
        assert Notification.objects.filter(kind=push.PUSH_STOPPED).count() == 1

    def test_an_hour_without_a_push_service_costs_no_subscription(
        self, alice, browser, service, watch
    ):
        service.answers = [503] * 4
        for number in range(60):
            tell(alice, number, now=watch.now)
            push.send_due(clock=watch)
            watch.now += MINUTE
        assert push.send_due(clock=watch)["sent"] == 0
        watch.now += timedelta(hours=1)
        assert push.send_due(clock=watch)["sent"] == 1

    def test_one_that_is_taken_begins_the_count_again(self, alice, browser, service, watch):
        service.answers = [403, 201]
        for number in range(2):
            tell(alice, number, kind="offer")
            push.send_due(clock=watch)
            watch.now += MINUTE
        assert PushDevice.objects.get().refusals == 0

    def test_an_attempt_counts_at_the_soft_time_limit(
        self, alice, browser, service, watch, monkeypatch
    ):
        def hang(*_):
            raise SoftTimeLimitExceeded

        monkeypatch.setattr(endpoints, "post", hang)
        tell(alice)
        for number in range(1, push.MAX_FAILURES):
            assert push.send_due(clock=watch) == {"failed": 1}
            assert PushDevice.objects.get().refusals == number
            watch.now = PushDevice.objects.get().next_try
        push.send_due(clock=watch)
        assert not PushDevice.objects.exists()

    def test_an_attempt_counts_in_which_the_worker_is_killed(
        self, alice, browser, service, watch, monkeypatch
    ):
        asked = []

        def die(*_):
            asked.append(1)
            raise KeyboardInterrupt

        monkeypatch.setattr(endpoints, "post", die)
        for number in range(push.MAX_FAILURES):
            tell(alice, number, kind="offer", now=watch.now)
            with pytest.raises(KeyboardInterrupt):
                push.send_due(clock=watch)
            watch.now = PushDevice.objects.get().next_try
        tell(alice, 9, kind="offer", now=watch.now)
        push.send_due(clock=watch)
        assert len(asked) == push.MAX_FAILURES
        assert not PushDevice.objects.exists()

    def test_dead_browsers_of_one_user_do_not_hold_up_another(
        self, alice, browser, service, watch, monkeypatch
    ):
        """Each attempt takes ten seconds, and a run goes on for forty."""
        for number in range(9):
            subscribed(alice, f"{service.url}/{number}")
        bruno = confirmed("bruno")
        subscribed(bruno, f"{service.url}/bruno")
        tell(alice)
        tell(bruno)
        post = endpoints.post

        def slow(endpoint, *rest):
            if endpoint.endswith("/bruno"):
                return post(endpoint, *rest)
            watch.now += timedelta(seconds=10)
            raise TimeoutError

        monkeypatch.setattr(endpoints, "post", slow)
        assert push.send_due(clock=watch) == {"failed": 1, "sent": 1}

    def test_a_run_ends_in_time_however_many_browsers_one_user_has(
        self, alice, browser, service, watch, monkeypatch
    ):
        for number in range(9):
            subscribed(alice, f"{service.url}/{number}")
        tell(alice)

        def slow(*_):
            watch.now += timedelta(seconds=9)
            return 201

        monkeypatch.setattr(endpoints, "post", slow)
        push.send_due(clock=watch)
        assert watch.now - NOW <= outbox.MAX_RUN_TIME + timedelta(seconds=9)

    def test_a_redirect_is_not_followed(self, alice, browser, service, watch):
        service.answers = [307]
        tell(alice)
        assert push.send_due(clock=watch) == {"failed": 1}
        assert len(service.requests) == 1
        assert not PushMessage.objects.exists()


class Drip:
    """A server that answers a byte at a time, until the other side hangs up or all is sent."""

    ANSWER = b"HTTP/1.1 201 Created\r\n\r\n"

    def __enter__(self):
        self.hung_up = threading.Event()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        return self

    def _serve(self):
        line, _ = self._server.accept()
        with line:
            line.recv(1000)
            try:
                for byte in self.ANSWER:
                    line.sendall(bytes([byte]))
                    time.sleep(0.1)
            except OSError:
                self.hung_up.set()

    def __exit__(self, *_):
        self._server.close()


class TestDeadline:
    def test_an_endpoint_that_answers_a_byte_at_a_time(self, settings, monkeypatch):
        monkeypatch.setattr(endpoints, "DEADLINE", 0.5)
        with Drip() as drip:
            settings.PUSH_TEST_RECEIVER = drip.url
            with pytest.raises(TimeoutError):
                endpoints.post(f"{drip.url}/x", b"", {})
            assert drip.hung_up.wait(20), "the connection is really cut"

    def test_a_handshake_that_goes_on(self, monkeypatch):
        """The server sends the beginning of one and then nothing more."""
        monkeypatch.setattr(endpoints, "DEADLINE", 0.5)
        monkeypatch.setattr(endpoints, "_public_address", lambda host: "8.8.8.8")
        ours, theirs = socket.socketpair()
        monkeypatch.setattr(socket, "create_connection", lambda *a, **k: ours)
        with theirs:
            theirs.sendall(b"\x16\x03\x03\x40\x00")
            with pytest.raises(TimeoutError):
                endpoints.post("https://push.example.org/x", b"", {})
            theirs.settimeout(20)
            while theirs.recv(1000):
                pass

    def test_a_name_that_nobody_answers_for(self, monkeypatch):
        monkeypatch.setattr(endpoints, "DEADLINE", 0.5)
        asked, answers = threading.Event(), threading.Event()
        connected = []

        def look(*_, **__):
            asked.set()
            answers.wait(20)
            return [(socket.AF_INET, 1, 6, "", ("8.8.8.8", 443))]

        monkeypatch.setattr(socket, "getaddrinfo", look)
        monkeypatch.setattr(socket, "create_connection", lambda *a, **k: connected.append(a))
        with pytest.raises(TimeoutError):
            endpoints.post("https://push.example.org/x", b"", {})
        assert asked.is_set()
        answers.set()
        for thread in threading.enumerate():
            if thread.name == "push":
                thread.join(20)
        assert connected == []


class TestDevices:
    def test_a_browser_belongs_to_who_turned_it_on_last(self, alice, browser, service, watch):
        tell(alice)
        push.hand_out(now=NOW)
        bruno = confirmed("bruno")
        push.subscribe(bruno, **browser.given, browser="Chromium", now=NOW)
        assert [device.user for device in PushDevice.objects.all()] == [bruno]
        assert push.send_due(clock=watch) == {}
        assert service.requests == []

    def test_the_oldest_of_too_many_goes(self, alice, service):
        for number in range(push.MAX_DEVICES + 2):
            subscribed(alice, f"{service.url}/{number}")
        found = PushDevice.objects.filter(user=alice)
        assert found.count() == push.MAX_DEVICES
        assert not found.filter(endpoint__endswith="/0").exists()

    def test_nothing_piles_up_without_browsers(self, alice, watch):
        tell(alice)
        push.send_due(clock=watch)
        assert not Notification.objects.filter(push_due=True).exists()
        assert not PushMessage.objects.exists()

    def test_the_key_is_made_once_and_kept_encrypted(self, db):
        assert push.public_key() == push.public_key()
        number = push.site_key().private_numbers().private_value
        assert str(number) not in SiteKey.objects.get().value


class TestWhereNothingGoes:
    @pytest.mark.parametrize(
        "address",
        ["127.0.0.1", "10.0.0.1", "192.168.1.1", "172.16.0.1", "169.254.169.254", "100.64.0.1",
         "0.0.0.0", "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1%eth0", "fc00::1",
         "ff02::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "2002:7f00:1::", "64:ff9b::7f00:1",
         "2001:db8::1"],
    )  # fmt: skip
    def test_private_addresses(self, address, monkeypatch):
        asked = []
        family = socket.AF_INET6 if ":" in address else socket.AF_INET
        found = [(family, socket.SOCK_STREAM, 6, "", (address, 443))]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: found)
        monkeypatch.setattr(socket, "create_connection", lambda *a, **k: asked.append(a))
        with pytest.raises(endpoints.BadEndpoint):
            endpoints.post("https://push.example.org/x", b"", {})
        assert asked == []

    def test_one_private_address_among_public_ones(self, monkeypatch):
        found = [(socket.AF_INET, 1, 6, "", (ip, 443)) for ip in ("8.8.8.8", "10.0.0.1")]
        monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: found)
        with pytest.raises(endpoints.BadEndpoint):
            endpoints.post("https://push.example.org/x", b"", {})

    def test_the_connection_goes_to_the_address_that_was_checked(self, monkeypatch):
        found = [(socket.AF_INET, 1, 6, "", ("8.8.8.8", 443))]
        looked, asked = [], []

        def look(*args, **kwargs):
            looked.append(args)
            return found

        def connect(address, *args, **kwargs):
            asked.append(address)
            raise ConnectionRefusedError

        monkeypatch.setattr(socket, "getaddrinfo", look)
        monkeypatch.setattr(socket, "create_connection", connect)
        with pytest.raises(ConnectionRefusedError):
            endpoints.post("https://push.example.org/x", b"", {})
        assert asked == [("8.8.8.8", 443)]
        assert len(looked) == 1

    @pytest.mark.parametrize("endpoint", ["http://push.example.org/", "http://127.0.0.1:1/x"])
    def test_plain_http(self, endpoint):
        with pytest.raises(endpoints.BadEndpoint):
            endpoints.post(endpoint, b"", {})

    def test_the_receiver_of_tests_is_one_origin_alone(self, service):
        assert endpoints.post(f"{service.url}/x", b"", {}) == 201
        other = service.url.rpartition(":")[0] + ":1"
        for endpoint in (f"{other}/x", service.url.replace("http:", "https:")):
            with pytest.raises(endpoints.BadEndpoint):
                endpoints.post(endpoint, b"", {})
