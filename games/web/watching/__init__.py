"""Matches of others that the user watches, and those kept as favourites."""
