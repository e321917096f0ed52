"""Boards to think on: positions, lines and variations that belong to no match."""
