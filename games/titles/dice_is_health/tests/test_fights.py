"""Dice Is Health, Strength, and Money: fights with monsters and players, and what they cost."""

import pytest

from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.tests.fixtures import NEXT, has, load, moves, play, refusal
from tests.title_driver import fields, types

BLUE = ("i9", 0, 0)
LOW, HIGH = [1, 1, 1], [6, 6, 6]

# --- Against monsters ---------------------------------------------------------------------------


def test_who_stands_on_a_monsters_space_must_fight_and_then_steps_away():
    state = load(("o10", 2, 0), BLUE, phase="spend")
    asked, events = play(state, "done", chance=[*LOW, 2, 3])
    data = TITLE.dump(asked)
    assert fields(events[1]) == {
        "monster": 1,
        "at": "o10",
        "from": "o10",
        "by": "space",
        "won": True,
        "rounds": [{"monster": LOW, "player": [2, 3]}],
    }
    assert (data["phase"], data["fought"], has(asked, 0)) == ("go", [[0, 1]], ("o10", 2, 1))
    assert moves(asked) == ["go o11", "go o9"]
    assert "o9 or o11" in refusal(asked, "go i10")
    after, events = play(asked, "go o9", chance=NEXT)
    assert has(after, 0) == ("o9", 2, 1)
    assert types(events) == ["go", "turn", "roll"]


def test_ties_are_thrown_again():
    state = load(("o10", 1, 0), BLUE, phase="spend")
    _, events = play(state, "done", chance=[2, 1, 1, 4, 1, 1, 1, 3, 1, 1, 1, 4])
    assert fields(events[1])["rounds"] == [
        {"monster": [2, 1, 1], "player": [4]},
        {"monster": [1, 1, 1], "player": [3]},
        {"monster": [1, 1, 1], "player": [4]},
    ]
    assert events[1].won is True


def test_the_mover_may_fight_monsters_beside_it_each_once():
    state = load(("o9", 1, 0), BLUE, phase="spend", monsters=["o10", "o8", "o12"])
    asked, _ = play(state, "done")
    assert moves(asked) == ["done", "fight M1", "fight M2"]
    assert "not next to" in refusal(asked, "fight M3")
    assert "no monster 4" in refusal(asked, "fight M4")
    asked, _ = play(asked, "fight M1", chance=[*LOW, 6])
    assert has(asked, 0) == ("o9", 1, 1)
    assert moves(asked) == ["done", "fight M2"]
    assert "already" in refusal(asked, "fight M1")
    after, events = play(asked, "done", chance=NEXT)
    assert types(events) == ["done", "turn", "roll"]
    assert TITLE.dump(after)["fought"] == []


def test_no_more_than_two_trinkets_circulate():
    state = load(("o9", 1, 1), ("i9", 0, 1), phase="spend")
    after, events = play(state, "done", "fight M1", chance=[*LOW, 6, *NEXT])
    assert "no-trinket" in types(events)
    assert has(after, 0) == ("o9", 1, 1)


def test_who_loses_to_a_monster_loses_a_die_and_a_trinket_and_steps_away():
    state = load(("o9", 2, 2), ("i12", 0, 0), phase="fight", monsters=["o10"], fan=3)
    asked, events = play(state, "fight M1", chance=[*HIGH, 1, 1])
    assert types(events) == ["fight", "lose-die", "spawn", "lose-trinket"]
    assert has(asked, 0) == ("o9", 1, 1)
    assert TITLE.dump(asked)["pending"] == {
        "chooser": 0,
        "piece": 0,
        "part": "monsters",
        "monster": 1,
    }
    assert moves(asked) == ["go i9", "go o8"]


def test_the_only_way_is_taken_by_itself_and_the_monster_may_attack_on():
    state = load(("o9", 2, 0), BLUE, phase="fight", monsters=["o10", "o5"])
    after, events = play(state, "fight M1", chance=[*HIGH, 1, 1, *NEXT])
    assert types(events) == ["fight", "lose-die", "spawn", "go", "turn", "roll"]
    assert has(after, 0) == ("o8", 1, 0)


def test_who_has_nowhere_to_go_stays():
    state = load(("o8", 1, 0), BLUE, phase="fight", walls={"o7": 1}, monsters=["o9", "o9"])
    after, events = play(state, "fight M1", chance=[*HIGH, 1])
    assert types(events) == ["fight", "lose-die", "spawn", "stay"]
    assert has(after, 0) == ("o8", 0, 0)
    assert moves(after) == ["done", "fight M2"]


def test_without_dice_one_loses_without_a_roll_and_goes_home():
    state = load(("o9", 0, 1), BLUE, monsters=["o9"])
    after, events = play(state, "P>o10 F+ M1>o10", chance=NEXT)
    assert (events[1].won, events[1].rounds) == (False, ())
    assert types(events) == ["move", "fight", "home", "lose-trinket", "turn", "roll"]
    assert has(after, 0) == ("i0", 0, 0)


