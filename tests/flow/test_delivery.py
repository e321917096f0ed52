"""What is mailed when: merged, replaced, put off, refused; each notification is accounted for."""

import smtplib
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.cache import cache
from django.core.mail.backends.locmem import EmailBackend

from accounts import notifications, outbox, unsubscribe
from accounts.delivery import muting, pace, readers, trial
from accounts.delivery.models import DeliverySettings
from accounts.models import Notification
from accounts.notifications import NotificationEmail
from games.matches import services
from tests.people import confirmed, html_of

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
PNG = b"\x89PNG\r\n\x1a\n" + bytes(20)
CET = ZoneInfo("Europe/Berlin")
CHANGES = [datetime(2026, 3, 28, 12, tzinfo=UTC), datetime(2026, 10, 24, 12, tzinfo=UTC)]
"""The days before the clocks of that zone change."""


class Watch:
    """A clock that stands still until it is set forward."""

    now = NOW

    def __call__(self):
        return self.now


class Refusing(EmailBackend):
    """A mail server that refuses every address while ``refuses`` is set."""

    asked = 0
    refuses = True

    def send_messages(self, messages):
        type(self).asked += 1
        if self.refuses:
            (to,) = messages[0].to
            raise smtplib.SMTPRecipientsRefused({to: (550, b"no such user")})
        return super().send_messages(messages)


@pytest.fixture(autouse=True)
def _fresh():
    cache.clear()


@pytest.fixture
def _kinds(monkeypatch):
    def email(told):
        subject = f"{told.kind} {told.payload['n']}"
        html = f'<p>{subject}</p><img src="cid:board" alt="">'
        return NotificationEmail(subject, subject, html, "/m/", [("board", PNG)])

    def register(name, **more):
        notifications.register(name, title=f"Title of {name}", render=email, **more)

    monkeypatch.setattr(notifications, "_kinds", {})
    register("turn", group="match", many=lambda count: f"It is your turn in {count} matches")
    register("ended", group="match")
    register("challenge")
    register("short", use_until=lambda told: NOW + timedelta(hours=told.payload["ends"]))
    trial.register()


@pytest.fixture
def alice(db, _kinds):
    return confirmed("Alice")


@pytest.fixture
def watch():
    return Watch()


def tell(user, kind="challenge", n=1, now=NOW, **payload):
    payload = {"n": n, **payload}
    notifications.notify(recipient=user, kind=kind, payload=payload, now=now)
    return Notification.objects.latest("pk")


def states(kind=None):
    rows = Notification.objects.filter(kind=kind) if kind else Notification.objects.all()
    return list(rows.order_by("pk").values_list("mail_state", flat=True))


def choose(user, **fields):
    DeliverySettings.objects.update_or_create(user=user, defaults=fields)


class TestMerging:
    def test_what_is_due_at_once_is_one_mail(self, alice, watch):
        tell(alice, n=1)
        tell(alice, n=2)
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        assert message.subject == "challenge 1 (and 1 more)"
        assert "challenge 1" in message.body
        assert "challenge 2" in message.body
        assert states() == ["sent", "merged"]

    def test_several_turns_have_a_subject_of_their_own(self, alice, watch):
        for number in range(3):
            tell(alice, "turn", place=f"match:{number}")
        outbox.send_due(clock=watch)
        assert [message.subject for message in mail.outbox] == ["It is your turn in 3 matches"]

    def test_each_picture_stands_in_its_own_part(self, alice, watch):
        first, second = tell(alice, n=1), tell(alice, n=2)
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        names = [part["Content-ID"] for part in message.attachments]
        assert names == [f"<board-{first.pk}>", f"<board-{second.pk}>"]
        for told in (first, second):
            assert f'src="cid:board-{told.pk}"' in html_of(message)

    @pytest.mark.slow
    def test_many_are_told_in_a_line_each(self, alice, watch):
        for number in range(120):
            tell(alice, n=number)
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        assert message.attachments == []
        assert all(f"challenge {number}\n" in message.body for number in range(120))
        assert states() == ["sent"] + ["merged"] * 119

    def test_a_reminder_gives_the_subject(self, alice, watch):
        tell(alice)
        tell(alice, "short", ends=20)
        outbox.send_due(clock=watch)
        assert mail.outbox[0].subject == "short 1 (and 1 more)"

    def test_one_click_ends_all_kinds_of_the_mail_and_each_has_a_link(self, alice, watch):
        tell(alice)
        tell(alice, "turn")
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        whole = message.extra_headers["List-Unsubscribe"]
        assert whole.endswith(unsubscribe.address(alice, "challenge", "turn") + ">")
        for kind in ("challenge", "turn"):
            assert unsubscribe.address(alice, kind) in message.body

    def test_only_mails_of_one_page_are_a_thread(self, alice, watch):
        tell(alice, place="match:1")
        tell(alice, place="match:1")
        outbox.send_due(clock=watch)
        assert mail.outbox[0].extra_headers["References"].startswith("<place-match-1.")
        tell(alice, place="match:1")
        tell(alice, place="match:2")
        outbox.send_due(clock=watch)
        assert "References" not in mail.outbox[1].extra_headers


