"""The page of one's own vacation."""
