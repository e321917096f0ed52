"""What readers add to records: records of matches that were played elsewhere."""
