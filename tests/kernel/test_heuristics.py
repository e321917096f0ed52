"""Playouts: how far they go, and which results they count."""

import random

import pytest

from games.kernel.heuristics import Heuristics


class Steps:
    """A game of one step after the other that ends after five. Positions count them."""

    def actors(self, state):
        return (state % 2,) if state < 5 else ()

    def result(self, state):
        return (1, 2, 2) if state == 5 else None


class Knowledge(Heuristics):
    horizon = 1

    def playout_move(self, state, seat, chance):
        return 1

    def advance(self, state, seat, move, dice):
        return state + move

    def evaluate(self, state, seats):
        return (state / 10, 0, 0)


def playout(known, state):
    return list(known.playout(state, 3, random.Random(1)))


def test_a_playout_is_evaluated_after_its_horizon():
    assert playout(Knowledge(Steps()), 2) == [0.3, 0, 0]


def test_reviews_average_over_several_horizons(monkeypatch):
    monkeypatch.setattr(Knowledge, "review_horizons", (1, 2))
    assert playout(Knowledge(Steps()), 2) == [0.3, 0, 0]
    assert playout(Knowledge(Steps()).for_reviews(), 2) == [pytest.approx(0.35), 0, 0]


def test_reviews_count_the_first_place_only():
    assert playout(Knowledge(Steps()), 4) == [1, 0.25, 0.25]
    assert playout(Knowledge(Steps()).for_reviews(), 4) == [1, 0, 0]
