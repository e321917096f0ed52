"""A match from first to last move: every service, each refusal, what is written and what not."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import Notification, User
from games.kernel.errors import IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.matches import selectors, services
from games.matches.clock import DAY, Clock
from games.matches.errors import NoSuchMatch, NotAPlayer, OutOfTime, Refused, StaleMove
from games.matches.log.verify import verify
from games.matches.models import LogEntry, Match
from games.matches.preview import preview
from games.matches.view.match_view import MatchView
from tests.fixtures import NOW

HOUR = timedelta(hours=1)


def snapshot(play):
    """Return everything stored of a match, to show that a refusal changed nothing."""
    match = Match.objects.filter(pk=play.id).values().get()
    return (
        match,
        list(play.match.players.values()),
        list(LogEntry.objects.values()),
        Notification.objects.count(),
    )


# --- Moves ------------------------------------------------------------------------------------


def test_a_move_is_written_with_everything_that_belongs_to_it(play):
    outcome = play.move(0, " 3 ", now=NOW + 5 * HOUR)
    assert (outcome.version, outcome.repeated) == (1, False)
    entry = LogEntry.objects.get(match_id=play.id)
    assert (entry.number, entry.kind, entry.seat, entry.text) == (1, "play", 0, "3")
    assert entry.at == NOW + 5 * HOUR
    assert entry.thinking == 5 * HOUR
    assert entry.time_left == 3 * DAY - 5 * HOUR
    assert [event["type"] for event in entry.events] == ["take", "turn"]
    assert play.match.position["heap"] == 7
    assert play.snapshot.actors == (1,)
    assert [player.to_move for player in play.snapshot.players] == [False, True]


def test_clocks_change_hands(play):
    play.move(0, "1", now=NOW + 5 * HOUR)
    red, blue = play.snapshot.players
    assert red.time_left == 4 * DAY - 5 * HOUR, "three days, less five hours, plus a day"
    assert red.clock_since is red.deadline is red.remind_at is None
    assert blue.clock_since == NOW + 5 * HOUR
    assert blue.deadline == NOW + 5 * HOUR + 3 * DAY
    assert blue.remind_at == NOW + 5 * HOUR + 2 * DAY, "a day before the end comes first"


def test_days_per_move_do_not_add_up(start):
    play = start(clock=Clock.per_move(2))
    play.move(0, "1", now=NOW + HOUR)
    play.move(1, "1", now=NOW + 2 * HOUR)
    assert play.player(0).deadline == NOW + 2 * HOUR + 2 * DAY


def test_a_match_without_a_clock_has_no_deadline(start):
    play = start(clock=None)
    play.move(0, "1", now=NOW + 400 * DAY)
    assert play.player(1).deadline is None
    assert LogEntry.objects.get().thinking is None


def test_rolls_are_recorded_and_counted(play):
    play.move(0, "roll")
    play.move(1, "1")
    play.move(0, "roll")
    first, _, third = selectors.log(play.match)
    assert len(first.chance) == len(third.chance) == 1
    assert play.match.rolls == 2
    dice = selectors.snapshot(play.id).dice()
    assert dice.roll(6) not in (None, 0), "the next roll is number 2"
    again = play.snapshot.dice()
    again._next = 0
    assert [again.roll(6), again.roll(6)] == [first.chance[0], third.chance[0]]


@pytest.mark.parametrize(
    ("seat", "text", "error"),
    [
        (0, "nonsense", MalformedMove),
        (0, "", MalformedMove),
        (0, "done", IllegalMove),
        (1, "1", NotYourTurn),
        (2, "1", NotAPlayer),
    ],
)
def test_a_refused_move_changes_nothing(play, seat, text, error):
    before = snapshot(play)
    with pytest.raises(error):
        play.move(seat, text)
    assert snapshot(play) == before


def test_a_move_for_an_old_version_is_stale(play):
    play.move(0, "1")
    before = snapshot(play)
    with pytest.raises(StaleMove, match="version 0, it is at 1"):
        play.move(1, "1", version=0)
    with pytest.raises(StaleMove):
        play.move(1, "1", version=2)
    assert snapshot(play) == before


def test_an_unknown_match(people):
    with pytest.raises(NoSuchMatch, match="999"):
        services.resign(match_id=999, user=people[0], version=0, submission=uuid4(), now=NOW)


def test_the_same_submission_plays_once(play):
    submission = uuid4()
    first = play.move(0, "1", version=0, submission=submission)
    before = snapshot(play)
    again = play.move(0, "1", version=0, submission=submission)
    assert (again.version, again.repeated) == (first.version, True)
    assert snapshot(play) == before


def test_another_player_may_use_the_same_submission_id(play):
    submission = uuid4()
    play.move(0, "1", submission=submission)
    assert play.move(1, "1", submission=submission).repeated is False


def test_a_resignation_is_not_repeated_either(play):
    submission = uuid4()
    play.act(services.resign, 0, version=0, submission=submission)
    assert play.act(services.resign, 0, version=0, submission=submission).repeated


def test_several_moves_are_all_played_or_none(start):
    play = start(free=True)
    before = snapshot(play)
    with pytest.raises(MalformedMove):
        play.move(0, "1", "2", "nonsense")
    assert snapshot(play) == before
    play.move(0, "1", "2", "done")
    assert [entry.number for entry in selectors.log(play.match)] == [1, 2, 3]
    assert play.match.position["heap"] == 7


def test_nothing_follows_a_roll_in_one_submission(start):
    play = start(free=True)
    with pytest.raises(Refused, match="roll"):
        play.move(0, "roll", "1")
    assert play.match.version == 0
    play.move(0, "1", "roll")


def test_nothing_follows_the_end_of_ones_turn_in_one_submission(play):
    with pytest.raises(NotYourTurn):
        play.move(0, "1", "1")
    assert play.match.version == 0


def test_where_several_seats_act_only_the_own_version_counts(start):
    play = start(seats=3, free=True)
    play.move(0, "1", version=0)
    play.move(1, "1", version=0)
    with pytest.raises(StaleMove):
        play.move(0, "1", version=0)
    play.move(0, "1", version=1)
    assert play.match.version == 3


def test_the_log_is_append_only(play):
    play.move(0, "1")
    entry = LogEntry.objects.get()
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    with pytest.raises(TypeError):
        LogEntry.objects.update(text="2")
    with pytest.raises(TypeError):
        LogEntry.objects.all().delete()


# --- Endings ----------------------------------------------------------------------------------


def test_played_to_the_end(start):
    play = start(heap=3)
    play.move(0, "3")
    match = play.match
    assert (match.status, match.ending, match.ended) == ("over", "last", NOW)
    assert [player.rank for player in play.snapshot.players] == [1, 2]
    assert all(p.deadline is None and not p.to_move for p in play.snapshot.players)
    with pytest.raises(MatchOver):
        play.move(1, "1")
    assert verify(play.id) == []


def test_resigning_loses(play):
    play.act(services.resign, 1)
    assert play.match.ending == "resigned"
    assert [player.rank for player in play.snapshot.players] == [1, 2]
    assert play.player(1).dropped == "resigned"


def test_of_three_the_others_play_on(start):
    play = start(seats=3)
    play.act(services.resign, 0)
    assert play.match.is_running
    assert play.snapshot.actors == (1,)
    assert play.player(1).clock_since == NOW
    with pytest.raises(Refused, match="left"):
        play.act(services.resign, 0)
    play.move(1, "1")
    play.act(services.resign, 2)
    assert play.match.ending == "resigned"
    assert [player.rank for player in play.snapshot.players] == [3, 1, 2]
    assert verify(play.id) == []


def test_out_of_time(play):
    assert services.time_out(match_id=play.id, now=NOW + 3 * DAY - HOUR) is None
    services.time_out(match_id=play.id, now=NOW + 3 * DAY)
    assert play.match.ending == "timeout"
    assert play.player(0).dropped == "timeout"
    assert play.player(1).rank == 1
    assert services.time_out(match_id=play.id, now=NOW + 4 * DAY) is None
    kinds = Notification.objects.filter(kind="match-ended").values_list(
        "recipient__username", flat=True
    )
    assert sorted(kinds) == ["ada", "bruno"], "the player who ran out of time is notified too"


@pytest.mark.parametrize("seat", [0, 1])
def test_a_move_after_the_deadline_carries_the_timeout_out(play, seat):
    with pytest.raises(OutOfTime):
        play.act(services.resign, seat, now=NOW + 3 * DAY)
    assert play.match.ending == "timeout"
    assert play.player(1).rank == 1


def test_two_late_players_of_a_free_match_drop_in_the_order_of_their_deadlines(start):
    play = start(seats=3, free=True)
    play.move(1, "done")
    services.time_out(match_id=play.id, now=NOW + 9 * DAY)
    assert play.match.ending == "timeout"
    assert [player.rank for player in play.snapshot.players] == [3, 1, 2]


# --- Offers -----------------------------------------------------------------------------------


def test_a_draw_by_agreement(play):
    play.act(services.offer_close, 0)
    assert play.player(0).agrees_to_close
    assert Notification.objects.get(kind="offer-made").recipient.username == "bruno"
    play.act(services.accept_offer, 1)
    assert (play.match.status, play.match.ending) == ("over", "closed")
    assert [player.rank for player in play.snapshot.players] == [1, 1]
    assert verify(play.id) == []


def test_all_who_are_still_in_must_agree(start):
    play = start(seats=4)
    play.act(services.resign, 3)
    play.act(services.offer_close, 1)
    play.act(services.accept_offer, 0)
    assert play.match.is_running
    with pytest.raises(Refused):
        play.act(services.accept_offer, 3)
    play.act(services.accept_offer, 2)
    assert play.match.ending == "closed"
    assert play.kinds() == ["resign", "offer", "accept", "close"]


def test_an_offer_is_declined_by_word_or_by_move(play):
    play.act(services.offer_close, 0)
    play.act(services.decline_offer, 1)
    assert not play.player(0).agrees_to_close
    play.move(0, "1")
    play.act(services.offer_close, 0)
    play.move(1, "1")
    assert not play.player(0).agrees_to_close


def test_an_offer_with_a_move_stands(play):
    play.act(services.offer_close, 0)
    play.move(0, "1")
    assert play.player(0).agrees_to_close


def test_offers_are_made_once_a_move(play):
    play.act(services.offer_close, 0)
    with pytest.raises(Refused, match="open already"):
        play.act(services.offer_close, 1)
    play.act(services.decline_offer, 0)
    with pytest.raises(Refused, match="since the last move"):
        play.act(services.offer_close, 0)
    play.move(0, "1")
    play.act(services.offer_close, 0)


@pytest.mark.parametrize("service", [services.accept_offer, services.decline_offer])
def test_there_must_be_an_offer_to_answer(play, service):
    with pytest.raises(Refused, match="no open offer"):
        play.act(service, 1)


def test_one_does_not_accept_ones_own_offer(play):
    play.act(services.offer_close, 0)
    with pytest.raises(Refused, match="nothing for you"):
        play.act(services.accept_offer, 0)


# --- Taking back ------------------------------------------------------------------------------


def test_the_own_last_move_is_taken_back(play):
    play.move(0, "3", now=NOW + HOUR)
    play.act(services.take_back, 0, now=NOW + 10 * HOUR)
    assert play.match.position["heap"] == 10
    assert play.snapshot.actors == (0,)
    red, blue = play.snapshot.players
    assert red.time_left == 3 * DAY - HOUR, "no increment for a move that was taken back"
    assert red.deadline == NOW + 3 * DAY, "the clock ran on as if nothing had been played"
    assert (blue.time_left, blue.clock_since) == (3 * DAY, None), "the other is not charged"
    first, second = selectors.log(play.match)
    assert (second.kind, second.undoes) == ("take-back", first.number)
    lines = MatchView(play.snapshot.table, None, [first, second]).lines
    assert [line.taken_back for line in lines] == [True, False]
    play.move(0, "1", now=NOW + 11 * HOUR)
    assert play.match.position["heap"] == 9
    assert verify(play.id) == []


def test_days_per_move_do_not_begin_again_by_taking_back(start):
    play = start(clock=Clock.per_move(2))
    play.move(0, "1", now=NOW + DAY)
    play.act(services.take_back, 0, now=NOW + DAY + HOUR)
    assert play.player(0).deadline == NOW + 2 * DAY


def test_moves_are_taken_back_one_by_one(start):
    play = start(free=True, clock=None)
    play.move(0, "1", "2")
    play.act(services.take_back, 0)
    play.act(services.take_back, 0)
    assert play.match.position["heap"] == 10
    with pytest.raises(Refused):
        play.act(services.take_back, 0)
    assert verify(play.id) == []


def test_a_clock_that_ran_on_is_charged_when_a_move_is_taken_back(start):
    play = start(free=True)
    play.move(0, "1", now=NOW + HOUR)
    play.act(services.take_back, 0, now=NOW + 2 * HOUR)
    assert play.player(0).deadline == NOW + 3 * DAY


def test_nobody_buys_time_by_taking_back(play):
    play.move(0, "1", now=NOW + 3 * DAY - HOUR)
    with pytest.raises(Refused, match="no time left"):
        play.act(services.take_back, 0, now=NOW + 3 * DAY)
    assert play.kinds() == ["play"]


def test_where_all_move_at_once_a_take_back_leaves_the_clocks_of_others_alone(start):
    play = start(free=True)
    play.move(0, "1", now=NOW + DAY)
    play.act(services.take_back, 0, now=NOW + 2 * DAY)
    assert (play.player(1).clock_since, play.player(1).deadline) == (NOW, NOW + 3 * DAY)


def test_an_offer_made_after_a_move_goes_with_it(play):
    play.move(0, "1")
    play.act(services.offer_close, 1)
    play.act(services.take_back, 0)
    assert not play.player(1).agrees_to_close


def test_taking_back_earns_no_second_offer(play):
    play.act(services.offer_close, 0)
    play.act(services.decline_offer, 1)
    play.move(0, "1")
    play.act(services.take_back, 0)
    with pytest.raises(Refused, match="since the last move"):
        play.act(services.offer_close, 0)


@pytest.mark.parametrize(
    ("moves", "seat"),
    [([], 0), ([(0, "1")], 1), ([(0, "1"), (1, "1")], 0), ([(0, "roll")], 0), ([(0, "peek")], 0)],
    ids=["nothing yet", "not mine", "the other has moved", "dice were shown", "a card was shown"],
)
def test_what_cannot_be_taken_back(play, moves, seat):
    for mover, text in moves:
        play.move(mover, text)
    with pytest.raises(Refused):
        play.act(services.take_back, seat)


def test_nothing_is_taken_back_after_the_end(start):
    play = start(heap=3)
    play.move(0, "3")
    with pytest.raises(MatchOver):
        play.act(services.take_back, 0)


# --- Cancelling, moderators -------------------------------------------------------------------


@pytest.mark.parametrize("moves", [0, 1])
def test_a_match_is_cancelled_before_move_2(play, moves):
    for seat in range(moves):
        play.move(seat, "1")
    play.act(services.cancel, 1)
    assert play.match.status == "cancelled"
    assert [player.rank for player in play.snapshot.players] == [None, None]
    assert verify(play.id) == []


def test_a_match_is_not_cancelled_after_move_2(play):
    play.move(0, "1")
    play.move(1, "1")
    with pytest.raises(Refused, match="second move"):
        play.act(services.cancel, 0)


def test_moderators_end_matches_with_a_reason(play, people):
    moderator = User.objects.create(username="mod", email="mod@example.org")
    with pytest.raises(Refused, match="reason"):
        services.close(match_id=play.id, moderator=moderator, reason=" ", now=NOW)
    services.remove(match_id=play.id, seat=0, moderator=moderator, reason="Abuse.", now=NOW)
    entry = LogEntry.objects.get()
    assert (entry.kind, entry.moderator, entry.reason) == ("remove", moderator, "Abuse.")
    assert play.match.ending == "removed"
    assert Notification.objects.filter(kind="match-ended").count() == 2
    services.annul(match_id=play.id, moderator=moderator, reason="A mistake.", now=NOW)
    assert play.match.status == "annulled"
    assert [player.rank for player in play.snapshot.players] == [None, None]
    with pytest.raises(MatchOver):
        services.close(match_id=play.id, moderator=moderator, reason="Again.", now=NOW)
    assert verify(play.id) == []


# --- Notifications ------------------------------------------------------------------------------


def test_notices_are_written_with_the_event(play):
    started = Notification.objects.get()
    assert (started.kind, started.recipient.username) == ("match-started", "bruno")
    play.move(0, "1")
    turn = Notification.objects.get(kind="your-turn")
    assert turn.recipient.username == "bruno"
    assert turn.payload == {"match": play.id, "version": 1, "place": f"match:{play.id}"}


def test_an_answer_to_an_offer_is_no_new_turn(play):
    play.act(services.offer_close, 1)
    play.act(services.decline_offer, 0)
    assert not Notification.objects.filter(kind="your-turn").exists()


# --- Views ------------------------------------------------------------------------------------


def test_what_is_hidden_is_shown_to_its_owner_only_until_the_end(play):
    play.move(0, "peek")
    card = play.match.position["peeked"][0]
    entries = selectors.log(play.match)
    told = {
        seat: MatchView(play.snapshot.table, seat, entries).lines[0].sentences
        for seat in (0, 1, None)
    }
    assert told == {0: (f"You see {card}.",), 1: (), None: ()}
    assert play.snapshot.table.view(1)["peeked"][0] == "??"
    play.act(services.resign, 1)
    assert play.snapshot.table.view(None)["peeked"][0] == card


def test_a_preview_draws_no_dice_and_tells_no_secret(play):
    before = snapshot(play)
    shown = preview(play.snapshot.table, 0, "ROLL")
    assert (shown.text, shown.sentences) == ("roll", ())
    assert "heap of 10" in shown.drawing.label
    with pytest.raises(MalformedMove):
        preview(play.snapshot.table, 0, "nonsense")
    with pytest.raises(NotYourTurn):
        preview(play.snapshot.table, 1, "1")
    assert snapshot(play) == before
