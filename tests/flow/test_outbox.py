"""Sending the mails of notifications: what is in one, to whom, once, and again after a failure."""

import logging
import smtplib
from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend
from django.template import engines
from django.test import Client

from accounts import mail as mails
from accounts import notifications, outbox, presence, tasks, unsubscribe
from accounts.models import Notification, User
from accounts.notifications import NotificationEmail
from tests.people import confirmed, html_of

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
MINUTE = timedelta(minutes=1)


class Watch:
    """A clock that stands still until it is set forward."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


class Server(EmailBackend):
    """A mail server of which tests say what it answers: errors to raise, then it takes mails."""

    troubles: list[Exception] = []
    asked = 0
    before = staticmethod(lambda: None)

    def send_messages(self, messages):
        type(self).asked += 1
        self.before()
        if self.troubles:
            raise self.troubles.pop(0)
        return super().send_messages(messages)


@pytest.fixture(autouse=True)
def server(settings, monkeypatch):
    settings.SITE_URL = "https://games.example.org"
    cache.clear()
    monkeypatch.setattr(Server, "troubles", [])
    monkeypatch.setattr(Server, "asked", 0)
    monkeypatch.setattr(Server, "before", staticmethod(lambda: None))
    monkeypatch.setattr(outbox, "get_connection", Server)
    return Server


def email(notification):
    return NotificationEmail(
        subject=f"Your turn\nin match {notification.payload['n']}",
        text="Bruno played c4.\n\nIt is <your> turn.",
        html='<p>Bruno played c4.</p><img src="cid:board" alt="The board">',
        url="/matches/7/",
        images=[("board", PNG)],
    )


@pytest.fixture(autouse=True)
def _kinds(monkeypatch):
    monkeypatch.setattr(notifications, "_kinds", {})
    notifications.register("turn", title="It is your turn", render=email)
    notifications.register("broken", title="Broken", render=lambda notification: 1 / 0)


@pytest.fixture
def watch():
    return Watch()


def tell(user, kind="turn", place="", now=NOW):
    notifications.notify(recipient=user, kind=kind, payload={"n": 7, "place": place}, now=now)
    return Notification.objects.latest("pk")


def tell_many(count):
    """Tell as many people something; return them."""
    people = [confirmed(f"reader{number}") for number in range(count)]
    for person in people:
        tell(person)
    return people


def fresh(notification):
    return Notification.objects.get(pk=notification.pk)


class TestTheMail:
    @pytest.fixture
    def message(self, alice, watch):
        tell(alice, place="match:7")
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        return message

    def test_words(self, message):
        assert message.subject == "Your turn in match 7"
        assert message.to == ["alice@example.org"]
        for content in (message.body, html_of(message)):
            assert "Hello Alice" in content
            assert "Bruno played c4." in content
            assert "https://games.example.org/matches/7/" in content
            assert "It is your turn" in content
        assert "It is <your> turn." in message.body

    def test_one_click_ends_them(self, message, alice):
        headers = message.extra_headers
        assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
        address = headers["List-Unsubscribe"].removeprefix("<").removesuffix(">")
        assert address == mails.absolute(unsubscribe.address(alice, "turn"))
        assert address in message.body
        assert address in html_of(message)
        path = address.removeprefix("https://games.example.org")
        Client(enforce_csrf_checks=True).post(path, {"List-Unsubscribe": "One-Click"})
        alice.refresh_from_db()
        assert alice.mail_off == ["turn"]

    def test_other_headers(self, message):
        headers = message.extra_headers
        notification = Notification.objects.get()
        assert headers["Auto-Submitted"] == "auto-generated"
        assert (
            headers["Message-ID"] == f"<notice-{notification.pk}.20260501120000@games.example.org>"
        )
        assert headers["References"].startswith("<place-match-7.")

    def test_parts(self, message):
        whole = message.message()
        assert whole.get_content_type() == "multipart/related"
        words, picture = whole.get_payload()
        assert words.get_content_type() == "multipart/alternative"
        kinds = [part.get_content_type() for part in words.get_payload()]
        assert kinds == ["text/plain", "text/html"]
        assert picture["Content-ID"] == "<board>"
        assert picture["Content-Disposition"].startswith("inline")
        assert picture.get_payload(decode=True) == PNG

    def test_the_row_says_so(self, message):
        notification = Notification.objects.get()
        assert (notification.mail_state, notification.sent_at, notification.attempts) == (
            "sent",
            NOW,
            1,
        )


def test_times_in_a_letter_are_the_readers(alice, watch, monkeypatch):
    User.objects.update(time_zone="Asia/Tokyo")
    said = "{{ notice.created|date:'H:i' }}"

    def render(notification):
        words = engines["django"].from_string(said).render({"notice": notification})
        return NotificationEmail("s", words, words, "/")

    notifications.register("turn", title="t", render=render)
    tell(alice)
    outbox.send_due(clock=watch)
    assert "21:00" in mail.outbox[0].body


def test_it_goes_out_once(alice, watch):
    tell(alice)
    outbox.send_due(clock=watch)
    watch.now += timedelta(days=30)
    outbox.send_due(clock=watch)
    assert len(mail.outbox) == 1


def test_the_task_sends(alice):
    tell(alice)
    tasks.send_notifications()
    assert len(mail.outbox) == 1


def test_not_before_it_is_due(alice, watch):
    tell(alice, now=NOW + MINUTE)
    outbox.send_due(clock=watch)
    assert mail.outbox == []
    watch.now += MINUTE
    outbox.send_due(clock=watch)
    assert len(mail.outbox) == 1


class TestToWhom:
    def states(self, watch):
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        return set(Notification.objects.values_list("mail_state", flat=True))

    def test_not_to_who_wants_none_of_the_kind(self, alice, watch):
        tell(alice)
        User.objects.update(mail_off=["turn"])
        assert self.states(watch) == {"off"}

    def test_not_to_an_address_that_is_not_confirmed(self, alice, watch):
        alice.emailaddress_set.update(verified=False)
        tell(alice)
        assert self.states(watch) == {"off"}

    def test_not_to_a_second_address(self, alice, watch):
        alice.emailaddress_set.update(primary=False)
        tell(alice)
        assert self.states(watch) == {"off"}

    def test_not_to_a_closed_account(self, alice, watch):
        User.objects.update(is_active=False)
        tell(alice)
        assert self.states(watch) == {"off"}

    def test_not_to_a_sample_player(self, watch):
        tell(User.objects.create(username="sample", email="sample@example.org"))
        assert self.states(watch) == {"off"}

    def test_not_to_who_has_seen_it(self, alice, watch):
        tell(alice)
        notifications.mark_seen(recipient=alice, now=NOW)
        assert self.states(watch) == {"seen"}


class TestReading:
    @pytest.fixture
    def reads(self, monkeypatch):
        """How often what is due is asked for."""
        found, waiting = [], outbox._waiting
        monkeypatch.setattr(outbox, "_waiting", lambda now: (found.append(now), waiting(now))[1])
        return found

    def test_a_run_reads_a_few_once_and_looks_whether_there_are_more(self, watch, reads):
        tell_many(3)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 3
        assert len(reads) == 2

    def test_many_are_read_until_there_are_none(self, watch, monkeypatch):
        """Of a reader whom a batch meets, all goes out at once."""
        monkeypatch.setattr(outbox, "BATCH_SIZE", 2)
        for person in tell_many(4):
            tell(person), tell(person)
        outbox.send_due(clock=watch)
        assert not Notification.objects.filter(mail_state="due").exists()
        assert len(mail.outbox) == 4


class TestPresence:
    PLACE = "match:7"

    def test_who_looks_at_it_gets_no_mail(self, alice, watch):
        notification = tell(alice, place=self.PLACE)
        presence.touch(alice.pk, self.PLACE, now=NOW + MINUTE / 4)
        watch.now += MINUTE / 2
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        assert fresh(notification).mail_state == "seen"
        assert fresh(notification).seen_at == NOW + MINUTE / 4

    def test_who_looked_just_before_and_left_gets_it_a_little_later(self, alice, watch):
        notification = tell(alice, place=self.PLACE)
        presence.touch(alice.pk, self.PLACE, now=NOW - MINUTE / 4)
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        assert (fresh(notification).mail_state, fresh(notification).attempts) == ("due", 0)
        watch.now += MINUTE
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1

    def test_who_looked_before_and_still_looks_gets_none(self, alice, watch):
        tell(alice, place=self.PLACE)
        presence.touch(alice.pk, self.PLACE, now=NOW - MINUTE / 4)
        outbox.send_due(clock=watch)
        presence.touch(alice.pk, self.PLACE, now=NOW + MINUTE / 4)
        watch.now += MINUTE
        outbox.send_due(clock=watch)
        assert mail.outbox == []

    def test_who_looks_at_another_place_gets_it(self, alice, watch):
        tell(alice, place=self.PLACE)
        presence.touch(alice.pk, "match:8", now=NOW)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1


class TestTrouble:
    def test_a_failing_server_delays_by_longer_and_longer(self, alice, watch, server):
        notification = tell(alice)
        waits = []
        for _ in range(11):
            server.troubles = [ConnectionRefusedError(111, "Connection refused")]
            outbox.send_due(clock=watch)
            assert fresh(notification).mail_state == "due"
            waits.append((fresh(notification).next_try - watch.now) // MINUTE)
            watch.now = fresh(notification).next_try
        assert waits == [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]
        assert fresh(notification).error == "ConnectionRefusedError: Connection refused"
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1
        assert (fresh(notification).mail_state, fresh(notification).error) == ("sent", "")

    def test_it_is_not_tried_before_its_time(self, alice, watch, server):
        notification = tell(alice)
        server.troubles = [OSError("down")]
        outbox.send_due(clock=watch)
        watch.now = fresh(notification).next_try - timedelta(seconds=1)
        outbox.send_due(clock=watch)
        assert server.asked == 1

    def test_after_days_it_is_given_up_and_the_admin_may_try_again(self, alice, watch, server):
        notification = tell(alice)
        while fresh(notification).mail_state == "due":
            server.troubles = [smtplib.SMTPRecipientsRefused({alice.email: (450, b"try later")})]
            watch.now = fresh(notification).next_try
            outbox.send_due(clock=watch)
        given_up = fresh(notification)
        assert given_up.mail_state == "failed"
        assert timedelta(days=2) < watch.now - NOW < timedelta(days=4)
        assert given_up.error == "SMTPRecipientsRefused: 450"
        server.troubles = []
        outbox.send_due(clock=watch)
        assert mail.outbox == []

    def test_a_server_that_is_down_is_not_asked_for_every_mail(self, alice, watch, server):
        tell_many(30)
        server.troubles = [OSError("down") for _ in range(30)]
        outbox.send_due(clock=watch)
        assert server.asked == outbox.MAX_FAILURES_IN_A_ROW
        assert (
            Notification.objects.filter(attempts=0, mail_state="due").count()
            == 30 - outbox.MAX_FAILURES_IN_A_ROW
        )
        server.troubles = []
        watch.now += MINUTE
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 30

    def test_single_refusals_do_not_stop_a_run(self, alice, watch, server):
        tell_many(20)
        server.troubles = [OSError("x")] * (outbox.MAX_FAILURES_IN_A_ROW - 1)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 20 - (outbox.MAX_FAILURES_IN_A_ROW - 1)

    def test_a_broken_renderer_does_not_stop_the_rest(self, alice, watch, caplog):
        for _ in range(outbox.MAX_FAILURES_IN_A_ROW + 1):
            tell(alice, "broken")
        unknown = tell(alice, "of-old")
        tell(alice)
        with caplog.at_level(logging.CRITICAL):
            outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1
        broken = Notification.objects.filter(kind="broken").first()
        assert broken.mail_state == "due"
        assert broken.error == "Could not be put into words: ZeroDivisionError"
        assert fresh(unknown).error.endswith("UnknownKind")

    def test_a_letter_that_cannot_be_a_mail_does_not_stop_the_rest(self, alice, watch):
        notifications.register(
            "odd",
            title="Odd",
            render=lambda n: NotificationEmail("s", "t", "h", "/", [("board", None)]),
        )
        odd = tell(alice, "odd")
        tell(alice)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1
        assert fresh(odd).mail_state == "due"

    @pytest.mark.parametrize(
        ("error", "said"),
        [
            (smtplib.SMTPDataError(451, b"try later"), "SMTPDataError: 451 try later"),
            (smtplib.SMTPServerDisconnected("secret"), "SMTPServerDisconnected"),
            (TimeoutError("secret"), "TimeoutError"),
            (ValueError("secret"), "ValueError"),
            (OSError(113, "No route to host"), "OSError: No route to host"),
        ],
    )
    def test_what_the_admin_reads(self, error, said):
        assert outbox.describe(error) == said

    def test_a_long_error_is_cut(self, alice, watch, server):
        notification = tell(alice)
        server.troubles = [smtplib.SMTPDataError(500, b"x" * 5000)]
        outbox.send_due(clock=watch)
        assert len(fresh(notification).error) == outbox.MAX_ERROR_LENGTH


class TestWorkers:
    def test_a_killed_worker_loses_nothing(self, alice, watch, server):
        notification = tell(alice)
        server.before = staticmethod(_killed)
        with pytest.raises(KeyboardInterrupt):
            outbox.send_due(clock=watch)
        assert fresh(notification).mail_state == "sending"
        server.before = staticmethod(lambda: None)
        watch.now += outbox.LEASE - timedelta(seconds=1)
        outbox.send_due(clock=watch)
        assert mail.outbox == [], "it may still live"
        watch.now += timedelta(seconds=1)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1

    def test_what_kills_every_worker_is_given_up(self, alice, watch):
        notification = tell(alice)
        Notification.objects.update(mail_state="sending", attempts=outbox.MAX_ATTEMPTS)
        outbox.send_due(clock=watch)
        assert fresh(notification).mail_state == "failed"
        assert mail.outbox == []

    def test_two_workers_send_once(self, alice, watch, server):
        tell_many(3)
        server.before = staticmethod(lambda: _other_worker(server, watch))
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 3
        assert set(Notification.objects.values_list("mail_state", "attempts")) == {("sent", 1)}

    def test_a_worker_that_comes_back_late_changes_nothing(self, alice, watch, server):
        notification = tell(alice)

        def sleep():
            server.before = staticmethod(lambda: None)
            watch.now += outbox.LEASE
            outbox.send_due(clock=watch)
            raise OSError("late")

        server.before = staticmethod(sleep)
        outbox.send_due(clock=watch)
        assert (fresh(notification).mail_state, fresh(notification).attempts) == ("sent", 2)

    def test_both_mails_of_a_crash_have_one_message_id(self, alice, watch, server):
        notification = tell(alice)
        outbox.send_due(clock=watch)
        Notification.objects.update(mail_state="sending", next_try=watch.now)
        outbox.send_due(clock=watch)
        first, second = mail.outbox
        assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
        assert fresh(notification).attempts == 2

    def test_what_is_seen_while_others_are_sent_is_not_sent(self, alice, watch, server):
        tell(alice)
        second = tell(confirmed("bruno"))
        server.before = staticmethod(
            lambda: Notification.objects.filter(pk=second.pk).update(seen_at=NOW)
        )
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1
        assert fresh(second).mail_state == "seen"

    def test_a_run_ends_in_time(self, alice, watch, server):
        tell_many(10)

        def slow():
            watch.now += outbox.MAX_RUN_TIME / 4

        server.before = staticmethod(slow)
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 4
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 8


def _killed():
    raise KeyboardInterrupt


def _other_worker(server, watch):
    server.before = staticmethod(lambda: None)
    outbox.send_due(clock=watch)


@pytest.mark.slow
def test_hundreds_in_few_queries(watch, django_assert_max_num_queries):
    tell_many(250)
    with django_assert_max_num_queries(2 * 250 + 6 * 4):
        outbox.send_due(clock=watch)
    assert len(mail.outbox) == 250
