"""What the front page tells a member about tournaments and followed players."""

import html
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.html import strip_tags

from games.events import selectors, services
from games.events.models import Entry, Round, Tournament
from games.lobby import follows
from games.matches.models import Match
from tests.events.test_tournaments import _no_tasks, announce, begun, end, players
from tests.fixtures import NOW
from tests.match_driver import begin, fresh_cache

__all__ = ["_no_tasks", "fresh_cache", "players"]

Format = Tournament.Format


def front_page(user):
    client = Client()
    client.force_login(user)
    page = html.unescape(client.get("/").content.decode())
    return " ".join(strip_tags(page).split())


@pytest.fixture
def swiss(players):
    """A Swiss tournament of four, in its first of two rounds."""
    return begun(players[:4], format=Format.SWISS, rounds=2)


def test_members_in_no_tournament_have_no_such_section(swiss, players):
    assert "Your tournaments" not in front_page(players[4])


def test_it_says_what_to_do_until_when(swiss, players):
    (match, *_) = Match.objects.order_by("pk")
    mover, waiter = match.players.order_by("-to_move")
    assert "round 1 ends" in front_page(mover.user)
    assert "1 match waits for you." in front_page(mover.user)
    assert "You wait for your opponent." in front_page(waiter.user)


def test_who_has_played_waits_for_the_others(swiss, players):
    match = Match.objects.order_by("pk")[0]
    end(match)
    for seat in match.players.all():
        assert "Your matches of this round are over." in front_page(seat.user)


def test_it_says_when_one_begins_is_paused_or_between_rounds(swiss, players):
    open_one = announce(players[0])
    services.join(tournament_id=open_one.pk, user=players[4], now=NOW)
    assert "begins" in front_page(players[4])
    assert open_one.name in front_page(players[4])
    Tournament.objects.filter(pk=swiss.pk).update(paused=timezone.now())
    assert "paused." in front_page(players[1])
    Tournament.objects.filter(pk=swiss.pk).update(paused=None)
    Round.objects.update(ended=timezone.now())
    assert "the next round begins soon." in front_page(players[1])


def test_who_has_left_reads_nothing_of_it(swiss, players):
    Entry.objects.filter(user=players[1]).update(left=timezone.now())
    assert "Your tournaments" not in front_page(players[1])


@pytest.mark.parametrize("count", [1, 3])
def test_any_number_of_tournaments_takes_three_queries(
    count, players, django_assert_max_num_queries
):
    for _ in range(count):
        begun(players[:4], format=Format.SWISS, rounds=2)
    with django_assert_max_num_queries(3):
        assert len(selectors.played_by(players[1], few=9)) == count
    assert len(selectors.played_by(players[1], few=2)) == min(count, 2)


def test_running_matches_of_followed_players_are_shown(people):
    _ada, bruno, clara, daniel = people
    begin("die", [bruno, clara], size=3)
    assert "Players you follow are playing" not in front_page(daniel)
    follows.follow(user=daniel, other=clara, now=timezone.now() - timedelta(days=1))
    page = front_page(daniel)
    assert "Players you follow are playing" in page
    assert "clara" in page.partition("Players you follow are playing")[2]


def test_own_matches_are_not_listed_among_those_of_followed_players(people):
    ada, bruno, *_ = people
    begin("die", [ada, bruno], size=3)
    follows.follow(user=ada, other=bruno, now=timezone.now() - timedelta(days=1))
    assert "Players you follow are playing" not in front_page(ada)
