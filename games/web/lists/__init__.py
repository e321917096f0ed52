"""Lists of matches: one's own, a player's, the archive."""
