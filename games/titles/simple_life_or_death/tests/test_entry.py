"""Simple Life or Death: move entry, the drawing and the log."""

import json
import re

import pytest

from games.kernel import svg, svg_writer
from games.kernel.figure import draw_figure
from games.titles.simple_life_or_death import TITLE
from games.titles.simple_life_or_death.components import Piece
from games.titles.simple_life_or_death.drawing import draw, symbols
from games.titles.simple_life_or_death.events import Ended, Fought
from games.titles.simple_life_or_death.state import view
from games.titles.simple_life_or_death.story import describe, redact
from games.titles.simple_life_or_death.tests.fixtures import (
    EMPTY,
    ONE_DIE,
    TWO_DICE,
    crowded,
    load,
    play,
    position,
    start,
)

STACKED = {"h8": ["rS1", "oM1", "rL1"], "i9": ["oS1"], "c3": ["rM1"], "g8": ["rS2"]}


def offered(state, typed=""):
    """What may follow: the label and marks of each text."""
    found = TITLE.options(state, TITLE.actors(state)[0], typed)
    return {choice.text: (choice.label, choice.marks) for choice in found.next}


def prompt(state, typed=""):
    return TITLE.options(state, TITLE.actors(state)[0], typed).prompt


def whole(state, typed):
    found = TITLE.options(state, TITLE.actors(state)[0], typed)
    return found.complete, [choice.text for choice in found.next]


def test_a_turn_begins_with_the_stock():
    state = start()
    assert list(offered(state)) == ["place S ", "place M ", "place L "]
    assert offered(state)["place S "] == ("Place a small piece, 5 in stock", ("stock-rS",))
    assert prompt(state).startswith("Choose a piece in your stock")
    squares = offered(state, "place S ")
    assert len(squares) == 256
    assert squares["c7"] == ("c7", ("c7",))
    assert prompt(state, "place S ") == "Choose a square for your small piece."


def test_a_square_whose_name_begins_another_ends_with_a_blank():
    state = start()
    assert {"c1 ", "c16"} <= offered(state, "place S ").keys()
    assert whole(state, "place S c1 ") == (True, [])
    assert whole(state, "place S c1") == (True, [" ", "0", "1", "2", "3", "4", "5", "6"])
    assert whole(state, "place s C7") == (True, [])


def test_placing_on_a_stack_says_so():
    state = load(STACKED, params=TWO_DICE)
    assert offered(state, "place L ")["h8"] == ("h8, on top of your large piece", ("h8",))


def test_a_piece_is_chosen_by_its_square_and_says_what_it_carries_and_can_do():
    found = offered(load(STACKED, params=TWO_DICE))
    assert found["rS1 "] == (
        "Move your small piece on h8, carrying 2 pieces, or attack with it",
        ("h8", "rS1"),
    )
    assert found["rS2 "] == ("Move your small piece on g8, or attack with it", ("g8",))
    assert found["rM1 "] == ("Move your medium piece on c3", ("c3",))
    assert not [text for text in found if text.startswith(("move", "attack"))]


def test_a_piece_lights_directions_squares_and_targets_at_once():
    state = load(STACKED, hands=[["2C", "KS", "KH"], ["3H"]])
    marks = [marks for _, marks in offered(state, "rL1 ").values()]
    assert {"to-n-d12", "to-n-d20", "h11"} <= {mark for found in marks for mark in found}
    assert ("i9",) in marks
    assert ("h8", "oM1") in marks
    shown = TITLE.options(state, 0, "rL1 ").view
    assert shown.dump()["aim"]["targets"] == ["oM1", "oS1"]
    drawn = svg_writer.render(draw(shown, ()), links={"to-n-d12": "/n", "i9": "/fight"})
    assert 'data-mark="to-n-d12"' in drawn


def test_a_piece_that_may_not_move_lights_its_targets_alone():
    state = load(STACKED, phase="place", hands=[["KS"], ["3H"]])
    assert list(offered(state, "rL1 ")) == ["oM1 ", "oS1 "]
    assert prompt(state, "rL1 ") == "To attack, choose a piece in brackets."
    assert "rM1 " not in offered(state)


def test_a_single_target_under_the_piece_is_said_to_lie_there():
    state = load({"f13": ["oS1", "rL1"]}, phase="place", hands=[["KS"], ["3H"]])
    assert prompt(state, "rL1 ") == "To attack Orange’s small piece under it, choose f13 again."
    assert ("f13", "oS1") in [marks for _, marks in offered(state, "rL1 ").values()]


