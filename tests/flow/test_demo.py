"""The samples of a first start: sound matches, clearly marked, made once."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import User
from accounts.tasks import send_notifications
from games import demo
from games.kernel import registry
from games.lobby.models import Challenge
from games.matches.log.verify import verify
from games.matches.models import Match
from games.teams.models import TeamMatch
from tests.fixtures import NOW

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.xdist_group("samples")]
PASSWORD = "a sample password"


@pytest.fixture(scope="class")
def samples(django_db_setup, django_db_blocker):
    """The samples, made once for all tests that only look at them."""
    with django_db_blocker.unblock(), transaction.atomic():
        demo.fill(now=NOW, password=PASSWORD)
        yield
        transaction.set_rollback(True)


@pytest.mark.usefixtures("samples")
class TestSamples:
    def test_every_game_has_a_finished_and_a_running_match_and_a_challenge(self, client):
        for slug in registry.titles():
            own = Match.objects.filter(title=slug, tournament_table=None)
            statuses = own.values_list("status", flat=True)
            assert sorted(statuses) == ["over", "running"]
            assert Challenge.objects.filter(title=slug, status="open").count() == 1
        assert [verify(pk) for pk in Match.objects.values_list("pk", flat=True)] == [
            [] for _ in range(Match.objects.count())
        ]
        assert not Match.objects.filter(changed__gt=NOW).exists()
        assert client.login(username=demo.NAMES[0], password=PASSWORD)

    def test_one_team_match_runs_and_one_has_ended(self):
        statuses = TeamMatch.objects.values_list("tournament__status", flat=True)
        assert sorted(statuses) == ["finished", "running"]

    def test_they_say_that_they_are_samples(self):
        users = User.objects.filter(is_bot=False)
        assert all("sample" in user.username and "sample" in user.about for user in users)
        assert not Challenge.objects.exclude(message=demo.MESSAGE).exists()

    def test_who_signs_in_as_the_first_gets_answers_in_every_game(self):
        for match in Match.objects.filter(status="running", tournament_table=None):
            others = match.players.exclude(user__username=demo.NAMES[0])
            assert match.players.count() == others.count() + 1
            assert all(player.is_bot and player.user.is_bot for player in others)

    def test_they_get_no_mail(self, mailoutbox):
        send_notifications()
        assert mailoutbox == []

    def test_they_are_made_once(self):
        count = Match.objects.count()
        demo.fill(now=NOW, password=PASSWORD)
        assert Match.objects.count() == count

    def test_the_command_tells_how_to_sign_in(self, settings):
        settings.DEMO_PASSWORD = PASSWORD
        out = io.StringIO()
        call_command("demo", stdout=out)
        assert PASSWORD in out.getvalue()


def test_the_command_makes_samples(settings, monkeypatch):
    made = []
    monkeypatch.setattr(demo, "fill", lambda *, password, **_: made.append(password))
    settings.DEMO_PASSWORD = PASSWORD
    call_command("demo", stdout=io.StringIO())
    assert made == [PASSWORD]


def test_the_command_refuses_a_site_that_takes_no_samples():
    with pytest.raises(CommandError, match="DEMO_PASSWORD"):
        call_command("demo")
    assert not User.objects.exists()
