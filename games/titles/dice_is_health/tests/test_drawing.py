"""What the drawing and the log say: who stands where, how it came there, and how fights went."""

import math
import re
from itertools import combinations
from xml.etree import ElementTree

import pytest

from games.kernel import svg, svg_writer
from games.kernel.contract import Ended, Seat
from games.kernel.decoding import decode
from games.kernel.dice import RecordedDice
from games.titles.dice_is_health import TITLE, events
from games.titles.dice_is_health.board import SECTOR, SPACES, WALL_SPACES, unwound
from games.titles.dice_is_health.drawing import ARROWS, AT_LAST, draw
from games.titles.dice_is_health.drawing.scene import paths
from games.titles.dice_is_health.drawing.symbols import (
    GRIDS,
    TOKEN,
    absolute,
    band,
    corner,
    middle,
    places,
    point,
)
from games.titles.dice_is_health.state import MovementView, State
from games.titles.dice_is_health.story import describe
from games.titles.dice_is_health.tests.fixtures import load
from tests.title_driver import fields

HEAVIEST = 60_000
COUNT, DOT, BUTTON = 10, 4, 14.5
"""The height of the number on an arrow of the fan, and the radii of a plain dot and a button."""

MOVE = events.Moved(
    1,
    steps=("F+", "P>o9", "M2>o8", "F+", "P>o10"),
    path=("i9", "o9", "o10"),
    monsters={"2": ("o7", "o8")},
    fan=(5, 0, 1),
)


def player(at, home, dice=0, trinkets=0):
    return {"at": at, "home": home, "dice": dice, "trinkets": trinkets, "in": at is not None}


def view(**changes):
    plain = {
        "rounds": 100,
        "round": 3,
        "fan": 1,
        "players": [player("i0", "i0", 2, 1), player("o10", "i9", 1)],
        "dropped": [],
        "monsters": ["i4", "o8"],
        "pickups": ["o0", "o8"],
        "walls": {"o1": 0, "i2": 1},
        "turn": 1,
        "phase": "fight",
        "roll": None,
        "pending": None,
        "fought": [],
        "result": None,
    }
    return decode(MovementView if "move" in changes else State, {**plain, **changes})


def shown(recent=(), **changes):
    return svg_writer.render(draw(view(**changes), recent))


def labels(**changes):
    return dict(svg.marks_of(draw(view(**changes), ())))


# --- Marks ------------------------------------------------------------------------------------


def test_spaces_and_pieces_are_marks_and_say_what_they_are():
    found = labels()
    assert set(SPACES) < found.keys()
    assert found["o8"] == "outer 8: a die to pick up, monster 2"
    assert found["o1"] == "outer 1: Red’s wall, bridge to inner 1"
    assert found["i8"] == "inner 8: marked for a wall"
    assert found["i0"] == "inner 0: Red’s home, Red"
    assert found["o3"] == "outer 3: empty"
    assert found["player-0"] == "Red on inner 0, with 2 dice and 1 trinket"
    assert found["monster-1"] == "monster 1 on inner 4"


def test_the_fan_can_be_turned_while_there_is_a_movement_to_make():
    assert not {"fan+", "fan-"} & labels().keys()
    assert {"fan+", "fan-"} < labels(phase="move", roll=[1, 2, 3]).keys()


def test_a_dot_leaves_the_number_of_sectors_on_an_arrow_of_the_fan():
    drawing = draw(view(phase="move", roll=[1, 2, 3]), ())
    middles = svg.middles_of(drawing)
    for name, (x, y) in ARROWS.items():
        count = absolute((x, y))
        assert math.dist(count, middles[name]) > COUNT / 2 + DOT


