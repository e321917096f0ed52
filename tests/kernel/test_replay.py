"""Replay, perft, playthroughs and figures, on a toy game with dice, cards and several to move."""

import json

import pytest

from games.engine import perft
from games.kernel.contract import Seat, TurnEnded
from games.kernel.dice import no_dice
from games.kernel.errors import (
    BrokenPosition,
    ChanceError,
    GameError,
    MalformedMove,
    NotYourTurn,
)
from games.kernel.figure import draw_figure
from games.kernel.playthrough import Playthrough, differences, play, playthroughs
from games.kernel.replay import PlainEntry, replay
from tests.example_games.heap import TITLE, Taken
from tests.replaced_parts import with_parts

PARAMS = {"heap": 10, "free": False}


def run(*steps, params=PARAMS, seats=2, setup_chance=()):
    return list(replay(TITLE, seats, params, setup_chance, steps))


def test_a_record_replays_with_its_chance():
    moments = run(
        PlainEntry("play", Seat(0), "roll", (6,)),
        PlainEntry("play", Seat(1), "peek", (77,)),
        PlainEntry("play", Seat(1), " 3 "),
        PlainEntry("drop", Seat(0)),
    )
    assert [moment.state.heap for moment in moments] == [10, 4, 4, 1, 1]
    assert [moment.drawn for moment in moments] == [(), (6,), (77,), (), ()]
    assert moments[1].events == (Taken(Seat(0), 6), TurnEnded(Seat(0)))
    assert TITLE.result(moments[-1].state) == (2, 1)


def test_a_closed_record_replays():
    assert TITLE.result(run(PlainEntry("close"))[-1].state) == (1, 1)


@pytest.mark.parametrize(
    ("step", "error", "words"),
    [
        (PlainEntry("play", Seat(0), "roll"), ChanceError, "missing"),
        (PlainEntry("play", Seat(0), "roll", (7,)), ChanceError, "7 is not a roll of 6"),
        (PlainEntry("play", Seat(0), "3", (4,)), ChanceError, "4 is left over"),
        (PlainEntry("play", Seat(1), "3"), NotYourTurn, "Seat 1"),
        (PlainEntry("play", None, "3"), NotYourTurn, "a seat is missing"),
        (PlainEntry("play", Seat(0), "many"), MalformedMove, "many"),
        (PlainEntry("drop", Seat(0), "", (1,)), ChanceError, "1 is left over"),
    ],
)
def test_a_record_that_does_not_replay_says_where_it_fails(step, error, words):
    with pytest.raises(error, match=words):
        run(step)


def test_chance_left_over_from_the_setup_is_an_error():
    with pytest.raises(ChanceError, match="2 is left over"):
        run(setup_chance=(2,))


def bare(words):
    """The toy game with some of its moves."""
    return with_parts(TITLE, moves=lambda state, seat: words if seat in TITLE.actors(state) else ())


def test_leaves_of_the_move_tree():
    """Of three counters 1, 2 or 3 are taken, at most what is left; the end is a leaf at once."""
    game = bare(("1", "2", "3"))
    state = game.setup(2, {"heap": 3, "free": False}, no_dice())
    assert [perft(game, state, depth) for depth in range(5)] == [1, 3, 7, 9, 9]


def test_where_several_may_move_the_moves_of_all_count():
    game = bare(("done",))
    state = game.setup(3, {"heap": 3, "free": True}, no_dice())
    assert [perft(game, state, depth) for depth in range(5)] == [1, 3, 6, 6, 6]


def test_a_move_tree_with_chance_has_no_count():
    state = TITLE.setup(2, PARAMS, no_dice())
    with pytest.raises(ChanceError):
        perft(TITLE, state, 1)


GOLDEN = {
    "about": "The last counters by a roll.",
    "seats": 2,
    "params": {"heap": 5},
    "steps": [
        {"seat": 0, "move": "1", "position": {"heap": 4}},
        {"seat": 1, "move": "roll", "chance": [4]},
    ],
    "position": {
        "heap": 0,
        "free": False,
        "turn": 1,
        "out": [],
        "done": [],
        "peeked": [0, 0],
        "result": [2, 1],
    },
    "ending": "last",
    "result": [2, 1],
}
FIRST = {**GOLDEN["position"], "heap": 4, "result": None}


