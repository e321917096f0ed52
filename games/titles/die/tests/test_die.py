"""DIE: what no other game has. Boards are written as in positions, top row first."""

import pytest
from msgspec import structs

from games.kernel import svg, svg_writer
from games.kernel.contract import Ended, TurnEnded
from games.kernel.dice import no_dice
from games.kernel.errors import BrokenPosition, IllegalMove, MalformedMove, MatchOver, NotYourTurn
from games.kernel.hexgrid import hex_board
from games.titles.die import TITLE
from games.titles.die.events import Placed, Removed
from games.titles.die.state import RED, State
from tests.title_driver import fields

SHUT_OFF = [".br.", "bb.bb", ".r.r.r", "rb..b.b", "..r.r.", "r...b", ".br."]
"""Red to move; g1 touches no red stone, but blue ones shut it off."""


def position(rows, ply, result=None):
    size = (len(rows) + 1) // 2
    return {"size": size, "rows": rows, "ply": ply, "mover": ply % 2, "result": result}


def load(rows, ply, result=None):
    data = position(rows, ply, result)
    return TITLE.read_position(data, 2, {"size": data["size"]})


def start(size=5):
    return TITLE.setup(2, {"size": size}, no_dice())


def play(state, *texts):
    events = ()
    for text in texts:
        state, events = TITLE.play(state, state.mover, TITLE.parse(text), no_dice())
    return state, events


def moves(state):
    return {str(move) for move in TITLE.moves(state, state.mover)}


def refusal(state, text):
    with pytest.raises(IllegalMove) as refused:
        play(state, text)
    return str(refused.value)


def test_the_first_stone_of_each_colour_goes_anywhere():
    empty = start(3)
    assert len(moves(empty)) == 19
    after, _ = play(empty, "c3")
    assert moves(after) == moves(empty) - {"c3"}


def test_a_stone_keeps_away_from_its_own():
    state, _ = play(start(3), "c3", "a1")
    assert moves(state) == {"a2", "a3", "b1", "b4", "c1", "c5", "d1", "d4", "e1", "e2", "e3"}
    assert refusal(state, "b2") == (
        "b2 touches one of your stones. Choose a cell that touches none, such as a2."
    )


def test_the_fewest_are_counted_over_the_cells_in_reach():
    state = load(SHUT_OFF, 20)
    assert moves(state) == {"a1", "a4", "c6", "g4"}
    assert "You can’t get to g1" in refusal(state, "g1")


def test_a_path_need_not_be_straight():
    assert "e3" in moves(load(["rb.", ".b..", ".b...", ".b..", "..."], 8))
    shut = load(["rb.", ".b..", ".b...", ".b..", ".b."], 10)
    assert "You can’t get to e3" in refusal(shut, "e3")


def test_a_taken_cell_and_one_off_the_board_are_refused():
    state, _ = play(start(3), "c3")
    assert refusal(state, "c3") == "c3 is taken."
    assert refusal(state, "a4") == "a4 is not on a board of size 3."


def test_a_bounded_group_of_ones_own_leaves_and_no_enemy_group_does():
    state = load(["brb", "rbr.", "b.rbr", "rrb.", "b.r"], 15)
    after, events = play(state, "c2")
    assert events[1:] == (
        Removed(1, 1, ("c1", "c2", "d2", "e1")),
        TurnEnded(1),
    )
    assert TITLE.dump(after)["rows"] == [".rb", "r.r.", "..rbr", "rrb.", "b.r"]


def test_every_enemy_group_leaves_that_is_bounded():
    state = load([".br", "bbrb", "r.rb.", "rbrb", "rbr"], 17)
    after, events = play(state, "c2")
    assert [fields(event) for event in events if event.type == "remove"] == [
        {"owner": 0, "cells": ["a1", "b1", "c1"]},
        {"owner": 0, "cells": ["a3", "b3", "c3", "d3", "e3"]},
    ]
    assert TITLE.result(after) == (1, 2)
    assert fields(events[-1]) == {"ending": "no-stones", "ranks": [1, 2]}


def test_red_does_not_win_for_blue_by_beginning():
    state, _ = play(start(3), "c3")
    assert TITLE.result(state) is None
    state, _ = play(state, "a1")
    assert TITLE.result(state) is None


