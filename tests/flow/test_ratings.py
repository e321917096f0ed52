"""What changes ratings, what doesn't, and that the numbers follow from the matches alone."""

import random
from datetime import timedelta

import pytest
from django.core.management import call_command

from accounts import deletion, personal_data
from accounts.models import User
from accounts.sanctions import standing
from accounts.sanctions.models import Sanction
from games.bots.levels import LEVELS
from games.bots.users import user_of
from games.kernel.errors import UnknownTitle
from games.lobby import services as lobby
from games.lobby.models import Challenge
from games.matches import services
from games.matches.models import FormerPlayer, Match, Player
from games.ratings import calculation, selectors, tasks, updating
from games.ratings.calculation import Entrant, Strength
from games.ratings.models import (
    LeftOut,
    Progress,
    RatedMatch,
    Rating,
    RatingChange,
    RatingPreferences,
)
from tests.concurrency import run_concurrently
from tests.fixtures import NOW
from tests.rated import HOUR, TITLE, changes, ended_match, numbers

DAY = 24 * HOUR
TIMEOUT = Player.Dropped.TIMEOUT


def rate():
    updating.update(TITLE)


def reason(match):
    return RatedMatch.objects.get(match=match).reason


def expected(*places, start=None):
    strengths = start or [Strength()] * len(places)
    entrants = [Entrant(strength, place) for strength, place in zip(strengths, places, strict=True)]
    return calculation.rate(entrants)


def test_a_match_of_two(people):
    ended_match(people[:2], [2, 1])
    rate()
    lost, won = expected(2, 1)
    assert numbers() == {"ada": (*lost, 1), "bruno": (*won, 1)}
    assert [one.pk for one in Rating.objects.all() if one.established_until > one.ended] == []


def test_four_with_a_tie(people):
    ended_match(people, [1, 2, 2, 4])
    rate()
    assert [numbers()[user.username][:2] for user in people] == expected(1, 2, 2, 4)
    assert numbers()["bruno"] == numbers()["clara"]


def test_who_drops_out_comes_last_whatever_the_rank(people):
    ended_match(people, [1, 2, 1, 4], dropped={0: TIMEOUT})
    rate()
    assert [numbers()[user.username][:2] for user in people] == expected(4, 2, 1, 3)


def test_a_played_match_is_rated(start, people):
    play = start(heap=4)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "1")
    assert RatedMatch.objects.count() == 0
    play.move(1, "3")
    rate()
    assert numbers()["bruno"][0] > 1500 > numbers()["ada"][0]


def test_the_end_of_a_rated_match_starts_the_task(
    start, people, monkeypatch, django_capture_on_commit_callbacks
):
    asked = []
    monkeypatch.setattr(tasks.rating_runs, "put", asked.append)
    friendly, rated = start(heap=1), start(heap=2)
    Match.objects.filter(pk=rated.id).update(rated=True)
    with django_capture_on_commit_callbacks(execute=True):
        friendly.move(0, "1")
        rated.move(0, "1")
        assert asked == []
        rated.move(1, "1")
    assert asked == [{TITLE: None}]
    tasks.rate_matches(TITLE)
    assert set(numbers()) == {"ada", "bruno"}


def test_the_sweep_finds_what_a_lost_task_left(toy, people):
    ended_match(people[:2], [1, 2])
    tasks.sweep_ratings()
    assert set(numbers()) == {"ada", "bruno"}


@pytest.mark.parametrize("status", [Match.Status.CANCELLED, Match.Status.ANNULLED])
def test_matches_without_a_result_do_not_count(people, status):
    ended_match(people[:2], [1, 2], status=status)
    rate()
    assert numbers() == {}


def test_friendly_matches_and_other_games_do_not_count(people):
    ended_match(people[:2], [1, 2], rated=False)
    ended_match(people[:2], [1, 2], title="other")
    rate()
    assert numbers() == {}


