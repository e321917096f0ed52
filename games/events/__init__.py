"""Tournaments: sign up, rounds that become matches, standings."""
