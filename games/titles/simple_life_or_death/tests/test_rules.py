"""Simple Life or Death: setup, placing, moving and attacking."""

import pytest

from games.kernel.contract import TURN_ENDED
from games.kernel.dice import RecordedDice
from games.kernel.errors import NotYourTurn
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import PACK, Board, Direction
from games.titles.simple_life_or_death.moves import parse
from games.titles.simple_life_or_death.tests.fixtures import (
    EMPTY,
    ONE_DIE,
    TWO_DICE,
    load,
    moves,
    play,
    refusal,
    start,
)
from tests.title_driver import types

NO_STOCK = [EMPTY, EMPTY]

# --- Setup ------------------------------------------------------------------------------------


def test_cards_are_dealt_in_turn_from_the_pack_in_order():
    data = TITLE.dump(start())
    assert data["hands"][0] == ["2C", "4C", "6C", "8C", "TC", "QC", "AC", "3D", "5D", "7D"]
    assert data["hands"][1] == ["3C", "5C", "7C", "9C", "JC", "KC", "2D", "4D", "6D", "8D"]
    assert data["draw"][0] == "9D"
    assert data["draw"][-1] == "AS"
    assert len(data["draw"]) == 32
    assert (data["phase"], data["round"], data["stock"]) == ("place", 1, [[5, 5, 5], [5, 5, 5]])


@pytest.mark.parametrize(("seats", "cards"), [(2, 52), (3, 104), (4, 104), (5, 156), (6, 156)])
def test_there_is_a_deck_for_every_two_seats(seats, cards):
    data = TITLE.dump(start(seats, chance=[*([1] * 10 * seats), 6, *([1] * (seats - 1))]))
    assert len(data["draw"]) == cards - 10 * seats
    assert sorted(sum(data["hands"], data["draw"])).count("KS") == cards // 52


def test_those_who_share_the_highest_roll_roll_again():
    state = start(4, TWO_DICE, chance=[3, 5, 2, 5, 6, 6, 1, 4])
    assert TITLE.dump(state)["first"] == 3
    assert TITLE.actors(state) == (3,)


# --- Placing and the two duties -----------------------------------------------------------------


def test_first_a_piece_is_placed_then_one_more_or_one_moves():
    state = start()
    assert len(moves(state)) == 3 * 256
    assert "place a piece" in refusal(state, "end")
    state, _ = play(state, "place S c7")
    assert TITLE.dump(state)["phase"] == "act"
    assert len(moves(state)) == 3 * 256 + 8 * 2
    assert "your own" not in refusal(state, "move rS2 n d4")
    after, events = play(state, "place L c7")
    assert TITLE.dump(after)["board"] == {"c7": ["rS1", "rL1"]}
    assert types(events) == ["place", TURN_ENDED]
    assert TITLE.actors(after) == (1,)


def test_the_last_piece_in_stock_placed_as_the_first_duty_has_to_be_followed_by_a_move():
    board = {"a1": ["rS1"], "p16": ["oS1"]}
    state = load(board, stock=[[0, 0, 1], [4, 5, 5]], phase="place")
    state, _ = play(state, "place L a2")
    assert {text.split()[0] for text in moves(state)} == {"move"}
    assert refusal(state, "place L a3").endswith("no piece left in stock: move one.")


def test_without_a_stock_the_first_duty_is_skipped():
    state = load({"a1": ["rS1"], "p16": ["oS1"]}, stock=NO_STOCK, turn=1)
    state, _ = play(state, "move oS1 s d4", chance=[2])
    assert TITLE.dump(state)["phase"] == "act"
    assert TITLE.actors(state) == (0,)


def test_pieces_of_a_size_run_out():
    state = load({"a1": ["rS5"], "p16": ["oS1"]}, stock=[[0, 5, 5], [4, 5, 5]])
    assert refusal(state, "place S a2").endswith("no small piece left in stock.")


# --- Moving -------------------------------------------------------------------------------------


def test_a_piece_stops_on_one_of_another_colour():
    state = load({"c7": ["rS1"], "f7": ["oM1"]}, stock=NO_STOCK)
    after, _ = play(state, "move rS1 e d4", chance=[4])
    assert TITLE.dump(after)["board"] == {"f7": ["oM1", "rS1"]}
    state = load({"c7": ["rS1"], "e7": ["oM1"]}, stock=NO_STOCK)
    after, _ = play(state, "move rS1 e d4", chance=[4])
    assert TITLE.dump(after)["board"] == {"e7": ["oM1", "rS1"]}