def test_only_black_cards_let_a_piece_attack():
    state = load(STACKED, phase="place", hands=[["KH"], ["3H"]])
    assert not [text for text in offered(state) if not text.startswith("place")]
    assert (
        TITLE.options(load(STACKED, hands=[["KH"], ["3H"]]), 0, "rL1 ").view.selection.targets == ()
    )


def test_verbs_may_be_typed_and_lead_to_their_own_moves_alone():
    state = load(STACKED, params=TWO_DICE)
    assert whole(state, "att") == (False, ["ack "])
    assert list(offered(state, "attack ")) == ["rS1 ", "rS2 ", "rL1 "]
    assert list(offered(state, "attack rL1 ")) == ["oM1", "oS1"]
    assert "n d12" in offered(state, "move rL1 ")
    assert "oM1" not in offered(state, "move rL1 ")


def test_an_arrow_or_a_square_on_the_way_chooses_direction_and_die():
    state = load(STACKED, params=TWO_DICE)
    found = offered(state, "rM1 ")
    assert list(found)[:4] == ["n d8", "n d10", "ne d8", "ne d10"]
    assert len(found) == 16
    label, marks = found["s d8"]
    assert label == "South, d8 – 1–2: c2–c1 (1 in 4); 3–8: off the board (3 in 4)"
    assert marks == ("to-s-d8",)
    assert found["s d10"][1] == ("to-s-d10",)
    assert found["n d8"][1] == ("to-n-d8", "c6", "c7", "c8", "c9", "c10", "c11")
    assert found["n d10"][1] == ("to-n-d10", "c12", "c13")
    assert found["ne d8"][1] == ("to-ne-d8", "f6", "g7", "h8")
    assert found["ne d10"][1] == ("to-ne-d10",)


def test_every_die_has_an_arrow_or_the_frame():
    found = offered(load(STACKED, params=TWO_DICE), "rS1 ")
    assert found["ne d4"][1] == ("to-ne-d4",)
    assert found["ne d6"][1] == ("to-ne-d6",)
    found = offered(load({"a1": ["rS1"], "p16": ["oS1"]}, params=TWO_DICE), "rS1 ")
    assert found["w d4"] == ("West, d4 – 1–4: off the board (always)", ("to-w-d4",))
    assert found["w d6"][1] == ("off",)


def test_a_square_under_an_arrow_stands_for_no_other_move():
    """The piece on l8 pushes the arrow of the d20 to m8."""
    found = offered(load({"j8": ["rL1"], "l8": ["rL2"], "c3": ["oS1"]}), "rL1 ")
    assert found["e d12"][1] == ("to-e-d12", "n8", "o8", "p8")
    assert found["e d20"][1] == ("to-e-d20",)


def circles(board_, piece):
    """The places of the circles around a piece by their marks."""
    state = load(board_, params=TWO_DICE)
    drawing = draw(TITLE.options(state, 0, f"{piece} ").view, ())
    links = {mark.name: "#" for mark in drawing.marks if mark.name.startswith("to-")}
    text = svg_writer.render(drawing, links=links)
    found = re.findall(r'data-mark="(to-[^"]+)".*?translate\(([\d.]+) ([\d.]+)\)', text)
    return {mark: (round(float(x)), round(float(y))) for mark, x, y in found}


def test_a_circle_covers_no_piece_where_another_square_is_vacant():
    alone = circles({"h8": ["rM1"], "p16": ["oS1"]}, "rM1")
    beside = circles({"h8": ["rM1"], "i8": ["oS1"], "h10": ["rS1"]}, "rM1")
    assert alone["to-e-d8"][0] + symbols.CELL == alone["to-e-d10"][0] == beside["to-e-d8"][0]
    assert beside["to-e-d10"][0] == beside["to-e-d8"][0] + symbols.CELL
    assert beside["to-n-d8"] == alone["to-n-d8"]
    assert beside["to-n-d10"][1] == alone["to-n-d10"][1] - symbols.CELL
    edge = circles({"o8": ["rM1"], "p8": ["oS1"]}, "rM1")
    assert edge["to-e-d8"][0] < edge["to-e-d10"][0]


