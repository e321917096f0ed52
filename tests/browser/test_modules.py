"""Units of the site's scripts, each imported by itself on a page that has nothing but a match."""

from pathlib import Path
from uuid import UUID

import pytest
from django.conf import settings

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]

STATIC = Path(settings.BASE_DIR) / "static"
SITE = "http://modules.test"


@pytest.fixture(scope="module")
def page(chromium):
    """A page of a site that has nothing but the static files."""

    def serve(route):
        path = route.request.url.removeprefix(f"{SITE}/")
        if path:
            route.fulfill(path=STATIC / path)
        else:
            route.fulfill(body='<!DOCTYPE html><body id="match">', content_type="text/html")

    context = chromium.new_context(timezone_id="UTC")
    context.route(f"{SITE}/**", serve)
    page = context.new_page()
    page.goto(f"{SITE}/")
    yield page
    context.close()


@pytest.fixture
def call(page):
    """Call a function of a module: ``call("js/site/clocks.js", "formatDuration", 59)``."""
    script = "async ([path, name, given]) => (await import(path))[name](...given)"
    return lambda path, name, *given: page.evaluate(script, [f"/{path}", name, list(given)])


@pytest.fixture
def run(page):
    """Evaluate an expression in which ``m`` is a module."""
    return lambda path, code, given=None: page.evaluate(
        f"async (given) => {{ const m = await import('/{path}'); return ({code}); }}", given
    )


def test_two_fingers_have_a_distance_and_a_middle(call):
    fingers = [{"clientX": 0, "clientY": 10}, {"clientX": 30, "clientY": 50}]
    assert call("js/board/zoom.js", "span", fingers) == [50, 15, 30]


PACKED = """<defs class="marks" data-label="{}, empty" data-link="/?word={}"
  data-places="a1,0,0 b1,24,0"><path d="M0 0"></path></defs>"""


def test_packed_marks_become_anchors(run):
    code = """((svg) => {
      svg.innerHTML = given;
      m.unpack(svg);
      return [...svg.children].map((mark) => [
        mark.localName, mark.dataset.mark, mark.getAttribute("href"),
        mark.getAttribute("aria-label"), mark.getAttribute("transform"), mark.children.length,
      ]);
    })(document.createElementNS("http://www.w3.org/2000/svg", "svg"))"""
    assert run("js/board/marks.js", code, PACKED) == [
        ["a", "a1", "/?word=a1", "a1, empty", "translate(0 0)", 1],
        ["a", "b1", "/?word=b1", "b1, empty", "translate(24 0)", 1],
    ]


SWAP = """((content) => {
  document.body.innerHTML = given.page;
  document.querySelector(given.focus)?.focus();
  document.querySelector(given.focus).value = "half a mo";
  const swapped = m.swap(m.parse(given.answer)).map(([, fresh]) => fresh.id);
  const again = m.swap(m.parse(given.answer)).length;
  const active = document.activeElement;
  const open = document.querySelector("details")?.open;
  const text = document.body.textContent;
  return { swapped, again, open, focus: active.id, value: active.value, text };
})()"""


def test_a_swap_keeps_focus_text_and_open_details(run):
    region = (
        '<section id="entry-{0}" data-region><input type="hidden" name="submission" value="{1}">'
        '{2}<details class="more" {3}><input id="field-{0}"></details></section>'
    )
    found = run(
        "js/net/patches.js",
        SWAP,
        {
            "page": region.format(7, "x", "old", "open"),
            "answer": region.format(7, "y", "new", "") + region.format(8, "y", "other page", ""),
            "focus": "#field-7",
        },
    )
    assert found == {
        "swapped": ["entry-7"],
        "again": 0,
        "open": True,
        "focus": "field-7",
        "value": "half a mo",
        "text": "new",
    }


@pytest.mark.parametrize(
    ("content", "script"),
    [
        ('<script type="module" src="/a.js"></script><script type="module" src="/b.js">', "/a.js"),
        ('<section data-script="/c.js"></section>', "/c.js"),
        ("<p>An error page of a proxy</p>", None),
    ],
)
def test_the_script_that_a_page_or_a_part_was_made_for(page, content, script):
    code = """async (content) => {
      const { parse, scriptOf } = await import("/js/net/patches.js");
      return scriptOf(parse(content)) ?? null;
    }"""
    assert page.evaluate(code, content) == script


