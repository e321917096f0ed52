"""Tournaments: the list, announcing one, and the page of one with its standings."""