def test_a_touch_hits_an_arrow_of_the_fan_beside_and_below_its_button():
    page = ElementTree.fromstring(shown(phase="move", roll=[1, 2, 3]))
    marks = {mark.get("data-mark"): mark for mark in page.iter() if mark.get("data-mark")}
    for name, (x, _) in ARROWS.items():
        area = next(one for one in marks[name].iter() if one.tag.endswith("path"))
        numbers = re.findall(r"-?[0-9.]+", area.get("d"))
        left, right = sorted(map(float, (numbers[0], numbers[2])))
        top, bottom = float(numbers[1]), float(numbers[-1])
        assert left < x - BUTTON < x + BUTTON < right
        assert bottom - top > 1.5 * 2 * BUTTON


def test_who_has_left_is_not_on_the_board():
    gone = [player("i0", "i0"), player("i9", "i6"), player(None, "i12")]
    assert "player-2" not in labels(players=gone, dropped=[2])


def test_a_piece_does_not_cover_the_space_on_which_another_may_go():
    drawing, back = draw(view(), ()), {"player-1": "/back"}
    assert 'href="/back"' in svg_writer.render(drawing, links=back, alternatives=back)
    drawn = svg_writer.render(drawing, links={**back, "o10": "/on"}, alternatives=back)
    assert drawn.count('href="/') == 1


def test_targets_do_not_lie_on_what_stands_there():
    middles = svg.middles_of(draw(view(), ()))
    for name in ("o8", "o10", "i0", "i4"):
        for (x, y), scale in places(name, 1):
            assert math.dist(middles[name], absolute((x, y))) > 0.5 * scale * TOKEN
    x, y = middles["o3"]
    assert math.dist((x, y), absolute(point(171, 3))) < 1


@pytest.mark.parametrize("space", SPACES)
def test_a_dot_with_a_sign_lies_wholly_on_its_space(space):
    for x, y in (middle(space), corner(space)):
        radius, angle = math.hypot(x, y), math.atan2(x, -y)
        aside = abs(math.remainder(angle - math.radians(20 * SECTOR[space]), math.tau))
        assert radius * math.sin(math.radians(10) - aside) > svg.SIGNED_DOT
        inside, outside = band(space)
        assert inside + svg.SIGNED_DOT < radius < outside - svg.SIGNED_DOT


@pytest.mark.parametrize("space", ["o0", "o1", "i0", "i2"])
@pytest.mark.parametrize("count", range(1, 14))
def test_however_many_share_a_space_they_stand_on_it_and_apart(space, count):
    found = places(space, count)
    assert len(found) == count
    for (x, y), _ in found:
        assert band(space).inside < math.hypot(x, y) < band(space).outside
        sector = math.degrees(math.atan2(x, -y)) / 20 % 18
        assert abs((sector - SECTOR[space] + 9) % 18 - 9) < 0.5
    for (one, scale), (other, _) in combinations(found, 2):
        assert math.dist(one, other) > 0.9 * scale * TOKEN


def test_there_is_a_grid_for_all_that_can_share_a_space():
    most = 8 + 4 + 1
    assert all(math.prod(grids[-1]) >= most for grids in GRIDS.values())


def test_the_fullest_board_is_light():
    crowd = [player("o3", home, 3) for home in ("i0", "i4", "i9", "i13")]
    walls = {s: n % 4 for n, s in enumerate(WALL_SPACES)}
    assert len(shown(players=crowd, monsters=["o3"] * 8, walls=walls).encode()) < HEAVIEST


# --- What moved -------------------------------------------------------------------------------


def test_all_parts_wait_for_each_other():
    found = paths([MOVE])
    assert found == {
        "fan": ["5", "0", "0", "0", "1", "1"],
        "player-1": ["i9", "i9", "o9", "o9", "o9", "o10"],
        "monster-2": ["o7", "o7", "o7", "o8", "o8", "o8"],
    }


def test_a_step_away_and_a_way_home_go_on_from_the_movement():
    away = events.SteppedAway(1, "o10", "o11", 0)
    home = events.WentHome(0, "o10", "i0")
    found = paths([MOVE, away, home])
    ring = [f"i{number}" for number in range(10, 18)]
    assert found["player-1"][-11:] == ["o10", *["o11"] * 10]
    assert found["player-0"] == ["o10"] * 7 + [*ring, "i0"]


