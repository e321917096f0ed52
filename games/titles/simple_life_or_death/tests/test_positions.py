"""Simple Life or Death: positions that cannot be, and texts."""

import pytest

from games.kernel.canonical import canonical, renamed
from games.kernel.errors import BrokenPosition, MalformedMove
from games.kernel.params import complete
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.meta import META
from games.titles.simple_life_or_death.moves import parse
from games.titles.simple_life_or_death.tests.fixtures import EMPTY, load, position

NO_STOCK = [EMPTY, EMPTY]

# --- Positions that cannot be -------------------------------------------------------------------

SOUND = {"h8": ["rS1"], "i9": ["oM1", "rM1"], "a1": ["oS1"]}
BROKEN = {
    "another board": {"width": 17},
    "a number that is none": {"rounds": False},
    "too large a stock": {"stock": [[6, 5, 5], [4, 4, 5]]},
    "a piece still in stock": {"stock": [[5, 4, 5], [4, 4, 5]]},
    "off the board": {"board": {"q1": ["rS1"]}},
    "no square": {"board": {"A1": ["rS1"]}},
    "no stack": {"board": {"a1": []}},
    "no piece": {"board": {"a1": ["RS1"]}},
    "a piece of nobody": {"board": {"a1": ["yS1"]}},
    "a piece twice": {"board": SOUND | {"b2": ["rS1"]}},
    "an own trophy": {"trophies": [["rL1"], []], "stock": [[4, 4, 4], [4, 4, 5]]},
    "in without pieces": {"in": [True, False]},
    "a card twice": {"discard": ["2C"]},
    "a hand out of order": {"hands": [["3C", "2C"], []], "draw": []},
    "no card": {"hands": [["KZ"], []], "draw": []},
    "a hidden card": {"hands": [["??"], []], "draw": []},
    "eleven cards": {"hands": [[f"{rank}C" for rank in "23456789TJQ"], []]},
    "cards of no use": {"combat": "cards", "draw": []},
    "nobody's turn": {"turn": 2},
    "round none": {"round": 0},
    "no phase": {"phase": "wait"},
    "half a character": {"phase": "\ud800"},
    "over without a result": {"phase": "over"},
    "a result too early": {"result": [1, 2]},
    "a result of nobody": {"result": []},
    "a result of three": {"result": [1, 2, 2], "phase": "over"},
    "stocks of three": {"stock": [[4, 4, 5], [4, 4, 5], [5, 5, 5]]},
    "more rounds than there can be": {"round": 10**30},
    "nothing to answer": {"phase": "defend"},
    "nothing to place": {"phase": "place", "stock": NO_STOCK},
    "attacked one's own": {"attacked": [["rS1", "rM1"]]},
    "attacked from nowhere": {"attacked": [["rS2", "oM1"]]},
    "attacks out of order": {"attacked": [["rS1", "oM1"], ["rM1", "oM1"]]},
    "one place to land": {
        "phase": "land",
        "pending": {"kind": "land", "piece": "rS1", "ends": ["h9"]},
    },
    "a bent way": {
        "phase": "land",
        "pending": {"kind": "land", "piece": "rS1", "ends": ["h9", "i8"]},
    },
    "the way back": {
        "phase": "land",
        "pending": {"kind": "land", "piece": "rS1", "ends": ["h10", "h9"]},
    },
    "another's landing": {
        "phase": "land",
        "pending": {"kind": "land", "piece": "oM1", "ends": ["i10", "i11"]},
    },
    "a wait of no kind": {"phase": "land", "pending": {"kind": "wait"}},
    "dropped but in": {"dropped": [1]},
    "a square like a number": {"board": {"a01": ["rS1"]}},
}


@pytest.mark.parametrize("fields", BROKEN.values(), ids=BROKEN.keys())
def test_what_cannot_be_is_refused(fields):
    load(SOUND)
    data = position(SOUND) | fields
    with pytest.raises(BrokenPosition):
        TITLE.read_position(data, 2, complete(META, {}))


ATTACK = {"kind": "defend", "attacker": "rS1", "target": "oM1", "card": "KS", "then": "act"}
BROKEN_ATTACKS = {
    "a red card": {"card": "KH"},
    "not declared": {"attacker": "rM1"},
    "out of reach": {"target": "oS1"},
    "in no phase": {"then": "land"},
    "nothing to place": {"then": "place"},
}


@pytest.mark.parametrize("fields", BROKEN_ATTACKS.values(), ids=BROKEN_ATTACKS.keys())
def test_attacks_that_cannot_be_are_refused(fields):
    stock = [[0, 0, 0], [4, 4, 5]]
    common = {"phase": "defend", "hands": [[], ["2H"]], "stock": stock}
    pairs = [["rS1", "oM1"], ["rS1", "oS1"]]
    assert load(SOUND, pending=ATTACK, attacked=pairs[:1], **common)
    with pytest.raises(BrokenPosition):
        load(SOUND, pending=ATTACK | fields, attacked=pairs, **common)


