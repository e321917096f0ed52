"""Form fields of move entry: what is asked for together, and what was filled in."""

import pytest

from games.kernel import options
from games.kernel.encoding import offered
from games.kernel.errors import MalformedMove
from games.kernel.options import Choice, ChoiceField, NumberField, Span

LIFE = Span(1, 6, 1, "{:.0f}", "Life turns")
PLACE = Span(-30.0, 30.0, 0.1, "{:+.1f}", "Millimetres")
TILT = Span(-20, 20, 1, " {:+.0f}", "Degrees")
SEXES = (Choice("M", "A male"), Choice("F", "A female"))


def test_two_numbers_are_filled_in_together():
    group = (NumberField(PLACE), NumberField(TILT))
    assert options.fill(group, ["1.52", "-3"]) == "+1.5 -3"
    assert options.values(group, "+1.5 -3") == ("1.5", "-3")


def test_a_number_is_the_nearest_of_its_range():
    assert NumberField(LIFE).text("2.4") == "2"
    assert NumberField(PLACE).text("-29.96") == "-30.0"


@pytest.mark.parametrize("values", [("M",), ("M", "3", "4"), ("m", "3"), ("M", "7"), ("M", "nan")])
def test_what_does_not_fit_is_refused(values):
    with pytest.raises(MalformedMove):
        options.fill((ChoiceField(SEXES), NumberField(LIFE)), values)


def test_what_was_typed_is_read_into_the_group_as_far_as_it_goes():
    group = (ChoiceField(SEXES), NumberField(LIFE))
    assert options.values(group, "F4") == ("F", "4")
    assert options.values(group, "F") == ("F", "")
    assert options.values(group, "") == ("", "")


def test_few_numbers_are_chosen_by_buttons_and_many_filled_in():
    twelve, thirteen = (Span(1, most, 1, "{:.0f}", "Life turns") for most in (12, 13))
    chosen = [choice.text for choice in NumberField(twelve).choices]
    assert chosen == [str(number) for number in range(1, 13)]
    assert [NumberField(twelve).text(text) for text in chosen] == chosen
    assert NumberField(thirteen).choices == ()
    assert NumberField(PLACE).choices == ()


@pytest.mark.parametrize("template", ["{}", "{:>5.1f}", "{0:d}", "{:.2e}", "{:d}{:d}", "", "1"])
def test_a_format_that_programs_cannot_read_is_refused(template):
    with pytest.raises(ValueError, match="is no format"):
        Span(0, 10, 1, template, "How many?")


@pytest.mark.parametrize(
    ("span", "examples"),
    [
        (Span(-3.0, 3.0, 0.1, " {:+.1f}", "Where?"), [" -3.0", " +0.0", " +3.0"]),
        (Span(-20, 20, 1, "{:+d}", "How steep?"), ["-20", "+0", "+20"]),
        (Span(1, 4, 1, "{:.0f}", "How many?"), ["1", "3", "4"]),
        (Span(1, 1, 1, "{:d} times", "How often?"), ["1 times", "1 times", "1 times"]),
    ],
)
def test_examples_are_numbers_as_they_are_typed(span, examples):
    assert offered(span)["examples"] == examples
