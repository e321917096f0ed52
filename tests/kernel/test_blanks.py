"""Rows of blanks: what is asked for together, and what was filled in."""

import pytest

from games.kernel import blanks
from games.kernel.blanks import Number, Pick
from games.kernel.contract import Choice, Options, Span
from games.kernel.errors import MalformedMove

LIFE = Span(1, 6, 1, "{:.0f}", "Life turns")
PLACE = Span(-30.0, 30.0, 0.1, "{:+.1f}", "Millimetres")
TILT = Span(-20, 20, 1, " {:+.0f}", "Degrees")
SEXES = (Choice("M", "A male"), Choice("F", "A female"))
DONE = Options(complete=True, next=())


def giver(**tree):
    """What may follow each text; all else is the beginning of no move."""

    def give(typed):
        for beginning, offered in tree.items():
            if typed.rstrip("0123456789.+- ") == beginning:
                return offered
        raise MalformedMove(typed)

    return give


def asks(*offered):
    return Options(complete=False, next=offered)


def test_a_choice_and_the_number_that_follows_each_are_one_row():
    give = giver(M=asks(LIFE), F=asks(LIFE))
    assert blanks.rows(SEXES, "", lambda text: DONE if text[1:] else give(text)) == (
        (Pick(SEXES), Number(LIFE)),
    )


def test_two_numbers_are_one_row():
    def give(typed):
        return DONE if " " in typed else asks(TILT)

    ((first, second),) = blanks.rows((PLACE,), "", give)
    assert (first, second) == (Number(PLACE), Number(TILT))
    assert blanks.fill((first, second), ["1.52", "-3"]) == "+1.5 -3"
    assert blanks.read((first, second), "+1.5 -3") == ("1.5", "-3")


def test_what_differs_by_what_is_filled_in_ends_the_row():
    shorter = Span(1, 3, 1, "{:.0f}", "Life turns")
    assert blanks.rows(SEXES, "", giver(M=asks(LIFE), F=asks(shorter))) == ()
    assert blanks.rows(SEXES, "", giver(M=asks(LIFE))) == ()
    assert blanks.rows(SEXES, "", giver(M=DONE, F=DONE)) == ()


def test_choices_on_the_board_and_long_lists_are_in_no_row():
    square = Choice("a1", "a1", ("a1",))
    assert blanks.rows((square,), "", giver(a1=asks(LIFE))) == ()
    many = tuple(Choice(letter, letter) for letter in "abcdefghij")
    assert blanks.rows(many, "", lambda _: asks(LIFE)) == ()


def test_every_number_on_offer_begins_a_row():
    give = giver(M=asks(LIFE))
    found = blanks.rows((LIFE, Choice("M", "A male"), TILT), "x", give)
    assert found == ((Number(LIFE),), (Number(TILT),))


@pytest.mark.parametrize("values", [("M",), ("M", "3", "4"), ("m", "3"), ("M", "7"), ("M", "nan")])
def test_what_does_not_fit_is_refused(values):
    with pytest.raises(MalformedMove):
        blanks.fill((Pick(SEXES), Number(LIFE)), values)


def test_what_was_typed_is_read_into_the_row_as_far_as_it_goes():
    row = (Pick(SEXES), Number(LIFE))
    assert blanks.read(row, "F4") == ("F", "4")
    assert blanks.read(row, "F") == ("F", "")
    assert blanks.read(row, "") == ("", "")
