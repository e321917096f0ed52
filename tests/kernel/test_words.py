"""Sentences about seats, and chances in words."""

from fractions import Fraction

import pytest

from games.kernel.contract import Achievement, Colour, Seat
from games.kernel.narration import Names
from games.kernel.odds import chance_to_beat, in_words

NAMES = Names((Colour("Red", "r"), Colour("Blue", "b")), Seat(1))
D6 = 6


def test_a_reader_is_you_and_the_others_have_names():
    assert NAMES.tell(0, "You place.", "{player} places.") == "Red places."
    assert NAMES.tell(1, "You place.", "{player} places.") == "You place."
    assert NAMES.together((0, 1)) == "you and Red"


def test_what_one_seat_does_to_another_is_told_to_both_and_to_others():
    messages = ("You beat {other}.", "{player} beats you.", "{player} beats {other}.")
    names = Names((*NAMES.colours, Colour("Green", "g")), Seat(1))
    assert names.tell_of_two(1, 2, *messages) == "You beat Green."
    assert names.tell_of_two(0, 1, *messages) == "Red beats you."
    assert names.tell_of_two(0, 2, *messages) == "Red beats Green."


def test_the_numbers_of_an_achievement_stand_in_its_sentence():
    one = Achievement("many", "Many", "Finished {count} matches.", bool, {"count": 1000})
    assert (one.shown_name, one.shown_sentence) == ("Many", "Finished 1,000 matches.")


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
