"""Sealed dice against numbers worked out by other programs, and against chance itself.

The keys and secrets are those of RFC 4231 (HMAC-SHA-256) and FIPS 180-4 (SHA-256). Every digest
below was made with ``printf 0:0 | openssl dgst -sha256 -mac HMAC -macopt hexkey:…``, and every
face from its first sixteen digits with ``bc``.
"""

import hashlib
import hmac

import pytest

from games.kernel import dice as dice_module
from games.kernel.dice import SPACE, CommittedDice, commitment, match_key, work_out
from games.kernel.errors import ChanceError

RFC_1, RFC_2, RFC_3 = b"\x0b" * 20, b"Jefe", b"\xaa" * 20
"""The keys of the first three test cases of RFC 4231."""

SECRET, NONCES = b"abcdbcdecdefdefgefghfghighijhijk", (b"ijkljklmklmn", b"lmnomnopnopq")
"""The 56 letters of the two-block message of FIPS 180-4: a secret of 32 and two nonces."""

KEY = bytes.fromhex("248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1")
"""Their digest as the standard's examples print it."""

SIDES = (6, 20, 52, 1000)


def test_the_primitives_are_those_of_the_standards():
    digest = "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
    assert hmac.digest(RFC_1, b"Hi There", "sha256").hex() == digest


def test_the_seal_of_abc_is_that_of_the_standard():
    digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert commitment(b"abc").hex() == digest


def test_the_key_is_the_digest_of_the_standards_long_message():
    assert match_key(SECRET, NONCES) == KEY
    assert match_key(SECRET, NONCES[::-1]) != KEY


@pytest.mark.parametrize(
    ("key", "number", "digest", "faces"),
    [
        (
            RFC_1,
            0,
            "ae52180ecb23500d4613c0083a3dae4a3324e82e6d976a10110d5d619f70b65e",
            (2, 6, 2, 526),
        ),
        (
            RFC_1,
            1,
            "a718ca53b2b519039b19515a05ae018a8f3eb3e796325fba291b13918386b299",
            (6, 4, 8, 244),
        ),
        (
            RFC_1,
            10,
            "fe67d8213db349757dd3e72aed15c515f724d5c2695bc166ca729f2051a742af",
            (2, 2, 14, 622),
        ),
        (
            RFC_2,
            0,
            "67644a13c6506a1d53e6d1a32bf8b87159256e342d48c6362eba49b0ab041ef2",
            (2, 10, 34, 870),
        ),
        (
            RFC_2,
            1,
            "bb66912fbbdd64ca128dca29a180980e3fc9ab65076e8c84f9a270f5221630a5",
            (1, 7, 7, 27),
        ),
        (
            RFC_2,
            10,
            "9d5ae135dd31286b17cd2871dd073f3c42d5e36e452f144df7314241295d20a5",
            (4, 8, 20, 628),
        ),
        (
            RFC_3,
            0,
            "7049f75fd28d1043ebc65cc002ee5576fe47642f78c4290de823e5a2dceaf802",
            (2, 12, 12, 612),
        ),
        (
            RFC_3,
            10,
            "8315f22f9ae1b8d0083cee8235f2d37aa92376fffcf274be421a0d882963b2b3",
            (1, 13, 25, 273),
        ),
    ],
)
def test_rolls_from_the_keys_of_rfc_4231(key, number, digest, faces):
    for sides, face in zip(SIDES, faces, strict=True):
        working = work_out(key, number, sides)
        assert (working.attempt, working.digest.hex(), working.face) == (0, digest, face)
        assert CommittedDice(key, number).roll(sides) == face


@pytest.mark.parametrize(
    ("sides", "faces"),
    [
        (6, [1, 6, 2, 2, 1]),
        (20, [17, 14, 10, 10, 15]),
        (52, [29, 38, 22, 42, 3]),
        (1000, [317, 974, 10, 490, 115]),
    ],
)
def test_a_match_from_seal_to_rolls(sides, faces):
    committed = CommittedDice(match_key(SECRET, NONCES))
    assert [committed.roll(sides) for _ in range(5)] == faces
    assert committed.sides == [sides] * 5


