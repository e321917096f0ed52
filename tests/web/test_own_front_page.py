"""The front page of a member: what became of their affairs, their clubs, the puzzle of the day."""

import html
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import strip_tags

from accounts import outcomes
from accounts.delivery.models import DeliverySettings
from accounts.models import Notification
from games.clubs import candidates
from games.clubs import services as clubs
from games.events.models import Tournament
from games.matches import services
from games.noticeboards import services as noticeboards
from games.noticeboards.boards import Board
from games.study import progress
from games.web.pages.views import _puzzle
from tests.clubs.clubs import found, join
from tests.events.test_event_pages import announced
from tests.fixtures import NOW
from tests.match_driver import fresh_cache

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

HEADING = "Since your last visit"


def front_page(user):
    client = Client()
    client.force_login(user)
    page = html.unescape(client.get("/").content.decode())
    return " ".join(strip_tags(page).split())


def write(user, kind, count=1, **payload):
    """Write notifications as the site does, with a page each."""
    for number in range(count):
        Notification.objects.create(
            recipient=user,
            kind=kind,
            payload=payload,
            page_key=f"page:{number}",
            created=NOW + timedelta(minutes=number),
            next_try=NOW,
        )


def write_ladder(user, count=1, other="clara"):
    write(user, "ladder", count, what="taken", title="heap", other=other)


# --- Since the last visit -----------------------------------------------------------------------


def test_a_result_is_listed_once(play):
    bruno = play.people[1]
    assert HEADING not in front_page(bruno), "that a match began is no outcome"
    play.move(0, "1")
    play.act(services.resign, 0)
    page = front_page(bruno)
    assert page.partition(HEADING)[2].lstrip().startswith("All notifications You won:")
    notification = Notification.objects.get(recipient=bruno, kind="match-ended")
    assert notification.seen_at is not None
    # The visit goes on: Back finds it again.
    assert "You won:" in front_page(bruno)
    cache.clear()
    assert HEADING not in front_page(bruno)


def test_what_comes_during_a_visit_is_added_on_top(toy, people):
    ada = people[0]
    write_ladder(ada, other="clara")
    front_page(ada)
    write_ladder(ada, other="bruno")
    page = front_page(ada)
    assert page.index("bruno has your place") < page.index("clara has your place")


def test_after_months_the_latest_are_listed_and_all_count_as_seen(toy, people):
    ada = people[0]
    write_ladder(ada, 30)
    shown = outcomes.since_last_visit(ada, NOW)
    assert [one.at for one in shown.listed] == [
        NOW + timedelta(minutes=number) for number in range(29, 29 - outcomes.MOST, -1)
    ]
    assert shown.earlier == 30 - outcomes.MOST
    assert f"And {30 - outcomes.MOST} earlier results or answers." in front_page(ada)
    assert not Notification.objects.filter(recipient=ada, seen_at=None).exists()


def test_kinds_that_are_off_on_the_site_are_neither_listed_nor_seen(toy, people):
    ada = people[0]
    DeliverySettings.objects.create(user=ada, site_off=["ladder"])
    write_ladder(ada)
    assert HEADING not in front_page(ada)
    assert Notification.objects.filter(recipient=ada, seen_at=None).count() == 1


def test_other_notifications_stay_unseen(play):
    play.move(0, "1")
    bruno = play.people[1]
    front_page(bruno)
    assert not Notification.objects.filter(recipient=bruno).exclude(seen_at=None).exists()


def test_many_results_cost_no_more_than_are_listed(play, django_assert_max_num_queries):
    bruno = play.people[1]
    play.act(services.resign, 0)
    match = {"match": play.id}
    Notification.objects.filter(recipient=bruno).delete()
    write(bruno, "match-ended", outcomes.MOST, **match)
    with CaptureQueriesContext(connection) as few:
        outcomes.since_last_visit(bruno, NOW)
    write(bruno, "match-ended", 50, **match)
    with django_assert_max_num_queries(len(few)):
        outcomes.since_last_visit(bruno, NOW)


def test_it_costs_one_query_without_news(toy, people, django_assert_num_queries):
    with django_assert_num_queries(1):
        outcomes.since_last_visit(people[0], NOW)


# --- Clubs --------------------------------------------------------------------------------------


def test_clubs_say_what_there_is_to_do(toy, people):
    ada, bruno, clara, _ = people
    now = timezone.now()
    club = found(ada, admission="request")
    clubs.establish(founder=ada, terms=clubs.Terms("A quiet one"), now=NOW)
    candidates.join(club_id=club.pk, user=bruno, now=now)
    cup = announced(clara, name="Harbour Cup")
    Tournament.objects.filter(pk=cup.pk).update(club=club)
    candidates.invite(club_id=club.pk, leader=ada, user=clara, now=now)
    join(club, clara, now=now)
    how = {"subject": "Hello", "text": "Hello.", "submission": uuid4(), "now": now}
    noticeboards.begin(board=Board(club=club), user=clara, **how)
    page = front_page(ada)
    assert "Harbour Club: 1 player asks to join. Harbour Cup takes players until" in page
    assert "1 topic with new posts." in page
    # Those with something to do come first.
    assert page.index("Harbour Club:") < page.index("A quiet one: nothing new.")
    page = front_page(clara)
    assert "asks to join" not in page, "she doesn't lead it"
    assert "with new posts" not in page, "she wrote it"


def test_invitations_say_until_when_they_can_be_answered(toy, people):
    ada, bruno = people[:2]
    club = found(ada)
    candidates.invite(club_id=club.pk, leader=ada, user=bruno, now=timezone.now())
    page = front_page(bruno)
    assert "Harbour Club: ada invites you. You can answer until" in page
    assert "Your clubs" not in front_page(people[2])


def test_old_topics_are_not_new(toy, people):
    ada, bruno = people[:2]
    club = found(ada)
    join(club, bruno)
    long_ago = timezone.now() - timedelta(days=20)
    how = {"subject": "Hello", "text": "Hello.", "submission": uuid4(), "now": long_ago}
    noticeboards.begin(board=Board(club=club), user=ada, **how)
    assert "Harbour Club: nothing new." in front_page(bruno)


# --- The puzzle of the day ----------------------------------------------------------------------


def test_the_puzzle_of_the_day_is_marked_when_solved(client, people, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr("games.web.pages.views.timezone.now", lambda: now)
    puzzle = _puzzle(now.date())
    client.force_login(people[0])
    assert ">solved<" not in client.get("/").content.decode()
    progress.solve(
        user=people[0],
        session=client.session,
        slug=puzzle["puzzle_game"].slug,
        keys=[puzzle["puzzle"].key],
        now=now,
    )
    assert client.get("/").content.decode().count(">solved<") == 1
    assert ">solved<" not in Client().get("/").content.decode()
