"""Dice Is Health, Strength, and Money: the board, movement and payments."""

from collections import Counter
from itertools import islice

import pytest

from games.kernel.errors import NotYourTurn
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.board import (
    DIE_SPACES,
    NEIGHBOURS,
    SPACES,
    WALL_SPACES,
    distances,
    farthest_first,
)
from games.titles.dice_is_health.moves import parse
from games.titles.dice_is_health.tests.fixtures import (
    NEXT,
    has,
    load,
    moves,
    play,
    position,
    refusal,
    start,
)
from tests.title_driver import fields, types

BLUE = ("i9", 0, 0)

# --- The board ----------------------------------------------------------------------------------


def test_spaces_have_names_and_their_order():
    assert SPACES[:2] == ("o0", "o1")
    assert SPACES[18:] == tuple(f"i{n}" for n in range(18))
    assert list(WALL_SPACES) == [
        *("o1", "o4", "o7", "o10", "o13", "o16"),
        *("i2", "i8", "i14"),
    ]
    assert len(DIE_SPACES) == 12


@pytest.mark.parametrize("fan", range(6))
def test_three_bridges_a_third_of_a_turn_apart(fan):
    near = NEIGHBOURS[fan]
    bridges = [space for space in SPACES if len(near[space]) == 3]
    assert bridges == [f"{ring}{fan + third}" for ring in "oi" for third in (0, 6, 12)]
    assert all(space in near[other] for space in SPACES for other in near[space])


def test_distances_go_over_bridges():
    far = distances("i0", 0)
    assert (far["o0"], far["o17"], far["i9"], far["o9"]) == (1, 2, 9, 10)


def test_die_spaces_are_ordered_by_distance_then_going_up():
    assert farthest_first("i0", 0)[:5] == ("o9", "o8", "o11", "o6", "o12")


@pytest.mark.parametrize(("seats", "homes"), [(2, "i0 i9"), (3, "i0 i6 i12"), (4, "i0 i4 i9 i13")])
def test_the_setup(seats, homes):
    data = TITLE.dump(start(seats, chance=[6, 18, 5, 2, 3]))
    assert [player["at"] for player in data["players"]] == homes.split()
    assert [player["home"] for player in data["players"]] == homes.split()
    assert (data["fan"], data["monsters"], data["roll"]) == (5, ["o17"], [2, 3, 5])
    assert (data["round"], data["turn"], data["phase"]) == (1, 0, "move")
    assert data["pickups"] == list(DIE_SPACES)


# --- The movement -------------------------------------------------------------------------------


def test_all_steps_are_used_in_any_order_and_mixture():
    state = load(("i0", 1, 0), BLUE, roll=[1, 2, 2])
    after, events = play(state, "P>i1 F+ P>o1 F+ M1>o9")
    data = TITLE.dump(after)
    assert (has(after, 0), data["fan"], data["monsters"]) == (("o1", 1, 0), 2, ["o9"])
    assert events[0].path == ("i0", "i1", "o1")
    assert events[0].fan == (0, 1, 2)
    assert events[0].monsters == {"1": ("o10", "o9")}
    assert "all steps" in refusal(state, "P>i1 F+ P>o1 F+")
    assert "no steps left" in refusal(state, "P>i1 P>i2 P>i3 F+ F+ M1>o9")
    assert "turned enough" in refusal(state, "F+ F+ F+ P>i1 P>i2 M1>o9")
    assert "one direction" in refusal(state, "F+ F- P>i1 P>i2 M1>o9")
    assert "not next to" in refusal(state, "P>o1 P>o2 F+ F+ M1>o9")
    assert "no monster 2" in refusal(state, "P>i1 P>i2 F+ F+ M2>o9")


def test_monsters_share_their_steps_in_any_split():
    state = load(("i0", 1, 0), BLUE, roll=[2, 2, 2], monsters=["o10", "o4"])
    ways = Counter()
    for text in moves(state):
        steps = [word[:2] for word in text.split() if word[0] == "M"]
        ways["".join(sorted(steps))] += 1
    assert set(ways) == {"M1M1", "M1M2", "M2M2"}


