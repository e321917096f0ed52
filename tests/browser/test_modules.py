"""Units of the site's scripts, each imported by itself on an empty page."""

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
            route.fulfill(body="<!DOCTYPE html><body>", content_type="text/html")

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


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (-1, "0 s"),
        (0.9, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (3600, "1 h 00 min"),
        (5 * 3600 + 7 * 60 + 59, "5 h 07 min"),
        (86_399, "23 h 59 min"),
        (86_400, "1 d 00 h"),
        (2 * 86_400 + 11 * 3600, "2 d 11 h"),
    ],
)
def test_a_clock_in_words(call, seconds, text):
    assert call("js/site/clocks.js", "formatDuration", seconds) == text


@pytest.mark.parametrize(
    ("left", "text", "classes"),
    [
        (0, "out of time", "clock-out"),
        (1, "1 s", "clock-short"),
        (6 * 3600 - 1, "5 h 59 min", "clock-short"),
        (6 * 3600, "6 h 00 min", ""),
    ],
)
def test_a_clock_that_runs_short(run, left, text, classes):
    code = """((clock) => {
      clock.dateTime = new Date(given).toISOString();
      m.showClock(clock, 0);
      return [clock.textContent, clock.className];
    })(document.createElement("time"))"""
    assert run("js/site/clocks.js", code, left * 1000) == [text, classes]


@pytest.mark.parametrize(
    ("now", "text", "classes"),
    [
        (0, "2 d 00 h", ""),
        (30 * 3600, "1 d 00 h", "clock-still"),
        (71 * 3600, "1 h 00 min", "clock-short"),
    ],
)
def test_a_clock_stands_still_in_pauses(run, now, text, classes):
    """A day in the middle of three does not count."""
    code = """((clock) => {
      clock.dateTime = new Date(72 * 3600_000).toISOString();
      clock.dataset.pauses = `${24 * 3600}/${48 * 3600}`;
      m.showClock(clock, given);
      return [clock.textContent, clock.className];
    })(document.createElement("time"))"""
    assert run("js/site/clocks.js", code, now * 1000) == [text, classes]


def test_pauses_between_attempts_double_up_to_half_a_minute(run):
    code = "((b) => Array.from({ length: 7 }, () => b.afterFailure()))(new m.Backoff(() => given))"
    longest = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]
    assert run("js/net/socket.js", code, 1) == longest
    assert run("js/net/socket.js", code, 0) == [pause / 2 for pause in longest]


def test_after_a_cut_pages_come_back_spread_over_ten_seconds(run):
    assert run("js/net/socket.js", "new m.Backoff(() => 0).afterCut()") == 0
    assert run("js/net/socket.js", "new m.Backoff(() => 0.999).afterCut()") == 9_990


def test_pauses_start_again_after_a_connection_that_worked(run):
    code = "((b) => [b.afterFailure(), b.afterFailure(), b.reset(), b.afterFailure()])"
    code += "(new m.Backoff(() => 1))"
    assert run("js/net/socket.js", code)[::3] == [1_000, 1_000]


@pytest.mark.parametrize(
    ("header", "wait"),
    [
        (None, 0),
        ("", 0),
        ("soon", 0),
        ("0", 0),
        ("7", 7_000),
        ("Thu, 01 Jan 1970 00:00:12 GMT", 2_000),
        ("Thu, 01 Jan 1970 00:00:05 GMT", 0),
    ],
)
def test_how_long_an_answer_asks_to_wait(call, header, wait):
    assert call("js/net/sending.js", "retryAfter", header, 10_000) == wait


@pytest.mark.parametrize(
    ("typed", "folded"), [("", ""), ("Place C3", "placec3"), (" a\t1 -\n B2", "a1-b2")]
)
def test_what_is_compared_of_a_typed_text(call, typed, folded):
    assert call("js/match/typing.js", "fold", typed) == folded


def test_two_fingers_have_a_distance_and_a_middle(call):
    fingers = [{"clientX": 0, "clientY": 10}, {"clientX": 30, "clientY": 50}]
    assert call("js/board/view.js", "span", fingers) == [50, 15, 30]


STOPS = ["a1 0 0", "a2 0 24", "b2 24 24"]


@pytest.mark.parametrize(
    ("old", "fresh", "stops"),
    [
        (STOPS[:2], STOPS, STOPS[1:]),
        (STOPS, STOPS[:2], ["b2 24 24", "a2 0 24"]),
        (STOPS[:1], STOPS, STOPS),
        (STOPS, STOPS[:1], STOPS[::-1]),
        (STOPS, STOPS, STOPS[2:]),
        (["c3 9 9"], ["a1 0 0"], []),
    ],
    ids=["on", "back", "from a place", "to where it came from", "nowhere", "another way"],
)
def test_the_way_from_where_a_part_was_to_where_it_is(call, old, fresh, stops):
    assert call("js/board/motion.js", "between", old, fresh) == stops


def test_bytes_and_their_hexadecimal_text(run):
    assert run("js/net/bytes.js", "m.hex(m.fromHex('00ff10'))") == "00ff10"
    assert run("js/net/bytes.js", "m.fromHex('').length") == 0


def test_the_rolls_of_a_record_are_those_of_dice(call):
    record = {
        "setup_chance": [3, 250],
        "setup_sides": [6, None],
        "log": [
            {"number": 1, "chance": [], "sides": []},
            {"number": 2, "chance": [5, 1], "sides": [6, 4]},
        ],
    }
    assert call("js/match/dice.js", "rollsOf", record) == [
        {"entry": 0, "face": 3, "sides": 6},
        {"entry": 2, "face": 5, "sides": 6},
        {"entry": 2, "face": 1, "sides": 4},
    ]


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
    assert run("js/board/motion.js", code, drawings) == [1, 0]
