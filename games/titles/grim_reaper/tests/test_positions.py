"""Texts, squares, pieces and positions of Grim Reaper, both ways."""

import pytest

from games.kernel.errors import BrokenPosition, MalformedMove
from games.kernel.params import complete
from games.titles.grim_reaper import TITLE, squares
from games.titles.grim_reaper.squares import Square
from games.titles.grim_reaper.state import Piece


@pytest.mark.parametrize(
    ("typed", "canonical"),
    [
        (" m10 A1 ", "M10a1"),
        ("f2b3", "F2b3"),
        ("f2-b3", "f2-b3"),
        ("F2 - B3", "f2-b3"),
        ("f2f3", "F2f3"),
        ("f2:f3", "F3f2"),
        ("A1:m10", "M10a1"),
        ("+ fc4 , MA2", "+Ma2,Fc4"),
        ("PASS", "pass"),
    ],
)
def test_typing_forgives_case_and_blanks(typed, canonical):
    assert str(TITLE.parse(typed)) == canonical


@pytest.mark.parametrize(
    "text",
    [
        *("", "M", "M10", "M0a1", "M01a1", "M100a1", "Ma1", "X1a1", "M1i1", "M1a9", "M1a0", "a1"),
        *("a1:", "a1:M", "a1M10", "a1-", "a1-i1", "a1-a2-a3", "+", "+a2", "+Ma2,", "+Ma2Fc4"),
        *("+Ma2,,Fc4", "+Ma2,+Fc4", ",Ma2", "Ma2,Fc4", "passs", "M-1a1", "M１a1", "M1a1\x00"),
    ],
)
def test_what_is_no_move(text):
    with pytest.raises(MalformedMove):
        TITLE.parse(text)


def test_every_square_and_piece_reads_back():
    for size in (6, 8):
        every = list(squares.each(squares.board(size)))
        assert len(every) == size * size
        assert [Square.parse(str(square)) for square in every] == every
        assert squares.names(squares.set_of(every)) == sorted(map(str, every))
    for text in ("rM1", "bF99"):
        assert str(Piece.parse(text)) == text


@pytest.mark.parametrize("text", ["", "a", "a0", "a9", "i1", "A1", "a1\n", "a12"])
def test_what_is_no_square(text):
    with pytest.raises(ValueError, match="is no square"):
        Square.parse(text)


@pytest.mark.parametrize("text", ["", "rM", "rM0", "rM100", "gM1", "rX1", "rM1\n", "RM1"])
def test_what_is_no_piece(text):
    with pytest.raises(ValueError, match="is no piece"):
        Piece.parse(text)


EXAMPLE = {
    "size": 6,
    "turn": 1,
    "step": 0,
    "reserve": [10, 10],
    "pieces": {"a1": "rM10", "b3": "bF2"},
    "born": [],
    "rip": ["c3"],
    "male_span": 10,
    "female_span": 10,
    "random_life": False,
}


def test_a_position_as_the_rules_give_it():
    state = TITLE.load(EXAMPLE, 2, complete(TITLE.meta, {}))
    assert TITLE.dump(state) == {**EXAMPLE, "result": None}


def test_a_chain_in_the_middle_of_a_turn_has_not_won_yet():
    chain = {f"a{row}": "rM9" for row in range(1, 7)}
    position = {**EXAMPLE, "turn": 3, "pieces": {**chain, "b3": "bF2"}}
    params = complete(TITLE.meta, {})
    assert TITLE.read_position({**position, "step": 1}, 2, params).ranks is None
    with pytest.raises(BrokenPosition, match="result cannot be null"):
        TITLE.read_position(position, 2, params)


