"""Decisions in advance: conditional moves and standing orders."""
