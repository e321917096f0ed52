"""Points and tie-breaks, by worked examples."""

from fractions import Fraction

from games.events.standings import Played, Result, harder_seat, in_words, standings

HALF = Fraction(1, 2)


def match(first, second, winner=0, number=1):
    """A match of two; ``winner`` is 0 for a draw."""
    ranks = {0: (1, 1), first: (1, 2), second: (2, 1)}[winner]
    return Result(number, [Played(first, 0, ranks[0]), Played(second, 1, ranks[1])])


def bye(entrant, number=1):
    return Result(number, [Played(entrant, 0, 1)])


def order(lines):
    return [(line.entrant, line.place) for line in lines]


def test_a_win_is_a_point_and_a_draw_a_half():
    lines = standings([1, 2, 3], [match(1, 2, 1), match(2, 3), match(3, 1, 1), bye(3)])
    points = {line.entrant: line.points for line in lines}
    assert points == {1: 2, 2: HALF, 3: 1 + HALF}
    assert order(lines) == [(1, 1), (3, 2), (2, 3)]


def test_four_at_a_table_share_points_evenly():
    table = Result(1, [Played(n, n - 1, rank) for n, rank in enumerate((1, 2, 2, 4), start=1)])
    points = {line.entrant: line.points for line in standings([1, 2, 3, 4], [table])}
    assert points == {1: 1, 2: HALF, 3: HALF, 4: 0}


def test_nobody_has_points_from_a_match_without_result():
    void = Result(1, [Played(1, 0, None), Played(2, 1, None)])
    assert {line.points for line in standings([1, 2], [void])} == {0}


def test_equal_points_are_decided_by_the_match_between_them():
    results = [match(1, 2, 2), match(1, 3, 1), match(2, 3, 3), match(4, 1, 1), match(2, 4, 2)]
    results += [match(3, 4, 4)]
    lines = standings([1, 2, 3, 4], results)
    assert order(lines)[:2] == [(2, 1), (1, 2)]
    assert lines[0].duel == 1


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
    assert first.duel == second.duel == HALF
    assert first.berger > second.berger
    assert first.entrant == 1


def test_then_by_wins_from_the_harder_seat():
    results = [match(1, 3, 1), match(3, 2, 2), match(4, 3, 4), match(3, 4, 3)]
    assert harder_seat(results) == 1
    lines = standings([1, 2, 3, 4], results)
    one, two = (next(line for line in lines if line.entrant == n) for n in (1, 2))
    assert (one.points, one.duel, one.berger) == (two.points, two.duel, two.berger)
    assert (one.hard_wins, two.hard_wins) == (0, 1)
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