def test_only_circles_and_pieces_are_marked_to_choose_from_a_direction():
    state = load({"h8": ["rM1"], "i8": ["oS1"]}, params=TWO_DICE)
    first = {choice.marks[0] for choice in TITLE.options(state, 0, "rM1 ").next}
    assert {mark for mark in first if not mark.startswith("to-")} == {"i8"}


def test_the_card_of_an_attack_moves_no_card_of_a_hand():
    state = load(STACKED, hands=[["2C", "KS"], ["3H", "7H"]])
    after, _ = play(state, "attack rL1 oS1 KS")
    before, asked = (draw(view(one, 1), ()).panel for one in (state, after))
    sizes = [[(one.width, one.height) for one in panel] for panel in (before, asked)]
    assert sizes[0] == sizes[1]
    assert [one.label for one in before[-2:]] == [one.label for one in asked[-2:]]
    assert any("the card of the attack: face down" in one.label for one in asked)


def test_a_direction_may_be_typed_before_its_die():
    state = load(STACKED, params=TWO_DICE)
    assert prompt(state, "rM1 ne ") == "Choose the die."
    assert list(offered(state, "rM1 ne ")) == ["d8", "d10"]
    assert whole(state, "move rM1 ne d8") == (True, [])


def test_a_die_says_where_each_result_ends():
    board_ = {"c7": ["rS1"], "e7": ["rS2"], "f7": ["oM1"], "o1": ["rM1"]}
    state = load(board_, params=TWO_DICE)
    found = offered(state, "rS1 e ")
    assert found["d4"][0] == (
        "d4 – 1: d7 (1 in 4); 2: e7 on top of your small piece (1 in 4);"
        " 3–4: e7 on top of your small piece or f7 on top of Orange’s medium piece (1 in 2)"
    )
    two = "2: e7 on top of your small piece (1 in 6)"
    assert found["d6"][0].startswith(f"d6 – 1: d7 (1 in 6); {two}; 3–6")
    found = offered(load({"c7": ["rS1"], "e7": ["rS2"]}, params=TWO_DICE), "rS1 e ")
    assert found["d6"][0] == (
        f"d6 – 1: d7 (1 in 6); {two}; 3–6: e7 on top of your small piece or f7–i7 (2 in 3)"
    )
    found = offered(state, "rM1 e ")
    assert found["d8"][0] == "d8 – 1: p1 (1 in 8); 2–8: off the board (7 in 8)"


def test_the_duties_of_a_turn_tick_off():
    def duties(state):
        found = TITLE.options(state, TITLE.actors(state)[0], "").requirements
        return [(duty.label, duty.is_done) for duty in found]

    state = start(params=TWO_DICE)
    more = "Move or place one more"
    assert duties(state) == [("Place a piece", False), (more, False)]
    state, _ = play(state, "place S c7")
    assert duties(state) == [("Place a piece", True), (more, False)]
    state = load(STACKED, params=ONE_DIE, stock=[EMPTY, EMPTY])
    assert duties(state) == [("Place a piece", True), ("Move a piece", False)]
    state, _ = play(load(STACKED, hands=[["KS"], ["3H"]]), "attack rL1 oS1 KS")
    assert duties(state) == []


def test_a_piece_in_hand_has_arrows_and_its_way_the_results_that_end_there():
    board_ = {"c7": ["rS1"], "e7": ["rS2"], "f7": ["oM1"], "o1": ["rM1"]}
    state = load(board_, params=TWO_DICE)

    def shown(typed):
        return TITLE.options(state, 0, typed).view

    assert shown("") is None
    assert shown("move rS1 ").dump()["aim"] == {"piece": "rS1", "at": "c7"}
    assert shown("rS1 ") == shown("move rS1 ")
    arrows = {name for name, _ in svg.marks_of(draw(shown("move rS1 "), ()))}
    assert {"to-n-d4", "to-sw-d6"} <= arrows
    assert shown("move rS1 e d4").dump()["aim"]["ends"] == [
        ["d7", "1"],
        ["e7", "2–4"],
        ["f7", "3–4"],
    ]
    assert shown("rM1 e d10").dump()["aim"]["ends"] == [["p1", "1"], ["off", "2–10"]]
    known = TITLE.options(state, 0, "move rM1 e d8").forecast
    assert known == "Roll 1: p1 (1 in 8).\nRoll 2–8: off the board (7 in 8)."
    written = shown("move rS1 e d4").dump()
    assert written.pop("aim")["direction"] == "e"
    assert written == view(state, 0).dump()


