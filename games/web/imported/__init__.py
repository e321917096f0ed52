"""Pages of imported records."""
