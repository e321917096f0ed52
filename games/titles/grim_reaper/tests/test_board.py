"""What the board, the upcoming events and the log say."""

import re

import pytest

from games.kernel import svg, svg_writer
from games.kernel.contract import Ended, Seat
from games.kernel.dice import no_dice
from games.kernel.params import complete
from games.titles.grim_reaper import TITLE
from games.titles.grim_reaper.drawing.upcoming import upcoming

PARAMS = complete(TITLE.meta, {})
COUPLES = {
    "a2": "rF5",
    "a4": "rF5",
    "e4": "rF1",
    "c2": "rM5",
    "c4": "rM5",
    "c5": "bF5",
    "e3": "bM5",
}


def load(pieces, **changes):
    plain = {"size": 6, "turn": 2, "step": 2, "reserve": [3, 4], "pieces": pieces, "born": []}
    more = {"rip": [], "male_span": 10, "female_span": 10, "random_life": False, "result": None}
    return TITLE.load({**plain, **more, **changes}, 2, PARAMS)


def play(state, *texts):
    events = ()
    for text in texts:
        state, events = TITLE.play(state, state.mover, TITLE.parse(text), no_dice())
    return state, events


def drawn(state, events=()):
    return TITLE.draw(TITLE.view(state, None), events)


def labels(state, events=()):
    return dict(svg.marks_of(drawn(state, events)))


def count(state, events, part):
    return svg_writer.render(drawn(state, events)).count(part)


def test_steps_find_a_newborn_as_it_was_before_all_aged_by_the_same_step():
    for turn, step, is_last in ((2, 2, False), (1, 3, True)):
        found = count(*play(load(COUPLES, turn=turn, step=step), "+Fb2"), 'data-passing="b2"')
        assert found == is_last


def test_squares_are_read_from_the_top_row_on():
    assert list(labels(load(COUPLES)))[:7] == ["a6", "b6", "c6", "d6", "e6", "f6", "a5"]


def test_pieces_and_vacant_squares_in_words():
    found = labels(load(COUPLES, rip=["a2", "f6"]))
    assert found["c5"] == "c5: blue female, 5 life turns left"
    assert found["e4"] == "e4: red female, 1 life turn left, dies at the end of this turn"
    assert found["f1"] == "f1: vacant"
    assert found["f6"] == "f6: vacant, a piece died here last turn"
    assert found["a2"].endswith("5 life turns left, a piece died here last turn")


def test_births_that_are_possible_and_contested_in_words():
    found = labels(load(COUPLES))
    assert found["b3"] == "b3: vacant, Red's couples a2–c4 and a4–c2 can have a child here"
    contested = (
        "d4: vacant, contested by Red's couple e4–c4 and Blue's couple c5–e3,"
        " so nobody can be born here"
    )
    assert found["d4"] == contested
    text = svg_writer.render(drawn(load(COUPLES)))
    assert text.count("<title>") == 1
    assert f"<title>{contested}</title>" in text


def test_what_the_last_step_did_is_highlighted():
    state, events = play(load(COUPLES), "+Fb2,Md3")
    found = labels(state, events)
    assert found["b2"] == "b2: red female, 10 life turns left, just born"
    assert found["d3"].endswith("just born")
    before = count(state, (), "<line ")
    assert count(state, events, "<line ") == before + 4
    state, events = play(load(COUPLES, step=0), "M4f6")
    assert labels(state, events)["f6"].endswith("4 life turns left, just placed")
    state, events = play(load(COUPLES, step=0), "e3-f2")
    assert labels(state, events)["f2"].endswith("just moved from e3")


@pytest.mark.parametrize(
    ("taken", "way"),
    [
        ("", "a1>b1"),
        ("", "a1>b2>c3"),
        ("b1", "a1>b2>c1"),
        ("b1 b2 c2", "a2>b3>c3"),
    ],
    ids=["one step", "straight", "round a piece", "bent"],
)
def test_a_walk_is_drawn_over_a_vacant_square(taken, way):
    start, *crossed, end = way.split(">")
    others = dict.fromkeys(taken.split(), "bF5")
    state, events = play(load({start: "rM5"} | others, step=1), f"{start}-{end}")
    drawing = svg_writer.render(drawn(state, events))
    assert f'data-moves="{way.replace(">", "&gt;")}"' in drawing
    (line,) = re.findall(r'<polyline points="([^"]+)"', drawing)
    assert len(line.split()) == len(crossed) + 2


