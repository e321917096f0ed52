"""Pages that are the same for everybody: home, the games, how the dice work."""
