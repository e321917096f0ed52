"""The samples of a first start: sound matches, clearly marked, made once."""

import io

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from accounts.tasks import send_notifications
from games import demo
from games.kernel import registry
from games.lobby.models import Challenge
from games.matches.models import Match
from games.matches.verify import verify
from tests.fixtures import NOW

pytestmark = pytest.mark.django_db


def test_every_game_has_a_finished_and_a_running_match_and_a_challenge(client):
    demo.fill(now=NOW, password="a sample password")
    for slug in registry.titles():
        statuses = Match.objects.filter(title=slug).values_list("status", flat=True)
        assert sorted(statuses) == ["over", "running"]
        assert Challenge.objects.filter(title=slug, status="open").count() == 1
    assert [verify(pk) for pk in Match.objects.values_list("pk", flat=True)] == [
        [] for _ in range(Match.objects.count())
    ]
    assert not Match.objects.filter(changed__gt=NOW).exists()
    assert client.login(username=demo.NAMES[0], password="a sample password")


def test_samples_say_that_they_are_samples():
    demo.fill(now=NOW, password="a sample password")
    assert all("sample" in user.username and "sample" in user.about for user in User.objects.all())
    assert not Challenge.objects.exclude(message=demo.MESSAGE).exists()


def test_samples_get_no_mail(mailoutbox):
    demo.fill(now=NOW, password="a sample password")
    send_notifications()
    assert mailoutbox == []


def test_samples_are_made_once():
    demo.fill(now=NOW, password="a sample password")
    count = Match.objects.count()
    demo.fill(now=NOW, password="a sample password")
    assert Match.objects.count() == count


def test_the_command_refuses_a_site_that_takes_no_samples():
    with pytest.raises(CommandError, match="DEMO_PASSWORD"):
        call_command("demo")
    assert not User.objects.exists()


def test_the_command_tells_how_to_sign_in(settings):
    settings.DEMO_PASSWORD = "a sample password"
    out = io.StringIO()
    call_command("demo", stdout=out)
    assert "a sample password" in out.getvalue()
