"""Boards to think on: in an address for anybody, saved for people with an account."""
