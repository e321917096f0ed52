"""Positions from JSON: what fits its declaration comes back, all else is a broken position."""

from typing import Annotated

import msgspec
import pytest

from games.kernel.decoding import check_params, check_result, decode
from games.kernel.errors import BrokenPosition
from games.kernel.ranking import DRAWN, WON_BY
from games.kernel.views import encode


class Square:
    """A type with a text form."""

    def __init__(self, name):
        self.name = name

    def __str__(self):
        return self.name

    @classmethod
    def parse(cls, text):
        if text != "a1":
            raise ValueError(f"{text!r} is no square")
        return cls(text)


class Piece(msgspec.Struct, frozen=True):
    at: Square
    life: Annotated[int, msgspec.Meta(ge=1, le=9)]
    sex: str | None = None


class Board(msgspec.Struct, frozen=True):
    size: int
    pieces: tuple[Piece, ...]


PIECE = {"at": "a1", "life": 3, "sex": None}


def test_what_fits_comes_back_and_is_written_as_it_was():
    board = decode(Board, {"size": 4, "pieces": [PIECE]})
    assert (str(board.pieces[0].at), board.pieces[0].life) == ("a1", 3)
    assert encode(board) == {"size": 4, "pieces": [PIECE]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (None, "got `null`"),
        ([], "got `array`"),
        ({"size": 4}, "pieces"),
        ({"size": True, "pieces": []}, "got `bool` - at `$.size`"),
        ({"size": 4, "pieces": [{**PIECE, "life": 0}]}, "$.pieces[0].life"),
        ({"size": 4, "pieces": [{**PIECE, "life": 10**30}]}, "$.pieces[0].life"),
        ({"size": 4, "pieces": [{**PIECE, "at": "b1"}]}, "'b1' is no square"),
        ({"size": 4, "pieces": [{**PIECE, "at": 1}]}, "1 is no square"),
        ({"size": 4, "pieces": [], "\ud800": 1}, "surrogates not allowed"),
        ({"size": 4, "pieces": [{**PIECE, "at": None}]}, "None is no square"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(data, words):
    with pytest.raises(BrokenPosition) as refused:
        decode(Board, data)
    assert words in str(refused.value)


def test_a_position_repeats_the_parameters_of_its_match():
    board = decode(Board, {"size": 4, "pieces": []})
    check_params(("size",), board, {"size": 4})
    with pytest.raises(BrokenPosition, match="size is 5 in this match, not 4"):
        check_params(("size",), board, {"size": 5})


@pytest.mark.parametrize(
    ("given", "decided"), [(None, None), (DRAWN, None), (WON_BY[1], None), (WON_BY[0], WON_BY[0])]
)
def test_results_that_fit(given, decided):
    check_result(given, decided, (*WON_BY, DRAWN))


@pytest.mark.parametrize(
    ("given", "decided"), [(None, DRAWN), ((2, 2), None), (WON_BY[1], WON_BY[0])]
)
def test_results_that_do_not_fit(given, decided):
    with pytest.raises(BrokenPosition, match="The result cannot be"):
        check_result(given, decided, (*WON_BY, DRAWN))
