"""Ladders of clubs: who founds, joins and sees them, and what becomes of who leaves."""

import threading

import pytest
from django.db import transaction
from django.utils import timezone

from accounts import notifications
from accounts.models import Notification
from accounts.personal_data import export
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.clubs import services as clubs
from games.clubs.errors import NotALeader
from games.http import activity
from games.ladders import selectors, services
from games.ladders.models import ClubLadder, LadderChallenge, LadderPlace
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clock import DAY
from games.matches.errors import Refused
from games.matches.models import Match, Player
from tests.clubs.clubs import club, join
from tests.concurrency import PATIENCE, run_concurrently, wait_until_blocked
from tests.fixtures import NOW

__all__ = ["club"]

pytestmark = pytest.mark.usefixtures("toy")

SLUG = "heap"


def order(club):
    return [place.user.username for place in selectors.places(SLUG, club.pk if club else None)]


def open_ladder(club, leader, *users):
    services.found(club_id=club.pk, leader=leader, title=SLUG, now=NOW)
    for user in users:
        services.join(user=user, title=SLUG, club_id=club.pk, now=NOW)


def challenge(club, user, other, now=NOW):
    return services.challenge(user=user, other=other, title=SLUG, club_id=club.pk, now=now)


def test_leaders_alone_found_and_close_it(club, people):
    ada, bruno = people[:2]
    for leader in (bruno, people[2]):
        with pytest.raises(NotALeader):
            services.found(club_id=club.pk, leader=leader, title=SLUG, now=NOW)
    open_ladder(club, ada)
    open_ladder(club, ada)
    assert ClubLadder.objects.count() == 1
    with pytest.raises(NotALeader):
        services.close(club_id=club.pk, leader=bruno, title=SLUG, now=NOW)
    services.close(club_id=club.pk, leader=ada, title=SLUG, now=NOW)
    assert not ClubLadder.objects.exists()


def test_members_alone_join_and_find_no_bots(club, people):
    ada, bruno, clara = people[:3]
    with pytest.raises(Refused, match="no ladder"):
        services.join(user=ada, title=SLUG, club_id=club.pk, now=NOW)
    open_ladder(club, ada, ada, bruno, bruno)
    with pytest.raises(Refused, match="Only members"):
        services.join(user=clara, title=SLUG, club_id=club.pk, now=NOW)
    assert order(club) == ["ada", "bruno"]


def test_a_place_is_won_in_the_club_and_changes_nothing_on_the_ladder_of_the_site(club, people):
    ada, bruno = people[:2]
    for user in (ada, bruno):
        services.join(user=user, title=SLUG, now=NOW)
    open_ladder(club, ada, ada, bruno)
    before = order(None)
    one = challenge(club, bruno, ada)
    match = lobby.accept(challenge_id=one.challenge_id, user=ada, now=NOW).match
    for player in Player.objects.filter(match=match):
        rank = 1 if player.user == bruno else 2
        Player.objects.filter(pk=player.pk).update(rank=rank, ended=NOW)
    Match.objects.filter(pk=match.pk).update(status="over", ending="last", ended=NOW)
    services.sweep(now=NOW + DAY)
    assert order(club) == ["bruno", "ada"]
    assert order(None) == before
    assert [place.club for place in selectors.standing(bruno)] == []


def test_one_may_have_challenges_on_both_ladders(club, people):
    ada, bruno = people[:2]
    services.Ladder.objects.create(title=SLUG)
    for position, user in enumerate((ada, bruno), 1):
        LadderPlace.objects.create(title=SLUG, user=user, position=position, joined=NOW, active=NOW)
    open_ladder(club, ada, ada, bruno)
    services.challenge(user=bruno, other=ada, title=SLUG, now=NOW)
    assert challenge(club, bruno, ada).club == club


def test_the_challenge_and_its_forfeit_name_the_club(club, people):
    ada, bruno = people[:2]
    open_ladder(club, ada, ada, bruno)
    one = challenge(club, bruno, ada)
    assert (
        "Heap in Harbour Club"
        in notifications.summary(Notification.objects.get(recipient=ada)).subject
    )
    lobby.decline(challenge_id=one.challenge_id, user=ada, now=NOW)
    services.settle(one.pk, now=NOW)
    assert order(club) == ["bruno", "ada"]
    told = Notification.objects.filter(kind="ladder")
    assert all("Heap in Harbour Club" in notifications.summary(one).subject for one in told)


@pytest.mark.parametrize("how", ["leaves", "removed", "banned"])
def test_who_is_no_longer_a_member_leaves_the_ladder(club, people, how):
    ada, bruno, clara = people[:3]
    join(club, clara)
    open_ladder(club, ada, ada, bruno, clara)
    one = challenge(club, bruno, ada, now=timezone.now())
    if how == "leaves":
        clubs.leave(club_id=club.pk, user=bruno)
    elif how == "removed":
        clubs.remove(club_id=club.pk, leader=ada, user=bruno, reason="Rude.", now=NOW)
    else:
        standing.impose(bruno, Sanction.Kind.BAN, reason="A test.", moderator=ada, now=NOW)
        services.sweep(now=NOW)
    assert order(club) == ["ada", "clara"]
    assert list(selectors.places(SLUG, club.pk).values_list("position", flat=True)) == [1, 2]
    one.refresh_from_db()
    assert one.outcome == LadderChallenge.Outcome.VOID
    assert Challenge.objects.get().status == Challenge.Status.WITHDRAWN


@pytest.mark.parametrize("closes", ["ladder", "club"])
def test_closing_ends_what_waits_and_places_nobody_again(club, people, closes):
    ada, bruno = people[:2]
    open_ladder(club, ada, ada, bruno)
    one = challenge(club, bruno, ada)
    if closes == "ladder":
        services.close(club_id=club.pk, leader=ada, title=SLUG, now=NOW)
    else:
        clubs.close(club_id=club.pk, leader=ada, now=NOW)
    one.refresh_from_db()
    assert one.outcome == LadderChallenge.Outcome.VOID
    assert not Challenge.objects.filter(status=Challenge.Status.OPEN).exists()
    assert not LadderPlace.objects.exists()
    assert not ClubLadder.objects.exists()
    with pytest.raises(Refused):
        services.join(user=bruno, title=SLUG, club_id=club.pk, now=NOW)


def test_the_activity_of_the_site_has_none_of_it(club, people):
    ada, bruno = people[:2]
    open_ladder(club, ada, ada, bruno)
    LadderChallenge.objects.filter(pk=challenge(club, bruno, ada).pk).update(
        outcome="won", closed=NOW
    )
    assert activity.of_ladder(SLUG) == []


def test_the_export_names_the_club(club, people):
    open_ladder(club, people[0], people[0])
    [place] = export(people[0])["ladders"]["places"]
    assert place["club"] == club.pk


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_nobody_joins_while_they_leave_the_club(club, people):
    ada, bruno = people[:2]
    open_ladder(club, ada, ada)
    has_joined = threading.Event()

    def joins():
        with transaction.atomic():
            services.join(user=bruno, title=SLUG, club_id=club.pk, now=NOW)
            has_joined.set()
            wait_until_blocked()

    def leaves():
        assert has_joined.wait(PATIENCE)
        clubs.leave(club_id=club.pk, user=bruno)

    run_concurrently(joins, leaves)
    assert order(club) == ["ada"]
