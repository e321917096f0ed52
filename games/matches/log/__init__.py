"""The log of a match: its entries, their positions and turns, and its record."""
