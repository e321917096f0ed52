"""What is sent of HTML to whoever holds the HTML before it."""

import random

import pytest

from games.live.deltas import CUT, Text, changes


def put_together(texts, message):
    """Return the HTML of a message, and note it, as the script of a page does (live.js)."""
    html = message.get("html")
    if html is None:
        held = [piece for text in texts for piece in text]
        parts = [
            [part] if isinstance(part, str) else held[slice(*part)] for part in message["changes"]
        ]
        html = CUT.join(piece for part in parts for piece in part)
    texts[:] = [html.split(CUT), *texts[:1]]
    return html


def sent(new, *held):
    """Return what is sent of a text, checked to lead to it."""
    found = changes(Text.of(new), *map(Text.of, held))
    assert put_together([text.split(CUT) for text in held], {"changes": found}) == new
    return found


ROWS = [f"<li>{number}</li><i>x</i>" for number in range(20)]


def test_what_stays_is_not_sent():
    old = "".join(ROWS)
    assert sent(old, old) == [[0, 41]]
    new = "".join([*ROWS[:7], "<li>new</li><i>x</i>", *ROWS[8:]])
    assert sent(new, old) == [[0, 14], "i><li>new", [15, 41]]


def test_rows_that_are_put_before_others_move_them():
    old = "".join(ROWS)
    found = sent("<li>new</li><i>x</i>" + old, old)
    assert [part for part in found if isinstance(part, str)] == ["<li>new", "i><li>0"]


def test_what_comes_again_after_two_moves_is_not_sent():
    old, older = "".join(ROWS), "".join(ROWS).replace("<li>", "<li class=mine>")
    assert sent(older, old, older) == [[41, 82]]


@pytest.mark.parametrize("old", ["", "<b>a</b>"])
def test_of_another_text_all_is_sent(old):
    assert sent("<p>x</p>", old) == ["<p>x", "p>"]


def test_any_text_follows_from_any_others():
    rng = random.Random(5)
    for _ in range(300):
        sent(*("".join(rng.choices("ab</", k=rng.randrange(30))) for _ in range(3)))
