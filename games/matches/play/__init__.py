"""Playing: reading a move, offers, substitutes, and matches that cannot be read."""
