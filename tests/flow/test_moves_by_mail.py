"""Moves by mail: the moves played, the replies, and senders who get none."""

import logging
from datetime import datetime, timedelta

import pytest
from django.core import mail as django_mail
from django.core.cache import cache
from django.utils import timezone
from prometheus_client import REGISTRY

from accounts.delivery.models import DeliverySettings
from accounts.models import Notification, User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.mail import replies
from games.mail.replies import ReplyRefused, SmtpReply
from games.matches import selectors, services
from games.matches.models import LogEntry, Player
from games.matches.notify import notifications, reply_addresses
from games.matches.notify.reply_addresses import BadAddress
from tests.mails import AUTHSERV, DOMAIN, mail, sent, two, use
from tests.match_driver import begin
from tests.people import html_of

pytestmark = pytest.mark.django_db
GOOD = "dkim=pass header.d=example.org"


@pytest.fixture(autouse=True)
def _on(settings):
    use(settings)
    cache.clear()


@pytest.fixture
def match():
    return two()


def box():
    return sent(django_mail.outbox)


def address(match, seat=0, version=None, now=None):
    player = Player.objects.get(match=match.id, seat=seat)
    version = match.match.version if version is None else version
    return reply_addresses.make(player, version, now=now or timezone.now())


def receive(content, to, sender="ada@example.org"):
    return replies.receive(content, sender, to, now=timezone.now())


def texts(match):
    return [entry.text for entry in selectors.log(match.match)]


def answers():
    return list(Notification.objects.filter(kind=notifications.MOVE_ANSWERED).order_by("pk"))


class TestAnAddress:
    def test_it_has_room_and_survives_capitals(self, match):
        made = address(match)
        box_name, _, domain = made.partition("@")
        assert len(box_name) <= 64
        assert made == made.lower()
        assert domain == DOMAIN
        now = timezone.now()
        found = reply_addresses.read(made.upper(), now=now)
        assert (found.match_id, found.seat, found.version) == (match.id, 0, 0)
        assert found.mail == "ada@example.org"
        assert str(found) == made
        assert reply_addresses.read(made, now=now).submission == found.submission

    def test_every_other_one_is_none(self, match):
        made = address(match)
        name = made.partition("@")[0]
        now = timezone.now()
        changed = [
            name[:at] + ("a" if name[at] != "a" else "b") + name[at + 1 :]
            for at in range(len("play+"), len(name) - 1)
        ]
        for other in (*changed, "play+", "play+a", "play", "postmaster", name + "a", "play+é"):
            with pytest.raises(BadAddress):
                reply_addresses.read(f"{other}@{DOMAIN}", now=now)
        for other in (f"{name}@example.org", name, f"{name}@{DOMAIN}.evil", ""):
            with pytest.raises(BadAddress):
                reply_addresses.read(other, now=now)

    def test_it_is_for_one_seat_version_and_account(self, match):
        made = {address(match), address(match, 1), address(match, version=5)}
        assert len(made) == 3

    @pytest.mark.parametrize("time", ["00:00:00", "12:00:00", "23:59:59.9"])
    def test_it_expires(self, match, time):
        now = datetime.fromisoformat(f"2026-11-28T{time}+00:00")
        made = address(match, now=now)
        later = now + reply_addresses.LIFETIME
        reply_addresses.read(made, now=later)
        with pytest.raises(BadAddress):
            reply_addresses.read(made, now=later + timedelta(days=1))

    def test_another_address_of_the_account_ends_it(self, match):
        made = address(match)
        match.people[0].emailaddress_set.update(email="new@example.org")
        with pytest.raises(BadAddress):
            reply_addresses.read(made, now=timezone.now())

    def test_a_key_that_was_changed_is_still_known(self, match, settings):
        made = address(match)
        settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "n" * 50
        reply_addresses.read(made, now=timezone.now())
        settings.SECRET_KEY_FALLBACKS = []
        with pytest.raises(BadAddress):
            reply_addresses.read(made, now=timezone.now())

    def test_there_is_none_where_it_is_off(self, match, settings):
        made = address(match)
        DeliverySettings.objects.create(user=match.people[0], mail_replies=False)
        assert address(match) == ""
        with pytest.raises(ReplyRefused):
            replies.recipient(made, now=timezone.now())
        settings.REPLY_DOMAIN = ""
        assert address(match, 1) == ""
        with pytest.raises(BadAddress):
            reply_addresses.read(made, now=timezone.now())

    def test_a_closed_account_has_none(self, match):
        made = address(match)
        User.objects.filter(pk=match.people[0].pk).update(is_active=False)
        with pytest.raises(ReplyRefused):
            replies.recipient(made, now=timezone.now())


