"""What people write to each other in a match, and each for themselves."""
