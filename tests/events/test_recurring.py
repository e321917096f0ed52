"""What the site runs itself: one season of bots at a time, and one open tournament."""

from datetime import timedelta
from uuid import uuid4

import pytest

from games.events import recurring, selectors, services
from games.events.models import Tournament
from games.matches import services as matches
from games.matches.models import Match
from tests.concurrency import run_concurrently
from tests.fixtures import NOW

HOUR = timedelta(hours=1)
LEAGUES = Tournament.objects.filter(series="league-heap")


@pytest.fixture(autouse=True)
def _bots_wait(toy, settings, monkeypatch):
    settings.SITE_TOURNAMENTS = True
    for task in ("bots.tasks.think", "ratings.tasks.rate_matches"):
        monkeypatch.setattr(f"games.{task}.apply_async", lambda **_: None)
    for task in ("advance_tournaments", "draw_first_rounds"):
        monkeypatch.setattr(f"games.events.tasks.{task}.apply_async", lambda **_: None)


def resign_all(now):
    for match in Match.objects.filter(status="running"):
        loser = match.players.get(seat=1).user
        matches.resign(match_id=match.pk, user=loser, version=0, submission=uuid4(), now=now)


def test_a_season_runs_and_another_follows(db):
    for _ in range(2):
        recurring.keep(now=NOW)
        services.sweep(now=NOW)
    [season] = LEAGUES.all()
    assert (season.name, season.status) == ("Bot league of Heap, season 1", "running")
    assert Match.objects.count() == 2
    for number in range(1, 4):
        now = NOW + 8 * number * HOUR
        resign_all(now - 7 * HOUR)
        services.sweep(now=now - HOUR)
        assert Match.objects.count() == 2 * number  # the next round waits
        services.sweep(now=now)
    assert Match.objects.count() == 6
    assert selectors.get(season.pk).is_finished
    recurring.keep(now=now)
    assert {(one.name, one.status) for one in LEAGUES.all()} == {
        ("Bot league of Heap, season 1", "finished"),
        ("Bot league of Heap, season 2", "running"),
    }


def test_a_match_whose_bots_never_move_does_not_stop_the_league(db):
    recurring.keep(now=NOW)
    services.sweep(now=NOW)
    services.sweep(now=NOW + 48 * HOUR)
    assert not Match.objects.filter(created=NOW, status="running").exists()
    assert Match.objects.count() == 4


def test_an_open_tournament_waits_for_players_and_the_next_follows(people):
    recurring.keep(now=NOW)
    opened = Tournament.objects.filter(series="open-heap")
    assert [(one.name, one.is_open) for one in opened] == [("Heap Open 1", True)]
    for user in people:
        services.join(tournament_id=opened.get().pk, user=user, now=NOW)
    later = NOW + recurring.OPEN_FOR
    services.sweep(now=later)
    assert opened.get().is_running
    recurring.keep(now=later)
    assert opened.count() == 1
    opened.update(status="finished")
    recurring.keep(now=later)
    assert opened.first().name == "Heap Open 2"


def test_one_that_nobody_entered_is_announced_again_under_its_number(db):
    recurring.keep(now=NOW)
    later = NOW + recurring.OPEN_FOR
    services.sweep(now=later)
    recurring.keep(now=later)
    found = Tournament.objects.filter(series="open-heap")
    assert {(one.name, one.status) for one in found} == {
        ("Heap Open 1", "cancelled"),
        ("Heap Open 1", "open"),
    }


def test_operators_may_want_none(db, settings):
    settings.SITE_TOURNAMENTS = False
    recurring.keep(now=NOW)
    assert not Tournament.objects.exists()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_start_one_season():
    run_concurrently(*[lambda: recurring.keep(now=NOW)] * 4)
    assert Tournament.objects.count() == 2
    services.sweep(now=NOW)
    assert Match.objects.count() == 2