def test_a_piece_may_stop_on_its_own_colour_or_go_on():
    state = load({"c7": ["rS1"], "e7": ["rS2"], "f7": ["oM1"]}, stock=NO_STOCK)
    state, events = play(state, "move rS1 e d4", chance=[4])
    assert types(events) == ["roll"]
    assert moves(state) == {"land e7", "land f7"}
    assert "can only stop on e7 or f7" in refusal(state, "land d7")
    assert "where the moving piece lands" in refusal(state, "attack rS2 oM1 KS")
    stopped, _ = play(state, "land e7")
    assert TITLE.dump(stopped)["board"] == {"e7": ["rS2", "rS1"], "f7": ["oM1"]}
    assert TITLE.dump(stopped)["phase"] == "free"
    gone_on, _ = play(state, "land f7")
    assert TITLE.dump(gone_on)["board"] == {"e7": ["rS2"], "f7": ["oM1", "rS1"]}


def test_a_piece_of_another_colour_anywhere_in_a_stack_stops():
    state = load({"c7": ["rS1"], "e7": ["rS2", "oM1", "rS3"]}, stock=NO_STOCK)
    state, _ = play(state, "move rS1 e d6", chance=[6])
    assert TITLE.dump(state)["board"] == {"e7": ["rS2", "oM1", "rS3", "rS1"]}


def test_the_last_square_is_an_end_also_on_ones_own():
    state = load({"c7": ["rS1"], "e7": ["rS2"], "p1": ["oM1"]}, stock=NO_STOCK)
    state, _ = play(state, "move rS1 e d4", chance=[2])
    assert TITLE.dump(state)["board"]["e7"] == ["rS2", "rS1"]


@pytest.mark.parametrize(("width", "height"), [(16, 30), (30, 16)])
def test_a_line_runs_to_the_edge_of_a_board_that_is_not_square(width, height):
    board = Board(width, height)
    lines = {str(way): len(board.line("c4", way)) for way in Direction}
    assert (lines["n"], lines["s"]) == (height - 4, 3)
    assert (lines["e"], lines["w"]) == (width - 3, 2)
    assert lines["ne"] == min(height - 4, width - 3)
    assert (lines["se"], lines["sw"], lines["nw"]) == (3, 2, 2)


def test_off_the_board_is_out_of_play():
    state = load({"o1": ["rS1"], "a1": ["rS2"], "a9": ["oM1"]}, stock=NO_STOCK)
    state, events = play(state, "move rS1 e d4", chance=[3])
    assert TITLE.dump(state)["board"] == {"a1": ["rS2"], "a9": ["oM1"]}
    assert TITLE.dump(state)["trophies"] == [[], []]
    assert events[1].to == "off"


def test_one_may_stop_on_ones_own_rather_than_leave_the_board():
    state = load({"n1": ["rS1"], "o1": ["rS2"], "a9": ["oM1"]}, stock=NO_STOCK)
    state, _ = play(state, "move rS1 e d6", chance=[5])
    assert moves(state) == {"land o1", "land off"}
    state, _ = play(state, "land off")
    assert TITLE.dump(state)["board"] == {"o1": ["rS2"], "a9": ["oM1"]}


def test_a_piece_takes_along_what_stands_on_it_and_leaves_what_is_below():
    board = {"c3": ["oL1", "rS1", "oS1", "rM1"], "p16": ["oM1"]}
    state = load(board, stock=NO_STOCK, params=TWO_DICE)
    after, events = play(state, "move rS1 ne d4", chance=[2])
    assert TITLE.dump(after)["board"] == {
        "c3": ["oL1"],
        "e5": ["rS1", "oS1", "rM1"],
        "p16": ["oM1"],
    }
    assert events[1].carried == ("oS1", "rM1")


@pytest.mark.parametrize(
    ("movement", "chance", "square"),
    [("d6", [1, 2, 3], "a7"), ("d8", [8, 1, 1], "a11"), ("d12", [12, 1, 1], "a15")],
)
def test_larger_pieces_roll_more_dice_where_all_roll_the_same(movement, chance, square):
    params = {"movement": movement, "combat": "1d12"}
    board = {"a1": ["rL1", "rM1", "rS1"], "p16": ["oS1"]}
    state = load(board, params=params, stock=NO_STOCK)
    after, events = play(state, "move rL1 n", chance=chance)
    assert square in TITLE.dump(after)["board"]
    assert events[0].dice == (int(movement[1:]),) * 3
    assert "leave the die out" in refusal(state, "move rL1 n d12")
    after, _ = play(state, "move rM1 n", chance=chance[1:])
    after, _ = play(state, "move rS1 n", chance=chance[2:])


