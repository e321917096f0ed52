"""Ratings on pages and by program."""

import json
import re
from datetime import UTC, datetime, timedelta
from functools import partial

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Notification, User
from games.lobby import services as lobby
from games.lobby.models import Challenge, StandingChallenge
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.models import Match
from games.moderation.models import ModeratorAction
from games.ratings import updating
from games.ratings.models import LeftOut, RatedMatch, Rating
from games.web.statistics import charts
from tests import rated
from tests.match_driver import begin, fresh_cache, match_driver
from tests.people import sign_in_staff
from tests.rated import ended_match

__all__ = ["fresh_cache", "match_driver"]

DIE = "die"
BOARD = "/games/die/ratings/"
API = "/api/v1"


establish = partial(rated.establish, title=DIE)


def open_challenge(creator, **terms):
    return lobby.challenge(
        creator=creator,
        title=DIE,
        params={},
        clock=PRESETS["standard"],
        seats=2,
        audience=Challenge.Audience.OPEN,
        now=timezone.now(),
        **terms,
    )


@pytest.fixture
def signed_in(client, people):
    client.force_login(people[0])
    return client


@pytest.fixture
def ended(match_driver):
    """A rated match of DIE that Red has resigned after a move of each, not worked out yet."""
    Match.objects.filter(pk=match_driver.id).update(rated=True)
    for _ in range(2):
        at = match_driver.snapshot
        match_driver.play(str(next(iter(at.title.moves(at.state, at.actors[0])))))
    match_driver.act(services.resign, 0)
    return match_driver


def text_of(response):
    assert response.status_code == 200
    return response.content.decode()


def test_the_leaderboard_lists_established_people(client, people):
    ada, bruno, clara, _ = people
    bot = User.objects.create(username="bot-x", is_bot=True)
    establish(ada, 1700)
    establish(bruno, 1650, 200)
    establish(clara, 1600)
    establish(bot, 1900)
    page = text_of(client.get(BOARD))
    assert page.index("ada") < page.index("clara")
    assert "bruno" not in page
    assert "bot-x" not in page
    assert "advanced" in page
    assert "bruno" in text_of(client.get(BOARD, {"who": "all"}))
    assert "bot-x" in text_of(client.get(BOARD, {"who": "bots"}))
    found = text_of(client.get(BOARD, {"name": "CLA"}))
    assert "clara" in found
    assert '<td class="num">2</td>' in found
    assert "ada" not in found.partition("<table")[2]


ODD = ["page=0", "page=x", "page=99", "who=x", "name=%00", f"name={'x' * 30}"]


@pytest.mark.parametrize("query", ODD)
def test_odd_filters_are_no_error(client, db, query):
    assert client.get(f"{BOARD}?{query}").status_code == 200


def test_pages_of_a_leaderboard(client, people, monkeypatch):
    monkeypatch.setattr("games.ratings.selectors.PAGE_LENGTH", 2)
    for at, user in enumerate(people):
        establish(user, 1700 - at)
    first = text_of(client.get(BOARD))
    assert "?page=2" in first
    second = text_of(client.get(BOARD, {"page": 2}))
    assert "daniel" in second
    assert "?page=1" in second
    found = client.get(f"{API}{BOARD}").json()
    assert [row["standing"]["name"] for row in found["items"]] == ["ada", "bruno"]
    following = client.get(found["next"]).json()
    assert [row["place"] for row in following["items"]] == [3, 4]
    assert following["next"] is None


def test_a_leaderboard_takes_a_fixed_number_of_queries(client, people, django_assert_num_queries):
    for user in people:
        establish(user, 1600)
    with django_assert_num_queries(2):
        client.get(BOARD)


def test_one_leaves_the_leaderboard_by_a_preference(signed_in, people):
    establish(people[0], 1600)
    assert "List me on leaderboards" in text_of(signed_in.get("/account/preferences/"))
    signed_in.post("/account/ratings/", {})
    assert "ada" not in text_of(Client().get(BOARD)).partition("<main")[2]
    assert client_names(f"{API}{BOARD}") == []
    # The rating itself is still shown beside the name.
    assert "1600" in text_of(Client().get("/players/ada/"))
    signed_in.post("/account/ratings/", {"is_listed": "on"})
    assert client_names(f"{API}{BOARD}") == ["ada"]


def client_names(address):
    return [row["standing"]["name"] for row in Client().get(address).json()["items"]]


