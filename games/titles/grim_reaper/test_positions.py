"""Texts, squares, pieces and positions of Grim Reaper, both ways."""

import pytest

from games.kernel.errors import BrokenPosition, MalformedMove
from games.kernel.params import complete
from games.titles.grim_reaper import TITLE, squares
from games.titles.grim_reaper.population import Piece, Population
from games.titles.grim_reaper.squares import square

RULES = TITLE.rules


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
        spots = list(squares.each(squares.board(size)))
        assert len(spots) == size * size
        assert [square(squares.name_of(spot)) for spot in spots] == spots
        assert squares.names(squares.set_of(spots)) == sorted(map(squares.name_of, spots))
    for text in ("rM1", "bF99"):
        assert str(Piece.read(text)) == text


def test_a_population_is_its_pieces():
    pieces = {"a1": "rM1", "c2": "bF30", "f6": "rF2", "a6": "bM99"}
    wanted = {square(at): Piece.read(text) for at, text in sorted(pieces.items())}
    assert Population.of(6, wanted).pieces() == wanted


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
    state = RULES.load(EXAMPLE, 2, complete(TITLE.meta, {}))
    assert RULES.dump(state) == {**EXAMPLE, "result": None}


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reserve": [11, 10]}, "A reserve is a whole number from 0 to 10"),
        ({"reserve": [-1, 10]}, "A reserve is a whole number from 0 to 10"),
        ({"reserve": [True, 10]}, "A reserve is a whole number from 0 to 10"),
        ({"reserve": [10]}, "reserve is a list of 2"),
        ({"reserve": 10}, "reserve is a list of 2"),
        ({"pieces": {"a1": "rM11"}}, "more life than the 10 turns"),
        ({"pieces": {"a1": "rM0"}}, "is no piece"),
        ({"pieces": {"a1": "gM3"}}, "is no piece"),
        ({"pieces": {"a1": None}}, "is no piece"),
        ({"pieces": {"g1": "rM3"}}, "not on a board of size 6"),
        ({"pieces": {"A1": "rM3"}}, "is no square"),
        ({"pieces": [["a1", "rM3"]]}, "pieces is an object"),
        ({"step": 4}, "step is a whole number from 0 to 3"),
        ({"step": True}, "step is a whole number"),
        ({"turn": 0}, "turn is a whole number from 1"),
        ({"born": ["b3"]}, "Nobody is born before"),
        ({"born": ["b3"], "step": 2}, "Nobody is born before"),
        ({"born": ["a1"], "step": 3}, "no piece of Blue stands there"),
        ({"born": ["b4"], "step": 3}, "no piece of Blue stands there"),
        ({"born": ["b3"], "step": 3, "turn": 2}, "no piece of Red stands there"),
        ({"born": "b3"}, "born is a list"),
        ({"rip": ["c3", "a1"]}, "names each square once, sorted"),
        ({"rip": ["c3", "c3"]}, "names each square once, sorted"),
        ({"rip": ["h8"]}, "not on a board of size 6"),
        ({"size": 8}, "size is 6 in this match"),
        ({"male_span": 10.0}, "male_span is 10 in this match"),
        ({"random_life": 0}, "random_life is False in this match"),
        ({"result": [2, 2]}, "The result cannot be"),
        ({"result": "draw"}, "The result cannot be"),
        ({"turn": 2, "reserve": [0, 0], "pieces": {"a1": "rM1"}}, "The result cannot be None"),
        (
            {"turn": 2, "reserve": [0, 0], "pieces": {"a1": "rM1"}, "result": [2, 1]},
            "The result cannot be",
        ),
    ],
)
def test_impossible_positions_are_refused(change, words):
    with pytest.raises(BrokenPosition, match=words):
        RULES.load({**EXAMPLE, **change}, 2, complete(TITLE.meta, {}))


def test_newborns_and_long_lives_that_are_possible():
    params = complete(TITLE.meta, {"male_span": 20, "female_span": 3, "reserve": 1})
    spans = {"male_span": 20, "female_span": 3}
    born = {"pieces": {"a1": "rM20", "b3": "bF12"}, "step": 3, "born": ["b3"]}
    RULES.load({**EXAMPLE, **spans, **born}, 2, params)
    with pytest.raises(BrokenPosition, match="more life than the 12"):
        RULES.load({**EXAMPLE, **spans, "pieces": {"b3": "bF13"}}, 2, params)
