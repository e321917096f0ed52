"""Dice Is Health, Strength, and Money: the outcomes of movements, and what reviews see of them."""

import random

import pytest

from games.bots.appraising import appraise
from games.bots.questions import Appraisal
from games.kernel import registry
from games.titles.dice_is_health import TITLE
from games.titles.dice_is_health.movement import Stage, movements, outcomes
from games.titles.dice_is_health.tests.fixtures import ROUNDS, load

RED, BLUE = ("i0", 1, 0), ("o9", 1, 0)


def ends(stage):
    return stage.fan, [at for at, _ in stage.pieces]


def after(start, movement):
    stage = start
    for step in movement.steps:
        assert not stage.refusal(step)
        stage = stage.after(step)
    assert stage.is_whole
    return stage


@pytest.mark.parametrize(
    "fields",
    [
        {"roll": [1, 1, 1]},
        {"roll": [1, 2, 3], "fan": 4},
        {"roll": [1, 3, 3], "monsters": ["i2"]},
        {"roll": [2, 2, 2], "monsters": ["o5", "i17"], "fan": 5},
        {"roll": [1, 2, 3], "walls": {"i2": 1, "o16": 1, "o1": 0}, "monsters": ["o0"]},
    ],
)
def test_outcomes_are_those_of_all_movements(fields):
    start = Stage.of(load(RED, BLUE, **fields))
    found = outcomes(start)
    for stage, movement in found.items():
        assert ends(after(start, movement)) == ends(stage)
    reached = {str(ends(after(start, movement))) for movement in movements(start)}
    assert {str(ends(stage)) for stage in found} == reached
    assert len(found) == len(reached)


def test_too_many_outcomes_are_not_enumerated():
    monsters = ["o0", "o2", "o5", "o8", "o9", "o11", "o14", "o17"]
    assert outcomes(Stage.of(load(RED, BLUE, roll=[6, 6, 6], monsters=monsters))) is None


@pytest.mark.slow
def test_a_review_sees_a_win_that_takes_the_fan_and_all_steps():
    """Blue wins beside Red, who has a trinket and no die, once a bridge leads there."""
    state = load(
        ("o13", 0, 1),
        ("i0", 3, 0),
        ("i0", 2, 0),
        round=30,
        fan=3,
        turn=1,
        roll=[4, 4, 5],
        monsters=["o7", "o3"],
        pickups=["o0", "o3", "o6", "o8", "o9", "o11", "o12"],
        walls={"o1": 1, "i2": 0},
    )
    terms = (TITLE.meta.slug, TITLE.meta.rules_version, {"rounds": ROUNDS}, 3)
    found = appraise(Appraisal(*terms, TITLE.dump(state), simulations=800))
    assert found.values[1] == 1
    stage = after(Stage.of(state), TITLE.parse(found.line[0].move))
    assert (stage.fan, stage.pieces[0][0]) == (1, "i13")
    assert [ply.move for ply in found.line[1:]] == ["done", "fight red"]


def test_in_reviews_the_winner_of_a_fight_steps_into_the_centre():
    state = load(
        ("o6", 3, 1),
        ("i9", 1, 0),
        phase="go",
        pending={"chooser": 0, "piece": 0, "part": "monsters", "monster": None},
        monsters=["o6"],
    )
    known = registry.heuristics(TITLE).for_reviews()
    chosen = {str(known.playout_move(state, 0, random.Random(seed))) for seed in range(5)}
    assert chosen == {"go i6"}