def test_the_profile_has_ratings_and_leads_to_their_history(client, people):
    for at in range(3):
        ended_match(people[:2], [1, 2], timezone.now() - timedelta(days=9 - at), title=DIE)
    updating.update(DIE)
    profile = text_of(client.get("/players/ada/"))
    assert "provisional" in profile
    assert "/players/ada/ratings/" in profile
    assert "Rating in DIE over time" in profile
    history = text_of(client.get("/players/ada/ratings/"))
    assert "Rating in DIE over time" in history
    assert history.count("/matches/") == 3
    assert "after 3 rated matches" in history
    assert client.get("/players/nobody/ratings/").status_code == 404
    assert "No rated matches yet." in text_of(client.get("/players/clara/ratings/"))


def test_the_match_page_tells_the_change(ended, client):
    page = text_of(client.get(f"/matches/{ended.id}/"))
    assert "The ratings change in a few seconds." in page
    assert "rated" in page.partition('class="match-terms"')[2].partition("</span>")[0]
    updating.update(DIE)
    page = text_of(client.get(f"/matches/{ended.id}/"))
    assert "1500 → <b>1421</b>" in page
    assert "(−79)" in page
    assert "(+79)" in page


def test_a_program_reads_the_change(ended, client):
    address = f"{API}/matches/{ended.id}/ratings/"
    assert client.get(address).json() == {
        "rated": True,
        "known": False,
        "reason": "",
        "changes": [],
    }
    updating.update(DIE)
    found = client.get(address).json()
    assert [(one["name"], one["after"]["number"]) for one in found["changes"]] == [
        ("ada", 1421),
        ("bruno", 1579),
    ]
    own = client.get(f"{API}/players/bruno/ratings/").json()
    assert own[0]["rating"] == {
        "number": 1579,
        "deviation": 237,
        "provisional": True,
        "level": "intermediate",
    }
    history = client.get(f"{API}/players/bruno/ratings/die/").json()
    assert [one["match"] for one in history["items"]] == [ended.id]
    assert client.get(f"{API}/matches/{ended.id}/").json()["rated"] is True
    assert client.get(f"{API}/games/none/ratings/").status_code == 404


def test_a_match_that_does_not_count_says_why(client, people):
    match = begin(DIE, people[:2])
    Match.objects.filter(pk=match.id).update(rated=True)
    match.act(services.resign, 0)
    updating.update(DIE)
    assert "The match ended before everybody had moved." in text_of(
        client.get(f"/matches/{match.id}/")
    )


def test_friendly_matches_say_nothing_of_ratings(client, people):
    match = begin(DIE, people[:2])
    match.act(services.resign, 0)
    page = text_of(client.get(f"/matches/{match.id}/"))
    assert "action-ratings" not in page
    assert client.get(f"{API}/matches/{match.id}/ratings/").json()["rated"] is False


FORM = {"seats": "2", "audience": "open", "seating": "random", "clock": "standard", "lifetime": "7"}


@pytest.mark.parametrize(("sent", "rated"), [({"rated": "1"}, True), ({"rated": "0"}, False)])
def test_the_form_chooses_rated_or_friendly(signed_in, sent, rated):
    signed_in.post("/games/die/challenge/", {**FORM, "param-size": "5", **sent})
    assert Challenge.objects.get().rated is rated


def test_standard_settings_are_rated(signed_in):
    assert "You challenge anybody to a rated match" in text_of(
        signed_in.get("/games/die/challenge/")
    )


def test_a_challenge_that_is_reposted_stays_rated(signed_in):
    signed_in.post(
        "/games/die/challenge/", {**FORM, "param-size": "5", "rated": "1", "keep_up_to": "2"}
    )
    assert StandingChallenge.objects.get().rated
    assert Challenge.objects.get().rated


@pytest.mark.parametrize("rated", [True, False])
def test_lobby_and_challenge_say_so_with_the_rating_of_the_creator(client, people, rated):
    establish(people[1], 1733)
    made = open_challenge(people[1], rated=rated)
    row = text_of(client.get("/lobby/"))
    page = text_of(client.get(made.get_absolute_url()))
    assert (">rated<" in row, ">friendly<" in row) == (rated, not rated)
    assert ("rated: the result" in page) is rated
    for shown in (row, page):
        assert "Rating 1733 ± 90, advanced" in shown


def test_the_lobby_asks_as_often_for_many_as_for_one(client, people):
    counts = []
    for user in people:
        establish(user, 1733)
        open_challenge(user)
        with CaptureQueriesContext(connection) as asked:
            client.get("/lobby/")
        counts.append(len(asked))
    assert len(set(counts)) == 1


