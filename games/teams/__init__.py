"""Team matches: a club challenges another one, and their players meet at many boards."""
