"""The command that finds puzzles, in matches of bots and in stored ones."""

import json

import msgspec
import pytest
from django.core.management import CommandError, call_command

from games.kernel import registry
from games.kernel.dice import no_dice
from games.kernel.params import complete
from games.matches import services
from games.study.puzzle_finding import find, self_play, stored
from games.study.puzzles import Puzzle
from tests.match_driver import begin, fresh_cache
from tests.people import confirmed

__all__ = ["fresh_cache"]

DIE = registry.get("die")


@pytest.fixture
def people(db):
    return [confirmed("Alice"), confirmed("Bob")]


@pytest.mark.slow
def test_it_finds_puzzles_of_bots_and_keeps_those_that_are_there(tmp_path, capsys):
    file = tmp_path / "puzzles.json"
    options = {"game": "die", "params": '{"size": 3}', "file": file, "most": 2}
    call_command("find_puzzles", matches=60, **options)
    first = file.read_text()
    found = json.loads(first)
    assert 1 <= len(found) <= 2
    call_command("find_puzzles", matches=0, **options)
    assert file.read_text() == first
    assert f"0 new puzzles, {len(found)} in all." in capsys.readouterr().out


@pytest.mark.parametrize(
    "options",
    [
        {"game": "chess"},
        {"game": "die", "positions": 5},
        {"game": "die", "seats": 3},
        {"game": "die", "params": "{"},
        {"game": "die", "params": '{"size": 99}'},
        {"game": "die", "level": 9},
    ],
)
def test_it_refuses_what_has_no_puzzles(options):
    with pytest.raises(CommandError):
        call_command("find_puzzles", **options)


def test_bots_play_the_same_match_again():
    params = complete(DIE.meta, {"size": 3})
    first, again = (self_play(DIE, 2, params, 0, "1") for _ in range(2))
    assert first == again
    assert DIE.result(first[-1])


def test_a_match_without_a_winner_has_no_puzzle():
    params = complete(DIE.meta, {"size": 3})
    states = self_play(DIE, 2, params, 0, "1")
    assert find(DIE, states[:-1], params) is None


@pytest.mark.slow
def test_it_finds_the_same_puzzle_in_a_stored_match(people, tmp_path):
    params = complete(DIE.meta, {"size": 3})
    matches = (self_play(DIE, 2, params, 0, str(seed)) for seed in range(60))
    states, puzzle = next((one, got) for one in matches if (got := find(DIE, one, params)))
    match = begin("die", people, size=3)
    match.play(*map(move_between, states, states[1:]))
    begin("die", people, size=3).act(services.resign, 0)
    begin("die", people, size=3)
    _, (stored_states, stored_params) = stored(DIE)
    assert stored_states == states[-len(stored_states) :]
    assert find(DIE, stored_states, stored_params) == puzzle
    file = tmp_path / "puzzles.json"
    call_command("find_puzzles", game="die", stored=True, file=file)
    assert msgspec.json.decode(file.read_bytes(), type=list[Puzzle]) == [puzzle]


def move_between(before, after):
    """Return the move that leads from one position to the next."""
    seat = before.mover
    moves = DIE.moves(before, seat)
    return next(str(m) for m in moves if DIE.play(before, seat, m, no_dice())[0] == after)