def test_a_defender_without_a_red_card_is_not_waited_for():
    with pytest.raises(BrokenPosition, match="holds a red one"):
        load(SOUND, phase="defend", pending=ATTACK, attacked=[["rS1", "oM1"]], hands=[[], ["2C"]])


def test_attacks_are_forgotten_at_the_end():
    assert load(SOUND, phase="over", result=[1, 1])
    with pytest.raises(BrokenPosition, match="Nobody attacks after the end"):
        load(SOUND, phase="over", result=[1, 1], attacked=[["rS1", "oM1"]])


def test_a_turn_with_nothing_left_has_ended():
    with pytest.raises(BrokenPosition, match="ended by itself"):
        load({"h8": ["rS1"], "p1": ["oM1"]}, phase="free")


def test_results_have_to_fit():
    fields = {"phase": "over", "trophies": [["oS2"], []]}
    for result in ([1, 2], [2, 1]):
        assert load(SOUND, result=result, **fields)
    for result in ([1, 1], [2, 2]):
        with pytest.raises(BrokenPosition, match="result"):
            load(SOUND, result=result, **fields)


def test_a_result_names_every_seat():
    data = position(SOUND, phase="over", trophies=[["oS2"], []])
    assert TITLE.load(data | {"result": [1, 2]}, 2, complete(META, {}))
    with pytest.raises(BrokenPosition, match="each of 2 seats"):
        TITLE.load(data | {"result": [1, 2, 2]}, 2, complete(META, {}))


# --- Mirrors ------------------------------------------------------------------------------------


def canonical_of(board, **fields):
    return canonical(TITLE, 2, {}, load(board, **fields))


@pytest.mark.parametrize(
    ("board", "is_same"),
    [
        ({"b16": ["rS1"], "o1": ["oM1", "rM1"]}, True),
        ({"a15": ["rS1"], "p2": ["oM1", "rM1"]}, True),
        ({"b1": ["rS1"], "o16": ["rM1", "oM1"]}, False),
        ({"b1": ["rS1"], "o15": ["oM1", "rM1"]}, False),
    ],
)
def test_a_board_in_a_mirror_is_the_same_position(board, is_same):
    first = canonical_of({"b1": ["rS1"], "o16": ["oM1", "rM1"]})
    assert (canonical_of(board).key == first.key) is is_same


def test_only_square_boards_are_turned():
    board, turned = {"b1": ["rS1"], "p1": ["oM1"]}, {"a2": ["rS1"], "a16": ["oM1"]}
    assert canonical_of(board).key == canonical_of(turned).key
    wide = {"params": {"width": 17}}
    assert canonical_of(board, **wide).key != canonical_of(turned, **wide).key


def test_directions_and_ends_are_mirrored_and_dice_are_not():
    landing = {"kind": "land", "piece": "rS1", "ends": ["h9", "h10"]}
    state = load(SOUND, phase="land", pending=landing)
    images = TITLE.images(TITLE.view(state, None))
    turned = next(one for one in images if one.names[" b1"] == " p2" and one.names[" a2"] == " o1")
    assert turned.position["pending"]["ends"] == ["h8", "g8"]
    texts = {
        "place S b1": "place S p2",
        "move rM2 n d10": "move rM2 w d10",
        "move rM2 ne": "move rM2 nw",
        "land d10": "land g4",
        "land off": "land off",
        "attack rS1 oM1 KS": "attack rS1 oM1 KS",
        "defend 7H": "defend 7H",
        "end": "end",
    }
    assert {text: renamed(TITLE, text, turned.names) for text in texts} == texts


# --- Notation -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("PLACE s AV48", "place S av48"),
        ("move RM2 NE D10", "move rM2 ne d10"),
        ("moverl1n", "move rL1 n"),
        (" attack  rs1 bm2 ks", "attack rS1 bM2 KS"),
        ("land OFF", "land off"),
        ("defend th", "defend TH"),
        ("END", "end"),
    ],
)
def test_texts(text, canonical):
    assert str(parse(text)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *("place X c7", "place S aw1", "place S a49", "place S c0", "move rS6 n d4", "land"),
        *("move rS1 up d4", "move rS1 n d7", "attack rS1 bM2 ??", "attack rS1 bM2 KX"),
        *("defend 1H", "end turn"),
    ],
)
def test_what_is_no_move(text):
    with pytest.raises(MalformedMove):
        parse(text)
