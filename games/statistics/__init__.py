"""Statistics of games and players: counted by the clockwork from matches that have ended."""
