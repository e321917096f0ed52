"""Where a player loses: on the own profile and in the API, from stored reviews."""

import html
from datetime import timedelta

import pytest
from django.utils import timezone

from games.matches import services
from games.matches.models import Match, Player
from games.study import habits
from games.study.models import Review
from tests.match_driver import begin, fresh_cache
from tests.responses import lasting

__all__ = ["fresh_cache"]

pytestmark = pytest.mark.django_db

NOW = timezone.now()


@pytest.fixture
def reviewed(people):
    """Return a function that ends a match, with a ready review that has some turning points."""

    def _reviewed(*points, slug="die", length=30, **chosen):
        match = begin(slug, people, **chosen)
        match.act(services.resign, match.turn)
        Review.objects.create(
            match_id=match.id,
            edition=1,
            rules_version=1,
            length=length,
            status=Review.Status.READY,
            points=list(points),
            asked=NOW,
        )
        return match

    return _reviewed


def point(number, before, after, seat=0, mover=0, **more):
    return {
        "number": number,
        "seat": seat,
        "mover": mover,
        "before": before,
        "after": after,
        **more,
    }


def profile(match, seat=0, of=0):
    name = match.people[of].username
    page = html.unescape(lasting(match.client(seat).get(f"/players/{name}/")))
    return page.replace("\N{NO-BREAK SPACE}", " ")


def test_turning_points_add_up_by_part_of_the_match(people, reviewed):
    reviewed(point(1, 600, 400), point(15, 500, 350), point(30, 900, 600))
    reviewed(point(2, 690, 400), point(9, 800, 600, seat=1, mover=1))
    (found,) = habits.of_player(people[0])
    assert found.matches == 2
    assert found.lost == {"opening": 490, "middle": 150, "end": 300, "fights": 0, "dice": 0}
    assert (found.weakest, found.own) == ("opening", 940)
    assert (found.worst.number, found.worst.cost) == (30, 300)
    (other,) = habits.of_player(people[1])
    assert other.lost["opening"] == 200


def test_dice_are_counted_apart_from_moves(people, reviewed):
    reviewed(
        point(1, 600, 300, expected=550),
        point(30, 600, 400, mover=1, expected=600),
        point(29, 600, 400, mover=1),
        slug="dice-is-health",
    )
    (found,) = habits.of_player(people[0])
    assert found.lost == {"opening": 50, "middle": 0, "end": 0, "fights": 0, "dice": 450}


def test_fights_are_counted_apart_from_the_parts_of_a_match(people, reviewed):
    match = reviewed(
        point(1, 600, 480), point(2, 700, 400, is_fight=True), point(30, 600, 490, is_fight=True)
    )
    (found,) = habits.of_player(people[0])
    assert found.lost == {"opening": 120, "middle": 0, "end": 0, "fights": 410, "dice": 0}
    assert (found.weakest, found.own, found.worst.number) == ("fights", 530, 2)
    shown = profile(match)
    assert "You lose most in fights and captures: 77 % of these points." in shown
    assert '<th scope="row">Fights, captures</th><td class="num">41</td>' in shown


def test_games_without_fights_show_none(reviewed):
    assert "Fights" not in profile(reviewed(point(1, 600, 480), slug="grim-reaper"))


def test_only_ready_reviews_of_ended_matches_count(people, reviewed):
    match = reviewed(point(1, 600, 400))
    annulled = reviewed(point(1, 600, 400))
    Match.objects.filter(pk=annulled.id).update(status=Match.Status.ANNULLED)
    waiting = reviewed(point(1, 600, 400))
    Review.objects.filter(match=waiting.id).update(status=Review.Status.WAITING)
    (found,) = habits.of_player(people[0])
    assert (found.matches, found.worst.match) == (1, match.id)


def test_only_the_latest_count(people, reviewed, monkeypatch):
    monkeypatch.setattr(habits, "LATEST", 1)
    early = reviewed(point(1, 600, 400))
    late = reviewed(point(1, 600, 350))
    Player.objects.filter(match=early.id).update(ended=NOW - timedelta(days=3))
    (found,) = habits.of_player(people[0])
    assert found.worst.match == late.id
    assert found.matches == 1


def test_it_takes_one_query(people, reviewed, django_assert_num_queries):
    for _ in range(3):
        reviewed(point(1, 600, 400))
    with django_assert_num_queries(1):
        habits.of_player(people[0])


def test_the_own_profile_says_where_one_loses(reviewed):
    match = reviewed(point(1, 610, 300), point(20, 500, 400))
    shown = profile(match)
    assert (
        "In 1 reviewed match, mistakes cost you 41 points of your chance to win on average."
        in shown
    )
    assert "You lose most in the first third of a match: 76 % of these points." in shown
    assert "Your most expensive move</a> took your chance from 61 % to 30 %." in shown
    assert f'href="/matches/{match.id}/review/?at=1"' in shown
    assert '<th scope="row">Opening</th><td class="num">31</td>' in shown
    assert "Unlucky dice" not in shown


def test_a_match_without_mistakes_has_no_picture(reviewed):
    shown = profile(reviewed())
    assert "In 1 reviewed match, no move of yours cost 10 points of your chance to win." in shown
    assert "Points lost in a match" not in shown


def test_only_the_player_sees_it(reviewed):
    match = reviewed(point(1, 610, 300))
    for seat in (1, 3, None):
        shown = profile(match, seat=seat, of=0)
        assert "Where you lose" not in shown
        assert "most expensive" not in shown


def test_without_reviews_it_says_how_to_get_them(people):
    match = begin("die", people)
    assert "Where you lose" not in profile(match)
    match.act(services.resign, match.turn)
    assert "You have no reviewed matches yet." in profile(match)


def test_the_api_gives_the_same_numbers(reviewed):
    match = reviewed(point(1, 610, 300))
    (found,) = match.client(0).get("/api/v1/me/habits/").json()
    lost = {"opening": 0.31, "middle": 0.0, "end": 0.0, "fights": 0.0, "dice": 0.0}
    worst = {"match": match.id, "number": 1, "before": 0.61, "after": 0.3}
    assert found == {"title": "die", "matches": 1, "lost": lost, "worst": worst}
    assert match.client(2).get("/api/v1/me/habits/").json() == []
