"""What players hear when one of them leaves a match of three that goes on."""

from datetime import timedelta

import pytest

from accounts import notifications
from accounts.models import Notification
from games.kernel.contract import Seat
from games.matches import services
from games.matches.clock import DAY
from games.matches.clocks import sweeps
from games.matches.models import Sweep
from games.matches.notify import notification_emails
from games.matches.play import substitutes
from games.matches.selectors import DEADLINES
from tests.fixtures import NOW

MINUTE = timedelta(minutes=1)
OUT, LEFT = "dropped-out", "player-left"


@pytest.fixture
def trio(start):
    return start(seats=3)


def told(kind):
    rows = Notification.objects.filter(kind=kind).order_by("recipient_id")
    return [row.recipient.username for row in rows]


def subject(kind, username):
    row = Notification.objects.get(kind=kind, recipient__username=username)
    return notification_emails.NotifiedMatch.of(row, with_log=False).subject


def opening(kind, username):
    row = Notification.objects.get(kind=kind, recipient__username=username)
    return notification_emails.NotifiedMatch.of(row, with_log=False).opening


def run_out(trio):
    services.time_out(match_id=trio.id, now=NOW + 3 * DAY)
    assert trio.match.is_running


def test_who_runs_out_of_time_hears_it_at_once(trio):
    run_out(trio)
    assert told(OUT) == ["ada"]
    assert subject(OUT, "ada").startswith("You are out of the match: ")
    assert opening(OUT, "ada") == (
        "You ran out of time, so you are out of this match. "
        "The others play on, and you can watch them."
    )


def test_the_others_hear_who_ran_out_of_time(trio):
    run_out(trio)
    assert told(LEFT) == ["bruno", "clara"]
    assert subject(LEFT, "clara").startswith("ada ran out of time: ")
    assert opening(LEFT, "clara") == "ada ran out of time. The match goes on with 2 players."
    assert told("your-turn") == ["bruno"]


def test_the_sweep_says_the_same(trio):
    Sweep.objects.create(name=DEADLINES, ran=NOW + 3 * DAY - MINUTE)
    assert sweeps.sweep_deadlines(now=NOW + 3 * DAY) == 1
    assert (told(OUT), told(LEFT)) == (["ada"], ["bruno", "clara"])


def test_the_list_on_the_site_says_it_in_place_of_the_reminder(trio):
    ada = trio.people[0]
    assert sweeps.remind(now=NOW + 2.9 * DAY) == 1
    assert [one.kind for one in notifications.listed(ada)] == ["time-short"]
    run_out(trio)
    assert [one.kind for one in notifications.listed(ada)] == [OUT]


def test_who_resigns_knows_it_and_the_others_hear_it(trio):
    trio.act(services.resign, 1)
    assert told(OUT) == []
    assert told(LEFT) == ["ada", "clara"]
    assert subject(LEFT, "ada").startswith("bruno resigned: ")


def test_who_is_removed_hears_it(trio):
    services.remove(match_id=trio.id, seat=1, moderator=trio.people[3], reason="Insults.", now=NOW)
    assert told(OUT) == ["bruno"]
    assert opening(OUT, "bruno").startswith("A moderator removed you, so you are out")
    assert subject(LEFT, "clara").startswith("A moderator removed bruno: ")


def test_who_is_out_hears_no_more_of_others_who_leave(start):
    play = start(seats=4)
    play.act(services.resign, 1)
    play.act(services.resign, 2)
    assert told(LEFT) == ["ada", "ada", "clara", "daniel", "daniel"]
    assert [one.kind for one in notifications.listed(play.people[3])].count(LEFT) == 2


def test_a_match_that_ends_by_it_says_only_that(play):
    services.time_out(match_id=play.id, now=NOW + 3 * DAY)
    assert told(OUT) == told(LEFT) == []
    assert told("match-ended") == ["ada", "bruno"]


def test_the_others_hear_who_plays_on_as_a_substitute(trio, people):
    substitutes.swap_in(
        match_id=trio.id,
        seat=Seat(1),
        user=people[3],
        moderator=people[3],
        reason="A player left the tournament.",
        now=NOW + MINUTE,
    )
    assert told(LEFT) == ["ada", "clara"]
    assert subject(LEFT, "clara").startswith("daniel plays on as a substitute: ")
    assert opening(LEFT, "clara") == (
        "daniel plays on as a substitute. The match goes on with 3 players."
    )
    assert not told(OUT)
