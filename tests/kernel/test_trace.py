"""Traces: what is packed comes out again, as far as it was written."""

import json

import pytest

from games.kernel.trace import pack, unpack

FRAMES = [
    [(0.0, 12.5, 0.0), (-1.275, 40.0, 0.5)],
    [(0.01, 12.5, -0.0005), (-3.3, 41.1, 3.14159)],
    [(-800.0, 0.0, 16.0), (800.0, 700.0, -16.0)],
]


def test_frames_come_back_within_the_rounding():
    trace = json.loads(json.dumps(pack(FRAMES, 30)))
    assert (trace["fps"], trace["bodies"]) == (30, 2)
    found = unpack(trace)
    assert [len(frame) for frame in found] == [2, 2, 2]
    for frame, packed in zip(FRAMES, found, strict=True):
        for body, rounded in zip(frame, packed, strict=True):
            assert rounded[:2] == pytest.approx(body[:2], abs=0.0126)
            assert rounded[2] == pytest.approx(body[2], abs=0.00026)


def test_what_is_too_far_off_is_put_at_the_edge():
    ((body,),) = unpack(pack([[(1e6, -1e6, 99.0)]], 30))
    assert body == pytest.approx((819.175, -819.175, 16.3835))


def test_bodies_at_rest_take_next_to_no_room():
    trace = pack([[(float(n), 7.0 * n, 0.01 * n) for n in range(30)]] * 60, 30)
    assert len(trace["data"]) < 1_000