class TestTheMails:
    def test_a_mail_about_a_turn_can_be_answered(self, match):
        match.play("a1")
        (told,) = [m for m in box() if m.to == ["bruno@example.org"]]
        to = reply_addresses.read(told.extra_headers["Reply-To"], now=timezone.now())
        assert (to.match_id, to.seat, to.version) == (match.id, 1, 1)
        for text in (told.body, html_of(told)):
            assert "answer with your move in the first line" in text

    def test_the_example_is_a_move(self, match):
        match.play("a1")
        (told,) = [m for m in box() if m.to == ["bruno@example.org"]]
        example = told.body.partition("such as ")[2].partition(".\n")[0]
        assert receive(mail(example, sender="bruno@example.org"), told.extra_headers["Reply-To"])
        assert len(texts(match)) == 2

    def test_one_about_several_matches_cannot(self, match):
        other = begin("die", match.people, size=3)
        match.play("a1")
        other.play("a1")
        (told,) = [m for m in box() if m.to == ["bruno@example.org"]]
        assert "Reply-To" not in told.extra_headers
        assert "first line" not in told.body

    def test_one_about_several_things_in_one_match_can(self, match):
        match.play("a1")
        receive(mail("a1", sender="bruno@example.org"), address(match, 1))
        (told,) = [m for m in box() if m.to == ["bruno@example.org"]]
        assert told.subject == "“a1” was not played: DIE against ada"
        assert told.body.count("It is your turn") <= 2
        states = Notification.objects.filter(recipient=match.people[1]).order_by("pk")
        assert [row.mail_state for row in states][-2:] == ["sent", "merged"]
        to = reply_addresses.read(told.extra_headers["Reply-To"], now=timezone.now())
        assert (to.match_id, to.version) == (match.id, 1)

    def test_who_is_not_to_move_has_nothing_to_answer(self, match):
        match.act(services.resign, 0)
        (told,) = [m for m in box() if m.to == ["bruno@example.org"]]
        assert "Reply-To" not in told.extra_headers

    def test_nor_where_it_is_off(self, match, settings):
        settings.REPLY_DOMAIN = ""
        match.play("a1")
        for told in box():
            assert "Reply-To" not in told.extra_headers
            assert "first line" not in told.body