def test_who_left_before_moving_does_not_count(people):
    two = ended_match(people[:2], [1, 2], dropped={1: TIMEOUT}, moved={1: None})
    three = ended_match(
        people[:3], [1, 2, 3], NOW + HOUR, dropped={2: Player.Dropped.RESIGNED}, moved={2: None}
    )
    rate()
    assert reason(two) == "unmoved"
    assert reason(three) == ""
    assert set(numbers()) == {"ada", "bruno"}


def test_a_seat_with_a_substitute_does_not_count(people):
    match = ended_match(people[:2], [1, 2])
    FormerPlayer.objects.create(match=match, seat=1, user=people[2], until=1, at=NOW)
    rate()
    assert reason(match) == "substitute"
    assert numbers() == {}


def test_the_same_two_count_five_times_in_seven_days(people):
    matches = [ended_match(people[:2], [1, 2], NOW + n * DAY) for n in range(9)]
    other = ended_match([people[0], people[2]], [1, 2], NOW + 6 * DAY)
    three = ended_match(people[:3], [1, 2, 3], NOW + 6 * DAY + HOUR)
    rate()
    # Of the days 5 to 8, all but 5 and 6 and the match of three lie seven days after one of those.
    assert [reason(match) for match in matches] == ["", "", "", "", "", "pair", "pair", "", ""]
    assert reason(other) == ""
    assert reason(three) == "pair"


def test_the_timeouts_of_an_absent_player_count_once(people):
    ada, bruno, clara, daniel = people
    away = NOW - 5 * DAY
    first = ended_match([ada, bruno], [1, 2], NOW, dropped={1: TIMEOUT}, moved={1: away})
    second = ended_match([clara, bruno], [1, 2], NOW + HOUR, dropped={1: TIMEOUT}, moved={1: away})
    third = ended_match(
        [ada, bruno, daniel], [1, 2, 3], NOW + DAY, dropped={1: TIMEOUT}, moved={1: away}
    )
    back = NOW + 2 * DAY
    later = ended_match(
        [daniel, bruno], [1, 2], NOW + 9 * DAY, dropped={1: TIMEOUT}, moved={1: back}
    )
    rate()
    assert [reason(one) for one in (first, second, third, later)] == ["", "absent", "", ""]
    assert RatingChange.objects.filter(match=third.pk).count() == 2
    assert numbers()["bruno"][2] == 2


LEFT = [
    (TIMEOUT, "timeout"),
    (Player.Dropped.RESIGNED, "resigned"),
    (Player.Dropped.REMOVED, "removed"),
]


@pytest.mark.parametrize(("how", "ending"), LEFT)
def test_of_many_matches_left_at_once_the_first_counts(people, how, ending):
    """Eight resigned matches cost no more than eight that run out of time."""
    bruno = people[1]
    others = [User.objects.create(username=f"p{n}", email=f"p{n}@example.org") for n in range(8)]
    moved = {1: NOW - DAY}
    matches = [
        ended_match(
            [other, bruno], [1, 2], NOW + n * HOUR, dropped={1: how}, ending=ending, moved=moved
        )
        for n, other in enumerate(others)
    ]
    rate()
    assert [reason(match) for match in matches] == ["", *["absent"] * 7]
    assert numbers()["bruno"][:2] == expected(1, 2)[1]


def test_a_match_is_resigned_for_itself_after_a_day_or_after_a_move(people):
    ada, bruno, clara, daniel = people
    resigned = {"dropped": {1: Player.Dropped.RESIGNED}, "ending": "resigned"}
    ended_match([ada, bruno], [1, 2], NOW, **resigned)
    moved = ended_match([clara, bruno], [1, 2], NOW + 2 * HOUR, moved={1: NOW + HOUR}, **resigned)
    at_once = ended_match([daniel, bruno], [1, 2], NOW + 3 * HOUR, moved={1: NOW}, **resigned)
    late = ended_match(
        [ada, bruno], [1, 2], NOW + 3 * HOUR + DAY, moved={1: NOW - HOUR}, **resigned
    )
    rate()
    assert [reason(one) for one in (moved, at_once, late)] == ["", "absent", ""]