def test_a_stack_opens_to_show_its_levels():
    drawing = draw(view(load(STACKED, params=TWO_DICE), 0), ())
    links = {"h8": "/?at=h8", "rS1": "/one", "rL1": "/two"}
    assert 'data-mark="rS1"' not in svg_writer.render(drawing, links=links)
    opened = svg_writer.render(drawing, links=links, opened=svg.opened_by(drawing, "h8"))
    assert opened.index('data-mark="rS1"') < opened.index('data-mark="rL1"')
    assert 'aria-label="small red piece, with 2 pieces on it"' in opened
    other = 'data-mark="oM1" aria-label="medium orange piece, with 1 piece on it"'
    assert f'<g class="mark" {other}' in opened
    assert opened.count('data-layer="h8"') == 3
    assert svg.opened_by(drawing, "rS1") == {"rS1", "h8"}


def test_a_figure_shows_a_part_of_the_board_with_a_stack_open():
    block = {"position": position(STACKED, params=TWO_DICE), "params": TWO_DICE, "caption": "Here."}
    whole = draw_figure(TITLE, json.dumps(block))
    part = draw_figure(TITLE, json.dumps(block | {"part": ["a1", "j10"], "opened": ["h8"]}))
    assert (part.drawing.width, part.drawing.height) == (288, 288)
    shown = svg_writer.render(part.drawing, marks=False, opened=part.opened)
    assert shown.count(">large<") == 1
    assert ">large<" not in svg_writer.render(whole.drawing, marks=False, opened=whole.opened)


def test_where_dice_are_fixed_the_direction_is_the_last_word():
    state = load({"a1": ["rL1"], "p16": ["oS1"]}, params=TWO_DICE | {"movement": "d6"})
    found = offered(state, "move rL1 ")
    assert list(found) == ["n ", "ne", "e", "se", "s ", "sw", "w", "nw"]
    assert (
        found["n "][0]
        == "North – 3–15: a4–a16 (about 21 in 22); 16–18: off the board (about 1 in 22)"
    )
    assert whole(state, "move rL1 n ") == (True, [])


def test_a_target_then_a_card_with_which_to_attack():
    state = load(STACKED, hands=[["2C", "KS", "KH"], ["3H"]])
    assert offered(state, "rL1 ")["oS1 "] == ("Attack Orange’s small piece on i9", ("i9",))
    cards = offered(state, "rL1 oS1 ")
    assert cards == {
        "2C": ("2♣", ("2C",)),
        "KS": ("K♠", ("KS",)),
    }
    assert TITLE.options(state, 0, "rL1 oS1 KS").view.selection.target == "oS1"
    state, _ = play(state, "rL1 oS1 KS")
    assert prompt(state) == "Choose a red card (♥ ♦) to defend with. A tie saves your piece."
    assert offered(state) == {"defend 3H": ("3♥", ("3H",))}


def test_landings_and_the_end():
    board_ = {"n1": ["rS1"], "o1": ["rS2"], "o2": ["oM1"]}
    state = load(board_, params=ONE_DIE)
    state, _ = play(state, "move rS1 e d6", chance=[6])
    assert offered(state) == {
        "land o1": ("Stop on o1, on top of your small piece", ("o1",)),
        "land off": ("Go on, off the board", ("off",)),
    }
    state, _ = play(state, "land o1")
    assert offered(state)["end"] == ("End your turn", ())


# --- The drawing ------------------------------------------------------------------------------


def test_the_largest_board_is_not_heavy():
    text = svg_writer.render(draw(view(crowded(), 0), ()))
    assert len(text.encode()) < 150_000
    assert text.count("data-mark") < 120


def test_empty_squares_are_drawn_where_a_move_may_lead():
    drawing = draw(view(start(), 0), ())
    marks = dict(svg.marks_of(drawing))
    assert marks["c7"] == "c7, empty"
    assert 'data-mark="c7"' not in svg_writer.render(drawing)
    linked = svg_writer.render(drawing, links={"c7": "/there", "off": "/gone"})
    assert linked.count("<a ") == 2
    assert 'data-mark="c7"' in linked
    assert 'data-mark="c8"' not in linked


