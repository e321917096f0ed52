"""Queues: what follows by itself, where it stops, and that no step is made twice."""

from datetime import timedelta
from uuid import uuid4

import pytest

from accounts.models import Notification
from games.kernel.errors import MalformedMove
from games.matches import selectors, services
from games.matches.errors import NotAPlayer, Refused
from games.matches.log.verify import verify
from games.matches.models import ConditionalMoves
from games.matches.plans import conditional, lines
from games.matches.tasks import plan_runs, run_queues, sweep_queues
from tests.attack_match import ATTACKS, DUTIES, start_attack_match
from tests.fixtures import NOW

__all__ = ["start_attack_match"]

LATER = NOW + timedelta(minutes=5)
PATIENCE = 10


def put(play, seat, *texts):
    conditional.queue_moves(match_id=play.id, user=play.people[seat], texts=texts)


def run(play):
    return conditional.run(play.id, now=LATER)


def texts(play):
    return [entry.text for entry in selectors.log(play.match)]


def moves():
    """The moves that are left of the only plan."""
    return conditional.lines_of(ConditionalMoves.objects.get()).unconditional_moves()


def stopped(play):
    return Notification.objects.filter(kind="queue-stopped").values_list(
        "recipient__username", flat=True
    )


def test_a_queue_follows_a_submission_through_rolls_and_answers(start_attack_match):
    play = start_attack_match()
    put(play, 0, *ATTACKS, "end")
    assert run(play) == 0, "Red is to move, and does so by hand first"
    play.move(0, *DUTIES)
    assert run(play) == 1
    assert texts(play) == [*DUTIES, ATTACKS[0]]
    assert run(play) == 0, "Orange has to answer"
    play.move(1, "defend 7H")
    assert run(play) == 1
    play.move(1, "defend KH")
    assert run(play) == 1
    assert texts(play) == [*DUTIES, ATTACKS[0], "defend 7H", ATTACKS[1], "defend KH", "end"]
    assert not ConditionalMoves.objects.exists()
    assert not stopped(play)
    assert verify(play.id) == []


def test_what_is_put_down_while_another_answers_goes_on_at_once(start_attack_match):
    play = start_attack_match()
    play.move(0, *DUTIES)
    play.move(0, ATTACKS[0])
    put(play, 0, "end")
    play.move(1, "defend 7H")
    assert run(play) == 1
    assert texts(play)[-1] == "end"


def test_a_queue_stops_at_what_has_become_illegal_and_tells_its_owner_once(start_attack_match):
    play = start_attack_match()
    put(play, 0, "attack rS1 oM1 AS", "end")
    play.move(0, *DUTIES)
    assert run(play) == run(play) == 0
    assert "you do not hold AS" in ConditionalMoves.objects.get().halted
    assert moves() == ["attack rS1 oM1 AS", "end"], "the owner sees where it stopped"
    assert list(stopped(play)) == ["ada"]
    assert texts(play) == list(DUTIES)


def test_a_turn_that_ended_takes_the_rest_along_without_a_notice(start_attack_match):
    play = start_attack_match()
    put(play, 0, "end", "end")
    play.move(0, *DUTIES)
    assert run(play) == 1
    run(play)
    assert ConditionalMoves.objects.get().halted == lines.TURN_ENDED
    assert not stopped(play)


def test_a_queue_waits_while_its_owner_is_attacked(start_attack_match):
    play = start_attack_match()
    put(play, 1, "place S p2")
    play.move(0, *DUTIES)
    play.move(0, ATTACKS[0])
    assert run(play) == 0
    assert not ConditionalMoves.objects.get().halted
    play.move(1, "defend 7H")
    play.move(0, "end")
    assert run(play) == 1
    assert texts(play)[-1] == "place S p2"


def test_a_worker_that_comes_late_finds_its_step_made(start_attack_match, monkeypatch):
    """Two workers read the same step; the second plays when the first has gone on already."""
    play = start_attack_match()
    put(play, 0, "end")
    play.move(0, *DUTIES)
    mine = ConditionalMoves.objects.select_related("player__user").get()
    reply = lines.Lines.load(mine.nodes).nodes[-1]
    assert run(play) == 1
    assert not conditional._play(selectors.snapshot(play.id), mine, reply, LATER)
    assert texts(play) == [*DUTIES, "end"]


def test_an_owner_clears_a_queue_and_puts_down_another(start_attack_match):
    play = start_attack_match()
    put(play, 0, "end")
    put(play, 0, " ATTACK rs1 om1 ks ", "End")
    assert moves() == ["attack rS1 oM1 KS", "end"], "in canonical form"
    conditional.clear(match_id=play.id, user=play.people[0])
    assert not ConditionalMoves.objects.exists()


def test_who_may_put_down_what(start_attack_match, start):
    play = start_attack_match()
    with pytest.raises(NotAPlayer):
        put(play, 2, "end")
    with pytest.raises(MalformedMove):
        put(play, 0, "go away")
    with pytest.raises(MalformedMove, match="More than"):
        put(play, 0, *["end"] * 21)
    play.act(services.resign, 1)
    with pytest.raises(Refused, match="any more"):
        put(play, 0, "end")
    assert not ConditionalMoves.objects.exists()


def test_a_game_without_queues_has_none(play):
    with pytest.raises(Refused, match="no queues"):
        put(play, 0, "1")


def test_the_sweep_finds_what_can_go_on_and_forgets_what_has_ended(start_attack_match, monkeypatch):
    monkeypatch.setattr("games.matches.tasks.timezone.now", lambda: LATER)
    play = start_attack_match()
    put(play, 0, ATTACKS[0], "end")
    play.move(0, *DUTIES)
    sweep_queues()
    assert texts(play)[-1] == ATTACKS[0]
    play.act(services.resign, 1)
    sweep_queues()
    assert not ConditionalMoves.objects.exists()


def test_a_change_starts_the_task_once_it_is_committed_where_somebody_has_plans(
    start_attack_match, monkeypatch, django_capture_on_commit_callbacks
):
    sent, wakes = [], []
    monkeypatch.setattr(run_queues, "apply_async", lambda **kwargs: sent.append(kwargs))
    put_run = plan_runs.put
    monkeypatch.setattr(plan_runs, "put", lambda found: (wakes.append(found), put_run(found)))
    play = start_attack_match()
    with django_capture_on_commit_callbacks(execute=True):
        play.move(0, DUTIES[0])
    plan_runs.wait(PATIENCE)
    assert (wakes, sent) == ([{play.id: None}], []), "the thread is woken whether there are any"
    put(play, 0, "end")
    with django_capture_on_commit_callbacks(execute=True):
        play.move(0, DUTIES[1])
        plan_runs.wait(PATIENCE)
        assert sent == []
    plan_runs.wait(PATIENCE)
    assert sent == [{"args": (play.id,), "retry": False}]
    conditional.clear(match_id=play.id, user=play.people[0])
    assert not play.player(0).plans


def test_a_broken_match_stops_no_other_and_the_log_quotes_nothing(start_attack_match, caplog):
    play = start_attack_match()
    put(play, 0, ATTACKS[0])
    play.move(0, *DUTIES)
    ConditionalMoves.objects.update(nodes=[{"KS": 1}], submission=uuid4())
    assert run(play) == 0
    assert "Conditional moves" in caplog.text
    assert "KS" not in caplog.text
