"""The arithmetic of ratings, by worked examples."""

import math
from datetime import timedelta

import pytest

from games.ratings.calculation import (
    ESTABLISHED,
    MAX_DEVIATION,
    Entrant,
    Strength,
    after_absence,
    known_for,
    rate,
)

DAY = timedelta(days=1)


def after(*entrants):
    return rate([Entrant(Strength(*strength), place) for strength, place in entrants])


def by_hand(strengths, places):
    """The update of the paper (Weng and Lin 2011, algorithm 1), written down a second time."""
    spread = [math.hypot(sigma, 2.5) for _, sigma in strengths]
    found = []
    for i, (mu, _) in enumerate(strengths):
        omega = delta = 0.0
        for q, (other, _) in enumerate(strengths):
            if q == i:
                continue
            c = math.sqrt(spread[i] ** 2 + spread[q] ** 2 + 2 * 125**2)
            expected = 1 / (1 + math.exp((other - mu) / c))
            score = 1.0 if places[i] < places[q] else 0.5 if places[i] == places[q] else 0.0
            omega += spread[i] ** 2 / c * (score - expected)
            delta += (spread[i] / c) ** 2 * expected * (1 - expected)
        found.append((mu + omega, spread[i] * math.sqrt(max(1 - delta, 0.0001))))
    return found


@pytest.mark.parametrize(
    ("strengths", "places"),
    [
        ([(1500, 250), (1500, 250)], [1, 2]),
        ([(1700, 60), (1450, 200)], [2, 1]),
        ([(1700, 60), (1450, 200)], [1, 1]),
        ([(1500, 250)] * 4, [1, 2, 2, 4]),
        ([(1620, 90), (1480, 140), (1530, 70), (1390, 250)], [3, 1, 1, 4]),
        ([(1500, 100)] * 6, [6, 5, 4, 3, 2, 1]),
    ],
)
def test_matches_by_hand(strengths, places):
    found = after(*zip(strengths, places, strict=True))
    for new, (mu, sigma) in zip(found, by_hand(strengths, places), strict=True):
        assert new.mu == pytest.approx(mu, abs=1e-9)
        assert new.sigma == pytest.approx(sigma, abs=1e-9)


def test_two_new_players():
    won, lost = after(((1500, 250), 1), ((1500, 250), 2))
    assert (round(won.mu), round(lost.mu)) == (1579, 1421)
    assert round(won.sigma) == round(lost.sigma) == 237


def test_a_draw_moves_players_towards_each_other():
    strong, weak = after(((1700, 100), 1), ((1500, 100), 1))
    assert strong.mu < 1700
    assert weak.mu > 1500
    assert strong.mu + weak.mu == pytest.approx(3200)


def test_joint_winners_gain_alike_and_never_less_than_who_comes_after():
    found = after(*[((1500, 250), place) for place in (1, 1, 3, 4, 5)])
    numbers = [new.mu for new in found]
    assert numbers[0] == pytest.approx(numbers[1])
    assert numbers[1] > numbers[2] > numbers[3] > numbers[4]
    assert numbers[0] > 1500 > numbers[4]


def test_half_weight_goes_half_the_way():
    full = rate([Entrant(Strength(), 1), Entrant(Strength(1600, 50), 2)])
    half = rate([Entrant(Strength(), 1, is_half=True), Entrant(Strength(1600, 50), 2)])
    assert half[0].mu - 1500 == pytest.approx((full[0].mu - 1500) / 2)
    assert full[0].sigma < half[0].sigma < MAX_DEVIATION
    assert half[1] == full[1]


def test_absence_makes_uncertain():
    known = Strength(1720.0, 100.0)
    later = after_absence(known, 365 * DAY)
    assert later.mu == 1720
    assert later.sigma == pytest.approx(math.sqrt(100**2 + 35 * 365))
    assert later.is_provisional
    assert after_absence(known, 20_000 * DAY).sigma == MAX_DEVIATION
    assert after_absence(known, timedelta()) == known
    assert after_absence(after_absence(known, 10 * DAY), 20 * DAY).sigma == pytest.approx(
        after_absence(known, 30 * DAY).sigma
    )


def test_known_for_says_when_a_rating_becomes_provisional():
    known = Strength(1720.0, 100.0)
    assert after_absence(known, known_for(known)).sigma == pytest.approx(ESTABLISHED)
    assert known_for(Strength()) == timedelta()
