"""What the rules of every game promise, tested on every game there is."""

import copy
import json
import random
from collections import Counter
from itertools import islice

import pytest

from games import check
from games.engine import perft
from games.kernel import registry
from games.kernel.contract import COMMON_ENDINGS, Ended, Seat, TurnEnded
from games.kernel.dice import CommittedDice, RecordedDice, match_key, no_dice
from games.kernel.errors import BrokenPosition, MatchOver, NotYourTurn, RulesError
from games.kernel.params import complete
from games.kernel.replay import replay, take
from tests.contract.game_modules import policy_of, reference_of
from tests.contract.random_play import (
    FEW,
    events_of,
    far_matches,
    golden_matches,
    matches,
    still_in,
    stopped_matches,
)

FEWER = 300
"""Far from the start, moves are compared where there are fewer than so many."""


def all_matches(title):
    return (*matches(title.meta.slug), *stopped_matches(title.meta.slug))


def test_no_file_lacks_anything_or_is_wrong(title):
    assert list(check.faults(title)) == []


def test_samples_cover_the_fewest_and_the_most_seats(title):
    low, high = title.meta.seats
    assert {sample.seats for sample in reference_of(title.meta.slug).SAMPLES} >= {low, high}


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


def test_fights_happen(title):
    happened = {type(event) for record in all_matches(title) for event in events_of(record)}
    assert set(title.fights) <= happened


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


@pytest.mark.slow
def test_the_log_replays_from_each_position_and_the_second_implementation_agrees(title):
    for record in all_matches(title):
        walk(record, most=FEW)


@pytest.mark.slow
def test_the_same_holds_far_from_the_start(title):
    slug = title.meta.slug
    for record in (*golden_matches(slug), *far_matches(slug)):
        walk(record, most=FEWER)


def walk(record, *, most):
    """Check all positions of a match, and that each step leads from one, once stored, to the next.

    All moves are compared where there are fewer than ``most``.
    """
    title, slow = record.title, begin_again(record)
    stored = checked(record, 0, slow, most)
    for number, step in enumerate(record.steps, 1):
        loaded = title.load(stored, record.seats, record.params)
        again = take(title, loaded, step, RecordedDice(step.chance))
        assert again == record.moments[number]
        if step.kind == "play":
            slow.play(step.seat, step.text, step.chance)
        elif step.kind == "drop":
            slow.drop(step.seat, step.chance)
        else:
            slow.close()
        stored = checked(record, number, slow, most)


def begin_again(record):
    """Return the second implementation at the start of a match, once the setup is repeated."""
    title, first = record.title, record.moments[0]
    slow = reference_of(title.meta.slug).Reference(record.seats, record.params, first.drawn)
    if record.start is None:
        (again,) = replay(title, record.seats, record.params, first.drawn, ())
        assert again == first
    else:
        slow.stand(record.start)
    return slow


def checked(record, number, slow, most):
    """Check a position alone and against the second implementation; return it as it is stored."""
    title, moment = record.title, record.moments[number]
    position = title.dump(moment.state)
    actors, ranks = title.actors(moment.state), title.result(moment.state)
    stored = json.loads(json.dumps(position))
    loaded = title.read_position(stored, record.seats, record.params)
    assert title.dump(loaded) == position
    assert title.actors(loaded) == actors
    assert position["result"] == (None if ranks is None else list(ranks))
    assert actors == tuple(sorted(set(actors)))
    assert set(actors) <= set(range(record.seats))
    assert bool(actors) == (ranks is None) == (number < len(record.steps))
    turns = {event.seat for event in moment.events if isinstance(event, TurnEnded)}
    assert turns <= set(range(record.seats))
    assert slow.position() == position
    assert tuple(slow.actors()) == actors
    for seat in range(record.seats):
        moves = sorted(islice(map(str, title.moves(moment.state, seat)), most))
        if len(moves) < most:
            assert sorted(slow.moves(seat)) == moves
    return stored


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
        text = next((step.text for step in record.steps if step.text), None)
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


def test_an_eliminated_seat_may_drop_out_and_nothing_else_changes(title):
    for record in all_matches(title):
        for state in record.states[:-1]:
            gone = set(title.eliminated(state)) & set(still_in(title, state, record.seats))
            if gone:
                after, events = title.drop(state, min(gone), no_dice())
                before = title.dump(state)
                assert title.dump(after) == {**before, "dropped": [*before["dropped"], min(gone)]}
                assert events == ()
                break


@pytest.mark.slow
def test_counts_of_the_move_tree(title):
    file = registry.folder(title.meta.slug) / "perft.json"
    for number, case in enumerate(json.loads(file.read_text(encoding="utf-8")), 1):
        params = complete(title.meta, case["params"])
        if "position" in case:
            state = title.load(case["position"], case["seats"], params)
        else:
            state = title.setup(case["seats"], params, no_dice())
        for depth, count in enumerate(case["counts"], 1):
            where = f"perft.json, position {number}, depth {depth}"
            assert perft(title, state, depth) == count, where


@pytest.mark.slow
def test_policies_reach_what_they_are_for(title):
    slug = title.meta.slug
    reached = Counter(event.type for record in far_matches(slug) for event in events_of(record))
    for kind, least in getattr(policy_of(slug), "REACHES", {}).items():
        assert reached[kind] >= least, kind


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
