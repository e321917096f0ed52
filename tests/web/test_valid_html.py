"""Pages are valid HTML. Every page that any test reads is checked (``tests/conftest.py``)."""

from datetime import datetime
from uuid import uuid4

import pytest

from games.kernel import registry
from games.matches import formatting, services
from tests import valid_html
from tests.match_driver import begin, fresh_cache, match_driver
from tests.valid_html import problems

__all__ = ["fresh_cache", "match_driver"]


@pytest.mark.parametrize(
    ("html", "problem"),
    [
        ('<time datetime="2026-02-03T14:05:00.123456+00:00">x</time>', "datetime"),
        ('<time datetime="2026-02-03T14:05:00">x</time>', "datetime"),
        ('<time datetime="3 Feb 2026">x</time>', "datetime"),
        ("<p><div>x</div></p>", "end tag (p)"),
        ("<ul><a href='/'>x</a></ul>", "<a> in <ul>"),
        ("<a href='/'>x<button type=button>y</button></a>", "<button> in <a>"),
        ("<span><div>x</div></span>", "<div> in <span>"),
        ("<p id=a>x</p><p id=a>y</p>", "2 times"),
        ("<label for=nowhere>x</label>", "refers to nothing"),
        ("<img src='/x.png'>", "without alt"),
        ("<input type=date value='1 May'>", "value"),
        ("<input name=player>", "without autocomplete"),
        ("<form action='/'><button>x</button></form>", "without type"),
        ("<form action=''></form>", "action"),
        ("<a href='/a b/'>x</a>", "href"),
        ("<td>x</td>", "td"),
        ("<nav aria-label=Pages>x</nav><nav aria-label=Pages>y</nav>", "2 <nav> are called"),
    ],
)
def test_the_check_finds_what_is_wrong(html, problem):
    page = f"<!DOCTYPE html><html lang=en><title>x</title><body>{html}"
    (first, *_) = problems(page)
    assert problem in first


@pytest.mark.parametrize(
    "html",
    [
        '<time datetime="2026-02-03T14:05:00.123+00:00">x</time>',
        '<time datetime="2026-02-03T14:05:00+01:00">x</time>',
        '<time datetime="2026-02-03">x</time>',
        "<label for=a>x</label><input id=a type=date value='2026-05-01'>",
        "<input name=player autocomplete=off><input name=dice>",
        "<svg viewBox='0 0 1 1'><a href='#x'><rect width='1.5' height='1'/></a></svg>",
        "<dl><div><dt>x<dd>y</div></dl>",
    ],
)
def test_the_check_accepts_valid_html(html):
    assert problems(f"<!DOCTYPE html><html lang=en><title>x</title><body>{html}") == []


def test_a_page_that_was_found_valid_hides_no_other():
    first, second = uuid4(), uuid4()

    def page(*ids):
        return "<!DOCTYPE html><html lang=en><title>x</title>" + "".join(f"<p id={i}>" for i in ids)

    assert problems(page(first, second)) == problems(page(second, first)) == []
    assert len(problems(page(first, first))) == len(problems(page(second, second))) == 1
    assert len(problems(page(first, second) + "</b>")) == 1


def test_a_picture_that_was_found_valid_hides_nothing_of_a_page():
    def page(*parts):
        return f"<!DOCTYPE html><html lang=en><title>x</title>{''.join(parts)}"

    picture = "<svg><g id=a></g><use aria-labelledby='b'/></svg>"
    named = "<p id=b>"
    assert problems(page(picture, named)) == problems(page(named, picture)) == []
    (twice,) = problems(page(named, picture, picture))
    assert "'a' 2 times" in twice
    (dangling,) = problems(page(picture))
    assert "refers to nothing" in dangling
    (end,) = problems(page(named, picture, "</svg>"))
    assert "(svg)" in end
    other = picture.replace("<use", "<use id=a")
    assert problems(page(named, other))


XML = """<!DOCTYPE html>
<html lang="en"><head><title>x</title></head><body>{}</body></html>"""
PARTS = """<div><p>x<br>y&nbsp;z</p><form action="/"><input checked></form></div>
<table><tbody><tr><td>x</td></tr></tbody></table><svg><path d="x"/></svg><p>x</p>x"""


def test_a_page_of_nestings_that_were_accepted_is_not_parsed_twice(monkeypatch):
    assert problems(XML.format(PARTS)) == []
    monkeypatch.setattr(valid_html, "HTMLParser", None)
    assert problems(XML.format(PARTS + PARTS)) == []
    assert "2 times" in problems(XML.format('<p id="a">x</p><p id="a">y</p>' + PARTS))[0]


@pytest.mark.parametrize(
    ("part", "other"),
    [
        ("<p>x", "<div>x"),
        ("<br>", "</br>"),
        ("<div>", "<div/><div>"),
        ("</form>", ""),
        ("<form", "<form action='/'><form"),
        ("<tbody>", "<tbody><p>x</p>"),
        ("<div>", "<td>x</td><div>"),
        ("<p>x", "<p><table></table>x"),
        ("x</body>", "</body>x"),
        ("</body>", "</body><body></body>"),
        ("</html>", "x</html>"),
        ("<!DOCTYPE html>", ""),
        ("&nbsp;", "&nbsp"),
        ("<input checked>", "<input checked checked>"),
        ('<path d="x"/>', "</svg><path/><svg>"),
    ],
)
def test_a_nesting_that_was_accepted_hides_no_other(part, other):
    page = XML.format(PARTS)
    assert problems(page) == []
    assert part in page
    assert problems(page.replace(part, other, 1))


def test_every_page_that_a_test_reads_is_checked(match_driver, monkeypatch):
    monkeypatch.setattr(formatting, "machine_readable", datetime.isoformat)
    with pytest.raises(AssertionError, match="<time datetime="):
        match_driver.client(None).get(match_driver.page)


def test_pages_of_several_lists_are_told_apart(client, start, people):
    for number in range(22):
        match = start()
        if number % 2:
            match.act(services.resign, 0)
    html = client.get("/players/ada/").content.decode()
    assert 'aria-label="Pages of running matches"' in html
    assert 'aria-label="Pages of ended matches"' in html


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("slug", list(registry.titles()))
def test_a_match_of_every_game_is_valid_in_every_stage(slug, people):
    seats = registry.get(slug).meta.seats[0]
    driver = begin(slug, people, seats=seats)
    for _ in ("begun", "later"):
        for seat in (None, *range(seats)):
            client = driver.client(seat)
            for query in ("", "?ask=resign", "?typed=zz"):
                assert client.get(f"{driver.page}{query}").status_code in (200, 422)
            client.post(f"{driver.page}move/", driver.form(word="zz"))
        driver.play_on(6)
    driver.act(services.offer_close, 0)
    for seat in range(1, seats):
        driver.client(seat).get(driver.page)
        driver.act(services.accept_offer, seat)
    for seat in (None, 0):
        for path in ("", "0/", "2/", "2/share/", "2/embed/", "dice/"):
            driver.client(seat).get(f"{driver.page}{path}")