def test_a_program_makes_rated_challenges_when_it_says_so(signed_in):
    def make(**fields):
        body = {"title": DIE, "submission": fields.pop("submission"), **fields}
        answer = signed_in.post(
            f"{API}/challenges/", json.dumps(body), content_type="application/json"
        )
        return answer.json()["rated"]

    assert make(submission="6d0a4a5e-0000-4000-8000-000000000001") is False
    assert make(submission="6d0a4a5e-0000-4000-8000-000000000002", rated=True) is True


def test_a_match_against_a_bot_is_friendly_unless_the_box_is_ticked(signed_in):
    form = {"level": "casual", "param-size": "5"}
    signed_in.post("/games/die/bots/", form)
    signed_in.post("/games/die/bots/", {**form, "rated": "on"})
    assert list(Match.objects.order_by("pk").values_list("rated", flat=True)) == [False, True]


class TestDesk:
    @pytest.fixture
    def desk(self, clara):
        client = Client()
        sign_in_staff(client, clara)
        return client

    def act(self, desk, case, match, reason="Arranged."):
        form = {"action": "unrate", "match": match, "reason": reason}
        return desk.post(f"/desk/cases/{case.pk}/act/", form, follow=True)

    def test_a_moderator_takes_a_match_out(self, desk, case, django_capture_on_commit_callbacks):
        players = [case.suspect, User.objects.create(username="other-one")]
        match = ended_match(players, [1, 2], timezone.now(), title=DIE)
        updating.update(DIE)
        assert Rating.objects.count() == 2
        self.act(desk, case, match.pk)
        updating.update(DIE)
        assert RatedMatch.objects.get().reason == "moderator"
        assert Rating.objects.count() == 0
        logged = ModeratorAction.objects.get(action="unrate")
        assert (logged.match_id, logged.reason) == (match.pk, "Arranged.")
        told = Notification.objects.filter(payload__icontains="unrated")
        assert set(told.values_list("recipient", flat=True)) == {one.pk for one in players}
        assert "out of the ratings already" in text_of(self.act(desk, case, match.pk))

    def test_not_without_a_reason_nor_a_friendly_match(self, desk, case):
        players = [case.suspect, User.objects.create(username="other-one")]
        friendly = ended_match(players, [1, 2], timezone.now(), title=DIE, rated=False)
        counted = ended_match(players, [1, 2], timezone.now(), title=DIE)
        assert "This match is friendly." in text_of(self.act(desk, case, friendly.pk))
        self.act(desk, case, counted.pk, reason=" ")
        assert not LeftOut.objects.exists()


def test_the_chart_of_a_rating_has_round_numbers():
    assert charts._between(1421, 1579) == [1400, 1500, 1600]
    assert charts._between(1500, 1500) == [1500, 1520]
    assert charts._between(0, 3000) == [0, 1000, 2000, 3000]
    days = [datetime(2026, 1, day, 12, tzinfo=UTC) for day in (1, 2, 21)]
    picture = charts.line(list(zip(days, (1500, 1560, 1540), strict=True)), "Rating <b>")
    assert "&lt;b&gt;" in picture
    assert "style=" not in picture


@pytest.mark.parametrize(
    ("span", "dates"),
    [
        (timedelta(), ["1 Jan, 12:00"]),
        (timedelta(days=2), ["1 Jan, 20:00", "2 Jan, 12:00", "3 Jan, 04:00"]),
        (timedelta(days=20), ["3 Jan", "7 Jan", "11 Jan", "15 Jan", "19 Jan"]),
        (timedelta(days=800), ["Mar 2026", "Aug 2026", "Feb 2027", "Jul 2027", "Dec 2027"]),
    ],
)
def test_the_chart_of_a_rating_is_by_date(span, dates):
    begin = datetime(2026, 1, 1, 12, tzinfo=UTC)
    points = [(begin, 1500), (begin + span / 4, 1510), (begin + span, 1540)]
    picture = charts.line(points, "Rating").replace("\N{NO-BREAK SPACE}", " ")
    assert [date for date in dates if date not in picture] == []
    places = re.search(r'<path [^>]*d="([^"]+)"', picture)[1]
    first, second, third = (float(x) for x in re.findall(r"[ML] ?([\d.]+)", places))
    if span:
        assert second - first == pytest.approx((third - first) / 4)