class TestReplacing:
    def test_of_a_match_only_the_latest_is_mailed(self, alice, watch):
        for number in range(60):
            tell(alice, "turn", n=number, place="match:1")
        tell(alice, "turn", n=99, place="match:2")
        outbox.send_due(clock=watch)
        (message,) = mail.outbox
        assert message.subject == "It is your turn in 2 matches"
        assert "turn 59" in message.body
        assert states() == ["replaced"] * 59 + ["sent", "merged"]

    def test_what_is_not_wanted_stands_for_nothing(self, alice, watch):
        alice.mail_off = ["ended"]
        alice.save()
        tell(alice, "turn", place="match:1")
        tell(alice, "ended", place="match:1")
        outbox.send_due(clock=watch)
        assert states() == ["sent", "off"]

    @pytest.mark.django_db
    def test_a_turn_that_was_taken_is_not_mailed(self, play, watch):
        confirmed_address(play.people[1])
        play.move(0, "1")
        play.move(1, "1")
        outbox.send_due(clock=watch)
        assert states("your-turn")[0] == "over"

    @pytest.mark.django_db
    def test_sixty_moves_and_take_backs_are_one_mail(self, start, watch):
        play = start(clock=None, heap=100)
        bruno = play.people[1]
        Notification.objects.all().delete()
        address = confirmed_address(bruno)
        for _ in range(3):
            play.move(0, "1")
            play.act(services.take_back, 0)
        play.move(0, "2")
        outbox.send_due(clock=watch)
        assert [message.to for message in mail.outbox] == [[address]]


def confirmed_address(user):
    user.emailaddress_set.update_or_create(
        email=f"{user.username}@example.org", defaults={"verified": True, "primary": True}
    )
    return f"{user.username}@example.org"


class TestPace:
    @pytest.mark.slow
    def test_no_more_than_so_many_an_hour_and_the_rest_at_once(self, alice, watch):
        for number in range(60):
            tell(alice, n=number, now=watch.now)
            outbox.send_due(clock=watch)
            watch.now += timedelta(minutes=1)
        assert len(mail.outbox) == pace.MAX_PER_HOUR
        watch.now = NOW + HOUR
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == pace.MAX_PER_HOUR + 1
        assert "challenge 59" in mail.outbox[-1].body
        assert set(states()) == {"sent", "merged"}

    def test_a_reminder_is_not_withheld_past_its_use(self, alice, watch):
        for number in range(pace.MAX_PER_HOUR):
            tell(alice, n=number)
            outbox.send_due(clock=watch)
        tell(alice, "short", n=1, ends=2)
        tell(alice, "short", n=2, ends=20)
        outbox.send_due(clock=watch)
        assert states("short") == ["sent", "due"]

    def test_others_have_room_of_their_own(self, alice, watch):
        for number in range(20):
            tell(alice, n=number)
            outbox.send_due(clock=watch)
        tell(confirmed("bruno"))
        outbox.send_due(clock=watch)
        assert mail.outbox[-1].to == ["bruno@example.org"]

    def test_quiet_hours(self, alice, watch):
        choose(alice, quiet_from=11, quiet_until=13)
        tell(alice)
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        watch.now = NOW + HOUR
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1

    def test_a_reminder_breaks_the_quiet_where_it_would_come_too_late(self, alice, watch):
        choose(alice, quiet_from=11, quiet_until=13)
        tell(alice, "short", n=1, ends=2)
        tell(alice, "short", n=2, ends=9)
        outbox.send_due(clock=watch)
        assert states("short") == ["sent", "due"]

    def test_once_a_day_at_the_readers_hour(self, alice, watch):
        alice.time_zone = "Asia/Tokyo"  # there it is nine in the evening
        alice.save()
        choose(alice, mail_daily=["challenge"], daily_hour=7)
        tell(alice, n=1)
        tell(alice, n=2, now=NOW + HOUR)
        watch.now = NOW + HOUR
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        watch.now = datetime(2026, 5, 1, 21, 59, tzinfo=UTC)
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        watch.now += timedelta(minutes=1)
        outbox.send_due(clock=watch)
        assert [message.subject for message in mail.outbox] == ["challenge 1 (and 1 more)"]

    def test_what_was_seen_before_the_daily_mail_is_not_in_it(self, alice, watch):
        choose(alice, mail_daily=["challenge"])
        tell(alice)
        outbox.send_due(clock=watch)
        notifications.mark_seen(recipient=alice, now=NOW + HOUR)
        watch.now = NOW + DAY
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        assert states() == ["seen"]

    def test_who_turns_the_clock_of_the_daily_mail_gets_it_then(self, alice, watch):
        choose(alice, mail_daily=["challenge"], daily_hour=13)
        tell(alice)
        outbox.send_due(clock=watch)
        choose(alice, daily_hour=20)
        watch.now = NOW + HOUR
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        watch.now = NOW + 8 * HOUR
        outbox.send_due(clock=watch)
        assert len(mail.outbox) == 1

    @pytest.mark.parametrize("day", CHANGES)
    @pytest.mark.parametrize("hour", range(24))
    def test_where_clocks_change_it_still_comes_once(self, day, hour):
        since, found = day, []
        while since < day + 3 * DAY:
            since = pace.next_at(hour, CET, since)
            found.append(since)
        assert len({moment.astimezone(CET).date() for moment in found}) == len(found)
        assert len(found) in (3, 4)

    @pytest.mark.parametrize("day", CHANGES)
    @pytest.mark.parametrize(("start", "end"), [(22, 6), (1, 4), (2, 3), (3, 2), (0, 23), (5, 5)])
    def test_quiet_hours_end(self, day, start, end):
        for minutes in range(0, 3 * 24 * 60, 20):
            now = day + timedelta(minutes=minutes)
            until = pace.quiet_end(start, end, CET, now)
            inside = (now.astimezone(CET).hour - start) % 24 < (end - start) % 24
            assert (until is not None) is inside
            if until is not None:
                assert now < until <= now + DAY + HOUR


