"""What every game shows: views, boards, the log and the rules for players."""

import json
import re
from xml.etree import ElementTree

import pytest
from PIL import ImageFont

from games import check
from games.kernel import registry, svg, svg_writer
from games.kernel.contract import Ended, SecretEvent
from games.kernel.decoding import decode
from games.kernel.errors import GameError
from games.kernel.figure import draw_figure
from games.kernel.options import Choice
from games.kernel.palettes import PALETTES
from games.matches.view import pictures
from tests.contract.random_play import matches, stopped_matches


def shown(title, count=10):
    """Yield views of some positions, and what had just happened as seen by the same viewer."""
    for record in (*matches(title.meta.slug), *stopped_matches(title.meta.slug)[:4]):
        for _, moment in record.some_moments(count):
            over = title.result(moment.state) is not None
            for viewer in record.viewers:
                view = title.view(moment.state, viewer)
                yield view, tuple(event.seen_by(viewer, over=over) for event in moment.events)


def test_views_are_json_and_hide_nothing_where_there_are_no_secrets(title):
    for record in matches(title.meta.slug):
        for state in record.states:
            for viewer in record.viewers:
                view = title.view(state, viewer)
                written = view.dump()
                assert json.loads(json.dumps(written)) == written
                if not title.meta.has_secrets:
                    assert written == title.dump(state)


@pytest.mark.slow
def test_boards_are_sound_svg_with_letters_of_the_font_and_marks_with_names(title):
    letters = set()
    for view, recent in shown(title):
        drawing = title.draw(view, recent)
        root = ElementTree.fromstring(svg_writer.render(drawing, ids="t-"))
        assert root.get("aria-label") == drawing.label
        ids = [node.get("id") for node in root.iter() if node.get("id")]
        assert len(set(ids)) == len(ids)
        assert all(name.startswith("t-") for name in ids)
        for link in (node.get("href") for node in root.iter()):
            assert link is None or link[1:] in ids
        marks = svg.marks_of(drawing)
        assert marks
        assert len(dict(marks)) == len(marks)
        assert all(label.strip() for _, label in marks)
        letters |= set("".join(root.itertext()))
    font = ImageFont.truetype(str(pictures.FONT), 20)
    lacking = bytes(font.getmask("\uffff"))
    assert not [letter for letter in letters if bytes(font.getmask(letter)) == lacking]


@pytest.mark.slow
def test_boards_have_a_literal_colour_for_every_role(title):
    for view, recent in shown(title, 3):
        drawing = title.draw(view, recent)
        for palette in PALETTES.values():
            text = svg_writer.render(drawing, palette, marks=False)
            assert "var(" not in text
            assert "data-mark" not in text


def test_boards_draw_what_a_view_from_json_holds(title):
    for view, recent in list(shown(title, 3))[:20]:
        stored = [title.read_event(json.loads(json.dumps(event.dump()))) for event in recent]
        read = decode(type(view), json.loads(json.dumps(view.dump())))
        assert title.draw(read, stored) == title.draw(view, recent)


def test_every_event_is_told_or_passed_over(title):
    for record in (*matches(title.meta.slug), *stopped_matches(title.meta.slug)):
        for moment in record.moments:
            over = title.result(moment.state) is not None
            for event in moment.events:
                for viewer in record.viewers:
                    line = title.describe(event.seen_by(viewer, over=over), viewer)
                    assert line == "" or line.endswith((".", "!")), line
                    assert "None" not in line


def test_the_end_is_told(title):
    for record in stopped_matches(title.meta.slug):
        last = record.moments[-1].events[-1]
        assert isinstance(last, Ended)
        assert title.describe(last, None)


def test_events_survive_json_and_keep_their_secrets(title):
    for record in matches(title.meta.slug):
        for moment in record.moments:
            for event in moment.events:
                dumped = json.loads(json.dumps(event.dump()))
                read = title.read_event(dumped)
                assert read == event
                assert json.dumps(read.dump()) == json.dumps(dumped)
                hidden = dumped.pop("hidden", {})
                assert event.seen_by(None).dump() == dumped
                if isinstance(event, SecretEvent):
                    assert hidden.keys() <= {"owners", *event.secret}
                    assert set(event.owners) <= set(range(record.seats))
                    assert bool(event.owners) == bool(hidden)


def rules_text(title):
    return (registry.folder(title.meta.slug) / "rules.md").read_text(encoding="utf-8")


def test_the_rules_for_players_name_the_designer_and_have_rulings_apart(title):
    text = rules_text(title)
    assert title.meta.name in text
    assert title.meta.designer in text
    assert text.count("\n## Rulings\n") == 1


def test_figures_of_the_rules_are_sound_svg(title):
    for block in check.FIGURE.findall(rules_text(title)):
        ElementTree.fromstring(svg_writer.render(draw_figure(title, block).drawing))


def test_a_figure_of_no_position_is_refused(title):
    for block in ("", "{}", "[]", '{"position": {}}', "3"):
        with pytest.raises(GameError):
            draw_figure(title, block)


@pytest.mark.slow
def test_the_label_of_a_clickable_mark_holds_the_words_on_it(title):
    """Who speaks to a browser says what they see (WCAG 2.5.3)."""
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(10):
            for seat in title.actors(moment.state):
                options = title.options(moment.state, seat, "")
                drawing = title.draw(title.view(moment.state, seat), ())
                choices = [each for each in options.next if isinstance(each, Choice)]
                clickable = {name for choice in choices for name in choice.marks}
                for mark in drawing.marks:
                    words = re.findall(r"\w+", " ".join(words_on(mark)))
                    if mark.name in clickable and words:
                        assert " ".join(words) in " ".join(re.findall(r"\w+", mark.label))


def words_on(node):
    """Yield the words drawn in a mark, without the marks in it."""
    if isinstance(node, str):
        yield node
    else:
        for child in node.children:
            if not isinstance(child, svg.Mark):
                yield from words_on(child)
