"""Move entry of placements: with the sex first or the square first, by text or by form."""

import pytest
from msgspec import structs

from games.kernel.dice import no_dice
from games.kernel.errors import MalformedMove
from games.kernel.options import Span, fill
from games.kernel.params import complete
from games.titles.grim_reaper import TITLE

START = TITLE.setup(2, complete(TITLE.meta, {}), no_dice())

ONE_LINE = 32
"""The characters beside "Your turn" on a desktop. A form covers all further lines of a prompt."""


def options(typed, state=START):
    return TITLE.options(state, state.mover, typed)


def offered(typed):
    return [choice.text for choice in options(typed).next if not isinstance(choice, Span)]


@pytest.mark.parametrize("typed", ["M", "m", "F", "f", "a1:M", "a1:f"])
def test_life_turns_have_a_form_field_wherever_they_are_asked_for(typed):
    found = options(typed)
    spans = [choice for choice in found.next if isinstance(choice, Span)]
    assert [(span.low, span.high) for span in spans] == [(1, 10)]
    assert [fill(form, ["7"]) for form in found.forms] == ["7"]


def test_a_pass_says_why_there_is_nothing_else_to_do():
    state, _ = TITLE.play(START, START.mover, TITLE.parse("M4b2"), no_dice())
    state, _ = TITLE.play(state, state.mover, TITLE.parse("M4e5"), no_dice())
    (word,) = TITLE.options(state, state.mover, "").next
    assert word.label == "No births possible. Pass"
    assert (
        TITLE.phrase(TITLE.parse("pass"), TITLE.view(state, state.mover), state.mover, state.mover)
        == word.label
    )


def test_a_square_asks_for_sex_and_life_turns_in_one_form():
    found = options("c3:")
    (form,) = found.forms
    assert fill(form, ["F", "4"]) == "F4"
    assert len(found.prompt) <= ONE_LINE
    assert options("c3:F4").complete


def explain(typed, mark, state=START):
    return TITLE.explain(state, state.mover, typed, mark)


def played(*texts):
    state = START
    for text in texts:
        state, _ = TITLE.play(state, state.mover, TITLE.parse(text), no_dice())
    return state


def test_a_mark_that_leads_nowhere_is_explained():
    state = played("M10a1", "M10b2", "pass", "pass")
    assert explain("", "a1", state) == "The piece on a1 is Red’s."
    assert explain("", "c3", state) == "Your reserve is empty, so you can’t place a piece."
    told = "f6 is out of reach: a piece goes one or two steps, and only over vacant squares."
    assert explain("b2-", "f6", state) == told
    assert explain("b2-", "a1", state) == "a1 is taken."


def test_a_piece_that_is_shut_in_is_explained():
    taken = dict.fromkeys(("a1", "a2", "b1", "b2"), "rM3")
    data = TITLE.dump(START) | {"pieces": taken}
    state = TITLE.load(data, 2, complete(TITLE.meta, {}))
    assert explain("", "a1", state) == (
        "Your piece on a1 can’t move: there is no vacant square beside it."
    )


def test_births_say_why_a_square_is_none_for_them():
    state = played("M1a1", "M1f6")
    assert state.is_birth
    assert explain("", "c3", state) == "c3 isn’t exactly between a male and a female of yours."


def test_a_small_f_is_a_sex_or_a_column_a_capital_one_a_sex():
    assert offered("f") == ["1:", "2:", "3:", "4:", "5:", "6:"]
    assert offered("F") == []
    assert "f6" in offered("F1")
    assert "6" in offered("f1f")
    assert offered("f1:") == ["M", "F"]


@pytest.mark.parametrize("typed", ["x", "M11", "M11a1", "a1:M11", "g1:", "a1-", "+", "pass", "Mf"])
def test_what_begins_no_legal_move(typed):
    with pytest.raises(MalformedMove, match="No move begins with"):
        options(typed)


def test_a_square_begins_no_placement_without_a_piece_in_the_reserve():
    moved, _ = TITLE.play(START, START.mover, TITLE.parse("M5a1"), no_dice())
    empty = structs.replace(moved, reserves=(0, 0), turn_number=1, step=0)
    assert options("a1-", empty).next
    with pytest.raises(MalformedMove, match="No move begins with"):
        options("c3:", empty)


def test_nothing_is_offered_to_who_is_not_asked():
    assert TITLE.options(START, 1, "").next == ()
    with pytest.raises(MalformedMove):
        TITLE.options(START, 1, "M1a1")


def test_a_square_two_steps_away_is_offered_with_those_in_between():
    moved, _ = TITLE.play(START, START.mover, TITLE.parse("M5a1"), no_dice())
    state = structs.replace(moved, reserves=(0, 0), turn_number=1, step=0)
    assert [choice.label for choice in options("a1-", state).next] == [
        "a2",
        "a3, via a2 or b2",
        "b1",
        "b2",
        "b3, via a2 or b2",
        "c1, via b1 or b2",
        "c2, via b1 or b2",
        "c3, via b2",
    ]


def test_what_leads_nowhere_in_births_is_explained():
    state = played("M1a1", "M1f6")
    assert explain("", "a1", state) == "a1 is taken."
