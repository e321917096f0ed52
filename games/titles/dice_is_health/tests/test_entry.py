"""Dice Is Health, Strength, and Money: move entry, what it shows and what it says."""

import pytest

from games.kernel.decoding import decode
from games.kernel.errors import MalformedMove
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.moves import parse
from games.titles.dice_is_health.state import MovementView
from games.titles.dice_is_health.tests.fixtures import load

BLUE = ("i9", 1, 0)


def ask(state, typed=""):
    return TITLE.options(state, TITLE.actors(state)[0], typed)


def texts(state, typed=""):
    return [choice.text for choice in ask(state, typed).next]


def marks(state, typed=""):
    return [choice.marks for choice in ask(state, typed).next]


# --- The notation -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "text"),
    [
        ("p>I1f+F-  m1 > o8", "P>i1 F+ F- M1>o8"),
        ("WALLS i2 o10 o1", "walls o1 o10 i2"),
        ("walls", "walls"),
        ("Fight m2", "fight M2"),
        ("fight BLUE", "fight blue"),
        ("strip o4 O1", "strip o1 o4"),
    ],
)
def test_parsing_forgives_case_blanks_and_order(typed, text):
    assert str(parse(typed)) == text
    assert parse(text) == parse(typed)


@pytest.mark.parametrize(
    "typed", ["", "P>o18", "M9>o1", "M0>o1", "walls o1 o1", "strip", "go", "fight m0", "F+" * 19]
)
def test_what_is_no_move_is_refused(typed):
    with pytest.raises(MalformedMove):
        parse(typed)


# --- The movement -------------------------------------------------------------------------------


def test_one_turns_the_fan_walks_or_clicks_another_piece():
    state = load(("i0", 1, 0), BLUE, roll=[1, 1, 2], monsters=["o10", "o12"])
    assert texts(state)[:4] == ["F+ ", "F- ", "P>i1 ", "P>i17 "]
    assert texts(state)[-2:] == ["M1>", "M2>"]
    assert marks(state)[:4] == [("fan+",), ("fan-",), ("i1",), ("i17",)]
    assert marks(state)[-2:] == [("monster-1",), ("monster-2",)]
    assert texts(state, "P>")[:2] == ["i1 ", "i17 "]
    assert texts(state, "P>i1 F+ M2>o11 ") == ["P>i2", "P>o1"]
    assert ask(state, "P>i1 F+ M2>o11 P>o1").complete


def test_the_only_piece_with_steps_left_is_selected():
    state = load(("i0", 1, 0), BLUE, roll=[1, 1, 1], monsters=["o10"])
    assert texts(state, "P>i1 F+ ") == ["M1>o11", "M1>o9"]


def test_a_piece_walks_to_any_space_in_reach_and_stays_selected():
    state = load(("i0", 1, 0), BLUE, roll=[2, 3, 3], monsters=["o9"])
    ways = dict(zip(marks(state), texts(state), strict=True))
    assert ways["i3",] == "P>i1 P>i2 P>i3 "
    assert ways["o17",] == "P>o0 P>o17 "
    assert ways["fan++",] == "F+ F+ F+ "
    assert [choice.label for choice in ask(state).next if choice.marks == ("o2",)] == [
        "outer 2, a die: 3 steps"
    ]
    assert ("o11",) in marks(state, "M1>o10 ")
    assert ("player-0",) in marks(state, "M1>o10 ")
    assert ("i1",) in marks(state, "M1>o10 M1>o11 ")


def test_another_piece_walks_to_where_it_alone_can_get_without_being_chosen():
    state = load(("i0", 1, 0), BLUE, roll=[2, 3, 3], monsters=["o2"])
    ways = {choice.marks[0]: choice for choice in ask(state).next}
    assert (ways["o3"].text, ways["o3"].sign) == ("M1>o3 ", "")
    assert ways["o3"].label == "outer 3, a die: 1 step of monster 1"
    assert (ways["o1"].text, ways["o1"].sign) == ("P>o0 P>o1 ", "2")
    assert ways["i1"].text == "P>i1 "


def test_a_piece_that_cannot_be_chosen_stands_for_its_space():
    state = load(("i0", 1, 0), BLUE, roll=[1, 3, 3], monsters=["o1"])
    assert ("o1",) in marks(state)
    assert ("monster-1",) in marks(state)
    assert ("o2", "monster-1") in marks(state, "M1>o2 ")


