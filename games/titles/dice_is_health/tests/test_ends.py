"""Dice Is Health, Strength, and Money: winning, ties, dropping out, and play to the end."""

import random
from itertools import accumulate, islice

import pytest

from games.kernel.contract import TURN_ENDED
from games.kernel.dice import CommittedDice
from games.kernel.errors import IllegalMove, MatchOver
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.board import INNER, distances
from games.titles.dice_is_health.movement import Stage
from games.titles.dice_is_health.moves import Done, Fight, Movement
from games.titles.dice_is_health.state import PhaseName
from games.titles.dice_is_health.tests.fixtures import (
    NEXT,
    drop,
    has,
    load,
    moves,
    play,
    start,
)
from tests.title_driver import fields, types

GONE = (None, 0, 0)
LOW = [1, 1, 1]

# --- Winning ------------------------------------------------------------------------------------


def test_back_in_the_middle_with_a_trinket_and_three_dice_wins_after_the_movement():
    state = load(("o6", 3, 1), ("i9", 0, 0))
    after, events = play(state, "P>i6 F+ M1>o9")
    assert fields(events[-1]) == {"ending": "back", "ranks": [1, 2]}
    data = TITLE.dump(after)
    assert (data["phase"], data["roll"], data["pending"], data["turn"]) == ("over", None, None, 0)
    assert TITLE.actors(after) == ()


@pytest.mark.parametrize("held", [(3, 0), (2, 2)])
def test_less_does_not_win(held):
    after, _ = play(load(("o6", *held), ("i9", 0, 0)), "P>i6 F+ M1>o9")
    assert TITLE.result(after) is None


def test_passing_through_the_middle_does_not_win():
    state = load(("o6", 3, 1), ("i12", 0, 0), roll=[1, 1, 3])
    after, _ = play(state, "P>i6 P>i7 F+ P>o7 M1>o9")
    assert TITLE.result(after) is None


def test_a_trinket_gained_in_the_middle_wins_at_once():
    state = load(("i5", 3, 0), ("i9", 0, 0), phase="fight", monsters=["i6"])
    after, events = play(state, "fight M1", chance=[*LOW, 6, 6, 6])
    assert types(events) == ["fight", "trinket", "end"]
    assert TITLE.result(after) == (1, 2)


def test_a_robbed_trinket_wins_before_walls_are_rolled_for():
    state = load(("i5", 3, 0), ("i6", 1, 1), phase="challenge", walls={"o1": 1})
    after, events = play(state, "fight blue", chance=[6, 6, 6, 1])
    assert types(events) == ["duel", "lose-die", "spawn", "trinket", "end"]
    assert TITLE.dump(after)["walls"] == {"o1": 1}


def test_the_other_player_can_win_on_the_movers_turn():
    state = load(("i5", 1, 1), ("i6", 3, 0), phase="challenge")
    after, _ = play(state, "fight blue", chance=[1, 6, 6, 6])
    assert TITLE.result(after) == (2, 1)


def test_stepping_away_into_the_middle_wins():
    state = load(("o6", 3, 0), ("i9", 0, 0), phase="spend", monsters=["o6"])
    asked, _ = play(state, "done", chance=[*LOW, 6, 6, 6])
    assert moves(asked) == ["go i6", "go o5", "go o7"]
    after, events = play(asked, "go i6")
    assert types(events) == ["go", "end"]
    assert TITLE.result(after) == (1, 2)


def test_the_others_tie_and_dropped_seats_rank_behind_the_later_the_better():
    state = load(("o6", 3, 1), GONE, ("i12", 0, 0), GONE, dropped=[3, 1])
    after, _ = play(state, "P>i6 F+ M1>o9")
    assert TITLE.result(after) == (1, 3, 2, 4)


# --- Rounds and closing -------------------------------------------------------------------------


def test_after_the_last_round_all_who_are_in_tie():
    state = load(("i0", 0, 0), ("i9", 0, 0), rounds=7, round=7)
    state, _ = play(state, "P>i1 F+ M1>o9", chance=NEXT)
    after, events = play(state, "P>i10 F+ M1>o8")
    assert types(events) == ["move", TURN_ENDED, "end"]
    assert fields(events[-1]) == {"ending": "rounds-up", "ranks": [1, 1]}
    assert TITLE.dump(after)["round"] == 7


