"""Finding an opponent: people who look for the same meet, and ratings limit who accepts."""

from datetime import timedelta
from functools import partial

import pytest

from accounts import blocks
from accounts.models import User
from games.bots.levels import LEVELS
from games.bots.services import level_for
from games.bots.users import user_of
from games.lobby import finding, services
from games.lobby.finding import Wanted
from games.lobby.models import Challenge
from games.matches.clock import PRESETS, Clock
from games.matches.errors import Refused
from games.matches.models import Match, Player
from games.talk import services as talk
from tests.concurrency import run_concurrently
from tests.fixtures import NOW
from tests.rated import establish

pytestmark = pytest.mark.usefixtures("toy")

STANDARD = Wanted("heap", PRESETS["standard"])


rate = partial(establish, now=NOW)


def find(user, wanted=STANDARD, now=NOW):
    return finding.find(user=user, wanted=wanted, now=now)


def post(creator, **terms):
    usual = {"clock": PRESETS["standard"], "rated": True, "params": {}, "seats": 2}
    return services.challenge(
        creator=creator,
        title="heap",
        audience=Challenge.Audience.OPEN,
        now=NOW,
        **{**usual, **terms},
    )


def test_the_first_to_search_posts_a_challenge_and_the_second_plays(people):
    ada, bruno = people[:2]
    posted = find(ada)
    assert (posted.status, posted.match) == ("open", None)
    begun = find(bruno)
    assert begun.pk == posted.pk
    assert {player.user for player in begun.match.players.all()} == {ada, bruno}
    assert begun.match.rated


def test_searching_again_returns_the_challenge_posted_before(people):
    assert find(people[0]).pk == find(people[0], now=NOW + timedelta(hours=1)).pk
    assert Challenge.objects.count() == 1


@pytest.mark.parametrize(
    "other",
    [
        {"clock": PRESETS["brisk"]},
        {"clock": Clock.per_move(3)},
        {"rated": False},
        {"params": {"heap": 12}},
        {"seats": 3},
    ],
)
def test_other_terms_do_not_fit(people, other):
    post(people[1], **other)
    assert find(people[0]).match is None


def test_the_opponent_nearest_in_rating_is_preferred(people):
    ada, bruno, clara = people[:3]
    rate(ada, 1800)
    rate(bruno, 1500)
    rate(clara, 1750)
    post(bruno)
    near = post(clara)
    assert find(ada).pk == near.pk


def test_both_ranges_hold(people):
    ada, bruno = people[:2]
    rate(ada, 1800)
    post(bruno)
    assert find(ada, Wanted("heap", PRESETS["standard"], within=200)).match is None
    Challenge.objects.update(status="withdrawn")
    post(bruno, rating_within=200)
    assert find(ada).match is None


def test_a_rating_outside_the_range_is_refused_with_the_reason(people):
    ada, bruno = people[:2]
    rate(ada, 1800)
    posted = post(bruno, rating_within=200)
    assert (posted.lowest_rating, posted.highest_rating) == (1300, 1700)
    why = "This challenge asks for a rating from 1300 to 1700; yours is 1800."
    with pytest.raises(Refused, match=why):
        services.accept(challenge_id=posted.pk, user=ada, now=NOW)
    assert services.refusal(posted, ada, NOW) == why
    assert not Match.objects.exists()


def test_players_who_blocked_or_muted_each_other_do_not_meet(people):
    ada, bruno, clara = people[:3]
    post(bruno)
    post(clara)
    blocks.block(user=bruno, other=ada, now=NOW)
    talk.mute(user=ada, other=clara, now=NOW)
    assert find(ada).match is None


def test_guests_are_told_to_join(people):
    guest = User.objects.create(username="guest-1", is_guest=True)
    with pytest.raises(Refused, match="Join"):
        find(guest)


def test_a_challenge_that_expired_is_no_opponent(people):
    posted = post(people[1], lifetime=timedelta(days=1))
    assert find(people[0], now=NOW + timedelta(days=2)).pk != posted.pk


def test_the_bot_of_about_my_level(people):
    ada = people[0]
    assert level_for(ada, "heap", NOW).name == "beginner"
    rate(ada, 1650)
    assert level_for(ada, "heap", NOW).name == "strong"
    rate(user_of(LEVELS[1]), 1640)
    assert level_for(ada, "heap", NOW).name == "casual"


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_who_search_at_the_same_moment_get_one_match(toy, people):
    found = run_concurrently(*(lambda user=user: find(user).pk for user in people[:2]))
    assert len(set(found)) == 1
    match = Match.objects.get()
    assert Player.objects.filter(match=match).count() == 2
    assert Challenge.objects.get().match == match


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_of_three_who_search_at_once_one_waits(toy, people):
    run_concurrently(*(lambda user=user: find(user) for user in people[:3]))
    assert Match.objects.count() == 1
    assert sorted(Challenge.objects.values_list("status", flat=True)) == ["open", "started"]