def test_nobody_steps_straight_back_unless_there_is_no_other_step():
    state = load(("i5", 1, 0), BLUE, roll=[1, 1, 2])
    assert "straight back" in refusal(state, "P>i6 P>i5 F+ M1>o9")
    state = load(("i3", 1, 0), BLUE, roll=[1, 1, 2], walls={"i2": 0})
    play(state, "P>i2 P>i1 F+ M1>o9")
    state = load(("o5", 1, 0), BLUE, roll=[1, 1, 2], walls={"o7": 1})
    play(state, "P>o6 P>i6 F+ M1>o9")
    after, _ = play(state, "F+ P>o6 P>o5 M1>o9")
    assert has(after, 0)[0] == "o5"
    assert "straight back" in refusal(state, "P>o6 P>o5 F+ M1>o9")


def test_walls_keep_others_and_all_monsters_out():
    state = load(("i3", 1, 0), BLUE, walls={"i2": 1, "o10": 0, "o1": 0}, monsters=["o11"])
    assert "a wall on inner 2" in refusal(state, "P>i2 F+ M1>o12")
    assert "a wall on outer 10" in refusal(state, "P>i4 F+ M1>o10")
    own = load(("o2", 1, 0), BLUE, walls={"o1": 0})
    play(own, "P>o1 F+ M1>o9")


def test_passing_over_and_stopping_on_others_is_allowed():
    state = load(("o8", 1, 0), ("o9", 0, 0), ("i12", 0, 0), roll=[1, 1, 3], monsters=["o12"])
    after, _ = play(state, "P>o9 P>o10 P>o11 F+ M1>o11")
    assert has(after, 0)[0] == "o11"
    assert TITLE.dump(after)["monsters"] == ["o11"]


@pytest.mark.parametrize(("dice", "taken"), [(0, 1), (2, 3), (3, 3)])
def test_who_ends_on_a_die_takes_it_if_there_is_room(dice, taken):
    state = load(("o1", dice, 0), BLUE)
    after, events = play(state, "P>o2 F+ M1>o9")
    assert has(after, 0)[1] == taken
    assert ("o2" in TITLE.dump(after)["pickups"]) == (dice == 3)
    assert ("pick-up" in types(events)) == (dice < 3)


def test_a_die_passed_over_stays():
    state = load(("o1", 1, 0), BLUE, roll=[1, 1, 3])
    after, _ = play(state, "P>o2 P>o3 P>o4 F+ M1>o9")
    assert has(after, 0) == ("o4", 1, 0)


def test_movements_are_listed_lazily_in_the_order_of_their_texts():
    state = load(("i0", 0, 0), BLUE, roll=[6, 6, 6], monsters=["o10", "o12", "o3"])
    first = list(map(str, islice(TITLE.moves(state, 0), 2000)))
    assert first == sorted(first)
    assert first[0].startswith("F+ F+ F+ F+ F+ F+ M1>")
    few = load(("i0", 0, 0), BLUE, roll=[1, 1, 2])
    assert moves(few) == sorted(set(moves(few)))


# --- Payments -----------------------------------------------------------------------------------


def test_without_dice_there_is_nothing_to_spend_and_the_turn_goes_on():
    after, events = play(load(("i0", 0, 0), BLUE), "P>i1 F+ M1>o9", chance=[3, 1, 2])
    data = TITLE.dump(after)
    assert (data["turn"], data["phase"], data["roll"]) == (1, "move", [1, 2, 3])
    assert types(events) == ["move", "turn", "roll"]


def test_walls_go_up_on_marked_spaces_free_or_anothers_with_nobody_else_on_them():
    state = load(("o4", 2, 0), ("o7", 0, 0), ("i12", 0, 0), phase="spend", walls={"i2": 0, "i8": 2})
    asked, events = play(state, "wall", chance=[3])
    assert types(events) == ["pay", "spawn", "build"]
    assert TITLE.dump(asked)["pending"] == {"count": 3}
    assert "no more walls" in refusal(asked, "walls o1 o4 o13 o16")
    assert "not marked" in refusal(asked, "walls o2")
    assert "yours already" in refusal(asked, "walls i2")
    assert "another player" in refusal(asked, "walls o7")
    assert "another player" in refusal(asked, "walls o10")
    assert "where your walls go" in refusal(asked, "done")
    built, events = play(asked, "walls i8 o4")
    assert TITLE.dump(built)["walls"] == {"o4": 0, "i2": 0, "i8": 0}
    assert fields(events[0]) == {"spaces": ["o4", "i8"], "taken": {"i8": 2}}
    assert TITLE.dump(built)["phase"] == "spend"
    none, _ = play(asked, "walls")
    assert TITLE.dump(none)["walls"] == {"i2": 0, "i8": 2}