# --- What is passed over ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("number", "attempt", "first", "face"),
    [
        # 0:0 begins with aa…, 0:1 with c6…: both lie above 2⁶³ and are passed over.
        (0, 2, "3a6a1146dbc97fc5", 4209195797763948486),
        (1, 0, "1a80e79daa306b65", 1909780906356271974),
        # 5:0 begins with fd….
        (5, 1, "4a51de482df23118", 5355305833510088985),
    ],
)
def test_a_number_too_large_to_be_fair_is_passed_over(number, attempt, first, face):
    """Of a die with 2⁶³ + 1 sides nearly every other number is."""
    working = work_out(KEY, number, 2**63 + 1)
    assert (working.attempt, working.digest[:8].hex(), working.face) == (attempt, first, face)


@pytest.mark.parametrize(
    ("x", "sides", "is_fair"),
    [
        (SPACE - 1, 6, False),
        (SPACE - 4, 6, False),  # 2⁶⁴ leaves 4 when divided by 6
        (SPACE - 5, 6, True),
        (SPACE - 16, 20, False),
        (SPACE - 17, 20, True),
        (SPACE - 1, 1, True),
        (SPACE - 1, 2**32, True),
        (SPACE - 1, SPACE, True),
        (SPACE - 1, SPACE - 1, False),
    ],
)
def test_the_limit_to_the_number(monkeypatch, x, sides, is_fair):
    """A digest made up for the first attempt; the second one always counts."""
    monkeypatch.setattr(
        dice_module.hmac,
        "digest",
        lambda key, message, _: (x if message == b"3:0" else 0).to_bytes(8, "big") + bytes(24),
    )
    working = work_out(KEY, 3, sides)
    assert (working.attempt, working.face) == ((0, x % sides + 1) if is_fair else (1, 1))


@pytest.mark.parametrize("sides", [0, -1, SPACE + 1])
def test_what_is_no_die_is_refused(sides):
    with pytest.raises(ChanceError, match="no die"):
        CommittedDice(KEY).roll(sides)


# --- Chance -------------------------------------------------------------------------------------


def chi_squared(counts):
    expected = sum(counts) / len(counts)
    return sum((count - expected) ** 2 for count in counts) / expected


def is_likely(found, freedom):
    """Whether chance leaves χ² so near to its middle 999 times of 1,000.

    After Wilson and Hilferty the cube root of χ² over its degrees of freedom is nearly normal.
    """
    spread = 2 / (9 * freedom)
    return abs((found / freedom) ** (1 / 3) - (1 - spread)) < 3.29 * spread**0.5


def matches():
    """The dice of ten matches with secrets that never change."""
    return [CommittedDice(match_key(b"%d" % secret, NONCES)) for secret in range(10)]


@pytest.mark.slow
@pytest.mark.parametrize("sides", SIDES)
def test_every_face_comes_equally_often(sides):
    """In all matches together: each adds its own χ², and its degrees of freedom."""
    found = 0.0
    for committed in matches():
        counts = [0] * sides
        for _ in range(20_000):
            counts[committed.roll(sides) - 1] += 1
        found += chi_squared(counts)
    assert is_likely(found, 10 * (sides - 1))


@pytest.mark.slow
@pytest.mark.parametrize("sides", [6, 20])
def test_a_roll_tells_nothing_of_the_next(sides):
    found = 0.0
    for committed in matches():
        counts = [0] * sides**2
        for _ in range(10_000):
            counts[(committed.roll(sides) - 1) * sides + committed.roll(sides) - 1] += 1
        found += chi_squared(counts)
    assert is_likely(found, 10 * (sides**2 - 1))


def test_uneven_dice_would_be_found():
    """A die that took every number modulo 6 from a single byte: 0 to 3 come too often."""
    digests = (hashlib.sha256(b"%d" % number).digest() for number in range(200_000))
    counts = [0] * 6
    for digest in digests:
        counts[digest[0] % 6] += 1
    assert not is_likely(chi_squared(counts), 5)
