"""The log of a match: its entries, the positions and turns they lead to, and its record."""