def test_the_name_of_a_space_is_whole_where_that_leads_anywhere():
    state = load(("o0", 1, 0), BLUE, roll=[1, 1, 1])
    assert texts(state, "F+ M1>o9 P>o1") == []
    assert ask(state, "F+ M1>o9 P>o1").complete
    assert ask(state, "F+ M1>o9 P>o17").complete
    assert texts(state, "P>o1") == [" "]


def test_the_view_shows_the_steps_so_far_and_what_is_left_of_the_dice():
    state = load(("i0", 1, 0), BLUE, roll=[1, 2, 2])
    view = ask(state, "P>i1 F+ ").view
    assert (view.players[0].at, view.fan, view.left) == ("i1", 1, (1, 1, 1))
    view = ask(state, "P>i1 F+ P>o1 F+ M1>o9").view
    assert (view.players[0].at, view.monsters) == ("o1", ("o9",))
    assert (view.phase, view.roll, view.left) == ("move", (1, 2, 2), (0, 0, 0))
    assert view.dump().keys() == TITLE.dump(state).keys() | {"left", "move"}


def test_the_view_of_a_movement_survives_json():
    view = ask(load(("i0", 1, 0), BLUE, roll=[1, 2, 2]), "P>i1 F+ ").view
    assert decode(MovementView, view.dump()) == view


def test_the_prompt_says_what_is_left_of_the_die():
    state = load(("i0", 1, 0), BLUE, roll=[1, 2, 2])
    assert ask(state, "P>i1 F+ ").prompt == "Move your piece: 1 step to go."


@pytest.mark.parametrize(
    ("players", "fields", "typed", "told"),
    [
        ([("o1", 3, 0), BLUE], {}, "P>o2 F+ M1>o9", "You leave the die on outer 2"),
        (
            [("o6", 2, 1), BLUE],
            {},
            "P>i6 F+ M1>o9",
            "To win here you still need one more die.",
        ),
        ([("o11", 1, 0), BLUE], {}, "P>o10 F+ M1>o9", "(one die against three)"),
        (
            [("o11", 1, 0), BLUE],
            {"monsters": ["o9"]},
            "P>o10 F+ M1>o10",
            "you win about 1 in 85 (one die against three). A defeat costs you a die.",
        ),
        ([("i5", 1, 0), ("o9", 1, 0)], {}, "P>i4 F+ M1>o9", "Blue must fight monster 1: "),
        (
            [("i8", 1, 0), BLUE],
            {},
            "P>i9 F+ M1>o9",
            "You must fight Blue: you win 1 in 2 (one die against one).",
        ),
        ([("i7", 1, 0), BLUE], {}, "P>i8 F+ M1>o9", "You may fight Blue: you win 1 in 2"),
    ],
)
def test_a_whole_movement_says_what_comes_of_it(players, fields, typed, told):
    asked = ask(load(*players, **fields), typed)
    assert asked.complete
    assert told in asked.forecast


@pytest.mark.parametrize(
    ("players", "fields", "typed", "told"),
    [
        # the preview tells how the fight ends, and where the player is then
        ([("i1", 0, 0), ("i3", 1, 0)], {"monsters": ["i3"]}, "P>i2 F+ M1>i2", ""),
        # with a die one is asked first how to spend it
        ([("i1", 1, 0), ("i4", 1, 0)], {"monsters": ["i3"]}, "P>i2 F+ M1>i2", "You must fight"),
        # nothing else happens before the next turn
        ([("i1", 0, 0), BLUE], {}, "P>i2 F+ M1>o9", "Your turn ends, and Blue rolls."),
    ],
)
def test_what_the_preview_tells_is_not_forecast(players, fields, typed, told):
    forecast = ask(load(*players, **fields), typed).forecast
    assert forecast.startswith(told) if told else not forecast


# --- Everything else ----------------------------------------------------------------------------


def test_payments():
    state = load(("i0", 1, 0), BLUE, phase="spend")
    assert texts(state) == ["wall", "summon ", "done"]
    assert ("o5",) in marks(state, "summon ")
    assert ask(state, "summon o1").complete
    assert texts(state, "summon o1") == []
    assert ask(state, "summon o12").complete
    assert texts(load(("i0", 1, 0), BLUE, phase="spend", monsters=["o5"] * 8)) == ["wall", "done"]


def test_walls_are_named_in_any_order_and_shown():
    state = load(("i0", 1, 0), BLUE, phase="walls", pending={"count": 2})
    assert texts(state)[:3] == ["walls", "walls o1", "walls o4"]
    assert marks(state)[:3] == [(), ("o1",), ("o4",)]
    asked = ask(state, "walls o4")
    assert asked.complete
    assert [choice.text for choice in asked.next][:2] == [" o1", " o7"]
    assert asked.view.walls == {"o4": 0}
    assert ask(state, "walls i8 o4").next == ()
    others = [" o4", " o7", " o13", " o16", " i2", " i8", " i14"]
    assert texts(state, "walls o1") == others
    with pytest.raises(MalformedMove):
        ask(state, "walls o10")


