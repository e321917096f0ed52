"""What the user has left for later, in all matches: plans, standing orders, standing challenges."""