@pytest.mark.parametrize(("size", "dice"), [("S", (4, 6)), ("M", (8, 10)), ("L", (12, 20))])
def test_each_size_has_two_dice_to_choose_from(size, dice):
    state = load({"h8": [f"r{size}1"], "p16": ["oS1"]}, stock=NO_STOCK)
    north = {text for text in moves(state) if " n " in text}
    assert north == {f"move r{size}1 n d{die}" for die in dice}
    assert "say which" in refusal(state, f"move r{size}1 n")
    other = {4: 20, 8: 4, 12: 8}[dice[0]]
    assert f"d{dice[0]} or d{dice[1]}" in refusal(state, f"move r{size}1 n d{other}")


def test_only_ones_own_pieces_on_the_board_move():
    state = load({"h8": ["rS1"], "p16": ["oS1"]}, stock=NO_STOCK)
    assert refusal(state, "move oS1 s d4").endswith("oS1 is not yours.")
    assert refusal(state, "move rS2 s d4").endswith("rS2 is not on the board.")


# --- Attacking ----------------------------------------------------------------------------------

CROWD = {"h8": ["rS1", "oM1", "yL1", "gS1"], "i8": ["rM1"], "i9": ["yS1"]}


def test_each_piece_attacks_each_target_in_reach_once():
    for turn, count in ((0, {"o": 2, "y": 4, "g": 2}), (1, {"r": 2, "y": 2, "g": 1})):
        state = load(CROWD, 4, TWO_DICE, turn=turn)
        found = [text.split() for text in moves(state) if text.startswith("attack")]
        targets = [target[0] for _, _, target in found]
        assert {colour: targets.count(colour) for colour in targets} == count


@pytest.mark.parametrize(
    ("turn", "attacks"), [(2, {"r": 4, "o": 2, "g": 2}), (3, {"r": 2, "o": 1, "y": 2})]
)
def test_yellow_and_green_of_the_same_crowd(turn, attacks):
    state = load(CROWD, 4, TWO_DICE, turn=turn)
    targets = [text.split()[2][0] for text in moves(state) if text.startswith("attack")]
    assert {colour: targets.count(colour) for colour in targets} == attacks


def test_an_attack_waits_for_the_red_card_of_the_defender():
    hands = [["TS", "2D"], ["TH", "3C"]]
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, hands=hands)
    state, events = play(state, "attack rS1 oM1 TS")
    assert TITLE.actors(state) == (1,)
    assert moves(state) == {"defend TH"}
    assert TURN_ENDED not in types(events)
    assert TITLE.dump(state)["pending"]["then"] == "act"
    with pytest.raises(NotYourTurn):
        TITLE.play(state, 0, parse("move rS1 n d4"), RecordedDice([]))
    assert "only red cards" in refusal(state, "defend 3C")
    assert "do not hold" in refusal(state, "defend AH")
    assert "the attack must be answered first" in refusal(state, "end")


def test_a_tie_is_the_defenders():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, hands=[["TS"], ["TH"]])
    state, _ = play(state, "attack rS1 oM1 TS", "defend TH", chance=[1, 1])
    data = TITLE.dump(state)
    assert data["board"] == {"h8": ["rS1"], "i9": ["oM1"]}
    assert data["discard"] == ["TS", "TH"]
    assert data["attacked"] == [["rS1", "oM1"]]
    assert TITLE.actors(state) == (0,)


def test_the_higher_card_takes_a_trophy_and_what_stood_on_it_drops():
    board = {"h8": ["rS1"], "i9": ["oS1", "oM1", "rL1"]}
    state = load(board, hands=[["AC"], ["KH"]])
    state, events = play(state, "attack rL1 oM1 AC", "defend KH", chance=[50, 1])
    data = TITLE.dump(state)
    assert data["board"]["i9"] == ["oS1", "rL1"]
    assert data["trophies"] == [["oM1"], []]
    assert data["hands"] == [["AS"], ["2C"]]
    assert data["attacked"] == []
    assert types(events) == ["attack", "fight", "draw", "draw"]


