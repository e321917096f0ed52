"""What the rules of every game promise, tested on every game there is."""

import copy
import json
import random
from collections import Counter
from itertools import islice

import pytest

from games.engine import perft
from games.kernel import registry
from games.kernel.contract import COMMON_ENDINGS, Ended, Seat, TurnEnded
from games.kernel.dice import CommittedDice, RecordedDice, match_key, no_dice
from games.kernel.errors import BrokenPosition, MatchOver, NotYourTurn, RulesError
from games.kernel.params import complete
from games.kernel.playthrough import differences, playthroughs
from games.kernel.replay import replay, take
from tests.contract.policies import policy_of
from tests.contract.random_play import (
    FEW,
    events_of,
    far_matches,
    golden_matches,
    matches,
    module_of,
    still_in,
    stopped_matches,
)

FEWER = 300
"""Far from the start, moves are compared where there are fewer than so many."""


def all_matches(title):
    return (*matches(title.meta.slug), *stopped_matches(title.meta.slug))


def test_facts_are_whole(title):
    meta = title.meta
    low, high = meta.seats
    assert 2 <= low <= high <= len(meta.colours)
    assert len({colour.letter for colour in meta.colours}) == len(meta.colours)
    assert meta.summary.endswith(".")
    assert meta.rules_version >= 1
    assert meta.endings
    assert not set(meta.endings) & set(COMMON_ENDINGS)
    for schema in meta.params["properties"].values():
        assert {"default", "title", "description"} <= schema.keys()
    defaults = complete(meta, {})
    assert json.loads(json.dumps(defaults)) == defaults
    assert json.loads(json.dumps(meta.params)) == meta.params


def test_samples_cover_all_numbers_of_seats(title):
    low, high = title.meta.seats
    assert {sample.seats for sample in module_of(title.meta.slug).SAMPLES} >= {low, high}


def test_matches_end_with_a_result(title):
    for record in all_matches(title):
        last = record.moments[-1]
        ended = [event for event in events_of(record) if isinstance(event, Ended)]
        assert [last.events[-1]] == ended
        assert ended[0].ending in {*title.meta.endings, *COMMON_ENDINGS}
        ranks = title.result(last.state)
        assert ranks == ended[0].ranks
        assert len(ranks) == record.seats
        assert min(ranks) == 1
        assert title.actors(last.state) == ()
        for seat in range(record.seats):
            assert list(title.moves(last.state, Seat(seat))) == []


def test_where_a_roll_decides_who_moves_first_the_facts_say_so(title):
    low, _ = title.meta.seats
    params = complete(title.meta, {})
    keys = (match_key(bytes([n]) * 32, [bytes(32)] * low) for n in range(20))
    starts = [title.setup(low, params, CommittedDice(key)) for key in keys]
    first = {title.actors(state)[0] for state in starts}
    assert title.meta.rolls_for_first == (len(first) > 1)


def test_who_observes_says_so(title):
    drawn = (
        outcome
        for match in all_matches(title)
        for moment in match.moments
        for outcome in moment.drawn
    )
    assert any(isinstance(outcome, dict) for outcome in drawn) == title.meta.observes


def test_running_matches_have_somebody_to_move_and_no_result(title):
    for record in all_matches(title):
        for moment in record.moments[:-1]:
            actors = title.actors(moment.state)
            assert actors == tuple(sorted(set(actors)))
            assert set(actors) <= set(range(record.seats))
            assert actors
            assert title.result(moment.state) is None


def test_turns_end_for_seats_of_the_match(title):
    for record in all_matches(title):
        turns = {event.seat for event in events_of(record) if isinstance(event, TurnEnded)}
        assert turns <= set(range(record.seats))


def test_replay_of_the_log_is_the_match(title):
    for record in all_matches(title):
        chance = record.moments[0].drawn
        again = replay(title, record.seats, record.params, chance, record.steps)
        assert tuple(again) == record.moments


def test_positions_survive_json(title):
    for record in all_matches(title):
        for state in record.states:
            position = title.dump(state)
            ranks = title.result(state)
            assert position["result"] == (None if ranks is None else list(ranks))
            read = json.loads(json.dumps(position))
            loaded = title.read_position(read, record.seats, record.params)
            assert title.dump(loaded) == position
            assert title.actors(loaded) == title.actors(state)


def test_a_match_goes_on_from_a_loaded_position(title):
    for record in all_matches(title):
        for number, step in enumerate(record.steps):
            before, after = record.states[number : number + 2]
            loaded = title.load(title.dump(before), record.seats, record.params)
            state, events = take(title, loaded, step, RecordedDice(step.chance))
            assert title.dump(state) == title.dump(after)
            assert events == record.moments[number + 1].events


def test_positions_are_frozen(title):
    state = matches(title.meta.slug)[0].states[-1]
    field = next(iter(state.__annotations__))
    with pytest.raises(AttributeError):
        setattr(state, field, None)


def test_who_is_not_to_move_is_refused(title):
    for record in matches(title.meta.slug):
        for number, moment in record.some_moments(12)[:-1]:
            step, before = record.steps[number], title.dump(moment.state)
            for seat in set(range(record.seats)) - set(title.actors(moment.state)):
                assert list(title.moves(moment.state, Seat(seat))) == []
                with pytest.raises(NotYourTurn):
                    title.play(moment.state, Seat(seat), title.parse(step.text), no_dice())
            assert title.dump(moment.state) == before


