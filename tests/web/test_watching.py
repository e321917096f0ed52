"""Watching matches of others, favourites, and the page of what was left for later."""

from uuid import uuid4

import pytest
from django.test import Client

from accounts.models import Notification, User
from games.lobby import renewals
from games.lobby.models import Challenge, StandingChallenge
from games.matches import services
from games.matches.clock import Clock
from games.matches.errors import Refused
from games.matches.models import ConditionalMoves, StandingOrder, Watch, note_plans
from games.matches.notify import watching
from games.matches.notify.notifications import MATCH_ENDED, WATCHED_ENDED
from games.matches.plans.lines import Lines, unconditional_steps
from tests.fixtures import NOW

WATCHING, PLANS = "/watching/", "/plans/"


@pytest.fixture
def clara(client, people):
    client.force_login(people[2])
    return people[2]


def listed(client, page=WATCHING):
    return client.get(page).content.decode()


def end_match(play):
    play.act(services.resign, 0)


def test_a_match_of_others_is_watched_and_no_more(client, clara, play):
    page, change = f"/matches/{play.id}/", f"/matches/{play.id}/watch/"
    assert "You are not watching any matches" in listed(client)
    assert "Watch this match" in listed(client, page)
    for _ in range(2):
        assert client.post(change).url == page
    assert Watch.objects.get().user == clara
    assert "Notify me when it ends" in listed(client, page)
    assert f'href="{page}"' in listed(client)
    client.post(change, {"unwatch": "1"})
    assert not Watch.objects.exists()
    assert client.post("/matches/999/watch/").status_code == 404


def test_players_keep_their_own_once_it_has_ended(client, people, play):
    client.force_login(people[0])
    page = f"/matches/{play.id}/"
    assert "Watch this match" not in listed(client, page)
    end_match(play)
    assert "Keep among favourites" in listed(client, page)
    client.post(f"{page}watch/")
    assert "Favourites" in listed(client)


@pytest.mark.parametrize("asked", [True, False])
def test_its_end_is_told_to_who_wants_it(clara, people, play, asked):
    watching.watch(user=clara, match_id=play.id, tells_end=asked, now=NOW)
    watching.watch(user=people[1], match_id=play.id, tells_end=True, now=NOW)
    end_match(play)
    told = Notification.objects.filter(kind=WATCHED_ENDED)
    assert [row.recipient for row in told] == [clara] * asked
    assert Notification.objects.get(kind=MATCH_ENDED).recipient == people[1]


def test_what_it_says(client, clara, play):
    watching.watch(user=clara, match_id=play.id, tells_end=True, now=NOW)
    end_match(play)
    assert "bruno won" in listed(client, "/account/notices/")


def test_nobody_watches_too_many(clara, start, monkeypatch):
    monkeypatch.setattr(watching, "MAX_WATCHED", 1)
    first, second = start(), start()
    watching.watch(user=clara, match_id=first.id, tells_end=False, now=NOW)
    watching.watch(user=clara, match_id=first.id, tells_end=True, now=NOW)
    with pytest.raises(Refused):
        watching.watch(user=clara, match_id=second.id, tells_end=False, now=NOW)


def test_plans_and_orders_stand_in_one_place(client, people, start):
    ada, bruno, *_ = people
    client.force_login(ada)
    assert "You have no plans" in listed(client, PLANS)
    play = start(free=False)
    StandingOrder.objects.create(player=play.player(0), name="answer-yes", given=NOW)
    ConditionalMoves.objects.create(
        player=play.player(0),
        nodes=Lines().with_line(unconditional_steps(["1"], 0), 0).dump(),
        after=0,
        waits=False,
        submission=uuid4(),
    )
    note_plans(play.player(0))
    page = listed(client, PLANS)
    assert "<span>1</span>" in page
    assert "answer-yes" in page
    others = Client()
    others.force_login(bruno)
    assert "<span>1</span>" not in listed(others, PLANS)
    for asked, model in (({"order": "1"}, StandingOrder), ({}, ConditionalMoves)):
        assert others.post(f"{PLANS}{play.id}/end/", asked).url == PLANS
        assert model.objects.exists()
        assert client.post(f"{PLANS}{play.id}/end/", asked).url == PLANS
        assert not model.objects.exists()


def test_a_challenge_that_renews_itself_on_its_pages(client, people, toy):
    ada, *_ = people
    client.force_login(ada)
    form = {"audience": "open", "seating": "random", "clock": "standard", "lifetime": "14"}
    form |= {"param-heap": "10", "seats": "2", "keep_up_to": "3"}
    answer = client.post("/games/heap/challenge/", form)
    assert answer.status_code == 302, answer.context["form"].errors
    kept = StandingChallenge.objects.get()
    assert (kept.user, kept.most, kept.params["heap"]) == (ada, 3, 10)
    assert Challenge.objects.get().renewal == kept
    assert "0 of 3" in listed(client, PLANS)
    client.post(f"/plans/challenges/{kept.pk}/")
    assert not StandingChallenge.objects.exists()
    assert Challenge.objects.get().status == Challenge.Status.WITHDRAWN


def test_only_open_challenges_renew_themselves(client, people, toy):
    client.force_login(people[0])
    form = {"audience": "link", "seating": "random", "clock": "standard", "lifetime": "14"}
    client.post(
        "/games/heap/challenge/", form | {"param-heap": "10", "seats": "2", "keep_up_to": "3"}
    )
    assert Challenge.objects.get().renewal is None


def test_one_that_stopped_says_why_and_goes_on(client, people, toy):
    ada = people[0]
    client.force_login(ada)
    terms = {"title": "heap", "params": {}, "clock": Clock.per_move(3), "seats": 2}
    terms["audience"] = Challenge.Audience.OPEN
    renewals.keep(user=ada, most=1, terms=terms, now=NOW)
    StandingChallenge.objects.update(stopped="idle")
    assert "stopped: you were away for two weeks" in listed(client, PLANS)
    kept = StandingChallenge.objects.get()
    User.objects.update(last_here=NOW.date())
    client.post(f"/plans/challenges/{kept.pk}/", {"go_on": "1"})
    kept.refresh_from_db()
    assert not kept.stopped
