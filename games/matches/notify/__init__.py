"""Notifications of matches: pushes to open pages, emails, and replies to those emails."""
