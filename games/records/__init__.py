"""What readers add to records: matches from files, and animated pictures."""