def test_lines_from_parents_come_in_the_order_of_the_event():
    before = load(COUPLES)
    x, y = svg.middles_of(drawn(before))["b3"]
    after, events = play(before, "+Fb3")
    assert events[0].dump()["couples"] == [["a2", "c4"], ["a4", "c2"]]
    starts = re.findall(
        r'<line x1="([0-9.]+)" y1="([0-9.]+)"', svg_writer.render(drawn(after, events))
    )
    sides = [(float(x1) < x, float(y1) > y) for x1, y1 in starts[-4:]]
    assert sides == [(True, True), (False, False), (True, False), (False, True)]


def test_newborns_are_highlighted_after_the_ageing_too():
    state, events = play(load(COUPLES, step=3, turn=1), "+Fd3")
    assert "e4" not in TITLE.dump(state)["pieces"]
    assert labels(state, events)["d3"].endswith("9 life turns left, just born")


@pytest.mark.parametrize(
    ("line", "seat"),
    [([f"d{n}" for n in range(1, 7)], "r"), ([f"{c}3" for c in "abcdef"], "b")],
)
def test_a_winning_chain_is_linked_from_edge_to_edge(line, seat):
    others = {"f6": "bM5"} if seat == "r" else {"f6": "rM5"}
    state, events = play(load(dict.fromkeys(line, f"{seat}F5") | others, step=3), "pass")
    assert TITLE.result(state)
    assert [card.label for card in TITLE.draw(TITLE.view(state, None), events).panel] == ["Turn 3"]
    without = load({"f6": "bM5", "a1": "rM5"})
    assert count(state, events, "<line ") == count(without, (), "<line ") + 7
    assert "dies" not in " ".join(labels(state, events).values())


def test_the_next_five_events():
    assert [str(item) for item in upcoming(1, 0)] == [
        "Red: place or move",
        "Blue: place or move",
        "Blue: births",
        "Red: births",
        "all age",
    ]
    assert [str(item) for item in upcoming(1, 3)] == [
        "Red: births",
        "all age",
        "Blue: place or move",
        "Red: place or move",
        "Red: births",
    ]
    assert [item.seat for item in upcoming(2, 2)] == [0, 1, None, 0, 1]


def test_the_whole_board_in_words():
    assert drawn(load(COUPLES)).label == (
        "Board of 6 by 6, turn 2. Red: 2 males, 3 females, reserve 3."
        " Blue: 1 male, 1 female, reserve 4."
        " Next: Red: births, Blue: births, all age, Red: place or move and Blue: place or move."
    )
    over, _ = TITLE.close(load(COUPLES))
    assert drawn(over).label.endswith("reserve 4. The match is a draw.")


def test_the_log_in_words():
    state = load(COUPLES)
    _, events = play(state, "+Fb2,Md3")
    assert [TITLE.describe(event, None) for event in events] == [
        "Red gives birth to a female on b2.",
        "Red gives birth to a male on d3.",
        "",
    ]
    _, events = play(state, "pass", "pass")
    assert [TITLE.describe(event, None) for event in events] == [
        "Blue has no births this turn.",
        "",
        "The red female on e4 dies. Everyone else ages one turn.",
    ]
    _, events = play(load(COUPLES, step=0), "M1f6")
    assert TITLE.describe(events[0], None) == "Blue places a male with 1 life turn on f6."
    _, events = play(load(COUPLES, step=0), "e3-f2")
    assert TITLE.describe(events[0], None) == "Blue moves a male from e3 to f2."


@pytest.mark.parametrize(
    ("ending", "ranks", "words"),
    [
        ("last-alive", [2, 1], "Blue wins: only Blue’s people are still alive."),
        ("connected", [1, 2], "Red wins: Red’s pieces join their two sides of the board."),
        ("nobody-alive", [1, 1], "The match is a draw: nobody is alive any more."),
        ("dropped", [1, 2], "Red wins."),
        ("closed", [1, 1], "The match is a draw."),
    ],
)
def test_every_ending_in_words(ending, ranks, words):
    assert TITLE.describe(Ended(ending=ending, ranks=tuple(ranks)), None) == words


def test_dots_on_what_can_be_chosen_hide_no_number_and_no_sign():
    middles = svg.middles_of(drawn(load({**COUPLES, "c1": "bM5"}, rip=["f6"])))
    assert not middles.keys() & COUPLES.keys()
    (bare_x, bare_y), (rip_x, rip_y), (sign_x, _) = (middles[name] for name in ("f1", "f6", "d4"))
    assert (bare_x - rip_x, middles["a6"][1] - rip_y) == (-18, -18)
    assert sign_x - middles["d1"][0] == 18
    assert bare_y == middles["a1"][1]


def test_the_strip_shows_an_empty_reserve():
    tallies = TITLE.tallies(TITLE.view(load(COUPLES, reserve=[0, 4]), None), Seat(0))
    assert [(one.value, one.label) for one in tallies] == [(5, "people"), (0, "turns in reserve")]