def test_walls_with_nothing_to_take_are_passed_over():
    own = dict.fromkeys(["o1", "o4", "o7", "o13", "o16", "i2", "i8", "i14"], 0)
    state = load(("i0", 2, 0), BLUE, phase="spend", walls=own)
    after, events = play(state, "wall", chance=[6])
    assert TITLE.dump(after)["phase"] == "spend"
    assert types(events) == ["pay", "spawn", "build"]


def test_monsters_are_summoned_where_neither_a_player_nor_a_wall_is():
    state = load(("i0", 2, 0), BLUE, phase="spend", walls={"o1": 0})
    assert "wall on outer 1" in refusal(state, "summon o1")
    assert "player stands" in refusal(state, "summon i9")
    after, _ = play(state, "summon o10")
    assert TITLE.dump(after)["monsters"] == ["o10", "o10"]
    assert has(after, 0) == ("i0", 1, 0)
    crowd = load(("i0", 2, 0), BLUE, phase="spend", monsters=["o10"] * 8)
    assert moves(crowd) == ["done", "wall"]
    assert "8 monsters" in refusal(crowd, "summon o5")


@pytest.mark.parametrize(
    ("at", "fan", "missing", "spawned"),
    [
        ("i0", 0, "o5 o6 o8 o9 o11 o12", "o9"),
        ("i0", 3, "o0 o2 o3 o14 o15 o17", "o0"),
        ("o4", 5, "o0 o2 o3 o12 o14 o15", "o12"),
        ("i10", 0, "o3 o5 o6 o8 o9 o17", "o17"),
    ],
)
def test_a_payment_lies_farthest_away_of_several_the_first_going_up(at, fan, missing, spawned):
    pickups = [space for space in DIE_SPACES if space not in missing.split()]
    state = load((at, 3, 0), ("i12", 3, 0), fan=fan, phase="spend", pickups=pickups)
    after, events = play(state, "summon o7")
    assert fields(events[1]) == {"at": spawned}
    assert set(TITLE.dump(after)["pickups"]) == {*pickups, spawned}


def test_walls_do_not_lengthen_the_way_of_a_payment():
    missing = ["o5", "o6", "o8", "o9", "o11", "o12"]
    pickups = [space for space in DIE_SPACES if space not in missing]
    walls = {"o16": 1, "o1": 1, "i2": 1, "i14": 1}
    state = load(("i0", 3, 0), ("i12", 3, 0), phase="spend", pickups=pickups, walls=walls)
    _, events = play(state, "summon o7")
    assert fields(events[1]) == {"at": "o9"}


def test_dice_may_be_spent_any_number_of_times():
    state = load(("i0", 3, 0), BLUE, phase="spend")
    after, events = play(state, "summon o5", "wall", "walls o4", "summon o6", chance=[1, *NEXT])
    data = TITLE.dump(after)
    assert (data["turn"], data["walls"], data["monsters"]) == (1, {"o4": 0}, ["o10", "o5", "o6"])
    assert len(data["pickups"]) == 12
    assert types(events).count("pay") == 3


def test_the_movement_comes_first_and_only_from_the_seat_on_turn():
    state = load(("i0", 1, 0), BLUE)
    assert "begins with the movement" in refusal(state, "done")
    with pytest.raises(NotYourTurn):
        TITLE.play(state, 1, parse("P>i10 F+ M1>o9"), None)
    assert "only spend dice" in refusal(load(("i0", 1, 0), BLUE, phase="spend"), "go o1")


def test_positions_of_the_tests_are_whole():
    assert TITLE.dump(load(("i0", 1, 0), BLUE)) == position([("i0", 1, 0), BLUE])
