"""Time that a player gives the opponent: how much, when, and who hears of it."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts import notifications
from accounts.models import Notification
from games.bots import services as bots
from games.bots.levels import LEVELS
from games.matches import selectors, services
from games.matches.clock import DAY, HOUR, Clock
from games.matches.errors import NotAPlayer, OutOfTime, Refused
from games.matches.log import lines
from games.matches.log.verify import verify
from games.matches.models import LogEntry, Match
from tests.fixtures import NOW

CLOCK = Clock(start=3 * DAY, increment=DAY, cap=7 * DAY)


def give(play, seat, now=NOW, **more):
    return play.act(services.give_time, seat, now=now, **more)


def deadline(play, seat=0):
    return play.player(seat).deadline


def test_an_opponent_gives_a_day(start):
    play = start(clock=CLOCK)
    give(play, 1, now=NOW + DAY)
    assert deadline(play) == NOW + 4 * DAY
    assert play.player(1).time_left == 3 * DAY, "the giver loses nothing"
    play.move(0, "1", now=NOW + 3.5 * DAY)
    assert play.player(0).time_left == 1.5 * DAY, "half a day left, and a day for the turn"
    assert play.kinds() == ["give-time", "play"]
    assert verify(play.id) == []


def test_no_clock_gets_more_than_its_cap(start):
    play = start(clock=CLOCK)
    for _ in range(4):
        give(play, 1)
    assert deadline(play) == NOW + 7 * DAY
    with pytest.raises(Refused, match="almost as much time"):
        give(play, 1, now=NOW + 59 * HOUR / 60)
    give(play, 1, now=NOW + 90 * HOUR / 60)
    assert deadline(play) == NOW + 7 * DAY + HOUR, "in whole hours"


def test_with_days_a_turn_there_is_room_once_time_has_passed(start):
    play = start(clock=Clock.per_move(3))
    with pytest.raises(Refused):
        give(play, 1)
    give(play, 1, now=NOW + 2.5 * DAY)
    assert deadline(play) == NOW + 4 * DAY
    play.move(0, "1", now=NOW + 3.5 * DAY)
    assert play.player(0).clock_since is None
    play.move(1, "1", now=NOW + 3.5 * DAY)
    assert deadline(play) == NOW + 6.5 * DAY, "the next turn has its three days"


def test_a_double_click_gives_once(start):
    play = start(clock=CLOCK)
    how = {"version": play.match.version, "submission": uuid4()}
    assert not give(play, 1, **how).repeated
    assert give(play, 1, **how).repeated
    assert deadline(play) == NOW + 4 * DAY


def test_it_comes_too_late_after_the_deadline(start):
    play = start(clock=CLOCK)
    with pytest.raises(OutOfTime):
        give(play, 1, now=NOW + 3 * DAY)
    assert Match.objects.get(pk=play.id).ending == "timeout"


def test_nobody_gives_time_to_themselves_or_without_a_running_clock(start, people):
    play = start(clock=CLOCK)
    with pytest.raises(Refused, match="no clock that is running"):
        give(play, 0)
    with pytest.raises(Refused, match="no clock that is running"):
        give(start(clock=None), 1)
    with pytest.raises(NotAPlayer):
        services.give_time(match_id=play.id, user=people[3], version=0, submission=uuid4(), now=NOW)


def test_a_bot_gets_none(toy, people, monkeypatch):
    monkeypatch.setattr("games.bots.tasks.think.apply_async", lambda **_: None)
    match = bots.play(
        user=people[0], title="heap", level=LEVELS[0], params={}, seats=2, now=NOW, seating="last"
    )
    with pytest.raises(Refused, match="no clock"):
        services.give_time(
            match_id=match.pk, user=people[0], version=0, submission=uuid4(), now=NOW
        )


def test_of_several_nobody_lets_the_others_wait(start):
    play = start(seats=3, clock=CLOCK)
    with pytest.raises(Refused, match="offer a pause"):
        give(play, 1)
    play.act(services.resign, 2, now=NOW)
    give(play, 1)
    assert deadline(play) == NOW + 4 * DAY
    with pytest.raises(Refused, match="You have left"):
        give(play, 2)


def test_during_a_pause_it_counts_from_its_end(start):
    play = start(clock=CLOCK)
    play.act(services.offer_pause, 1, now=NOW)
    play.act(services.accept_offer, 0, now=NOW)
    give(play, 1, now=NOW + DAY)
    play.act(services.end_pause, 1, now=NOW + 2 * DAY)
    assert deadline(play) == NOW + 6 * DAY


def test_a_move_can_be_taken_back_after_it(start):
    play = start(clock=CLOCK)
    play.move(0, "1", now=NOW)
    give(play, 0, now=NOW + HOUR)
    play.act(services.take_back, 0, now=NOW + HOUR)
    assert play.player(1).time_left == 4 * DAY
    assert verify(play.id) == []


def test_the_log_says_who_gave_how_much(start):
    play = start(clock=CLOCK)
    give(play, 1)
    (entry,) = selectors.log(play.match)
    for viewer, sentence in (
        (None, "Blue gives Red 1 day more."),
        (0, "Blue gives you 1 day more."),
        (1, "You give Red 1 day more."),
    ):
        assert lines.sentences(play.snapshot.table, entry, viewer) == (sentence,)
    from_a_file = LogEntry(kind="give-time", seat=1, text="", number=1)
    said = lines.sentences(play.snapshot.table, from_a_file, None)
    assert said == ("Blue gives time to the opponent.",)


def test_who_gets_it_is_told(start, people):
    play = start(clock=CLOCK)
    give(play, 1)
    told = Notification.objects.get(kind="time-given")
    assert told.recipient == people[0]
    summary = notifications.summary(told)
    assert summary.subject == "You have 1 day more: Heap against bruno"
    mail = notifications.render(told)
    assert "bruno has given you 1 day more." in mail.text
    assert mail.subject == summary.subject


def test_reminders_move_with_the_deadline(start):
    play = start(clock=Clock(2 * DAY, timedelta(), 7 * DAY))
    before = play.player(0).remind_at
    give(play, 1)
    assert play.player(0).remind_at > before
