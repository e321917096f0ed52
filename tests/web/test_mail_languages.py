"""Mails, pushes and answers are in their reader's language, whoever acts in which language."""

from uuid import uuid4

import pytest
from django.core import mail
from django.utils import timezone, translation

from accounts import closing, outgoing
from accounts.delivery import push
from accounts.models import Notification, User
from accounts.security import event_details
from games.matches import selectors, services
from games.moderation.notifications import said, worded
from tests import mails, pseudo
from tests.web.test_languages import two

pytestmark = [pytest.mark.django_db, two]

OTHER = "⟦"
"""Begins each message of the pseudo-language."""


def reads(user: User, language: str) -> None:
    User.objects.filter(pk=user.pk).update(language=language)
    user.language = language


@pytest.mark.parametrize("of_actor", ["en-gb", pseudo.CODE])
def test_the_language_of_an_actor_shows_in_no_mail_of_another(mailoutbox, of_actor):
    match_id = mails.two().id
    Notification.objects.all().delete()
    ada, bruno = (User.objects.get(username=name) for name in ("ada", "bruno"))
    of_reader = pseudo.CODE if of_actor == "en-gb" else "en-gb"
    reads(ada, of_actor)
    reads(bruno, of_reader)
    with translation.override(of_actor):
        play(match_id, ada)
        (sent,) = mails.sent(mailoutbox)
    (html, _), *_ = sent.alternatives
    assert sent.to == ["bruno@example.org"]
    is_other = of_reader == pseudo.CODE
    for text in (sent.subject, sent.body, html):
        assert (OTHER in text) == is_other
    assert f'<html lang="{of_reader}">' in html
    with translation.override(of_actor):
        pushed = push._payload(Notification.objects.get(recipient=bruno)).decode()
    assert (OTHER in pushed) == is_other


def play(match_id: int, user: User) -> None:
    services.play_move(
        match_id=match_id,
        user=user,
        texts=["a1"],
        version=selectors.snapshot(match_id).match.version,
        submission=uuid4(),
        now=timezone.now(),
    )


def test_a_mail_about_an_account_is_framed_in_the_language_of_its_owner(people, mailoutbox):
    ada, bruno = people[:2]
    reads(bruno, pseudo.CODE)
    closing.close(bruno, by=ada, reason="Hijacked.", now=timezone.now())
    outgoing.send_due(clock=timezone.now)
    (sent,) = mail.outbox
    assert sent.subject.startswith(OTHER)
    assert "Hijacked." in sent.body
    assert pseudo.accented("Turnstone, board games a move at a time") in sent.body


def test_decisions_of_moderators_are_worded_for_each_reader(people):
    subject = said("removed", name="bruno", match=7)
    assert worded(subject) == "bruno was taken out of match 7"
    assert worded("Words of an older release") == "Words of an older release"
    with translation.override(pseudo.CODE):
        assert worded(subject).startswith(OTHER)
        assert "bruno" in worded(subject)


@pytest.mark.parametrize(
    "details",
    ["authenticator app", "recovery codes", "passkey “Phone”", "from none to active, staff"],
)
def test_details_of_events_are_worded(details):
    assert event_details.shown(details) == details
    with translation.override(pseudo.CODE):
        assert event_details.shown(details).startswith(OTHER)