def test_the_lost_die_is_measured_from_where_the_fight_was():
    pickups = ["o2", "o3", "o5", "o6", "o8", "o9", "o11", "o12", "o14", "o15"]
    state = load(("i0", 2, 0), BLUE, phase="fight", fan=3, monsters=["i1"], pickups=pickups)
    _, events = play(state, "fight M1", chance=[*HIGH, 1, 1, *NEXT])
    assert fields(events[2]) == {"at": "o0"}


def test_players_in_turn_order_fight_the_lowest_monster_first():
    players = [("o2", 1, 0), ("o9", 1, 0), ("o2", 1, 0)]
    state = load(*players, phase="spend", turn=1, monsters=["o2", "o9", "o9"])
    asked, events = play(state, "done", chance=[*LOW, 6])
    assert [(e.seat, e.monster) for e in events if e.type == "fight"] == [(1, 2)]
    assert TITLE.dump(asked)["pending"]["chooser"] == 1
    asked, events = play(asked, "go o8", chance=[*LOW, 6])
    assert [(e.seat, e.monster) for e in events if e.type == "fight"] == [(2, 1)]
    assert TITLE.actors(asked) == (2,)
    asked, events = play(asked, "go o3", chance=[*LOW, 6])
    assert [(e.seat, e.monster) for e in events if e.type == "fight"] == [(0, 1)]
    assert has(asked, 0)[0] == "o1"
    assert TITLE.actors(asked) == (1,)
    assert moves(asked) == ["done", "fight M3"]


def test_the_mover_sends_a_monster_that_won_on_at_any_player_near_it():
    players = [("o9", 1, 0), ("o11", 0, 0), ("o10", 0, 0), ("i13", 0, 0)]
    state = load(*players, phase="fight", fought=[[2, 1]])
    asked, _ = play(state, "fight M1", chance=[*HIGH, 1])
    data = TITLE.dump(asked)
    assert (data["phase"], data["pending"]) == ("rampage", {"monster": 1})
    assert has(asked, 0) == ("o8", 0, 0)
    assert moves(asked) == ["attack blue", "done"]
    assert "already" in refusal(asked, "attack green")
    assert "not next to the monster" in refusal(asked, "attack yellow")
    after, events = play(asked, "attack blue", chance=NEXT)
    assert types(events) == ["attack", "fight", "home", "turn", "roll"]
    assert events[1].by == "rampage"
    assert has(after, 1)[0] == "i4"


def test_a_monster_may_be_sent_at_the_mover_too():
    players = [("o9", 1, 0), ("o10", 0, 0)]
    state = load(*players, phase="spend")
    asked, events = play(state, "done")
    assert types(events) == ["done", "fight", "home"]
    assert moves(asked) == ["attack red", "done"]
    after, _ = play(asked, "attack red", chance=[*LOW, 6, *NEXT])
    assert has(after, 0) == ("o9", 1, 1)


def test_a_home_coming_may_force_the_next_fight():
    state = load(("o9", 0, 0), BLUE, monsters=["i0", "o11"])
    _, events = play(state, "P>o10 F+ M2>o10", chance=NEXT)
    assert [event.monster for event in events if event.type == "fight"] == [2, 1]
    assert fields(events[-3]) == {"from": "i0", "to": "i0"}


# --- Against players ----------------------------------------------------------------------------


def test_who_lands_on_a_player_must_fight_the_mover_throwing_first():
    state = load(("o8", 2, 0), ("o9", 1, 1), phase="spend", monsters=["o2"])
    asked, _ = play(state, "done")
    assert moves(asked) == ["done", "fight blue"]
    state = load(("o9", 2, 0), ("o9", 1, 1), phase="spend", monsters=["o2"])
    asked, events = play(state, "done", chance=[2, 2, 4, 5, 1, 5])
    assert fields(events[1]) == {
        "other": 1,
        "at": "o9",
        "from": "o9",
        "by": "space",
        "winner": 0,
        "rounds": [{"mover": [2, 2], "other": [4]}, {"mover": [5, 1], "other": [5]}],
    }
    assert types(events) == ["done", "duel", "lose-die", "spawn", "trinket"]
    assert fields(events[-1]) == {"trinkets": 1, "of": 1}
    assert (has(asked, 0), has(asked, 1)) == (("o9", 2, 1), ("o9", 0, 0))
    assert TITLE.dump(asked)["pending"] == {
        "chooser": 0,
        "piece": 0,
        "part": "players",
        "monster": None,
    }
    assert moves(asked) == ["go o10", "go o8"]


