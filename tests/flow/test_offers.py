"""Offers: a pause, to cancel, to end; and how often moves are taken back."""

from datetime import timedelta

import pytest

from accounts import notifications
from accounts.models import Notification
from games.bots import services as bots
from games.kernel.errors import GameError
from games.matches import selectors, services
from games.matches.clock import DAY
from games.matches.errors import Refused, StaleMove
from games.matches.log import log_entries
from games.matches.log.verify import verify
from games.matches.models import Match, Player
from games.matches.view.match_view import MatchView
from tests.fixtures import NOW

HOUR = timedelta(hours=1)


def sentences(play):
    shown = MatchView(play.snapshot.table, None, selectors.log(play.match))
    return [" ".join(line.sentences) for line in shown.lines], [line.text for line in shown.lines]


# --- A pause ------------------------------------------------------------------------------------


def test_a_pause_begins_when_all_agree_and_ends_when_one_wants_to_go_on(play):
    play.act(services.offer_pause, 1, now=NOW + DAY)
    assert play.player(0).deadline == NOW + 3 * DAY
    play.act(services.accept_offer, 0, now=NOW + 2 * DAY)
    assert play.player(0).deadline == NOW + 33 * DAY, "a day is left, and the pause has a limit"
    play.act(services.end_pause, 1, now=NOW + 10 * DAY)
    assert play.player(0).deadline == NOW + 11 * DAY
    assert play.kinds() == ["offer", "pause", "resume"]
    assert sentences(play)[0] == [
        "Blue offers a pause.",
        "Red agrees to a pause.",
        "Blue ends the pause.",
    ]
    assert set(sentences(play)[1]) == {""}
    assert verify(play.id) == []


@pytest.mark.parametrize("answer", [services.accept_offer, services.decline_offer])
def test_nobody_answers_another_offer_than_the_one_that_was_shown(start, answer):
    play = start(free=True)
    play.act(services.offer_pause, 0)
    shown = play.match.version
    play.act(services.decline_offer, 0)
    play.act(services.offer_cancel, 0)
    with pytest.raises(StaleMove):
        play.act(answer, 1, version=shown)
    play.act(answer, 1)


def test_of_three_all_have_to_agree_to_a_pause(start):
    play = start(seats=3)
    play.act(services.offer_pause, 0)
    play.act(services.accept_offer, 1)
    assert play.player(0).pauses == []
    play.act(services.accept_offer, 2)
    assert all(play.player(seat).pauses for seat in range(3))
    assert [player.agrees_to for player in play.snapshot.players] == ["", "", ""]
    assert sentences(play)[0][1] == "Blue agrees to a pause."


def test_moves_can_be_made_in_a_pause_and_do_not_end_it(play):
    play.act(services.offer_pause, 1)
    play.act(services.accept_offer, 0)
    play.move(0, "1", now=NOW + DAY)
    assert play.player(0).time_left == 4 * DAY
    assert play.player(1).deadline == NOW + 33 * DAY
    with pytest.raises(Refused, match="paused already"):
        play.act(services.offer_pause, 1, now=NOW + DAY)


def test_there_is_no_pause_without_a_clock_and_no_end_without_a_pause(start, play):
    with pytest.raises(Refused, match="no clock"):
        start(clock=None).act(services.offer_pause, 0)
    with pytest.raises(Refused, match="not paused"):
        play.act(services.end_pause, 0)


# --- To cancel ----------------------------------------------------------------------------------


def test_a_match_is_cancelled_at_any_time_if_all_agree(play):
    for seat in (0, 1, 0):
        play.move(seat, "1")
    play.act(services.offer_cancel, 0)
    assert Notification.objects.filter(kind="offer-made", recipient=play.people[1]).exists()
    play.act(services.accept_offer, 1)
    assert play.match.status == Match.Status.CANCELLED
    assert play.kinds()[-2:] == ["offer", "cancel"]
    assert sentences(play)[0][-2:] == [
        "Red offers to cancel the match.",
        "Blue agrees to cancel the match.",
    ]
    assert verify(play.id) == []


