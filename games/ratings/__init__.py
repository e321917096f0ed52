"""Ratings: how strong each player is in each game, worked out from rated matches."""
