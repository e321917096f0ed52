"""What computer players promise in every game: legal moves, found from what a seat sees alone."""

import os
import random
import subprocess
from dataclasses import dataclass
from itertools import islice

import msgspec
import pytest

from bench.strength import Match
from games.bots.levels import LEVELS
from games.bots.questions import Answer, Question, told
from games.bots.search import think
from games.bots.thinker import COMMAND, ROOT
from games.kernel import registry
from games.kernel.contract import Observation, Seat
from games.kernel.errors import GameError
from games.kernel.heuristics import Heuristics, SampledDice
from tests.contract.random_play import matches
from tests.contract.scenarios import records, some_pairs, twins_of

pytestmark = pytest.mark.slow

LOWEST, HIGHEST = LEVELS[0].number, LEVELS[-1].number
CHANCE = random.Random(9)
SECRETIVE = [title for title in registry.titles().values() if title.meta.has_secrets]


@dataclass(frozen=True)
class Seen:
    """A position of a random match, and the seat that is to move in it."""

    record: object
    state: object
    seat: Seat

    @property
    def observation(self):
        return observed(self.record, self.state, self.seat)


def observed(record, state, seat, log=()):
    title = record.title
    view = title.view(state, seat).dump()
    slug, version, heard = title.meta.slug, title.meta.rules_version, told(title, log, seat)
    return Observation(slug, version, dict(record.params), record.seats, seat, view, heard)


def some_positions(title, count):
    """Return positions of random matches in which somebody is to move."""
    chance, found = random.Random(5), []
    running = [(r, s) for r in matches(title.meta.slug) for s in r.states if title.actors(s)]
    for record, state in chance.sample(running, min(count, len(running))):
        found.append(Seen(record, state, title.actors(state)[0]))
    return found


def test_a_whole_position_is_drawn_that_agrees_with_the_view(title):
    chance = random.Random(1)
    for seen in some_positions(title, 12):
        for seat in map(Seat, range(seen.record.seats)):
            found = observed(seen.record, seen.state, seat)
            drawn = next(title.determinize(found, chance))
            assert title.view(drawn, seat).dump() == found.view
            title.validate(drawn)


@pytest.mark.slow
@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_a_seat_cannot_tell_apart_gives_the_same_move(keeper):
    twins, chance, differing = twins_of(keeper.meta.slug), random.Random(3), 0
    for record in records(keeper)[:2]:
        for state in [s for s in record.states if keeper.actors(s)][::40]:
            seat, position = keeper.actors(state)[0], keeper.dump(state)
            other = twins.indistinguishable(position, seat, chance)
            differing += other != position
            loaded = keeper.load(other, record.seats, record.params)
            here, there = (
                think(Question(observed(record, one, seat), 1, "seed")) for one in (state, loaded)
            )
            assert here == there
    assert differing


@pytest.mark.slow
@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_histories_that_a_seat_cannot_tell_apart_give_the_same_move(keeper):
    answers = differing = 0
    for pair in [pair for pair in some_pairs(keeper.meta.slug) if pair.viewer is not None]:
        here, there = (list(pair.replay(world)) for world in pair.scenarios)
        seat, (state, _) = pair.viewer, here[-1]
        if seat not in keeper.actors(state):
            continue
        logs = [[event for _, events in world for event in events] for world in (here, there)]
        seen = [
            observed(pair, world[-1][0], seat, log)
            for world, log in zip((here, there), logs, strict=True)
        ]
        differing += logs[0] != logs[1]
        answers += 1
        assert think(Question(seen[0], 0, "seed")) == think(Question(seen[1], 0, "seed"))
    assert answers
    assert differing


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_is_drawn_agrees_with_the_view_however_much_was_told(keeper):
    chance = random.Random(6)
    for record in records(keeper)[:4]:
        log = []
        for moment in record.moments:
            log += moment.events
            seats = keeper.actors(moment.state) if len(log) % 7 == 0 else ()
            for seat in seats:
                found = observed(record, moment.state, seat, log)
                for drawn in islice(keeper.determinize(found, chance), 2):
                    assert keeper.view(drawn, seat).dump() == found.view
                    keeper.validate(drawn)