def test_without_rounds_it_goes_on():
    state = load(("i0", 0, 0), ("i9", 0, 0), rounds=0, round=500, turn=1)
    after, _ = play(state, "P>i10 F+ M1>o9", chance=NEXT)
    assert TITLE.dump(after)["round"] == 501


def test_closing_ties_all_who_are_in():
    state = load(("i0", 3, 0), GONE, ("i12", 0, 0))
    after, events = TITLE.close(state)
    assert fields(events[-1]) == {"ending": "closed", "ranks": [1, 3, 1]}
    with pytest.raises(MatchOver):
        TITLE.close(after)


# --- Dropping out -------------------------------------------------------------------------------


def test_of_two_the_other_wins_and_nothing_else_changes():
    state = load(("i0", 1, 1), ("i9", 1, 0))
    for seat, ranks in ((0, (2, 1)), (1, (1, 2))):
        after, events = drop(state, seat)
        assert TITLE.result(after) == ranks
        before, now = TITLE.dump(state), TITLE.dump(after)
        assert {key for key in now if now[key] != before[key]} == {"result", "phase", "roll"}
        assert types(events) == ["end"]


def test_the_movers_turn_ends_and_what_is_pending_is_void():
    pending = {"winner": 1, "loser": 0, "count": 1}
    walls = {"o1": 0, "o4": 0, "i8": 2}
    players = [("o9", 0, 0), ("o9", 1, 0), ("i12", 0, 0)]
    state = load(*players, phase="strip", pending=pending, walls=walls, fought=[[0, 1]])
    after, events = drop(state, 0, chance=[6, 1, 3])
    data = TITLE.dump(after)
    assert types(events) == ["leave", "turn", "roll"]
    assert fields(events[0]) == {"at": "o9", "dice": 0, "trinkets": 0, "walls": ["o1", "o4"]}
    assert (data["turn"], data["phase"], data["roll"]) == (1, "move", [1, 3, 6])
    assert (data["walls"], data["dropped"], data["fought"]) == ({"i8": 2}, [0], [])
    with pytest.raises(IllegalMove):
        TITLE.drop(after, 0, CommittedDice(b"again"))


def test_a_dropped_seat_takes_its_dice_along():
    state = load(("i0", 1, 0), ("i6", 2, 1), ("i12", 0, 0))
    after, _ = drop(state, 1)
    data = TITLE.dump(after)
    assert len(data["pickups"]) == 9
    assert has(after, 1) == (None, 0, 0)
    assert (data["turn"], data["phase"], data["roll"]) == (0, "move", [1, 1, 1])


def test_the_choice_of_another_who_drops_is_void_and_play_goes_on_behind_it():
    pending = {"chooser": 1, "piece": 1, "part": "monsters", "monster": 1}
    players = [("o12", 0, 0), ("o9", 1, 0), ("o10", 0, 0)]
    state = load(*players, phase="go", pending=pending, fought=[[1, 1]], monsters=["o11"], fan=3)
    after, events = drop(state, 1)
    assert types(events) == ["leave"]
    assert TITLE.dump(after)["phase"] == "rampage"
    assert moves(after) == ["attack green", "attack red", "done"]


def test_a_winner_who_drops_neither_strips_nor_sends_away():
    players = [("o9", 0, 0), ("o9", 1, 0), ("i12", 0, 0)]
    common = {"monsters": ["o2"], "fought": [[0, 1]]}
    stripping = {"winner": 1, "loser": 0, "count": 1}
    state = load(*players, phase="strip", pending=stripping, walls={"o1": 0, "o4": 0}, **common)
    after, events = drop(state, 1, chance=NEXT)
    assert types(events) == ["leave", "turn", "roll"]
    assert TITLE.dump(after)["walls"] == {"o1": 0, "o4": 0}
    parting = {"chooser": 1, "piece": 0, "part": "players", "monster": None}
    after, events = drop(load(*players, phase="go", pending=parting, **common), 1, chance=NEXT)
    assert types(events) == ["leave", "turn", "roll"]
    assert has(after, 0)[0] == "o9"


