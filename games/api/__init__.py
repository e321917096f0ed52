"""Doors for programs: REST, JSON."""
