"""Points and tie-breaks, by worked examples."""

from fractions import Fraction
from random import Random

import pytest

from games.events.standings import Result, SeatResult, harder_seat, in_words, standings
from games.events.tie_breaks import TIE_BREAKS

HALF = Fraction(1, 2)


def match(first, second, winner=0, number=1):
    """A match of two; ``winner`` is 0 for a draw."""
    ranks = {0: (1, 1), first: (1, 2), second: (2, 1)}[winner]
    return Result(number, [SeatResult(first, 0, ranks[0]), SeatResult(second, 1, ranks[1])])


def bye(entrant, number=1):
    return Result(number, [SeatResult(entrant, 0, 1)])


def order(lines):
    return [(line.entrant, line.place) for line in lines]


def test_a_win_is_a_point_and_a_draw_a_half():
    lines = standings([1, 2, 3], [match(1, 2, 1), match(2, 3), match(3, 1, 1), bye(3)])
    points = {line.entrant: line.points for line in lines}
    assert points == {1: 2, 2: HALF, 3: 1 + HALF}
    assert order(lines) == [(1, 1), (3, 2), (2, 3)]


def test_four_at_a_table_share_points_evenly():
    table = Result(1, [SeatResult(n, n - 1, rank) for n, rank in enumerate((1, 2, 2, 4), start=1)])
    points = {line.entrant: line.points for line in standings([1, 2, 3, 4], [table])}
    assert points == {1: 1, 2: HALF, 3: HALF, 4: 0}


def test_nobody_has_points_from_a_match_without_result():
    void = Result(1, [SeatResult(1, 0, None), SeatResult(2, 1, None)])
    assert {line.points for line in standings([1, 2], [void])} == {0}


def test_equal_points_are_decided_by_the_match_between_them():
    results = [match(1, 2, 2), match(1, 3, 1), match(2, 3, 3), match(4, 1, 1), match(2, 4, 2)]
    results += [match(3, 4, 4)]
    lines = standings([1, 2, 3, 4], results)
    assert order(lines)[:2] == [(2, 1), (1, 2)]
    assert lines[0].tie_breaks["direct"] == 1


def test_then_by_the_points_of_those_one_has_beaten():
    # 1 and 2 drew. 1 beat 3, who has more points than 4, whom 2 beat.
    results = [
        match(1, 2),
        match(1, 3, 1),
        match(4, 2, 2),
        match(3, 4, 3),
        match(4, 1),
        match(2, 3),
    ]
    lines = standings([1, 2, 3, 4], results)
    first, second = lines[:2]
    assert (first.points, second.points) == (2, 2)
    assert first.tie_breaks["direct"] == second.tie_breaks["direct"] == HALF
    assert first.tie_breaks["berger"] > second.tie_breaks["berger"]
    assert first.entrant == 1


def test_then_by_wins_from_the_harder_seat():
    results = [match(1, 3, 1), match(3, 2, 2), match(4, 3, 4), match(3, 4, 3)]
    assert harder_seat(results) == 1
    lines = standings([1, 2, 3, 4], results)
    one, two = (next(line for line in lines if line.entrant == n) for n in (1, 2))
    assert one.order[:3] == two.order[:3]
    assert (one.tie_breaks["hard-wins"], two.tie_breaks["hard-wins"]) == (0, 1)
    assert two.place < one.place


def test_who_is_equal_in_everything_shares_a_place():
    lines = standings([1, 2, 3], [match(1, 2), match(2, 3), match(3, 1)])
    assert order(lines) == [(1, 1), (2, 1), (3, 1)]


def test_who_left_comes_after_all_who_stayed():
    lines = standings([1, 2, 3], [match(1, 2, 1), match(2, 3, 2), match(1, 3, 1)], left=[1])
    assert order(lines) == [(2, 1), (3, 2), (1, 3)]


def test_in_a_knock_out_the_place_is_how_long_somebody_stayed():
    results = [match(1, 4, 1), match(2, 3, 3), match(1, 3, 3, number=2)]
    assert order(standings([1, 2, 3, 4], results, lives=1)) == [(3, 1), (1, 2), (2, 3), (4, 3)]


def test_in_a_double_elimination_two_losses_are_out():
    results = [match(1, 2, 1), match(2, 1, 2, number=2)]
    lines = standings([1, 2], results, lives=2)
    assert not any(line.is_out for line in lines)
    lines = standings([1, 2], [*results, match(1, 2, 2, number=3)], lives=2)
    assert order(lines) == [(2, 1), (1, 2)]


def test_points_in_words():
    assert [in_words(Fraction(n, 6)) for n in (0, 3, 6, 15, 16)] == ["0", "½", "1", "2½", "2.67"]


def worked_example():
    """Four rounds of five players: 1 beats 2, 3 and 5 and has a bye; 4 has two draws."""
    return [
        match(1, 2, 1),
        match(3, 4),
        bye(5),
        match(1, 3, 1, number=2),
        match(5, 2, 2, number=2),
        bye(4, number=2),
        match(1, 5, 1, number=3),
        match(2, 4, number=3),
        bye(3, number=3),
        match(4, 5, 4, number=4),
        match(2, 3, 3, number=4),
        bye(1, number=4),
    ]


