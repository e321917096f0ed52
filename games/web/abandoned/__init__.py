"""Abandoned seats: their opponents choose what follows, and substitutes say whether they play."""
