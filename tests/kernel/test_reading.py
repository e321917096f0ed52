"""Readers of positions: what fits comes back, all else is a broken position that says why."""

import pytest

from games.kernel.errors import BrokenPosition
from games.kernel.reading import (
    check_terms,
    read_all,
    read_flag,
    read_list,
    read_named,
    read_object,
    read_ranks,
    read_result,
    read_seat,
    read_seats,
    read_whole,
    read_word,
)
from games.kernel.results import DRAWN, WON_BY


@pytest.mark.parametrize(
    ("read", "args"),
    [
        (read_object, ({"a": 1},)),
        (read_list, ([1, 2],)),
        (read_list, ([1, 2], 2)),
        (read_list, ([], 0)),
        (read_whole, (0,)),
        (read_whole, (10**30, 5)),
        (read_whole, (3, 3, 3)),
        (read_flag, (False,)),
        (read_word, ("up", ("up", "down"))),
        (read_seat, (3, 4)),
    ],
)
def test_what_fits_comes_back(read, args):
    assert read("it", *args) == args[0]


@pytest.mark.parametrize(
    ("read", "args", "words"),
    [
        (read_object, ([],), "an object, not []"),
        (read_object, (None,), "an object, not None"),
        (read_list, ((1, 2),), "a list, not (1, 2)"),
        (read_list, ("ab", 2), "a list of 2, not 'ab'"),
        (read_list, ([1], 2), "a list of 2, not [1]"),
        (read_list, ([1], 0), "a list of 0, not [1]"),
        (read_whole, (-1,), "a whole number from 0, not -1"),
        (read_whole, (True,), "a whole number from 0, not True"),
        (read_whole, (1.0, 1), "a whole number from 1, not 1.0"),
        (read_whole, (4, 1, 3), "a whole number from 1 to 3, not 4"),
        (read_whole, (1, 0, 0), "a whole number from 0 to 0, not 1"),
        (read_flag, (1,), "true or false, not 1"),
        (read_flag, (None,), "true or false, not None"),
        (read_word, ("u", ("up", "down")), "one of up, down, not 'u'"),
        (read_word, (["up"], ("up", "down")), "one of up, down, not ['up']"),
        (read_seat, (4, 4), "a whole number from 0 to 3, not 4"),
    ],
)
def test_what_does_not_fit_is_refused(read, args, words):
    with pytest.raises(BrokenPosition) as refused:
        read("it", *args)
    assert str(refused.value) == f"it is {words}."


def test_all_values_of_a_list_are_read():
    assert read_all("them", [1, 2], str, 2) == ("1", "2")
    assert read_seats("them", [2, 0], 3) == (2, 0)
    with pytest.raises(BrokenPosition, match=r"them is a list of 3, not \[1, 2\]"):
        read_all("them", [1, 2], str, 3)
    with pytest.raises(BrokenPosition, match="A seat in them is a whole number from 0 to 2, not 3"):
        read_seats("them", [0, 3], 3)


def test_names_stand_for_what_they_name():
    assert read_named("number", "12", int) == 12
    for given in ("x", 12, None, []):
        with pytest.raises(BrokenPosition, match="is no number"):
            read_named("number", given, int)


def test_a_result_is_a_rank_for_each_seat_or_nothing_yet():
    assert read_ranks(None, 3) is None
    assert read_ranks([2, 1, 2], 3) == (2, 1, 2)
    for given in ([1, 2], [0, 1, 2], [1, 2, 4], [1, 2, True], "123", {}):
        with pytest.raises(BrokenPosition):
            read_ranks(given, 3)


def test_a_result_is_what_the_position_says():
    stopped = (*WON_BY, DRAWN)
    assert read_result(None, None, stopped) is None
    assert read_result([1, 1], None, stopped) == (1, 1)
    assert read_result([2, 1], (2, 1), stopped) == (2, 1)
    for given, decided in (([2, 2], None), ("won", None), (None, (2, 1)), ([1, 2], (2, 1))):
        with pytest.raises(BrokenPosition, match="The result cannot be"):
            read_result(given, decided, stopped)


def test_terms_are_those_of_the_match():
    params = {"size": 1, "random": False, "order": "up"}
    check_terms(params, {**params, "more": 1}, params)
    check_terms(["order"], {"order": "up"}, params)
    for change in ({"size": 2}, {"size": True}, {"size": 1.0}, {"random": 0}, {"order": []}):
        with pytest.raises(BrokenPosition, match="in this match, not"):
            check_terms(params, {**params, **change}, params)
    with pytest.raises(BrokenPosition, match="size is 1 in this match, not None"):
        check_terms(params, {}, params)
