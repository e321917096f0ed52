"""Web push against a receiver on this machine: what arrives, what does not, what goes nowhere."""

import json
import socket
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.cache import cache

from accounts import notifications, presence
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
        tell(alice, now=NOW - push.OLD)
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
        assert push.send_due(clock=watch) == {"waits": 1}
        assert push.send_due(clock=watch) == {}
        watch.now += MINUTE
        assert push.send_due(clock=watch) == {"sent": 1}
        assert len(service.requests) == 2

    def test_it_is_given_up_in_the_end(self, alice, browser, service, watch):
        service.answers = [500] * 20
        tell(alice)
        for _ in range(12):
            push.send_due(clock=watch)
            watch.now += 20 * MINUTE
        assert len(service.requests) == push.MOST_ATTEMPTS
        assert not PushMessage.objects.exists()
        assert PushDevice.objects.get().refusals == 1

    def test_a_browser_that_refuses_is_left(self, alice, browser, service, watch):
        service.answers = [403] * 20
        for number in range(readers.MOST_REFUSALS + 3):
            tell(alice, number, kind="offer")
            push.send_due(clock=watch)
        assert len(service.requests) == readers.MOST_REFUSALS

    def test_one_that_is_taken_begins_the_count_anew(self, alice, browser, service, watch):
        service.answers = [403, 201]
        for number in range(2):
            tell(alice, number, kind="offer")
            push.send_due(clock=watch)
        assert PushDevice.objects.get().refusals == 0

    def test_a_redirect_is_not_followed(self, alice, browser, service, watch):
        service.answers = [307]
        tell(alice)
        assert push.send_due(clock=watch) == {"dropped": 1}
        assert len(service.requests) == 1


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
        for number in range(push.MOST_DEVICES + 2):
            subscribed(alice, f"{service.url}/{number}")
        found = PushDevice.objects.filter(user=alice)
        assert found.count() == push.MOST_DEVICES
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
