"""Open challenges that renew themselves: how far they go, and when they stop."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import User
from games.lobby import preferences, renewals, services
from games.lobby.models import Challenge, ChallengePreferences, StandingChallenge
from games.matches import services as matches
from games.matches.clock import Clock
from games.matches.clocks import vacations
from games.matches.errors import Refused
from games.matches.models import Match, Player
from tests.concurrency import run_concurrently
from tests.fixtures import NOW

pytestmark = pytest.mark.usefixtures("toy")

DAY = timedelta(days=1)
OPEN = Challenge.Status.OPEN


def terms(**more):
    given = {"title": "heap", "params": {}, "clock": Clock.per_move(3), "seats": 2}
    return {**given, "audience": Challenge.Audience.OPEN, **more}


def keep(user, most=2, **more):
    return renewals.keep(user=user, most=most, terms=terms(**more), now=NOW)


def posted():
    return Challenge.objects.filter(status=OPEN)


def accept(user, now=NOW):
    return services.accept(challenge_id=posted().get().pk, user=user, now=now)


def test_the_next_one_is_posted_up_to_so_many_matches(people):
    ada, bruno, *_ = people
    keep(ada, message="Hello.")
    assert renewals.renew(now=NOW) == 0
    accept(bruno)
    assert renewals.renew(now=NOW) == 1
    again = posted().get()
    assert (again.message, again.creator, again.time_control) == ("Hello.", ada, Clock.per_move(3))
    accept(bruno)
    assert renewals.renew(now=NOW) == 0
    assert Match.objects.count() == 2
    matches.resign(
        match_id=Match.objects.earliest("pk").pk, user=ada, version=0, submission=uuid4(), now=NOW
    )
    assert renewals.renew(now=NOW) == 1


def test_one_that_expired_is_posted_again(people):
    first = keep(people[0], lifetime=2 * DAY)
    User.objects.update(last_here=(NOW + 3 * DAY).date())
    services.expire(now=NOW + 3 * DAY)
    assert renewals.renew(now=NOW + 3 * DAY) == 1
    assert posted().get() != first


def test_it_waits_for_vacations_and_for_room(people):
    ada, bruno, *_ = people
    User.objects.update(date_joined=NOW - 300 * DAY, last_here=(NOW + 6 * DAY).date())
    ada.refresh_from_db()
    keep(ada)
    vacations.plan(user=ada, begin=None, end=NOW + 2 * DAY, shows_end=True, now=NOW)
    assert renewals.renew(now=NOW) == 0
    assert not posted().exists()
    later = NOW + 3 * DAY
    assert renewals.renew(now=later) == 1
    ChallengePreferences.objects.create(user=ada, most_matches=1)
    accept(bruno, later)
    assert preferences.playing(ada) == 1
    assert renewals.renew(now=later) == 0
    ChallengePreferences.objects.update(most_matches=2)
    assert renewals.renew(now=later) == 1


def test_it_stops_when_the_owner_runs_out_of_time(people):
    ada, bruno, *_ = people
    keep(ada, seating=Challenge.Seating.FIRST)
    accept(bruno)
    renewals.renew(now=NOW)
    late = NOW + 4 * DAY
    User.objects.update(last_here=late.date())
    matches.time_out(match_id=Match.objects.get().pk, now=late)
    assert Player.objects.get(user=ada).dropped == "timeout"
    renewals.renew(now=late)
    kept = StandingChallenge.objects.get()
    assert kept.stopped == StandingChallenge.Stop.TIMEOUT
    assert not posted().exists()
    renewals.go_on(user=bruno, pk=kept.pk, now=late)
    assert not posted().exists()
    renewals.go_on(user=ada, pk=kept.pk, now=late)
    assert posted().count() == 1
    assert renewals.renew(now=late) == 0


@pytest.mark.parametrize(("days", "stops"), [(14, False), (15, True)])
def test_it_stops_when_the_owner_does_not_come(people, days, stops):
    keep(people[0], lifetime=30 * DAY)
    User.objects.update(last_here=NOW.date())
    renewals.renew(now=NOW + days * DAY)
    kept = StandingChallenge.objects.get()
    assert (kept.stopped == StandingChallenge.Stop.IDLE) is stops
    assert posted().exists() is not stops


def test_what_cannot_renew_itself(people):
    ada, *_ = people
    for wrong in (
        {"audience": Challenge.Audience.LINK},
        {"strict_dice": True},
        {"most": 0},
        {"most": renewals.MAX_MATCH_LIMIT + 1},
    ):
        with pytest.raises(Refused):
            keep(ada, **wrong)
    for _ in range(renewals.MAX_STANDING_CHALLENGES):
        keep(ada)
    with pytest.raises(Refused, match="already that renew themselves"):
        keep(ada)
    assert posted().count() == renewals.MAX_STANDING_CHALLENGES


def test_its_end_takes_the_open_one_along_and_no_match(people):
    ada, bruno, *_ = people
    keep(ada)
    accept(bruno)
    renewals.renew(now=NOW)
    kept = StandingChallenge.objects.get()
    renewals.end(user=bruno, pk=kept.pk, now=NOW)
    assert posted().count() == 1
    renewals.end(user=ada, pk=kept.pk, now=NOW)
    renewals.end(user=ada, pk=kept.pk, now=NOW)
    assert not posted().exists()
    assert Match.objects.get().is_running
    assert renewals.renew(now=NOW) == 0


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_many_sweeps_at_once_one_posts_it(people):
    ada, bruno, *_ = people
    keep(ada, most=3)
    for _ in range(3):
        accept(bruno)
        made = run_concurrently(*(lambda: renewals.renew(now=NOW) for _ in range(4)))
        assert posted().count() <= 1
        assert sum(made) == posted().count()
    assert Match.objects.count() == 3
    assert not posted().exists()
