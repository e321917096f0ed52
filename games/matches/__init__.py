"""A match from first to last move."""
