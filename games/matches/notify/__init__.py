"""Telling people about matches: pushes to open pages, emails, and answers to those emails."""
