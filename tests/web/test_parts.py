"""The templates of the parts of a match's page."""

import pytest
from django.template import engines

from games.matches.view.parts import LogRow, LogTurn
from games.screen import match_parts, part_templates
from games.screen.parts import compose, slot
from tests.golden_pages import golden_matches, pages, whole

TURN = LogTurn("<b>", None, (LogRow(7, "/matches/1/7/", "Places a <stone>."),))
TWICE = "<ol>{{ show_part(turn, 'turn', turn.first) }}</ol>"


@pytest.mark.slow
@pytest.mark.parametrize(("slug", "name"), golden_matches())
def test_no_part_of_a_match_writes_a_missing_name(slug, name):
    for at, seen in enumerate(pages(slug, name)):
        if at % 5 == 0:
            for page in seen.values():
                match_parts.render(page)
                whole(page)


def test_a_part_is_written_in_its_place_or_handed_on():
    context = {"turn": TURN}
    template = engines["jinja2"].from_string(TWICE)
    at_once = template.render(context)
    assert '<h3 class="log-by visually-hidden" dir="auto">&lt;b&gt;</h3>' in at_once
    assert "Places a &lt;stone&gt;." in at_once
    found = {}

    def place(name, html):
        found[name] = html
        return slot(name)

    slots = template.render({**context, "place": place})
    assert slots == f"<ol>{slot('turn 7')}</ol>"
    assert compose({**found, "page": slots}) == at_once


def test_equal_parts_are_written_once():
    same = LogTurn("<b>", None, (LogRow(7, "/matches/1/7/", "Places a <stone>."),))
    assert part_templates.html(same) is part_templates.html(TURN)
    assert part_templates.html(LogTurn("c", None, TURN.rows)) != part_templates.html(TURN)
