"""English that several games have in common."""

import pytest

from games.kernel.formatting import listed, sentence


@pytest.mark.parametrize(
    ("names", "text"),
    [([], ""), (["a2"], "a2"), (["a2", "a4"], "a2 or a4"), (["a2", "a4", "e4"], "a2, a4 or e4")],
)
def test_names_are_listed(names, text):
    assert listed(names, "or") == text


def test_a_sentence_begins_with_a_capital():
    assert sentence("north-east") == "North-east"
    assert sentence("") == ""
