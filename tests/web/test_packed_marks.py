"""Crowds of links: written in little, and the same marks all the same."""

import re
from html import unescape

from games.kernel import svg, svg_writer
from games.screen import packed_marks

SIDE = 24


def board():
    """A wide board of empty squares, a stone on two of them."""
    names = [f"{column}x{row}" for row in range(SIDE) for column in range(SIDE)]
    squares = [square(name) for name in names]
    return svg.Drawing(SIDE, SIDE, (svg.group(*squares), svg.mark("off", "off")), "Empty")


def square(name):
    at = tuple(map(int, name.split("x")))
    if name in ("3x0", "7x5"):
        return svg.mark(name, f"{name}, a stone", svg.circle(*at, 1), at=at)
    return svg.mark(name, f"{name}, empty", svg.rect(*at, 1, 1), at=at, is_hidden=True)


def links(names):
    return {name: f'/?word="place"&word={name}' for name in names}


def everything():
    return links(name for name, _ in svg.marks_of(board()))


def unpacked(text):
    """What the script makes of runs: label, link and middle of every mark by name."""
    found = {}
    runs = re.findall(
        r'<defs class="marks" data-label="(.*?)" data-link="(.*?)" data-places="(.*?)">'
        r'<rect x="(\d+)" y="(\d+)"',
        text,
    )
    for label, link, places, x, y in runs:
        for place in places.split(" "):
            name, right, down = place.split(",")
            middle = (int(x) + int(right), int(y) + int(down))
            found[name] = label.replace("{}", name), unescape(link).replace("{}", name), middle
    return found


def test_few_links_are_written_as_they_are():
    few = links(f"{column}x1" for column in range(SIDE))
    assert packed_marks.pack(board(), few) == board()
    assert svg_writer.render(packed_marks.pack(board(), few), links=few).count("<a ") == SIDE


def test_a_crowd_is_written_in_runs_that_lose_nothing():
    wanted = everything()
    text = svg_writer.render(packed_marks.pack(board(), wanted), links=wanted)
    found = unpacked(text)
    assert found.keys() == wanted.keys() - {"3x0", "7x5", "off"}
    for name, (label, link, middle) in found.items():
        assert (label, link) == (f"{name}, empty", wanted[name])
        assert f"{middle[0]}x{middle[1]}" == name


def test_what_stands_in_a_crowd_keeps_its_place_among_them():
    wanted = everything()
    text = svg_writer.render(packed_marks.pack(board(), wanted), links=wanted)
    assert text.count("<a ") == 3
    order = [text.index(part) for part in ("2x0,", 'data-mark="3x0"', "4x0,", 'data-mark="7x5"')]
    assert order == sorted(order)


def test_a_mark_without_a_link_stays_away():
    wanted = everything()
    del wanted["9x9"]
    found = unpacked(svg_writer.render(packed_marks.pack(board(), wanted), links=wanted))
    assert "9x9" not in found
    assert "8x9" in found


def test_links_that_end_otherwise_have_runs_of_their_own():
    wanted = {name: link + "+" * (name == "5x5") for name, link in everything().items()}
    found = unpacked(svg_writer.render(packed_marks.pack(board(), wanted), links=wanted))
    assert {name: link for name, (_, link, _) in found.items()}.items() <= wanted.items()
    assert found["5x5"][1].endswith("+")
    assert found["6x5"][1].endswith("6x5")
