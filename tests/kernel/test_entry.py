"""Trees of words: what is typed follows them, and what is added goes on to a move."""

import pytest

from games.kernel.entry import Word, follow
from games.kernel.options import Choice, NumberField, Span
from games.kernel.views import View

SQUARES = ("c1", "c10", "d2")
LIFE = Span(1, 10, 1, "{:.0f}", "Life turns")


class Board(View, frozen=True):
    """What a board shows."""

    chosen: str


def squares(_typed):
    for name in SQUARES:
        yield Word(name, f"To {name}", (name,), forecast=f"{name} is safe.")


def pairs(_typed):
    yield Word("c1", "From c1", ("c1",), lambda _: [Word(",d2", "To d2", ("d2",))])
    yield Word("c10", "From c10", ("c10",))


def lives(_typed):
    yield LIFE
    for life in range(1, 11):
        yield Word(str(life), more=squares, is_offered=False)


WORDS = [
    Word("place ", "Place", ("stock",), squares, "Where?", show=lambda: Board("stock")),
    Word("F", more=lives, prompt="How old?", is_offered=False),
    Word("f1:", "On f1", ("f1",), lambda _: [Word("M", "A male"), Word("F", "A female")]),
    Word("join ", "Join", (), pairs),
    Word("end", "End your turn"),
]


def ask(typed, *, is_complete=False):
    return follow(WORDS, typed, "What?", is_complete=is_complete)


def texts(typed, *, is_complete=False):
    offers = ask(typed, is_complete=is_complete).next
    return [offer.text for offer in offers if isinstance(offer, Choice)]


@pytest.mark.parametrize("typed", ["", "  "])
def test_first_words_are_offered_with_their_question(typed):
    assert texts(typed) == ["place ", "f1:", "join ", "end"]
    assert ask(typed).prompt == "What?"
    assert ask(typed).view is None


def test_a_word_is_completed():
    assert texts("pl") == ["ace "]
    assert texts(" EN") == ["d"]
    assert ask("pl").prompt == "What?"


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("place ", ["c1", "c10", "d2"]),
        ("place", [" c1", " c10", " d2"]),
        ("Place C", ["1", "10"]),
        ("placed", ["2"]),
        ("pl ace  d", ["2"]),
    ],
)
def test_words_follow_a_whole_word_with_the_blank_between_them(typed, offered):
    assert texts(typed) == offered
    assert ask(typed).prompt == "Where?"
    assert ask(typed).view == Board("stock")


def test_what_is_added_to_what_is_typed_is_a_beginning_of_a_move():
    assert ask("place").next[0] == Choice(" c1", "To c1", ("c1",))


def test_a_last_word_has_its_forecast_and_asks_for_nothing():
    options = ask("place d2", is_complete=True)
    assert (options.complete, options.next, options.prompt) == (True, (), "")
    assert options.forecast == "d2 is safe."


def test_a_number_is_made_longer_only_where_it_leads_nowhere():
    assert texts("place c1", is_complete=True) == []
    assert texts("place c1") == ["0"]
    assert texts("join c1") == [",d2"]
    assert texts("place c1 ") == []


def test_a_span_offers_numbers_that_may_be_typed():
    options = ask("F ")
    assert options.next[0] == LIFE
    assert options.prompt == "How old?"
    assert options.forms == ((NumberField(LIFE),),)
    assert texts("F10") == ["c1", "c10", "d2"]
    assert texts("F 10 d") == ["2"]
    assert texts("F11") == []


def test_a_text_of_two_readings_goes_on_in_both():
    assert ask("f").next == (LIFE, Choice("1:", "On f1", ("f1",)))
    assert texts("f1") == ["c1", "c10", "d2", ":"]
    assert texts("f1:") == ["M", "F"]


@pytest.mark.parametrize("typed", ["x", "placex", "place c1 0", "end ends", "\N{KELVIN SIGN}"])
def test_what_follows_no_word_is_offered_nothing(typed):
    assert ask(typed).next == ()