def test_without_a_red_card_the_piece_is_lost_at_once_and_only_the_attacker_draws():
    state = load({"h8": ["rS1"], "i9": ["oM1"], "a1": ["oS1"]}, hands=[["2C"], ["3C", "AS"]])
    state, events = play(state, "attack rS1 oM1 2C", chance=[1])
    data = TITLE.dump(state)
    assert data["trophies"] == [["oM1"], []]
    assert data["discard"] == ["2C"]
    assert data["hands"] == [["4C"], ["3C", "AS"]]
    assert types(events) == ["attack", "fight", "draw"]
    assert events[1].defence is None


def test_an_empty_draw_pile_takes_the_whole_discard_pile():
    rest = list(map(str, PACK))
    hands = [["AS"], ["2H"]]
    discard = [card for card in rest if card not in ("AS", "2H")]
    board = {"h8": ["rS1"], "i9": ["oM1"], "a1": ["oS1"]}
    state = load(board, hands=hands, discard=discard[::-1])
    state, events = play(state, "attack rS1 oM1 AS", "defend 2H", chance=[52, 1])
    data = TITLE.dump(state)
    assert data["hands"] == [["AS"], ["2C"]]
    assert data["discard"] == []
    assert len(data["draw"]) == 50
    assert types(events) == ["attack", "fight", "refill", "draw", "draw"]


def test_equal_cards_of_several_decks_are_one_move():
    board = {"h8": ["rS1"], "i9": ["oM1"], "a1": ["yS1"]}
    state = load(board, 3, hands=[["KS", "KS"], ["2H"], []], phase="free")
    assert moves(state) == {"attack rS1 oM1 KS", "end"}


def test_the_same_pair_fights_once_a_turn_but_again_in_the_next():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, params=TWO_DICE, stock=NO_STOCK)
    state, _ = play(state, "attack rS1 oM1", chance=[1, 1, 1, 1])
    assert "this turn already" in refusal(state, "attack rS1 oM1")
    state, _ = play(state, "move rS1 n d4", "move oM1 w d8", chance=[1, 1])
    state, _ = play(state, "end")
    state, _ = play(state, "attack rS1 oM1", chance=[1, 1, 1, 1])
    assert TITLE.dump(state)["attacked"] == [["rS1", "oM1"]]


@pytest.mark.parametrize(
    ("params", "chance", "won"),
    [
        (TWO_DICE, [6, 5, 5, 5], True),
        (TWO_DICE, [6, 4, 5, 5], False),
        (ONE_DIE, [12, 11], True),
        (ONE_DIE, [7, 7], False),
    ],
)
def test_dice_decide_attacker_first_and_a_tie_is_the_defenders(params, chance, won):
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, params=params)
    state, events = play(state, "attack rS1 oM1", chance=chance)
    assert events[1].won is won
    assert TITLE.dump(state)["trophies"][0] == (["oM1"] if won else [])
    assert "name no card" in refusal(
        load({"h8": ["rS1"], "i9": ["oM1"]}, params=params), str(parse("attack rS1 oM1 KS"))
    )


def test_who_may_be_attacked_and_with_what():
    board = {"h8": ["rS1", "rS2"], "i9": ["oM1"], "k8": ["oM2"]}
    state = load(board, hands=[["KS", "2H"], ["3H"]])
    reasons = {
        "attack rS1 rS2 KS": "that piece is your own.",
        "attack rS1 oM2 KS": "out of reach",
        "attack rS1 oM5 KS": "oM5 is not on the board.",
        "attack oM1 oM2 KS": "oM1 is not yours.",
        "attack rS1 oM1": "name the black card",
        "attack rS1 oM1 2H": "only black cards",
        "attack rS1 oM1 AS": "do not hold AS",
        "defend 2H": "you are not attacked",
        "land c7": "no piece is on its way",
    }
    for text, reason in reasons.items():
        assert reason in refusal(state, text)


def test_without_a_black_card_there_is_no_attack():
    state = load({"h8": ["rS1"], "i9": ["oM1"]}, hands=[["2H"], []], phase="free")
    assert moves(state) == {"end"}


def test_one_may_attack_before_the_first_duty():
    state = load({"h8": ["rS1"], "i9": ["oM1"], "a1": ["oS1"]}, params=ONE_DIE, phase="place")
    state, _ = play(state, "attack rS1 oM1", chance=[12, 1])
    assert TITLE.dump(state)["phase"] == "place"
