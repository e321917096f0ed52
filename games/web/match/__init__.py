"""The page of a match, and what its players do there."""