@pytest.mark.parametrize(
    ("key", "wanted"),
    [
        # Points: 1 has 4, 3 has 2½, 4 has 3, 2 has 1½, 5 has 1.
        ("buchholz", {1: 9, 2: Fraction(21, 2), 3: 11, 4: 8, 5: Fraction(19, 2)}),
        (
            "buchholz-cut-1",
            {1: 8, 2: Fraction(19, 2), 3: Fraction(19, 2), 4: 7, 5: Fraction(17, 2)},
        ),
        (
            "buchholz-median",
            {1: 4, 2: Fraction(11, 2), 3: Fraction(11, 2), 4: 4, 5: Fraction(9, 2)},
        ),
        ("berger", {1: 5, 2: Fraction(5, 2), 3: 3, 4: 3, 5: 0}),
        ("wins", {1: 3, 2: 1, 3: 1, 4: 1, 5: 0}),
        ("progressive", {1: 10, 2: 4, 3: 5, 4: Fraction(13, 2) + HALF, 5: 4}),
    ],
)
def test_each_tie_break_by_a_worked_example(key, wanted):
    lines = standings([1, 2, 3, 4, 5], worked_example(), order=[key])
    assert {line.entrant: line.points for line in lines} == {
        1: 4,
        2: 1 + HALF,
        3: 2 + HALF,
        4: 3,
        5: 1,
    }
    assert {line.entrant: line.tie_breaks[key] for line in lines} == wanted


def second_computation(results, entrants):
    """Work out points and tie-breaks again, from a table of scores by entrant and round."""
    scores, met, beaten, won = {}, {}, {}, {}
    last = max(result.round for result in results)
    for one in entrants:
        scores[one] = [0.0] * last
        met[one], beaten[one], won[one] = [], [], 0
    for result in results:
        for seat in result.seats:
            others = [other for other in result.seats if other.entrant != seat.entrant]
            if not others:
                scores[seat.entrant][result.round - 1] += 1
                met[seat.entrant].append(seat.entrant)
                continue
            [other] = others
            gained = 0.5 if seat.rank == other.rank else float(seat.rank == 1)
            scores[seat.entrant][result.round - 1] += gained
            met[seat.entrant].append(other.entrant)
            beaten[seat.entrant].append((other.entrant, gained))
            won[seat.entrant] += gained == 1
    points = {one: sum(row) for one, row in scores.items()}
    found = {}
    for one in entrants:
        opponents = sorted(points[other] for other in met[one])
        found[one] = {
            "buchholz": sum(opponents),
            "buchholz-cut-1": sum(opponents) - min(opponents, default=0),
            "buchholz-median": sum(opponents[1:-1]),
            "berger": sum(points[other] * gained for other, gained in beaten[one]),
            "direct": sum(g for other, g in beaten[one] if points[other] == points[one]),
            "wins": won[one],
            "progressive": sum(sum(scores[one][: n + 1]) for n in range(last)),
        }
    return points, found


@pytest.mark.parametrize("seed", range(20))
def test_a_second_computation_finds_the_same(seed):
    chance = Random(seed)
    entrants = list(range(1, chance.randint(5, 12)))
    results = []
    for number in range(1, chance.randint(2, 6)):
        mixed = chance.sample(entrants, len(entrants))
        while len(mixed) > 1:
            one, other = mixed.pop(), mixed.pop()
            results.append(match(one, other, chance.choice([0, one, other]), number))
        results += [bye(one, number) for one in mixed]
    points, found = second_computation(results, entrants)
    for line in standings(entrants, results):
        assert float(line.points) == points[line.entrant]
        for key, number in found[line.entrant].items():
            assert float(line.tie_breaks[key]) == number, key


def test_the_chosen_order_decides():
    results = worked_example()
    # Without 1, who leads: 3 and 4 differ in points, so let 2 and 5 be compared by the order.
    tied = [*results, match(5, 6, number=5), match(2, 6, 6, number=5)]
    entrants = [1, 2, 3, 4, 5, 6]
    for key in ("wins", "buchholz"):
        lines = {line.entrant: line for line in standings(entrants, tied, order=[key])}
        assert lines[2].points == lines[5].points
        first, second = lines[2].tie_breaks[key], lines[5].tie_breaks[key]
        assert (first > second) == (lines[2].place < lines[5].place)
        assert first != second


def test_a_bye_that_was_asked_for_is_half_a_point_and_no_bye_of_the_draw():
    asked = Result(1, [SeatResult(1, 0, 1)], is_half=True)
    [line, _] = standings([1, 2], [asked])
    assert (line.points, line.byes) == (HALF, 0)


def test_every_tie_break_is_explained():
    for key, one in TIE_BREAKS.items():
        assert one.sentence.endswith("."), key
