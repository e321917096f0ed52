"""Clubs: members, leaders, and who may come in."""
