"""Comments on the positions of a match that has ended: who writes, who reads, where they stand."""

import re
from uuid import uuid4

import pytest
from allauth.account.models import EmailAddress
from django.utils import timezone

from accounts import blocks
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.matches import services as matches
from games.matches.errors import NoSuchMatch
from games.moderation import actions, cases
from games.moderation.models import Case, Report
from games.talk import selectors, services
from games.talk.models import Line
from tests.match_driver import fresh_cache, match_driver

__all__ = ["fresh_cache", "match_driver"]


@pytest.fixture
def ended(match_driver):
    match_driver.act(matches.resign, 0)
    return match_driver


def comment(play, who, text="well played", *, number=1):
    return services.comment(
        match_id=play.id,
        number=number,
        user=play.people[who],
        text=text,
        submission=uuid4(),
        now=timezone.now(),
    ).line


def send(play, who, number=1, **fields):
    path = f"{play.page}{number}/comments/"
    return play.client(who).post(path, {"submission": str(uuid4()), "text": "why?", **fields})


def page(play, who, number=1, part=""):
    return play.client(who).get(f"{play.page}{number}/{part}").content.decode()


@pytest.mark.parametrize("who", [0, 1, 2], ids=["player", "other player", "spectator"])
def test_whoever_may_chat_comments_and_everybody_reads_it_at_its_position(ended, who):
    sent = send(ended, who, text="see 1. and <b>")
    assert (sent.status_code, sent.url) == (302, f"{ended.page}1/#comments")
    for reader in (0, 3, None):
        shown = page(ended, reader, part="?part=record")
        assert "&lt;b&gt;" in shown
        assert f'href="{ended.page}1/" data-n="1"' in shown
        assert "&lt;b&gt;" not in page(ended, reader, 0, "?part=record")
        log = page(ended, reader, 0, "?part=log")
        assert re.findall(r'value="(\d)".*?log-comments">([^<]*)', log) == [("1", "1 comment")]


def test_the_start_has_comments_too(ended):
    comment(ended, 2, number=0)
    comment(ended, 2, number=0)
    assert 'log-comments">2 comments' in page(ended, 0, 1, "?part=log")
    assert "well played" in page(ended, 0, 0, "?part=record")


def test_while_a_match_runs_nobody_comments(match_driver):
    answer = send(match_driver, 2, 0)
    assert answer.status_code == 409
    assert not Line.objects.exists()
    assert 'id="comments"' not in page(match_driver, 2, 0)


def test_visitors_are_asked_to_sign_in(ended):
    answer = send(ended, None)
    assert answer.url.startswith("/account/login/")
    assert f"/account/login/?next={ended.page}1/" in page(ended, None)
    assert 'id="comment-text"' not in page(ended, None)


def test_guests_muted_and_unconfirmed_people_only_read(ended):
    guest, muted, fresh, _ = ended.people
    type(guest).objects.filter(pk=guest.pk).update(is_guest=True)
    standing.impose(muted, Sanction.Kind.MUTE, reason="rude", moderator=fresh, now=timezone.now())
    EmailAddress.objects.create(user=fresh, email="fresh@example.org", verified=False)
    for who, words in ((0, "guests only read"), (1, "may not write"), (2, "Confirm your mail")):
        answer = send(ended, who)
        assert answer.status_code == 409
        assert words in answer.content.decode()
        assert 'id="comment-text"' not in page(ended, who)
    assert not Line.objects.exists()


def test_what_is_refused_stays_in_the_field(ended):
    answer = send(ended, 2, text="x" * 501)
    assert answer.status_code == 422
    assert "x" * 501 in answer.content.decode()
    assert "too long" in answer.content.decode()


@pytest.mark.parametrize("number", [9, 10**12])
def test_there_are_none_beyond_the_end(ended, number):
    assert send(ended, 2, number).status_code == 404
    with pytest.raises(NoSuchMatch):
        comment(ended, 2, number=number)


def test_they_are_limited(ended, settings):
    settings.FORM_LIMITS = {**settings.FORM_LIMITS, "chat": {"account": ["1/d"]}}
    assert send(ended, 2).status_code == 302
    answer = send(ended, 2, text="again")
    assert answer.status_code == 429
    assert "again" in answer.content.decode()
    assert "Retry-After" in answer.headers


def test_a_double_click_writes_once(ended):
    submission = str(uuid4())
    for _ in range(2):
        assert send(ended, 2, submission=submission).status_code == 302
    assert Line.objects.count() == 1


def test_a_block_hides_them_and_their_number(ended):
    ada, bruno, clara, _ = ended.people
    comment(ended, 0)
    blocks.block(user=bruno, other=ada, now=timezone.now())
    services.mute(user=clara, other=ada, now=timezone.now())
    for who in (1, 2):
        assert "well played" not in page(ended, who)
        assert "log-comments" not in page(ended, who)
    assert "well played" in page(ended, 3)


def test_they_are_in_the_chat_and_no_news_to_the_players(ended):
    ada = ended.people[0]
    comment(ended, 1)
    assert selectors.unread(ada, [ended.id]) == {}
    chat = ended.client(0).get(f"{ended.page}chat/").content.decode()
    assert "Comments on positions" in chat
    assert "well played" in chat


def test_old_ones_are_in_the_chat(ended, monkeypatch):
    monkeypatch.setattr("games.web.talk.comments.MAX_SHOWN", 2)
    for text in ("one two", "three", "four"):
        comment(ended, 2, text)
    shown = page(ended, 0, part="?part=record")
    assert "one two" not in shown
    assert shown.index(">three<") < shown.index(">four<")
    assert "Earlier comments" in shown


def test_one_click_reports_one_and_a_moderator_hides_and_restores_it(ended, django_user_model):
    line = comment(ended, 2, "you cheat")
    ended.client(0).post(f"/report/chat-line/{line.pk}/now/")
    case = Report.objects.get().case
    assert (case.suspect, case.kind) == (ended.people[2], Case.Kind.ABUSE)
    mod = django_user_model.objects.create(username="mod")
    cases.claim(case, moderator=mod, now=timezone.now())
    for restores, is_shown in ((False, False), (True, True)):
        how = {"moderator": mod, "reason": "A rude one.", "now": timezone.now()}
        actions.hide_line(case, line.pk, restores=restores, **how)
        assert ("you cheat" in page(ended, 0)) is is_shown
        assert ("log-comments" in page(ended, 0)) is is_shown
    assert line.get_absolute_url() == f"{ended.page}1/#comments"
