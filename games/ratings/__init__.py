"""Ratings: how strong each player is in each game, computed from rated matches."""
