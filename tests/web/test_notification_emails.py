"""The text of notifications about matches and challenges: every kind, with its board."""

import re
from datetime import timedelta
from html.parser import HTMLParser

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils import timezone

from accounts import notifications, outbox
from accounts.mail import of_notifications
from accounts.models import Notification
from games.lobby import notification_emails as lobby_emails
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.clocks import sweeps
from games.matches.models import Player
from games.matches.notify import notification_emails
from tests.match_driver import begin, fresh_cache, match_driver
from tests.people import html_of

__all__ = ["fresh_cache", "match_driver"]

TO = "reader@example.org"


class Pictures(HTMLParser):
    """The pictures of a mail: where each comes from, and what it shows in words."""

    def __init__(self, html):
        super().__init__()
        self.found = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        if tag == "img":
            self.found.append(dict(attrs))


def latest(user, kind):
    return Notification.objects.filter(recipient=user, kind=kind).latest("pk")


def email(user, kind):
    return notifications.render(latest(user, kind))


def test_every_kind_is_known_with_a_title():
    declared = {**notification_emails.KINDS, **lobby_emails.KINDS}
    titles = {name: kind.title for name, kind in declared.items()}
    assert set(titles) <= set(notifications.kinds())
    assert all(notifications.kinds()[kind].title == title for kind, title in titles.items())


# --- Matches ------------------------------------------------------------------------------------


def test_your_turn_tells_what_happened_since_ones_own_move(match_driver):
    match_driver.play("c3", "a1", "e1", "e3")
    found = email(match_driver.people[0], "your-turn")
    assert found.subject == "Your turn: DIE against bruno"
    assert found.url == match_driver.page
    assert "It is your turn. You play Red." in found.text
    assert "4. Blue places a stone on e3." in found.text
    assert "3. Red" not in found.text
    assert "left, until" in found.text


def test_a_turn_that_is_over_by_now_is_told_as_such(match_driver):
    match_driver.play("c3", "a1")
    assert "It was your turn" in email(match_driver.people[1], "your-turn").text


def test_the_board_is_a_picture_with_words(match_driver):
    match_driver.play("c3")
    notification = latest(match_driver.people[1], "your-turn")
    found = notifications.render(notification)
    ((name, png),) = found.images
    assert png.startswith(b"\x89PNG\r\n")
    (picture,) = Pictures(found.html).found
    assert picture["src"] == f"cid:{name}"
    assert picture["alt"] == "Board of size 3: 1 red stone, 0 blue stones. Blue to move."
    assert picture["alt"] in found.text


def test_the_whole_mail_holds_letter_picture_and_link(match_driver, settings):
    match_driver.play("c3")
    notification = latest(match_driver.people[1], "your-turn")
    told = [(notification, notifications.render(notification))]
    mail = of_notifications(told, TO).message()
    link = settings.SITE_URL + match_driver.page
    assert link in mail.body
    assert f'href="{link}"' in html_of(mail)
    (picture,) = mail.attachments
    assert picture["Content-ID"] == "<board>"
    assert "<script" not in html_of(mail)


def test_time_short(match_driver):
    now = timezone.now()
    Player.objects.filter(match_id=match_driver.id, seat=0).update(
        clock_since=now - timedelta(days=2, minutes=1),
        deadline=now + timedelta(hours=23, minutes=59),
        remind_at=now - timedelta(minutes=1),
    )
    assert sweeps.remind(now=now) == 1
    found = email(match_driver.people[0], "time-short")
    assert found.subject == "Your time runs short: DIE against bruno"
    assert "runs short" in found.text
    assert "23 h 58 min left, until" in found.text


def test_dropped_out_and_player_left(people):
    trio = begin("dice-is-health", people, seats=3)
    out = trio.turn
    services.time_out(match_id=trio.id, now=timezone.now() + timedelta(days=4))
    assert trio.match.is_running
    found = email(people[out], "dropped-out")
    assert found.subject.startswith(
        "You are out of the match: Dice Is Health, Strength, and Money against "
    )
    assert "You ran out of time, so you are out of this match." in found.text
    assert "You played" in found.text
    assert found.url == trio.page
    left = email(people[(out + 1) % 3], "player-left")
    assert f"{people[out].username} ran out of time. The match goes on with 2" in left.text


def test_one_mail_says_who_left_and_whose_turn_it_is(people, mailoutbox):
    for user in people:
        EmailAddress.objects.create(user=user, email=user.email, primary=True, verified=True)
    trio = begin("dice-is-health", people, seats=3)
    out, late = trio.turn, timezone.now() + timedelta(days=4)
    services.time_out(match_id=trio.id, now=late)
    waits = people[trio.turn]
    outbox.send_due(clock=lambda: late)
    (mail,) = [mail for mail in mailoutbox if mail.to == [waits.email]]
    assert mail.subject.startswith("Your turn: ")
    assert "runs out of time" in mail.body
    assert "The match goes on" not in mail.body
    assert people[out].email in {mail.to[0] for mail in mailoutbox}