def test_just_so_many_walls_are_stripped():
    pending, walls = {"winner": 1, "loser": 0, "count": 2}, {"o1": 0, "o4": 0, "i2": 0}
    state = load(("o9", 1, 0), ("o9", 1, 0), phase="strip", pending=pending, walls=walls)
    assert ask(state).prompt == "Choose 2 walls of Red’s to take down."
    assert not ask(state, "strip o4").complete
    assert texts(state, "strip o4") == [" o1", " i2"]
    assert ask(state, "strip o4 o1").complete
    assert ask(state, "strip o4 o1").view.walls == {"i2": 0}


def test_fights_point_at_the_opponent():
    state = load(("o9", 1, 0), ("i9", 1, 0), phase="fight", monsters=["o10", "o8"])
    assert marks(state) == [("monster-1",), ("monster-2",), ()]
    state = load(("o9", 1, 0), ("o10", 1, 0), phase="challenge", monsters=["o2"])
    assert marks(state) == [("player-1",), ()]
    state = load(("o9", 1, 0), ("i9", 1, 0), phase="rampage", pending={"monster": 1})
    assert marks(state) == [("player-0",), ()]


def test_who_steps_away_is_said_to_who_chooses():
    pending = {"chooser": 1, "piece": 0, "part": "players", "monster": None}
    state = load(
        ("o9", 1, 0), ("o9", 1, 0), phase="go", pending=pending, fought=[[0, 1]], monsters=["o2"]
    )
    assert ask(state).prompt == "The fight is over. Choose the space Red steps away to."
    assert marks(state) == [("o8",), ("o10",)]
    assert TITLE.options(state, 0, "").next == ()


@pytest.mark.parametrize(
    ("typed", "mark", "said"),
    [
        ("", "o5", "Your piece can’t reach outer 5 with 1 step."),
        ("M1>", "o5", "Monster 1 can’t reach outer 5 with 1 step."),
        ("", "player-1", "You don’t move other players’ pieces."),
        ("", "o1", "Blue’s wall is on outer 1: only Blue can enter it."),
        ("P>i1 ", "player-0", "Your piece has no steps left."),
        ("M1>o11 ", "monster-1", "The monsters have no steps left."),
        ("P>i1 M1>o11 ", "o5", "No piece can move on: turn the fan."),
        ("F+ ", "fan-", "The fan has turned enough."),
    ],
)
def test_a_mark_that_leads_nowhere_in_a_movement_is_explained(typed, mark, said):
    state = load(("i0", 0, 0), BLUE, walls={"o1": 1})
    assert TITLE.explain(state, 0, typed, mark) == said


@pytest.mark.parametrize(
    ("phase", "mark", "said"),
    [
        ("spend", "o10", "The movement is over: spend a die, or go on."),
        ("fight", "monster-1", "Monster 1 is not next to you."),
        ("fight", "o12", "Choose a monster beside you, or don’t fight."),
        ("challenge", "player-1", "Blue is not next to you."),
        ("challenge", "i4", "Choose a player beside you, or don’t fight."),
    ],
)
def test_a_mark_that_leads_nowhere_after_a_movement_is_explained(phase, mark, said):
    beside = {"fight": ["o10", "i1"], "challenge": ["o10"]}.get(phase, ["o10"])
    others = [("i9", 0, 0), ("i1", 0, 0)] if phase == "challenge" else [("i9", 0, 0)]
    state = load(("i0", 1, 0), *others, phase=phase, monsters=beside)
    assert TITLE.explain(state, 0, "", mark) == said


def test_a_space_where_no_monster_appears_is_explained():
    state = load(("i0", 3, 0), BLUE, phase="spend")
    assert TITLE.explain(state, 0, "summon ", "i9") == "A player stands on inner 9."


def test_a_monster_to_be_summoned_is_on_the_board_and_its_die_is_spent():
    state = load(("i0", 2, 0), ("i9", 0, 0), phase="spend", monsters=["o3"])
    assert TITLE.options(state, 0, "summon ").view is None
    view = TITLE.options(state, 0, "summon i15").view
    assert view.monsters == ("o3", "i15")
    assert view.player.dice == 1
    assert len(view.pickups) == len(state.pickups) + 1
