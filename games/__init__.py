"""Board games: what they are, how they are played here, and the interfaces to them."""
