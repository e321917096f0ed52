"""What computer players promise in every game: legal moves, found from what a seat sees alone."""

import os
import random
import subprocess
from dataclasses import dataclass

import msgspec
import pytest

from bench.strength import play_match
from games.bots.levels import LEVELS
from games.bots.questions import Answer, Question
from games.bots.search import think
from games.bots.thinker import COMMAND, ROOT
from games.kernel import registry
from games.kernel.contract import Observation, Seat
from games.kernel.heuristics import Heuristics
from tests.contract.random_play import matches
from tests.contract.scenarios import records, twins_of

LOWEST, HIGHEST = LEVELS[0].number, LEVELS[-1].number
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


def observed(record, state, seat):
    title = record.title
    view = title.rules.view(state, seat).dump()
    slug, version = title.meta.slug, title.meta.rules_version
    return Observation(slug, version, dict(record.params), record.seats, seat, view)


def some_positions(title, count):
    """Return positions of random matches in which somebody is to move."""
    chance, found = random.Random(5), []
    running = [(r, s) for r in matches(title.meta.slug) for s in r.states if title.rules.actors(s)]
    for record, state in chance.sample(running, min(count, len(running))):
        found.append(Seen(record, state, title.rules.actors(state)[0]))
    return found


def test_a_whole_position_is_drawn_that_agrees_with_the_view(title):
    chance = random.Random(1)
    for seen in some_positions(title, 12):
        for seat in map(Seat, range(seen.record.seats)):
            found = observed(seen.record, seen.state, seat)
            drawn = title.determinize(found, chance)
            assert title.rules.view(drawn, seat).dump() == found.view
            title.rules.validate(drawn)


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_a_seat_cannot_tell_apart_gives_the_same_move(keeper):
    twins, chance, differing = twins_of(keeper.meta.slug), random.Random(3), 0
    for record in records(keeper)[:2]:
        for state in [s for s in record.states if keeper.rules.actors(s)][::40]:
            seat, position = keeper.rules.actors(state)[0], keeper.rules.dump(state)
            other = twins.indistinguishable(position, seat, chance)
            differing += other != position
            loaded = keeper.rules.load(other, record.seats, record.params)
            here, there = (
                think(Question(observed(record, one, seat), 1, "seed")) for one in (state, loaded)
            )
            assert here == there
    assert differing


@pytest.mark.parametrize("keeper", SECRETIVE, ids=lambda title: title.meta.slug)
def test_what_is_drawn_is_not_always_the_same(keeper):
    chance, record = random.Random(4), records(keeper)[0]
    for state in [s for s in record.states if keeper.rules.actors(s)][::20]:
        found = observed(record, state, keeper.rules.actors(state)[0])
        drawn = [keeper.rules.dump(keeper.determinize(found, chance)) for _ in range(8)]
        assert any(one != drawn[0] for one in drawn)


def test_the_same_question_has_the_same_answer_in_every_process(title):
    questions = [Question(seen.observation, 1, "abc") for seen in some_positions(title, 3)]
    here = [think(question) for question in questions]
    for hash_seed in "12":
        env = {**os.environ, "PYTHONHASHSEED": hash_seed}
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


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_the_lowest_level_plays_to_the_end_and_beats_random_play(title):
    """Ten matches: whoever wins six of ten in the long run wins fewer than three rarely (1 %)."""
    results = [play_match(title.meta.slug, (LOWEST, None), number) for number in range(10)]
    assert sum(results) >= 3


def test_seats_that_are_not_to_move_have_a_value_and_no_move(title):
    for seen in some_positions(title, 2):
        others = [s for s in range(seen.record.seats) if s not in title.rules.actors(seen.state)]
        for seat in others[:1]:
            found = observed(seen.record, seen.state, Seat(seat))
            answer = think(Question(found, LOWEST, "abc"))
            assert answer.move == ""
            assert 0 <= answer.value <= 1
