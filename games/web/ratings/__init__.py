"""Leaderboards, and the ratings of a player."""
