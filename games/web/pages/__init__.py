"""General pages: home, the games, how the dice work."""