def test_who_resigns_a_match_while_others_run_out_of_time_leaves_them_at_once(people):
    ada, bruno, clara, _ = people
    away = {1: NOW - DAY}
    ended_match([ada, bruno], [1, 2], NOW, dropped={1: TIMEOUT}, moved=away)
    resigned = {1: Player.Dropped.RESIGNED}
    second = ended_match([clara, bruno], [1, 2], NOW + HOUR, dropped=resigned, moved=away)
    rate()
    assert reason(second) == "absent"


def test_a_bot_resigns_each_match_for_itself(people):
    bot = user_of(LEVELS[1])
    resigned = {"dropped": {1: Player.Dropped.RESIGNED}, "ending": "resigned"}
    matches = [
        ended_match([user, bot], [1, 2], NOW + n * HOUR, moved={1: NOW - DAY}, **resigned)
        for n, user in enumerate(people)
    ]
    rate()
    assert [reason(match) for match in matches] == [""] * 4


def test_a_match_that_is_settled_before_both_have_moved_does_not_count(people):
    drawn = ended_match(people[:2], [1, 1], ending="closed", moved={0: None, 1: None})
    half = ended_match(people[:2], [1, 1], NOW + HOUR, ending="closed", moved={1: None})
    resigned = {0: Player.Dropped.RESIGNED}
    left = ended_match(
        people[:2], [2, 1], NOW + 2 * HOUR, ending="resigned", dropped=resigned, moved={1: None}
    )
    rate()
    assert [reason(one) for one in (drawn, half, left)] == ["unmoved"] * 3
    by_the_rules = ended_match(people[:2], [1, 2], NOW + 3 * HOUR, moved={1: None})
    closed = ended_match(people[:2], [1, 1], NOW + 4 * HOUR, ending="closed")
    three = ended_match(people[:3], [1, 1, 1], NOW + 5 * HOUR, ending="closed", moved={2: None})
    rate()
    assert [reason(one) for one in (by_the_rules, closed, three)] == [""] * 3
    assert set(numbers()) == {"ada", "bruno"}


def test_moves_that_were_taken_back_are_none(start):
    play = start()
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "1")
    play.move(1, "1")
    play.act(services.take_back, 1)
    play.act(services.take_back, 0)
    play.act(services.offer_close, 0)
    play.act(services.accept_offer, 1)
    rate()
    assert reason(play.match) == "unmoved"


def test_a_guest_makes_the_match_friendly(toy, people):
    guest = User.objects.create(username="guest-1", is_guest=True)
    made = {}
    for opponent in (people[1], guest):
        challenge = lobby.challenge(
            creator=people[0],
            title=TITLE,
            params={},
            clock=None,
            seats=2,
            audience=Challenge.Audience.LINK,
            rated=True,
            now=NOW,
        )
        lobby.accept(challenge_id=challenge.pk, user=opponent, token=challenge.token, now=NOW)
        made[opponent.username] = Match.objects.get(challenge=challenge).rated
    assert made == {"bruno": True, "guest-1": False}


def test_a_rematch_is_as_its_match(start, people):
    for rated in (True, False):
        match = ended_match(people[:2], [1, 2], rated=rated)
        again = lobby.rematch(match=match, user=people[0], now=NOW)
        assert again.rated is rated


def test_bots_are_rated_and_people_at_half_weight(people):
    bot = User.objects.create(username="bot", is_bot=True)
    ended_match([people[0], bot], [1, 2])
    rate()
    full = expected(1, 2)
    assert numbers()["ada"][0] - 1500 == pytest.approx((full[0].mu - 1500) / 2)
    assert numbers()["bot"][:2] == full[1]


def test_absence_is_counted_from_match_to_match_and_bots_have_none(people):
    bot = User.objects.create(username="bot", is_bot=True)
    ended_match([people[0], bot], [1, 2])
    rate()
    early = numbers()
    ended_match([people[0], bot], [1, 2], NOW + 100 * DAY)
    rate()
    before = {c.user.username: c.sigma_before for c in RatingChange.objects.filter(matches=2)}
    ada = Strength(*early["ada"][:2])
    assert before["ada"] == calculation.after_absence(ada, 100 * DAY).sigma
    assert before["bot"] == early["bot"][1]


