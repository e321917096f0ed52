"""Statistics of games and players, counted from ended matches by a scheduled task."""
