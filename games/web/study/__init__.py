"""Boards to think on: in an address for everybody, saved for people with an account."""
