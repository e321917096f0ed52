"""Simple Life or Death: what is foreseen, what a defender is asked, and standing orders."""

import pytest

from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import parse
from games.titles.simple_life_or_death.tests.fixtures import load

BOARD = {"c3": ["rS1"], "c4": ["oM2"], "d4": ["oL1"], "k9": ["rL1"]}
HANDS = [["KS", "TC"], ["2S", "7H", "9D", "KH"]]


def attacked(target, hands=HANDS):
    pending = {"kind": "defend", "attacker": "rS1", "target": target, "card": "QS", "then": "free"}
    return load(BOARD, hands=hands, phase="defend", pending=pending, attacked=[["rS1", target]])


def answer(name, state):
    return TITLE.standing_orders(complete(META, {}))[name].answer(TITLE.view(state, 1), 1)


def test_a_defender_is_told_what_is_at_stake():
    state = attacked("oM2")
    said = "Red’s small piece attacks your medium piece on c4 with a hidden black card."
    assert TITLE.pending_question(TITLE.view(state, 1), 1) == said
    assert TITLE.pending_question(TITLE.view(state, 0), 0) == ""
    assert TITLE.pending_question(TITLE.view(load(BOARD), 0), 0) == ""


def test_each_red_card_says_from_what_it_saves():
    state = attacked("oM2", [["KS"], ["2H", "KH", "AH"]])
    saves = {card: TITLE.options(state, 1, f"defend {card}").forecast for card in state.hands[1]}
    assert saves == {
        "2H": "Saves your medium piece on c4 from a black two only.",
        "KH": "Saves your medium piece on c4 from a black king or lower.",
        "AH": "Saves your medium piece on c4 from every card.",
    }


@pytest.mark.parametrize(
    ("name", "medium", "large"),
    [
        ("lowest", "defend 7H", "defend 7H"),
        ("from-eight", "defend 9D", "defend 9D"),
        ("by-size", "defend 7H", "defend KH"),
        ("highest", "defend KH", "defend KH"),
    ],
)
def test_standing_orders_choose_a_card(name, medium, large):
    assert answer(name, attacked("oM2")) == medium
    assert answer(name, attacked("oL1")) == large
    assert answer(name, load(BOARD, hands=HANDS)) == ""


def test_with_nothing_from_eight_up_the_lowest_defends():
    assert answer("from-eight", attacked("oM2", [["KS"], ["5D", "3H"]])) == "defend 3H"


def test_all_orders_are_covered_and_dice_have_none():
    assert list(TITLE.standing_orders(complete(META, {}))) == [
        "lowest",
        "from-eight",
        "by-size",
        "highest",
    ]
    assert TITLE.standing_orders(complete(META, {"combat": "2d6"})) == {}


@pytest.mark.parametrize(
    ("text", "is_hidden"),
    [
        ("place S c7", False),
        ("end", False),
        ("land c7", False),
        ("land off", True),
        ("move rS1 ne d4", True),
        ("attack rS1 oM2 KS", True),
        ("attack rS1 oM2", True),
        ("defend 7H", True),
    ],
)
def test_only_what_no_card_can_change_is_known_beforehand(text, is_hidden):
    assert TITLE.outcome_hidden(parse(text)) is is_hidden