def test_stacks_are_described_from_the_top():
    marks = dict(svg.marks_of(draw(view(load(STACKED, params=TWO_DICE), None), ())))
    stack = "large red piece, medium orange piece and small red piece"
    assert marks["h8"] == f"h8: stack of 3, from the top: {stack}"
    assert marks["i9"] == "i9: small orange piece"
    assert marks["stock-oS"] == "Orange’s stock: 4 small pieces"


def test_only_ones_own_cards_can_be_chosen():
    state = load(STACKED, hands=[["2C", "KS"], ["3H"]])
    for viewer, own in ((0, {"2C", "KS"}), (1, {"3H"}), (None, set())):
        marks = dict(svg.marks_of(draw(view(state, viewer), ())))
        assert marks.keys() & {"2C", "KS", "3H"} == own


DUELS = {
    "beats": ("KS", "3H", True),
    "no red card": ("KS", None, True),
    "only ties": ("KS", "KH", False),
    "loses to": ("2S", "3H", False),
    "3 + 4": ((6, 6), (3, 4), True),
}


@pytest.mark.parametrize(("said", "duel"), DUELS.items())
def test_a_duel_says_what_decided_it_and_what_follows(said, duel):
    *_, won = duel
    fought = Fought(0, Piece("rL1"), Piece("oS1"), "h8", "i9", *duel)
    drawn = svg_writer.render(draw(view(load(STACKED, params=TWO_DICE), 0), [fought]))
    _, _, text = drawn.partition('class="scene" display="none"')
    assert f">{said}</text>" in text
    outcome = "Red captures Orange’s small piece" if won else "Orange’s small piece stays"
    assert f">{outcome}</text>" in text


def cross(board):
    """The numbers in the path of the cross where a piece fell on i9, and the square's middle."""
    fought = Fought(0, Piece("rL1"), Piece("oS1"), "h8", "i9", "KS", "3H", won=True)
    drawing = draw(view(load(board), 0), [fought])
    (path,) = re.findall(r'd="(M[^"]*m-\d+ 0l[^"]*)"', svg_writer.render(drawing.board))
    return list(map(float, re.findall(r"-?[\d.]+", path))), svg.middles_of(drawing.board)["i9"]


def test_a_cross_lies_where_a_piece_fell():
    (x, y, width, height, *_), middle = cross({"h8": ["rL1"], "c3": ["oM1"]})
    assert (x + width / 2, y + height / 2) == middle


@pytest.mark.parametrize("survivor", ["rL1", "oL1"])
def test_no_cross_lies_on_a_piece_that_lives_on_the_square(survivor):
    (x, y, *_), middle = cross({"i9": [survivor], "c3": ["oM1"], "h8": ["rM1"]})
    assert x > middle[0] + 4
    assert y > middle[1] + 4


def test_the_panel_repeats_neither_duel_nor_round():
    state = load(STACKED, hands=[["2C", "KS"], ["3H"]])
    fought = Fought(0, Piece("rL1"), Piece("oS1"), "h8", "i9", "KS", "3H", won=True)
    assert len(draw(view(state, 0), [fought]).panel) == len(draw(view(state, 0), ()).panel)
    labels = [picture.label for picture in draw(view(state, 0), ()).panel]
    assert "Round" not in labels
    limited = load(STACKED, params={"rounds": 30}, hands=[["2C", "KS"], ["3H"]])
    assert "Round" in [picture.label for picture in draw(view(limited, 0), ()).panel]


def test_the_pieces_of_the_last_one_left_are_lit_at_the_end():
    board_ = {"h8": ["rS1", "rL1"], "c3": ["rM1"]}
    out = {"in": [True, False], "stock": [[1, 0, 0], EMPTY], "trophies": [["oS1"], []]}
    ended = load(board_, params=TWO_DICE, phase="over", result=[1, 2], **out)
    running = load(STACKED, params=TWO_DICE)
    drawn = [svg_writer.render(draw(view(state, 0), ())) for state in (ended, running)]
    assert [text.count('class="winner"') for text in drawn] == [2, 0]


def test_what_is_drawn_small_still_has_targets_where_it_stands():
    drawing = draw(view(crowded(32), 0), ())
    picture = next(one for one in drawing.panel if "stock-pL" in svg.middles_of(one))
    x, y = svg.middles_of(picture)["stock-pL"]
    assert 0 < x < picture.width
    assert 0 < y < picture.height
    dotted = svg.with_targets(drawing, {"stock-pL": ""})
    assert dotted.board == drawing.board
    assert len(dotted.panel[drawing.panel.index(picture)].children) > len(picture.children)