class TestAMove:
    def test_it_is_played_and_answered(self, match):
        assert receive(mail("A1.\n\n> Your turn"), address(match)) == SmtpReply.TAKEN
        assert texts(match) == ["a1"]
        assert not answers()[0].push_due, "who plays by mail reads mail"
        told = next(m for m in box() if m.to == ["ada@example.org"])
        assert told.subject == "You played a1: DIE against bruno"
        assert "You played a1." in told.body
        assert told.alternatives
        assert "Reply-To" not in told.extra_headers, "it is the other's turn"
        assert "List-Unsubscribe" not in told.extra_headers, "one has written first"
        assert "Unsubscribe" not in told.body

    def test_a_move_that_is_not_legal_is_answered_with_the_reason(self, match):
        match.play("a1")
        box()
        to = address(match, 1)
        assert receive(mail("a1", sender="bruno@example.org"), to) == SmtpReply.TAKEN
        assert texts(match) == ["a1"]
        told = next(m for m in box() if m.to == ["bruno@example.org"])
        assert told.subject.startswith("“a1” was not played: DIE")
        assert "Reply-To" in told.extra_headers
        # The way to mend it: the new address, or the old one, which no move has come to.
        again = told.extra_headers["Reply-To"]
        assert receive(mail("b1", sender="bruno@example.org"), again) == SmtpReply.TAKEN
        assert texts(match) == ["a1", "b1"]

    def test_nonsense_is_answered(self, match):
        receive(mail("Hello there, how are you?"), address(match))
        (answer,) = answers()
        assert answer.payload["refusal"]
        assert texts(match) == []

    def test_a_mail_without_a_move_is_answered(self, match):
        receive(mail("> quoted"), address(match))
        (answer,) = answers()
        assert answer.payload["refusal"] == replies.NO_MOVE
        told = next(m for m in box() if m.to == ["ada@example.org"])
        assert told.subject.startswith("No move was found: DIE")

    def test_a_move_for_an_earlier_version_is_not_played(self, match):
        to = address(match)
        match.play("a1", "b1")
        assert receive(mail("c1"), to) == SmtpReply.TAKEN
        assert texts(match) == ["a1", "b1"]
        assert answers()[-1].payload["refusal"] == replies.GONE_ON

    def test_a_match_that_is_over_says_so(self, match):
        to = address(match)
        match.act(services.resign, 1)
        receive(mail("a1"), to)
        assert "ended" in answers()[-1].payload["refusal"]
        assert any(m.to == ["ada@example.org"] and "ended" in m.body for m in box())

    def test_time_that_ran_out_is_out(self, match):
        to = address(match)
        Player.objects.filter(match=match.id, seat=0).update(
            time_left=timedelta(), deadline=timezone.now() - timedelta(hours=1)
        )
        receive(mail("a1"), to)
        assert "time" in answers()[-1].payload["refusal"]
        assert texts(match) != ["a1"]

    def test_the_same_mail_again_has_no_effect(self, match):
        to = address(match)
        for _ in range(3):
            assert receive(mail("a1"), to) == SmtpReply.TAKEN
        assert texts(match) == ["a1"]
        assert len(answers()) == 1
        match.play("b1", "c1")
        assert receive(mail("a1"), to) == SmtpReply.TAKEN
        assert len(answers()) == 1

    def test_another_move_to_an_address_that_was_used_is_refused(self, match):
        to = address(match)
        receive(mail("a1"), to)
        assert receive(mail("b1"), to) == SmtpReply.USED
        assert texts(match) == ["a1"]
        assert len(answers()) == 1

    def test_a_mail_that_was_answered_is_not_answered_again(self, match):
        to = address(match)
        for _ in range(3):
            assert receive(mail("zz"), to) == SmtpReply.TAKEN
        assert len(answers()) == 1

    def test_what_answers_by_itself_is_answered_once(self, match):
        """A program that does not say that it is one, and answers each answer."""
        for _ in range(5):
            told = receive(mail("I am on holiday."), address(match))
            assert told == SmtpReply.TAKEN
        assert len(answers()) == 1

    def test_what_could_not_be_played_before_is_answered_when_it_is(self, match):
        to, (ada, bruno) = address(match), match.people
        sanction = standing.impose(
            ada, Sanction.Kind.SUSPENSION, reason="A test.", moderator=bruno, now=timezone.now()
        )
        receive(mail("a1"), to)
        standing.lift(sanction, now=timezone.now())
        receive(mail("a1"), to)
        assert texts(match) == ["a1"]
        assert [bool(answer.payload["refusal"]) for answer in answers()] == [True, False]

    def test_what_was_played_on_the_site_is_not_played_again(self, match):
        to = address(match)
        match.play("a1")
        receive(mail("a1"), to)
        assert texts(match) == ["a1"]
        assert answers()[-1].payload["refusal"] == replies.GONE_ON

    def test_who_has_left_the_seat_is_told_in_the_dialogue(self, match):
        to = address(match)
        Player.objects.filter(match=match.id, seat=0).update(user=User.objects.create(username="x"))
        assert receive(mail("a1"), to) == SmtpReply.NO_PLAYER
        assert answers() == []

    @pytest.mark.parametrize("kind", [Sanction.Kind.SUSPENSION, Sanction.Kind.WARNING])
    def test_who_has_something_to_read_first_plays_nothing(self, match, kind):
        to = address(match)
        ada, bruno = match.people
        standing.impose(ada, kind, reason="A test.", moderator=bruno, now=timezone.now())
        assert receive(mail("a1"), to) == SmtpReply.TAKEN
        assert texts(match) == []
        assert "Sign in first" in answers()[0].payload["refusal"]

    def test_too_many_are_asked_to_come_later(self, match, settings):
        settings.FORM_LIMITS = {**settings.FORM_LIMITS, "mail-reply": {"account": ["2/d"]}}
        to = address(match)
        said = [receive(mail(text), to) for text in ("x", "y", "a1")]
        assert said == [SmtpReply.TAKEN, SmtpReply.TAKEN, SmtpReply.TOO_MANY]
        assert texts(match) == []


