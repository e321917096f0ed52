"""Pairings, compared with what an independent count says about them."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest

from games.events.pairing.groups import group_stage, groups
from games.events.pairing.knock_out import (
    going_on,
    knock_out_round,
    knock_out_tables,
    stages_ahead,
    stages_of_tables,
)
from games.events.pairing.round_robin import balanced_tables, round_robin, table_sizes
from games.events.pairing.swiss import SwissEntrant, rounds_possible, swiss_round, swiss_tables
from games.events.pairing.teams import divides, team_tables


def meetings(rounds):
    return Counter(
        tuple(sorted(pair))
        for made in rounds
        for table in made.tables
        for pair in combinations(table, 2)
    )


def seat_counts(rounds, field, seats):
    had = Counter(
        (entrant, seat)
        for made in rounds
        for table in made.tables
        for seat, entrant in enumerate(table)
    )
    return {entrant: [had[entrant, seat] for seat in range(seats)] for entrant in field}


def everybody_sits_once(made, field):
    seated = [entrant for table in made.tables for entrant in table]
    assert sorted([*seated, *made.byes]) == sorted(field)


# --- Round robin ------------------------------------------------------------------------------


@pytest.mark.parametrize("size", range(2, 21))
def test_in_a_round_robin_every_two_meet_once(size):
    field = list(range(10, 10 + size))
    rounds = round_robin(field, "seed")
    for made in rounds:
        everybody_sits_once(made, field)
    assert meetings(rounds) == Counter(dict.fromkeys(combinations(field, 2), 1))
    byes = Counter(entrant for made in rounds for entrant in made.byes)
    assert byes == Counter(dict.fromkeys(field, size % 2))


@pytest.mark.parametrize("size", range(2, 21))
def test_in_a_round_robin_first_and_second_seat_differ_by_one_at_most(size):
    field = list(range(size))
    for first, second in seat_counts(round_robin(field, "x"), field, 2).values():
        assert abs(first - second) <= 1


def test_a_round_robin_of_four_as_it_is_drawn():
    assert round_robin([1, 2, 3, 4], "worked example") == round_robin(
        [4, 3, 2, 1], "worked example"
    )
    rounds = round_robin([1, 2, 3, 4], "worked example")
    assert [len(made.tables) for made in rounds] == [2, 2, 2]


def test_another_seed_draws_other_rounds():
    field = range(8)
    assert len({str(round_robin(field, str(seed))) for seed in range(5)}) == 5


# --- Balanced tables --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("players", "seats", "sizes"),
    [
        (12, (2, 4), [4, 4, 4]),
        (10, (2, 4), [4, 3, 3]),
        (5, (3, 4), [4]),  # neither two tables of three nor one of five: one has a bye
        (9, (4, 4), [4, 4]),
        (7, (2, 6), [4, 3]),
        (2, (3, 4), []),
    ],
)
def test_tables_are_as_large_as_possible(players, seats, sizes):
    assert table_sizes(players, seats) == sizes


BALANCED = [(9, 3, 4), (8, 4, 5), (12, 4, 5), (10, 4, 4), (16, 4, 5), (12, 6, 4), (7, 3, 6)]


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seats", "rounds"), BALANCED)
def test_at_tables_everybody_meets_everybody_about_as_often(players, seats, rounds):
    field = list(range(players))
    made = balanced_tables(field, (min(3, seats), seats), rounds, "seed")
    for one in made:
        everybody_sits_once(one, field)
    met = meetings(made)
    counts = [met[pair] for pair in combinations(field, 2)]
    average = Fraction(sum(counts), len(counts))
    assert max(counts) - average <= 2
    # The oracle: a draw by lot, however often it is repeated, is never as balanced.
    lot = Random(1)
    squares = sum(count**2 for count in counts)
    for _ in range(50):
        drawn = Counter()
        for one in made:
            mixed = lot.sample(field, players)
            for table in one.tables:
                group, mixed = mixed[: len(table)], mixed[len(table) :]
                drawn.update(tuple(sorted(pair)) for pair in combinations(group, 2))
        assert squares <= sum(count**2 for count in drawn.values())


def test_nine_at_tables_of_three_meet_everybody_once_in_four_rounds():
    met = meetings(balanced_tables(range(9), (3, 3), 4, "affine"))
    assert set(met.values()) == {1} or max(met.values()) == 2
    assert len(met) >= 30  # of 36


@pytest.mark.slow
@pytest.mark.parametrize(("players", "seats", "rounds"), BALANCED)
def test_at_tables_seats_rotate(players, seats, rounds):
    field = list(range(players))
    made = balanced_tables(field, (min(3, seats), seats), rounds, "seed")
    for counts in seat_counts(made, field, seats).values():
        assert max(counts) <= -(-rounds // seats) + 1


@pytest.mark.slow
def test_byes_at_tables_go_round():
    made = balanced_tables(range(9), (4, 4), 9, "seed")
    byes = Counter(entrant for one in made for entrant in one.byes)
    assert byes == Counter(dict.fromkeys(range(9), 1))


def test_tables_depend_on_the_seed_alone():
    one = balanced_tables([3, 1, 2, 5, 4, 6], (3, 3), 3, "s")
    assert one == balanced_tables([3, 1, 2, 5, 4, 6], (3, 3), 3, "s")


# --- Swiss ------------------------------------------------------------------------------------


class Play:
    """A tournament played by lot, with the history that pairings are made from."""

    def __init__(self, size, seed):
        self.draw = Random(seed)
        self.score = dict.fromkeys(range(1, size + 1), Fraction(0))
        self.met = {n: [] for n in self.score}
        self.seats = {n: [] for n in self.score}
        self.byes = Counter()
        self.losses = Counter()

    def standings(self):
        return [
            SwissEntrant(n, self.score[n], self.met[n], self.seats[n], self.byes[n], self.losses[n])
            for n in self.score
        ]

    def play(self, made):
        for entrant in made.byes:
            self.byes[entrant] += 1
            self.score[entrant] += 1
        for table in made.tables:
            for seat, entrant in enumerate(table):
                self.met[entrant] += [other for other in table if other != entrant]
                self.seats[entrant].append(seat)
            order = self.draw.sample(table, len(table))
            for place, entrant in enumerate(order):
                self.score[entrant] += Fraction(len(table) - 1 - place, len(table) - 1)
            for loser in order[1:]:
                self.losses[loser] += 1


@pytest.mark.slow
@pytest.mark.parametrize("size", range(4, 41))
def test_in_a_swiss_tournament_nobody_meets_twice_or_has_two_byes(size):
    play = Play(size, f"swiss {size}")
    for _ in range(size // 2):
        made = swiss_round(play.standings())
        if made is None:
            # Only an odd field near the end of its pairings may come to this.
            assert size % 2
            break
        everybody_sits_once(made, play.score)
        for one, other in made.tables:
            assert other not in play.met[one]
        assert not [entrant for entrant in made.byes if play.byes[entrant]]
        play.play(made)
    assert max(play.byes.values(), default=0) <= 1


@pytest.mark.parametrize("size", range(2, 15))
def test_every_round_that_is_possible_has_a_pairing(size):
    for seed in range(5):
        play = Play(size, f"possible {size} {seed}")
        for _ in range(rounds_possible(size)):
            play.play(swiss_round(play.standings()))


def test_the_first_swiss_round_pairs_the_upper_half_with_the_lower():
    made = swiss_round([SwissEntrant(n) for n in range(1, 9)])
    assert [set(table) for table in made.tables] == [{1, 5}, {2, 6}, {3, 7}, {4, 8}]
    assert [table[0] in (1, 2, 3, 4) for table in made.tables] == [True, False, True, False]


def test_with_an_odd_field_the_lowest_has_the_bye():
    made = swiss_round([SwissEntrant(n) for n in range(1, 8)])
    assert made.byes == [7]


def test_equal_scores_meet_in_the_second_round():
    one, half = Fraction(1), Fraction(0)
    field = [
        SwissEntrant(1, one, [3], [0]),
        SwissEntrant(2, one, [4], [1]),
        SwissEntrant(3, half, [1], [1]),
        SwissEntrant(4, half, [2], [0]),
    ]
    made = swiss_round(field)
    assert {frozenset(table) for table in made.tables} == {frozenset({1, 2}), frozenset({3, 4})}
    # Everybody gets the other seat.
    assert set(made.tables) == {(2, 1), (3, 4)}


def test_a_swiss_round_is_refused_once_everybody_has_met():
    field = [
        SwissEntrant(1, met=[2, 3]),
        SwissEntrant(2, met=[1, 3]),
        SwissEntrant(3, met=[1, 2], byes=1),
    ]
    assert swiss_round(field) is None


def test_seats_stay_balanced_in_a_long_swiss_tournament():
    play = Play(24, "long")
    for _ in range(8):
        play.play(swiss_round(play.standings()))
    for seats in play.seats.values():
        assert abs(seats.count(0) - seats.count(1)) <= 2


@pytest.mark.parametrize("size", range(5, 31))
def test_swiss_tables_seat_everybody_and_share_byes(size):
    play, most = Play(size, f"tables {size}"), 3 + size % 4
    for _ in range(4):
        made = swiss_tables(play.standings(), (3, most))
        everybody_sits_once(made, play.score)
        assert all(3 <= len(table) <= most for table in made.tables)
        play.play(made)
    byes = [play.byes[n] for n in play.score]
    assert max(byes) - min(byes) <= 1


# --- Knock-out --------------------------------------------------------------------------------


@pytest.mark.parametrize("lives", [1, 2])
@pytest.mark.parametrize("size", range(2, 34))
def test_a_knock_out_leaves_one_and_nobody_plays_after_leaving(size, lives):
    play = Play(size, f"knock-out {size} {lives}")
    matches = 0
    while made := knock_out_round(play.standings(), lives):
        alive = [n for n in play.score if play.losses[n] < lives]
        everybody_sits_once(made, alive)
        assert made.tables
        matches += len(made.tables)
        play.play(made)
    assert [play.losses[n] < lives for n in play.score].count(True) == 1
    # Everybody but the winner has lost as often as there are lives.
    assert lives * (size - 1) <= matches <= lives * size - 1


def test_a_knock_out_of_eight_begins_with_the_fold():
    made = knock_out_round([SwissEntrant(n) for n in range(1, 9)], 1)
    assert [set(table) for table in made.tables] == [{1, 8}, {2, 7}, {3, 6}, {4, 5}]


def test_losers_play_losers_in_a_double_elimination():
    field = [SwissEntrant(n, losses=int(n > 2)) for n in range(1, 5)]
    made = knock_out_round(field, 2)
    assert {frozenset(table) for table in made.tables} == {frozenset({1, 2}), frozenset({3, 4})}


def test_the_final_of_a_double_elimination_is_repeated_if_the_unbeaten_one_loses():
    field = [SwissEntrant(1, met=[2]), SwissEntrant(2, losses=1, met=[1])]
    assert [set(table) for table in knock_out_round(field, 2).tables] == [{1, 2}]
    again = [SwissEntrant(1, losses=1, met=[2, 2]), SwissEntrant(2, losses=1, met=[1, 1])]
    assert [set(table) for table in knock_out_round(again, 2).tables] == [{1, 2}]
    over = [SwissEntrant(1, losses=2), SwissEntrant(2, losses=1)]
    assert knock_out_round(over, 2) is None


# --- Groups -----------------------------------------------------------------------------------


SIZES_OF_GAMES = [(least, most) for most in range(3, 7) for least in range(2, most + 1)]


@pytest.mark.parametrize(("least", "most"), SIZES_OF_GAMES)
def test_a_knock_out_of_several_seats_ends_with_one_table(least, most):
    for size in (*range(most, 30), 64, 128):
        ends_with_one_table(size, least, most)


def ends_with_one_table(size, least, most):
    """Check a knock-out of a field of that size."""
    draw = Random(size)
    field = {number: SwissEntrant(number) for number in range(1, size + 1)}
    for _ in range(60):
        made = knock_out_tables(list(field.values()), (least, most))
        alive = [one.number for one in field.values() if not one.losses]
        everybody_sits_once(made, alive)
        assert all(least <= len(table) <= most for table in made.tables)
        best = going_on([len(table) for table in made.tables], len(made.byes), (least, most))
        for number in made.byes:
            one = field[number]
            field[number] = replace(one, byes=one.byes + 1)
        for table in made.tables:
            ranked = draw.sample(table, len(table))
            best_here = ranked[: min(best, len(ranked) - 1)]
            assert best_here != ranked, "somebody is out"
            for number in table:
                one = field[number]
                met = [*one.met, *(other for other in table if other != number)]
                field[number] = replace(one, met=met, losses=int(number not in best_here))
        if len(made.tables) == 1 and not made.byes:
            break
    assert sum(not one.losses for one in field.values()) == 1


def test_at_tables_of_four_the_strongest_sit_apart_and_players_meet_again_late():
    field = [SwissEntrant(number) for number in range(1, 17)]
    first = knock_out_tables(field, (2, 4))
    assert [sum(table) for table in first.tables] == [34] * 4
    on = [number for table in first.tables for number in sorted(table)[:2]]
    met = {
        number: [o for t in first.tables if number in t for o in t if o != number] for number in on
    }
    second = knock_out_tables([SwissEntrant(number, met=met[number]) for number in on], (2, 4))
    assert not any(set(met[one]) & set(table) for table in second.tables for one in table)


def test_too_few_for_a_table_play_no_final():
    assert knock_out_tables([SwissEntrant(1), SwissEntrant(2)], (3, 4)) is None


@pytest.mark.parametrize(
    ("sizes", "byes", "seats", "expected"),
    [
        ([4, 4], 0, (2, 4), 2),
        ([4], 0, (2, 4), 1),
        ([3, 3, 3], 0, (2, 3), 1),
        ([3, 3], 0, (3, 3), 2),
        ([6], 1, (6, 6), 5),
        ([6, 6], 0, (2, 6), 3),
    ],
)
def test_the_better_half_goes_on_or_as_many_as_the_next_table_needs(sizes, byes, seats, expected):
    assert going_on(sizes, byes, seats) == expected


def test_groups_are_dealt_out_forwards_and_backwards():
    assert groups(list(range(1, 9))) == [[1, 4, 5, 8], [2, 3, 6, 7]]
    assert [len(group) for group in groups(list(range(11)))] == [3, 4, 4]


@pytest.mark.parametrize("size", range(6, 25))
def test_in_groups_everybody_meets_those_of_the_same_group_once(size):
    field = list(range(size))
    expected = Counter(pair for group in groups(field) for pair in combinations(sorted(group), 2))
    assert meetings(group_stage(field, "seed")) == expected


@pytest.mark.parametrize(
    ("players", "wanted"),
    [(8, [4, 2, 1]), (11, [6, 3, 2, 1]), (2, [1]), (1, []), (0, [])],
)
def test_the_rounds_ahead_of_a_knock_out(players, wanted):
    ahead = stages_ahead(players)
    assert [len(stage.upper) for stage in ahead] == wanted
    assert not any(stage.lower for stage in ahead)


@pytest.mark.parametrize("players", range(2, 30))
def test_the_rounds_ahead_of_a_double_elimination_are_those_that_are_played(players):
    ahead = stages_ahead(players, lives=2)
    losses = dict.fromkeys(range(1, players + 1), 0)
    met = {one: [] for one in losses}
    byes = dict.fromkeys(losses, 0)
    for stage in ahead:
        field = [
            SwissEntrant(one, met=met[one], byes=byes[one], losses=lost)
            for one, lost in losses.items()
        ]
        made = knock_out_round(field, 2)
        assert len(made.tables) == [*stage.upper, *stage.lower].count(2)
        assert len(made.byes) == [*stage.upper, *stage.lower].count(1)
        for one in made.byes:
            byes[one] += 1
        for first, second in made.tables:
            met[first].append(second)
            met[second].append(first)
            # The unbeaten player wins the final, so that there is no second one.
            loser = max((first, second), key=lambda one: (losses[one], one))
            losses[loser] += 1
    assert [lost for lost in losses.values() if lost < 2] == [0]


@pytest.mark.parametrize("players", range(4, 40))
def test_the_rounds_ahead_at_tables_end_with_one_table(players):
    ahead = stages_of_tables(players, (3, 4))
    assert [len(stage.upper) for stage in ahead][-1] == 1
    assert len(ahead) < 10


# --- Team matches -----------------------------------------------------------------------------


def schedule_by_places(boards, sizes):
    """The schedule of a team match by another way: the place of each seat, as (team, board).

    In the line a1 b1 a2 b2 …, place p belongs to board p // 2. In the second round the two places
    of a board are exchanged, and each team's players at a table sit in the opposite order.
    """
    rounds = []
    for flip in (0, 1):
        start, made = 0, []
        for size in sizes:
            places = range(start, start + size)
            seat_teams = [(place + flip) % 2 for place in places]
            of_team = {team: [] for team in (0, 1)}
            for place in places:
                of_team[(place + flip) % 2].append(place // 2)
            if flip:
                of_team = {team: boards_[::-1] for team, boards_ in of_team.items()}
            made.append([(team, of_team[team].pop(0)) for team in seat_teams])
            start += size
        rounds.append(made)
    assert start == 2 * boards
    return rounds


CASES = [
    (boards, seats)
    for boards in range(2, 51)
    for seats in ((2, 2), (2, 3), (3, 3), (2, 4), (3, 5), (2, 6), (4, 6))
    if divides(boards, seats)
]


@pytest.mark.parametrize(("boards", "seats"), CASES)
def test_a_team_match_mixes_both_teams_evenly(boards, seats):
    first, second = list(range(1, 2 * boards, 2)), list(range(2, 2 * boards + 1, 2))
    team = dict.fromkeys(first, 0) | dict.fromkeys(second, 1)
    rounds = team_tables((first, second), seats)
    sat = Counter()
    for made in rounds:
        everybody_sits_once(made, [*first, *second])
        assert not made.byes
        for table in made.tables:
            assert seats[0] <= len(table) <= seats[1]
            share = Counter(team[one] for one in table)
            assert abs(share[0] - share[1]) <= 1
            sat.update((team[one], seat, len(table)) for seat, one in enumerate(table))
    # Each team has each seat as often as the other.
    for _, seat, size in list(sat):
        assert sat[0, seat, size] == sat[1, seat, size]
    expected = schedule_by_places(boards, [len(table) for table in rounds[0].tables])
    assert expected == [
        [[(team[one], (one - 1) // 2) for one in table] for table in made.tables] for made in rounds
    ]


def test_pairs_of_a_team_match_play_twice_with_seats_swapped():
    one, other = team_tables(([1, 3, 5], [2, 4, 6]), (2, 2))
    assert one.tables == [(1, 2), (3, 4), (5, 6)]
    assert other.tables == [table[::-1] for table in one.tables]


def test_tables_of_four_meet_again_in_the_reverse_order():
    one, other = team_tables(([1, 3], [2, 4]), (2, 4))
    assert (one.tables, other.tables) == ([(1, 2, 3, 4)], [(4, 3, 2, 1)])


@pytest.mark.parametrize(
    ("boards", "seats", "possible"),
    [(2, (3, 3), False), (3, (3, 3), True), (2, (2, 3), True), (4, (3, 3), False)],
)
def test_some_numbers_of_players_do_not_divide(boards, seats, possible):
    assert divides(boards, seats) == possible
