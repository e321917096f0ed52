"""Two to six at one table: turns, clocks, answers, drop-outs, agreement, places, and who is out."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client

from accounts import blocks, notifications
from accounts.models import Notification, User
from games.kernel import params, registry
from games.matches import services
from games.matches.clock import PRESETS
from games.matches.errors import Refused
from games.matches.models import Match
from games.matches.services import Participant
from games.talk import selectors
from games.talk import services as talk
from games.talk.notifications import CHAT_MESSAGE
from games.titles.simple_life_or_death.state import FULL_STOCK
from games.titles.simple_life_or_death.tests.fixtures import EMPTY, position
from tests.fixtures import NOW, Play
from tests.responses import lasting

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
RED, ORANGE, YELLOW, GREEN = range(4)
SLUG = "simple-life-or-death"

BOARD = {"c7": ["rS1"], "d7": ["oM1"], "h8": ["yS1"]}
HANDS = [["2C", "KS"], ["3C", "7H"], ["5D"], []]
TAKEN = [["gS1", "gS2"], ["gM1"], ["gL1"], ["rS2"]]
"""Green has nothing left and is out; Red is to move and can attack Orange."""


@pytest.fixture
def six(people):
    """Six people."""
    more = ("erin", "frank")
    return [*people, *(User.objects.create(username=n, email=f"{n}@example.org") for n in more)]


@pytest.fixture
def begin(six):
    """Begin a match: ``begin(seats, order=…)``; ``stood`` is a position to go on from."""

    def _begin(seats, stood=None, **chosen):
        cache.clear()
        match = services.start(
            title=SLUG,
            params=params.complete(registry.get(SLUG).meta, chosen),
            clock=PRESETS["standard"],
            secret=b"s" * 32,
            participants=[
                Participant(user, bytes([seat]) * 32) for seat, user in enumerate(six[:seats])
            ],
            last_joiner=six[0],
            now=NOW,
        )
        play = Play(match, six)
        if stood is not None:
            _stand(play, stood)
        return play

    return _begin


def _stand(play, stood):
    """Let a match go on from another position, with the clock of the player to move running."""
    Match.objects.filter(pk=play.id).update(position=stood)
    for player in play.snapshot.players:
        moves = player.seat in play.snapshot.actors
        player.to_move, player.clock_since = moves, NOW if moves else None
        player.deadline = NOW + player.time_left if moves else None
        player.save()


@pytest.fixture
def fight(begin):
    """Four players, one of them out; Red may attack."""
    stocks = [[*FULL_STOCK] for _ in range(3)] + [EMPTY]
    stocks[RED][0], stocks[ORANGE][1], stocks[YELLOW][0] = 3, 4, 4
    fields = {"in": [True, True, True, False], "hands": HANDS, "trophies": TAKEN, "stock": stocks}
    return begin(4, position(BOARD, 4, **fields))


def ranks(play):
    return [player.rank for player in play.snapshot.players]


def browser(user=None):
    client = Client()
    if user is not None:
        client.force_login(user)
    return client


# --- Turns ------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize(("order", "step"), [("clockwise", 1), ("counterclockwise", -1)])
def test_turns_go_round_the_table(begin, seats, order, step):
    play = begin(seats, order=order)
    first = play.snapshot.actors[0]
    corners = ["a1", "p16", "a16", "p1", "h1", "h16"]
    for turn in range(seats + 1):
        (seat,) = play.snapshot.actors
        assert seat == (first + step * turn) % seats
        spot = corners[seat]
        play.move(seat, f"place S {spot}")
        assert play.snapshot.actors == (seat,), "a turn has two duties"
        play.move(seat, f"place M {spot}")


# --- Clocks and answers -----------------------------------------------------------------------


def test_the_clock_of_the_defender_runs_and_then_again_that_of_the_mover(fight):
    before = [player.time_left for player in fight.snapshot.players]
    fight.move(RED, "attack rS1 oM1 KS", now=NOW + HOUR)
    assert fight.snapshot.actors == (ORANGE,)
    assert fight.player(RED).time_left == before[RED] - HOUR, "no increment within a turn"
    running = [bool(player.deadline) for player in fight.snapshot.players]
    assert running == [False, True, False, False]
    fight.move(ORANGE, "defend 7H", now=NOW + 3 * HOUR)
    assert fight.snapshot.actors == (RED,)
    assert fight.player(ORANGE).time_left == before[ORANGE] - 2 * HOUR, "an answer earns none"
    fight.move(RED, "place S a1", now=NOW + 4 * HOUR)
    assert fight.snapshot.actors == (ORANGE,)
    assert fight.player(RED).time_left == before[RED] - 2 * HOUR + PRESETS["standard"].increment
    assert fight.player(YELLOW).time_left == before[YELLOW]


def test_a_defender_who_runs_out_of_time_drops_and_the_mover_goes_on(fight):
    fight.move(RED, "attack rS1 oM1 KS")
    services.time_out(match_id=fight.id, now=fight.player(ORANGE).deadline)
    assert fight.player(ORANGE).dropped == "timeout"
    assert fight.match.is_running
    assert fight.snapshot.actors == (RED,)
    assert fight.match.position["pending"] is None
    assert "KS" in fight.match.position["discard"]


def test_a_bystander_may_resign_while_an_answer_is_awaited(fight):
    fight.move(RED, "attack rS1 oM1 KS")
    fight.act(services.resign, YELLOW)
    assert fight.snapshot.actors == (ORANGE,)
    fight.move(ORANGE, "defend 7H")
    assert fight.snapshot.actors == (RED,)


def test_the_rest_play_on_until_one_is_left(begin):
    play = begin(5)
    for seat in (3, 1):
        play.act(services.resign, seat)
    mover = play.snapshot.actors[0]
    services.time_out(match_id=play.id, now=play.player(mover).deadline)
    assert play.player(mover).dropped == "timeout"
    assert play.match.is_running
    assert len(play.snapshot.seats_still_in()) == 2
    left, last = (player.seat for player in play.snapshot.seats_still_in())
    play.act(services.resign, left, now=NOW + 4 * DAY)
    assert not play.match.is_running
    assert play.match.ending == "resigned"
    in_order = [last, left, mover, 1, 3]
    assert [ranks(play)[seat] for seat in in_order] == [1, 2, 3, 4, 5], "the later, the better"


# --- Agreement --------------------------------------------------------------------------------


def test_who_is_out_is_not_asked_whether_to_end_it(fight):
    fight.act(services.offer_close, RED)
    assert not Notification.objects.filter(
        kind="offer-made", recipient=fight.people[GREEN]
    ).exists()
    fight.act(services.accept_offer, ORANGE)
    assert fight.match.is_running
    fight.act(services.accept_offer, YELLOW)
    assert fight.match.ending == "closed"
    assert ranks(fight) == [1, 2, 2, 2], "Green is out, and its trophy counts"


@pytest.mark.parametrize(
    "deed", [services.offer_close, services.accept_offer, services.decline_offer, services.resign]
)
def test_who_is_out_has_no_say(fight, deed):
    if deed is not services.offer_close:
        fight.act(services.offer_close, RED)
    with pytest.raises(Refused, match="out of this match"):
        fight.act(deed, GREEN)
    assert fight.match.is_running


def test_who_has_dropped_is_ranked_last(fight):
    fight.act(services.resign, YELLOW)
    fight.act(services.offer_close, RED)
    fight.act(services.accept_offer, ORANGE)
    assert ranks(fight) == [1, 2, 4, 2]


# --- Who is out -------------------------------------------------------------------------------


@pytest.mark.slow
def test_who_is_out_watches_and_sees_nothing_hidden(fight):
    title, state = fight.snapshot.title, fight.snapshot.state
    assert title.view(state, GREEN) == title.view(state, None)
    fight.move(RED, "attack rS1 oM1 KS")
    client = browser(fight.people[GREEN])
    page = client.get(f"/matches/{fight.id}/").content.decode()
    assert '<span class="soft small">out</span>' in page
    assert "Resign" not in page
    for address in ("", "?part=live", "export.json", "export.txt", "1/", "1/board.svg"):
        told = lasting(client.get(f"/matches/{fight.id}/{address}"))
        for card in ("KS", "K♠", "7H", "7♥"):
            assert card not in told, address


# --- Places -----------------------------------------------------------------------------------

RANKING = "1. ada, 2. bruno, clara and daniel"
OTHERS = "ada, clara and daniel"


@pytest.fixture
def ended(fight):
    """A match that came out 1, 2, 2, 2."""
    fight.act(services.offer_close, RED)
    fight.act(services.accept_offer, ORANGE)
    fight.act(services.accept_offer, YELLOW)
    return fight


@pytest.mark.parametrize(
    "address",
    [
        "/matches/{id}/",
        "/matches/{id}/{version}/",
        "/archive/",
        "/home/",
        "/players/clara/",
        "/matches/{id}/export.txt",
    ],
)
def test_every_page_that_shows_a_result_shows_all_places(ended, address):
    client = browser(ended.people[YELLOW])
    path = address.format(id=ended.id, version=ended.match.version)
    answer = client.get(path)
    assert answer.status_code == 200, path
    assert RANKING in answer.content.decode()


def test_players_stand_with_their_places(ended):
    page = browser().get(f"/matches/{ended.id}/").content.decode()
    assert page.count('<span class="tag seat-rank">2nd, shared</span>') == 3
    assert '<span class="tag seat-rank seat-won">won</span>' in page


def test_the_record_and_the_interface_tell_the_ranks(ended):
    record = json.loads(browser().get(f"/matches/{ended.id}/export.json").content)
    assert record["result"] == [1, 2, 2, 2]
    told = browser(ended.people[RED]).get(f"/api/v1/matches/{ended.id}/").json()
    assert told["result"] == [1, 2, 2, 2]


def test_letters_tell_the_own_place_and_all_others(ended):
    notification = Notification.objects.get(kind="match-ended", recipient=ended.people[ORANGE])
    email = notifications.render(notification)
    assert email.subject == "You came 2nd, shared: Simple Life or Death against " + OTHERS
    assert RANKING in email.text


# --- Blocks -----------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_block_between_two_of_six_is_theirs_alone(begin, six):
    """Their lines are hidden from each other; all else of the match goes on, for them too."""
    play = begin(6)
    blocker, blocked = six[1], six[4]
    blocks.block(user=blocker, other=blocked, now=NOW)
    for user in six:
        talk.say(match_id=play.id, user=user, text=user.username, submission=uuid4(), now=NOW)
    names = [user.username for user in six]
    for user in six:
        hidden = {blocker: blocked, blocked: blocker}.get(user)
        read = [line.text for line in selectors.readable(play.id, user)]
        assert read == [name for name in names if hidden is None or name != hidden.username]
        page = browser(user).get(f"/matches/{play.id}/").content.decode()
        for author in six:
            assert (f'">{author.username}</p>' in page) is (author != hidden), (user, author)
        assert all(f"/players/{name}/" in page for name in names), "seats and names stay"
    cache.clear()
    Notification.objects.all().delete()
    talk.say(match_id=play.id, user=blocker, text="again", submission=uuid4(), now=NOW)
    told = Notification.objects.filter(kind=CHAT_MESSAGE).values_list("recipient", flat=True)
    assert set(told) == {user.pk for user in six} - {blocker.pk, blocked.pk}
    for _ in range(len(six)):
        (seat,) = play.snapshot.actors
        play.move(seat, str(next(iter(play.snapshot.title.moves(play.snapshot.state, seat)))))
    play.act(services.offer_close, 1)
    offered = Notification.objects.filter(kind="offer-made").values_list("recipient", flat=True)
    assert set(offered) == {user.pk for user in six} - {blocker.pk}
