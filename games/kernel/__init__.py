"""What every game promises, and what all of them are built from."""
