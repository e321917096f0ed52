"""How fast players usually answer, and when they were here last."""

from datetime import date, timedelta
from statistics import median

import pytest
from django.test import Client
from django.utils import timezone

from accounts import blocks, deletion, personal_data, presence, tokens
from accounts.models import ApiToken, User
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches.clocks import pace
from games.matches.models import LogEntry, Pace, Player
from tests.fixtures import NOW

HOUR = timedelta(hours=1)


def answer(play, *hours, seat=0):
    """Let a seat answer after so many hours each time, the other one at once."""
    now = NOW
    for wait in hours:
        now += (wait if seat == 0 else 0) * HOUR
        play.move(0, "1", now=now)
        now += (wait if seat == 1 else 0) * HOUR
        play.move(1, "1", now=now)
    return now


def spans(user):
    found = LogEntry.objects.filter(
        match__players__user=user, seat=0, kind="play", thinking__isnull=False
    )
    return list(found.values_list("thinking", flat=True))


def test_it_is_the_median_of_what_the_clock_ran_for(start):
    play = start(heap=50)
    ada, bruno = play.people[:2]
    now = answer(play, 1, 2, 3, 4, 40)
    assert pace.usual(ada) is None
    assert pace.measure(now=now) == 2
    assert pace.usual(ada) == median(spans(ada)) == 3 * HOUR
    assert pace.usual(bruno) == timedelta()


def test_it_is_kept_up_to_date(start):
    play = start(heap=60)
    now = answer(play, 1, 1, 1, 1, 1)
    pace.measure(now=now)
    first = pace.usual(play.people[0])
    for _ in range(8):
        now += 9 * HOUR
        play.move(0, "1", now=now)
        play.move(1, "1", now=now)
    pace.measure(now=now)
    assert first == HOUR
    assert pace.usual(play.people[0]) == 9 * HOUR
    assert Pace.objects.count() == 2


def test_little_is_no_habit_and_old_answers_do_not_count(start):
    play = start(heap=50)
    ada = play.people[0]
    now = answer(play, 1, 1, 1, 1)
    pace.measure(now=now)
    assert pace.usual(ada) is None
    now = answer(start(heap=50), 2, 2, 2, 2, 2)
    pace.measure(now=now)
    assert pace.usual(ada) == 2 * HOUR
    pace.measure(now=now + pace.COUNTED_PERIOD + timedelta(days=9))
    assert pace.usual(ada) is None


@pytest.mark.parametrize("what", ["clock", "bot"])
def test_matches_with_bots_or_without_a_clock_do_not_count(start, what):
    play = start(heap=50, **({"clock": None} if what == "clock" else {}))
    if what == "bot":
        Player.objects.update(with_bots=True)
    now = answer(play, 1, 1, 1, 1, 1, 1)
    pace.measure(now=now)
    assert pace.usual(play.people[0]) is None


def test_challenges_and_players_show_it(toy, people, monkeypatch):
    noon = timezone.now().replace(hour=12)
    monkeypatch.setattr(timezone, "now", lambda: noon)
    ada, bruno = people[:2]
    Pace.objects.create(user=ada, median=4.2 * HOUR, answers=9, entry=0)
    User.objects.filter(pk=ada.pk).update(last_here=timezone.now().date())
    ada.refresh_from_db()
    made = lobby.challenge(
        creator=ada,
        title="heap",
        params={},
        clock=None,
        seats=2,
        audience=Challenge.Audience.OPEN,
        invited=(),
        now=timezone.now(),
    )
    for path in (made.get_absolute_url(), "/players/ada/"):
        client = Client()
        assert "last here" not in client.get(path).content.decode()
        client.force_login(bruno)
        page = client.get(path).content.decode()
        assert "last here today" in page
        assert "usually answers within 5 hours" in page


class TestLastHere:
    def test_it_is_noted_once_a_day(self, people, django_assert_num_queries):
        ada = people[0]
        presence.note_day(ada, now=NOW)
        ada.refresh_from_db()
        assert ada.last_here == NOW.date()
        with django_assert_num_queries(0):
            presence.note_day(ada, now=NOW)

    def test_by_pages_and_by_tokens(self, people):
        ada, bruno = people[:2]
        begun = timezone.now().date()
        client = Client()
        client.force_login(ada)
        client.get("/games/")
        token = tokens.make(user=bruno, name="x", scopes=[ApiToken.Scope.READ], now=timezone.now())
        Client().get("/api/v1/me/", HTTP_AUTHORIZATION=f"Bearer {token}")
        found = dict(User.objects.exclude(last_here=None).values_list("pk", "last_here"))
        assert found.keys() == {ada.pk, bruno.pk}
        assert all(begun <= day <= timezone.now().date() for day in found.values())

    def test_who_would_rather_not_and_who_is_blocked(self, people):
        ada, bruno, clara, _ = people
        ada.last_here = date(2026, 5, 1)
        assert presence.day_shown(ada, bruno) == ada.last_here
        blocks.block(user=clara, other=ada, now=NOW)
        assert presence.day_shown(ada, clara) is None
        ada.shows_presence = False
        assert presence.day_shown(ada, bruno) is None

    def test_it_is_a_preference(self, people):
        client = Client()
        client.force_login(people[0])
        page = client.get("/account/preferences/").content.decode()
        assert "Show when I’m here" in page
        client.post("/account/preferences/", {"time_zone": "UTC", "theme": "auto"})
        assert User.objects.get(pk=people[0].pk).shows_presence is False


def test_both_are_in_ones_data_and_go_with_the_account(people):
    ada = people[0]
    User.objects.filter(pk=ada.pk).update(last_here=NOW.date())
    ada.refresh_from_db()
    Pace.objects.create(user=ada, median=HOUR, answers=9, entry=0)
    found = personal_data.export(ada)
    assert found["account"]["last_here"] == NOW.date()
    assert found["usual_time_to_answer"] == {"median": HOUR, "answers": 9}
    deletion.ask(ada, now=NOW)
    deletion.delete_due(now=NOW + deletion.CANCELLATION_PERIOD)
    assert not Pace.objects.exists()
    assert User.objects.get(pk=ada.pk).last_here is None
