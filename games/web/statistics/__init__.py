"""The statistics of games and players."""
