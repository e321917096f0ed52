"""Conditional moves: which reply is played when, what stops a plan, and who carries queues over."""

from datetime import timedelta

import pytest

from games.kernel.errors import IllegalMove, MalformedMove
from games.matches import selectors, services
from games.matches.errors import NotAPlayer, Refused, StaleMove
from games.matches.log.verify import verify
from games.matches.models import ConditionalMoves, LogEntry
from games.matches.plans import conditional, lines
from games.matches.plans.lines import Lines
from games.matches.tasks import run_queues
from games.matches.view.match_view import MatchView
from tests.attack_match import start_attack_match
from tests.fixtures import NOW
from tests.match_driver import begin

__all__ = ["start_attack_match"]


@pytest.fixture
def stones(people):
    """A match of DIE in which Red waits for Blue's second stone."""
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    return play


def leave(play, seat, *texts, version=None):
    version = play.match.version if version is None else version
    conditional.add_line(match_id=play.id, user=play.people[seat], texts=texts, version=version)


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def planned():
    """All lines that are left of the only plan."""
    return conditional.lines_of(ConditionalMoves.objects.get()).all_lines()


def halted():
    return ConditionalMoves.objects.get().halted


def test_the_line_that_fits_is_played_to_its_end(stones):
    """On Online-Go (1148) only the first reply was played."""
    leave(stones, 0, "h4", "e5", "i2", "g5")
    leave(stones, 0, "h4", "e5", "e1", "g3")
    leave(stones, 0, "e3", "h4")
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-2:] == ["h4", "e5"]
    assert planned() == [["i2", "g5"], ["e1", "g3"]]
    stones.play("e1")
    run_queues(stones.id)
    assert texts(stones)[-2:] == ["e1", "g3"], "the second reply is played, too"
    assert not ConditionalMoves.objects.exists()
    assert not stones.snapshot.players[0].plans
    assert verify(stones.id) == []


def test_whatever_else_they_play_has_a_reply_of_its_own(stones):
    leave(stones, 0, "h4", "e5")
    leave(stones, 0, "*", "g5", "*", "g1")
    stones.play("i2")
    run_queues(stones.id)
    assert texts(stones)[-1] == "g5"
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-1] == "g1"


def test_what_was_not_planned_for_stops_it_and_nothing_is_played(stones):
    leave(stones, 0, "h4", "e5")
    stones.play("i2")
    run_queues(stones.id)
    assert texts(stones)[-1] == "i2"
    assert halted() == lines.NOT_PLANNED
    assert planned() == [["h4", "e5"]], "its owner sees what it was"


def test_a_line_that_begins_on_ones_own_turn_waits_for_that_move_by_hand(stones):
    leave(stones, 1, "h4", "e5", "i2")
    run_queues(stones.id)
    assert len(texts(stones)) == 3
    stones.play("h4")
    run_queues(stones.id)
    assert halted() == ""
    stones.play("e5")
    run_queues(stones.id)
    assert texts(stones)[-1] == "i2"


@pytest.mark.parametrize("by_hand", ["e5", "g5"])
def test_a_move_by_hand_stops_it(stones, by_hand):
    leave(stones, 0, "h4", "e5", "i2", "g3")
    stones.play("h4", by_hand)
    run_queues(stones.id)
    assert halted() == lines.BY_HAND
    stones.play("i2")
    run_queues(stones.id)
    assert texts(stones)[-1] == "i2"


def test_another_move_than_the_first_planned_one_stops_it(stones):
    leave(stones, 1, "h4", "e5", "i2")
    stones.play("i2")
    run_queues(stones.id)
    assert halted() == lines.BY_HAND


def test_a_take_back_stops_it(stones):
    leave(stones, 0, "h4", "e5", "i2", "g3")
    stones.play("h4")
    stones.act(services.take_back, 1)
    run_queues(stones.id)
    assert halted() == lines.TAKEN_BACK
    assert selectors.log(stones.match)[-1].kind == LogEntry.Kind.TAKE_BACK


def test_taking_back_the_planned_reply_stops_it(stones):
    leave(stones, 0, "h4", "e5", "i2", "g3")
    stones.play("h4")
    run_queues(stones.id)
    stones.act(services.take_back, 0)
    run_queues(stones.id)
    assert halted() == lines.TAKEN_BACK
    stones.play("g3", "i2")
    run_queues(stones.id)
    assert texts(stones)[-1] == "i2"


def test_an_offer_in_between_changes_nothing(stones):
    leave(stones, 0, "h4", "e5")
    stones.act(services.offer_close, 1)
    stones.act(services.decline_offer, 0)
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-1] == "e5"


def test_an_end_of_the_match_leaves_no_plan(stones):
    leave(stones, 0, "h4", "e5")
    stones.act(services.resign, 1)
    run_queues(stones.id)
    assert conditional.waiting() == []
    assert not ConditionalMoves.objects.exists()
    with pytest.raises(Refused, match="any more"):
        leave(stones, 0, "h4", "e5")


