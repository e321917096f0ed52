"""Simple Life or Death: how turns, seats and matches end."""

import pytest

from games.kernel.contract import TURN_ENDED
from games.kernel.errors import IllegalMove, MatchOver
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.tests.fixtures import (
    EMPTY,
    TWO_DICE,
    drop,
    load,
    moves,
    play,
)
from tests.title_driver import types

NO_STOCK = [EMPTY, EMPTY]

# --- The end of a turn --------------------------------------------------------------------------


def test_a_turn_ends_by_itself_when_no_attack_is_left_whatever_cards_are_held():
    near = {"h8": ["rS1"], "j9": ["oM1"], "a1": ["oS1"]}
    for hand in (["KS"], ["KH"]):
        state = load(near, hands=[hand, ["2H"]], stock=NO_STOCK)
        state, events = play(state, "move rS1 w d4", chance=[1])
        assert TURN_ENDED in types(events)
    for hand in (["KS"], ["KH"]):
        state = load(near, hands=[hand, ["2H"]], stock=NO_STOCK)
        state, events = play(state, "move rS1 e d4", chance=[1])
        assert TURN_ENDED not in types(events)
        assert "end" in moves(state)


def test_the_answer_to_the_last_attack_ends_the_turn_of_the_attacker():
    board = {"h8": ["rS1"], "i9": ["oM1"]}
    state = load(board, hands=[["2C"], ["KH"]], phase="free", stock=NO_STOCK)
    state, events = play(state, "attack rS1 oM1 2C", "defend KH", chance=[1, 1])
    ended = [event.seat for event in events if event.type == TURN_ENDED]
    assert ended == [0]
    assert TITLE.actors(state) == (1,)
    assert TITLE.dump(state)["attacked"] == []


@pytest.mark.parametrize(
    ("order", "first", "turn", "after", "rounds"),
    [
        ("clockwise", 0, 2, 0, 3),
        ("clockwise", 1, 2, 0, 2),
        ("counterclockwise", 0, 2, 1, 2),
        ("counterclockwise", 2, 0, 2, 3),
    ],
)
def test_turns_and_rounds(order, first, turn, after, rounds):
    board = {"a1": ["rS1"], "h8": ["oS1"], "p16": ["yS1"]}
    state = load(board, 3, {"order": order} | TWO_DICE, first=first, turn=turn)
    piece = "royg"[turn] + "S1"
    state, _ = play(state, f"move {piece} {'nws'[turn]} d4", chance=[1])
    assert (TITLE.actors(state), TITLE.dump(state)["round"]) == ((after,), rounds)


def out(board, **fields):
    """A position of four, of whom Orange, who began, is out."""
    stock = [[0, 0, 0], [0, 0, 0], [3, 3, 3], [4, 5, 5]]
    seats_in = [True, False, True, True]
    return load(board, 4, **({"stock": stock, "in": seats_in, "first": 1} | fields))


def test_a_round_ends_at_the_place_of_who_began_in_or_not():
    board = {"a1": ["rS1"], "h8": ["yS1"], "p16": ["gS1"]}
    state, _ = play(out(board, params=TWO_DICE), "move rS1 n d4", chance=[1])
    assert (TITLE.actors(state), TITLE.dump(state)["round"]) == ((2,), 3)


def test_after_the_last_round_trophies_decide():
    board = {"a1": ["rS1"], "h8": ["yS1"], "p16": ["gS1"]}
    trophies = [["oS1"], ["yS2", "gL1"], [], ["oM1"]]
    params = {"rounds": 2} | TWO_DICE
    stock = [[0, 0, 0], [0, 0, 0], [3, 3, 3], [4, 5, 4]]
    state = out(board, params=params, trophies=trophies, stock=stock)
    state, events = play(state, "move rS1 n d4", chance=[1])
    data = TITLE.dump(state)
    assert data["result"] == [2, 1, 4, 2]
    assert (data["round"], data["turn"], data["phase"]) == (2, 0, "over")
    assert types(events)[-2:] == [TURN_ENDED, "end"]
    assert events[-1].ending == "rounds-up"


# --- Going out and the end of the match ---------------------------------------------------------


