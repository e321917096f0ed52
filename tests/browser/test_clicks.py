"""A click in the middle of what may be chosen hits it, whatever is drawn above: in every game."""

import random
from pathlib import Path

import pytest

from games.kernel import registry, svg, svg_writer
from games.kernel.options import Choice
from games.kernel.palettes import PALETTES
from tests.contract.random_play import continuations, matches
from tests.sampling import rest_thorough

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

POSITIONS = (10, 40)
"""Numbers of positions of a game that are looked at, each on the way through a random move."""

MOMENTS = 20
"""From so many moments of each match they are taken."""

STYLES = sorted((Path(__file__).parents[2] / "static/css/match").glob("*.css"))
"""The style sheets of a match page that say what takes clicks."""

FILL = ".match-board svg { position: fixed; inset: 0; width: 100%; height: 100% }"

HITS = """([picture, marks]) => {
  const board = document.querySelector(".match-board");
  board.innerHTML = picture;
  const drawing = board.querySelector("svg");
  if (drawing.getBoundingClientRect().bottom > innerHeight) throw new Error("The board is cut.");
  const toPage = drawing.getScreenCTM();
  const hit = ({ x, y }) =>
    document.elementFromPoint(x, y)?.closest("a.mark")?.dataset.mark ?? "";
  return marks.flatMap(([name, at]) => {
    const mark = board.querySelector(`[data-mark="${CSS.escape(name)}"]`);
    const box = mark.getBoundingClientRect();
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const there = document.elementsFromPoint(middle.x, middle.y);
    const hits = there.some((element) => mark.contains(element)) ? [hit(middle)] : [];
    if (at) hits.push(hit(new DOMPoint(...at).matrixTransform(toPage)));
    return hits.map((one) => [name, one]);
  });
}"""
"""Pairs of a mark and what clicks hit, empty where they lead nowhere: in the middle of the shape,
but where it is a frame around others, and at the point that stands for it."""


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page(viewport={"width": 1200, "height": 1200})
    page.set_content('<main class="match-board"></main>')
    for style in (*(sheet.read_text() for sheet in STYLES), FILL):
        page.add_style_tag(content=style)
    yield page
    page.close()


@pytest.mark.parametrize("positions", rest_thorough(POSITIONS))
@pytest.mark.parametrize("slug", registry.titles())
def test_a_click_in_the_middle_of_a_choice_hits_it(page, slug, positions):
    rng, clicks, missed = random.Random(9), 0, set()
    found = [
        (record, number, moment, seat)
        for record in matches(slug)
        for number, moment in record.some_moments(MOMENTS)
        for seat in record.title.actors(moment.state)
    ]
    for record, number, moment, seat in rng.sample(found, min(positions, len(found))):
        for typed, drawing, offered, before in entry(record.title, moment, seat, rng):
            for pair in clicked(page, drawing, offered, before):
                clicks += 1
                if pair[1] not in standing_on(drawing, pair[0]):
                    missed.add((str(record.params), number, typed, *pair))
    assert clicks
    assert not missed


def entry(title, moment, seat, rng):
    """Enter a move at random; yield the text before each word, the drawing that goes with it, how
    often each mark is on offer, and which marks were offered before."""
    events = tuple(event.seen_by(seat) for event in moment.events)
    bare, typed, before = title.view(moment.state, seat), "", set()
    while True:
        options = title.options(moment.state, seat, typed)
        drawing = title.draw(options.view or bare, () if options.view else events)
        marks = [mark for one in options.next if isinstance(one, Choice) for mark in one.marks]
        offered = {mark: marks.count(mark) for mark in marks}
        yield typed, drawing, offered, before
        if not options.next:
            return
        before = before | offered.keys()
        typed += rng.choice(list(continuations(options, rng)))


def clicked(page, drawing, offered, before):
    """Return what clicks hit: on the marks on offer, and on those shown once a mark is opened."""
    layers = {mark.layer for mark in marks_in(drawing.children) if mark.name in offered} - {""}
    found = []
    for layer in ("", *sorted(name for name in layers if offered.get(name, 0) > 1)):
        picture = svg_writer.render(
            drawing,
            PALETTES["light"],
            links=dict.fromkeys(offered | dict.fromkeys(before), "#"),
            alternatives=before - offered.keys(),
            opened={layer},
        )
        wanted = [
            (mark.name, mark.at)
            for mark in marks_in(drawing.children)
            if mark.name in offered and mark.layer == layer
        ]
        found += page.evaluate(HITS, [picture, wanted])
    return found


def standing_on(drawing, name):
    """Return a mark and those that stand on it by declaration."""
    return {name, *(mark.name for mark in marks_in(drawing.children) if mark.on == name)}


def marks_in(nodes):
    """Yield the marks of a drawing."""
    for node in nodes:
        if isinstance(node, svg.Mark):
            yield node
        if not isinstance(node, str):
            yield from marks_in(node.children)
