"""What a player decides ahead: planned moves, queues and standing orders."""