def test_nothing_happens_after_the_end(title):
    for record in all_matches(title):
        state = record.states[-1]
        text = next(step.text for step in record.steps if step.text) if record.steps else None
        for seat in map(Seat, range(record.seats)):
            with pytest.raises(MatchOver):
                title.drop(state, seat, no_dice())
            if text:
                with pytest.raises(MatchOver):
                    title.play(state, seat, title.parse(text), no_dice())
        with pytest.raises(MatchOver):
            title.close(state)


def test_a_seat_drops_out_once_and_ranks_below_those_who_stayed(title):
    rng = random.Random(1)
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(6)[:-1]:
            seats = still_in(title, moment.state, record.seats)
            seat = rng.choice(seats)
            state, events = title.drop(moment.state, seat, CommittedDice(b"drop"))
            with pytest.raises(RulesError):
                title.drop(state, seat, CommittedDice(b"drop"))
            assert seat not in title.actors(state)
            if len(seats) == 2:
                ranks = title.result(state)
                assert ranks[seat] > min(ranks)
                assert events[-1].ending == "dropped"


def test_playthroughs_come_out_as_they_did(title):
    for name, golden in playthroughs(registry.folder(title.meta.slug)).items():
        assert list(differences(title, golden)) == [], name


def test_playthroughs_show_every_ending(title):
    golden = playthroughs(registry.folder(title.meta.slug)).values()
    assert {match.ending for match in golden} == {*title.meta.endings, *COMMON_ENDINGS}
    assert all(match.about.endswith(".") for match in golden)
    assert any(match.positions for match in golden)


@pytest.mark.slow
def test_counts_of_the_move_tree(title):
    file = registry.folder(title.meta.slug) / "perft.json"
    for case in json.loads(file.read_text(encoding="utf-8")):
        params = complete(title.meta, case["params"])
        if "position" in case:
            state = title.load(case["position"], case["seats"], params)
        else:
            state = title.setup(case["seats"], params, no_dice())
        for depth, count in enumerate(case["counts"], 1):
            assert perft(title, state, depth) == count, (case["about"], depth)


@pytest.mark.slow
def test_the_second_implementation_agrees(title):
    for record in all_matches(title):
        compare_with_the_second_implementation(record, most=FEW)


@pytest.mark.slow
def test_the_second_implementation_agrees_far_from_the_start(title):
    slug = title.meta.slug
    for record in (*golden_matches(slug), *far_matches(slug)):
        compare_with_the_second_implementation(record, most=FEWER)


@pytest.mark.slow
def test_policies_reach_what_they_are_for(title):
    slug = title.meta.slug
    reached = Counter(event.type for record in far_matches(slug) for event in events_of(record))
    for kind, least in getattr(policy_of(slug), "REACHES", {}).items():
        assert reached[kind] >= least, kind


def compare_with_the_second_implementation(record, *, most):
    """Compare all positions, and all moves where there are fewer than ``most``."""
    slow = module_of(record.title.meta.slug).Reference(
        record.seats, record.params, record.moments[0].drawn
    )
    if record.start is not None:
        slow.stand(record.start)
    agree(record, record.states[0], slow, most=most)
    for step, state in zip(record.steps, record.states[1:], strict=True):
        if step.kind == "play":
            slow.play(step.seat, step.text, step.chance)
        elif step.kind == "drop":
            slow.drop(step.seat, step.chance)
        else:
            slow.close()
        agree(record, state, slow, most=most)


def agree(record, state, slow, *, most):
    """Positions and actors are the same, and moves where they are fewer than ``most``."""
    title = record.title
    assert slow.position() == title.dump(state)
    assert tuple(slow.actors()) == title.actors(state)
    for seat in range(record.seats):
        moves = sorted(islice(map(str, title.moves(state, seat)), most))
        if len(moves) < most:
            assert sorted(slow.moves(seat)) == moves


def test_broken_positions_are_refused_as_such(title):
    rng = random.Random(2)
    for record in matches(title.meta.slug)[::5]:
        for _, moment in record.some_moments(8):
            position = title.dump(moment.state)
            for _ in range(60):
                broken = broken_copy(position, rng)
                load_or_refuse(title, broken, record)


@pytest.mark.parametrize("data", [None, 1, "x", [], {}, {"size": None}, [[[]]]])
def test_what_is_no_position_is_refused(title, data):
    params = complete(title.meta, {})
    with pytest.raises(BrokenPosition):
        title.load(data, title.meta.seats[0], params)


def load_or_refuse(title, data, record):
    """A position from outside that is accepted dumps, and somebody can move unless it is over."""
    try:
        state = title.read_position(data, record.seats, record.params)
    except BrokenPosition:
        return
    again = title.load(title.dump(state), record.seats, record.params)
    assert title.dump(again) == title.dump(state)
    for seat in title.actors(state):
        assert next(iter(title.moves(state, seat)), None) is not None


def broken_copy(position, rng):
    """Return a position in which something, anywhere, was changed at random."""
    data = copy.deepcopy(position)
    inside, key = rng.choice(list(places(data)))
    if rng.random() < 0.2:
        del inside[key]
    else:
        inside[key] = rng.choice([None, -1, 0, 1, 7, 10**30, "", "x", [], {}, True, 2.5, "??"])
    return data


def places(data):
    """Yield every object or list inside a position with every key or index of it."""
    entries = data.items() if isinstance(data, dict) else enumerate(data)
    for key, value in entries:
        yield data, key
        if isinstance(value, (dict, list)):
            yield from places(value)
