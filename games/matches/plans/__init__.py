"""What a player decides ahead: conditional moves and standing orders."""
