"""Pages of team matches."""