def test_a_hand_shows_black_and_red_suits_in_turn():
    hand = ["2C", "TC", "3D", "AH", "2H", "KS", "4S"]
    marks = dict(svg.marks_of(draw(view(load(STACKED, hands=[hand, []]), 0), ())))
    shown = [mark for mark in marks if mark in hand]
    assert shown == ["2C", "TC", "3D", "4S", "KS", "2H", "AH"]


# --- The log ----------------------------------------------------------------------------------


def told(events, viewer=None):
    return [line for event in events if (line := describe(event.seen_by(viewer), viewer))]


def test_a_fight_is_told_card_by_card_and_to_each_what_they_may_know():
    state = load(STACKED, hands=[["2C", "KS"], ["3H"]])
    after, events = play(state, "attack rL1 oS1 KS")
    attacked = "small piece on i9 with a large piece and"
    assert told(events) == [f"Red attacks Orange’s {attacked} a hidden card."]
    assert told(events, 1) == [f"Red attacks your {attacked} a hidden card."]
    assert told(events, 0) == [f"You attack Orange’s {attacked} K♠."]
    _, events = play(after, "defend 3H", chance=[1, 1])
    assert told(events) == [
        "Red’s large piece captures Orange’s small piece on i9: K♠ against 3♥.",
        "Red draws a card.",
        "Orange draws a card.",
    ]
    assert told(events, 0)[1:] == ["You draw 3♣.", "Orange draws a card."]
    assert told(events, 1)[1:] == ["Red draws a card.", "You draw 4♣."]


def brief(events, viewer=None):
    return [TITLE.headline(event.seen_by(viewer), viewer) for event in events[:1]]


@pytest.mark.parametrize(
    ("card", "lines"),
    [
        (
            "KS",
            [
                "Red’s large captures Orange’s small: K♠ against 3♥",
                "Your large captures Orange’s small: K♠ against 3♥",
                "Red’s large captures your small: K♠ against 3♥",
            ],
        ),
        (
            "2C",
            [
                "Red’s large fails against Orange’s small: 2♣ against 3♥",
                "Your large fails against Orange’s small: 2♣ against 3♥",
                "Red’s large fails against your small: 2♣ against 3♥",
            ],
        ),
    ],
)
def test_the_log_says_a_fight_from_the_attackers_side_whoever_answers(card, lines):
    state = load(STACKED, hands=[["2C", "KS"], ["3H"]])
    after, _ = play(state, f"attack rL1 oS1 {card}")
    _, events = play(after, "defend 3H", chance=[1, 1])
    assert [brief(events, viewer)[0] for viewer in (None, 0, 1)] == lines
    assert [TITLE.befalls(events[0], seat) for seat in (0, 1)] == [True, True]


def test_an_attack_is_told_once_with_its_outcome():
    state = load(STACKED, params=TWO_DICE)
    _, events = play(state, "attack rL1 oS1", chance=[6, 6, 1, 1])
    assert [TITLE.describe(event, 0) for event in TITLE.joined(events)] == [
        "Your large piece captures Orange’s small piece on i9: 6 + 6 = 12 against 1 + 1 = 2."
    ]
    attack, fought = events[:2]
    assert TITLE.joined([attack]) == [attack]
    assert TITLE.joined([attack, attack, fought]) == [attack, fought]


def test_the_headline_of_a_piece_on_top_of_the_readers_says_whose_it_is():
    state = load(STACKED, phase="place", params=TWO_DICE)
    _, events = play(state, "place M i9")
    told = "Medium on i9, on top of Orange’s small piece"
    own = "Red’s medium on i9, on top of your small piece"
    assert [TITLE.headline(events[0], viewer) for viewer in (None, 0, 1)] == [told, told, own]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("place L c3", "Place a large piece on c3, on top of your medium piece"),
        ("place L d3", "Place a large piece on d3"),
        ("move rS1 n d4", "Move your small piece on h8 and 2 pieces on it north with a d4"),
        ("move rM1 n d8", "Move your medium piece on c3 north with a d8"),
        (
            "attack rS2 oM1",
            "Attack Orange’s medium piece on h8, under your large piece, with your small piece",
        ),
        ("attack rL1 oS1", "Attack Orange’s small piece on i9 with your large piece"),
    ],
)
def test_a_move_is_asked_about_with_the_stacks_that_it_touches(text, said):
    state = load(STACKED, params=TWO_DICE)
    assert TITLE.phrase(TITLE.parse(text), view(state, 0), 0, 0) == said