def test_the_way_home_keeps_to_the_inner_ring():
    def way(start, end):
        return paths([events.WentHome(0, start, end)]).get("player-0")

    assert way("i2", "i0") == ["i2", "i1", "i0"]
    assert way("o0", "i0") == ["o0", "i0"]
    assert way("i0", "i0") is None


@pytest.mark.parametrize(
    ("fan", "turns"),
    [([4, 5, 0, 1], [4, 5, 6, 7]), ([1, 0, 5], [1, 0, -1]), ([3], [3]), ([2, 3, 2], [2, 3, 2])],
)
def test_the_fan_turns_on_and_never_jumps_back(fan, turns):
    assert unwound(fan) == turns


def test_the_drawing_tells_pages_how_its_parts_came_to_where_they_are():
    page = shown([MOVE])
    assert 'data-piece="fan" data-way="5 100;0 120;0 120;0 120;1 140;1 140"' in page
    assert page.count("data-way=") == len(["fan", "player-0", "player-1", "monster-1", "monster-2"])
    assert "i9 0 99;i9 0 99;o9 0 171;" in page


def test_what_is_asked_next_waits_for_the_pieces_that_move():
    def waiting(**changes):
        root = ElementTree.fromstring(shown([MOVE], **changes))
        groups = [node for node in root.iter() if node.get("class") == AT_LAST]
        return "".join(ElementTree.tostring(group, encoding="unicode") for group in groups)

    assert "may spend dice" in waiting(phase="spend")
    assert 'data-mark="fan++"' in waiting(phase="move", roll=[1, 3, 4])


def test_a_movement_being_entered_is_drawn_as_one_that_was_made():
    entered = {"phase": "move", "roll": [1, 3, 4], "left": [0, 1, 2], "move": MOVE.dump()}
    page = shown(**entered)
    assert 'data-way="5 100;0 120;0 120;0 120;1 140;1 140"' in page
    assert [f"of {pips}" in page for pips in (1, 3, 4)] == [True] * 3


def test_while_a_movement_is_entered_all_parts_have_ways_so_that_none_waits_for_a_step_alone():
    entered = {"phase": "move", "roll": [1, 3, 4], "left": [0, 1, 2], "move": MOVE.dump()}
    found = ElementTree.fromstring(shown(**entered)).iter()
    stops = [node.get("data-way").count(";") for node in found if node.get("data-way")]
    parts = ["fan", "player-0", "player-1", "monster-1", "monster-2"]
    assert stops == [len(MOVE.steps)] * len(parts)


def test_a_movement_is_shown_while_it_is_entered():
    state = TITLE.setup(2, {"rounds": 100}, RecordedDice([3, 8, 2, 1, 3]))
    found = TITLE.options(state, Seat(0), "F- P>i1 ")
    assert (found.view.fan, found.view.players[0].at) == (1, "i1")
    assert (found.view.roll, found.view.left) == ((1, 2, 3), (1, 1, 2))
    page = svg_writer.render(draw(found.view, ()))
    assert 'data-way="2 40;1 20;1 20"' in page
    assert state.fan == 2


# --- The hub and the table ----------------------------------------------------------------------


def test_the_hub_shows_both_sums_of_the_last_fight():
    rounds = events.MonsterRound((1, 2, 4), (3, 4)), events.MonsterRound((1, 1, 6), (6, 5))
    fight = events.Fought(1, 2, "o10", "o8", "choice", rounds, won=True)
    page = shown([fight])
    for said in (">7<", ">A tie: again<", ">8<", ">11<", ">Blue wins<"):
        assert said in page
    assert [throw.get("display") for throw in throws_in(page)] == ["none", None]
    after = shown([fight], phase="move", roll=[1, 2, 3])
    assert [throw.get("display") for throw in throws_in(after)] == ["none", "none"]


