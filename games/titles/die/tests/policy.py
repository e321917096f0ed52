"""Parameters of DIE for tests that play whole matches."""

SHORT = {"size": 3}
STRENGTH = {"size": 4}
BEATS_RANDOM = 0.95