def test_every_piece_of_a_position_is_kept_in_the_order_of_the_squares():
    params = complete(TITLE.meta, {"male_span": 30, "female_span": 30, "reserve": 3})
    pieces = {"f6": "rF2", "a6": "bM90", "a1": "rM1", "c2": "bF30"}
    spans = {"male_span": 30, "female_span": 30}
    state = TITLE.load({**EXAMPLE, **spans, "pieces": pieces}, 2, params)
    assert list(TITLE.dump(state)["pieces"].items()) == sorted(pieces.items())


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reserve": [11, 10]}, "at most 10 in this match, not 11"),
        ({"reserve": [-1, 10]}, r"`int` >= 0 - at `\$.reserve\[0\]`"),
        ({"reserve": [True, 10]}, r"got `bool` - at `\$.reserve\[0\]`"),
        ({"reserve": [10]}, "`array` of length 2, got 1"),
        ({"reserve": 10}, "Expected `array`, got `int`"),
        ({"pieces": {"a1": "rM11"}}, "more life than the 10 turns"),
        ({"pieces": {"a1": "rM0"}}, "matching regex"),
        ({"pieces": {"a1": "gM3"}}, "matching regex"),
        ({"pieces": {"a1": "rM3\n"}}, "matching regex"),
        ({"pieces": {"a1": None}}, r"got `null` - at `\$.pieces\[...\]`"),
        ({"pieces": {"g1": "rM3"}}, "not on a board of size 6"),
        ({"pieces": {"A1": "rM3"}}, "matching regex"),
        ({"pieces": [["a1", "rM3"]]}, r"Expected `object`, got `array` - at `\$.pieces`"),
        ({"step": 4}, r"`int` <= 3 - at `\$.step`"),
        ({"step": True}, r"Expected `int`, got `bool` - at `\$.step`"),
        ({"turn": 0}, r"`int` >= 1 - at `\$.turn`"),
        ({"born": ["b3"]}, "Nobody is born before"),
        ({"born": ["b3"], "step": 2}, "Nobody is born before"),
        ({"born": ["a1"], "step": 3}, "no piece of Blue stands there"),
        ({"born": ["b4"], "step": 3}, "no piece of Blue stands there"),
        ({"born": ["b3"], "step": 3, "turn": 2}, "no piece of Red stands there"),
        ({"born": "b3"}, r"Expected `array`, got `str` - at `\$.born`"),
        ({"rip": ["c3", "a1"]}, "names each square once, sorted"),
        ({"rip": ["c3", "c3"]}, "names each square once, sorted"),
        ({"rip": ["h8"]}, "not on a board of size 6"),
        ({"size": 8}, "size is 6 in this match"),
        ({"male_span": 10.0}, r"got `float` - at `\$.male_span`"),
        ({"male_span": 11}, "male_span is 10 in this match"),
        ({"random_life": 0}, r"got `int` - at `\$.random_life`"),
        ({"random_life": True}, "random_life is false in this match"),
        ({"result": [2, 2]}, "The result cannot be"),
        ({"result": "draw"}, r"got `str` - at `\$.result`"),
        ({"result": [1, 2, 2]}, "array` of length"),
        ({"result": [1, 3]}, "int` <= 2"),
        ({"result": [2, True]}, "got `bool`"),
        ({"turn": 2, "reserve": [0, 0], "pieces": {"a1": "rM1"}}, "The result cannot be null"),
        (
            {"turn": 2, "reserve": [0, 0], "pieces": {"a1": "rM1"}, "result": [2, 1]},
            "The result cannot be",
        ),
    ],
)
def test_impossible_positions_are_refused(change, words):
    with pytest.raises(BrokenPosition, match=words):
        TITLE.read_position({**EXAMPLE, **change}, 2, complete(TITLE.meta, {}))


def test_newborns_and_long_lives_that_are_possible():
    params = complete(TITLE.meta, {"male_span": 20, "female_span": 3, "reserve": 1})
    spans = {"male_span": 20, "female_span": 3}
    born = {"pieces": {"a1": "rM20", "b3": "bF12"}, "step": 3, "born": ["b3"]}
    TITLE.load({**EXAMPLE, **spans, **born}, 2, params)
    with pytest.raises(BrokenPosition, match="more life than the 12"):
        TITLE.load({**EXAMPLE, **spans, "pieces": {"b3": "bF13"}}, 2, params)