def test_who_drops_loses_and_the_stones_stay():
    state, _ = play(start(3), "c3", "a1", "e3")
    for seat, ranks in ((0, (2, 1)), (1, (1, 2))):
        after, events = TITLE.drop(state, seat, no_dice())
        assert TITLE.dump(after) == {**TITLE.dump(state), "result": list(ranks)}
        assert events == (Ended(ending="dropped", ranks=ranks),)


def test_after_the_end_and_out_of_turn():
    state, _ = play(start(3), "c3")
    with pytest.raises(NotYourTurn, match="Blue's move"):
        TITLE.play(state, RED, TITLE.parse("a1"), no_dice())
    over, _ = TITLE.close(state)
    with pytest.raises(MatchOver):
        play(over, "a1")


@pytest.mark.parametrize(
    "text", ["", "c", "4", "c0", "c04", "z1", "x1", "a24", "c4 c5", "4c", "c-4"]
)
def test_what_is_no_cell_of_any_board(text):
    with pytest.raises(MalformedMove):
        TITLE.parse(text)


def test_every_cell_of_the_largest_board_reads_back():
    for cell in hex_board(12).cells:
        assert TITLE.parse(f" {str(cell).upper()[0]} {str(cell)[1:]} ") == cell


EMPTY = ["...", "....", ".....", "....", "..."]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"size": 4}, "size is 3 in this match, not 4"),
        ({"size": "3"}, "`$.size`"),
        ({"size": True}, "`$.size`"),
        ({"rows": EMPTY[:4]}, "other lengths"),
        ({"rows": None}, "`$.rows`"),
        ({"rows": [*EMPTY[:4], "...."]}, "other lengths"),
        ({"rows": [*EMPTY[:4], ["."] * 3]}, "`$.rows[4]`"),
        ({"rows": [*EMPTY[:4], "..x"]}, "'x' is no letter of a cell"),
        ({"rows": [*EMPTY[:4], "r.."]}, "Red has 1 stones after placing 0"),
        ({"ply": 1, "mover": 1}, "Red cannot have lost a stone in 1 moves"),
        ({"rows": [*EMPTY[:4], "rb."], "ply": 4}, "Red cannot have lost a stone in 4 moves"),
        ({"ply": 7, "mover": 1}, "somebody has a stone"),
        ({"ply": -1, "mover": 1}, "`$.ply`"),
        ({"mover": 1}, "After 0 moves seat 0 is to move"),
        ({"mover": None}, "`$.mover`"),
        ({"result": [1, 3]}, "`$.result[1]`"),
        ({"result": "red"}, "`$.result`"),
        ({"result": [2, 2]}, "The result cannot be"),
        ({"rows": ["rb.", "bb..", ".....", "....", "..."], "ply": 6}, "Red's group on e1"),
        ({"rows": ["rr.", "....", ".....", "....", "..."], "ply": 6}, "The result cannot be null"),
        ({"rows": ["bb.", "....", ".....", "....", "..."], "ply": 6}, "The result cannot be null"),
        ({"rows": ["rr.", "....", ".....", "....", "..."], "ply": 6, "result": [1, 1]}, "[1, 1]"),
    ],
)
def test_impossible_positions_are_refused(change, words):
    with pytest.raises(BrokenPosition) as refused:
        TITLE.read_position({**position(EMPTY, 0), **change}, 2, {"size": 3})
    assert words in str(refused.value)


def test_after_five_moves_a_stone_in_the_corner_may_be_gone():
    state = load(["b..", "....", ".....", "rr..", ".r."], 5)
    assert TITLE.actors(state) == (1,)


def test_results_that_fit_their_stones_load():
    for ranks in ([1, 2], [2, 1], [1, 1]):
        assert TITLE.result(load(EMPTY, 0, ranks)) == tuple(ranks)
    won = load(["rr.", "....", ".....", "....", "..."], 6, [2, 1])
    assert TITLE.actors(won) == ()


def test_a_position_without_a_result_loads_as_its_stones_say():
    data = position(SHUT_OFF, 20)
    del data["result"]
    assert TITLE.result(TITLE.load(data, 2, {"size": 4})) is None


def test_the_log_in_words():
    told = [
        (Placed(0, "c4"), "Red places a stone on c4."),
        (
            Removed(0, 1, ("a1", "a2", "a3")),
            "Blue’s stones on a1, a2 and a3 leave the board.",
        ),
        (
            Removed(0, 0, ("a1",)),
            "Red’s stone on a1 leaves the board.",
        ),
        (TurnEnded(0), ""),
        (
            Ended(ending="no-stones", ranks=(2, 1)),
            "Blue wins: Blue has no stones left.",
        ),
        (Ended(ending="dropped", ranks=(1, 2)), "Red wins."),
        (Ended(ending="closed", ranks=(1, 1)), "The match is a draw."),
    ]
    for event, line in told:
        assert TITLE.describe(event, None) == line