def test_match_started(match_driver):
    found = email(match_driver.people[1], "match-started")
    assert found.subject == "Match started: DIE against ada"
    assert "ada and bruno play DIE, size 3." in found.text
    assert "You play Blue." in found.text


@pytest.mark.parametrize(
    ("end", "subject", "words"),
    [
        (services.resign, "You won: DIE against bruno", "You won by resignation. You played Red."),
        (services.cancel, "The match was cancelled: DIE against bruno", "The match was cancelled."),
    ],
)
def test_match_ended(match_driver, end, subject, words):
    match_driver.act(end, 1)
    found = email(match_driver.people[0], "match-ended")
    assert found.subject == subject
    assert words in found.text


def test_an_end_by_the_rules_says_why(match_driver):
    match_driver.play_on()
    told = Notification.objects.get(kind="match-ended")
    text = notifications.render(told).text
    assert re.search(r"You lost: \w+ has no stones left\. You played \w+\.", text)


def test_a_draw_and_a_defeat(match_driver):
    match_driver.act(services.offer_close, 0)
    match_driver.act(services.accept_offer, 1)
    assert email(match_driver.people[0], "match-ended").subject == "A draw: DIE against bruno"
    lost = begin("die", match_driver.people, size=3)
    services.time_out(match_id=lost.id, now=timezone.now() + timedelta(days=9))
    assert email(match_driver.people[0], "match-ended").subject == "You lost: DIE against bruno"


def test_offer_made(match_driver):
    match_driver.act(services.offer_close, 1)
    found = email(match_driver.people[0], "offer-made")
    assert found.subject == "bruno offers a draw: DIE against bruno"
    assert "bruno offers a draw." in found.text


def test_a_letter_is_for_its_readers_eyes(play):
    play.move(0, "peek")
    card = play.match.position["peeked"][0]
    play.move(0, "1")
    found = email(play.people[1], "your-turn")
    assert "cards ['??', 0]" in found.text
    assert f"You see {card}" not in found.text
    assert str(card) not in found.text.replace("2026", "")


def test_names_and_messages_cannot_break_a_mail(match_driver, people):
    made = lobby.challenge(
        creator=people[0],
        title="die",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[people[1]],
        message="<script>alert(1)</script>\nSubject: x & y",
        now=timezone.now(),
    )
    found = email(people[1], "challenge-received")
    assert "<script>" not in found.html
    assert "&lt;script&gt;" in found.html
    assert "<script>alert(1)</script>\nSubject: x & y" in found.text
    assert found.url == made.get_absolute_url()


# --- Challenges ---------------------------------------------------------------------------------


@pytest.fixture
def challenge(people):
    return lobby.challenge(
        creator=people[0],
        title="die",
        params={"size": 4},
        clock=None,
        seats=2,
        audience=Challenge.Audience.NAMED,
        invited=[people[1]],
        message="A quick one?",
        now=timezone.now(),
    )


def test_challenge_received(challenge, people):
    found = email(people[1], "challenge-received")
    assert found.subject == "ada challenges you to a friendly match of DIE"
    assert "size 4" in found.text
    assert "Clock: no clock" in found.text
    assert "A quick one?" in found.text
    assert found.url == reverse("challenge", args=[challenge.pk])


def test_challenge_accepted_says_what_is_awaited_and_leads_to_the_match(people):
    asked = lobby.challenge(
        creator=people[0],
        title="simple-life-or-death",
        params={},
        clock=None,
        seats=3,
        audience=Challenge.Audience.OPEN,
        now=timezone.now(),
    )
    lobby.accept(challenge_id=asked.pk, user=people[1], now=timezone.now())
    found = email(people[0], "challenge-accepted")
    assert found.subject == "bruno accepts your challenge to a match of Simple Life or Death"
    assert "when all seats are taken" in found.text
    assert found.url == reverse("challenge", args=[asked.pk])
    begun = lobby.accept(challenge_id=asked.pk, user=people[2], now=timezone.now())
    found = email(people[0], "challenge-accepted")
    assert "The match has begun." in found.text
    assert found.url == f"/matches/{begun.match_id}/"


def test_challenge_declined_says_why(challenge, people):
    lobby.decline(challenge_id=challenge.pk, user=people[1], reason="No time.", now=timezone.now())
    found = email(people[0], "challenge-declined")
    assert found.subject == "bruno declines your challenge to a match of DIE"
    assert "No time." in found.text
    assert "No time." in found.html


def test_every_kind_has_a_line_for_the_list_that_draws_nothing(
    match_driver, challenge, monkeypatch
):
    match_driver.play("c3")
    match_driver.act(services.offer_close, 0)
    lobby.decline(challenge_id=challenge.pk, user=match_driver.people[1], now=timezone.now())
    monkeypatch.setattr(
        notification_emails.pictures, "png", lambda *args, **kwargs: pytest.fail("drawn")
    )
    for notification in Notification.objects.all():
        summary = notifications.summary(notification)
        assert summary.subject
        assert summary.url.startswith("/")