def test_a_target_under_another_piece_is_offered_as_such():
    state = load(STACKED, hands=[["KS"], ["3H"]])
    labels = [label for label, _ in offered(state, "attack rS2 ").values()]
    assert labels == ["Attack Orange’s medium piece on h8, under your large piece"]
    asks = (
        "Choose a black card (♣ ♠) to attack Orange’s medium piece on h8, under your large piece."
    )
    assert prompt(state, "attack rS2 oM1 ") == f"{asks} It stays hidden until the answer."


def shapes(board_):
    """What is drawn of the stack on h8, from the bottom: the piece and where its foot is."""
    drawn = svg_writer.render(draw(view(load(board_, params=TWO_DICE), None), ()))
    stack = drawn.partition('aria-label="h8: stack')[2].partition("</g>")[0]
    used = re.findall(r'href="#(\w\w-?)"[^>]*translate\([\d.]+ ([\d.]+)\)', stack)
    return [part for part, _ in used], [float(y) for _, y in used], re.findall(r">(\d+)<", stack)


def test_a_stack_shows_its_top_and_below_it_a_rim_of_each_other_piece():
    parts, _, count = shapes(STACKED)
    assert (parts, count) == (["rS", "oM", "rL-"], ["3"])
    same, heights, _ = shapes({"h8": ["rS1", "rS2", "oS1", "rS3"], "i9": ["oS2"]})
    assert same == ["rS", "rS", "oS", "rS-"]
    assert heights == sorted(heights, reverse=True)
    high = ["rS1", "oS1", "rM1", "oM1", "rL1", "oL1"]
    parts, _, count = shapes({"h8": high})
    assert (parts, count) == (["oS", "rM", "oM", "rL", "oL-"], ["6"])


def test_a_dot_hides_neither_rims_nor_the_number_of_a_stack():
    drawing = draw(view(load(STACKED, params=TWO_DICE), None), ())
    (mark,) = (one for one in drawing.marks if one.name == "h8")
    x, y = symbols.middle(load(STACKED).board, "h8")
    assert mark.at is not None
    assert mark.at[0] < x - 8
    assert mark.at[1] < y - 8


def test_the_text_of_an_attack_names_its_card_once_it_is_answered():
    state = load(STACKED, hands=[["2C", "KS"], ["3H"]])
    text = "attack rL1 oS1 KS"
    state, _ = play(state, text)
    assert redact(text, view(state, 0)) == text
    for viewer in (1, None):
        assert redact(text, view(state, viewer)) == "attack rL1 oS1 ??"
    state, _ = play(state, "defend 3H", chance=[1, 1])
    assert redact(text, view(state, 1)) == text


def test_an_attack_lost_at_once_is_told_with_its_card():
    state = load(STACKED, hands=[["KS"], ["3C"]])
    state, events = play(state, "attack rL1 oS1 KS", chance=[1])
    assert told(events)[:2] == [
        "Red attacks Orange’s small piece on i9 with a large piece and a hidden card.",
        "Red’s large piece captures Orange’s small piece on i9: K♠, and Orange has no red card.",
    ]
    assert redact("attack rL1 oS1 KS", view(state, 1)) == "attack rL1 oS1 KS"


def test_moves_are_told():
    state = load(STACKED, params=TWO_DICE)
    _, events = play(state, "move rS1 w d4", chance=[1])
    assert told(events) == [
        "Red rolls 1 on a d4: a small piece goes west from h8.",
        (
            "Red’s small piece, with Orange’s medium piece and Red’s large piece on it, stops on"
            " g8, on top of Red’s small piece."
        ),
    ]
    _, events = play(state, "attack rS2 oM1", chance=[6, 1, 3, 4])
    assert told(events)[1] == (
        "Red’s small piece attacks Orange’s medium piece on h8 and fails:"
        " 6 + 1 = 7 against 3 + 4 = 7."
    )


