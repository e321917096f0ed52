"""What was sent, as errors repeat it."""

import pytest

from games.kernel.errors import quoted


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("c4", "'c4'"),
        (None, "null"),
        (True, "true"),
        ([1, None], "[1, null]"),
        ("\ud800", r"'\ud800'"),
        ("a" * 80, f"'{'a' * 80}'"),
        ("a" * 81, f"'{'a' * 79}…'"),
        ([1] * 200, f"[{'1, ' * 26}…"),
        (10**100, f"1{'0' * 78}…"),
    ],
)
def test_what_was_sent_is_repeated_as_it_was_written_and_cut(value, words):
    assert quoted(value) == words