def test_whose_last_piece_is_captured_is_out_and_sheds_the_hand_after_drawing():
    board = {"h8": ["rS1"], "i9": ["oM1"], "a1": ["yS1"]}
    stock = [[0, 0, 0], [0, 0, 0], [3, 3, 3]]
    state = load(board, 3, stock=stock, hands=[["AC"], ["3C", "2H"], []])
    state, events = play(state, "attack rS1 oM1 AC", "defend 2H", chance=[1, 1])
    data = TITLE.dump(state)
    assert data["in"] == [True, False, True]
    assert data["hands"] == [["2C"], [], []]
    assert data["discard"] == ["AC", "2H", "2C", "3C"]
    assert types(events) == ["attack", "fight", "draw", "draw", "out"]


def test_with_only_a_stock_one_is_still_in():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, params=TWO_DICE)
    state, _ = play(state, "attack rS1 oM1", chance=[6, 6, 1, 1])
    assert TITLE.result(state) is None
    state, _ = play(state, "move rS1 n d4", chance=[1])
    assert TITLE.actors(state) == (1,)


def test_the_last_one_left_wins_and_the_others_tie():
    board = {"h8": ["rS1"], "i9": ["oM1"]}
    stock = [EMPTY] * 4
    fields = {"stock": stock, "in": [True, True, False, False], "trophies": [[], ["yS1"], [], []]}
    state = load(board, 4, TWO_DICE, **fields)
    state, events = play(state, "attack rS1 oM1", chance=[6, 6, 1, 1])
    assert TITLE.result(state) == (1, 2, 2, 2)
    assert events[-1].ending == "last-left"
    assert TITLE.dump(state)["turn"] == 0


def test_a_mover_whose_last_piece_is_carried_off_is_out_and_the_turn_ends():
    board = {"a1": ["rS1", "oS1"], "h8": ["oM1"], "p16": ["yS1"]}
    state = load(board, 3, TWO_DICE, stock=[EMPTY] * 3)
    state, events = play(state, "move rS1 w d4", chance=[1])
    assert types(events) == ["roll", "land", "out", TURN_ENDED]
    assert TITLE.actors(state) == (1,)


def test_several_go_out_at_once_in_seat_order():
    board = {"a1": ["yS1", "rS1", "oS1"], "h8": ["gM1"], "i8": ["bM1"]}
    hands = [["2C"], ["3C"], ["5H", "4S"], ["6C"], ["7C"]]
    state = load(board, 5, stock=[EMPTY] * 5, turn=2, hands=hands)
    state, events = play(state, "move yS1 sw d6", chance=[3])
    assert [event.seat for event in events if event.type == "out"] == [0, 1, 2]
    assert TITLE.dump(state)["discard"] == ["2C", "3C", "5H", "4S"]
    assert TITLE.actors(state) == (3,)


def test_when_all_leave_at_once_trophies_decide_and_earlier_ones_tie_behind():
    board = {"a1": ["rS1", "oS1", "yS1"]}
    trophies = [["gS1"], ["gS2", "gS3"], ["bS1"], ["rL1", "rL2", "rL3"], []]
    fields = {"stock": [EMPTY] * 5, "in": [True, True, True, False, False]}
    state = load(board, 5, TWO_DICE, trophies=trophies, **fields)
    state, events = play(state, "move rS1 w d4", chance=[1])
    assert TITLE.result(state) == (2, 1, 2, 4, 4)
    assert events[-1].ending == "all-gone"
    assert TITLE.load(TITLE.dump(state), 5, complete(META, TWO_DICE)) == state


def test_closed_early_all_who_did_not_drop_are_ranked_by_trophies():
    board = {"a1": ["rS1"], "h8": ["oS1"]}
    trophies = [["yS1"], [], ["oS2", "oS3"], []]
    fields = {"in": [True, True, False, False], "dropped": [3]}
    stock = [[0, 0, 0], [2, 5, 5], [0, 0, 0], [0, 0, 0]]
    state = load(board, 4, TWO_DICE, trophies=trophies, stock=stock, **fields)
    state, _ = TITLE.close(state)
    assert TITLE.result(state) == (2, 3, 1, 4)


def test_closing_voids_a_pending_attack():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, hands=[["AC"], ["2H"]])
    state, _ = play(state, "attack rS1 oM1 AC")
    state, events = TITLE.close(state)
    data = TITLE.dump(state)
    assert (data["discard"], data["hands"]) == (["AC"], [[], ["2H"]])
    assert (data["pending"], data["attacked"], data["result"]) == (None, [], [1, 1])
    assert types(events) == ["void", "end"]
    with pytest.raises(MatchOver):
        TITLE.close(state)


# --- Dropping out -------------------------------------------------------------------------------


