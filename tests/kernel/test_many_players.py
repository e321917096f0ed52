"""Matches of two or more: who is out, whose turn is next, and how a match ends early."""

import pytest
from msgspec import structs

from games.kernel.contract import Ended
from games.kernel.decoding import check_faults
from games.kernel.dice import no_dice
from games.kernel.errors import BrokenPosition, IllegalMove, MatchOver
from games.kernel.many_players import ManyPlayers, ManyPlayersState
from tests.example_games.heap import META


class Game(ManyPlayers):
    meta = META


GAME = Game()
FOUR = ManyPlayersState(seats=4, mover=1)


def dropped(state, *seats):
    for seat in seats:
        state, events = GAME.drop(state, seat, no_dice())
    return state, events


def test_the_turn_passes_to_the_next_seat_that_is_in():
    assert FOUR.next_mover == 2
    assert structs.replace(FOUR, mover=3, dropped=(0,)).next_mover == 1
    assert structs.replace(FOUR, out=(2,), dropped=(3, 0)).next_mover == 1


def test_of_two_the_other_one_wins():
    state, events = dropped(ManyPlayersState(seats=2, mover=0), 1)
    assert (state.ranks, state.dropped) == ((1, 2), ())
    assert events == (Ended(ending="dropped", ranks=(1, 2)),)


def test_of_more_the_rest_play_on_until_one_is_left():
    state, events = dropped(FOUR, 3)
    assert (state.dropped, state.mover, state.ranks, events) == ((3,), 1, None, ())
    state, events = dropped(state, 1)
    assert (state.mover, state.ranks, events) == (2, None, ())
    state, events = dropped(state, 0)
    assert state.ranks == (2, 3, 1, 4)
    assert events == (Ended(ending="dropped", ranks=state.ranks),)
    with pytest.raises(MatchOver):
        dropped(state, 2)


def test_an_eliminated_seat_may_drop_out_and_ranks_below_those_who_stayed():
    state = structs.replace(FOUR, out=(0, 3))
    assert GAME.eliminated(state) == (0, 3)
    assert GAME.ranking(state) == (4, 1, 1, 3)
    after, events = dropped(state, 3)
    assert (after, events) == (structs.replace(state, dropped=(3,)), ())
    assert GAME.ranking(after) == (3, 1, 1, 4)
    with pytest.raises(IllegalMove, match="dropped out already"):
        dropped(after, 3)


def test_a_closed_match_is_ranked_as_it_stands():
    state, events = GAME.close(structs.replace(FOUR, out=(2,), dropped=(0,)))
    assert (state.ranks, events[0].ending) == ((4, 1, 3, 1), "closed")
    with pytest.raises(MatchOver):
        GAME.close(state)


@pytest.mark.parametrize(
    ("state", "is_over", "possible"),
    [
        (FOUR, False, (None, (1, 1, 1, 1))),
        (structs.replace(FOUR, out=(0, 2)), False, (None, (4, 1, 3, 1))),
        (structs.replace(FOUR, out=(0, 2, 3)), True, ((4, 1, 3, 2),)),
        (ManyPlayersState(seats=2, mover=0), False, (None, (1, 1), (1, 2), (2, 1))),
        (ManyPlayersState(seats=2, mover=0, out=(1,)), True, ((1, 2),)),
    ],
)
def test_a_result_agrees_with_the_seats(state, is_over, possible):
    for ranks in (None, (1, 1), (1, 2), (2, 1), (1, 1, 1, 1), (4, 1, 3, 1), (4, 1, 3, 2)):
        held = structs.replace(state, ranks=ranks)
        if ranks in possible:
            GAME.check_ranks(held, is_over=is_over)
        else:
            with pytest.raises(BrokenPosition):
                GAME.check_ranks(held, is_over=is_over)


def test_possible_seats_are_read():
    state = structs.replace(FOUR, out=(3,), dropped=(0, 3))
    assert ManyPlayersState.read(state.dump(), 4) == state
    assert list(state.seat_faults()) == []


@pytest.mark.parametrize("seats", [3, 5])
def test_another_number_of_seats_is_refused(seats):
    with pytest.raises(BrokenPosition, match=f"has {seats} seats, not 4"):
        ManyPlayersState.read(FOUR.dump(), seats)


@pytest.mark.parametrize("field", [{"mover": 4}, {"out": [4]}, {"dropped": [0, 9]}])
def test_seats_that_the_match_does_not_have_are_refused(field):
    with pytest.raises(BrokenPosition, match="The seats are 0 to 3"):
        ManyPlayersState.read({**FOUR.dump(), **field}, 4)


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"dropped": (2, 2)}, "drops out once"),
        ({"seats": 2, "dropped": (0,)}, "Of two players"),
        ({"dropped": (2, 0, 1, 3)}, "last seat that is in never drops out"),
        ({"out": (2, 2)}, "eliminated once"),
        ({"out": (2, 1), "dropped": (0, 3)}, "last seat that is in wins"),
        ({"out": (2,), "dropped": (0, 3)}, "two seats that are in"),
        ({"out": (1,)}, "one of them is to move"),
    ],
)
def test_seats_that_no_match_can_have_are_named(fields, words):
    with pytest.raises(BrokenPosition, match=words):
        check_faults(structs.replace(FOUR, **fields).seat_faults())
