"""Moves of several forms: the form that fits reads the text, and the rest is refused."""

import re

import pytest

from games.kernel.errors import MalformedMove
from games.kernel.move_patterns import MovePatterns, parse_move


def _throw(found):
    if found[1] == found[2]:
        raise ValueError("one number is named twice.")
    return int(found[1]), int(found[2])


FORMS: MovePatterns[tuple[int, ...]] = {
    re.compile("pass"): lambda _: (),
    re.compile("throw([0-9]) ?([0-9])"): _throw,
}


def read(text):
    return parse_move(text, FORMS, "throw 1 2 throws.")


def test_blanks_and_case_do_not_matter():
    assert read(" Pass ") == ()
    assert read("THROW 1 2") == (1, 2)


@pytest.mark.parametrize("text", ["", "throw 1", "throw 1 2 3", "a pass"])
def test_a_text_of_no_form_is_told_what_there_is(text):
    with pytest.raises(MalformedMove) as refused:
        read(f"{text} ")
    assert str(refused.value) == f"{text!r} is no move. throw 1 2 throws."


def test_a_form_may_refuse_what_it_reads():
    with pytest.raises(MalformedMove) as refused:
        read(" Throw 3 3")
    assert str(refused.value) == "'Throw 3 3' is no move: one number is named twice."
