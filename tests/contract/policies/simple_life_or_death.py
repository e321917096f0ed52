"""Simple Life or Death: its names of pieces, which no player should have to read."""

NOTATION = r"\b[robgyp][SML][1-5]\b"
