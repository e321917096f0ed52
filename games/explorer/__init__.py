"""The explorer: what was played in a position in rated matches, and how they ended."""