def attacked_in_three(phase="act"):
    hands = [["AC", "2S"], ["2H"], ["3H", "3C"]]
    board = {"h8": ["rS1"], "i9": ["oM1"], "a1": ["yS1"]}
    state = load(board, 3, hands=hands, phase=phase, stock=[EMPTY] * 3)
    return play(state, "attack rS1 oM1 AC")[0]


def test_when_the_defender_drops_the_attacker_draws_and_goes_on():
    state, events = drop(attacked_in_three(), 1, chance=[1])
    data = TITLE.dump(state)
    assert types(events) == ["void", "draw", "leave"]
    assert data["discard"] == ["AC", "2H"]
    assert data["hands"] == [["2C", "2S"], [], ["3C", "3H"]]
    assert (data["phase"], data["turn"], data["pending"]) == ("act", 0, None)
    assert (data["attacked"], data["dropped"], data["in"]) == ([], [1], [True, False, True])


def test_a_drop_that_leaves_nothing_to_attack_ends_the_turn():
    state, events = drop(attacked_in_three("free"), 1, chance=[1])
    assert types(events) == ["void", "draw", "leave", TURN_ENDED]
    assert TITLE.actors(state) == (2,)


def test_when_the_attacker_drops_nobody_draws():
    state, events = drop(attacked_in_three(), 0)
    data = TITLE.dump(state)
    assert types(events) == ["void", "leave", TURN_ENDED]
    assert data["discard"] == ["AC", "2S"]
    assert TITLE.actors(state) == (1,)


def test_a_bystanders_drop_leaves_an_attack_as_it_stands():
    before = attacked_in_three()
    state, events = drop(before, 2)
    assert state.pending == before.pending
    assert TITLE.actors(state) == (1,)
    assert types(events) == ["leave"]


def test_a_bystanders_drop_leaves_a_landing_as_it_stands():
    board = {"c7": ["rS1"], "e7": ["rS2"], "f7": ["yM1"], "a1": ["oS1"], "h1": ["yS1"]}
    state = load(board, 3, TWO_DICE, stock=[EMPTY] * 3)
    state, _ = play(state, "move rS1 e d4", chance=[4])
    state, _ = drop(state, 2)
    assert moves(state) == {"land e7", "land f7"}
    state, _ = play(state, "land f7")
    assert TITLE.dump(state)["board"]["f7"] == ["rS1"]


def test_a_mover_who_drops_in_a_landing_is_followed_by_the_next():
    board = {"c7": ["rS1"], "e7": ["rS2"], "f7": ["yM1"], "a1": ["oS1"]}
    state = load(board, 3, TWO_DICE, stock=[EMPTY] * 3)
    state, _ = play(state, "move rS1 e d4", chance=[4])
    state, _ = drop(state, 0)
    data = TITLE.dump(state)
    assert (data["turn"], data["phase"], data["pending"]) == (1, "act", None)


def test_the_pieces_of_who_drops_are_no_trophies_and_captured_ones_stay_captured():
    board = {"a1": ["rS1", "oS1", "yS1"], "h8": ["yM1"]}
    trophies = [[], ["rL1"], []]
    state = load(board, 3, TWO_DICE, trophies=trophies)
    state, _ = drop(state, 1)
    data = TITLE.dump(state)
    assert data["board"] == {"a1": ["rS1", "yS1"], "h8": ["yM1"]}
    assert data["trophies"] == trophies
    assert data["stock"][1] == [0, 0, 0]


def test_who_is_out_may_still_drop_and_then_ranks_behind():
    board = {"a1": ["rS1"], "h8": ["yS1"], "p16": ["gS1"]}
    state, events = drop(out(board, params=TWO_DICE), 1)
    assert events == []
    with pytest.raises(IllegalMove):
        drop(state, 1)
    state, _ = TITLE.close(state)
    assert TITLE.result(state) == (1, 4, 1, 1)


def test_the_later_one_drops_the_better():
    board = {"a1": ["rS1"], "h8": ["yS1"], "p16": ["gS1"]}
    state = out(board, params=TWO_DICE)
    state, _ = drop(state, 3)
    state, events = drop(state, 0)
    assert TITLE.result(state) == (3, 2, 1, 4)
    assert events[-1].ending == "dropped"


def test_of_two_players_the_one_who_stays_wins_and_nothing_else_changes():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, hands=[["AC"], ["2H"]])
    before = TITLE.dump(state)
    for seat, result in ((0, [2, 1]), (1, [1, 2])):
        after, _ = drop(state, seat)
        assert TITLE.dump(after) == before | {"result": result, "phase": "over"}