def golden(tmp_path, **changes):
    data = json.loads(json.dumps(GOLDEN))
    data["steps"][0]["position"] = FIRST
    data.update(changes)
    folder = tmp_path / "playthroughs"
    folder.mkdir(exist_ok=True)
    (folder / "last.json").write_text(json.dumps(data), encoding="utf-8")
    return playthroughs(tmp_path)["last"]


def test_a_playthrough_that_comes_out_as_it_did(tmp_path):
    match = golden(tmp_path)
    assert list(differences(TITLE, match)) == []
    assert [moment.state.heap for moment in play(TITLE, match)] == [5, 4, 0]
    assert match.about == GOLDEN["about"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"position": {}}, "the last position is"),
        ({"ending": "dropped"}, "the ending is ['last'], not ['dropped']"),
        ({"result": [1, 2]}, "the result is (2, 1), not (1, 2)"),
        ({"params": {"heap": 101}}, "the match is refused: heap"),
        ({"seats": 7}, "the match is refused: Heap is for 2 to 4"),
        ({"chance": [1]}, "the match is refused: 1 is left over"),
        ({"steps": [{"seat": 1, "move": "1"}]}, "the match is refused: Seat 1"),
        ({"steps": [{"close": True, "position": {}}]}, "position 1 is"),
    ],
)
def test_a_playthrough_that_comes_out_otherwise(tmp_path, changes, words):
    found = list(differences(TITLE, golden(tmp_path, **changes)))
    assert any(words in difference for difference in found), found


def test_drops_and_closing_are_steps(tmp_path):
    match = golden(tmp_path, steps=[{"seat": 1, "drop": True}])
    assert match.steps == (PlainEntry("drop", Seat(1)),)
    assert golden(tmp_path, steps=[{"close": True}]).steps == (PlainEntry("close"),)


def test_a_file_that_is_no_playthrough(tmp_path):
    file = tmp_path / "x.json"
    file.write_text("{}", encoding="utf-8")
    with pytest.raises(KeyError):
        Playthrough.read(file)


FIGURE = {"position": FIRST, "params": {"heap": 5}, "caption": "Four are left."}


def test_a_figure_is_a_drawing_and_its_caption():
    drawing, caption, opened = draw_figure(TITLE, json.dumps(FIGURE))
    state = TITLE.load(FIRST, 2, {})
    assert drawing.label == TITLE.draw(TITLE.view(state, None), ()).label
    assert (caption, opened) == ("Four are left.", ())


def test_a_figure_shows_what_its_viewer_may_see():
    seen = []
    watching = with_parts(TITLE, draw=lambda view, recent: seen.append((view, recent)) or drawn)
    drawn = TITLE.draw(TITLE.view(TITLE.load(FIRST, 2, {}), None), ())
    peek = {"type": "peek", "seat": 1, "hidden": {"owners": [1], "card": 7}}
    block = {**FIGURE, "position": {**FIRST, "peeked": [0, 7]}, "recent": [peek]}
    for viewer, cards, card in ((None, [0, "??"], None), (1, [0, 7], 7)):
        draw_figure(watching, json.dumps({**block, "viewer": viewer}))
        view, (event,) = seen.pop()
        assert (view["peeked"], event.card) == (cards, card)


@pytest.mark.parametrize(
    "block",
    [
        "",
        "[]",
        "null",
        '{"position": 1}',
        '{"caption": "x"}',
        json.dumps({**FIGURE, "seats": 9}),
        json.dumps({**FIGURE, "params": {"heap": 0}}),
        json.dumps({**FIGURE, "targets": ["c4"]}),
        json.dumps({**FIGURE, "part": ["c4", "d9"]}),
    ],
)
def test_what_is_no_figure_is_refused(block):
    with pytest.raises(GameError):
        draw_figure(TITLE, block)


def test_a_target_off_the_board_is_named():
    with pytest.raises(BrokenPosition, match="c4"):
        draw_figure(TITLE, json.dumps({**FIGURE, "targets": ["c4"]}))
