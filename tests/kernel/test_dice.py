"""Chance: committed dice by the book, recorded ones to the letter."""

import hashlib
import hmac

import pytest

from games.kernel.dice import (
    CommittedDice,
    RecordedDice,
    WatchingDice,
    commitment,
    match_key,
    no_dice,
)
from games.kernel.errors import ChanceError

KEY = hashlib.sha256(bytes.fromhex("00ff")).digest()


def by_the_book(key, number, sides):
    """Roll by the published recipe, written out once more."""
    attempt = 0
    while True:
        digest = hmac.new(key, b"%d:%d" % (number, attempt), hashlib.sha256).digest()
        x = int.from_bytes(digest[:8], "big")
        if x < 2**64 - 2**64 % sides:
            return x % sides + 1
        attempt += 1


@pytest.mark.parametrize("sides", [1, 2, 6, 1000, 2**63 + 1, 2**64 - 1])
def test_committed_rolls_follow_the_published_recipe(sides):
    dice = CommittedDice(KEY)
    assert [dice.roll(sides) for _ in range(50)] == [by_the_book(KEY, n, sides) for n in range(50)]


def test_committed_rolls_of_a_known_key():
    dice = CommittedDice(KEY)
    assert [dice.roll(6) for _ in range(12)] == [1, 3, 1, 1, 4, 2, 3, 4, 3, 4, 6, 1]
    assert dice.drawn == [1, 3, 1, 1, 4, 2, 3, 4, 3, 4, 6, 1]


def test_dice_go_on_where_the_last_ones_stopped():
    whole, first = CommittedDice(KEY), CommittedDice(KEY)
    outcomes = [whole.roll(20) for _ in range(9)]
    assert [first.roll(20) for _ in range(4)] == outcomes[:4]
    rest = CommittedDice(KEY, 4)
    assert [rest.roll(20) for _ in range(5)] == outcomes[4:]


def test_observations_are_recorded_and_take_no_number():
    dice = CommittedDice(KEY)
    assert dice.observe(lambda: ({"fell": True}, {"fps": 30})) == {"fell": True}
    assert dice.roll(6) == by_the_book(KEY, 0, 6)
    assert dice.drawn == [{"fell": True}, by_the_book(KEY, 0, 6)]
    assert dice.sides == [None, 6]
    assert dice.traces == [{"fps": 30}]


def test_recorded_outcomes_come_back_without_watching():
    dice = RecordedDice([3, {"t": 0.1}, 20])
    assert dice.roll(6) == 3
    assert dice.observe(lambda: pytest.fail("watched")) == {"t": 0.1}
    assert dice.roll(20) == 20
    dice.finish()
    assert dice.drawn == [3, {"t": 0.1}, 20]
    assert dice.sides == [6, None, 20]
    assert dice.traces == []


def test_watching_dice_give_what_was_recorded_and_see_what_comes_out_today():
    dice = WatchingDice([3, {"t": 1}, {"t": 2}])
    assert dice.roll(6) == 3
    assert dice.observe(lambda: ({"t": 1}, None)) == {"t": 1}
    assert not dice.differs
    assert dice.observe(lambda: ({"t": 9}, None)) == {"t": 2}
    assert dice.differs


@pytest.mark.parametrize("face", [0, 7, -1, "3", 3.0, True, None, {"t": 1}])
def test_what_is_no_face_is_named(face):
    with pytest.raises(ChanceError, match="is not a roll of 6"):
        RecordedDice([face]).roll(6)


def test_missing_and_left_over_outcomes_are_named():
    with pytest.raises(ChanceError, match="a roll of 12"):
        no_dice().roll(12)
    with pytest.raises(ChanceError, match="an observation"):
        no_dice().observe(dict)
    with pytest.raises(ChanceError, match="5 is left over"):
        RecordedDice([5]).finish()
    with pytest.raises(ChanceError, match="5 is not an observation"):
        RecordedDice([5]).observe(dict)


def test_the_seal_and_the_key_are_hashes_of_what_was_published():
    secret, nonces = b"s" * 32, [b"a" * 32, b"b" * 32]
    assert commitment(secret) == hashlib.sha256(secret).digest()
    assert match_key(secret, nonces) == hashlib.sha256(secret + b"a" * 32 + b"b" * 32).digest()
    assert match_key(secret, nonces) != match_key(secret, nonces[::-1])
