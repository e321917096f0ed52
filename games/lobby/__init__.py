"""Challenges, and the matches that come of them."""