def history(people, seed, count=80):
    """Write a random history: up to four players, ties, drop-outs, absences, few minutes apart."""
    chance = random.Random(seed)
    at = NOW
    found = []
    for _ in range(count):
        at += timedelta(minutes=chance.choice([0, 1, 3, 600, 6000]))
        users = chance.sample(people, chance.randint(2, 4))
        ranks = [chance.randint(1, 3) for _ in users]
        ranks[chance.randrange(len(users))] = 1
        kinds = ["", "", "", TIMEOUT, Player.Dropped.RESIGNED]
        dropped = {seat: kind for seat in range(len(users)) if (kind := chance.choice(kinds))}
        moved = {seat: chance.choice([None, at - 9 * DAY, at - HOUR]) for seat in dropped}
        rated = chance.random() < 0.9
        found.append(ended_match(users, ranks, at, dropped=dropped, moved=moved, rated=rated))
    return found


@pytest.mark.parametrize("seed", range(3))
def test_recomputing_gives_the_same_numbers_to_the_last_digit(people, toy, monkeypatch, seed):
    matches = history(people, seed)
    waiting = [match for match in matches if match.rated]
    hidden = Match.objects.filter(pk__in=[match.pk for match in waiting])
    hidden.update(rated=False)
    chance = random.Random(seed)
    # They turn up in groups, out of order by a few minutes.
    monkeypatch.setattr(updating, "BATCH_SIZE", 7)
    while waiting:
        few, waiting = waiting[:9], waiting[9:]
        near = [m for m in few if few[-1].ended - m.ended < timedelta(minutes=8)]
        late = set(chance.sample(near, len(near) // 2))
        Match.objects.filter(pk__in=[m.pk for m in few if m not in late]).update(rated=True)
        updating.update(TITLE)
        Match.objects.filter(pk__in=[m.pk for m in late]).update(rated=True)
        updating.update(TITLE)
    found = numbers(), changes()
    assert len(found[1]) > 50
    monkeypatch.setattr(updating, "BATCH_SIZE", 200)
    call_command("recompute_ratings", verbosity=0)
    assert (numbers(), changes()) == found


def test_annulling_works_everything_out_again_that_came_later(people):
    first = ended_match(people[:2], [1, 2])
    ended_match(people[1:3], [1, 2], NOW + DAY)
    rate()
    Match.objects.filter(pk=first.pk).update(
        status=Match.Status.ANNULLED, changed=NOW + 2 * DAY, ended=NOW + 2 * DAY
    )
    rate()
    won, lost = expected(1, 2)
    assert numbers() == {"bruno": (*won, 1), "clara": (*lost, 1)}
    assert not RatedMatch.objects.filter(match=first).exists()


def test_a_service_annuls(start, people):
    moderator = User.objects.create(username="mod")
    play = start(heap=1)
    Match.objects.filter(pk=play.id).update(rated=True)
    play.move(0, "1")
    rate()
    assert set(numbers()) == {"ada", "bruno"}
    services.annul(match_id=play.id, moderator=moderator, reason="Arranged.", now=NOW + HOUR)
    rate()
    assert numbers() == {}


def test_a_match_that_is_left_out_changes_nothing(people):
    first = ended_match(people[:2], [1, 2])
    ended_match(people[1:3], [1, 2], NOW + DAY)
    rate()
    assert updating.leave_out(first, NOW) is True
    assert updating.leave_out(first, NOW) is False
    rate()
    assert reason(first) == "moderator"
    assert set(numbers()) == {"bruno", "clara"}
    assert LeftOut.objects.count() == 1


def test_one_that_turns_up_late_is_put_in_its_place(people):
    ended_match(people[:2], [1, 2], NOW)
    ended_match(people[1:3], [1, 2], NOW + timedelta(minutes=5))
    rate()
    ended_match([people[0], people[2]], [2, 1], NOW + timedelta(minutes=2))
    rate()
    found = numbers(), changes()
    updating.rebuild(TITLE)
    rate()
    assert (numbers(), changes()) == found
    assert len(found[1]) == 6


def test_a_match_that_turns_up_days_late_is_found_by_the_daily_sweep(people, toy):
    ended_match(people[:2], [1, 2], NOW)
    rate()
    late = ended_match(people[1:3], [1, 2], NOW - 3 * DAY)
    rate()
    assert not RatedMatch.objects.filter(match=late).exists()
    tasks.sweep_late_matches()
    assert [change[0] for change in changes()][:2] == [late.pk] * 2
    assert len(changes()) == 4


def test_the_command_knows_its_games(toy, db):
    with pytest.raises(UnknownTitle):
        call_command("recompute_ratings", "chess")


def test_own_data_and_deletion(people):
    ada, bruno = people[:2]
    ended_match([ada, bruno], [1, 2])
    rate()
    selectors.set_listed(ada, is_listed=False)
    data = personal_data.export(ada)["ratings"]
    assert [row["title"] for row in data["now"]] == [TITLE]
    assert [row["mu_before"] for row in data["history"]] == [1500]
    assert data["preferences"] == [{"is_listed": False}]
    before = numbers()["bruno"]

    def board():
        return selectors.leaderboard(TITLE, NOW, with_provisional=True).items

    deletion.ask(ada, now=NOW)
    deletion.delete_due(now=NOW + 8 * DAY)
    assert RatingPreferences.objects.count() == 0
    names = [row.standing.user.username for row in board()]
    assert names == ["bruno"]
    updating.rebuild(TITLE)
    rate()
    assert numbers()["bruno"] == before


def test_the_leaderboard(people):
    ada, bruno, clara, daniel = people
    rows = [(ada, 1700, 90), (bruno, 1600, 200), (clara, 1650, 120), (daniel, 1800, 80)]
    for user, mu, sigma in rows:
        strength = Strength(mu, sigma)
        until = NOW + calculation.known_for(strength)
        Rating.objects.create(
            user=user,
            title=TITLE,
            mu=mu,
            sigma=sigma,
            ended=NOW,
            matches=9,
            established_until=until,
        )
    selectors.set_listed(daniel, is_listed=False)

    def listed(**how):
        board = selectors.leaderboard(TITLE, how.pop("now", NOW), **how)
        return [(row.place, row.standing.user.username) for row in board.items]

    assert listed() == [(1, "ada"), (2, "clara")]
    assert listed(with_provisional=True) == [(1, "ada"), (2, "clara"), (3, "bruno")]
    assert listed(name="CLA") == [(2, "clara")]
    assert listed(page=2) == []
    # Clara's rating becomes provisional first.
    assert listed(now=NOW + 300 * DAY) == [(1, "ada")]
    ban = standing.impose(ada, Sanction.Kind.BAN, reason="", moderator=daniel, now=NOW)
    assert listed() == [(1, "clara")]
    standing.lift(ban, now=NOW)
    assert listed() == [(1, "ada"), (2, "clara")]
    User.objects.filter(pk=ada.pk).update(is_active=False)
    assert listed() == [(1, "clara")]


def test_the_percentile_counts_established_people(people):
    others = [User.objects.create(username=f"p{n}", email=f"p{n}@example.org") for n in range(6)]
    for n, user in enumerate([people[0], *others]):
        Rating.objects.create(
            user=user,
            title=TITLE,
            mu=1500 + 10 * n,
            sigma=100,
            ended=NOW,
            matches=9,
            established_until=NOW + DAY,
        )
    (own,) = selectors.of_player(others[2], NOW)
    assert own.percentile == 50
    assert own.rating.level == "intermediate"
    (own,) = selectors.of_player(others[2], NOW + 2 * DAY)
    assert own.percentile is None


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once(transactional_db):
    users = [User.objects.create(username=f"p{n}", email=f"p{n}@example.org") for n in range(4)]
    history(users, 5, count=60)
    run_concurrently(*[lambda: updating.update(TITLE)] * 2)
    found = numbers(), changes()
    assert len(found[1]) > 40
    assert Progress.objects.count() == 1
    updating.rebuild(TITLE)
    rate()
    assert (numbers(), changes()) == found
