"""Precary-Ice with towers that stand: what becomes of a placement is made up, not simulated."""

from tests.contract.reference import Sample

SAMPLES = [
    Sample(2, {"rounds": 2, "incidents": True}, matches=3),
    Sample(3, {}, matches=1),
    Sample(3, {"rounds": 3, "pace": "free", "hand": "steady"}, matches=2),
    Sample(6, {"rounds": 2, "hand": "shaky", "incidents": True}, matches=1),
    Sample(4, {"rounds": 2, "pace": "free", "incidents": True}, matches=2),
]
SHORT = {"rounds": 1, "hand": "shaky"}
STRENGTH = {"rounds": 2}
BEATS_RANDOM = 0.95
REACHES = {"stand": 500, "fall": 25, "bonus": 10, "incident": 10}

MOMENTS = (0, 1, 500, 849, 850, 898, 899, 900, 901, 2_000)
"""When falls begin, in ms: before the total is written and after."""


def choose(position, seat, texts, chance, **_):
    """Return any placement: what becomes of it is made up."""
    return f"place {chance.randrange(-300, 301) / 10:+.1f} {chance.randrange(-20, 21):+d}"


def aim(chance):
    """Return a placement near the middle: others fall at once."""
    return f"place {chance.gauss(0, 0.7):+.1f} {round(chance.gauss(0, 1)):+d}"


def observe(position, seat, chance):
    """Return a tower that stands, most of the time, each piece a little off."""
    tower = position["towers"][seat]
    heap = [*tower["pieces"], [tower["next"], 0.0, 20.0 + 7 * len(tower["pieces"]), 0.0]]
    pieces = [
        [letter, round(x + chance.gauss(0, 0.1), 6), y, round(chance.gauss(0, 0.01), 6)]
        for letter, x, y, _ in heap
    ]
    steady = 0.99 if seat % 2 else 0.93
    falls = chance.random() > steady
    return {"pieces": pieces, "fallen": falls, "ms": chance.choice(MOMENTS) if falls else None}
