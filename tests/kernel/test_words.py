"""Sentences about seats, and chances in words."""

from fractions import Fraction

import pytest

from games.kernel.contract import Colour, Seat
from games.kernel.narration import Names, third_person
from games.kernel.odds import chance_to_beat, in_words

NAMES = Names((Colour("Red", "r"), Colour("Blue", "b")), Seat(1))
D6 = 6


def test_a_reader_is_you_and_the_others_have_names():
    assert NAMES.does(0, "place") == "Red places"
    assert NAMES.does(1, "place") == "You place"
    assert NAMES.clause(1, "have") == "you have"
    assert NAMES.together((0, 1)) == "you and Red"
    assert (NAMES.possessive(0), NAMES.possessive(1)) == ("Red’s", "your")


@pytest.mark.parametrize(
    ("verb", "told"),
    [("go", "goes"), ("are", "is"), ("have", "has"), ("carry", "carries"), ("stay", "stays")],
)
def test_verbs_follow_names(verb, told):
    assert third_person(verb) == told


@pytest.mark.parametrize(
    ("own", "other", "rolls_again", "chance"),
    [
        ((D6,) * 3, (D6,) * 3, True, Fraction(1, 2)),
        ((D6,), (D6,) * 3, True, Fraction(15, 1276)),
        ((12,), (12,), False, Fraction(66, 144)),
        ((), (D6,), True, Fraction(0)),
    ],
)
def test_chances_are_exact(own, other, rolls_again, chance):
    assert chance_to_beat(own, other, rolls_again=rolls_again) == chance


@pytest.mark.parametrize(
    ("chance", "told"),
    [
        (Fraction(0), "never"),
        (Fraction(1, 2), "1 in 2"),
        (chance_to_beat((D6,) * 2, (D6,) * 3, rolls_again=True), "about 1 in 6"),
        (Fraction(15, 1276), "about 1 in 85"),
        (Fraction(1261, 1276), "about 84 in 85"),
        (Fraction(1), "always"),
    ],
)
def test_chances_are_told_as_players_say_them(chance, told):
    assert in_words(chance) == told