class TestMuting:
    def test_a_muted_match_is_not_mailed_but_for_reminders(self, alice, watch):
        muting.mute(alice, "match:1", now=NOW)
        muting.mute(alice, "match:1", now=NOW)
        tell(alice, "turn", place="match:1")
        tell(alice, "short", ends=9, place="match:1")
        tell(alice, "turn", place="match:2")
        outbox.send_due(clock=watch)
        assert states() == ["off", "sent", "merged"]
        muting.unmute(alice, "match:1")
        assert not muting.is_muted(alice, "match:1")


class TestRefusals:
    @pytest.fixture(autouse=True)
    def server(self, monkeypatch):
        monkeypatch.setattr(Refusing, "asked", 0)
        monkeypatch.setattr(Refusing, "refuses", True)
        monkeypatch.setattr(outbox, "get_connection", Refusing)
        return Refusing

    @pytest.fixture
    def gone(self, alice, watch):
        told = tell(alice)
        while Notification.objects.get(pk=told.pk).mail_state == "due":
            outbox.send_due(clock=watch)
            watch.now += HOUR
        return told

    def test_after_a_few_it_is_left(self, alice, gone, server, watch):
        assert server.asked == readers.MAX_REFUSALS
        assert states() == ["failed"]
        tell(alice, now=watch.now)
        outbox.send_due(clock=watch)
        assert server.asked == readers.MAX_REFUSALS
        assert states() == ["failed", "failed"]
        assert readers.refused_address(alice) == alice.email

    def test_a_mail_that_is_taken_begins_the_count_again(self, alice, server, watch):
        for _ in range(3):
            server.refuses = True
            tell(alice, now=watch.now)
            for _ in range(readers.MAX_REFUSALS - 1):
                outbox.send_due(clock=watch)
                watch.now += HOUR
            server.refuses = False
            outbox.send_due(clock=watch)
        assert states() == ["sent"] * 3

    def test_another_address_is_written_to(self, alice, gone, server, watch):
        server.refuses = False
        alice.emailaddress_set.update(email="new@example.org")
        assert readers.refused_address(alice) == ""
        tell(alice, now=watch.now)
        outbox.send_due(clock=watch)
        assert mail.outbox[-1].to == ["new@example.org"]

    def test_refusals_of_one_do_not_keep_others_waiting(self, alice, server, watch, monkeypatch):
        for number in range(outbox.MAX_FAILURES_IN_A_ROW + 2):
            tell(confirmed(f"gone{number}"))
        outbox.send_due(clock=watch)
        assert server.asked == outbox.MAX_FAILURES_IN_A_ROW + 2


class TestTrial:
    def test_a_test_mail_heeds_neither_quiet_nor_pace(self, alice, watch):
        choose(alice, quiet_from=0, quiet_until=23, mail_daily=["test"])
        trial.send(alice, trial.MAIL, now=NOW)
        outbox.send_due(clock=watch)
        assert [message.subject for message in mail.outbox] == ["A test from Turnstone"]

    def test_a_test_on_the_site_is_no_mail(self, alice, watch):
        trial.send(alice, trial.SITE, now=NOW)
        outbox.send_due(clock=watch)
        assert mail.outbox == []
        assert notifications.unseen(alice) == 1
