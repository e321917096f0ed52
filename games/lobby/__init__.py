"""Challenges and the start of matches."""
