"""Chat, comments and private notes of matches."""