def test_nobody_steps_away_from_a_loser_who_has_dropped():
    players = [("o9", 1, 0), ("o9", 0, 0), ("i12", 0, 0)]
    parting = {"chooser": 0, "piece": 0, "part": "players", "monster": None}
    state = load(*players, phase="go", pending=parting, monsters=["o2"], fought=[[0, 1]])
    after, _ = drop(state, 1, chance=NEXT)
    assert has(after, 0)[0] == "o9"
    still, events = drop(state, 2)
    assert types(events) == ["leave"]
    assert moves(still) == moves(state)


def test_the_last_seat_left_wins():
    state, _ = drop(start(4), 2)
    state, _ = drop(state, 0, chance=NEXT)
    assert TITLE.dump(state)["turn"] == 1
    state, events = drop(state, 3)
    assert fields(events[-1]) == {"ending": "dropped", "ranks": [3, 1, 4, 2]}


# --- To the end ---------------------------------------------------------------------------------

FEW = 40


def finish(seats, seed, choose, turns):
    """Play to the end; return the ending. More turns than that are too many."""
    dice, rng = CommittedDice(seed.to_bytes(4, "big")), random.Random(seed)
    state, count = TITLE.setup(seats, {"rounds": turns // seats}, dice), 0
    while seat := TITLE.actors(state):
        state, events = TITLE.play(state, seat[0], choose(state, rng), dice)
        count += sum(event.type == TURN_ENDED for event in events)
    assert count <= turns
    return events[-1].ending


def at_random(state, rng):
    """Return any move; of a movement, any step after any other."""
    if state.phase != PhaseName.MOVE:
        return rng.choice(list(TITLE.moves(state, state.mover)))
    return wander(state, rng.choice)


def wander(state, choose):
    stage, steps = Stage.of(state), []
    while not stage.is_whole:
        steps.append(choose(list(stage.steps)))
        stage = stage.after(steps[-1])
    return Movement(" ".join(map(str, steps)))


def with_sense(state, rng):
    """Go for dice, then for a monster, then for the middle; spend nothing, fight when strong."""
    if state.phase == PhaseName.MOVE:
        tries = [wander(state, rng.choice) for _ in range(FEW)]
        return min(tries, key=lambda move: how_far(state, move))
    options = list(TITLE.moves(state, state.mover))
    if state.phase == PhaseName.GO:
        return min(options, key=lambda move: move.space not in INNER)
    fights = [move for move in options if isinstance(move, Fight)]
    if fights and state.player.dice == 3 and not state.player.trinkets:
        return fights[0]
    return Done() if Done() in options else options[0]


def how_far(state, move):
    """Return how far a movement ends from what its player wants; less is better."""
    last, me = list(accumulate(move.steps, Stage.after, initial=Stage.of(state)))[-1], state.player
    here, *dens = (at for at, _ in last.pieces)
    far = distances(here, last.fan)
    if me.dice < 3:
        return min(far[space] for space in state.pickups)
    if not me.trinkets:
        return abs(min(far[den] for den in dens) - 1)
    return min(far[space] for space in INNER)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_sensible_play_wins_within_70_turns(seats):
    assert {finish(seats, seed, with_sense, turns=70) for seed in range(3)} == {"back"}


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_random_play_is_over_after_120_turns_at_the_latest(seats):
    assert {finish(seats, seed, at_random, turns=120) for seed in range(3)} <= {"back", "rounds-up"}


def test_dice_are_neither_made_nor_lost():
    dice, rng = CommittedDice(b"dice"), random.Random(9)
    state = TITLE.setup(3, {"rounds": 0}, dice)
    for _ in range(400):
        state, _ = TITLE.play(state, state.mover, at_random(state, rng), dice)
        if TITLE.result(state):
            break
        assert len(state.pickups) + sum(player.dice for player in state.players) == 12
        assert list(islice(TITLE.moves(state, state.mover), 2))