def test_a_pushed_form_gets_an_id_that_no_plan_has(run):
    code = """[...m.complete({ html: given, version: 1 }, "/").querySelectorAll("input")]
      .map((input) => input.value)"""
    forms = '<input type="hidden" name="submission">' * 64
    ids = [UUID(one) for one in run("js/net/patches.js", code, forms)]
    assert {one.version for one in ids} == {4}
    assert len(set(ids)) == len(ids)


def test_a_piece_that_leaves_is_gone_from_the_board_afterwards(run):
    """What stays there would leave once more with each later step."""
    code = """(async ([was, now]) => {
      document.body.innerHTML = was + now;
      const [old, fresh] = document.querySelectorAll("svg");
      const running = m.animate(old, fresh);
      const during = fresh.querySelectorAll(".piece").length;
      running.forEach((animation) => animation.finish());
      await Promise.all(running.map(({ finished }) => finished));
      return [during, fresh.querySelectorAll(".piece").length];
    })(given)"""
    square = '<rect width="10" height="10"/>'
    piece = '<circle class="piece" r="4"/>'
    drawings = [f'<svg><g data-at="a1">{square}{shown}</g></svg>' for shown in (piece, "")]
    assert run("js/board/animation.js", code, drawings) == [1, 0]


def test_a_piece_that_is_placed_on_a_stack_falls_though_the_stack_looks_as_before(run):
    code = """(([was, now]) => {
      document.body.innerHTML = was + now;
      const [old, fresh] = document.querySelectorAll("svg");
      const animations = m.animate(old, fresh);
      return animations.map(({ effect }) => [effect.target.id, effect.getTiming().duration]);
    })(given)"""
    square = '<rect width="10" height="10"/>'
    stack = '<use id="low" class="stacked"/><use id="top" class="stacked"/>'
    drawings = [
        f'<svg><g data-at="a1">{square}{stack}<text id="number">{height}</text></g>{more}</svg>'
        for height, more in ((6, ""), (7, '<g data-placed="a1"></g>'))
    ]
    assert run("js/board/animation.js", code, drawings) == [["number", 300], ["top", 400]]


def test_a_piece_that_moves_is_above_all_squares_and_its_highlight_stays(run):
    """A square that is drawn later would hide it on the way."""
    code = """(([was, now]) => {
      document.body.innerHTML = was + now;
      const [old, fresh] = document.querySelectorAll("svg");
      const moved = m.animate(old, fresh)
        .filter(({ effect }) => effect.getKeyframes().some(({ translate }) => translate))
        .map(({ effect }) => effect.target.getAttribute("class"));
      const order = [...fresh.querySelectorAll("[data-at]")].map(({ dataset }) => dataset.at);
      return [moved, order];
    })(given)"""
    square = '<rect width="10" height="10"/>'
    piece = '<g class="piece"><circle r="4"/></g>'
    highlight = '<rect class="last-move" width="9" height="9"/>'

    def drawing(a1, b1, more=""):
        marks = f'<g data-at="a1">{square}{a1}</g><g data-at="b1">{square}{b1}</g>'
        return f"<svg><g>{marks}</g>{more}</svg>"

    drawings = [drawing("", piece), drawing(highlight + piece, "", '<g data-moves="b1&gt;a1"></g>')]
    assert run("js/board/animation.js", code, drawings) == [["piece"], ["b1", "a1"]]


def test_what_shows_the_last_move_waits_for_a_piece_that_walks_a_long_way(run):
    """A question in the middle of the board would else come before the end of the walk."""
    code = """(([was, now]) => {
      document.body.innerHTML = was + now;
      const [old, fresh] = document.querySelectorAll("svg");
      const timing = (kind) => m.animate(old, fresh)
        .find(({ effect }) => effect.target.matches(kind)).effect.getTiming();
      return [timing("[data-piece]").duration, timing(".last-move").delay];
    })(given)"""
    way = [f"{name} {at} 0" for at, name in enumerate("abcdefgh")]
    walked = ("a 0 0", ";".join(way))
    drawings = [
        f'<svg><g data-piece="red" data-way="{stops}"></g><g class="last-move"></g></svg>'
        for stops in walked
    ]
    assert run("js/board/animation.js", code, drawings) == [910, 910]