@pytest.mark.parametrize("word", ["roll", "peek"])
def test_nobody_cancels_alone_after_a_roll_or_a_deal(play, word):
    play.move(0, word)
    assert not log_entries.may_cancel(play.snapshot.table, selectors.log(play.match))
    with pytest.raises(Refused, match="all have to agree"):
        play.act(services.cancel, 0)
    play.act(services.offer_cancel, 0)
    play.act(services.accept_offer, 1)
    assert play.match.status == Match.Status.CANCELLED


# --- The player who asked gets the answer --------------------------------------------------------


def told(kind):
    found = Notification.objects.filter(kind=kind).order_by("recipient")
    return [(one.recipient.username, notifications.summary(one).subject) for one in found]


ANSWERS = [
    (services.offer_close, services.decline_offer, "declines the draw"),
    (services.offer_cancel, services.decline_offer, "declines to cancel the match"),
    (services.offer_pause, services.decline_offer, "declines the pause"),
    (services.offer_pause, services.accept_offer, "accepts the pause"),
    (services.offer_take_back, services.decline_offer, "declines the take-back"),
    (services.offer_take_back, services.accept_offer, "accepts the take-back"),
]


@pytest.mark.parametrize(("make", "answer", "words"), ANSWERS)
def test_whoever_asked_hears_the_answer(play, make, answer, words):
    for seat in (0, 1):
        play.move(seat, "1")
    play.act(make, 0)
    assert told("offer-answered") == []
    play.act(answer, 1)
    assert told("offer-answered") == [("ada", f"bruno {words}: Heap against bruno")]
    mail = notifications.render(Notification.objects.get(kind="offer-answered"))
    assert f"bruno {words}. It is your turn." in mail.text


@pytest.mark.parametrize(("make", "answer", "words"), ANSWERS[1:])
def test_of_three_those_who_agreed_hear_it_too_once_it_is_decided(start, make, answer, words):
    play = start(seats=3)
    for seat in range(3):
        play.move(seat, "1")
    play.act(make, 0)
    play.act(services.accept_offer, 1)
    assert told("offer-answered") == []
    play.act(answer, 2)
    subjects = [
        f"clara {words}: Heap against {names}" for names in ("bruno and clara", "ada and clara")
    ]
    assert told("offer-answered") == list(zip(("ada", "bruno"), subjects, strict=True))


def test_nobody_hears_of_an_offer_that_was_withdrawn_but_from_the_match(start):
    play = start(seats=3)
    play.act(services.offer_pause, 0)
    play.act(services.accept_offer, 1)
    play.act(services.decline_offer, 0)
    assert told("offer-answered") == []


def test_whoever_gets_a_move_back_is_to_move_and_told_so(start):
    play = start(seats=3)
    for seat in (0, 1):
        play.move(seat, "1")
    play.act(services.offer_take_back, 0)
    play.act(services.accept_offer, 1)
    Notification.objects.all().delete()
    play.act(services.accept_offer, 2)
    assert [name for name, _ in told("your-turn")] == ["ada"]
    assert [name for name, _ in told("offer-answered")] == ["ada", "bruno"]


# --- One at a time, and not again and again -----------------------------------------------------


MAKE = [services.offer_close, services.offer_pause, services.offer_cancel]


@pytest.mark.parametrize("make", MAKE)
def test_one_offer_is_open_at_a_time(play, make):
    play.act(make, 1)
    for other in MAKE:
        for seat in (0, 1):
            with pytest.raises(Refused, match="open already"):
                play.act(other, seat)


@pytest.mark.parametrize("make", MAKE)
def test_a_declined_offer_is_not_repeated_before_the_next_move_but_another_is(play, make):
    play.act(make, 1)
    play.act(services.decline_offer, 0)
    with pytest.raises(Refused, match="since the last move"):
        play.act(make, 1)
    another = next(other for other in MAKE if other is not make)
    play.act(another, 1)
    play.act(services.decline_offer, 1)
    play.move(0, "1")
    play.act(make, 1)


@pytest.mark.parametrize("make", MAKE)
def test_a_move_of_somebody_else_ends_an_offer(play, make):
    play.act(make, 1)
    play.move(0, "1")
    with pytest.raises(Refused, match="no open offer"):
        play.act(services.accept_offer, 0)