def test_each_throw_knows_how_many_steps_on_the_board_followed_it():
    thrown = events.MonsterRound((1, 2, 4), (1, 1))
    fights = [events.Fought(1, n, "o10", "o8", "choice", (thrown,), won=False) for n in (1, 2)]
    away = events.SteppedAway(1, "o10", "o11", 0)
    page = shown([MOVE, fights[0], away, fights[1], events.WentHome(0, "i2", "i0")])
    assert [throw.get("data-after") for throw in throws_in(page)] == ["3", "2"]


def throws_in(page):
    """The throws that a page stages, where the next dice may lie already."""
    return [one for one in ElementTree.fromstring(page).iter() if one.get("class") == "throw"]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "Blue may fight monsters"),
        (
            {"phase": "strip", "pending": {"winner": 0, "loser": 1, "count": 2}},
            "Red takes down 2 walls of Blue",
        ),
        (
            {
                "phase": "go",
                "pending": {"chooser": 0, "piece": 1, "part": "players", "monster": None},
            },
            "Red sends Blue away",
        ),
        ({"phase": "over", "result": [1, 2]}, "Red wins"),
        ({"phase": "over", "result": [1, 1]}, "Red and Blue draw"),
    ],
)
def test_the_board_says_who_is_asked(changes, said):
    assert said in shown(**changes)


def test_strips_and_not_the_board_count_what_everybody_has():
    assert 'href="#die"' not in shown(pickups=[])
    for seat, player in enumerate(view().players):
        counts = [tally.value for tally in TITLE.tallies(view(), seat)]
        assert counts == [player.dice, player.trinkets, len(view().walls_of(seat))]


# --- The log ----------------------------------------------------------------------------------

FIGHT = {"monster": 2, "at": "o7", "from": "o7", "by": "space", "won": True}
TIE, WON = {"player": [3, 4], "monster": [1, 2, 4]}, {"player": [5], "monster": [1, 1, 2]}
DUEL = {"other": 0, "at": "i4", "from": "i5", "by": "choice"}

TOLD = [
    ("roll", {"dice": [2, 3, 5]}, "Blue rolls 5; monsters 2, fan 3."),
    (
        "move",
        fields(MOVE),
        "Blue walks to outer 10, monster 2 to outer 8; fan 2 sectors clockwise.",
    ),
    ("pick-up", {"at": "o9", "dice": 1}, "Blue picks up the die."),
    ("pay", {"what": "wall", "dice": 0}, "Blue spends a die on walls."),
    ("pay", {"what": "summon", "dice": 2}, "Blue spends a die on a monster."),
    ("walls", {"spaces": [], "taken": {}}, "Blue puts up no walls."),
    ("spawn", {"at": "o17"}, "A new die appears on outer 17, the farthest space without a die."),
    (
        "walls",
        {"spaces": ["o1", "o4", "i2"], "taken": {"i2": 0}},
        "Blue puts up walls on outer 1 and outer 4. Blue takes over Red’s wall on inner 2.",
    ),
    (
        "fight",
        {**FIGHT, "rounds": [TIE, WON]},
        "Blue beats monster 2: 5 against 1 + 1 + 2 = 4, after 1 tie.",
    ),
    (
        "fight",
        {**FIGHT, "by": "choice", "from": "o8", "won": False, "rounds": []},
        "Monster 2 beats Blue: Blue has no dice.",
    ),
    (
        "duel",
        {**DUEL, "rounds": [{"mover": [1], "other": [2, 2]}], "winner": 0},
        "Red beats Blue: 2 + 2 = 4 against 1.",
    ),
    (
        "duel",
        {**DUEL, "rounds": [], "winner": 1},
        "Blue beats Red: Red has no dice.",
    ),
    (
        "duel",
        {**DUEL, "by": "space", "rounds": [], "winner": None},
        "Blue and Red fight without dice: nobody wins.",
    ),
    ("trinket", {"trinkets": 2, "of": 0}, "Blue gets a trinket from Red."),
    ("go", {"from": "o7", "to": "o8", "chooser": 1}, "Blue steps away to outer 8."),
    ("go", {"from": "o7", "to": "o8", "chooser": 0}, "Red sends Blue away to outer 8."),
    (
        "home",
        {"from": "o7", "to": "i9"},
        "Blue goes home to inner 9.",
    ),
    ("strip", {"loser": 0, "spaces": ["o1"]}, "Blue takes Red’s wall on outer 1 down."),
    ("done", {"phase": "spend"}, "Blue spends no more dice."),
    ("attack", {"monster": 2, "target": 0}, "Blue lets monster 2 attack Red."),
    (
        "leave",
        {"at": "o1", "dice": 2, "trinkets": 1, "walls": ["o1"]},
        "Blue leaves the match with 2 dice, 1 trinket and 1 wall.",
    ),
    ("leave", {"at": "o1", "dice": 0, "trinkets": 0, "walls": []}, "Blue leaves the match."),
    ("turn", {}, ""),
]


