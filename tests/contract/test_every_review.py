"""Reviews of the golden matches of every game."""

import json
import random

import msgspec
import pytest

from games.bots.appraising import appraise
from games.bots.questions import Appraisal
from games.kernel import registry
from games.kernel.heuristics import SampledDice, first_place
from games.kernel.playthrough import playthroughs
from games.study.reviewing import FALL, WHOLE, CloserLook, Work
from tests.reviews import quick, work_on

__all__ = ["quick"]


def pytest_generate_tests(metafunc):
    if "golden" in metafunc.fixturenames:
        found = [
            pytest.param(title, golden, id=f"{slug}-{name}")
            for slug, title in registry.titles().items()
            for name, golden in playthroughs(registry.folder(slug)).items()
        ]
        metafunc.parametrize(("game", "golden"), found)


def done(work):
    for _ in work.parts():
        pass
    return work.values, work.points


def test_chances_add_up_and_end_with_the_result(game, golden, quick):
    work = work_on(game, golden)
    values, points = done(work)
    assert len(values) == len(golden.steps) + 1
    for chances in values:
        assert len(chances) == golden.seats
        assert sum(chances) == pytest.approx(WHOLE, abs=golden.seats)
        assert min(chances) >= 0
    assert values[-1] == [round(WHOLE * share) for share in first_place(golden.result)]
    for point in points:
        step = golden.steps[point.number - 1]
        assert (step.kind == "play", step.seat) == (point.is_move, point.mover)
        assert point.before == values[point.number - 1][point.seat]
        assert point.after == values[point.number][point.seat] <= point.before - FALL
        rolls = game.meta.has_chance and step.chance
        assert point.expected is None or rolls
        events = work.moments[point.number].events
        assert point.is_fight == any(type(event) in game.fights for event in events)


def stored(closer):
    data = json.dumps(msgspec.to_builtins(closer, str_keys=True))
    return msgspec.convert(json.loads(data), CloserLook, str_keys=True)


def longest(title):
    return max(playthroughs(registry.folder(title.meta.slug)).values(), key=lambda g: len(g.steps))


@pytest.mark.slow
def test_a_review_broken_off_and_gone_on_with_is_the_same(title, quick):
    golden = longest(title)
    whole = done(work_on(title, golden))
    work = work_on(title, golden)
    parts = work.parts()
    while next(parts, parts) is not parts:
        # Stored and read again after each part, as if a worker were killed each time.
        work = Work(work.table, work.log, list(work.values), work.ask, stored(work.closer))
        parts = work.parts()
    assert (work.values, work.points) == whole


def test_the_best_line_is_legal(title, quick):
    work = work_on(title, longest(title))
    table = work.table
    state = work.moments[len(work.moments) // 2].state
    found = appraise(
        Appraisal(
            title.meta.slug,
            title.meta.rules_version,
            table.params,
            len(table.players),
            title.dump(state),
            40,
        )
    )
    assert found.line
    for ply in found.line[: -1 if found.rolls else None]:
        assert ply.seat in title.actors(state)
        state, _ = title.play(state, ply.seat, title.parse(ply.move), NoRolls())
    last = found.line[-1]
    if found.rolls and not title.meta.observes:
        dice = SampledDice(random.Random(1))
        title.play(state, last.seat, title.parse(last.move), dice)
        assert dice.drawn


class NoRolls:
    """Dice that moves within a line don't roll."""

    drawn, sides, traces = (), (), ()

    def roll(self, sides):
        raise AssertionError("a move within the line rolls dice")

    observe = roll
