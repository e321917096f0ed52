"""Reliability: what lowers it, what it is asked for, and who leaves at the first move."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Notification
from games.bots import services as bots
from games.bots.levels import LEVELS
from games.lobby import reliability, services
from games.lobby.models import Challenge
from games.matches import services as matches
from games.matches.clock import PRESETS
from games.matches.errors import Refused
from games.matches.models import Match, Player
from tests.fixtures import NOW

DAY = timedelta(days=1)


def seat(user, match, *, dropped="", ago=0, **fields):
    """Write how a seat of a match ended, as the match itself does."""
    fields = {"ended": NOW - ago * DAY, "result": "lost", "dropped": dropped, **fields}
    Player.objects.filter(user=user, match=match.id).update(**fields)


def posted(creator, **how):
    return services.challenge(
        creator=creator,
        title="heap",
        params={"heap": 10, "free": False},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=NOW,
        **how,
    )


def test_nobody_knows_how_reliable_a_newcomer_is_and_they_may_accept(people, toy):
    assert reliability.of(people[1], NOW) is None
    made = posted(people[0], least_reliability=95)
    services.accept(challenge_id=made.pk, user=people[1], now=NOW)
    made.refresh_from_db()
    assert made.match


@pytest.mark.parametrize("path", ["/players/ada/", "/lobby/", "challenge"])
def test_pages_claim_no_reliability_of_a_newcomer(people, start, path):
    made = posted(people[0])
    client = Client()
    client.force_login(people[1])
    path = made.get_absolute_url() if path == "challenge" else path
    assert "100 %" not in client.get(path).content.decode()
    # Pages ask at the present time, NOW is in the past.
    Player.objects.filter(user=people[0], match=start().id).update(
        ended=timezone.now(), result="won"
    )
    assert "100 %" in client.get(path).content.decode()


def test_running_out_of_time_lowers_it_and_playing_on_raises_it(start, people):
    ada = people[0]
    seat(ada, start(), dropped="timeout")
    assert reliability.of(ada, NOW) == 75
    for _ in range(4):
        seat(ada, start())
    assert reliability.of(ada, NOW) == 88


def test_what_is_long_ago_counts_less_and_then_not_at_all(start, people):
    ada = people[0]
    match = start()
    figures = []
    for ago in (0, 60, 179, 181):
        seat(ada, match, dropped="timeout", ago=ago)
        figures.append(reliability.of(ada, NOW))
    assert figures == [75, 86, 96, None]


@pytest.mark.parametrize(
    ("seats", "version", "figure"), [(2, 1, 100), (3, 1, 75), (3, 15, 75), (3, 16, 100)]
)
def test_resigning_early_counts_in_matches_of_several(start, people, seats, version, figure):
    seat(people[0], start(seats=seats), dropped="resigned", version=version)
    assert reliability.of(people[0], NOW) == figure


def rated(start, **how):
    play = start(**how)
    Match.objects.filter(pk=play.id).update(rated=True)
    return play


def give_up(play, service, seat=0, *, ago=0):
    play.act(service, seat, now=NOW - ago * DAY)


@pytest.mark.parametrize("service", [matches.cancel, matches.resign])
def test_who_gives_up_rated_matches_unplayed_again_and_again_is_less_reliable(
    start, people, service
):
    ada, bruno = people[:2]
    figures = []
    for ago in (100, 50, 40, 20):
        give_up(rated(start), service, ago=ago)
        figures.append(reliability.of(ada, NOW))
    assert figures[:2] == [None, None], "rarely they may"
    assert figures[2] < 85
    assert figures[3] < figures[2] - 5
    assert reliability.of(bruno, NOW) in (None, 100)


def test_who_gives_up_friendly_matches_or_by_agreement_or_after_a_move_does_not(start, people):
    for _ in range(3):
        give_up(start(), matches.cancel)
        play = rated(start)
        play.act(matches.offer_cancel, 0)
        play.act(matches.accept_offer, 1)
        give_up(rated(start, bots=1), matches.cancel)
    assert reliability.of(people[0], NOW) is None
    for _ in range(3):
        play = rated(start)
        play.move(0, "1")
        play.act(matches.resign, 0)
    assert reliability.of(people[0], NOW) == 100


def test_three_rated_matches_are_cancelled_alone_in_a_month(start, people):
    for ago in (40, 20, 10, 5):
        give_up(rated(start), matches.cancel, ago=ago)
    play = rated(start)
    with pytest.raises(Refused, match="3 rated matches alone"):
        play.act(matches.cancel, 0)
    assert play.match.is_running
    play.act(matches.cancel, 1)
    give_up(start(), matches.cancel)
    give_up(rated(start, bots=1), matches.cancel)
    give_up(rated(start, now=NOW + 11 * DAY), matches.cancel, ago=-11)


def test_lists_of_challenges_and_the_page_of_a_player_show_it(client, start, people):
    ada, bruno = people[:2]
    seat(ada, start(), dropped="timeout", ended=timezone.now())
    posted(ada)
    posted(bruno, least_reliability=80)
    lobby = client.get("/lobby/").content.decode()
    assert [figure in lobby for figure in ("75 %", "new</span>", "asks for 80 %")] == [True] * 3
    assert "reliability 75 %" in client.get("/players/ada/").content.decode()


@pytest.mark.parametrize("fields", [{"with_bots": True}, {"result": ""}, {"ended": None}])
def test_matches_with_bots_without_result_or_running_do_not_count(start, people, fields):
    seat(people[0], start(), **{"dropped": "timeout", **fields})
    assert reliability.of(people[0], NOW) is None


def test_many_are_asked_for_at_once(start, people, django_assert_num_queries):
    seat(people[1], start(), dropped="timeout")
    with django_assert_num_queries(1):
        figures = reliability.of_many([user.pk for user in people], NOW)
    assert figures == {people[1].pk: 75}


def test_a_challenge_asks_for_it(start, people):
    ada, bruno, clara, _ = people
    seat(bruno, start(), dropped="timeout")
    challenge = posted(ada, least_reliability=80)
    with pytest.raises(Refused, match="asks for a reliability of 80 %; yours is 75 %"):
        services.accept(challenge_id=challenge.pk, user=bruno, now=NOW)
    assert services.accept(challenge_id=challenge.pk, user=clara, now=NOW).match is not None


def test_the_page_of_a_challenge_shows_it(start, people):
    seat(people[0], start(), dropped="timeout")
    Player.objects.update(ended=None)
    page = Client().get(posted(people[0], least_reliability=90).get_absolute_url())
    assert "asks for 90 % or more" in page.content.decode()


def test_the_form_of_a_challenge_offers_it(toy, people):
    client = Client()
    client.force_login(people[0])
    page = client.get("/games/heap/challenge/").content.decode()
    assert 'name="least_reliability"' in page
    form = {
        "audience": "open",
        "seating": "random",
        "clock": "standard",
        "lifetime": "7",
        "seats": "2",
        "param-heap": "10",
        "least_reliability": "90",
    }
    client.post("/games/heap/challenge/", {**form, "least_reliability": "91"})
    assert not Challenge.objects.exists()
    client.post("/games/heap/challenge/", form)
    assert Challenge.objects.get().least_reliability == 90


class TestLeavingAtOnce:
    def leave(self, start, times):
        """Ada, who begins, lets her time run out without a move."""
        for _ in range(times):
            play = start()
            deadline = play.player(0).deadline
            matches.time_out(match_id=play.id, now=deadline + DAY)
        return deadline + DAY

    def warnings(self, user):
        return Notification.objects.filter(recipient=user, kind=reliability.LEFT_AT_ONCE).count()

    def test_twice_earns_a_warning_and_thrice_one_match_at_a_time(self, start, people):
        ada, bruno = people[:2]
        now = self.leave(start, 1)
        reliability.check_may_begin(ada, now)
        assert self.warnings(ada) == 0
        self.leave(start, 1)
        for _ in range(2):
            reliability.check_may_begin(ada, now)
        assert self.warnings(ada) == 1
        self.leave(start, 1)
        reliability.check_may_begin(ada, now)
        start()
        with pytest.raises(Refused, match="one match at a time"):
            reliability.check_may_begin(ada, now)
        reliability.check_may_begin(bruno, now)
        reliability.check_may_begin(ada, now + reliability.RECENT_PERIOD + DAY)

    def test_it_does_not_hold_for_matches_with_bots(self, start, people):
        self.leave(start, 3)
        start()
        bots.play(
            user=people[0],
            title="heap",
            level=LEVELS[0],
            params={},
            seats=2,
            now=NOW,
        )

    def test_it_holds_for_posting_and_for_accepting(self, start, people):
        ada, bruno = people[:2]
        self.leave(start, 3)
        start()
        with pytest.raises(Refused, match="one match at a time"):
            posted(ada)
        challenge = posted(bruno)
        with pytest.raises(Refused, match="one match at a time"):
            services.accept(challenge_id=challenge.pk, user=ada, now=NOW)

    def test_who_has_moved_has_not_left_at_once(self, start, people):
        for _ in range(3):
            play = start()
            play.move(0, "1")
            play.move(1, "1")
            matches.time_out(match_id=play.id, now=play.player(0).deadline + DAY)
        start()
        reliability.check_may_begin(people[0], NOW)
