"""What one viewer may see of a match, in typed parts."""
