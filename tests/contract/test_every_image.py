"""The keys by which positions are compared: a mirrored match reaches the same positions."""

from itertools import islice

from games.kernel.canonical import canonical, canonical_view, renamed
from games.kernel.contract import OpenGame
from games.kernel.replay import PlainEntry, replay
from tests.contract.random_play import matches

MOVES = 40
"""How many moves of a match are mirrored."""


def key(record, state):
    return canonical(record.title, record.seats, record.params, state).key


def test_a_match_in_a_mirror_reaches_the_same_positions(title):
    for record in matches(title.meta.slug):
        if record.start is not None:
            continue
        first = record.moments[0]
        same = canonical(title, record.seats, record.params, first.state)
        expected = [key(record, state) for state in record.states[: MOVES + 1]]
        for image in same.images[1:]:
            mirrored = [
                PlainEntry(
                    step.kind, step.seat, renamed(title, step.text, image.names), step.chance
                )
                for step in record.steps[:MOVES]
            ]
            moments = replay(title, record.seats, record.params, first.drawn, mirrored)
            assert [key(record, moment.state) for moment in moments] == expected


def test_with_exchanged_seats_there_is_as_much_to_do(title):
    def key_of(seen):
        return canonical_view(title, record.seats, {}, seen).key

    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(6):
            actors = title.actors(moment.state)
            view = title.view(moment.state, None)
            for other in title.exchanged(view) if actors else ():
                back = {key_of(seen) for seen in title.exchanged(other)}
                assert key_of(view) in back
                if isinstance(title, OpenGame):
                    state = title.load(other.dump(), record.seats, record.params)
                    ways = [
                        sum(1 for _ in islice(title.moves(one, title.actors(one)[0]), 300))
                        for one in (moment.state, state)
                    ]
                    assert ways[0] == ways[1]


def test_a_canonical_move_is_legal_on_the_board_and_leads_to_the_same_position(title):
    for record in matches(title.meta.slug):
        for _, moment in record.some_moments(6):
            same = canonical(title, record.seats, record.params, moment.state)
            for seat in title.actors(moment.state)[:1]:
                for move in islice(title.moves(moment.state, seat), 20):
                    known = same.to_canonical(str(move))
                    shown = same.from_canonical(known)
                    assert same.to_canonical(shown) == known
                    if len(same.images) == 1:
                        assert shown == str(move)
