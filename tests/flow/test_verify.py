"""Replaying stored matches: every kind of difference is found and named."""

import io

import pytest
from django.core.management import CommandError, call_command

from games.kernel import registry
from games.matches import selectors
from games.matches.log import verify as verify_module
from games.matches.log.verify import verify
from games.matches.models import LogEntry, Match, Player
from tests.example_games import heap
from tests.fixtures import NOW

pytestmark = pytest.mark.slow


@pytest.fixture
def played(play):
    """A match with every ordinary kind of entry in its log."""
    play.move(0, "roll")
    play.move(1, "2")
    play.move(0, "peek")
    play.move(0, "1")
    return play


def rewrite(which, /, **fields):
    """Change an entry behind the model's back, as only a broken database would."""
    super(type(LogEntry.objects.all()), LogEntry.objects.filter(number=which)).update(**fields)


def kinds(play):
    return [difference.kind for difference in verify(play.id)]


def test_a_sound_match_has_no_difference(played):
    assert kinds(played) == []


def test_a_move_that_is_made_meanwhile_is_no_difference(played, monkeypatch):
    """A match and its log are read one after the other; people play while an operator verifies."""
    read, moves = selectors.log, ["1"]

    def with_a_move_before(match):
        if moves:
            played.move(1, moves.pop())
        return read(match)

    monkeypatch.setattr(verify_module.selectors, "log", with_a_move_before)
    assert kinds(played) == []
    assert not moves


@pytest.mark.parametrize(
    ("number", "fields", "kind"),
    [
        (1, {"chance": [7]}, "replay"),
        (1, {"chance": []}, "replay"),
        (1, {"chance": [1, 1]}, "replay"),
        (2, {"text": "take two"}, "replay"),
        (2, {"seat": 0}, "replay"),
        (2, {"text": "3"}, "events"),
        (2, {"events": []}, "events"),
        (2, {"number": 17}, "version"),
    ],
)
def test_a_changed_log_is_found(played, number, fields, kind):
    rewrite(number, **fields)
    assert kind in kinds(played)


@pytest.mark.parametrize(
    ("model", "fields", "kind"),
    [
        (Match, {"position": {"heap": 1}}, "position"),
        (Match, {"version": 5}, "version"),
        (Match, {"rules_version": 9}, "rules-version"),
        (Match, {"status": "over", "ending": "last", "ended": NOW}, "result"),
        (Match, {"setup_chance": [3]}, "replay"),
        (Match, {"params": {"heap": None}}, "unreadable"),
        (Player, {"to_move": True}, "turn"),
    ],
)
def test_a_changed_snapshot_is_found(played, model, fields, kind):
    model.objects.update(**fields)
    assert kind in kinds(played)


def test_a_match_of_a_game_that_is_gone_is_reported(played, monkeypatch):
    monkeypatch.setattr(registry, "titles", dict)
    assert kinds(played) == ["rules-version"]


def run(*args, **kwargs):
    out = io.StringIO()
    call_command("verify_matches", *args, jobs=1, stdout=out, stderr=io.StringIO(), **kwargs)
    return out.getvalue()


def test_the_command_counts_and_exits_with_1_on_a_difference(played, start):
    start()
    assert "2 matches replayed, 0 differences." in run()
    rewrite(2, text="3")
    out = io.StringIO()
    with pytest.raises(SystemExit) as stopped:
        call_command("verify_matches", jobs=1, stdout=out, stderr=io.StringIO())
    assert stopped.value.code == 1
    assert f"match {played.id}: events: entry 2" in out.getvalue()
    assert "events: 1" in out.getvalue()


def test_the_command_takes_matches_and_a_game(played, start):
    other = start()
    assert run(str(other.id)).startswith("1 matches replayed")
    assert run(game=heap.META.slug).startswith("2 matches")
    assert run(game="ludo").startswith("0 matches")
    with pytest.raises(CommandError, match="9999"):
        run("9999")