@pytest.mark.parametrize("make", MAKE)
def test_who_has_left_neither_offers_nor_answers(start, make):
    play = start(seats=3)
    play.act(services.resign, 0)
    with pytest.raises(GameError):
        play.act(make, 0)
    play.act(make, 1)
    with pytest.raises(GameError):
        play.act(services.accept_offer, 0)
    play.act(services.accept_offer, 2)
    assert not any(player.agrees_to for player in play.snapshot.players)


@pytest.mark.parametrize("make", MAKE[1:])
def test_a_bot_is_found_that_has_to_answer(play, make):
    Player.objects.filter(match_id=play.id, seat=1).update(is_bot=True, time_left=None)
    assert bots.waiting(now=NOW) == []
    play.act(make, 0)
    assert bots.waiting(now=NOW) == [play.id]
    play.act(services.decline_offer, 0)
    assert bots.waiting(now=NOW) == []


# --- Take-backs ---------------------------------------------------------------------------------


def test_three_moves_are_taken_back_at_a_position(play):
    for count in (1, 2, 3):
        play.move(0, "1")
        play.act(services.take_back, 0)
        assert play.player(0).take_backs == count
    play.move(0, "1")
    log = selectors.log(play.match)
    assert not log_entries.has_take_backs_left(play.snapshot.table, log, log[-1])
    with pytest.raises(Refused, match="3 moves may be taken back at a position"):
        play.act(services.take_back, 0)
    play.move(1, "1")
    play.act(services.take_back, 1)
    assert verify(play.id) == []


@pytest.mark.slow
def test_twenty_moves_are_taken_back_by_one_player_in_a_match(start):
    play = start(heap=100)
    for _ in range(10):
        for _ in range(2):
            play.move(0, "1")
            play.act(services.take_back, 0)
        play.move(0, "1")
        play.move(1, "1")
    play.move(0, "1")
    with pytest.raises(Refused, match="20 by one player"):
        play.act(services.take_back, 0)
    play.move(1, "1")
    play.act(services.take_back, 1)


def test_after_the_opponent_has_moved_a_move_is_taken_back_if_both_agree(play):
    play.move(0, "1", now=NOW + DAY)
    before = play.match.position
    play.move(1, "2", now=NOW + DAY + HOUR)
    play.move(0, "1", now=NOW + DAY + 2 * HOUR)
    play.act(services.offer_take_back, 1, now=NOW + 3 * DAY)
    play.act(services.accept_offer, 0, now=NOW + 3 * DAY + HOUR)
    assert play.match.position == before
    assert play.kinds()[-4:] == ["offer", "accept", "take-back", "take-back"]
    assert sentences(play)[0][-4:] == [
        "Blue asks to take back a move.",
        "Red agrees to that.",
        "Red takes back a move: Red takes 1.",
        "Blue takes back a move: Blue takes 2.",
    ]
    red, blue = play.snapshot.players
    assert (red.to_move, red.clock_since, red.deadline) == (False, None, None)
    assert red.time_left == 3 * DAY - HOUR, "what the move had earned is gone, what it took too"
    assert blue.clock_since == NOW + 3 * DAY + HOUR
    assert blue.time_left == 3 * DAY - HOUR
    assert blue.deadline == NOW + 6 * DAY
    assert (red.take_backs, blue.take_backs) == (0, 1)
    assert verify(play.id) == []
    play.move(1, "3", now=NOW + 4 * DAY)


@pytest.mark.parametrize("word", ["roll", "peek"])
def test_nothing_is_taken_back_past_dice_or_secrets(play, word):
    play.move(0, "1")
    play.move(1, word)
    with pytest.raises(Refused, match="by agreement"):
        play.act(services.offer_take_back, 0)


def test_an_own_move_that_nobody_has_followed_needs_no_agreement(play):
    play.move(0, "1")
    with pytest.raises(Refused):
        play.act(services.offer_take_back, 0)


def test_of_three_all_agree_and_all_moves_since_go(start):
    play = start(seats=3)
    before = play.match.position
    for seat in range(3):
        play.move(seat, "1")
    play.act(services.offer_take_back, 0)
    play.act(services.accept_offer, 1)
    assert play.kinds()[-1] == "accept"
    play.act(services.accept_offer, 2)
    assert play.match.position == before
    assert [player.clock_since for player in play.snapshot.players] == [NOW, None, None]
    assert verify(play.id) == []
