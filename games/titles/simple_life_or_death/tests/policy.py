"""Simple Life or Death: its names of pieces, which no player should have to read."""

SHORT = {"rounds": 3}
STRENGTH = {"rounds": 6}
NOTATION = r"\b[robgyp][SML][1-5]\b"
