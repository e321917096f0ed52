"""Traces: how something that was observed came about, to be shown and for nothing else.

A trace is a JSON object::

    {"fps": 30, "bodies": 5, "scale": [40, 40, 2000], "data": "eNpj…"}

``data`` is base64 of zlib (RFC 1950) of little-endian 16-bit whole numbers with a sign: frame by
frame, body by body, x, y and angle. Divided by the three numbers of ``scale`` they are in the
units of the game's positions. ``fps`` is how many frames are to be shown in a second. The last
frame is where the bodies stay, as the position has it but for the rounding.
"""

import base64
import struct
import zlib
from collections.abc import Sequence
from typing import Any, TypeAlias

Trace: TypeAlias = Any
"""A trace as JSON. ``None`` if there is nothing to show."""

Frame: TypeAlias = Sequence[tuple[float, float, float]]
"""Where every body is at one moment: x, y, angle."""

SCALE = (40, 40, 2000)
LIMIT = 2**15 - 1


def pack(frames: Sequence[Frame], fps: int) -> Trace:
    """Pack frames of the same bodies.

    Values out of range are clamped: ±819 units, ±16 radians.
    """
    numbers = [
        max(-LIMIT, min(LIMIT, round(value * scale)))
        for frame in frames
        for body in frame
        for value, scale in zip(body, SCALE, strict=True)
    ]
    packed = zlib.compress(struct.pack(f"<{len(numbers)}h", *numbers), 9)
    data = base64.b64encode(packed).decode("ascii")
    return {"fps": fps, "bodies": len(frames[0]), "scale": list(SCALE), "data": data}


def unpack(trace: Trace) -> list[Frame]:
    """Return the frames of a trace, with its precision."""
    packed = zlib.decompress(base64.b64decode(trace["data"]))
    numbers = struct.unpack(f"<{len(packed) // 2}h", packed)
    sx, sy, turn = trace["scale"]
    bodies = [
        (numbers[n] / sx, numbers[n + 1] / sy, numbers[n + 2] / turn)
        for n in range(0, len(numbers), 3)
    ]
    count = trace["bodies"]
    return [bodies[n : n + count] for n in range(0, len(bodies), count)]