def test_heuristics_advance_as_the_rules_do(title):
    if title.meta.observes:
        pytest.skip("nothing is searched")
    known = registry.heuristics(title)
    for seen in some_positions(title, 30):
        move = random.Random(7).choice(list(known.candidates(seen.state, seen.seat, CHANCE)))
        after = known.advance(seen.state, seen.seat, move, SampledDice(random.Random(8)))
        dice = SampledDice(random.Random(8))
        expected, _ = title.play(seen.state, seen.seat, move, dice)
        assert title.dump(after) == title.dump(expected)
        values = known.playout(seen.state, seen.record.seats, CHANCE)
        assert len(values) == seen.record.seats
        assert all(0 <= value <= 1 for value in values)


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_candidates_are_the_same_each_time_that_a_simulation_asks(keeper):
    """With secrets no node keeps its moves: were they new each time, none would be tried twice."""
    known = registry.heuristics(keeper)
    for seen in some_positions(keeper, 12):
        first, again = (known.candidates(seen.state, seen.seat, CHANCE) for _ in range(2))
        assert first == again


def test_a_bot_never_asks_what_a_hand_will_do(title, monkeypatch):
    if not title.meta.observes:
        pytest.skip("nothing is observed")
    some = some_positions(title, 4)

    def refuse(*_):
        raise AssertionError("A bot has looked at what is not decided yet.")

    monkeypatch.setattr(SampledDice, "observe", refuse)
    monkeypatch.setattr(type(title), "play", refuse)
    for seen in some:
        for level in LEVELS:
            assert think(Question(seen.observation, level.number, "abc")).move


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_is_drawn_is_not_always_the_same(keeper):
    chance, record = random.Random(4), records(keeper)[0]
    for state in [s for s in record.states if keeper.actors(s)][::20]:
        found = observed(record, state, keeper.actors(state)[0])
        drawn = list(map(keeper.dump, islice(keeper.determinize(found, chance), 8)))
        assert any(one != drawn[0] for one in drawn)


@pytest.mark.slow
def test_the_same_question_has_the_same_answer_in_every_process(title):
    questions = [Question(seen.observation, 1, "abc") for seen in some_positions(title, 3)]
    here = [think(question) for question in questions]
    # Another order of sets than here, where it is drawn at random or 0.
    env = {**os.environ, "PYTHONHASHSEED": "1"}
    asked = b"\n".join(question.dump() for question in questions) + b"\n"
    done = subprocess.run(COMMAND, input=asked, stdout=-1, cwd=ROOT, env=env, check=True)
    there = [msgspec.json.decode(line, type=Answer) for line in done.stdout.splitlines()]
    assert there == here


def test_answers_are_legal_and_shares_of_the_match(title):
    for seen in some_positions(title, 6):
        for level in (LOWEST, 1):
            answer = think(Question(seen.observation, level, "abc"))
            options = title.options(seen.state, seen.seat, answer.move)
            assert options.complete
            assert 0 <= answer.value <= 1


def test_a_game_without_knowledge_of_its_own_is_searched_all_the_same(title, monkeypatch):
    if title.meta.observes:
        pytest.skip("each move that is looked at would be simulated")
    monkeypatch.setattr(registry, "heuristics", Heuristics)
    monkeypatch.setattr(Heuristics, "horizon", 5)
    for seen in some_positions(title, 2):
        answer = think(Question(seen.observation, LOWEST, "abc"))
        assert title.options(seen.state, seen.seat, answer.move).complete


@pytest.mark.thorough
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("levels", [(LOWEST, None), (LOWEST + 1, LOWEST)], ids=str)
def test_a_level_plays_to_the_end_and_beats_the_one_below(title, levels):
    """Ten matches: with six wins of ten in the long run, fewer than three are rare (1 %)."""
    results = [Match(title.meta.slug, levels, number).play() for number in range(10)]
    assert sum(results) >= 3


def test_seats_that_are_not_to_move_have_a_value_and_no_move(title):
    for seen in some_positions(title, 2):
        others = [s for s in range(seen.record.seats) if s not in title.actors(seen.state)]
        for seat in others[:1]:
            found = observed(seen.record, seen.state, Seat(seat))
            answer = think(Question(found, LOWEST, "abc"))
            assert answer.move == ""
            assert 0 <= answer.value <= 1


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_is_assumed_is_in_the_place_of_what_a_seat_does_not_see(keeper):
    chance = random.Random(8)
    for record in records(keeper)[:2]:
        for state in record.states[::9]:
            for seat in keeper.actors(state):
                found = observed(record, state, seat)
                for one in keeper.unseen(found):
                    values = [value for value, _ in one.choices]
                    assumed = keeper.assume(found, {one.key: values[-1:]})
                    drawn = next(keeper.determinize(assumed, chance))
                    assert keeper.view(drawn, seat).dump() == found.view
                    keeper.validate(drawn)
                    assert keeper.assume(found, {one.key: []}) == found
                    with pytest.raises(GameError):
                        keeper.assume(found, {one.key: values[:1] * (one.count + 1)})
                    with pytest.raises(GameError):
                        keeper.assume(found, {one.key: ["?"]})