@pytest.mark.parametrize(("kind", "data", "told"), TOLD)
def test_the_log_tells_it(kind, data, told):
    assert describe(TITLE.read_event({"type": kind, "seat": 1, **data}), None) == told


def test_the_log_tells_in_few_words_where_monsters_and_the_fan_go():
    assert TITLE.headline(MOVE, 0) == "To outer 10, monster 2 to outer 8; fan 2 sectors clockwise"


@pytest.mark.parametrize(
    ("seat", "monster", "by", "told"),
    [
        (0, 2, "space", "Blue moves monster 2 to outer 8."),
        (0, 1, "space", ""),
        (0, 2, "choice", ""),
        (1, 2, "space", ""),
    ],
)
def test_who_fights_reads_which_player_moved_the_monster_there(seat, monster, by, told):
    fight = events.Fought(seat, monster, "o8", "o8", by, (), won=False)
    assert TITLE.cause([MOVE, fight], seat) == told


@pytest.mark.parametrize(
    ("ending", "ranks", "told"),
    [
        ("back", [2, 1], "Blue wins: Blue is back in the middle with three dice and a trinket."),
        ("rounds-up", [1, 1, 3], "A draw between Red and Blue: the last round is over."),
        ("closed", [1, 1], "The match is a draw."),
        ("dropped", [1, 2], "Red wins."),
    ],
)
def test_the_log_tells_the_end(ending, ranks, told):
    assert describe(Ended(ending=ending, ranks=tuple(ranks)), None) == told


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("F+ ", "Move your piece: 2 steps to go."),
        ("P>", "Move your piece: 2 steps to go."),
        ("F+ M1>", "Move monster 1: 2 steps to go."),
        ("P>i1 P>i2 M1>o9 M1>o8 ", "Turn the fan with the arrows: 2 sectors to go."),
    ],
)
def test_a_movement_asks_where_to_step(typed, said):
    state = load(("i0", 2, 0), ("i9", 0, 0), roll=[2, 2, 2])
    assert TITLE.options(state, Seat(0), typed).prompt == said


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("", "Spend one of your 2 dice?"),
        ("summon ", "Choose a space for the new monster."),
    ],
)
def test_a_choice_is_asked_for(typed, said):
    state = load(("i0", 2, 0), ("i9", 0, 0), phase="spend")
    assert TITLE.options(state, Seat(0), typed).prompt == said


@pytest.mark.parametrize(
    ("other", "monsters", "said"),
    [
        ("i9", ["o3"], "Spend your die?"),
        ("i9", ["o3", "i0"], "Spend your die? You fight monster 2 next."),
        ("i0", ["i0"], "Spend your die? You fight monster 1 and Blue next."),
    ],
)
def test_before_a_fight_the_question_for_dice_says_so(other, monsters, said):
    state = load(("i0", 1, 0), (other, 0, 0), phase="spend", monsters=monsters)
    assert TITLE.options(state, Seat(0), "").prompt == said