def test_the_winner_says_where_the_mover_goes_even_on_anothers_turn():
    state = load(("o9", 1, 1), ("o9", 1, 0), phase="spend", monsters=["o2"])
    asked, _ = play(state, "done", chance=[1, 2])
    assert (has(asked, 0), has(asked, 1)) == (("o9", 0, 0), ("o9", 1, 1))
    assert TITLE.actors(asked) == (1,)
    after, events = play(asked, "go o10", chance=NEXT)
    assert has(after, 0)[0] == "o10"
    assert (events[0].seat, events[0].chooser) == (0, 1)


def test_a_loser_without_dice_goes_home_and_nobody_steps_away():
    state = load(("o9", 1, 0), ("o9", 0, 2), phase="spend", monsters=["o2"])
    after, events = play(state, "done", chance=NEXT)
    assert types(events) == ["done", "duel", "home", "trinket", "turn", "roll"]
    assert (has(after, 0), has(after, 1)) == (("o9", 1, 1), ("i9", 0, 1))


def test_where_neither_has_dice_nobody_wins_and_the_mover_chooses():
    state = load(("o11", 0, 0), ("o10", 0, 1), monsters=["o2"], fan=1)
    asked, events = play(state, "P>o10 F+ M1>o3")
    assert events[-1].winner is None
    assert (TITLE.actors(asked), TITLE.dump(asked)["phase"]) == ((0,), "go")
    after, _ = play(asked, "go o9", chance=NEXT)
    assert (has(after, 0), has(after, 1)) == (("o9", 0, 0), ("o10", 0, 1))


@pytest.mark.parametrize(("roll", "left"), [(2, 1), (3, 0), (6, 0)])
def test_the_loser_loses_as_many_walls_as_the_winner_rolls(roll, left):
    walls = {"o1": 1, "o4": 1, "i2": 1, "i8": 0}
    state = load(("o8", 1, 0), ("o9", 1, 0), phase="challenge", walls=walls, monsters=["o2"])
    after, events = play(state, "fight blue", chance=[2, 1, roll, *([] if left else NEXT)])
    if not left:
        assert fields(events[4]) == {"loser": 1, "spaces": ["o1", "o4", "i2"]}
        assert TITLE.dump(after)["walls"] == {"i8": 0}
        return
    assert TITLE.dump(after)["pending"] == {"winner": 0, "loser": 1, "count": 2}
    assert moves(after) == ["strip o1 i2", "strip o1 o4", "strip o4 i2"]
    assert "walls of Blue’s only" in refusal(after, "strip o1 i8")
    assert "exactly 2 walls" in refusal(after, "strip o1")
    after, _ = play(after, "strip i2 o1", chance=NEXT)
    assert TITLE.dump(after)["walls"] == {"o4": 1, "i8": 0}


def test_walls_fall_before_the_mover_steps_away():
    walls = {"o10": 1, "o13": 1}
    state = load(("o9", 3, 0), ("o9", 1, 0), phase="spend", walls=walls, monsters=["o2"])
    asked, _ = play(state, "done", chance=[6, 6, 6, 1, 1])
    assert TITLE.dump(asked)["phase"] == "strip"
    after, _ = play(asked, "strip o10")
    assert moves(after) == ["go o10", "go o8"]
    after, events = play(asked, "strip o13", chance=NEXT)
    assert types(events) == ["strip", "go", "turn", "roll"]
    assert has(after, 0)[0] == "o8"


def test_the_mover_challenges_each_player_beside_it_once_a_turn():
    players = [("o9", 1, 0), ("o8", 1, 0), ("o10", 1, 0), ("i13", 0, 0)]
    state = load(*players, phase="challenge", monsters=["o2"])
    assert moves(state) == ["done", "fight blue", "fight green"]
    assert "Yellow is not next to you" in refusal(state, "fight yellow")
    asked, _ = play(state, "fight green", chance=[6, 1])
    assert moves(asked) == ["done", "fight blue"]
    assert "already" in refusal(asked, "fight green")
    assert TITLE.dump(asked)["fought"] == [[0, 2]]


def test_forced_fights_come_in_turn_order_before_any_challenge():
    players = [("o9", 0, 0), ("o9", 1, 0), ("o9", 0, 0)]
    state = load(*players, phase="spend", turn=1, monsters=["o2"])
    _, events = play(state, "done", chance=NEXT)
    assert [event.other for event in events if event.type == "duel"] == [2, 0]


def test_what_was_fought_is_forgotten_between_monsters_and_players():
    state = load(("o9", 1, 0), ("o8", 1, 0), phase="fight", monsters=["o10"])
    asked, _ = play(state, "fight M1", chance=[*LOW, 6])
    assert TITLE.dump(asked)["fought"] == []
    assert moves(asked) == ["done", "fight blue"]