@pytest.mark.parametrize(
    ("ranks", "line"),
    [
        ([1, 2, 2], "Red wins: trophies decide."),
        ([1, 1, 3], "A draw between Red and Orange: trophies decide."),
    ],
)
def test_the_end_is_told(ranks, line):
    assert describe(Ended(ending="closed", ranks=tuple(ranks), trophies=()), None) == line


def test_events_are_stored_with_their_secrets_apart():
    state = load(STACKED, hands=[["KS"], ["3H"]])
    _, events = play(state, "attack rL1 oS1 KS")
    stored = json.loads(json.dumps(events[0].dump()))
    assert stored["card"] == "??"
    assert stored["hidden"] == {"owners": [0], "card": "KS"}


def test_a_move_is_put_in_words_before_it_is_confirmed():
    seen = view(load(STACKED, hands=[["KS"], ["3H"]]), 0)
    assert TITLE.phrase(TITLE.parse("rM1 ne d10"), seen, 0, 0) == (
        "Move your medium piece on c3 north-east with a d10"
    )
    assert TITLE.phrase(TITLE.parse("rL1 oS1 KS"), seen, 0, 0) == (
        "Attack Orange’s small piece on i9 with your large piece and K♠"
    )


@pytest.mark.parametrize(
    ("typed", "mark", "said"),
    [
        ("", "c3", "The piece on c3 is Orange’s."),
        ("", "stock-oS", "That is Orange’s stock."),
        ("", "stock-rL", "You have no large piece in stock."),
        (
            "rS1 ",
            "c3",
            "Orange’s small piece on c3 is out of reach, more than one square away.",
        ),
        ("rS1 ", "rM1", "That piece is your own."),
        ("", "e5", "First choose the piece that is to move, or one in your stock."),
        (
            "rS1 ",
            "e5",
            "Choose a direction and a die: the d4 moves 1–4 squares, the d6 1–6.",
        ),
    ],
)
def test_a_mark_that_leads_nowhere_is_explained(typed, mark, said):
    board = {"h8": ["rS1"], "c3": ["oS1"], "i8": ["rM1"]}
    state = load(board, params=ONE_DIE, stock=[[1, 1, 0], [1, 1, 1]])
    assert TITLE.explain(state, 0, typed, mark) == said


def test_a_piece_without_an_enemy_beside_it_has_nothing_to_attack():
    board = {"h8": ["rS1"], "c3": ["oS1"], "c4": ["rS2"]}
    state = load(board, params=ONE_DIE, phase="free")
    assert TITLE.explain(state, 0, "", "e5") == (
        "You have placed and moved: attack, or end your turn."
    )
    assert TITLE.explain(state, 0, "rS2 ", "e5") == "e5 is empty: choose a piece to attack."
    assert TITLE.explain(state, 0, "", "h8") == (
        "You have placed and moved, and your piece on h8 has nothing to attack."
    )


def test_before_placing_an_empty_square_and_a_piece_that_cannot_attack_are_explained():
    state = load({"h8": ["rS1"], "c3": ["oS1"]}, params=ONE_DIE, phase="place")
    said = "First choose a piece in your stock, then a square."
    assert TITLE.explain(state, 0, "", "e5") == said
    said = "First place a piece from your stock: your piece on h8 has nothing to attack."
    assert TITLE.explain(state, 0, "", "h8") == said


def test_a_card_of_the_wrong_colour_and_a_square_off_the_way_are_explained():
    hands = [["KS", "3H"], ["2D", "5C"]]
    board = {"h8": ["rS1"], "i9": ["oM1"]}
    state = load(board, hands=hands, phase="free")
    said = "Only black cards, clubs and spades, attack."
    assert TITLE.explain(state, 0, "rS1 oM1 ", "3H") == said
    pending = {"kind": "defend", "attacker": "rS1", "target": "oM1", "card": "TC", "then": "free"}
    attacked = [["rS1", "oM1"]]
    asked = load(board, hands=hands, phase="defend", pending=pending, attacked=attacked)
    assert TITLE.explain(asked, 1, "", "5C") == "Only red cards, hearts and diamonds, defend."
    landing = {"kind": "land", "piece": "rS1", "ends": ["e7", "f7"]}
    way = {"c7": ["rS1"], "e7": ["rS2"], "f7": ["oM1"]}
    moving = load(way, phase="land", pending=landing)
    said = "After this roll your piece can only stop on e7 or f7."
    assert TITLE.explain(moving, 0, "", "d7") == said
