"""Drawings: what is written is safe, short, and says who stands where."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from games.kernel import svg, svg_writer
from games.kernel.palettes import PALETTES
from games.kernel.svg import Drawing, Id, Role

TOKENS = Path(__file__).parents[2] / "static" / "css" / "tokens.css"


def picture(*children):
    return Drawing(10, 20.5, children, "A picture")


def test_a_role_is_a_variable_on_a_page_and_a_colour_in_a_palette():
    drawing = picture(svg.circle(1, 2, 3, fill=svg.seat_role(0), stroke="seat-0"))
    assert 'fill="var(--c-seat-0)" stroke="seat-0"' in svg_writer.render(drawing)
    literal = PALETTES["light"][svg.hue_role("red")]
    assert f'fill="{literal}" stroke="seat-0"' in svg_writer.render(drawing, PALETTES["light"])


def test_the_root_says_what_it_is():
    page, picture_alone = (
        svg_writer.render(picture()),
        svg_writer.render(picture(), PALETTES["dark"], marks=False),
    )
    assert page == (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20.5" role="group"'
        ' aria-label="A picture"/>'
    )
    assert 'role="img"' in picture_alone
    assert 'width="10" height="20.5" font-family="Hanken Grotesk' in picture_alone


def test_numbers_are_short():
    drawing = picture(svg.circle(1.0, 2.345678, -0.0001), svg.rect(0.1 + 0.2, 5, 100, 1e3))
    text = svg_writer.render(drawing)
    assert '<circle cx="1" cy="2.35" r="0"/>' in text
    assert '<rect x="0.3" y="5" width="100" height="1000"/>' in text


def test_everything_is_escaped():
    nasty = "<script>\"&'\x00\x1b\ud800</script>"
    drawing = Drawing(
        1, 1, (svg.mark(nasty, nasty, svg.text(0, 0, nasty), svg.path(nasty)),), nasty
    )
    root = ElementTree.fromstring(svg_writer.render(drawing, ids=nasty))
    kept = "<script>\"&'</script>"
    assert root.get("aria-label") == kept
    (group,) = root
    assert (group.get("data-mark"), group.get("aria-label")) == (kept, kept)
    assert group[0].text == kept
    assert group[1].get("d") == kept


@pytest.mark.parametrize(
    ("tag", "attrs"),
    [
        ("script", {}),
        ("style", {}),
        ("foreignObject", {}),
        ("image", {}),
        ("a", {}),
        ("g", {"style": "fill:red"}),
        ("g", {"onclick": "alert(1)"}),
        ("use", {"href": "https://example.org/#x"}),
        ("use", {"xlink:href": "#x"}),
    ],
)
def test_what_the_content_policy_forbids_cannot_be_drawn(tag, attrs):
    with pytest.raises(ValueError, match="no place in a drawing"):
        svg.element(tag, **attrs)


def test_ids_have_the_prefix_wherever_they_are_named():
    part = Id("gem")
    drawing = picture(
        svg.element("defs", svg.circle(0, 0, 1, id=part)),
        svg.use(part, 3, 4),
        svg.rect(0, 0, 1, 1, clip_path=part),
    )
    text = svg_writer.render(drawing, ids="m7-")
    assert 'id="m7-gem"' in text
    assert '<use href="#m7-gem" x="3" y="4"/>' in text
    assert 'clip-path="url(#m7-gem)"' in text


def test_marks_can_be_pointed_at_and_read():
    dot = svg.circle(0, 0, 1)
    drawing = picture(svg.mark("c4", "c4, red stone", dot), svg.group(svg.mark("d1", "d1, empty")))
    assert svg.marks_of(drawing) == [("c4", "c4, red stone"), ("d1", "d1, empty")]
    wrapped = '<g class="mark" data-mark="c4" aria-label="c4, red stone" role="img">'
    assert f'{wrapped}<circle cx="0" cy="0" r="1"/></g>' in svg_writer.render(drawing)
    assert "mark" not in svg_writer.render(drawing, marks=False)


def test_marks_can_be_links():
    drawing = picture(svg.mark("c4", "c4, empty"), svg.mark("d1", "d1, empty"))
    root = ElementTree.fromstring(svg_writer.render(drawing, links={"c4": '/?a=1&b="', "x": "/x"}))
    assert [node.tag.rpartition("}")[2] for node in root] == ["a", "g"]
    assert root[0].get("href") == '/?a=1&b="'
    assert root[0].get("aria-label") == "c4, empty"


def test_targets_stand_in_the_middle_of_marks():
    drawing = picture(svg.mark("c4", "c4", at=(3, 4.5)), svg.mark("d1", "d1"))
    dotted = svg_writer.render(svg.with_targets(drawing, {"c4": ""}, size=2))
    assert '<circle cx="3" cy="4.5" r="2"/></g></svg>' in dotted
    assert 'fill="var(--c-target)"' in dotted
    assert 'class="targets"' in dotted  # pages hide it while they show steps
    for unknown in ("d1", "e9"):
        with pytest.raises(ValueError, match=unknown):
            svg.with_targets(drawing, {"c4": "", unknown: ""})


def test_attributes_left_out_and_named_like_words_of_python():
    text = svg_writer.render(picture(svg.group(class_="a", fill=None, stroke_width=2)))
    assert '<g class="a" stroke-width="2"/>' in text


def test_letters_are_centred_unless_told_otherwise():
    drawn = svg_writer.render(picture(svg.text(1, 2, "x"), svg.text(1, 2, "y", text_anchor="end")))
    assert 'text-anchor="middle">x' in drawn
    assert 'text-anchor="end">y' in drawn


def test_every_palette_and_the_style_sheet_have_every_role():
    sheet = TOKENS.read_text(encoding="utf-8")
    for role in PALETTES["light"]:
        assert f"--c-{role.name}:" in sheet
        assert all(role in palette for palette in PALETTES.values())


def test_the_literal_colours_are_those_of_the_style_sheet():
    sheet = TOKENS.read_text(encoding="utf-8")
    for role in PALETTES["light"]:
        light, dark = (PALETTES[name][role] for name in ("light", "dark"))
        declared = sheet.split(f"--c-{role.name}:")[1].split(";")[0].strip()
        while declared.startswith("var("):
            declared = sheet.split(f"{declared[4:-1]}:")[1].split(";")[0].strip()
        assert declared in {f"light-dark({light}, {dark})", light}


def test_a_role_that_no_palette_has_is_an_error():
    with pytest.raises(KeyError):
        svg_writer.render(picture(svg.circle(0, 0, 1, fill=Role("mauve"))), PALETTES["light"])


def test_what_is_chosen_says_so():
    drawing = svg.Drawing(9, 9, (svg.mark("a1", "a1"), svg.mark("b1", "b1")), "two")
    text = svg_writer.render(drawing, links={"b1": "/there"}, chosen=("a1",))
    assert text.count("aria-current") == 1
    assert 'data-mark="a1" aria-label="a1" aria-current="true"' in text
    assert "aria-current" not in svg_writer.render(drawing, links={"b1": "/there"})


def test_a_mark_on_another_does_not_lead_back_where_that_one_leads_on():
    drawing = picture(svg.mark("a1", "a1"), svg.mark("gem", "gem on a1", on="a1"))
    back = svg_writer.render(drawing, links={"gem": "/back"}, alternatives=("gem",))
    assert 'data-mark="gem" aria-label="gem on a1: choose this instead" href="/back"' in back
    both = {"gem": "/back", "a1": "/on"}
    gives_way = svg_writer.render(drawing, links=both, alternatives=("gem",))
    assert 'class="mark" data-mark="gem" aria-label="gem on a1" role="img"' in gives_way
    assert svg_writer.render(drawing, links=both, alternatives=both).count("mark-aside") == 2
    assert svg_writer.render(drawing, links=both).count("href") == 2


def test_a_piece_is_dragged_only_while_it_can_be_chosen():
    drawing = picture(svg.mark("c4", "a stone", is_movable=True), svg.mark("d4", "empty"))
    both = svg_writer.render(drawing, links={"c4": "/one", "d4": "/other"})
    assert both.count("data-movable") == 1
    assert 'data-mark="c4" aria-label="a stone" href="/one" data-movable=""' in both
    other = svg_writer.render(drawing, links={"d4": "/other"})
    assert '<g class="mark" data-mark="c4" aria-label="a stone" role="img" data-movable' in other
    assert other.count("<a ") == 1, "scripts drag links alone"


def test_a_moving_part_stands_at_the_end_of_its_way():
    page = svg_writer.render(
        picture(svg.moving("fan", [("5", 100), ("0", 120)], svg.circle(0, 0, 1)))
    )
    assert 'data-piece="fan" data-way="5 100;0 120" transform="rotate(120)"' in page
    page = svg_writer.render(picture(svg.moving("piece", [("i0", (1, 2)), ("o0", (1.25, 8))])))
    assert 'data-way="i0 1 2;o0 1.25 8" transform="translate(1.25 8)"' in page
