"""Completion of short lists: what is typed plus what is added is a whole move."""

import pytest

from games.kernel.completion import complete, folded
from games.kernel.errors import MalformedMove

TEXTS = ["c1", "c10", "d2", "attack rS1 bM2", "pass"]


def added(typed, texts=TEXTS):
    return [choice.text for choice in complete(texts, typed).next]


def test_nothing_typed_offers_everything():
    assert added("") == TEXTS
    assert added("  ") == TEXTS


def test_a_beginning_is_completed():
    assert added("c") == ["1", "10"]
    assert added("  C ") == ["1", "10"]
    assert added("Attack R s1") == [" bM2"]
    assert added("attack ") == ["rS1 bM2"]


def test_a_whole_move_may_go_on():
    options = complete(TEXTS, "c1")
    assert options.complete
    assert [choice.text for choice in options.next] == ["0"]
    options = complete(TEXTS, " P ass ")
    assert options.complete
    assert options.next == ()


def test_a_blank_between_digits_ends_a_number():
    texts = ["c1", "c10", "attack rS1 bM2 7H"]
    assert added("c1 ", texts) == []
    assert added("attack rS1 bM2 ", texts) == ["7H"]
    assert added("attack rS1 bM2", texts) == [" 7H"]
    assert folded(" C1  0 Kk d 2 ") == "c1 0kkd2"
    with pytest.raises(MalformedMove):
        complete(texts, "c1 0")


def test_the_sign_of_the_kelvin_is_no_letter():
    with pytest.raises(MalformedMove):
        complete(["king"], "\N{KELVIN SIGN}ing")


def test_choices_are_labelled_and_marked_by_the_whole_move():
    options = complete(["c1"], "c", prompt="Where?")
    (choice,) = options.next
    assert (choice.text, choice.label, choice.marks) == ("1", "c1", ("c1",))
    assert options.prompt == "Where?"
    assert not options.complete


@pytest.mark.parametrize("typed", ["x", "c2", "passs", "c1 0 0", "☃", "\x00"])
def test_what_begins_no_move_is_refused_with_the_words(typed):
    with pytest.raises(MalformedMove, match="No move begins with"):
        complete(TEXTS, typed)


def test_no_moves_at_all():
    options = complete([], "")
    assert (options.complete, options.next) == (False, ())
    with pytest.raises(MalformedMove):
        complete([], "c")