def test_a_reply_in_a_line_replaces_the_one_before_it(stones):
    leave(stones, 0, "h4", "e5", "i2", "g5")
    leave(stones, 0, "h4", "g3")
    assert planned() == [["h4", "g3"]]


def test_lines_are_removed_one_by_one_until_nothing_is_left(stones):
    leave(stones, 0, "h4", "e5", "i2", "g5")
    leave(stones, 0, "e3", "h4")
    how = {"match_id": stones.id, "user": stones.people[0]}
    conditional.remove(**how, line=["h4", "e5", "i2"])
    assert planned() == [["h4", "e5"], ["e3", "h4"]]
    with pytest.raises(Refused, match="gone"):
        conditional.remove(**how, line=["h4", "e5", "i2"])
    conditional.remove(**how, line=["h4"])
    conditional.remove(**how, line=["e3"])
    assert not ConditionalMoves.objects.exists()
    assert not stones.snapshot.players[0].plans
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-1] == "h4"


def test_a_cancelled_plan_plays_nothing(stones):
    """On Online-Go (46) Cancel kept the plan."""
    leave(stones, 0, "h4", "e5")
    conditional.clear(match_id=stones.id, user=stones.people[0])
    stones.play("h4")
    run_queues(stones.id)
    assert texts(stones)[-1] == "h4"


def test_what_is_left_of_a_plan_grows_after_a_reply(stones):
    leave(stones, 0, "h4", "e5", "i2", "g5")
    stones.play("h4")
    run_queues(stones.id)
    leave(stones, 0, "e1", "g3")
    assert planned() == [["i2", "g5"], ["e1", "g3"]]


@pytest.mark.parametrize(
    ("line", "error", "said"),
    [
        (["h4"], Refused, "move of yours"),
        ([], Refused, "move of yours"),
        (["c3", "e5"], IllegalMove, "c3 is taken"),
        (["h4", "h4"], IllegalMove, "h4 is taken"),
        (["h4", "zz"], MalformedMove, "no cell"),
        (["*", "e5", "g5"], Refused, "foresee"),
    ],
)
def test_what_no_line_is(stones, line, error, said):
    with pytest.raises(error, match=said):
        leave(stones, 0, *line)
    assert not ConditionalMoves.objects.exists()


def test_only_players_plan_and_only_for_the_position_now(stones):
    with pytest.raises(NotAPlayer):
        leave(stones, 2, "h4", "e5")
    with pytest.raises(StaleMove):
        leave(stones, 0, "h4", "e5", version=2)


def test_a_plan_holds_two_hundred_moves():
    steps = [(number % 2, str(number)) for number in range(lines.MAX_NODES)]
    full = Lines().with_line(steps, 1)
    with pytest.raises(Refused, match="200"):
        full.with_line([(0, "another"), (1, "reply")], 1)


def test_no_line_goes_beyond_dice(people):
    play = begin("dice-is-health", people)
    mover, waiter = (play.turn, 1 - play.turn)
    moves = play.snapshot.title.moves(play.snapshot.state, mover)
    move = str(next(iter(moves)))
    with pytest.raises(Refused):
        leave(play, waiter, move, move)


def test_dice_that_were_rolled_stop_a_plan():
    tree = Lines().with_line([(0, "roll"), (1, "run")], 1)
    entry = LogEntry(number=4, kind="play", seat=0, text="roll", chance=[6])
    reached = tree.follow(lines.Progress(0, 3, waits=False), [entry], 1)
    assert reached.reason == lines.DICE


def test_hidden_things_decide_nothing(start_attack_match):
    """A reply to a move whose card is hidden would tell its owner the card."""
    play = start_attack_match()
    with pytest.raises(Refused, match="foresee"):
        leave(play, 1, "attack rS1 oM1 KS", "defend 7H")


def test_the_log_marks_planned_moves_to_their_owner_alone(stones):
    leave(stones, 0, "h4", "e5")
    stones.play("h4")
    run_queues(stones.id)
    stones.play("i2")
    log = selectors.log(stones.match)
    for viewer in (0, 1, None):
        view = MatchView(stones.snapshot.table, viewer, log)
        rows = [row for turn in view.turns_of(log) for row in turn.rows]
        marked = [row.notation for row in rows if row.is_planned]
        assert marked == (["e5"] if viewer == 0 else [])


def test_a_worker_that_died_after_a_reply_does_not_make_it_again(stones, monkeypatch):
    leave(stones, 0, "h4", "e5", "i2", "g5")
    stones.play("h4")
    monkeypatch.setattr(conditional, "_advance", lambda *_: 1 / 0)
    run_queues(stones.id)
    monkeypatch.undo()
    assert texts(stones)[-1] == "e5"
    stones.play("i2")
    run_queues(stones.id)
    assert texts(stones)[-2:] == ["i2", "g5"]
    assert not ConditionalMoves.objects.exists()


def test_a_match_that_timed_out_plays_nothing(people):
    play = begin("die", people, size=5)
    play.play("a1", "i5", "c3")
    leave(play, 0, "h4", "e5")
    later = NOW + timedelta(days=10000)
    assert conditional.run(play.id, now=later) == 0