def test_the_board_says_what_stands_where_and_what_happened():
    state = load(["brb", "rbr.", "b.rbr", "rrb.", "b.r"], 15)
    after, events = play(state, "c2")
    drawing = TITLE.draw(TITLE.view(after, None), events)
    labels = dict(svg.marks_of(drawing))
    assert list(labels)[:4] == ["e1", "e2", "e3", "d1"]
    assert labels["e1"] == "e1, empty, a blue stone was just removed"
    assert labels["e2"] == "e2, red stone"
    assert labels["d4"] == "d4, empty"
    assert drawing.label == "Board of size 3: 8 red stones, 4 blue stones. Red to move."


def test_the_board_lights_the_last_stone():
    state, events = play(start(3), "c3")
    drawing = TITLE.draw(TITLE.view(state, None), events)
    assert dict(svg.marks_of(drawing))["c3"] == "c3, red stone, just placed"
    assert "var(--c-last)" in svg_writer.render(drawing)
    assert "var(--c-last)" not in svg_writer.render(TITLE.draw(TITLE.view(state, None), ()))


def test_the_prompt_says_how_many_stones_a_legal_cell_touches():
    empty = start(3)
    state, _ = play(empty, "c3", "a1")
    crowded = load(["brb", "rbr.", "b.rbr", "rrb.", "b.r"], 15)
    asked = [TITLE.options(one, one.mover, "").prompt for one in (empty, state, crowded)]
    assert asked == [
        "Choose a cell for your stone.",
        "Choose a cell that touches none of your stones.",
        "Choose a cell that touches two of your stones.",
    ]


def test_steps_find_a_stone_that_was_placed_and_left_at_once():
    state = load(["brb", "rbr.", "b.rbr", "rrb.", "b.r"], 15)
    after, events = play(state, "c2")
    assert 'data-passing="c2"' in svg_writer.render(TITLE.draw(TITLE.view(after, None), events))
    state = load([".br", "bbrb", "r.rb.", "rbrb", "rbr"], 17)
    after, events = play(state, "c2")
    assert "data-passing" not in svg_writer.render(TITLE.draw(TITLE.view(after, None), events))


def test_the_end_lights_the_group_that_won_as_stones_that_left():
    removed = Removed(0, 1, ("a1", "a2"))
    won = structs.replace(start(3), ranks=(2, 1))
    views = [TITLE.view(state, None) for state in (start(3), won)]
    shown = [svg_writer.render(TITLE.draw(view, (removed,))) for view in views]
    assert all('stroke-dasharray="4 3.5"' in drawing for drawing in shown)
    assert ['stroke-width="4"' in drawing for drawing in shown] == [False, True]


def test_the_log_names_the_colour_that_leaves():
    own, other = Removed(1, 1, ("c1", "c2")), Removed(1, 0, ("a1",))
    told = [TITLE.headline(event, None) for event in (own, other)]
    assert told == ["2 blue removed", "1 red removed"]


def test_groups_of_one_owner_leave_in_one_sentence():
    gone = (Removed(0, 1, ("a1", "a2")), Removed(0, 0, ("e5",)), Removed(0, 1, ("c1", "c2")))
    told = [TITLE.describe(event, None) for event in TITLE.joined(gone)]
    assert told == ["4 of Blue’s stones leave the board.", "Red’s stone on e5 leaves the board."]


def test_the_largest_board_stays_small_as_a_file():
    board = hex_board(12)
    red = board.set_of(board.cells[::2])
    full = State(12, (red, board.all ^ red), 397)
    drawing = TITLE.draw(TITLE.view(full, None), ())
    assert len(svg_writer.render(drawing, ids="m123456-")) < 60_000


@pytest.mark.parametrize(
    ("mark", "said"),
    [
        ("b2", "b2 touches one of your stones. Choose a cell that touches none, such as a2."),
        ("c3", "c3 is taken."),
    ],
)
def test_a_mark_that_leads_nowhere_is_explained(mark, said):
    state, _ = play(start(3), "c3", "a1")
    assert TITLE.explain(state, state.mover, "", mark) == said