class TestWhoIsToldNothing:
    @pytest.mark.parametrize(
        "verdict",
        [
            "X: none",
            "Authentication-Results: elsewhere.example; dkim=pass header.d=example.org",
            f"Authentication-Results: {AUTHSERV}; dkim=fail header.d=example.org",
            f"Authentication-Results: {AUTHSERV}; none",
            f"Authentication-Results: {AUTHSERV}; spf=pass smtp.mailfrom=evil.example",
            f"Authentication-Results: x; none\r\nAuthentication-Results: {AUTHSERV}; {GOOD}",
        ],
    )
    def test_who_is_not_vouched_for(self, match, verdict):
        assert receive(mail("a1", verdict=verdict), address(match)) == SmtpReply.UNKNOWN_SENDER
        assert texts(match) == []
        assert answers() == []

    def test_somebody_else_who_is(self, match):
        eve = mail("a1", sender="eve@example.com")
        assert receive(eve, address(match)) == SmtpReply.OTHER_SENDER
        opponent = mail("a1", sender="bruno@example.org")
        assert receive(opponent, address(match)) == SmtpReply.OTHER_SENDER
        assert texts(match) == []
        assert answers() == []

    @pytest.mark.parametrize("sender", ['x";@example.org', "x y@example.org", "a(b)@example.org"])
    def test_an_odd_envelope(self, match, sender):
        assert receive(mail("a1"), address(match), sender) == SmtpReply.UNKNOWN_SENDER

    @pytest.mark.parametrize("sender", ["prvs=1234=ada@example.org", "SRS0=a=b=c@relay.example"])
    def test_usual_envelopes_are_none(self, match, sender):
        assert receive(mail("a1"), address(match), sender) == SmtpReply.TAKEN
        assert texts(match) == ["a1"]

    @pytest.mark.parametrize(
        ("headers", "sender"),
        [
            ("Auto-Submitted: auto-replied\r\n", "ada@example.org"),
            ("Precedence: bulk\r\n", "ada@example.org"),
            ("List-Id: <x.example.org>\r\n", "ada@example.org"),
            ("", "<>"),
            ("", ""),
        ],
    )
    def test_machines(self, match, headers, sender):
        assert receive(mail("a1", headers=headers), address(match), sender) == SmtpReply.TAKEN
        assert texts(match) == []
        assert answers() == []

    def test_an_unknown_address(self, match):
        made = address(match)
        assert receive(mail("a1"), "x" + made) == SmtpReply.NO_SUCH_ADDRESS

    def test_a_mail_that_cannot_be_read(self, match):
        content = mail("a1").replace(b"text/plain", b'multipart/mixed; boundary="x"')
        assert receive(content, address(match)) == SmtpReply.TAKEN
        assert answers()[0].payload["refusal"] in (replies.NO_TEXT, replies.NO_MOVE)


def test_the_log_holds_no_token_and_no_move(match, caplog):
    caplog.set_level(logging.DEBUG)
    to = address(match)
    receive(mail("a1"), to)
    receive(mail("b1"), to)
    receive(mail("a1", verdict="X: y"), to)
    assert "A mail with a move: played" in caplog.text
    assert to.partition("@")[0] not in caplog.text
    assert "ada@example.org" not in caplog.text


def test_mails_are_counted(match):
    labels = {"outcome": "played"}
    before = REGISTRY.get_sample_value("turnstone_mail_replies_total", labels) or 0
    receive(mail("a1"), address(match))
    assert REGISTRY.get_sample_value("turnstone_mail_replies_total", labels) == before + 1


def test_two_moves_of_one_turn_are_two_mails(match):
    """The address of the answer is for what comes next."""
    receive(mail("a1"), address(match))
    match.play("b1")
    told = next(m for m in box() if m.to == ["ada@example.org"])
    receive(mail("c1"), told.extra_headers["Reply-To"])
    assert texts(match) == ["a1", "b1", "c1"]
    assert LogEntry.objects.filter(match=match.id).count() == 3
